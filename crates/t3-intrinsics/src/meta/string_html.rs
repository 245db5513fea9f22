//! The control characters of T3's output as HTML or plain text: `specialsToHtml` and `specialsToText`.
//!
//! A stream of strings can be translated piece by piece: what is open at the end of one - a tag, a quotation, a pending
//! space - is kept in properties of a state object and picked up by the next. The layout of those properties is what
//! the library's stream objects expect.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::value::{PropId, Value};
use phlox_t3_vm::vm::{Args, Vm};

/// What is open between two strings of a stream.
#[derive(Default)]
struct State {
    in_line: bool,
    caps: bool,
    no_caps: bool,
    in_tag: bool,
    quote: Option<char>,
    space: bool,
    quoted_space: bool,
    inner_quotes: bool,
    in_entity: bool,
    /// Column in tab stops of four.
    column: i32,
    /// The text of the tag or entity so far.
    tag: String,
}

impl State {
    fn from_flags(flags: i32, tag: String) -> State {
        State {
            in_line: flags & 0x001 != 0,
            caps: flags & 0x002 != 0,
            no_caps: flags & 0x004 != 0,
            in_tag: flags & 0x008 != 0,
            quote: match flags & 0x030 {
                0 => None,
                0x020 => Some('\''),
                _ => Some('"'),
            },
            space: flags & 0x040 != 0,
            quoted_space: flags & 0x080 != 0,
            inner_quotes: flags & 0x100 != 0,
            in_entity: flags & 0x200 != 0,
            column: flags >> 12 & 3,
            tag,
        }
    }

    fn flags(&self) -> i32 {
        let quote = match self.quote {
            None => 0,
            Some('"') => 0x010,
            Some(_) => 0x020,
        };
        let bits = [
            (self.in_line, 0x001),
            (self.caps, 0x002),
            (self.no_caps, 0x004),
            (self.in_tag, 0x008),
            (self.space, 0x040),
            (self.quoted_space, 0x080),
            (self.inner_quotes, 0x100),
            (self.in_entity, 0x200),
        ];
        bits.iter().filter(|bit| bit.0).fold(quote, |sum, bit| sum | bit.1) | (self.column & 3) << 12
    }
}

/// A translation under way.
struct Translation {
    state: State,
    html: bool,
    out: String,
}

/// An attribute's value in the text of a tag, without its quotation marks; the name itself if it has no value.
fn attribute(tag: &str, wanted: &str) -> Option<String> {
    let name_end = tag.find(char::is_whitespace)?;
    let mut rest = tag[name_end..].trim_start();
    while !rest.is_empty() {
        let name = &rest[..rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len())];
        let mut value = String::new();
        let mut end = name.len();
        if rest[end..].starts_with('=') {
            end += 1;
            let mut quote = None;
            for c in rest[end..].chars() {
                match quote {
                    None if c.is_whitespace() => break,
                    None if matches!(c, '"' | '\'') => quote = Some(c),
                    Some(open) if open == c => quote = None,
                    _ => value.push(c),
                }
                end += c.len_utf8();
            }
        } else {
            value.push_str(name);
        }
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = rest[end..].trim_start();
    }
    None
}

/// The leading digits of a text as a number.
fn leading_number(text: &str) -> u32 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

impl Translation {
    fn line_breaks(&mut self, count: u32) {
        let text = if self.html { "<br>" } else { "\n" };
        for _ in 0..count.min(1000) {
            self.out.push_str(text);
        }
    }

    fn new_line(&mut self) {
        self.state.in_line = false;
        self.state.column = 0;
        self.state.caps = false;
        self.state.no_caps = false;
    }

    fn end_of_block(&mut self) {
        self.state.in_line = false;
        self.state.column = 0;
    }

