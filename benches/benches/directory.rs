//! Directories with criterion: `cargo bench --bench directory [-- FILTER]`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kiln_benches::directories::{COUNTS, Order, Sample, Work};
use std::time::Duration;

fn directories(criterion: &mut Criterion) {
    for count in COUNTS {
        for order in Order::ALL {
            let sample = Sample::new(count, order);
            for work in Work::ALL {
                let mut group = criterion.benchmark_group(format!("{}/{}", work.name(), order.name()));
                group.sample_size(10).measurement_time(Duration::from_secs(2));
                for mut contender in sample.contenders(work) {
                    group.throughput(Throughput::Elements(contender.items as u64));
                    group.bench_function(BenchmarkId::new(contender.name, count), |bencher| {
                        bencher.iter(&mut contender.work);
                    });
                }
                group.finish();
            }
        }
    }
}

criterion_group!(benches, directories);
criterion_main!(benches);
