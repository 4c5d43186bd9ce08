//! The seven codes, the reasons behind them, and the two sizes in which a reject travels.
//!
//! A [`Fault`] is what decoding passes up its call stack: sixteen bytes. An [`Error`] is what a caller gets:
//! the entry point makes it from the fault, once, off the hot path, by walking the accepted bytes up to the
//! fault again.

use crate::escape::escape;
use crate::path::{Described, Path, Root, Segment};
use core::fmt;
use core::num::NonZero;

/// The seven names a reader rejects with. Chapter: Error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Code {
    /// The magic, the version, a flag or a reserved byte is wrong: this is not the kind of block asked for.
    Frame,
    /// A count or a run is above the reader's cap, a size overflows 64 bits, or the nesting is too deep.
    Limit,
    /// A value does not fit in the bytes still unread.
    Eof,
    /// The bytes were recognised, and what they describe is not a legal value.
    Type,
    /// A text is not UTF-8.
    Utf8,
    /// A standalone buffer continues past its value.
    Trailing,
    /// The frame's hash is not the hash of the type asked for.
    Schema,
}

impl Code {
    /// All seven, in the order of the chapter.
    pub const ALL: [Code; 7] =
        [Code::Frame, Code::Limit, Code::Eof, Code::Type, Code::Utf8, Code::Trailing, Code::Schema];

    /// The name as the specification and the case files write it.
    ///
    /// ```
    /// assert_eq!(kiln::Code::Utf8.name(), "UTF8");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Code::Frame => "FRAME",
            Code::Limit => "LIMIT",
            Code::Eof => "EOF",
            Code::Type => "TYPE",
            Code::Utf8 => "UTF8",
            Code::Trailing => "TRAILING",
            Code::Schema => "SCHEMA",
        }
    }

    /// The code of that name, if it is one of the seven.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:ident $step:literal $text:literal;)*) => {
        /// Why a reader rejected, finer than the code and tied to it: one reason has one code and, for the
        /// tests of a directory, one step of the check order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Reason { $(#[doc = $text] $(#[$doc])* $name,)* }

        impl Reason {
            /// Every reason there is.
            pub const ALL: &'static [Reason] = &[$(Reason::$name,)*];

            /// The code that this reason is reported under.
            pub const fn code(self) -> Code {
                match self { $(Reason::$name => Code::$code,)* }
            }

            /// The step of the directory's check order that finds it, 1 to 12. Chapter: Check order.
            pub const fn step(self) -> Option<u8> {
                match match self { $(Reason::$name => $step,)* } { 0 => None, step => Some(step) }
            }

            /// One plain phrase, lower case, without a full stop.
            pub const fn text(self) -> &'static str {
                match self { $(Reason::$name => $text,)* }
            }
        }
    };
}

