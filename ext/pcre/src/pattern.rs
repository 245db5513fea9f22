//! Patterns with delimiters and modifiers, compiled and kept.

use crate::state::{INTERNAL_ERROR, State};
use phlox_pcre::{Code, MatchError, Matcher, compile_options as options, extra_options, match_options};
use phlox_runtime::ini::{IniAccess, IniBool};
use phlox_runtime::{Call, Level, PhpResult, PhpStr, Vm};
use std::rc::Rc;

/// Patterns are compiled to machine code.
pub static JIT: IniBool = IniBool::new("pcre.jit", "1", IniAccess::All);

/// A compiled pattern.
pub struct Regex {
    pub code: Code,
    pub utf: bool,
    /// Groups, the whole match included.
    pub group_count: usize,
    pub has_names: bool,
    /// Several groups may have the same name.
    pub has_same_names: bool,
    /// The pattern may set a mark.
    has_marks: bool,
    /// Name of each group.
    pub names: Vec<Option<PhpStr>>,
}

/// Patterns kept at most.
const CACHE_MAX: usize = 4096;

/// The compiled pattern, or `None` after a warning.
pub fn compile(call: &Call<'_>, state: &State, source: &PhpStr) -> PhpResult<Option<Rc<Regex>>> {
    if let Some(regex) = state.compiled(source) {
        return Ok(Some(regex));
    }
    match parse(call.vm, source) {
        Ok(regex) => {
            let regex = Rc::new(regex);
            let mut cache = state.cache.borrow_mut();
            if cache.len() >= CACHE_MAX {
                cache.clear();
            }
            cache.insert(source.clone(), regex.clone());
            Ok(Some(regex))
        }
        Err(message) => {
            state.last_error.set(INTERNAL_ERROR);
            // A delimiter or modifier is one byte, whatever it is.
            let message: Vec<u8> = message.chars().map(|letter| letter as u8).collect();
            call.raise(Level::Warning, &message)?;
            Ok(None)
        }
    }
}

fn parse(vm: &Vm, source: &PhpStr) -> Result<Regex, String> {
    let text = &source[source.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count()..];
    let Some((&delimiter, body)) = text.split_first() else { return Err("Empty regular expression".into()) };
    if delimiter.is_ascii_alphanumeric() || delimiter == b'\\' || delimiter == 0 {
        return Err("Delimiter must not be alphanumeric, backslash, or NUL byte".into());
    }
    let closing = match delimiter {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    };
    let end = find_end(body, delimiter, closing).ok_or_else(|| {
        let kind = if closing == delimiter { "ending" } else { "ending matching" };
        format!("No {kind} delimiter '{}' found", closing as char)
    })?;
    let (pattern, modifiers) = (&body[..end], &body[end + 1..]);
    let (mut flags, mut extra, mut utf) = (0, extra_options::ALLOW_LOOKAROUND_BSK, false);
    for &modifier in modifiers {
        flags |= match modifier {
            b'i' => options::CASELESS,
            b'm' => options::MULTILINE,
            b's' => options::DOTALL,
            b'x' => options::EXTENDED,
            b'A' => options::ANCHORED,
            b'D' => options::DOLLAR_ENDONLY,
            b'U' => options::UNGREEDY,
            b'J' => options::DUPNAMES,
            b'n' => options::NO_AUTO_CAPTURE,
            b'u' => {
                utf = true;
                options::UTF | options::UCP
            }
            b'r' => {
                extra |= extra_options::CASELESS_RESTRICT;
                0
            }
            b'S' | b'X' | b' ' | b'\n' | b'\r' => 0,
            0 => return Err("NUL byte is not a valid modifier".into()),
            other => return Err(format!("Unknown modifier '{}'", other as char)),
        };
    }
    let code = Code::compile(pattern, flags, extra, vm.ini.get(&JIT))
        .map_err(|error| format!("Compilation failed: {} at offset {}", error.message, error.offset))?;
    let group_count = code.capture_count() + 1;
    let mut names = vec![None; group_count];
    for (number, name) in code.names() {
        if let Some(place) = names.get_mut(number) {
            *place = Some(PhpStr::new(&name));
        }
    }
    let has_names = names.iter().any(Option::is_some);
    let named = || names.iter().flatten();
    let has_same_names = named().enumerate().any(|(at, name)| named().skip(at + 1).any(|other| other == name));
    let has_marks = pattern.windows(2).any(|pair| pair == b"(*");
    Ok(Regex { code, utf, group_count, has_names, has_same_names, has_marks, names })
}

