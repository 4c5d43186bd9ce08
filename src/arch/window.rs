//! A few bytes, tested in one look at a window of constant size that begins with them: without a loop and without a
//! branch on how many they are, which is often as good as random.

/// Whether none of the first `len` bytes of the window has a bit of `MASK` set; never of more than the window has.
/// `TWICE` is twice `N`, until the compiler can say so itself.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "evaluated when compiled")]
pub(crate) fn is_clear<const MASK: u8, const N: usize, const TWICE: usize>(
    window: &[u8; N],
    len: usize,
) -> bool {
    /// `MASK` as often as a window has bytes, then as many zeros: the masks of `len` bytes are the window that
    /// begins `N - len` bytes in.
    struct Masks<const MASK: u8, const TWICE: usize>;
    impl<const MASK: u8, const TWICE: usize> Masks<MASK, TWICE> {
        const TABLE: &'static [u8; TWICE] = &{
            let mut masks = [0; TWICE];
            let mut at = 0;
            while at < TWICE / 2 {
                masks[at] = MASK;
                at += 1;
            }
            masks
        };
    }
    const { assert!(TWICE == 2 * N && N % 8 == 0) }
    let Some(start) = N.checked_sub(len) else { return false };
    let masks = Masks::<MASK, TWICE>::TABLE.get(start..).and_then(<[u8]>::first_chunk::<N>);
    masks.is_some_and(|masks| {
        words(window).zip(words(masks)).fold(0, |seen, (word, mask)| seen | word & mask) == 0
    })
}

/// The window in words: the compiler takes as many at once as the processor can.
#[inline(always)]
fn words<const N: usize>(window: &[u8; N]) -> impl Iterator<Item = u64> {
    window.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_ne_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only_the_first_bytes_count<const MASK: u8, const N: usize, const TWICE: usize>() {
        for after in [0, !MASK, MASK, 0xff] {
            let mut window = [after; N];
            for len in 0..=N {
                window[..len].fill(!MASK);
                assert!(is_clear::<MASK, N, TWICE>(&window, len), "{len} of {N}");
                for at in 0..len {
                    for bit in (0..8).map(|bit| 1 << bit) {
                        window[at] = bit;
                        assert_eq!(
                            is_clear::<MASK, N, TWICE>(&window, len),
                            bit & MASK == 0,
                            "{bit} at {at} of {len}"
                        );
                    }
                    window[at] = !MASK;
                }
            }
            let clear = [!MASK; N];
            assert!(!is_clear::<MASK, N, TWICE>(&clear, N + 1));
            assert!(!is_clear::<MASK, N, TWICE>(&clear, usize::MAX));
        }
    }

    #[test]
    fn of_text() {
        only_the_first_bytes_count::<0x80, 64, 128>();
    }

    #[test]
    fn of_bools() {
        only_the_first_bytes_count::<0xfe, 32, 64>();
    }
}
