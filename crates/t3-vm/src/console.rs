//! The output formatter: T3's HTML and control characters to wrapped text.
//!
//! Tags act or vanish, entities become characters, runs of blanks collapse, lines are wrapped at blanks and after
//! hyphens. Finished text waits in `out` until the machine hands it to the front end.

/// A character of the line under construction.
#[derive(Debug, Clone, Copy)]
struct Cell {
    c: char,
    width: usize,
    /// A hard space, which does not collapse.
    hard: bool,
    /// No break after it.
    no_break: bool,
    /// A break after it although it is no blank.
    may_break: bool,
    /// A soft hyphen after it.
    soft_hyphen: bool,
    style: u8,
}

impl Cell {
    /// The character as it goes out: hard spaces have done their work.
    fn shown(self) -> char {
        if self.c == '\u{a0}' { ' ' } else { self.c }
    }
}

/// Where the formatter is in its input.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reading {
    Text,
    /// Inside a tag: what was read, and the open quote.
    Tag(String, Option<char>),
    /// Inside `<!-- -->`.
    Comment(String),
    /// Inside an entity.
    Entity(String),
}

/// The formatter.
#[derive(Debug)]
pub struct Console {
    line: Vec<Cell>,
    column: usize,
    /// Columns of a line.
    pub width: usize,
    out: String,
    reading: Reading,
    at_line_start: bool,
    capitalize: bool,
    lower_next: bool,
    all_caps: bool,
    quotes: u32,
    preformatted: u32,
    /// Depth of parts that are not shown: titles, about boxes, banners.
    ignoring: u32,
    deferred_break: Option<bool>,
    literal: bool,
    /// Whether the text has marks of its styles, see [`crate::io::style_of`].
    pub styles: bool,
    style: u8,
    /// Whether it formats a file, not the display: `<log>` and `<nolog>` tell them apart.
    log: bool,
}

impl Default for Console {
    fn default() -> Console {
        Console {
            line: Vec::new(),
            column: 0,
            width: 80,
            out: String::new(),
            reading: Reading::Text,
            at_line_start: true,
            capitalize: false,
            lower_next: false,
            all_caps: false,
            quotes: 0,
            preformatted: 0,
            ignoring: 0,
            deferred_break: None,
            literal: false,
            styles: false,
            style: 0,
            log: false,
        }
    }
}

/// Tags whose text is shown as if they were not there, and any unknown one: nothing happens.
const HIDDEN: &[&str] = &["title", "aboutbox", "banner"];

impl Console {
    /// A formatter of a file with lines of a width.
    pub fn of_file(width: usize) -> Console {
        Console { width, log: true, ..Console::default() }
    }

    /// Formats text.
    pub fn write(&mut self, text: &str) {
        for c in text.chars() {
            self.feed(c);
        }
    }

    /// Text without its markup, on one line.
    pub fn plain(text: &str) -> String {
        let mut console = Console { width: usize::MAX, ..Console::default() };
        console.write(text);
        console.finish_prompt();
        console.take().replace('\n', " ").trim().to_owned()
    }

    /// Takes what is finished.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Ends the line for an input prompt or the end of the program: the rest of the line goes out as it is.
    pub fn finish_prompt(&mut self) {
        self.settle_markup();
        if !self.line.is_empty() {
            self.at_line_start = false;
        }
        self.emit();
    }

    /// The line goes out without the blanks at its end, and what follows counts as the start of a line.
    pub fn leave_line(&mut self) {
        self.trim_line();
        self.emit();
        self.after_input();
    }

    /// The user has typed a line end.
    pub fn after_input(&mut self) {
        self.line.clear();
        self.column = 0;
        self.at_line_start = true;
    }

    /// Markup that was begun but not ended is text after all.
    fn settle_markup(&mut self) {
        self.settle_break();
        match std::mem::replace(&mut self.reading, Reading::Text) {
            Reading::Entity(name) => {
                self.put('&');
                name.chars().for_each(|c| self.put(c));
            }
            other => self.reading = other,
        }
    }

    fn feed(&mut self, c: char) {
        match std::mem::replace(&mut self.reading, Reading::Text) {
            Reading::Text => self.text(c),
            Reading::Tag(tag, quote) => self.tag(tag, quote, c),
            Reading::Comment(mut text) => {
                text.push(c);
                if !text.ends_with("-->") {
                    self.reading = Reading::Comment(text);
                }
            }
            Reading::Entity(name) => self.entity(name, c),
        }
    }

