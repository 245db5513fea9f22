//! Reads a page in pieces and adds variables to the URLs in the attributes that are named, and to forms.
//!
//! Text that cannot be understood without the next piece waits for it. At the end of the page it is written unchanged,
//! as in PHP even the `>` of a form that ends the page.

use crate::url;

/// The variables, and the tags and hosts that they are added to.
pub(super) struct Page {
    /// Tags in lower case and the attribute of each that is a URL.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// Hosts in lower case whose URLs change; others' do not.
    pub hosts: Vec<Vec<u8>>,
    pub own_host: Option<Vec<u8>>,
    pub in_url: Vec<u8>,
    pub in_form: Vec<u8>,
    pub separator: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    Tag,
    NextAttribute,
    Attribute,
    BeforeValue,
    Value,
}

/// The state of the scan between two pieces of the page.
#[derive(Default)]
pub(super) struct Scanner {
    state: State,
    rest: Vec<u8>,
    is_form: bool,
    /// The attribute that is a URL in the tag being read.
    wanted: Vec<u8>,
    attribute: Vec<u8>,
    /// The last form's action.
    action: Vec<u8>,
}

/// The number of bytes of a kind at the start; `None` if all are, so that more may follow in the next piece.
fn run(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> Option<usize> {
    text.iter().position(|&byte| !is_of_kind(byte))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\x0b' | b'\r' | b'\t' | b'\n')
}

impl Scanner {
    /// Takes out the text that waits for the next piece.
    pub fn take_rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rest)
    }

    /// Reads the next piece; at the `end`, what waits goes out, too.
    pub fn scan(&mut self, piece: &[u8], page: &Page, end: bool) -> Vec<u8> {
        let mut text = self.take_rest();
        text.extend_from_slice(piece);
        let mut out = Vec::with_capacity(text.len() + text.len() / 8);
        let mut at = 0;
        while let Some(used) = self.step(&text[at..], page, &mut out) {
            at += used;
        }
        if end {
            out.extend_from_slice(&text[at..]);
            self.action.clear();
        } else {
            self.rest = text.split_off(at);
        }
        out
    }

    /// Scans one token; gives the number of bytes. `None` if more text is needed.
    fn step(&mut self, text: &[u8], page: &Page, out: &mut Vec<u8>) -> Option<usize> {
        let first = *text.first()?;
        let (used, state) = match self.state {
            State::Plain if first == b'<' => (1, State::Tag),
            State::Plain => (run(text, |byte| byte != b'<')?, State::Plain),
            State::Tag => match run(text, |byte| byte.is_ascii_alphabetic() || byte == b':')? {
                0 => (1, State::Plain),
                length => (length, self.enter_tag(&text[..length], page)),
            },
            State::NextAttribute => {
                let second = *text.get(1)?;
                if first == b'>' || (first, second) == (b'/', b'>') {
                    let length = if first == b'>' { 1 } else { 2 };
                    out.extend_from_slice(&text[..length]);
                    if self.is_form && self.may_change_form(page) {
                        out.extend_from_slice(&page.in_form);
                    }
                    self.state = State::Plain;
                    return Some(length);
                }
                match run(text, is_blank)? {
                    0 if first.is_ascii_alphabetic() => (0, State::Attribute),
                    0 => (1, State::Plain),
                    length => (length, State::NextAttribute),
                }
            }
            State::Attribute => match run(text, |byte| byte.is_ascii_alphabetic() || byte == b'-')? {
                0 => (1, State::NextAttribute),
                length => {
                    self.attribute = text[..length].to_vec();
                    (length, State::BeforeValue)
                }
            },
            State::BeforeValue => {
                text.get(1)?;
                let blanks = run(text, |byte| byte == b' ')?;
                match text[blanks] {
                    b'=' => {
                        let equals = blanks + 1;
                        (equals + run(&text[equals..], |byte| byte == b' ')?, State::Value)
                    }
                    _ => (0, State::NextAttribute),
                }
            }
            State::Value => return self.value(text, page, out),
        };
        out.extend_from_slice(&text[..used]);
        self.state = state;
        Some(used)
    }

    fn enter_tag(&mut self, name: &[u8], page: &Page) -> State {
        let name = name.to_ascii_lowercase();
        let Some((_, wanted)) = page.tags.iter().find(|(tag, _)| *tag == name) else { return State::Plain };
        self.wanted = wanted.clone();
        self.is_form = name == b"form";
        State::NextAttribute
    }

    fn value(&mut self, text: &[u8], page: &Page, out: &mut Vec<u8>) -> Option<usize> {
        text.get(1)?;
        let quote = text[0];
        self.state = State::NextAttribute;
        let found = match quote {
            b'"' | b'\'' => run(&text[1..], |byte| byte != quote && byte != b'>').map(|length| (1, length)),
            _ => run(text, |byte| !matches!(byte, b' ' | b'\r' | b'\t' | b'\n' | b'>' | b'\'' | b'"'))
                .map(|length| (0, length)),
        };
        let Some((quotes, length)) = found else {
            self.state = State::Value;
            return None;
        };
        let is_value = if quotes == 1 { text[1 + length] == quote } else { length > 0 };
        if !is_value {
            out.push(text[0]);
            return Some(1);
        }
        let value = &text[quotes..quotes + length];
        // PHP compares only as many letters as the word has, so its beginning is enough.
        if self.is_form
            && b"action".get(..self.attribute.len()).is_some_and(|w| w.eq_ignore_ascii_case(&self.attribute))
        {
            self.action = value.to_vec();
        }
        let quoted: &[u8] = &text[..quotes];
        out.extend_from_slice(quoted);
        if self.attribute.eq_ignore_ascii_case(&self.wanted) {
            add_to_url(value, page, out);
        } else {
            out.extend_from_slice(value);
        }
        out.extend_from_slice(quoted);
        Some(length + 2 * quotes)
    }

    /// Does the form go to this host, or to one that is named?
    fn may_change_form(&self, page: &Page) -> bool {
        if self.action.is_empty() {
            return true;
        }
        let Some(url) = url::parse(&self.action) else { return false };
        if !is_web(&url) {
            return false;
        }
        let Some(host) = url.host else { return true };
        let is_own = || page.own_host.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(host));
        (page.hosts.is_empty() && is_own()) || page.hosts.iter().any(|known| known == host)
    }
}