reasons! {
    // Frozen values.
    Short = Eof 0 "the bytes end inside the value";
    CountShort = Eof 0 "the bytes left cannot hold that many elements";
    CountCap = Limit 0 "the count is above the cap";
    RunCap = Limit 0 "the length is above the cap";
    Depth = Limit 0 "the nesting is deeper than 64 containers";
    Budget = Limit 0 "the decoded value would own more memory than the budget allows";
    BoolByte = Type 0 "a bool byte is neither 0 nor 1";
    PresenceByte = Type 0 "a presence byte is neither 0 nor 1";
    KeyOrder = Type 0 "a dict key is not above the key before it";
    EnumValue = Type 0 "the integer is no value of the enum";
    ZeroValue = Type 0 "the integer is 0, which the type excludes";
    ArrayCount = Type 0 "the count is not the length of the array";
    Refused = Type 0 "the value is refused by the program's type";
    Text = Utf8 0 "a text is not UTF-8";
    Trailing = Trailing 0 "bytes are left over after the value";
    // Frames.
    FrameShort = Eof 0 "the bytes end inside the frame";
    FrameMagic = Frame 0 "the frame's magic is not KLN0";
    FrameProfile = Frame 0 "the frame's profile is not 0, Frozen";
    FrameFlags = Frame 0 "the frame's flags are not exactly little-endian";
    FrameReserved = Frame 0 "the frame's reserved byte is not 0";
    SchemaHash = Schema 0 "the frame's schema hash is not that of the type";
    // Directories, by step.
    HeaderShort = Eof 1 "the bytes end inside the directory header";
    Magic = Frame 1 "the magic is not KLNT";
    Version = Frame 2 "the directory version is not 2";
    Flags = Frame 2 "a flag is unknown, or the little-endian flag is clear";
    HeaderReserved = Frame 2 "a reserved byte of the header is not 0";
    TensorCountCap = Limit 3 "the tensor count is above the cap";
    NameBytesCap = Limit 3 "the name heap is above the cap";
    TableOverflow = Limit 4 "tensor count times 128 plus name bytes overflows 64 bits";
    DirectoryBytes = Type 4 "directory_bytes is not tensor count times 128 plus name bytes";
    TableShort = Eof 5 "the bytes end inside the descriptors or the names";
    BlockOverflow = Limit 6 "payload_base plus payload_bytes overflows 64 bits";
    BlockShort = Eof 6 "the bytes end before the end of the block";
    PayloadBase = Type 7 "payload_base is not the next multiple of 64 after the names";
    Padding = Type 7 "a padding byte between the names and the payloads is not 0";
    DescriptorReserved = Frame 8 "a reserved byte of a descriptor is not 0";
    NameOffset = Type 8 "the name offset is not where the canonical layout puts it";
    NameRange = Type 8 "the name leaves the name heap";
    LayoutPresence = Type 8 "an opaque dtype needs a layout name, and any other must have none";
    BlockSize = Type 8 "an opaque dtype needs a block size, and any other must have none";
    LayoutOffset = Type 8 "the layout offset is not where the canonical layout puts it";
    LayoutRange = Type 8 "the layout name leaves the name heap";
    HeapUnused = Type 8 "a byte of the name heap belongs to no name";
    NamesFlag = Type 8 "the names flag does not say whether there are names";
    NameText = Utf8 8 "a tensor name is not UTF-8";
    LayoutText = Utf8 8 "a layout name is not UTF-8";
    NameRepeated = Type 8 "two tensors have the same name";
    Dtype = Type 9 "the dtype code is not one a reader accepts";
    Rank = Type 9 "the rank is above 8";
    ShapeTail = Type 9 "a shape slot past the rank is not 0";
    ShapeOverflow = Limit 9 "the size of the shape overflows 64 bits";
    ByteLen = Type 9 "the payload length is not what dtype and shape need";
    PayloadRange = Type 9 "the payload leaves the payload region";
    Overlap = Type 9 "two payloads overlap";
    Placement = Type 10 "the payload is not where the canonical layout puts it";
    PayloadBytes = Type 10 "payload_bytes is not the end of the last payload";
    Gap = Type 10 "a byte between the payloads is not 0";
    BoolPayload = Type 11 "a byte of a bool payload is neither 0 nor 1";
    HighNibble = Type 11 "the unused high nibble of a packed payload is not 0";
    QuantScheme = Type 11 "the quantization scheme is unknown, or set on an opaque tensor";
    QuantAxis = Type 11 "the quantization axis is wrong";
    GroupSize = Type 11 "the group size is wrong";
    ScaleIndex = Type 11 "the scale link is wrong";
    OuterIndex = Type 11 "the outer link is wrong";
    TrailingBlock = Trailing 12 "bytes are left over after the block";
}

/// A reject on its way up: reason and place, sixteen bytes. What a hand-written [`Decode`](crate::Decode)
/// returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    offset: u64,
    /// The tensor at fault, or [`Fault::NO_TENSOR`]. Of a reason that no tensor has, the lower part of a number.
    tensor: u32,
    /// The number of the reason and one more in the lowest byte, and above it the upper part of that number: one word, so
    /// that a result is copied as two.
    reason: NonZero<u32>,
}

const _: () = assert!(size_of::<Fault>() == 16);
const _: () = assert!(size_of::<Error>() <= 120);

impl Fault {
    const NO_TENSOR: u32 = u32::MAX;

