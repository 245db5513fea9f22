//! One line of a configuration file. Each stands for itself: values do not go over several lines.

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing: it is empty or a comment.
    Nothing,
    /// `[name]`
    Section(String),
    /// `name = value`; `None`: there is no sign of equality.
    Entry(String, Option<Vec<u8>>),
    /// `name[key] = value`
    Element(String, Vec<u8>, Vec<u8>),
}

/// Reads the text behind a sign of equality as php.ini's values are read; `None` if it is none.
pub type ReadValue = dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// Reads a line; `None` if it makes no sense.
pub fn read(line: &[u8], read_value: &ReadValue) -> Option<Line> {
    let line = line.trim_ascii();
    let first = line.first();
    if matches!(first, None | Some(b';')) {
        return Some(Line::Nothing);
    }
    if first == Some(&b'[') {
        let end = line.iter().position(|&byte| byte == b']')?;
        let name = line[1..end].trim_ascii();
        let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
        let rest = line[end + 1..].trim_ascii();
        return (rest.is_empty() || rest[0] == b';').then(|| Line::Section(text(name)));
    }
    let Some(at) = line.iter().position(|&byte| matches!(byte, b'=' | b';')).filter(|&at| line[at] == b'=') else {
        let end = line.iter().position(|&byte| byte == b';').unwrap_or(line.len());
        return Some(Line::Entry(text(line[..end].trim_ascii()), None));
    };
    let name = line[..at].trim_ascii();
    let value = read_value(&line[at + 1..])?;
    if name.is_empty() {
        return None;
    }
    match name.iter().position(|&byte| byte == b'[') {
        None => Some(Line::Entry(text(name), Some(value))),
        Some(open) => {
            let key = name[open + 1..].strip_suffix(b"]")?.trim_ascii();
            let quoted = |quote: u8| key.strip_prefix(&[quote]).and_then(|key| key.strip_suffix(&[quote]));
            let key = quoted(b'"').or_else(|| quoted(b'\'')).unwrap_or(key);
            Some(Line::Element(text(name[..open].trim_ascii_end()), key.to_vec(), value))
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
