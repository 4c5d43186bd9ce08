//! Directories of realistic names, in Kiln's form and in that of its peers, and what is done with them.

use crate::turns::Contender;
use ggus::{GGmlType, GGuf, GGufFileHeader, GGufFileWriter};
use kiln::Limits;
use kiln::tensor::{Builder, Directory, Dtype, HeaderFirst, check_with};
use safetensors::SafeTensors;
use safetensors::tensor::TensorView;
use std::hint::black_box;

/// How many tensors the benchmarks have.
pub const COUNTS: [usize; 4] = [1, 300, 10_000, 1_000_000];

/// More than these and safetensors refuses the header for its length.
const SAFETENSORS_MOST: usize = 750_000;

/// The bytes of each payload.
const PAYLOAD: [u8; 64] = [0x3f; 64];

/// A million names are more than the usual caps allow.
const LIMITS: Limits = Limits::NONE;

/// The order of the tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As models are saved: layer by layer, in the order in which a layer computes.
    File,
    /// At random.
    Shuffled,
    /// Sorted by name.
    Ascending,
}

impl Order {
    pub const ALL: [Order; 3] = [Order::File, Order::Shuffled, Order::Ascending];

    pub fn name(self) -> &'static str {
        match self {
            Order::File => "file order",
            Order::Shuffled => "shuffled",
            Order::Ascending => "ascending",
        }
    }
}

/// What is done with a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Accept,
    /// On 1, 2, 4, … threads, as many as the processor has; alone without the feature `rayon`.
    Threads,
    Judge,
    HeaderOnly,
    Lookup,
    Build,
}

impl Work {
    pub const ALL: [Work; 6] =
        [Work::Accept, Work::Threads, Work::Judge, Work::HeaderOnly, Work::Lookup, Work::Build];

    pub fn name(self) -> &'static str {
        match self {
            Work::Accept => "accept",
            Work::Threads => "threads",
            Work::Judge => "judge",
            Work::HeaderOnly => "header only",
            Work::Lookup => "look-up",
            Work::Build => "build",
        }
    }
}

/// The same tensors in every form.
pub struct Sample {
    names: Vec<String>,
    shapes: Vec<(Dtype, Vec<u64>)>,
    pub kiln: Vec<u8>,
    safetensors: Vec<u8>,
    gguf: Vec<u64>,
    gguf_len: usize,
    /// Names to look up, in an order of their own.
    wanted: Vec<usize>,
}

impl Sample {
    pub fn new(count: usize, order: Order) -> Sample {
        let mut sample = Sample::kiln_only(count, order);
        sample.safetensors = sample.safetensors();
        let gguf = sample.gguf();
        sample.gguf_len = gguf.len();
        sample.gguf = vec![0; gguf.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut sample.gguf)[..gguf.len()].copy_from_slice(&gguf);
        sample
    }

    /// Without the forms of the peers, for looking at Kiln alone.
    pub fn kiln_only(count: usize, order: Order) -> Sample {
        let mut names = names(count);
        match order {
            Order::File => {}
            Order::Shuffled => shuffle(&mut names, 1),
            Order::Ascending => names.sort(),
        }
        let shapes: Vec<_> = (0..count).map(shape).collect();
        let mut wanted: Vec<usize> = (0..count).collect();
        shuffle(&mut wanted, 2);
        let mut sample = Sample {
            kiln: Vec::new(),
            safetensors: Vec::new(),
            gguf: Vec::new(),
            gguf_len: 0,
            names,
            shapes,
            wanted,
        };
        sample.kiln = sample.builder().to_vec().expect("a block");
        sample
    }

    /// The mean length of a name.
    pub fn name_len(&self) -> f64 {
        self.names.iter().map(String::len).sum::<usize>() as f64 / self.names.len() as f64
    }