    /// A fault at `offset`, counted in bytes from the start of the caller's buffer.
    #[cold]
    #[must_use]
    pub const fn new(reason: Reason, offset: usize) -> Fault {
        Fault::at(reason, offset as u64)
    }

    /// The same for an offset in a file, which may be longer than memory.
    #[cold]
    #[must_use]
    pub(crate) const fn at(reason: Reason, offset: u64) -> Fault {
        Fault { offset, tensor: Fault::NO_TENSOR, reason: Fault::packed(reason, [0; 3]) }
    }

    /// The same with a number that belongs to it: of [`Reason::Budget`] the bytes that are too many, of
    /// [`Reason::ArrayCount`] the length of the array.
    #[cold]
    #[must_use]
    pub(crate) const fn counted(reason: Reason, offset: usize, number: u64) -> Fault {
        const MOST: u64 = (1 << 56) - 2;
        // So that no number is no tensor and nothing more.
        let number = if number < MOST { number.wrapping_add(1) } else { MOST };
        let [a, b, c, d, e, f, g, _] = number.to_le_bytes();
        let tensor = !u32::from_le_bytes([a, b, c, d]);
        Fault { offset: offset as u64, tensor, reason: Fault::packed(reason, [e, f, g]) }
    }

    const fn packed(reason: Reason, [e, f, g]: [u8; 3]) -> NonZero<u32> {
        const { assert!(Reason::ALL.len() < 256) }
        match NonZero::new(u32::from_le_bytes([(reason as u8).wrapping_add(1), e, f, g])) {
            Some(word) => word,
            None => NonZero::<u32>::MIN,
        }
    }

    /// The number that belongs to the fault.
    pub(crate) const fn number(&self) -> Option<u64> {
        let [a, b, c, d] = (!self.tensor).to_le_bytes();
        let [_, e, f, g] = self.reason.get().to_le_bytes();
        match self.reason() {
            Reason::Budget | Reason::ArrayCount => {
                u64::from_le_bytes([a, b, c, d, e, f, g, 0]).checked_sub(1)
            }
            _ => None,
        }
    }

    /// The same for a place in tensor `index` of a directory.
    #[cold]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "compared before")]
    pub(crate) const fn in_tensor(reason: Reason, offset: u64, index: usize) -> Fault {
        let tensor = if index < Fault::NO_TENSOR as usize { index as u32 } else { Fault::NO_TENSOR };
        Fault { offset, tensor, reason: Fault::packed(reason, [0; 3]) }
    }

    /// The same fault seen from a buffer that starts `by` bytes earlier.
    #[cold]
    #[must_use]
    pub(crate) const fn moved(self, by: usize) -> Fault {
        Fault { offset: self.offset.saturating_add(by as u64), ..self }
    }

    /// The same fault seen from a buffer that starts `by` bytes later.
    #[cfg(feature = "json")]
    pub(crate) const fn back(self, by: u64) -> Fault {
        Fault { offset: self.offset.saturating_sub(by), ..self }
    }

    /// Why.
    #[expect(clippy::indexing_slicing, reason = "a word is made of a reason there is")]
    pub const fn reason(&self) -> Reason {
        let [number, ..] = self.reason.get().to_le_bytes();
        Reason::ALL[number.wrapping_sub(1) as usize]
    }

    /// Where, in bytes from the start of the caller's buffer.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The index of the tensor at fault, if it lies in one.
    pub const fn tensor(&self) -> Option<u32> {
        match self.reason() {
            Reason::Budget | Reason::ArrayCount => None,
            _ if self.tensor == Fault::NO_TENSOR => None,
            _ => Some(self.tensor),
        }
    }
}

