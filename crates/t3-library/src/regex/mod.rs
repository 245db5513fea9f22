//! Regular expressions in T3's dialect.
//!
//! `parse.rs` turns a pattern into a small program (`program.rs`), `search.rs` runs the program, and `heads.rs` finds the
//! places where a match can begin. T3's rule is not Perl's: where a pattern can go on in two ways, both are tried, and the
//! longer match wins (the shorter one for lazy closures and under `<Min>`).

mod heads;
mod parse;
mod program;
mod search;

pub use program::{Class, Kind, MAX_GROUPS, Regex, fold};
pub use search::Match;

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<String> {
        let regex = Regex::new(pattern)?;
        let found = regex.search(text, 0, true)?;
        Some(text[found.start..found.end].to_owned())
    }

    #[test]
    fn the_longer_alternative_wins() {
        assert_eq!(find("a|ab", "xab").as_deref(), Some("ab"));
        assert_eq!(find("<min>a|ab", "xab").as_deref(), Some("a"));
    }

    #[test]
    fn closures_and_classes() {
        assert_eq!(find("<alpha>+<digit>{2,3}", "..ab12345").as_deref(), Some("ab123"));
        assert_eq!(find("x.*?y", "xaybyy").as_deref(), Some("xay"));
        assert_eq!(find("(?<=a)b+", "bbabb").as_deref(), Some("bb"));
        assert_eq!(find("(<alpha>)%1", "abccd").as_deref(), Some("cc"));
        assert_eq!(find("(a*)*b", "aaac"), None);
    }
}
