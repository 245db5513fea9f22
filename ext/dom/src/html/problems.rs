//! The parse errors that PHP's HTML parser reports before the first element, which follow from the text alone.

/// A parse error, with the byte offset and the length of the text that it is about.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// PHP's text for the error.
    pub message: &'static str,
    /// The byte offset at which the wrong text begins.
    pub start: usize,
    /// The number of bytes that the error is about.
    pub length: usize,
}

/// The HTML standard's insertion mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    mode: Mode,
    tokenizer: Vec<Problem>,
    tree: Vec<Problem>,
}

/// The errors before the first start tag or text: those of the tokenizer, then those of the tree construction.
pub fn of_prologue(text: &str) -> Vec<Problem> {
    let mut scan = Scan { text, at: 0, mode: Mode::Initial, tokenizer: Vec::new(), tree: Vec::new() };
    while scan.step().is_some() {}
    scan.tokenizer.append(&mut scan.tree);
    scan.tokenizer
}

/// The line and column, counted from 1, of a byte offset in the text.
pub fn place(text: &str, at: usize) -> (i32, i32) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().count() + 1;
    (line as i32, column as i32)
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The length of the tag name that begins `offset` bytes ahead; 0 if none begins there.
    fn name_length(&self, offset: usize) -> usize {
        let name = self.rest().get(offset..).unwrap_or_default();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return 0;
        }
        name.find([' ', '\t', '\n', '\r', '\x0c', '/', '>']).unwrap_or(name.len())
    }

    fn skip_tag(&mut self) -> Option<()> {
        self.at += self.rest().find('>')? + 1;
        Some(())
    }

    /// The length in bytes of the text before the next markup. `None`: there is none, the input ends, or text is
    /// allowed here.
    fn text_length(&self) -> Option<usize> {
        let begins_markup =
            |rest: &str| rest[1..].starts_with(|next: char| next.is_ascii_alphabetic() || "/!?".contains(next));
        let mut places = self.rest().match_indices('<').map(|(at, _)| at);
        let length = places.find(|&at| begins_markup(&self.rest()[at..]))?;
        (length > 0 && self.mode == Mode::Initial).then_some(length)
    }

    fn tree_error(&mut self, message: &'static str, offset: usize, length: usize) {
        self.tree_error_at(message, self.at + offset, length);
    }

    fn tree_error_at(&mut self, message: &'static str, start: usize, length: usize) {
        self.tree.push(Problem { message, start, length });
    }

    fn tokenizer_error(&mut self, message: &'static str, offset: usize) {
        self.tokenizer.push(Problem { message, start: self.at + offset, length: 1 });
    }

    /// Skips one token. `None`: an element begins, or the text ends.
    fn step(&mut self) -> Option<()> {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']).len();
        if blank > 0 {
            self.at += blank;
            if let Some(length) = self.text_length() {
                // PHP reports the place of the text with its leading white space, but the length without it.
                self.tree_error_at("tree error unexpected-token-in-initial-mode", self.at - blank, length);
                return None;
            }
            return Some(());
        }
        if let Some(length) = self.text_length() {
            self.tree_error("tree error unexpected-token-in-initial-mode", 0, length);
            return None;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.at += 4 + comment.find("-->")? + 3;
            return Some(());
        }
        if rest.starts_with("<?") {
            self.tokenizer_error("tokenizer error unexpected-question-mark-instead-of-tag-name", 1);
            return self.skip_tag();
        }
        if rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) {
            return self.doctype();
        }
        if rest.starts_with("<!") {
            self.tokenizer_error("tokenizer error incorrectly-opened-comment", 2);
            return self.skip_tag();
        }
        if rest.starts_with("</>") {
            self.tokenizer_error("tokenizer error missing-end-tag-name", 2);
            return self.skip_tag();
        }
        if rest.starts_with("</") {
            return self.end_tag();
        }
        let length = self.name_length(1);
        if rest.starts_with('<') && length > 0 && self.mode == Mode::Initial {
            self.tree_error("tree error unexpected-token-in-initial-mode", 1, length);
        }
        None
    }

    fn doctype(&mut self) -> Option<()> {
        if self.mode != Mode::Initial {
            return None;
        }
        let inside = self.rest().get(9..).and_then(|rest| rest.split_once('>')).map(|(inside, _)| inside)?.trim();
        let (name, ids) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        let is_legacy = ids.trim().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("SYSTEM"))
            && ids.trim()[6..].trim().trim_matches(['"', '\'']) == "about:legacy-compat";
        if !name.eq_ignore_ascii_case("html") || !(ids.trim().is_empty() || is_legacy) {
            self.tree_error("tree error bad-doctype-token-in-initial-mode", 2, "doctype".len());
        }
        self.mode = Mode::BeforeHtml;
        self.skip_tag()
    }

    fn end_tag(&mut self) -> Option<()> {
        let length = self.name_length(2);
        if length == 0 {
            return None;
        }
        if self.mode == Mode::Initial {
            self.tree_error("tree error unexpected-token-in-initial-mode", 2, length);
        }
        self.mode = Mode::BeforeHtml;
        let name = self.rest()[2..2 + length].to_ascii_lowercase();
        if matches!(&name[..], "head" | "body" | "html" | "br") {
            return None;
        }
        self.tree_error("tree error unexpected-closed-token-in-before-html-mode", 2, length);
        self.skip_tag()
    }
}