    fn text(&mut self, c: char) {
        match c {
            '<' if !self.literal => self.reading = Reading::Tag(String::new(), None),
            '&' if !self.literal => self.reading = Reading::Entity(String::new()),
            _ if self.ignoring > 0 => {}
            '\n' => {
                self.settle_break();
                self.newline();
            }
            '\t' => {
                self.settle_break();
                self.tab(4);
            }
            '\u{b}' => {
                self.settle_break();
                self.blank_line();
            }
            '\u{f}' => (self.capitalize, self.lower_next) = (true, false),
            '\u{e}' => (self.lower_next, self.capitalize) = (true, false),
            c => {
                self.settle_break();
                self.put(c);
            }
        }
    }

    // ---- markup

    fn tag(&mut self, mut tag: String, quote: Option<char>, c: char) {
        if tag.is_empty() && !(c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?' | '.' | '\\')) {
            // Not a tag.
            if self.ignoring == 0 {
                self.settle_break();
                self.put('<');
            }
            self.feed(c);
            return;
        }
        match (quote, c) {
            (Some(open), c) if c == open => {
                tag.push(c);
                self.reading = Reading::Tag(tag, None);
            }
            (None, '>') => self.act(&tag),
            (None, '"' | '\'') => {
                tag.push(c);
                self.reading = Reading::Tag(tag, Some(c));
            }
            _ => {
                tag.push(c);
                self.reading = if tag == "!--" { Reading::Comment(String::new()) } else { Reading::Tag(tag, quote) };
            }
        }
    }