    fn builder(&self) -> Builder<'_> {
        let mut builder = Builder::with_capacity(self.names.len());
        for (name, (dtype, shape)) in self.names.iter().zip(&self.shapes) {
            builder.push_bytes(name, *dtype, shape, &PAYLOAD).expect("a tensor");
        }
        builder
    }

    fn safetensors(&self) -> Vec<u8> {
        let tensors =
            self.names.iter().zip(&self.shapes).take(SAFETENSORS_MOST).map(|(name, (dtype, shape))| {
                let shape = shape.iter().map(|&dim| dim as usize).collect();
                (name, TensorView::new(safetensors_dtype(*dtype), shape, &PAYLOAD).expect("a tensor"))
            });
        safetensors::serialize(tensors, None).expect("a file")
    }

    fn gguf(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let header = GGufFileHeader::new(3, self.names.len() as u64, 0);
        let mut writer = GGufFileWriter::new(&mut out, header).expect("a writer").finish(false);
        for (name, (dtype, shape)) in self.names.iter().zip(&self.shapes) {
            writer.write_tensor(name, gguf_dtype(*dtype), shape, &PAYLOAD[..]).expect("a tensor");
        }
        writer.finish().expect("a file");
        // The writer's own way with data prints every tensor.
        out.resize(out.len().next_multiple_of(32), 0);
        self.names.iter().for_each(|_| out.extend_from_slice(&PAYLOAD));
        out
    }

    fn gguf_bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.gguf)[..self.gguf_len]
    }

    /// Who does that work, with Kiln first.
    pub fn contenders(&self, work: Work) -> Vec<Contender<'_>> {
        let count = self.names.len();
        let fewer = count.min(SAFETENSORS_MOST);
        match work {
            Work::Accept => vec![
                Contender {
                    name: "kiln",
                    items: count,
                    work: Box::new(|| {
                        black_box(Directory::read_with(black_box(&self.kiln), &LIMITS).expect("a directory"));
                    }),
                },
                Contender {
                    name: "safetensors",
                    items: fewer,
                    work: Box::new(|| {
                        black_box(SafeTensors::deserialize(black_box(&self.safetensors)).expect("a file"));
                    }),
                },
                Contender {
                    name: "ggus",
                    items: count,
                    work: Box::new(|| {
                        black_box(GGuf::new(black_box(self.gguf_bytes())).expect("a file"));
                    }),
                },
            ],
            Work::Threads => self.by_threads(),
            Work::Judge => vec![Contender {
                name: "kiln",
                items: count,
                work: Box::new(|| check_with(black_box(&self.kiln), &LIMITS).expect("a directory")),
            }],
            Work::HeaderOnly => vec![
                Contender {
                    name: "kiln",
                    items: count,
                    work: Box::new(|| {
                        let bytes = black_box(&self.kiln[..]);
                        let header = HeaderFirst::read_with(
                            &bytes[..HeaderFirst::LEN],
                            Some(bytes.len() as u64),
                            &LIMITS,
                        )
                        .expect("a header");
                        let len = header.directory_len() as usize;
                        black_box(header.outline(&bytes[..len]).expect("an outline"));
                    }),
                },
                Contender {
                    name: "safetensors",
                    items: fewer,
                    work: Box::new(|| {
                        black_box(
                            SafeTensors::read_metadata(black_box(&self.safetensors)).expect("a header"),
                        );
                    }),
                },
            ],
            Work::Lookup => {
                let kiln = Directory::read_with(&self.kiln, &LIMITS).expect("a directory");
                let safetensors = SafeTensors::deserialize(&self.safetensors).expect("a file");
                let gguf = GGuf::new(self.gguf_bytes()).expect("a file");
                vec![
                    Contender {
                        name: "kiln",
                        items: count,
                        work: Box::new(move || {
                            for &at in &self.wanted {
                                black_box(kiln.get_by_name(&self.names[at]).expect("a tensor"));
                            }
                        }),
                    },
                    Contender {
                        name: "safetensors",
                        items: fewer,
                        work: Box::new(move || {
                            for &at in self.wanted.iter().filter(|&&at| at < SAFETENSORS_MOST) {
                                black_box(safetensors.tensor(&self.names[at]).expect("a tensor"));
                            }
                        }),
                    },
                    Contender {
                        name: "ggus",
                        items: count,
                        work: Box::new(move || {
                            for &at in &self.wanted {
                                black_box(gguf.tensors.get(&*self.names[at]).expect("a tensor"));
                            }
                        }),
                    },
                ]
            }
            Work::Build => {
                let mut out = vec![1; self.kiln.len()];
                vec![
                    Contender {
                        name: "kiln",
                        items: count,
                        work: Box::new(move || {
                            let len = self.builder().encode_to_slice(black_box(&mut out)).expect("a block");
                            assert_eq!(len, self.kiln.len());
                        }),
                    },
                    Contender {
                        name: "safetensors",
                        items: fewer,
                        work: Box::new(|| {
                            black_box(self.safetensors());
                        }),
                    },
                ]
            }
        }
    }
}

