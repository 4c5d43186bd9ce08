//! Records with criterion: `cargo bench --bench records [-- FILTER]`; all 419 take twelve minutes, and with
//! `-- --warm-up-time 0.1 --measurement-time 0.2` six.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kiln_benches::records::{Work, samples};
use std::time::Duration;

fn records(criterion: &mut Criterion) {
    for sample in samples(|_| true) {
        sample.check();
        for work in Work::ALL {
            let mut group = criterion.benchmark_group(format!("{}/{}", sample.name(), work.name()));
            group.throughput(Throughput::Elements(sample.records() as u64));
            for mut contender in sample.contenders(work) {
                group.bench_function(contender.name, |bencher| bencher.iter(&mut contender.work));
            }
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    // What the command line says goes before this.
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = records
}
criterion_main!(benches);
