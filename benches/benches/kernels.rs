//! Kernel by level by size, with a copy and a plain read of the same bytes: `cargo bench --bench kernels`.
//!
//! A filter picks some: `cargo bench --bench kernels -- e4m3`. Ratios are better taken from `kernel-table`, which
//! measures what it compares in turns.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use kiln::arch::{Kernels, Level};
use kiln_benches::{CASES, Data, Memory, SIZES, copy, plain_read};
use std::hint::black_box;
use std::time::Duration;

fn kernels(criterion: &mut Criterion) {
    for size in SIZES {
        let mut memories = [Data::Zeros, Data::Random, Data::Ascii, Data::Cjk].map(|data| (data, None));
        let mut group = criterion.benchmark_group("floor");
        group.throughput(Throughput::Bytes(size as u64));
        let mut memory = Memory::new(Data::Zeros, size);
        let (input, output) = memory.full(size);
        group.bench_function(BenchmarkId::new("copy", size), |bencher| {
            bencher.iter(|| copy(black_box(input), black_box(output)));
        });
        group.bench_function(BenchmarkId::new("read", size), |bencher| {
            bencher.iter(|| plain_read(black_box(input)));
        });
        group.finish();

        for case in CASES {
            let place = memories.iter_mut().find(|(data, _)| *data == case.data);
            let memory = place.map(|(data, memory)| memory.get_or_insert_with(|| Memory::new(*data, size)));
            let (input, output) = memory.expect("all kinds of data are listed").of(case, size);
            let mut group = criterion.benchmark_group(case.name);
            group.throughput(Throughput::Bytes(size as u64));
            for kernels in Level::available().filter_map(Kernels::at) {
                group.bench_function(BenchmarkId::new(kernels.level().name(), size), |bencher| {
                    bencher.iter(|| case.run(kernels, input, output));
                });
            }
            for (name, peer) in case.peers {
                group.bench_function(BenchmarkId::new(*name, size), |bencher| {
                    bencher.iter(|| peer(black_box(input), black_box(output)));
                });
            }
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500));
    targets = kernels
}
criterion_main!(benches);