    fn in_tag(&mut self, c: char) {
        match c {
            '\n' | '\u{b}' | '\u{15}' | '\t' => self.state.tag.push(' '),
            '\u{e}' | '\u{f}' => {}
            '"' | '\'' => {
                match self.state.quote {
                    None => self.state.quote = Some(c),
                    Some(open) if open == c => self.state.quote = None,
                    Some(_) => {}
                }
                self.state.tag.push(c);
            }
            '>' if self.state.quote.is_none() => {
                self.state.in_tag = false;
                let tag = std::mem::take(&mut self.state.tag);
                self.tag(&tag);
            }
            c => self.state.tag.push(c),
        }
    }

    fn tag(&mut self, tag: &str) {
        let text = tag.trim_start();
        let (ends, text) = match text.strip_prefix('/') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        let name = text.split(char::is_whitespace).next().unwrap_or_default().to_ascii_lowercase();
        let mut keep = true;
        match name.as_str() {
            "q" => {
                if ends {
                    self.state.inner_quotes = !self.state.inner_quotes;
                }
                let mark = match (self.html, self.state.inner_quotes, ends) {
                    (true, false, false) => "&ldquo;",
                    (true, false, true) => "&rdquo;",
                    (true, true, false) => "&lsquo;",
                    (true, true, true) => "&rsquo;",
                    (false, false, _) => "\"",
                    (false, true, _) => "'",
                };
                self.out.push_str(mark);
                self.state.column += 1;
                if !ends {
                    self.state.inner_quotes = !self.state.inner_quotes;
                }
                keep = false;
            }
            "br" => {
                match attribute(text, "height") {
                    Some(height) => {
                        self.line_breaks(leading_number(&height) + u32::from(self.state.in_line));
                        keep = false;
                    }
                    None if !self.html => self.line_breaks(1),
                    None => {}
                }
                self.end_of_block();
            }
            "p" => {
                if !self.html {
                    self.line_breaks(1 + u32::from(self.state.in_line));
                }
                self.end_of_block();
            }
            "div" | "center" | "table" | "td" | "th" | "caption" => {
                self.end_of_block();
                if !self.html {
                    self.line_breaks(1);
                }
            }
            _ => {}
        }
        if self.html && keep {
            self.out.push('<');
            self.out.push_str(tag);
            self.out.push('>');
        }
    }

    fn in_entity(&mut self, c: char) {
        let numeric = self.state.tag.starts_with('#');
        let goes_on = c != ';' && self.state.tag.len() < 10 && (!numeric || c.is_ascii_digit());
        if goes_on {
            self.state.tag.push(c);
            return;
        }
        let name = std::mem::take(&mut self.state.tag);
        self.state.in_entity = false;
        if numeric {
            self.out.extend(char::from_u32(leading_number(&name[1..])));
            if c != ';' {
                self.out.push(c);
            }
            return;
        }
        match name.to_ascii_lowercase().as_str() {
            "nbsp" => self.out.push(' '),
            "gt" => self.out.push('>'),
            "lt" => self.out.push('<'),
            "amp" => self.out.push('&'),
            "ldquo" | "rdquo" | "quot" => self.out.push('"'),
            "lsquo" | "rsquo" => self.out.push('\''),
            _ => self.out.push_str(&name),
        }
    }

    /// A space that the last character left open is written now that the next one is known. Returns whether the next
    /// one is swallowed by it.
    fn pending_space(&mut self, next: char) -> bool {
        if self.state.space {
            if next != '\u{15}' {
                self.out.push(' ');
                self.state.column += 1;
            }
            self.state.space = false;
        } else if self.state.quoted_space {
            if next == ' ' {
                return true;
            }
            let text = if self.html && next == '\u{15}' { "&nbsp;" } else { " " };
            self.out.push_str(text);
            self.state.column += 1;
            self.state.quoted_space = false;
        }
        false
    }

