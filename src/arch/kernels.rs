//! The table of kernels of one level, and the checks and short cuts before each.

use super::{Level, scalar, slots};
use core::fmt;
use core::mem::MaybeUninit;

/// Calls `$then!` with `$with` in brackets and the signature of every kernel: the one list of them.
///
/// Each has to bear slices of any length: where they do not fit together, as many elements count as both hold.
macro_rules! kernels {
    ($then:ident!($($with:tt)*)) => {
        $then! {
            [$($with)*]
            any_bit_set(bytes: &[u8], mask: u8) -> bool;
            are_plain(descriptors: &[[u8; 128]]) -> bool;
            is_utf8(bytes: &[u8]) -> bool;
            copy(bytes: &[u8], out: &mut [MaybeUninit<u8>]);
            copy_past_caches(bytes: &[u8], out: &mut [MaybeUninit<u8>]);
            copy_swapped_u16(bytes: &[u8], out: &mut [u8]);
            copy_swapped_u32(bytes: &[u8], out: &mut [u8]);
            copy_swapped_u64(bytes: &[u8], out: &mut [u8]);
            swap_u16(bytes: &mut [u8]);
            swap_u32(bytes: &mut [u8]);
            swap_u64(bytes: &mut [u8]);
            unpack_u4(bytes: &[u8], out: &mut [u8]);
            unpack_i4(bytes: &[u8], out: &mut [i8]);
            u4_to_f32(bytes: &[u8], out: &mut [f32]);
            i4_to_f32(bytes: &[u8], out: &mut [f32]);
            e2m1_to_f32(bytes: &[u8], out: &mut [f32]);
            pack_u4(values: &[u8], out: &mut [u8]) -> bool;
            pack_i4(values: &[i8], out: &mut [u8]) -> bool;
            e4m3_to_f32(bytes: &[u8], out: &mut [f32]);
            e5m2_to_f32(bytes: &[u8], out: &mut [f32]);
            e8m0_to_f32(bytes: &[u8], out: &mut [f32]);
            f16_to_f32(bytes: &[u8], out: &mut [f32]);
            bf16_to_f32(bytes: &[u8], out: &mut [f32]);
        }
    };
}

/// Compiles every plain kernel with the features of a level, and makes the constant `PLAIN` of them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! compile {
    ([$features:literal] $($name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        const PLAIN: crate::arch::kernels::Table = {
            use crate::arch::{kernels::Table, scalar};
            $(
                #[target_feature(enable = $features)]
                fn $name($($arg: $type),*) $(-> $result)? {
                    scalar::$name($($arg),*)
                }
            )*
            Table { $($name),* }
        };
    };
}

