//! Searching for a byte or a text in a text.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn memchr(text: *const c_void, byte: c_int, len: usize) -> *mut c_void;
}

/// The index of the first occurrence of a byte. Most texts are so short that the start of a search takes most of its time; the C
/// library's `memchr` starts with the fewest steps.
#[inline]
pub fn find_byte(text: &[u8], byte: u8) -> Option<usize> {
    // SAFETY: `memchr` reads at most `len` bytes of the text.
    let found = unsafe { memchr(text.as_ptr().cast(), byte.into(), text.len()) };
    (!found.is_null()).then(|| found.addr() - text.as_ptr().addr())
}

/// The result of [`find_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    At(usize),
    Nowhere,
    /// The search stopped at this index because many places look like a match: a search from here on had better use an algorithm
    /// with preparation.
    NotBefore(usize),
}

/// Number of near matches until a search stops: about as many as take the time of a preparation.
const MOST_ALIKE: usize = 32;

/// Searches for the first occurrence of a text in another. Sixteen places are compared at once by the first and the last byte;
/// where both match, the bytes between are compared.
pub fn find_text(text: &[u8], wanted: &[u8]) -> Found {
    let found = match wanted {
        [] => Some(0),
        [byte] => find_byte(text, *byte),
        _ if wanted.len() > text.len() => None,
        _ => return find_ends(text, wanted),
    };
    found.map_or(Found::Nowhere, Found::At)
}

/// [`find_text`] for at least two bytes, not more than the text has.
#[cfg(target_arch = "x86_64")]
fn find_ends(text: &[u8], wanted: &[u8]) -> Found {
    use std::arch::x86_64::{_mm_and_si128, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    let (behind, middle) = (wanted.len() - 1, &wanted[1..wanted.len() - 1]);
    let places = text.len() - behind;
    let (first, last) = (wanted[0], wanted[behind]);
    if places < 16 {
        let is_there = |&place: &usize| {
            text[place] == first && text[place + behind] == last && text[place + 1..place + behind] == *middle
        };
        return (0..places).find(is_there).map_or(Found::Nowhere, Found::At);
    }
    let (mut at, mut alike) = (0, 0);
    loop {
        // SAFETY: every x86-64 processor has SSE2; at most `places - 16` is added, so sixteen bytes from both addresses on are in
        // the text.
        let mut ends = unsafe {
            let starts = _mm_loadu_si128(text.as_ptr().add(at).cast());
            let stops = _mm_loadu_si128(text.as_ptr().add(at + behind).cast());
            let starts = _mm_cmpeq_epi8(starts, _mm_set1_epi8(first.cast_signed()));
            let stops = _mm_cmpeq_epi8(stops, _mm_set1_epi8(last.cast_signed()));
            _mm_movemask_epi8(_mm_and_si128(starts, stops)).cast_unsigned()
        };
        while ends != 0 {
            let place = at + ends.trailing_zeros() as usize;
            if text[place + 1..place + behind] == *middle {
                return Found::At(place);
            }
            alike += 1;
            ends &= ends - 1;
        }
        if at + 16 >= places {
            return Found::Nowhere;
        }
        // The last sixteen places may overlap the ones before.
        at = (at + 16).min(places - 16);
        if alike > MOST_ALIKE {
            return Found::NotBefore(at);
        }
    }
}

/// [`find_text`] for at least two bytes, not more than the text has.
#[cfg(not(target_arch = "x86_64"))]
fn find_ends(text: &[u8], wanted: &[u8]) -> Found {
    let (mut from, last) = (0, text.len() - wanted.len());
    for _ in 0..MOST_ALIKE {
        let Some(found) = find_byte(&text[from..=last], wanted[0]) else { return Found::Nowhere };
        if text[from + found..from + found + wanted.len()] == *wanted {
            return Found::At(from + found);
        }
        from += found + 1;
        if from > last {
            return Found::Nowhere;
        }
    }
    Found::NotBefore(from)
}

#[cfg(test)]
mod tests {
    use super::{Found, find_byte, find_text};

    #[test]
    fn finds_texts_in_texts() {
        let text: Vec<u8> = (0..100).map(|number: u8| b'a' + number.wrapping_mul(number) % 7).collect();
        for start in 0..text.len() {
            for end in start..=text.len().min(start + 40) {
                let (wanted, text) = (&text[start..end], &text[start.saturating_sub(17)..]);
                let place = (0..=text.len() - wanted.len()).find(|&at| text[at..].starts_with(wanted));
                match find_text(text, wanted) {
                    Found::At(at) => assert_eq!(Some(at), place),
                    Found::Nowhere => assert_eq!(None, place),
                    Found::NotBefore(at) => assert!(place.is_none_or(|place| place >= at)),
                }
            }
        }
        assert_eq!(find_text(b"abc", b""), Found::At(0));
        assert_eq!(find_text(b"", b"a"), Found::Nowhere);
        assert_eq!(find_text(b"ab", b"abc"), Found::Nowhere);
        assert_eq!(find_text(&[b'a'; 35], b"abca"), Found::Nowhere);
        assert!(matches!(find_text(&[b'a'; 400], b"abca"), Found::NotBefore(1..400)));
    }

    #[test]
    fn finds_the_first_place() {
        assert_eq!(find_byte(b"", b'a'), None);
        assert_eq!(find_byte(b"bab\0ab", b'a'), Some(1));
        assert_eq!(find_byte(b"bab\0ab", 0), Some(3));
        assert_eq!(find_byte(&[1, 2, 255], 255), Some(2));
        assert_eq!(find_byte(b"bbbb", b'a'), None);
    }
}
