//! Element types: the one table of codes, names and widths. Chapter: Dtypes.

use core::fmt;

macro_rules! dtypes {
    ($($name:ident $code:literal $text:literal $bits:literal $doc:literal;)*) => {
        /// What the elements of a payload are: one of nineteen closed types, or opaque. Chapter: Dtypes.
        ///
        /// ```
        /// use kiln::tensor::Dtype;
        /// assert_eq!(Dtype::from_code(4), Some(Dtype::Bf16));
        /// assert_eq!(Dtype::Bf16.bits(), Some(16));
        /// assert_eq!(Dtype::I4.name(), "i4");
        /// assert_eq!(Dtype::from_code(20), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Dtype {
            $(#[doc = $doc] $name,)*
            /// Bytes of another system, whose layout a name says. Chapter: Opaque layouts.
            Opaque(OpaqueCode),
        }

        impl Dtype {
            /// The closed types, in the order of their codes.
            pub const CLOSED: &'static [Dtype] = &[$(Dtype::$name,)*];

            /// The type that a descriptor means by `code`, if a reader accepts it.
            pub const fn from_code(code: u16) -> Option<Dtype> {
                match code {
                    $($code => Some(Dtype::$name),)*
                    _ => match OpaqueCode::new(code) {
                        Some(code) => Some(Dtype::Opaque(code)),
                        None => None,
                    },
                }
            }

            /// The code in a descriptor.
            pub const fn code(self) -> u16 {
                match self {
                    $(Dtype::$name => $code,)*
                    Dtype::Opaque(code) => code.get(),
                }
            }

            /// The name of a closed type; `opaque` for every opaque one.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Dtype::$name => $text,)*
                    Dtype::Opaque(_) => "opaque",
                }
            }

            /// The bits of one element: 4, 8, 16, 32 or 64; nothing for an opaque type.
            pub const fn bits(self) -> Option<u32> {
                match self {
                    $(Dtype::$name => Some($bits),)*
                    Dtype::Opaque(_) => None,
                }
            }
        }
    };
}

dtypes! {
    F64 1 "f64" 64 "IEEE binary64.";
    F32 2 "f32" 32 "IEEE binary32.";
    F16 3 "f16" 16 "IEEE binary16.";
    Bf16 4 "bf16" 16 "The upper half of a binary32.";
    I64 5 "i64" 64 "A signed integer of 64 bits.";
    I32 6 "i32" 32 "A signed integer of 32 bits.";
    I16 7 "i16" 16 "A signed integer of 16 bits.";
    I8 8 "i8" 8 "A signed integer of 8 bits.";
    U64 9 "u64" 64 "An unsigned integer of 64 bits.";
    U32 10 "u32" 32 "An unsigned integer of 32 bits.";
    U16 11 "u16" 16 "An unsigned integer of 16 bits.";
    U8 12 "u8" 8 "An unsigned integer of 8 bits.";
    Bool 13 "bool" 8 "A byte that is 0 or 1.";
    I4 14 "i4" 4 "A signed integer of 4 bits, two in a byte.";
    U4 15 "u4" 4 "An unsigned integer of 4 bits, two in a byte.";
    E4m3 16 "e4m3" 8 "The OCP 8-bit float with 4 exponent bits: no infinities.";
    E5m2 17 "e5m2" 8 "The OCP 8-bit float with 5 exponent bits.";
    E2m1 18 "e2m1" 4 "The OCP 4-bit float, two in a byte.";
    E8m0 19 "e8m0" 8 "The OCP power-of-two scale.";
}

impl Dtype {
    /// The closed type of that name.
    ///
    /// ```
    /// use kiln::tensor::Dtype;
    /// assert_eq!(Dtype::from_name("e4m3"), Some(Dtype::E4m3));
    /// assert_eq!(Dtype::from_name("opaque"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Dtype> {
        Dtype::CLOSED.iter().copied().find(|dtype| dtype.name() == name)
    }

    /// Whether two elements share a byte: i4, u4 and e2m1. The earlier one is the low half.
    pub const fn is_packed(self) -> bool {
        matches!(self.bits(), Some(4))
    }

    /// Whether the bytes are another system's.
    pub const fn is_opaque(self) -> bool {
        matches!(self, Dtype::Opaque(_))
    }

    /// By code, the bytes of an element of a plain dtype: closed, of whole bytes, and of any bytes at all. 0 for the
    /// others. A look into a table mispredicts nothing where dtypes are mixed.
    #[expect(clippy::indexing_slicing, reason = "evaluated when compiled")]
    #[expect(clippy::cast_possible_truncation, reason = "evaluated when compiled")]
    pub(crate) const PLAIN_WIDTHS: [u8; 32] = {
        let mut widths = [0; 32];
        let mut at = 0;
        while at < Dtype::CLOSED.len() {
            let dtype = Dtype::CLOSED[at];
            if let (Some(bits @ 8..), false) = (dtype.bits(), matches!(dtype, Dtype::Bool)) {
                widths[dtype.code() as usize] = (bits / 8) as u8;
            }
            at += 1;
        }
        widths
    };

    /// The payload of `count` elements, in bytes: two packed elements take one, and an odd last one takes a
    /// whole byte. Nothing where that is 2^64 or more, and for an opaque type, whose payload its shape does
    /// not determine. Chapter: Shapes.
    ///
    /// ```
    /// use kiln::tensor::Dtype;
    /// assert_eq!(Dtype::F32.payload_len(3), Some(12));
    /// assert_eq!(Dtype::E2m1.payload_len(3), Some(2));
    /// assert_eq!(Dtype::F64.payload_len(1 << 61), None);
    /// ```
    pub const fn payload_len(self, count: u64) -> Option<u64> {
        match self.bits() {
            Some(4) => Some(count.div_ceil(2)),
            Some(bits) => count.checked_mul((bits / 8) as u64),
            None => None,
        }
    }
}

impl fmt::Display for Dtype {
    /// The name; `opaque(CODE)` for an opaque type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dtype::Opaque(code) => write!(f, "opaque({})", code.get()),
            closed => f.pad(closed.name()),
        }
    }
}

/// A code from 4096 to 32767: bytes that Kiln carries and does not look into. Chapter: Opaque layouts.
///
/// ```
/// use kiln::tensor::OpaqueCode;
/// assert_eq!(OpaqueCode::new(4096).map(OpaqueCode::get), Some(4096));
/// assert_eq!(OpaqueCode::new(4095), None);
/// assert_eq!(OpaqueCode::new(32768), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OpaqueCode(u16);

impl OpaqueCode {
    /// The lowest code.
    pub const MIN: OpaqueCode = OpaqueCode(4096);

    /// The highest code.
    pub const MAX: OpaqueCode = OpaqueCode(32767);

    /// The code, if it is in the range.
    pub const fn new(code: u16) -> Option<OpaqueCode> {
        if code >= OpaqueCode::MIN.0 && code <= OpaqueCode::MAX.0 { Some(OpaqueCode(code)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}
