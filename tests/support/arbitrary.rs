//! Types and values made from a seed, the same on every machine.

use half::{bf16, f16};
use kiln::dynamic::Value;
use kiln::schema::{Kind, Scalar, Type, TypeRef};

/// xorshift64*: enough to reach every kind of value, and repeatable.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 33) as usize % bound
    }

    fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    /// Names and texts that are awkward in JSON, in type texts and as Rust.
    pub(crate) fn text(&mut self) -> String {
        const PIECES: [&str; 20] = [
            "a",
            "b",
            "Z",
            "_",
            "-",
            "0",
            "\"",
            "\\",
            "/",
            "~",
            "\n",
            "\u{1}",
            "é",
            "\u{1f600}",
            "\u{202e}",
            " ",
            "$",
            "%",
            "type",
            "\u{7f}",
        ];
        (0..self.below(6)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn name(&mut self, at: usize) -> String {
        format!("{}{at}", self.text().replace(['{', '}', ':', ',', '\0'], ""))
    }

    /// A type without directories in it. With `subset`, one that JSON Schema can say; else one that has JSON.
    pub(crate) fn ty(&mut self, depth: usize, subset: bool) -> Type {
        let scalars: Vec<Scalar> = Scalar::ALL.iter().copied().filter(|&s| s != Scalar::Tensors).collect();
        if depth == 0 || self.one_in(4) {
            return Type::scalar(scalars[self.below(scalars.len())]);
        }
        match self.below(if subset { 4 } else { 5 }) {
            0 | 1 => {
                let fields: Vec<(String, Type)> = (0..self.below(6))
                    .map(|at| {
                        let ty = self.ty(depth - 1, subset);
                        let optional = self.one_in(3);
                        (self.name(at), if optional { Type::optional(ty).unwrap() } else { ty })
                    })
                    .collect();
                Type::structure(fields).unwrap()
            }
            2 => match Type::list(self.ty(depth - 1, subset)) {
                Ok(list) => list,
                Err(_) => Type::scalar(Scalar::U16),
            },
            3 => match Type::dict(self.ty(depth - 1, subset)) {
                Ok(dict) => dict,
                Err(_) => Type::scalar(Scalar::U16),
            },
            _ => {
                let part = self.ty(depth - 1, subset);
                match part.root().kind() {
                    Kind::Optional(_) => part,
                    _ => Type::optional(part).unwrap(),
                }
            }
        }
    }

    /// The bits of a number: often one at an end of the range, or an odd float.
    fn bits(&mut self) -> u64 {
        const ENDS: [u64; 12] = [
            0,
            1,
            u64::MAX,
            i64::MAX as u64,
            i64::MIN as u64,
            (1 << 53) + 1,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x7ff8_0000_0000_0000,
            0x7ff0_0000_0000_0001,
            0x7f80_0000,
            0x7fc0_7e00_7c01,
        ];
        match self.below(3) {
            0 => ENDS[self.below(ENDS.len())],
            1 => self.word() >> self.below(64),
            _ => self.word(),
        }
    }

    pub(crate) fn value(&mut self, ty: TypeRef<'_>) -> Value {
        match ty.kind() {
            Kind::Scalar(scalar) => {
                let bits = self.bits();
                match scalar {
                    Scalar::Bool => Value::Bool(bits & 1 == 1),
                    Scalar::U8 => Value::U8(bits as u8),
                    Scalar::U16 => Value::U16(bits as u16),
                    Scalar::U32 => Value::U32(bits as u32),
                    Scalar::U64 => Value::U64(bits),
                    Scalar::I8 => Value::I8(bits as i8),
                    Scalar::I16 => Value::I16(bits as i16),
                    Scalar::I32 => Value::I32(bits as i32),
                    Scalar::I64 => Value::I64(bits as i64),
                    Scalar::F16 => Value::F16(f16::from_bits(bits as u16)),
                    Scalar::Bf16 => Value::Bf16(bf16::from_bits(bits as u16)),
                    Scalar::F32 => Value::F32(f32::from_bits(bits as u32)),
                    Scalar::F64 => Value::F64(f64::from_bits(bits)),
                    Scalar::Str => Value::Str(self.text()),
                    Scalar::Bytes => Value::Bytes((0..self.below(8)).map(|_| self.word() as u8).collect()),
                    Scalar::Tensors => panic!("no type here has a directory"),
                }
            }
            Kind::List(element) => Value::List((0..self.below(4)).map(|_| self.value(element)).collect()),
            Kind::Optional(value) => Value::Optional(match self.one_in(2) {
                true => None,
                false => Some(Box::new(self.value(value))),
            }),
            Kind::Dict(value) => {
                let mut entries: Vec<(String, Value)> =
                    (0..self.below(4)).map(|_| (self.text(), self.value(value))).collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                entries.dedup_by(|a, b| a.0 == b.0);
                Value::Dict(entries)
            }
            Kind::Struct(fields) => Value::Struct(fields.map(|(_, field)| self.value(field)).collect()),
        }
    }
}
