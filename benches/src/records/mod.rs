//! Records: four data sets, and the formats that write and read them.
//!
//! The data sets are those that the serialization benchmark of the Rust community uses, drawn anew from a fixed seed.
//! All formats write and read the same structs, where they can.

mod derive;
pub mod draw;
pub mod format;
pub mod formats;
pub mod log;
pub mod mesh;
pub mod minecraft;
pub mod mk48;
pub mod read;

use crate::turns::Contender;
use format::{Format, Reading, Task};
use log::Logs;
use mesh::Mesh;
use minecraft::Players;
use mk48::Updates;
use read::ReadAll;
use std::fmt::Debug;
use std::hint::black_box;

/// A data set.
pub trait Set: ReadAll + Clone + Debug + PartialEq + Sized + 'static {
    const NAME: &'static str;

    /// The same every time.
    fn make() -> Self;

    /// How many records it has.
    fn records(&self) -> usize;

    /// Reads the first record and the last.
    fn ends(&self) -> u64;

    /// Collects references to what a borrowed decode borrows: what it must write at the least. None where there is
    /// nothing to borrow from.
    fn floor(&self) -> Option<Task<'_>> {
        None
    }

    /// What writes and reads it: Kiln first.
    fn formats() -> Vec<Format<Self>>;
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Work {
    Reuse,
    Fresh,
    Owned,
    Open,
    Read,
    Ends,
    Validate,
}

impl Work {
    pub const ALL: [Self; 7] =
        [Self::Reuse, Self::Fresh, Self::Owned, Self::Open, Self::Read, Self::Ends, Self::Validate];

    pub fn name(self) -> &'static str {
        match self {
            Self::Reuse => "encode into a reused buffer",
            Self::Fresh => "encode into a new buffer",
            Self::Owned => "decode to owned",
            Self::Open => "borrow",
            Self::Read => "borrow and read all",
            Self::Ends => "first and last record",
            Self::Validate => "validate",
        }
    }

    /// What bounds it from below, where something does.
    pub fn floor(self) -> Option<&'static str> {
        match self {
            Self::Reuse => Some("floor: copy the finished bytes"),
            Self::Fresh => Some("floor: copy the finished bytes"),
            Self::Owned => Some("floor: clone and drop"),
            Self::Open => Some("floor: collect references"),
            Self::Read => Some("floor: read the values in memory"),
            Self::Ends | Self::Validate => None,
        }
    }
}

/// Whether a contender of that name leaves checks undone that its peers do: altogether, or until a field is read.
pub fn trusts(name: &str, work: &str) -> bool {
    let opens = [Work::Open, Work::Ends].iter().any(|opens| opens.name() == work);
    name.contains(", not v") || name == "capnp" && opens
}

/// A data set, written in every format that knows it.
pub struct Sample<T: Set> {
    value: T,
    images: Vec<(Format<T>, Image)>,
}

/// Bytes at an address that is a multiple of 16.
struct Image {
    memory: Vec<u128>,
    len: usize,
}

impl Image {
    fn new(bytes: &[u8]) -> Self {
        let mut memory = vec![0; bytes.len().div_ceil(16)];
        bytemuck::cast_slice_mut(&mut memory)[..bytes.len()].copy_from_slice(bytes);
        Image { memory, len: bytes.len() }
    }

    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.memory)[..self.len]
    }
}

/// Any data set.
pub trait Samples {
    fn name(&self) -> &'static str;

    fn records(&self) -> usize;

    /// How many bytes each format takes, Kiln first.
    fn sizes(&self) -> Vec<(&'static str, usize)>;

    /// Reads with every format what it wrote, in every way that it has.
    ///
    /// # Panics
    /// When one reads something else.
    fn check(&self);

    /// The floors first, if there are any, then Kiln, then its peers.
    fn contenders(&self, work: Work) -> Vec<Contender<'_>>;
}

impl<T: Set> Sample<T> {
    pub fn new() -> Self {
        let value = T::make();
        let images = T::formats().into_iter().map(|format| {
            let image = Image::new(&(format.encode)(&value));
            (format, image)
        });
        Sample { images: images.collect(), value }
    }
}

impl<T: Set> Default for Sample<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Set> Samples for Sample<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn records(&self) -> usize {
        self.value.records()
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        self.images.iter().map(|(format, image)| (format.name, image.len)).collect()
    }