macro_rules! declare {
    ([] $($name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// A function for each kernel. A processor that runs one has to have its level.
        #[derive(Clone, Copy)]
        pub(super) struct Table {
            $(pub(super) $name: unsafe fn($($type),*) $(-> $result)?,)*
        }

        impl Table {
            /// The plain kernels, compiled for the least that the target promises.
            pub(super) const FLOOR: Table = Table { $($name: scalar::$name),* };
        }

        /// The table of a level that the processor has.
        struct Usable(Table);

        impl Usable {
            $(
                #[inline]
                fn $name(&self, $($arg: $type),*) $(-> $result)? {
                    // SAFETY: such tables are reached through `Kernels::of` alone, which asks for that level.
                    unsafe { (self.0.$name)($($arg),*) }
                }
            )*
        }
    };
}

kernels!(declare!());

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use {compile, kernels};

/// The kernels of one [`Level`].
///
/// ```
/// use kiln::arch::{Kernels, Level};
///
/// let bools = [0, 1, 1, 0, 2, 1];
/// assert!(Kernels::best().any_bit_set(&bools, 0xfe));
///
/// // Every level that this processor has answers the same.
/// for kernels in Level::available().filter_map(Kernels::at) {
///     assert!(kernels.any_bit_set(&bools, 0xfe));
/// }
/// ```
pub struct Kernels {
    level: Level,
    call: Usable,
}

/// Below this many bytes the call of a kernel costs more than what it gains.
pub(super) const SHORT: usize = 64;

/// Up to this many bytes `memcpy` copies with vectors, as a kernel would.
pub(super) const COPIED: usize = 4 << 10;

/// From so many bytes on a copy does not fit into the caches anyway. Storing past them then saves reading what is
/// overwritten, as `memcpy` does.
pub(super) const LARGE: usize = 32 << 20;

static SCALAR: Kernels = Kernels { level: Level::Scalar, call: Usable(Table::FLOOR) };
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
static SSE42: Kernels = Kernels { level: Level::Sse42, call: Usable(super::x86_64::SSE42) };
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
static AVX2: Kernels = Kernels { level: Level::Avx2, call: Usable(super::x86_64::AVX2) };
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
static AVX512: Kernels = Kernels { level: Level::Avx512, call: Usable(super::x86_64::AVX512) };
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
static NEON: Kernels = Kernels { level: Level::Neon, call: Usable(super::aarch64::NEON) };

impl Kernels {
    /// The kernels of that level, if this process can use it.
    pub fn at(level: Level) -> Option<&'static Kernels> {
        level.is_available().then(|| Kernels::of(level))
    }

    /// The kernels of the [level in use](Level::current).
    #[inline]
    pub fn best() -> &'static Kernels {
        Kernels::of(Level::current())
    }

    /// The kernels of a level that this process can use.
    #[inline]
    fn of(level: Level) -> &'static Kernels {
        match level {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx512 => &AVX512,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Avx2 => &AVX2,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Level::Sse42 => &SSE42,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Level::Neon => &NEON,
            _ => &SCALAR,
        }
    }

    /// Their level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether any byte has a bit of `mask` set: with 0xff, whether any is not 0; with 0xfe, whether any is no
    /// bool; with 0xf0, whether any has a high half.
    #[inline]
    pub fn any_bit_set(&self, bytes: &[u8], mask: u8) -> bool {
        if bytes.len() < SHORT {
            scalar::any_bit_set_in_few(bytes, mask)
        } else {
            self.call.any_bit_set(bytes, mask)
        }
    }

    /// Whether these are descriptors of plain tensors alone: without layout or link, of at most four dimensions, the
    /// first two below 2^32 and the others below 2^30, of elements of whole bytes that may have any value, and with
    /// payloads of the length that follows. Where they lie is not looked at, nor are names.
    ///
    /// Other descriptors may be as good; these need no second look.
    #[inline]
    pub fn are_plain(&self, descriptors: &[[u8; 128]]) -> bool {
        self.call.are_plain(descriptors)
    }

    /// The bytes as text, if they are UTF-8.
    #[inline]
    pub fn text<'a>(&self, bytes: &'a [u8]) -> Option<&'a str> {
        if bytes.len() < SHORT {
            return core::str::from_utf8(bytes).ok();
        }
        // SAFETY: the kernel has found the bytes to be UTF-8.
        self.call.is_utf8(bytes).then(|| unsafe { core::str::from_utf8_unchecked(bytes) })
    }

    /// Whether each of many texts that lie behind one another in `run` is UTF-8 by itself. `starts` has the offset
    /// of each in `run`; the end of `run`, where an empty one can lie, is no offset too far, nor is what is past it.
    ///
    /// The texts are looked at together: they are UTF-8 each by itself exactly when the run is and none begins
    /// in the middle of a character. Plain ASCII has no such middle, and `starts` is not asked.
    ///
    /// ```
    /// # use kiln::arch::Kernels;
    /// let kernels = Kernels::best();
    /// assert!(kernels.are_utf8("weightbiaß".as_bytes(), [0, 6]));
    /// assert!(!kernels.are_utf8("weightbiaß".as_bytes(), [0, 10]));
    /// ```
    #[inline]
    pub fn are_utf8(&self, run: &[u8], starts: impl IntoIterator<Item = usize>) -> bool {
        let goes_on = |byte: &u8| byte & 0xc0 == 0x80;
        !self.any_bit_set(run, 0x80)
            || self.call.is_utf8(run) && !starts.into_iter().any(|start| run.get(start).is_some_and(goes_on))
    }

    /// Copies bytes to a slice of the same length: what `memcpy` does at its best, wherever the two begin.
    #[inline]
    #[track_caller]
    pub(crate) fn copy(&self, bytes: &[u8], out: &mut [MaybeUninit<u8>]) {
        expect(bytes.len() == out.len());
        match bytes.len() {
            ..COPIED => scalar::copy(bytes, out),
            COPIED..LARGE => self.call.copy(bytes, out),
            LARGE.. => self.call.copy_past_caches(bytes, out),
        }
    }

    /// The same for a part of more than fits into the caches.
    #[inline]
    #[track_caller]
    #[cfg(feature = "rayon")]
    pub(crate) fn copy_part(&self, bytes: &[u8], out: &mut [u8]) {
        expect(bytes.len() == out.len());
        self.call.copy_past_caches(bytes, slots(out));
    }

    /// Copies numbers of `width` bytes to `out`, the bytes of each reversed.
    ///
    /// # Panics
    /// When `width` is not 1, 2, 4 or 8, or the two slices are not equally many whole numbers long.
    #[inline]
    #[track_caller]
    pub fn copy_swapped(&self, bytes: &[u8], width: usize, out: &mut [u8]) {
        expect(bytes.len().checked_rem(width) == Some(0) && bytes.len() == out.len());
        match width {
            1 => self.copy(bytes, slots(out)),
            2 => self.call.copy_swapped_u16(bytes, out),
            4 => self.call.copy_swapped_u32(bytes, out),
            8 => self.call.copy_swapped_u64(bytes, out),
            _ => expect(false),
        }
    }

    /// Reverses the bytes of every number of `width` bytes.
    ///
    /// # Panics
    /// When `width` is not 1, 2, 4 or 8, or `bytes` does not end with a whole number.
    #[inline]
    #[track_caller]
    pub fn swap_in_place(&self, bytes: &mut [u8], width: usize) {
        expect(bytes.len().checked_rem(width) == Some(0));
        match width {
            1 => {}
            2 => self.call.swap_u16(bytes),
            4 => self.call.swap_u32(bytes),
            8 => self.call.swap_u64(bytes),
            _ => expect(false),
        }
    }

    /// Copies little-endian numbers of `width` bytes to memory in the host's order: a plain copy on
    /// little-endian hosts, [`copy_swapped`](Self::copy_swapped) on others.
    ///
    /// ```
    /// # use kiln::arch::Kernels;
    /// let mut memory = [0; 4];
    /// Kernels::best().copy_from_le(&[0x78, 0x56, 0x34, 0x12], 4, &mut memory);
    /// assert_eq!(u32::from_ne_bytes(memory), 0x1234_5678);
    /// ```
    ///
    /// # Panics
    /// As [`copy_swapped`](Self::copy_swapped).
    #[inline]
    #[track_caller]
    pub fn copy_from_le(&self, bytes: &[u8], width: usize, out: &mut [u8]) {
        if cfg!(target_endian = "big") {
            return self.copy_swapped(bytes, width, out);
        }
        expect(matches!(width, 1 | 2 | 4 | 8) && bytes.len().checked_rem(width) == Some(0));
        self.copy(bytes, slots(out));
    }
}

