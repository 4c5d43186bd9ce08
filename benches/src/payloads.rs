//! A gigabyte in 300 tensors: opened, copied and built.

use crate::turns::Contender;
use kiln::Limits;
use kiln::tensor::{AlignedBytes, Builder, Directory, Dtype, OwnedDirectory};
use std::hint::black_box;
use std::path::Path;

/// The payloads, in bytes: 300 of a multiple of 64 make a gigabyte.
const TENSORS: usize = 300;
/// Vectors of this size begin 16 bytes into a page. That a copy begins a little further into it makes `memcpy` slow
/// on some processors.
const FURTHER: usize = 48;

/// A directory of [`TENSORS`] payloads, with memory to write to that has been touched.
pub struct Sample {
    payload: Vec<u8>,
    names: Vec<String>,
    dtype: Dtype,
    pub block: Vec<u8>,
    safetensors: Vec<u8>,
}

impl Sample {
    /// About `bytes` in all, as f32 or as bools.
    pub fn new(bytes: usize, dtype: Dtype) -> Sample {
        let payload = vec![1; bytes / TENSORS / 64 * 64];
        let names = (0..TENSORS)
            .map(|at| {
                format!("model.layers.{}.self_attn.{}_proj.weight", at / 4, ["q", "k", "v", "o"][at % 4])
            })
            .collect();
        let mut sample = Sample { payload, names, dtype, block: Vec::new(), safetensors: Vec::new() };
        sample.block = sample.builder().to_vec().expect("a block");
        let (dtype, width) =
            if dtype == Dtype::Bool { (safetensors::Dtype::BOOL, 1) } else { (safetensors::Dtype::F32, 4) };
        let tensors = sample.names.iter().map(|name| {
            let shape = vec![sample.payload.len() / width];
            let view = safetensors::tensor::TensorView::new(dtype, shape, &sample.payload);
            (name, view.expect("a tensor"))
        });
        sample.safetensors = safetensors::serialize(tensors, None).expect("a file");
        sample
    }

    fn builder(&self) -> Builder<'_> {
        let width = self.dtype.bits().expect("a closed type") as usize / 8;
        let mut builder = Builder::with_capacity(TENSORS);
        for name in &self.names {
            let shape = [(self.payload.len() / width) as u64];
            builder.push_bytes(name, self.dtype, &shape, &self.payload).expect("a tensor");
        }
        builder
    }

    /// Opening, by what is looked at.
    pub fn open(&self) -> Vec<Contender<'_>> {
        vec![
            once("open", || {
                black_box(Directory::read_with(black_box(&self.block), &Limits::NONE).expect("a directory"));
            }),
            once("safetensors", || {
                black_box(
                    safetensors::SafeTensors::deserialize(black_box(&self.safetensors)).expect("a file"),
                );
            }),
            once("plain read", || {
                black_box(crate::plain_read(black_box(&self.block)));
            }),
        ]
    }

    /// Opening a file, which holds [`Sample::block`], in mapped memory, and giving the memory back.
    pub fn map<'a>(&self, path: &'a Path) -> Contender<'a> {
        Contender {
            name: "map, open, unmap",
            items: 1,
            work: Box::new(move || {
                // SAFETY: nobody else has this file.
                black_box(unsafe { kiln::tensor::open_with(path, &Limits::NONE) }.expect("a directory"));
            }),
        }
    }

    /// Copying: into memory of its own, which is fresh each time; and into memory that was touched before.
    pub fn copy(&self) -> Vec<Contender<'_>> {
        let directory = Directory::read_with(&self.block, &Limits::NONE).expect("a directory");
        let mut place = OwnedDirectory::from(&directory);
        let mut touched = vec![1; self.block.len()];
        let mut further = vec![1; self.block.len() + FURTHER];
        vec![
            once("copy into what is there", move || {
                kiln::decode_into_with(black_box(&self.block), &mut place, &Limits::NONE)
                    .expect("a directory");
            }),
            once("memcpy into touched memory", move || {
                black_box(&mut touched).copy_from_slice(black_box(&self.block));
            }),
            once("memcpy to 48 bytes further into the page", move || {
                black_box(&mut further)[FURTHER..].copy_from_slice(black_box(&self.block));
            }),
            once("copy into fresh memory", move || {
                black_box(OwnedDirectory::from(black_box(&directory)));
            }),
            once("memcpy into fresh memory of the allocator", move || {
                black_box(black_box(&self.block).clone());
            }),
        ]
    }

    /// Writing into memory that was touched before.
    pub fn build(&self) -> Vec<Contender<'_>> {
        let mut out = AlignedBytes::copy_of(&self.block);
        let mut touched = vec![1; self.block.len()];
        vec![
            once("build into touched memory", move || {
                self.builder().encode_to_slice(black_box(&mut out)).expect("a block");
            }),
            once("memcpy into touched memory", move || {
                black_box(&mut touched).copy_from_slice(black_box(&self.block));
            }),
        ]
    }
}

fn once<'a>(name: &'static str, work: impl FnMut() + 'a) -> Contender<'a> {
    Contender { name, items: 1, work: Box::new(work) }
}
