//! wincode, as it comes, and with lengths of four bytes and tags of one, which is nearly Kiln's wire. Lists may be
//! long in both: the limit it comes with would refuse the mesh.

use crate::records::format::{Format, task, view};
use crate::records::log::{Logs, LogsRef};
use crate::records::mesh::{Mesh, Triangle};
use crate::records::minecraft::{Players, PlayersRef};
use crate::records::mk48::Updates;
use crate::records::read::{ReadAll, sum};
use ::wincode::config::{Config, Configuration, PREALLOCATION_SIZE_LIMIT_DISABLED};
use ::wincode::int_encoding::{FixInt, LittleEndian};
use ::wincode::len::FixIntLen;
use ::wincode::{SchemaRead, SchemaWrite};
use std::hint::black_box;

type AsItComes = Configuration<true, PREALLOCATION_SIZE_LIMIT_DISABLED>;
type Fixed = Configuration<true, PREALLOCATION_SIZE_LIMIT_DISABLED, FixIntLen<u32>, LittleEndian, FixInt, u8>;

/// Makes a configuration out of its type.
trait Known: Config {
    const CONFIG: Self;
}

impl Known for AsItComes {
    const CONFIG: Self = Self::new();
}

impl Known for Fixed {
    const CONFIG: Self = Self::new();
}

fn format<T, C: Known>(name: &'static str) -> Format<T>
where
    T: SchemaWrite<C, Src = T> + for<'de> SchemaRead<'de, C, Dst = T>,
{
    let encode = |value: &T| ::wincode::config::serialize(value, C::CONFIG).expect("encoding");
    Format::new(
        name,
        encode,
        // Into a slice that is known to be long enough, so without counting first.
        |value| {
            let mut out = ::wincode::config::serialize(value, C::CONFIG).expect("encoding");
            Box::new(move || {
                ::wincode::config::serialize_into(&mut out[..], black_box(value), C::CONFIG)
                    .expect("encoding");
                black_box(&out);
            })
        },
        task!(|value| ::wincode::config::serialize(value, C::CONFIG).expect("encoding")),
        |bytes| read(bytes),
        task!(read::<T, C>),
    )
}

fn read<'a, T: SchemaRead<'a, C, Dst = T>, C: Known>(bytes: &'a [u8]) -> T {
    ::wincode::config::deserialize_exact(bytes, C::CONFIG).expect("decoding")
}

/// A mesh whose triangles stay where they are.
#[derive(SchemaWrite, SchemaRead)]
struct MeshRef<'a> {
    triangles: &'a [Triangle],
}

impl ReadAll for MeshRef<'_> {
    fn read_all(&self) -> u64 {
        sum(self.triangles)
    }
}

const NAMES: [&str; 2] = ["wincode", "wincode, u32 lengths"];

pub fn log() -> Vec<Format<Logs>> {
    vec![
        format::<_, AsItComes>(NAMES[0]).view(view!(NAMES[0], read::<LogsRef<'_>, AsItComes>, logs)),
        format::<_, Fixed>(NAMES[1]).view(view!(NAMES[1], read::<LogsRef<'_>, Fixed>, logs)),
    ]
}

pub fn mesh() -> Vec<Format<Mesh>> {
    vec![
        format::<_, AsItComes>(NAMES[0]).view(view!(NAMES[0], read::<MeshRef<'_>, AsItComes>, triangles)),
        format::<_, Fixed>(NAMES[1]).view(view!(NAMES[1], read::<MeshRef<'_>, Fixed>, triangles)),
    ]
}

pub fn minecraft() -> Vec<Format<Players>> {
    vec![
        format::<_, AsItComes>(NAMES[0]).view(view!(NAMES[0], read::<PlayersRef<'_>, AsItComes>, players)),
        format::<_, Fixed>(NAMES[1]).view(view!(NAMES[1], read::<PlayersRef<'_>, Fixed>, players)),
    ]
}

pub fn mk48() -> Vec<Format<Updates>> {
    vec![format::<_, AsItComes>(NAMES[0]), format::<_, Fixed>(NAMES[1])]
}