fn is_web(url: &url::Url<'_>) -> bool {
    url.scheme.is_none_or(|scheme| scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https"))
}

/// Appends a URL with the variables, or as it is if it leads elsewhere.
fn add_to_url(text: &[u8], page: &Page, out: &mut Vec<u8>) {
    let known = |host: &[u8]| page.hosts.iter().any(|known| host.eq_ignore_ascii_case(known));
    let parsed = url::parse(text)
        .filter(|url| is_web(url) && !(url.fragment.is_some() && text.starts_with(b"#")) && url.host.is_none_or(known));
    let Some(url) = parsed else { return out.extend_from_slice(text) };
    if url.path.is_none() && url.query.is_none() && url.fragment.is_none() {
        return out.extend([text, b"/?", &page.in_url].concat());
    }
    // Parts of URLs have no control characters.
    let clean =
        |part: &[u8]| part.iter().map(|&byte| if byte.is_ascii_control() { b'_' } else { byte }).collect::<Vec<u8>>();
    match url.scheme {
        Some(scheme) => out.extend([scheme, b"://"].concat()),
        None if text.starts_with(b"//") => out.extend_from_slice(b"//"),
        None => {}
    }
    if let Some(user) = url.user {
        out.extend(clean(user));
        // The parts are written in PHP's order.
        if let Some(pass) = url.pass {
            out.extend([&clean(pass)[..], b":"].concat());
        }
        out.push(b'@');
    }
    out.extend(clean(url.host.unwrap_or_default()));
    if let Some(port) = url.port {
        out.extend_from_slice(format!(":{port}").as_bytes());
    }
    out.extend(clean(url.path.unwrap_or_default()));
    out.push(b'?');
    if let Some(query) = url.query {
        out.extend([&clean(query)[..], &page.separator].concat());
    }
    out.extend_from_slice(&page.in_url);
    if let Some(fragment) = url.fragment {
        out.extend([b"#", &clean(fragment)[..]].concat());
    }
}