/// Why bytes were rejected: code, reason, byte offset, step, the path to the value at fault, and what was found there
/// and expected.
///
/// Displays as one plain line, with the names of fields where a Rust type was read. Keys of dicts and names of tensors
/// are in the bytes, and so is what a type read at run time is made of: there the path has indices, which
/// [`describe`](Error::describe) and [`Type::describe`](crate::schema::Type::describe) turn into names.
///
/// ```
/// use kiln::{Code, Reason};
/// let error = kiln::from_slice::<(u32, Vec<bool>)>(&[7, 0, 0, 0, 2, 0, 0, 0, 1, 9]).unwrap_err();
/// assert_eq!(error.code(), Code::Type);
/// assert_eq!(error.reason(), Reason::BoolByte);
/// assert_eq!(error.offset(), 9);
/// assert_eq!(error.found(), Some(9));
/// assert_eq!(
///     error.to_string(),
///     "TYPE at byte 9 (0x9), in 1[1]: a bool byte is neither 0 nor 1 (found 9)"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    pub(crate) fault: Fault,
    pub(crate) numbers: Numbers,
    /// The tensor that the one at fault collides with, or [`Fault::NO_TENSOR`].
    pub(crate) other: u32,
    pub(crate) root: Root,
    pub(crate) path: Path,
}

/// What was found, needed, allowed or expected, in numbers that the code tells apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers([u64; 3]);

impl Numbers {
    pub(crate) const NONE: Numbers = Numbers([0; 3]);

    /// LIMIT: the value claimed and the cap. EOF: the bytes needed and the bytes left.
    pub(crate) const fn claimed(claimed: u64, allowed: u64) -> Numbers {
        Numbers([claimed, allowed, 0])
    }

    /// EOF of a count: how many elements, the bytes that they take at least, and the bytes left.
    pub(crate) const fn counted(count: u64, needed: u64, left: u64) -> Numbers {
        Numbers([needed, left, count])
    }

    /// TRAILING: the bytes left over.
    pub(crate) const fn left_over(left: u64) -> Numbers {
        Numbers([left, 0, 0])
    }

    /// FRAME, TYPE, SCHEMA: what was found.
    pub(crate) const fn found(found: u64) -> Numbers {
        Numbers([found, 0, Numbers::FOUND])
    }

    /// The same, and what is expected.
    pub(crate) const fn expected(found: u64, expected: u64) -> Numbers {
        Numbers([found, expected, Numbers::EXPECTED])
    }

    /// What was found in a signed integer.
    pub(crate) const fn signed(found: i64) -> Numbers {
        Numbers([u64::from_le_bytes(found.to_le_bytes()), 0, Numbers::SIGNED])
    }

    const SIGNED: u64 = 3;
    const FOUND: u64 = 1;
    const EXPECTED: u64 = 2;
}

impl Error {
    /// One of the seven codes.
    pub const fn code(&self) -> Code {
        self.fault.reason().code()
    }

    /// Why, finer than the code.
    pub const fn reason(&self) -> Reason {
        self.fault.reason()
    }

    /// Where, in bytes from the start of the caller's buffer. Chapter: Where a fault points.
    pub const fn offset(&self) -> u64 {
        self.fault.offset
    }

    /// The step of the directory's check order, 1 to 12, when a directory is at fault. Chapter: Check order.
    pub const fn step(&self) -> Option<u8> {
        self.fault.reason().step()
    }

    /// The index of the tensor at fault, when the fault lies in one.
    pub const fn tensor(&self) -> Option<u32> {
        self.fault.tensor()
    }

    /// The tensor that [`tensor`](Self::tensor) repeats the name of, or whose payload reaches into its own.
    pub const fn other_tensor(&self) -> Option<u32> {
        if self.other == Fault::NO_TENSOR { None } else { Some(self.other) }
    }

    /// What was claimed, where a number was: the count, length or size that LIMIT refused, the bytes that EOF
    /// would have needed (of a count: at least), the bytes that TRAILING found.
    ///
    /// ```
    /// let error = kiln::from_slice::<Vec<u64>>(&[0xe8, 3, 0, 0, 1, 2, 3]).unwrap_err();
    /// assert_eq!((error.count(), error.claimed(), error.allowed()), (Some(1000), Some(8000), Some(3)));
    /// ```
    pub const fn claimed(&self) -> Option<u64> {
        match (self.code(), self.numbers) {
            (Code::Limit | Code::Eof | Code::Trailing, Numbers([claimed, _, _])) if claimed > 0 => {
                Some(claimed)
            }
            _ => None,
        }
    }