/// Methods for those who use the numbers of a payload. They are no part of the wire format, which stores what
/// it is given and computes nothing.
///
/// Every conversion is exact, subnormal numbers, signed zeros and infinities included. A NaN becomes a quiet NaN
/// with its sign, its mantissa in the highest bits: what `half` gives for one number. The single NaN of E8M0 is the
/// positive one. Panics are the caller's mistakes alone: slices whose lengths do not go together.
impl Kernels {
    /// Unpacks u4 elements, one a byte.
    ///
    /// `bytes` holds two in a byte, the earlier one in the low half. Element number `first` is the first that is
    /// unpacked, and as many are as `out` takes.
    ///
    /// # Panics
    /// When `bytes` has fewer elements.
    #[inline]
    #[track_caller]
    pub fn unpack_u4(&self, bytes: &[u8], first: usize, out: &mut [u8]) {
        let (bytes, out) = from_whole_byte(bytes, first, out, |half| half);
        self.call.unpack_u4(bytes, out);
    }

    /// Unpacks i4 elements, which are in two's complement, one a byte. As [`unpack_u4`](Self::unpack_u4).
    ///
    /// ```
    /// # use kiln::arch::Kernels;
    /// let mut values = [0; 3];
    /// Kernels::best().unpack_i4(&[0x8f, 0x07], 0, &mut values);
    /// assert_eq!(values, [-1, -8, 7]);
    /// ```
    ///
    /// # Panics
    /// When `bytes` has fewer elements.
    #[inline]
    #[track_caller]
    pub fn unpack_i4(&self, bytes: &[u8], first: usize, out: &mut [i8]) {
        let (bytes, out) = from_whole_byte(bytes, first, out, scalar::i4);
        self.call.unpack_i4(bytes, out);
    }

    /// The values of u4 elements. As [`unpack_u4`](Self::unpack_u4).
    ///
    /// # Panics
    /// When `bytes` has fewer elements.
    #[inline]
    #[track_caller]
    pub fn u4_to_f32(&self, bytes: &[u8], first: usize, out: &mut [f32]) {
        let (bytes, out) = from_whole_byte(bytes, first, out, f32::from);
        self.call.u4_to_f32(bytes, out);
    }

    /// The values of i4 elements. As [`unpack_u4`](Self::unpack_u4).
    ///
    /// # Panics
    /// When `bytes` has fewer elements.
    #[inline]
    #[track_caller]
    pub fn i4_to_f32(&self, bytes: &[u8], first: usize, out: &mut [f32]) {
        let (bytes, out) = from_whole_byte(bytes, first, out, |half| scalar::i4(half).into());
        self.call.i4_to_f32(bytes, out);
    }