    fn act(&mut self, tag: &str) {
        let (closing, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let (name, attributes) = tag.split_once(|c: char| c.is_whitespace()).unwrap_or((tag, ""));
        let name = name.trim_end_matches('/').to_ascii_lowercase();
        let not_here = if self.log { "nolog" } else { "log" };
        if HIDDEN.contains(&name.as_str()) || name == not_here {
            self.ignoring = if closing { self.ignoring.saturating_sub(1) } else { self.ignoring + 1 };
            return;
        }
        if self.ignoring > 0 {
            return;
        }
        if name != "br" {
            self.settle_break();
        }
        match (name.as_str(), closing) {
            ("br", _) => {
                self.settle_break();
                self.deferred_break = Some(!self.line.is_empty());
            }
            ("p", _) => self.blank_line(),
            ("hr", _) => {
                self.newline();
                (1..self.width).for_each(|_| self.put('-'));
                self.blank_line();
            }
            ("q", closing) => self.quote(closing),
            ("pre", false) => self.preformatted += 1,
            ("pre", true) => self.preformatted = self.preformatted.saturating_sub(1),
            ("img" | "sound", _) => {
                if let Some(text) = attribute(attributes, "alt") {
                    text.chars().for_each(|c| self.put(c));
                }
            }
            ("tab", _) => self.tab_tag(attributes),
            ("b" | "strong", closing) => self.change_style(crate::io::BOLD, closing),
            ("i" | "em" | "cite", closing) => self.change_style(crate::io::ITALIC, closing),
            ("u", closing) => self.change_style(crate::io::UNDERLINED, closing),
            _ => {}
        }
    }

    fn change_style(&mut self, style: u8, closing: bool) {
        self.style = if closing { self.style & !style } else { self.style | style };
    }

    /// Curly quotes, double outside and single inside.
    fn quote(&mut self, closing: bool) {
        if closing {
            self.put(if self.quotes % 2 == 1 { '\u{201d}' } else { '\u{2019}' });
            self.quotes = self.quotes.saturating_sub(1);
        } else {
            self.quotes += 1;
            self.put(if self.quotes % 2 == 1 { '\u{201c}' } else { '\u{2018}' });
        }
    }

    fn tab_tag(&mut self, attributes: &str) {
        let number = |name| attribute(attributes, name).and_then(|value| value.trim().parse::<usize>().ok());
        if let Some(indent) = number("indent") {
            (0..indent.min(self.width)).for_each(|_| self.put('\u{15}'));
        } else if let Some(multiple) = number("multiple") {
            self.tab(multiple.max(1));
        } else if attribute(attributes, "id").is_none() && self.column > 0 {
            self.put(' ');
        }
    }

    fn entity(&mut self, mut name: String, c: char) {
        if c == ';' || !(c.is_ascii_alphanumeric() || c == '#') || name.len() > 10 {
            let decoded = entity(&name);
            if self.ignoring == 0 {
                self.settle_break();
                match decoded {
                    Some(decoded) => self.put(decoded),
                    None => {
                        self.put('&');
                        name.chars().for_each(|c| self.put(c));
                    }
                }
            }
            if c != ';' || decoded.is_none() {
                self.feed(c);
            }
            return;
        }
        name.push(c);
        self.reading = Reading::Entity(name);
    }

    /// A `<br>` takes effect when something comes after it.
    fn settle_break(&mut self) {
        match self.deferred_break.take() {
            Some(true) => self.newline(),
            Some(false) => self.blank_or_newline(),
            None => {}
        }
    }

    fn blank_or_newline(&mut self) {
        if self.line.is_empty() { self.out.push('\n') } else { self.newline() }
    }

    // ---- lines

    /// The line goes out as it is.
    fn emit(&mut self) {
        if !self.styles {
            self.out.extend(self.line.drain(..).map(Cell::shown));
            return;
        }
        let mut style = 0;
        for cell in self.line.drain(..) {
            if cell.style != style {
                style = cell.style;
                self.out.push(crate::io::style_mark(style));
            }
            self.out.push(cell.shown());
        }
        if style != 0 {
            self.out.push(crate::io::style_mark(0));
        }
    }

    fn trim_line(&mut self) {
        while self.line.last().is_some_and(|cell| cell.c == ' ' && !cell.no_break) {
            self.line.pop();
        }
    }

    /// Ends the line; an empty line directly after another end is left out.
    fn newline(&mut self) {
        self.trim_line();
        if !self.line.is_empty() || !self.at_line_start || self.preformatted > 0 {
            self.emit();
            self.out.push('\n');
        }
        self.line.clear();
        self.column = 0;
        self.at_line_start = true;
    }

    fn blank_line(&mut self) {
        self.newline();
        self.out.push('\n');
    }

    fn tab(&mut self, multiple: usize) {
        loop {
            if self.column >= self.width {
                break;
            }
            self.push(' ', 1, true);
            if (self.column + 1).is_multiple_of(multiple) {
                break;
            }
        }
    }

    fn push(&mut self, c: char, width: usize, hard: bool) {
        self.line.push(Cell {
            c,
            width,
            hard,
            no_break: false,
            may_break: false,
            soft_hyphen: false,
            style: self.style,
        });
        self.column += width;
        self.at_line_start = false;
    }

    /// Adds a character, changing its case as asked for and breaking the line if it is full.
    fn put(&mut self, c: char) {
        let (c, width, hard) = match c {
            '\u{ad}' => return self.mark(|cell| cell.soft_hyphen = true),
            '\u{feff}' => return self.mark(|cell| cell.no_break = true),
            '\u{200b}' | '\u{200a}' | '\u{2008}' => {
                return self.mark(|cell| (cell.no_break, cell.may_break) = (false, true));
            }
            '\u{a0}' => (c, 1, true),
            '\u{15}' | '\u{2005}'..='\u{2007}' | '\u{2009}' => (' ', 1, true),
            '\u{2002}' | '\u{2004}' => (' ', 2, true),
            '\u{2003}' => (' ', 3, true),
            c if c.is_whitespace() && c != '\u{85}' || c == '\0' => (' ', 1, self.preformatted > 0),
            c => (c, 1, false),
        };
        if c.is_alphabetic() && (self.capitalize || self.lower_next || self.all_caps) {
            let changed: String = if self.capitalize || self.all_caps {
                phlox_t3_library::case::title(c)
            } else {
                c.to_lowercase().collect()
            };
            (self.capitalize, self.lower_next) = (false, false);
            changed.chars().for_each(|c| self.place(c, 1, false));
            return;
        }
        self.place(c, width, hard);
    }

    fn mark(&mut self, change: impl FnOnce(&mut Cell)) {
        if let Some(cell) = self.line.last_mut() {
            change(cell);
        }
    }

    fn place(&mut self, c: char, width: usize, hard: bool) {
        if c == ' ' && self.preformatted == 0 {
            if self.column == 0 && !hard {
                return;
            }
            if let Some(last) = self.line.last().copied()
                && last.c == ' '
            {
                if !hard {
                    return;
                }
                if !last.hard {
                    self.line.pop();
                    self.column -= last.width;
                }
            }
        }
        if self.column + width < self.width || self.preformatted > 0 {
            return self.push(c, width, hard);
        }
        if c == ' ' {
            if self.line.last().is_none_or(|cell| cell.c != ' ') {
                self.push(c, width, hard);
            }
            return;
        }
        self.push(c, width, hard);
        self.wrap();
    }

    /// Breaks the line at its last possible place, or where it is full.
    fn wrap(&mut self) {
        let last = self.line.len() - 1;
        let mut hyphen = false;
        let found = (1..=last).rev().find(|at| {
            let (before, here) = (&self.line[*at - 1], &self.line[*at]);
            if before.no_break {
                return false;
            }
            if before.soft_hyphen && *at < last {
                hyphen = true;
                return true;
            }
            before.may_break || here.c == ' ' || before.c == ' ' || before.c == '-' && here.c != '-'
        });
        let Some(at) = found else {
            // No place to break: all but the character that did not fit.
            let rest = self.line.split_off(last);
            self.emit();
            self.out.push('\n');
            self.column = rest.iter().map(|cell| cell.width).sum();
            self.line = rest;
            return;
        };
        let mut rest = self.line.split_off(at);
        while self.line.last().is_some_and(|cell| cell.c == ' ' && !cell.no_break) {
            self.line.pop();
        }
        self.emit();
        if hyphen {
            self.out.push('-');
        }
        self.out.push('\n');
        let blanks = rest.iter().take_while(|cell| cell.c == ' ').count();
        rest.drain(..blanks);
        self.column = rest.iter().map(|cell| cell.width).sum();
        self.line = rest;
    }
}

/// The value of an attribute.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let lower = attributes.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find(name) {
        let start = from + at;
        from = start + name.len();
        let begins = start == 0 || !lower.as_bytes()[start - 1].is_ascii_alphanumeric();
        let rest = attributes[from..].trim_start();
        if let (true, Some(value)) = (begins, rest.strip_prefix('=')) {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            return Some(match quote {
                Some(quote) => value[1..].split(quote).next().unwrap_or_default().to_owned(),
                None => value.split_whitespace().next().unwrap_or_default().to_owned(),
            });
        }
    }
    None
}