    fn character(&mut self, c: char) {
        if self.state.in_tag {
            return self.in_tag(c);
        }
        if self.state.in_entity {
            return self.in_entity(c);
        }
        if self.pending_space(c) {
            return;
        }
        match c {
            '\n' => {
                self.line_breaks(u32::from(self.state.in_line));
                self.new_line();
            }
            '\u{b}' => {
                self.line_breaks(1 + u32::from(self.state.in_line));
                self.new_line();
            }
            '\u{f}' => (self.state.caps, self.state.no_caps) = (true, false),
            '\u{e}' => (self.state.caps, self.state.no_caps) = (false, true),
            '\u{15}' => self.state.quoted_space = true,
            ' ' => self.state.space = true,
            '\t' if self.html => {
                self.state.column = ((self.state.column + 1) & 3) - 1;
                while self.state.column + 1 < 3 {
                    self.out.push_str("&nbsp;");
                    self.state.column += 1;
                }
                self.out.push(' ');
                self.state.column += 1;
            }
            '\t' => self.out.push('\t'),
            '<' => self.state.in_tag = true,
            '&' if !self.html => self.state.in_entity = true,
            '&' => self.out.push('&'),
            c => {
                if self.state.caps {
                    self.out.extend(c.to_uppercase());
                } else if self.state.no_caps {
                    self.out.extend(c.to_lowercase());
                } else {
                    self.out.push(c);
                }
                (self.state.caps, self.state.no_caps) = (false, false);
                self.state.in_line = true;
                self.state.column += 1;
            }
        }
    }
}

/// The properties of a state object.
struct StateProps {
    object: Value,
    flags: Option<PropId>,
    tag: Option<PropId>,
}

fn read_state(vm: &mut Vm, props: &StateProps) -> Run<State> {
    let flags = match props.flags {
        Some(prop) => vm.call_prop(props.object, prop, &[])?,
        None => Value::Nil,
    };
    let tag = match props.tag {
        Some(prop) => vm.call_prop(props.object, prop, &[])?,
        None => Value::Nil,
    };
    let flags = if let Value::Int(flags) = flags { flags } else { 0 };
    Ok(State::from_flags(flags, vm.heap.text(tag).map(|text| text.to_string()).unwrap_or_default()))
}

fn write_state(vm: &mut Vm, props: &StateProps, state: State) -> Run<()> {
    if let Some(prop) = props.flags {
        vm.set_prop(props.object, prop, Value::Int(state.flags()))?;
    }
    if let Some(prop) = props.tag {
        let open = state.in_tag || state.in_entity;
        let tag = if open { vm.heap.new_text(state.tag) } else { Value::Nil };
        vm.set_prop(props.object, prop, tag)?;
    }
    Ok(())
}

fn translate(vm: &mut Vm, args: Args, html: bool) -> Run<Value> {
    let text = vm.want_text(args.this)?;
    let props = match args.get(vm, 0) {
        Value::Nil => None,
        object @ Value::Obj(_) => Some(StateProps {
            object,
            flags: vm.predef.prop("String.specialsToHtml.flags"),
            tag: vm.predef.prop("String.specialsToHtml.tag"),
        }),
        _ => return fail(error::BAD_TYPE_BIF),
    };
    let state = match &props {
        Some(props) => read_state(vm, props)?,
        None => State::default(),
    };
    let mut translation = Translation { state, html, out: String::with_capacity(text.len() * 5 / 4) };
    text.chars().for_each(|c| translation.character(c));
    if let Some(props) = &props {
        write_state(vm, props, translation.state)?;
    }
    Ok(vm.heap.new_text(translation.out))
}

/// `specialsToHtml(state?)`
pub(crate) fn specials_to_html(vm: &mut Vm, args: Args) -> Run<Value> {
    translate(vm, args, true)
}

/// `specialsToText(state?)`: tags go away, entities and control characters become what they stand for.
pub(crate) fn specials_to_text(vm: &mut Vm, args: Args) -> Run<Value> {
    translate(vm, args, false)
}