/// Where the closing delimiter is; bracket delimiters nest.
fn find_end(body: &[u8], opening: u8, closing: u8) -> Option<usize> {
    let (mut at, mut depth) = (0, 1);
    while at < body.len() {
        match body[at] {
            b'\\' => at += 1,
            byte if byte == closing => {
                depth -= 1;
                if depth == 0 || opening == closing {
                    return Some(at);
                }
            }
            byte if byte == opening => depth += 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Successive matches of a pattern in a subject.
pub struct Search<'a> {
    regex: &'a Regex,
    subject: &'a [u8],
    matcher: Matcher<'a>,
    offset: usize,
    /// Set after an empty match: the next one must not be empty at the same place.
    retry: bool,
    checked: bool,
}

/// One match: how many groups are set.
pub struct Found {
    pub count: usize,
    pub start: usize,
    pub end: usize,
}

impl<'a> Search<'a> {
    /// `None`: out of memory. Inlined, as the next: what they give is not copied before it is used.
    #[inline(always)]
    pub fn new(vm: &Vm, state: &State, regex: &'a Regex, subject: &'a [u8], offset: usize) -> Option<Search<'a>> {
        let (backtracks, depth) = state.limits(vm);
        let matcher = Matcher::new(&regex.code, backtracks, depth)?;
        Some(Search { regex, subject, matcher, offset, retry: false, checked: false })
    }

    /// The next match.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Found>, MatchError> {
        loop {
            let mut how = if self.retry { match_options::NOTEMPTY_ATSTART | match_options::ANCHORED } else { 0 };
            if self.regex.utf && (self.checked || self.is_readable()) {
                how |= match_options::NO_UTF_CHECK;
            }
            let found = self.matcher.run(self.subject, self.offset, how)?;
            self.checked = true;
            if let Some(count) = found {
                let (start, end) = self.matcher.group(0).unwrap_or((self.offset, self.offset));
                // `\K` in a look-ahead can put the start behind the end.
                if end < start {
                    return Err(MatchError::StartBehindEnd);
                }
                self.offset = end;
                self.retry = start == end;
                return Ok(Some(Found { count, start, end }));
            }
            if !self.retry || self.offset >= self.subject.len() {
                return Ok(None);
            }
            self.offset += self.character_length(self.offset);
            self.retry = false;
        }
    }

    /// Is the subject UTF-8, and the offset between two of its characters? Most are short and ASCII, which is found out faster here
    /// than by the library, which says what is wrong with others.
    fn is_readable(&self) -> bool {
        std::str::from_utf8(self.subject).is_ok_and(|text| text.is_char_boundary(self.offset))
    }

    /// Bytes of the character at an offset.
    pub fn character_length(&self, at: usize) -> usize {
        let rest = &self.subject[at.min(self.subject.len())..];
        if !self.regex.utf {
            return 1;
        }
        1 + rest.iter().skip(1).take_while(|&&byte| byte & 0xc0 == 0x80).count()
    }

    #[inline]
    pub fn group(&self, index: usize) -> Option<&'a [u8]> {
        self.matcher.group(index).and_then(|(start, end)| self.subject.get(start..end))
    }

    /// The text of a group that is set, or the empty text.
    #[inline(always)]
    pub fn text(&self, index: usize) -> PhpStr {
        self.group(index).map_or_else(PhpStr::empty, PhpStr::new)
    }

    pub fn group_start(&self, index: usize) -> Option<usize> {
        self.matcher.group(index).map(|(start, _)| start)
    }

    #[inline]
    pub fn mark(&self) -> Option<Vec<u8>> {
        if self.regex.has_marks { self.matcher.mark() } else { None }
    }

    pub fn regex(&self) -> &'a Regex {
        self.regex
    }
}
