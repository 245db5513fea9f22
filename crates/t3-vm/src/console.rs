//! The output formatter: T3's HTML and control characters to wrapped text.
//!
//! Tags act or vanish, entities become characters, runs of blanks collapse, lines are wrapped at blanks and after
//! hyphens. Finished text waits in `out` until the machine hands it to the front end.

use crate::entities::entity;

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
    /// A blank of a tab.
    fn blank() -> Cell {
        Cell { c: ' ', width: 1, hard: true, no_break: false, may_break: false, soft_hyphen: false, style: 0 }
    }

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
    /// Inside an entity.
    Entity(String),
}

/// How a tab aligns the text behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    Left,
    Right,
    Center,
    /// At the first such character.
    Decimal(char),
}

/// A tab whose text is not complete.
#[derive(Debug, Clone, Copy)]
struct PendingTab {
    /// The column of the tab.
    start: usize,
    /// Where the line had the tab.
    cell: usize,
    alignment: Alignment,
    /// The column to align at; without one it is that of the whole line.
    stop: Option<usize>,
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
    /// Depth of parts that are not shown: titles, about boxes, banners. More ends than beginnings hide the rest, too.
    ignoring: i32,
    /// Columns that tabs have been defined at.
    tab_stops: Vec<(String, usize)>,
    /// A tab that waits for the text that it aligns.
    pending_tab: Option<PendingTab>,
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
            tab_stops: Vec::new(),
            pending_tab: None,
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
        self.expand_tab(false);
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
            Reading::Entity(name) => self.entity(name, c),
        }
    }

    fn text(&mut self, c: char) {
        match c {
            '<' if !self.literal => self.reading = Reading::Tag(String::new(), None),
            '&' if !self.literal => self.reading = Reading::Entity(String::new()),
            _ if self.ignoring != 0 => {}
            '\n' => self.newline(),
            '\t' => self.tab(4),
            '\u{b}' => self.blank_line(),
            '\u{f}' => (self.capitalize, self.lower_next) = (true, false),
            '\u{e}' => (self.lower_next, self.capitalize) = (true, false),
            c => self.put(c),
        }
    }

    // ---- markup

    /// A tag is its name, up to a blank, and attributes, in which quotes hide the tag's end.
    fn tag(&mut self, mut tag: String, quote: Option<char>, c: char) {
        let quote = match (quote, c) {
            (Some(open), c) => (c != open).then_some(open),
            (None, '>') => return self.act(&tag),
            (None, '"' | '\'') if tag.contains(' ') => Some(c),
            (None, _) => None,
        };
        tag.push(c);
        self.reading = Reading::Tag(tag, quote);
    }

    fn act(&mut self, tag: &str) {
        let (closing, tag) = match tag.strip_prefix(['/', '\\']) {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let name = name.to_ascii_lowercase();
        let not_here = if self.log { "nolog" } else { "log" };
        if HIDDEN.contains(&name.as_str()) || name == not_here {
            self.ignoring = if closing { self.ignoring.saturating_sub(1) } else { self.ignoring.saturating_add(1) };
            return;
        }
        if self.ignoring != 0 {
            return;
        }
        match (name.as_str(), closing) {
            ("br", _) => self.line_break(attributes),
            ("p", _) => self.blank_line(),
            ("hr", _) => {
                self.newline();
                (1..self.width).for_each(|_| self.put('-'));
                self.blank_line();
            }
            ("q", closing) => self.quote(closing),
            ("pre", false) => {
                self.preformatted += 1;
                self.blank_line();
            }
            ("pre", true) => {
                self.blank_line();
                self.preformatted = self.preformatted.saturating_sub(1);
            }
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

    /// `<br>` ends the line, or leaves an empty one; `height` asks for more of them, or for none.
    fn line_break(&mut self, attributes: &str) {
        match attribute(attributes, "height").map(|height| number(&height)) {
            None | Some(1) if self.line.is_empty() => self.blank_line(),
            None | Some(0 | 1) => self.newline(),
            Some(height) => {
                // The break itself comes on top of the blank lines.
                let breaks = if self.line.is_empty() { Console::blank_line } else { Console::newline };
                (0..height.min(MAX_HEIGHT)).for_each(|_| self.blank_line());
                breaks(self);
            }
        }
    }

    // ---- tabs

    fn tab_tag(&mut self, attributes: &str) {
        self.expand_tab(true);
        let mut stop = None;
        let mut alignment = None;
        let mut point = '.';
        for (name, value) in all_attributes(attributes) {
            match (name.as_str(), value.to_ascii_lowercase().as_str()) {
                ("id", _) => {
                    let column = self.column;
                    self.tab_stops.retain(|row| row.0 != value);
                    self.tab_stops.push((value, column));
                    return;
                }
                ("to", _) => match self.tab_stops.iter().find(|row| row.0 == value) {
                    Some(row) => stop = Some(row.1),
                    None => return,
                },
                // Multiples count as indents in the reference.
                ("indent" | "multiple", _) => return self.blanks(number(&value)),
                ("align", "left") => alignment = Some(Alignment::Left),
                ("align", "right") => alignment = Some(Alignment::Right),
                ("align", "center") => alignment = Some(Alignment::Center),
                ("align", "decimal") => alignment = Some(Alignment::Decimal('.')),
                ("align", _) => return,
                ("dp", _) => point = value.chars().next().unwrap_or('.'),
                _ => {}
            }
        }
        match (alignment, stop) {
            (None, None) => self.tab(4),
            (None | Some(Alignment::Left), Some(stop)) => self.blanks(stop.saturating_sub(self.column)),
            // Without a column these align at nothing.
            (Some(Alignment::Left | Alignment::Decimal(_)), None) => {}
            (Some(alignment), stop) => {
                let alignment = match alignment {
                    Alignment::Decimal(_) => Alignment::Decimal(point),
                    other => other,
                };
                self.pending_tab = Some(PendingTab { start: self.column, cell: self.line.len(), alignment, stop });
            }
        }
    }

    /// Blanks, as far as the line goes.
    fn blanks(&mut self, count: usize) {
        for _ in 0..count.min(self.width.saturating_sub(self.column)) {
            self.push(' ', 1, true);
        }
    }

    /// The text behind a tab is complete: blanks move it to its place. `whole_line` tells whether it may be moved where
    /// no column is given, as when the line is ended by the program.
    fn expand_tab(&mut self, whole_line: bool) {
        let Some(tab) = self.pending_tab.take() else { return };
        let length = self.column.saturating_sub(tab.start);
        let to = match (tab.alignment, tab.stop) {
            (Alignment::Right, Some(stop)) => stop.saturating_sub(self.column),
            (Alignment::Right, None) if whole_line => self.width.saturating_sub(1 + self.column),
            (Alignment::Center, Some(stop)) => stop.saturating_sub(length / 2).saturating_sub(tab.start),
            (Alignment::Center, None) if whole_line => self.width.saturating_sub(tab.start + length) / 2,
            (Alignment::Decimal(point), Some(stop)) => {
                let cells = self.line.get(tab.cell..).unwrap_or_default();
                let before = cells.iter().position(|cell| cell.c == point).unwrap_or(cells.len());
                stop.saturating_sub(tab.start + before)
            }
            _ => 0,
        };
        // Nothing moves if the line was broken behind the tab.
        if tab.cell <= self.line.len() {
            let blank = Cell { style: 0, ..Cell::blank() };
            self.line.splice(tab.cell..tab.cell, std::iter::repeat_n(blank, to));
            self.column += to;
        }
    }

    // ---- entities

    fn entity(&mut self, mut name: String, c: char) {
        if c == ';' || !(c.is_ascii_alphanumeric() || c == '#') || name.len() > 10 {
            let decoded = entity(&name);
            if self.ignoring == 0 {
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
        self.expand_tab(true);
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
        self.line.push(Cell { c, width, hard, style: self.style, ..Cell::blank() });
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
            '\u{2002}' | '\u{2004}' => return self.wide_blank(2),
            '\u{2003}' => return self.wide_blank(3),
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

    /// A blank of several columns.
    fn wide_blank(&mut self, columns: usize) {
        (0..columns).for_each(|_| self.place(' ', 1, true));
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
        self.expand_tab(false);
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

/// Blank lines that a `<br>` may ask for.
const MAX_HEIGHT: usize = 1000;

/// The number that a text begins with; 0 without one.
fn number(text: &str) -> usize {
    let digits = text.trim_start().chars().map_while(|c| c.to_digit(10));
    digits.fold(0, |sum: usize, digit| sum.saturating_mul(10).saturating_add(digit as usize))
}

/// The value of an attribute.
fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    all_attributes(attributes).into_iter().find(|(name, _)| name == wanted).map(|(_, value)| value)
}

/// Names, in small letters, and values of a tag's attributes; the value of an attribute without one is empty.
fn all_attributes(attributes: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut rest = attributes;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic() || matches!(c, '"' | '\'')) {
        let first = rest[start..].chars().next().unwrap_or(' ');
        rest = &rest[start..];
        if !first.is_alphabetic() {
            // Quoted text without a name means nothing.
            rest = rest[1..].split_once(first).map_or("", |(_, after)| after);
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let name = rest[..end].to_lowercase();
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            (value, rest) = match after.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
        }
        all.push((name, value.to_owned()));
    }
    all
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
        assert_eq!(format("1 &unknown; <title>x</title>y", 80), "1 &unknown; y");
        // The reference takes a blank after the bracket for the beginning of a tag.
        assert_eq!(format("1 < 2 > x", 80), "1 x");
    }

    #[test]
    fn lines_break_at_blanks_and_hyphens() {
        assert_eq!(format("one two three", 9), "one two\nthree");
        assert_eq!(format("well-known", 8), "well-\nknown");
        assert_eq!(format("a\n\n\u{b}b", 9), "a\n\nb");
    }
}
