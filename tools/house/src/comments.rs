//! The comments of a Rust source, which the parser throws away.

/// Lines of comments that belong together: of one kind, one under the other.
#[derive(Debug, PartialEq, Eq)]
pub struct Comment {
    /// The line where it begins, from 1.
    pub line: usize,
    pub kind: Kind,
    /// The text of its lines without the marks, separated by newlines.
    pub text: String,
}

/// The kind of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `//` or `/* */`.
    Plain,
    /// `///` or `//!`.
    Doc,
}

/// All comments of a source in order.
pub fn comments(source: &str) -> Vec<Comment> {
    let mut scanner = Scanner { source, at: 0, line: 1, code_on_line: false, found: Vec::new(), last: None };
    scanner.run();
    scanner.found
}

struct Scanner<'s> {
    source: &'s str,
    at: usize,
    line: usize,
    /// Whether something stands on this line already, so that a comment here belongs to it alone.
    code_on_line: bool,
    found: Vec<Comment>,
    /// The line and the mark of the last line comment, if another can continue it.
    last: Option<(usize, &'static str)>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        while let Some(next) = self.rest().chars().next() {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.line_comment();
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else if let Some(length) = literal_length(rest, self.before()) {
                self.skip(length);
                self.code_on_line = true;
            } else {
                self.code_on_line |= !next.is_whitespace();
                self.skip(next.len_utf8());
            }
        }
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn before(&self) -> Option<char> {
        self.source[..self.at].chars().next_back()
    }

    fn skip(&mut self, length: usize) {
        let passed = &self.source[self.at..self.at + length];
        let newlines = passed.matches('\n').count();
        if newlines > 0 {
            self.code_on_line = false;
        }
        self.line += newlines;
        self.at += length;
    }

    fn line_comment(&mut self) {
        let end = self.rest().find('\n').unwrap_or(self.rest().len());
        let whole = &self.source[self.at..self.at + end];
        let mark = ["///", "//!", "//"].into_iter().find(|mark| whole.starts_with(mark)).unwrap_or("//");
        let mark = if whole.starts_with("////") { "//" } else { mark };
        let text = whole[mark.len()..].trim();
        if self.last == Some((self.line - 1, mark)) && !self.code_on_line {
            if let Some(comment) = self.found.last_mut() {
                comment.text.push('\n');
                comment.text.push_str(text);
            }
        } else {
            let kind = if mark == "//" { Kind::Plain } else { Kind::Doc };
            self.found.push(Comment { line: self.line, kind, text: text.to_owned() });
        }
        self.last = (!self.code_on_line).then_some((self.line, mark));
        self.skip(end);
    }

    fn block_comment(&mut self) {
        let (mut depth, mut length) = (0, 0);
        let rest = self.rest();
        while length < rest.len() {
            let here = &rest[length..];
            if here.starts_with("/*") {
                depth += 1;
                length += 2;
            } else if here.starts_with("*/") {
                depth -= 1;
                length += 2;
                if depth == 0 {
                    break;
                }
            } else {
                length += here.chars().next().map_or(1, char::len_utf8);
            }
        }
        let text = rest[..length].trim_start_matches("/*").trim_end_matches("*/").trim().to_owned();
        self.found.push(Comment { line: self.line, kind: Kind::Plain, text });
        self.last = None;
        self.skip(length);
    }
}

/// The length of the string, byte string or character that the text begins with, if it begins with one.
fn literal_length(text: &str, before: Option<char>) -> Option<usize> {
    let in_word = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
    let prefix = if in_word { 0 } else { text.len() - text.trim_start_matches(['b', 'c', 'r']).len() };
    let (prefix, rest) = if prefix <= 2 { text.split_at(prefix) } else { return None };
    if prefix.contains('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let body = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = body.find(&end)? + end.len();
        return Some(prefix.len() + hashes + 1 + length);
    }
    match rest.chars().next()? {
        '"' => Some(prefix.len() + quoted_length(rest, '"')?),
        '\'' => {
            let mut inside = rest[1..].chars();
            let (first, second) = (inside.next()?, inside.next());
            // Anything else after the quote is a lifetime.
            let character = first == '\\' || second == Some('\'');
            character.then(|| quoted_length(rest, '\'')).flatten().map(|length| prefix.len() + length)
        }
        _ => None,
    }
}

fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if next == quote => return Some(at + next.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<(usize, String)> {
        comments(source).into_iter().map(|comment| (comment.line, comment.text)).collect()
    }

    #[test]
    fn lines_of_one_kind_are_one_comment() {
        let source = "//! a\n//! b\n\n/// c\n// d\n// e\nlet x = 1; // f\n// g\n";
        let expected = [(1, "a\nb"), (4, "c"), (5, "d\ne"), (7, "f"), (8, "g")];
        assert_eq!(texts(source), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn literals_hide_what_looks_like_a_comment() {
        let source = r##"let a = "// no"; let b = r#"" // no"#; let c = '"'; let d: &'a str = b"\"//"; // yes"##;
        assert_eq!(texts(source), [(1, "yes".to_owned())]);
    }

    #[test]
    fn blocks_nest() {
        assert_eq!(texts("/* a /* b */ c */ x // d"), [(1, "a /* b */ c".to_owned()), (1, "d".to_owned())]);
    }
}
