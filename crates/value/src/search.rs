//! Where a byte is in a text.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn memchr(text: *const c_void, byte: c_int, len: usize) -> *mut c_void;
}

/// The first place of a byte. Most texts are so short that how a search begins decides how long it takes: the C library's does so
/// with the fewest steps.
#[inline]
pub fn find_byte(text: &[u8], byte: u8) -> Option<usize> {
    // SAFETY: reads so many bytes of the text at most.
    let found = unsafe { memchr(text.as_ptr().cast(), byte.into(), text.len()) };
    (!found.is_null()).then(|| found.addr() - text.as_ptr().addr())
}

#[cfg(test)]
mod tests {
    use super::find_byte;

    #[test]
    fn finds_the_first_place() {
        assert_eq!(find_byte(b"", b'a'), None);
        assert_eq!(find_byte(b"bab\0ab", b'a'), Some(1));
        assert_eq!(find_byte(b"bab\0ab", 0), Some(3));
        assert_eq!(find_byte(&[1, 2, 255], 255), Some(2));
        assert_eq!(find_byte(b"bbbb", b'a'), None);
    }
}
