//! Files of `--NAME--` sections, the form of PHP's own tests.

use std::collections::BTreeMap;

/// Section name to contents; a name appears once.
#[derive(Debug, Default)]
pub struct Sections(BTreeMap<String, Vec<u8>>);

impl Sections {
    /// Splits a file. Text before the first section or a repeated section is an error.
    pub fn parse(text: &[u8]) -> Result<Sections, String> {
        let mut sections = BTreeMap::new();
        let mut current: Option<(String, Vec<u8>)> = None;
        for line in text.split_inclusive(|b| *b == b'\n') {
            if let Some(name) = heading(line) {
                if let Some((name, body)) = current.take() {
                    sections.insert(name, body);
                }
                if sections.contains_key(&name) {
                    return Err(format!("section {name} appears twice"));
                }
                current = Some((name, Vec::new()));
            } else if let Some((_, body)) = &mut current {
                body.extend_from_slice(line);
            } else {
                return Err("text before the first section".to_owned());
            }
        }
        sections.extend(current);
        Ok(Sections(sections))
    }

    /// Whether there is a section with this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text of a section.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// A section as text without surrounding white space.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|body| String::from_utf8_lossy(body).trim().to_owned())
    }

    /// The lines of a section that are not empty.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Names of all sections.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// All sections in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, body)| (name.as_str(), body.as_slice()))
    }
}

/// The name in a `--NAME--` line. Lower-case letters, digits, `.` and `/` are allowed after a blank, as in
/// `--FILE lib/a.php--`.
fn heading(line: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(line).ok()?.trim_end().strip_prefix("--")?.strip_suffix("--")?;
    let (word, rest) = name.split_once(' ').unwrap_or((name, "x"));
    let is_name = !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    (is_name && !rest.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_headings_only() {
        let file = b"--TEST--\nname\n--FILE--\n--$i--;\n--EXPECT--\nx\n";
        let sections = Sections::parse(file).expect("well-formed");
        assert_eq!(sections.text("TEST").as_deref(), Some("name"));
        assert_eq!(sections.get("FILE"), Some(&b"--$i--;\n"[..]));
        assert!(Sections::parse(b"stray\n--TEST--\n").is_err());
        assert!(Sections::parse(b"--TEST--\n--TEST--\n").is_err());
    }
}
