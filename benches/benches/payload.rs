//! Large payloads with criterion: `cargo bench --bench payload [-- FILTER]`. It takes five gigabytes of memory.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kiln::tensor::Dtype;
use kiln_benches::payloads::Sample;
use std::time::Duration;

fn payloads(criterion: &mut Criterion) {
    for dtype in [Dtype::F32, Dtype::Bool] {
        let sample = Sample::new(1 << 30, dtype);
        let path = std::env::temp_dir().join(format!("kiln-bench-payload-{}", std::process::id()));
        std::fs::write(&path, &sample.block).expect("a file");
        let mut group = criterion.benchmark_group(format!("payload/{dtype}"));
        group.sample_size(10).measurement_time(Duration::from_secs(3));
        group.throughput(Throughput::Bytes(sample.block.len() as u64));
        let all = [sample.open(), vec![sample.map(&path)], sample.copy(), sample.build()];
        for (kind, contenders) in ["open", "map", "copy", "build"].into_iter().zip(all) {
            for mut contender in contenders {
                group.bench_function(format!("{kind}/{}", contender.name), |bencher| {
                    bencher.iter(&mut contender.work);
                });
            }
        }
        group.finish();
        std::fs::remove_file(&path).expect("the file");
    }
}

criterion_group!(benches, payloads);
criterion_main!(benches);
