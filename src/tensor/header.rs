//! The first 64 bytes of a directory. Chapter: Tensor directory.

/// The numbers of a directory's header, as they stand in the bytes: reading them tests nothing.
///
/// ```
/// use kiln::tensor::Header;
/// let empty = Header {
///     flags: Header::LITTLE_ENDIAN,
///     payload_base: 64,
///     ..Header::default()
/// };
/// let bytes = empty.write();
/// assert_eq!(bytes[..8], *b"KLNT\x02\0\x01\0");
/// assert_eq!(Header::read(&bytes), empty);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// 2.
    pub version: u16,
    /// [`LITTLE_ENDIAN`](Self::LITTLE_ENDIAN), and [`NAMES`](Self::NAMES) when a tensor has a name.
    pub flags: u16,
    /// The number of tensors.
    pub tensor_count: u64,
    /// The length of the name heap, in bytes.
    pub name_bytes: u64,
    /// The length of descriptors and name heap, in bytes.
    pub directory_bytes: u64,
    /// Where the payloads begin, in bytes from the start of the directory.
    pub payload_base: u64,
    /// The length of the payload region, in bytes.
    pub payload_bytes: u64,
}

impl Header {
    /// The length of a header, in bytes.
    pub const LEN: usize = 64;
    /// The magic that a directory begins with.
    pub const MAGIC: [u8; 4] = *b"KLNT";
    /// The one version there is.
    pub const VERSION: u16 = 2;
    /// The flag that every directory has.
    pub const LITTLE_ENDIAN: u16 = 1;
    /// The flag that says that at least one tensor has a name.
    pub const NAMES: u16 = 2;

    /// Where the version lies, in bytes from the start of the directory.
    pub const VERSION_AT: usize = 4;
    /// Where the flags lie.
    pub const FLAGS_AT: usize = 6;
    /// Where the tensor count lies.
    pub const TENSOR_COUNT_AT: usize = 8;
    /// Where the length of the heap lies.
    pub const NAME_BYTES_AT: usize = 16;
    /// Where the length of descriptors and heap lies.
    pub const DIRECTORY_BYTES_AT: usize = 24;
    /// Where the start of the payloads lies.
    pub const PAYLOAD_BASE_AT: usize = 32;
    /// Where the length of the payloads lies.
    pub const PAYLOAD_BYTES_AT: usize = 40;
    /// Where the sixteen reserved bytes lie.
    pub const RESERVED_AT: usize = 48;

    /// The numbers in `bytes`. Magic and reserved bytes are not looked at.
    pub fn read(bytes: &[u8; Header::LEN]) -> Header {
        Header {
            version: u16::from_le_bytes(field(bytes, Header::VERSION_AT)),
            flags: u16::from_le_bytes(field(bytes, Header::FLAGS_AT)),
            tensor_count: u64::from_le_bytes(field(bytes, Header::TENSOR_COUNT_AT)),
            name_bytes: u64::from_le_bytes(field(bytes, Header::NAME_BYTES_AT)),
            directory_bytes: u64::from_le_bytes(field(bytes, Header::DIRECTORY_BYTES_AT)),
            payload_base: u64::from_le_bytes(field(bytes, Header::PAYLOAD_BASE_AT)),
            payload_bytes: u64::from_le_bytes(field(bytes, Header::PAYLOAD_BYTES_AT)),
        }
    }

    /// The header of these numbers, with magic and reserved zeros.
    pub fn write(&self) -> [u8; Header::LEN] {
        let mut bytes = [0; Header::LEN];
        put(&mut bytes, 0, Header::MAGIC);
        put(&mut bytes, Header::VERSION_AT, self.version.to_le_bytes());
        put(&mut bytes, Header::FLAGS_AT, self.flags.to_le_bytes());
        put(&mut bytes, Header::TENSOR_COUNT_AT, self.tensor_count.to_le_bytes());
        put(&mut bytes, Header::NAME_BYTES_AT, self.name_bytes.to_le_bytes());
        put(&mut bytes, Header::DIRECTORY_BYTES_AT, self.directory_bytes.to_le_bytes());
        put(&mut bytes, Header::PAYLOAD_BASE_AT, self.payload_base.to_le_bytes());
        put(&mut bytes, Header::PAYLOAD_BYTES_AT, self.payload_bytes.to_le_bytes());
        bytes
    }
}

impl Default for Header {
    /// Version 2 and zeros.
    fn default() -> Self {
        Header {
            version: Header::VERSION,
            flags: 0,
            tensor_count: 0,
            name_bytes: 0,
            directory_bytes: 0,
            payload_base: 0,
            payload_bytes: 0,
        }
    }
}

/// The `N` bytes at `at`, both constants that lie inside.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "constants that lie inside, as it says")]
pub(super) fn field<const LEN: usize, const N: usize>(bytes: &[u8; LEN], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&bytes[at..at + N]);
    field
}

/// Writes `field` at `at`, a constant that leaves room for it.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "constants that lie inside, as it says")]
pub(super) fn put<const LEN: usize, const N: usize>(bytes: &mut [u8; LEN], at: usize, field: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&field);
}