    /// What was there for it: the cap behind a LIMIT, the unread bytes behind an EOF.
    pub const fn allowed(&self) -> Option<u64> {
        match (self.code(), self.numbers) {
            (Code::Limit | Code::Eof, Numbers([claimed, allowed, _])) if claimed > 0 => Some(allowed),
            _ => None,
        }
    }

    /// The count of elements that EOF found too large for the bytes left.
    pub const fn count(&self) -> Option<u64> {
        match (self.code(), self.numbers) {
            (Code::Eof, Numbers([_, _, count])) if count > 0 => Some(count),
            _ => None,
        }
    }

    /// What stands at the fault, where FRAME, TYPE or SCHEMA refused a number: a byte, an integer, a length, a hash. Of
    /// a magic its four bytes, the first one lowest; of a signed integer its bits, to be read `as i64`.
    ///
    /// ```
    /// let seven = kiln::frame::to_vec(&7u32)?;
    /// let error = kiln::frame::from_slice::<u64>(&seven).unwrap_err();
    /// assert_eq!(error.found(), Some(kiln::schema_hash::<u32>()));
    /// assert_eq!(error.expected(), Some(kiln::schema_hash::<u64>()));
    /// # Ok::<(), kiln::EncodeError>(())
    /// ```
    pub const fn found(&self) -> Option<u64> {
        match (self.code(), self.numbers) {
            (
                Code::Frame | Code::Type | Code::Schema,
                Numbers([found, _, Numbers::FOUND | Numbers::EXPECTED | Numbers::SIGNED]),
            ) => Some(found),
            _ => None,
        }
    }

    /// What would have to stand there, where there is only one such number.
    pub const fn expected(&self) -> Option<u64> {
        match (self.code(), self.numbers) {
            (Code::Frame | Code::Type | Code::Schema, Numbers([_, expected, Numbers::EXPECTED])) => {
                Some(expected)
            }
            _ => None,
        }
    }

    /// The way from the value read down to the fault, outermost first: fields, list elements and dict
    /// entries by index, a tensor last. At most [`Path::MAX`] steps are kept.
    pub fn path(&self) -> impl Iterator<Item = Segment> + '_ {
        self.path.segments()
    }

    /// The same line with the keys of dicts and the names of tensors in the place of indices, resolved from the buffer
    /// that was read. They are escaped: no control or direction character in the bytes reaches what this displays. Of a
    /// long one only the beginning is shown, and its length.
    ///
    /// ```
    /// # use kiln::Frozen;
    /// #[derive(Frozen)]
    /// struct User { id: u32, active: bool }
    /// #[derive(Frozen)]
    /// struct Team { users: Vec<User> }
    ///
    /// let bytes = [1, 0, 0, 0, 7, 0, 0, 0, 3];
    /// let error = kiln::from_slice::<Team>(&bytes).err().unwrap();
    /// assert_eq!(
    ///     error.describe(&bytes).to_string(),
    ///     "TYPE at byte 8 (0x8), in users[0].active: a bool byte is neither 0 nor 1 (found 3)"
    /// );
    /// // Fields have names without the bytes as well.
    /// assert_eq!(error.to_string(), error.describe(&bytes).to_string());
    /// ```
    pub fn describe<'a>(&'a self, bytes: &'a [u8]) -> Described<'a> {
        Described::new(self, bytes)
    }
}