    fn check(&self) {
        for (format, image) in &self.images {
            let bytes = image.bytes();
            let name = format.name;
            match format.decode {
                Some(decode) => assert!(decode(bytes) == self.value, "{name} reads another {}", T::NAME),
                None => assert!(!format.views.is_empty(), "{name} reads {} in no way", T::NAME),
            }
            (format.reuse)(&self.value)();
            (format.fresh)(&self.value)();
            if let Some(owned) = format.owned {
                owned(bytes)();
            }
            if let Some(over) = &format.into {
                let mut place = self.value.clone();
                (over.decode)(bytes, &mut place);
                assert!(place == self.value, "{} reads another {}", over.name, T::NAME);
            }
            if let Some(check) = &format.validate {
                (check.task)(bytes)();
            }
            for view in &format.views {
                (view.open)(bytes)();
                let (all, ends) = ((view.read)(bytes)(), (view.ends)(bytes)());
                assert_eq!(all, self.value.read_all(), "{} reads other fields of {}", view.name, T::NAME);
                assert_eq!(ends, self.value.ends(), "{} finds other ends of {}", view.name, T::NAME);
            }
        }
    }

    fn contenders(&self, work: Work) -> Vec<Contender<'_>> {
        let value = &self.value;
        let image = self.images.first().map_or(&[][..], |(_, image)| image.bytes());
        let floor: Option<Task<'_>> = match work {
            Work::Reuse => {
                let mut out = image.to_vec();
                Some(Box::new(move || black_box(&mut out).copy_from_slice(black_box(image))))
            }
            Work::Fresh => Some(Box::new(move || drop(black_box(black_box(image).to_vec())))),
            Work::Owned => Some(Box::new(move || drop(black_box(black_box(value).clone())))),
            Work::Open => value.floor(),
            Work::Read => Some(Box::new(move || {
                black_box(black_box(value).read_all());
            })),
            Work::Ends | Work::Validate => None,
        };
        let mut all = Vec::new();
        all.extend(work.floor().zip(floor));
        for (format, image) in &self.images {
            let bytes = image.bytes();
            match work {
                Work::Reuse => all.push((format.name, (format.reuse)(value))),
                Work::Fresh => all.push((format.name, (format.fresh)(value))),
                Work::Owned => {
                    all.extend(format.owned.map(|owned| (format.name, owned(bytes))));
                    all.extend(format.into.as_ref().map(|over| (over.name, over.task(value, bytes))));
                }
                Work::Open => all.extend(format.views.iter().map(|view| (view.name, (view.open)(bytes)))),
                Work::Read => {
                    all.extend(format.views.iter().map(|view| (view.name, silent((view.read)(bytes)))))
                }
                Work::Ends => {
                    all.extend(format.views.iter().map(|view| (view.name, silent((view.ends)(bytes)))))
                }
                Work::Validate => {
                    all.extend(format.validate.as_ref().map(|check| (check.name, (check.task)(bytes))));
                }
            }
        }
        all.into_iter().map(|(name, work)| Contender { name, items: 1, work }).collect()
    }
}

fn silent(mut reading: Reading<'_>) -> Task<'_> {
    Box::new(move || {
        black_box(reading());
    })
}

/// The data sets whose name is wanted, each made when it is its turn.
pub fn samples(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = Box<dyn Samples>> {
    type Maker = (&'static str, fn() -> Box<dyn Samples>);
    let makers: [Maker; 4] = [
        (Logs::NAME, || Box::new(Sample::<Logs>::new())),
        (Mesh::NAME, || Box::new(Sample::<Mesh>::new())),
        (Players::NAME, || Box::new(Sample::<Players>::new())),
        (Updates::NAME, || Box::new(Sample::<Updates>::new())),
    ];
    makers.into_iter().filter(move |(name, _)| wanted(name)).map(|(_, make)| make())
}
