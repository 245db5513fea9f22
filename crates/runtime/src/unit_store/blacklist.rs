//! Files whose units are not kept, by patterns of the beginnings of their paths.

use std::cell::RefCell;

/// Patterns of paths: `?` stands for a character of a name, `*` for any number of them, and `**` for any text.
#[derive(Default)]
pub struct Blacklist(RefCell<Vec<Vec<u8>>>);

impl Blacklist {
    /// Replaces all patterns.
    pub fn set(&self, patterns: Vec<Vec<u8>>) {
        *self.0.borrow_mut() = patterns;
    }

    /// The patterns.
    pub fn patterns(&self) -> Vec<Vec<u8>> {
        self.0.borrow().clone()
    }

    /// Whether the path begins with what a pattern stands for.
    pub fn has(&self, path: &[u8]) -> bool {
        self.0.borrow().iter().any(|pattern| begins_with(path, pattern))
    }
}

/// Follows all ways in which the pattern's parts can stand for the path's beginning at once, so that the work is bounded by the
/// product of the two lengths.
fn begins_with(path: &[u8], pattern: &[u8]) -> bool {
    let mut places = vec![false; pattern.len() + 1];
    reach(&mut places, pattern, 0);
    for &byte in path {
        if places[pattern.len()] {
            return true;
        }
        let before = std::mem::replace(&mut places, vec![false; pattern.len() + 1]);
        for (place, _) in before.iter().enumerate().filter(|(_, reached)| **reached) {
            match pattern[place] {
                b'*' if byte != b'/' || pattern.get(place + 1) == Some(&b'*') => reach(&mut places, pattern, place),
                b'*' => {}
                b'?' if byte == b'/' => {}
                symbol if symbol == b'?' || symbol == byte => reach(&mut places, pattern, place + 1),
                _ => {}
            }
        }
    }
    places[pattern.len()]
}

/// Notes a place in the pattern, and those behind stars there, which may stand for nothing.
fn reach(places: &mut [bool], pattern: &[u8], mut place: usize) {
    places[place] = true;
    while pattern.get(place) == Some(&b'*') {
        place += if pattern.get(place + 1) == Some(&b'*') { 2 } else { 1 };
        places[place] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::begins_with;

    #[test]
    fn patterns_are_of_beginnings() {
        for (pattern, path, is_meant) in [
            ("/a/b", "/a/bc.php", true),
            ("/a/b", "/a/c.php", false),
            ("/a/*/x", "/a/b/x.php", true),
            ("/a/*/x", "/a/b/c/x.php", false),
            ("/a/**/x", "/a/b/c/x.php", true),
            ("/a/**", "/a/", true),
            ("/a/?.php", "/a/b.php", true),
            ("/a/?.php", "/a/bc.php", false),
            ("/a?b", "/a/b", false),
            ("/a.b", "/axb", false),
            ("/a/***b", "/a/x/yzb", true),
        ] {
            assert_eq!(begins_with(path.as_bytes(), pattern.as_bytes()), is_meant, "{pattern} {path}");
        }
    }
}