/// Names of the characters from 160 on.
const LATIN: &str = "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
    sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml \
    Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
    times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
    egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
    uacute ucirc uuml yacute thorn yuml";

/// Names of other characters.
const NAMED: &[(&str, char)] = &[
    ("lt", '<'),
    ("gt", '>'),
    ("amp", '&'),
    ("quot", '"'),
    ("apos", '\''),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
    ("nbsp", '\u{a0}'),
    ("zwsp", '\u{200b}'),
    ("ndash", '\u{2013}'),
    ("mdash", '\u{2014}'),
    ("lsquo", '\u{2018}'),
    ("rsquo", '\u{2019}'),
    ("sbquo", '\u{201a}'),
    ("ldquo", '\u{201c}'),
    ("rdquo", '\u{201d}'),
    ("bdquo", '\u{201e}'),
    ("dagger", '\u{2020}'),
    ("Dagger", '\u{2021}'),
    ("bull", '\u{2022}'),
    ("endash", '\u{2013}'),
    ("emdash", '\u{2014}'),
    ("hellip", '\u{2026}'),
    ("permil", '\u{2030}'),
    ("prime", '\u{2032}'),
    ("Prime", '\u{2033}'),
    ("lsaquo", '\u{2039}'),
    ("rsaquo", '\u{203a}'),
    ("euro", '\u{20ac}'),
    ("trade", '\u{2122}'),
    ("larr", '\u{2190}'),
    ("uarr", '\u{2191}'),
    ("rarr", '\u{2192}'),
    ("darr", '\u{2193}'),
    ("OElig", '\u{152}'),
    ("oelig", '\u{153}'),
    ("Scaron", '\u{160}'),
    ("scaron", '\u{161}'),
    ("Yuml", '\u{178}'),
    ("fnof", '\u{192}'),
    ("circ", '\u{2c6}'),
    ("tilde", '\u{2dc}'),
    ("infin", '\u{221e}'),
    ("ne", '\u{2260}'),
    ("le", '\u{2264}'),
    ("ge", '\u{2265}'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("Delta", 'Δ'),
    ("pi", 'π'),
    ("Sigma", 'Σ'),
    ("sigma", 'σ'),
    ("omega", 'ω'),
    ("Omega", 'Ω'),
];

/// The character of an entity, given without `&` and `;`.
pub fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?);
    }
    let latin = LATIN.split_ascii_whitespace().position(|known| known == name);
    match latin {
        Some(at) => char::from_u32(160 + at as u32),
        None => NAMED.iter().find(|row| row.0 == name).map(|row| row.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(text: &str, width: usize) -> String {
        let mut console = Console { width, ..Console::default() };
        console.write(text);
        console.finish_prompt();
        console.take()
    }

    #[test]
    fn markup_becomes_text() {
        assert_eq!(format("a <b>bold</b> &lt; <q>x <q>y</q></q>\n", 80), "a bold < “x ‘y’”\n");
        assert_eq!(format("1 < 2 &unknown; <title>x</title>y", 80), "1 < 2 &unknown; y");
    }

    #[test]
    fn lines_break_at_blanks_and_hyphens() {
        assert_eq!(format("one two three", 9), "one two\nthree");
        assert_eq!(format("well-known", 8), "well-\nknown");
        assert_eq!(format("a\n\n\u{b}b", 9), "a\n\nb");
    }
}