#[cfg(not(feature = "rayon"))]
impl Sample {
    /// Acceptance on one thread, which is all there is.
    fn by_threads(&self) -> Vec<Contender<'_>> {
        self.contenders(Work::Accept).into_iter().take(1).collect()
    }
}

#[cfg(feature = "rayon")]
impl Sample {
    /// Acceptance on more and more threads.
    fn by_threads(&self) -> Vec<Contender<'_>> {
        const NUMBERS: [(usize, &str); 5] =
            [(1, "1 thread"), (2, "2 threads"), (4, "4 threads"), (8, "8 threads"), (16, "16 threads")];
        let there_are = std::thread::available_parallelism().map_or(1, usize::from);
        let numbers = NUMBERS.into_iter().filter(|&(number, _)| number <= there_are);
        let contender = |(number, name)| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().expect("a pool");
            let accept = move || {
                pool.install(|| {
                    black_box(Directory::read_with(black_box(&self.kiln), &LIMITS).expect("a directory"));
                });
            };
            Contender { name, items: self.names.len(), work: Box::new(accept) }
        };
        numbers.map(contender).collect()
    }
}

/// Names as language models have them: 38 to 48 bytes in the mean.
fn names(count: usize) -> Vec<String> {
    const LAYER: [&str; 9] = [
        "input_layernorm.weight",
        "self_attn.q_proj.weight",
        "self_attn.k_proj.weight",
        "self_attn.v_proj.weight",
        "self_attn.o_proj.weight",
        "post_attention_layernorm.weight",
        "mlp.gate_proj.weight",
        "mlp.up_proj.weight",
        "mlp.down_proj.weight",
    ];
    const EXPERT: [&str; 6] = [
        "gate_proj.weight",
        "gate_proj.weight_scale",
        "up_proj.weight",
        "up_proj.weight_scale",
        "down_proj.weight",
        "down_proj.weight_scale",
    ];
    let layers = if count < 1000 { count.div_ceil(LAYER.len()) } else { 61 };
    let experts = (count / layers.max(1)).saturating_sub(LAYER.len()).div_ceil(EXPERT.len());
    let experts = if experts == 0 { 0 } else { experts + 1 };
    let mut names = Vec::with_capacity(count);
    for layer in 0..layers {
        names.extend(LAYER.iter().map(|part| format!("model.layers.{layer}.{part}")));
        for expert in 0..experts {
            names.extend(
                EXPERT.iter().map(|part| format!("model.layers.{layer}.mlp.experts.{expert}.{part}")),
            );
        }
    }
    assert!(names.len() >= count);
    names.truncate(count);
    names
}

/// Kinds of tensors with 64 bytes.
fn shape(index: usize) -> (Dtype, Vec<u64>) {
    match index % 4 {
        0 => (Dtype::F32, vec![16]),
        1 => (Dtype::F16, vec![8, 4]),
        2 => (Dtype::F32, vec![4, 4]),
        _ => (Dtype::F16, vec![4, 8]),
    }
}

fn safetensors_dtype(dtype: Dtype) -> safetensors::Dtype {
    if dtype == Dtype::F32 { safetensors::Dtype::F32 } else { safetensors::Dtype::F16 }
}

fn gguf_dtype(dtype: Dtype) -> GGmlType {
    if dtype == Dtype::F32 { GGmlType::F32 } else { GGmlType::F16 }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for end in (1..items.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(end, (state >> 33) as usize % (end + 1));
    }
}