    /// The values of OCP E2M1 elements: bias 1, no infinities and no NaN, largest value 6. As
    /// [`unpack_u4`](Self::unpack_u4).
    ///
    /// # Panics
    /// When `bytes` has fewer elements.
    #[inline]
    #[track_caller]
    pub fn e2m1_to_f32(&self, bytes: &[u8], first: usize, out: &mut [f32]) {
        let (bytes, out) = from_whole_byte(bytes, first, out, scalar::e2m1);
        self.call.e2m1_to_f32(bytes, out);
    }

    /// Packs values from 0 to 15, or any codes of four bits, two in a byte, the earlier one in the low half; after
    /// an odd number the last high half is 0. Says whether all values were in range: of one that is not, its low half
    /// was taken.
    ///
    /// # Panics
    /// When `out` is not half as long as `values`, rounded up.
    #[inline]
    #[track_caller]
    #[must_use = "false says that values out of range were cut"]
    pub fn pack_u4(&self, values: &[u8], out: &mut [u8]) -> bool {
        expect(out.len() == values.len().div_ceil(2));
        self.call.pack_u4(values, out)
    }

    /// Packs values from -8 to 7 in two's complement. As [`pack_u4`](Self::pack_u4).
    ///
    /// ```
    /// # use kiln::arch::Kernels;
    /// let mut packed = [0; 2];
    /// assert!(Kernels::best().pack_i4(&[-1, -8, 7], &mut packed));
    /// assert_eq!(packed, [0x8f, 0x07]);
    /// ```
    ///
    /// # Panics
    /// When `out` is not half as long as `values`, rounded up.
    #[inline]
    #[track_caller]
    #[must_use = "false says that values out of range were cut"]
    pub fn pack_i4(&self, values: &[i8], out: &mut [u8]) -> bool {
        expect(out.len() == values.len().div_ceil(2));
        self.call.pack_i4(values, out)
    }

    /// The values of OCP E4M3 numbers: bias 7, no infinities, largest value 448.
    ///
    /// # Panics
    /// When the slices are not equally long.
    #[inline]
    #[track_caller]
    pub fn e4m3_to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        expect(bytes.len() == out.len());
        self.call.e4m3_to_f32(bytes, out);
    }

    /// The values of OCP E5M2 numbers: bias 15, with infinities, largest value 57344.
    ///
    /// # Panics
    /// When the slices are not equally long.
    #[inline]
    #[track_caller]
    pub fn e5m2_to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        expect(bytes.len() == out.len());
        self.call.e5m2_to_f32(bytes, out);
    }

    /// The values of OCP E8M0 scales: two to the power of the byte less 127; 255 is NaN.
    ///
    /// # Panics
    /// When the slices are not equally long.
    #[inline]
    #[track_caller]
    pub fn e8m0_to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        expect(bytes.len() == out.len());
        self.call.e8m0_to_f32(bytes, out);
    }

    /// The values of little-endian IEEE half-precision numbers, at any address.
    ///
    /// # Panics
    /// When `bytes` is not twice as long as `out`.
    #[inline]
    #[track_caller]
    pub fn f16_to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        expect(bytes.len() % 2 == 0 && bytes.len() / 2 == out.len());
        self.call.f16_to_f32(bytes, out);
    }

    /// The values of little-endian bfloat16 numbers, at any address.
    ///
    /// # Panics
    /// When `bytes` is not twice as long as `out`.
    #[inline]
    #[track_caller]
    pub fn bf16_to_f32(&self, bytes: &[u8], out: &mut [f32]) {
        expect(bytes.len() % 2 == 0 && bytes.len() / 2 == out.len());
        self.call.bf16_to_f32(bytes, out);
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("level", &self.level).finish_non_exhaustive()
    }
}

/// Panics unless the caller's lengths go together.
#[inline]
#[track_caller]
fn expect(holds: bool) {
    assert!(holds, "the lengths given to a kernel do not go together");
}

/// Unpacks the element that begins in the middle of a byte, if `first` does, and gives what is left: whole bytes
/// and where they go.
#[inline]
#[track_caller]
#[expect(clippy::arithmetic_side_effects, reason = "a slice has at most isize::MAX bytes")]
fn from_whole_byte<'a, 'b, T>(
    bytes: &'a [u8],
    first: usize,
    out: &'b mut [T],
    value: impl Fn(u8) -> T,
) -> (&'a [u8], &'b mut [T]) {
    let whole = bytes.get(first / 2..).unwrap_or_default();
    let skipped = first % 2;
    let fits = (whole.len() * 2).checked_sub(skipped).is_some_and(|count| out.len() <= count);
    expect(fits || out.is_empty());
    match (whole.split_first(), skipped) {
        (Some((byte, whole)), 1) => {
            let (head, out) = out.split_at_mut(out.len().min(1));
            head.iter_mut().for_each(|slot| *slot = value(byte >> 4));
            (whole, out)
        }
        _ => (whole, out),
    }
}
