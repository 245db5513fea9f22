//! Upper, lower, title and folded case beyond single characters.

use crate::regex::fold;

/// Title case of one character: the digraphs with a form of their own, upper case for all others.
pub fn title(c: char) -> String {
    match c {
        '\u{1c4}'..='\u{1c6}' => "\u{1c5}".to_owned(),
        '\u{1c7}'..='\u{1c9}' => "\u{1c8}".to_owned(),
        '\u{1ca}'..='\u{1cc}' => "\u{1cb}".to_owned(),
        '\u{1f1}'..='\u{1f3}' => "\u{1f2}".to_owned(),
        'ß' => "Ss".to_owned(),
        'ﬀ' => "Ff".to_owned(),
        'ﬁ' => "Fi".to_owned(),
        'ﬂ' => "Fl".to_owned(),
        'ﬃ' => "Ffi".to_owned(),
        'ﬄ' => "Ffl".to_owned(),
        'ﬅ' | 'ﬆ' => "St".to_owned(),
        c => c.to_uppercase().collect(),
    }
}

/// Full case folding: by way of upper case, so that `ß` becomes `ss`.
pub fn folded_char(c: char) -> impl Iterator<Item = char> {
    c.to_uppercase().flat_map(char::to_lowercase).map(fold)
}

/// The text without differences of case.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(folded_char).collect()
}

/// Whether two characters are equal without regard to case.
pub fn same_folded(a: char, b: char) -> bool {
    a == b || fold(a) == fold(b)
}