impl Error {
    /// Writes the line with `place` in the middle, and at the end the type that a frame should have had.
    pub(crate) fn line(
        &self,
        f: &mut fmt::Formatter<'_>,
        place: &dyn fmt::Display,
        ty: Option<&dyn fmt::Display>,
    ) -> fmt::Result {
        let reason = self.reason();
        write!(f, "{} at byte {} (0x{:x})", reason.code(), self.offset(), self.offset())?;
        if let Some(step) = self.step() {
            write!(f, ", step {step}")?;
        }
        write!(f, "{place}: {}", reason.text())?;
        match (self.claimed(), self.allowed()) {
            (Some(claimed), Some(allowed)) if self.code() == Code::Eof => match self.count() {
                Some(count) => write!(f, " ({count} need at least {claimed} bytes, {allowed} left)")?,
                None => write!(f, " ({claimed} needed, {allowed} left)")?,
            },
            (Some(claimed), Some(allowed)) => write!(f, " ({claimed}, allowed {allowed})")?,
            (Some(claimed), None) => write!(f, " ({claimed})")?,
            _ => {}
        }
        match (self.found(), self.expected()) {
            (Some(found), Some(expected)) if self.code() == Code::Schema => {
                write!(f, " (found {found:016x}, expected {expected:016x}")?;
                match ty {
                    Some(ty) => write!(f, ", of {ty})"),
                    None => f.write_str(")"),
                }
            }
            (Some(found), Some(expected)) => write!(f, " (found {found}, expected {expected})"),
            (Some(found), None) => match reason {
                Reason::FrameMagic | Reason::Magic => {
                    let [a, b, c, d, ..] = found.to_le_bytes();
                    write!(f, " (found \"{}\")", escape(&[a, b, c, d]))
                }
                _ if matches!(self.numbers, Numbers([_, _, Numbers::SIGNED])) => {
                    write!(f, " (found {})", i64::from_le_bytes(found.to_le_bytes()))
                }
                _ => write!(f, " (found {found})"),
            },
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line_without_bytes(f)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fault")
            .field("reason", &self.reason())
            .field("offset", &self.offset)
            .field("tensor", &self.tensor())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.code())
            .field("reason", &self.reason())
            .field("offset", &self.offset())
            .field("step", &self.step())
            .field("path", &format_args!("{}", self.named_path()))
            .finish_non_exhaustive()
    }
}

impl core::error::Error for Error {}

/// A value that cannot be written: the caller's mistake, so none of the seven codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// A list, dict, string or byte run holds more than a u32 can count.
    CountAboveU32 {
        /// How many it holds.
        count: usize,
    },
    /// The value nests more than 64 containers.
    TooDeep,
    /// The encoding is longer than this target can address, or than the memory that there is.
    TooLong,
    /// The slice to write into is too short; nothing was written.
    SliceTooShort {
        /// The bytes needed.
        needed: usize,
        /// The bytes given.
        given: usize,
    },
    /// A hand-written `Encode` wrote another number of bytes than it had announced.
    LengthMismatch {
        /// The bytes announced.
        announced: usize,
    },
    /// A batch was announced with another count than the records that followed.
    BatchCount {
        /// The count announced.
        announced: u32,
        /// The records written, or one more than announced.
        written: u64,
    },
    /// A batch was written to after an error or a panic had left it without its end.
    BatchLost,
    /// A stream does not stand where a batch goes on: it was moved by somebody else, or does not go back, as a file
    /// opened for appending does not.
    BatchPosition {
        /// Where it had to stand, in bytes from its start.
        expected: u64,
        /// Where it stands.
        found: u64,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EncodeError::CountAboveU32 { count } => {
                write!(f, "a list, dict or run of {count} is above 4294967295, the most a u32 counts")
            }
            EncodeError::TooDeep => f.write_str("the value nests more than 64 containers"),
            EncodeError::TooLong => f.write_str("the encoding is longer than memory can hold"),
            EncodeError::SliceTooShort { needed, given } => {
                write!(f, "the encoding takes {needed} bytes and the slice has {given}")
            }
            EncodeError::LengthMismatch { announced } => {
                write!(f, "an Encode implementation did not write the {announced} bytes it had announced")
            }
            EncodeError::BatchCount { announced, written } => {
                write!(f, "the batch was announced with {announced} records and got {written}")
            }
            EncodeError::BatchLost => f.write_str("an earlier error has left the batch without its end"),
            EncodeError::BatchPosition { expected, found } => write!(
                f,
                "the stream stands at byte {found} where the batch goes on at {expected}; is it open for appending?"
            ),
        }
    }
}

impl core::error::Error for EncodeError {}

#[cfg(feature = "std")]
impl From<EncodeError> for std::io::Error {
    fn from(error: EncodeError) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, error)
    }
}
