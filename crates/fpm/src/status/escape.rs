//! What clients have sent, so that a status page can show it.

/// A text for HTML and XML, as PHP's `htmlspecialchars` writes it; nothing if it is no UTF-8. Characters that XML does not have are
/// replaced.
pub fn markup(text: &[u8]) -> Vec<u8> {
    let mut out = String::new();
    for c in std::str::from_utf8(text).unwrap_or_default().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(c),
            _ => out.push('\u{fffd}'),
        }
    }
    out.into_bytes()
}

/// A text between the quotes of a JSON string, as PHP's `json_encode` writes it; bytes that are no UTF-8 are left out.
pub fn json(text: &[u8]) -> Vec<u8> {
    let mut out = String::new();
    for c in text.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' => out.push_str("\\/"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' | '\u{7f}' => out.push(c),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out.into_bytes()
}
