//! The types of one token: the one table of their names and smallest encodings.

macro_rules! scalars {
    ($($name:ident $token:literal $min:literal;)*) => {
        /// A type whose canonical text is one token. Chapter: Canonical type text and schema hash.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Scalar { $(#[doc = concat!("`", $token, "`")] $name,)* }

        impl Scalar {
            /// Every one of them.
            pub const ALL: &'static [Scalar] = &[$(Scalar::$name,)*];

            /// The token.
            pub const fn name(self) -> &'static str {
                match self { $(Scalar::$name => $token,)* }
            }

            /// The smallest encoding, in bytes; the only one where [`is_fixed`](Self::is_fixed).
            pub const fn min_len(self) -> usize {
                match self { $(Scalar::$name => $min,)* }
            }
        }
    };
}

scalars! {
    Bool "bool" 1;
    U8 "u8" 1;
    U16 "u16" 2;
    U32 "u32" 4;
    U64 "u64" 8;
    I8 "i8" 1;
    I16 "i16" 2;
    I32 "i32" 4;
    I64 "i64" 8;
    F16 "f16" 2;
    Bf16 "bf16" 2;
    F32 "f32" 4;
    F64 "f64" 8;
    Str "str" 4;
    Bytes "bytes" 4;
    Tensors "tensors" 64;
}

impl Scalar {
    /// The scalar of that token.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.iter().copied().find(|scalar| scalar.name() == name)
    }

    /// Whether every value takes the same number of bytes: all but text, byte runs and directories.
    pub const fn is_fixed(self) -> bool {
        !matches!(self, Scalar::Str | Scalar::Bytes | Scalar::Tensors)
    }
}
