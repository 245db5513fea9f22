//! Patterns with delimiters and modifiers, which are compiled once and cached.

use crate::state::{INTERNAL_ERROR, State};
use phlox_pcre::{Code, MatchError, Matcher, compile_options as options, extra_options, match_options};
use phlox_runtime::ini::{IniAccess, IniBool};
use phlox_runtime::{Call, Level, PhpResult, PhpStr, Vm};
use std::rc::Rc;

/// `pcre.jit`: whether patterns are compiled to machine code.
pub static JIT: IniBool = IniBool::new("pcre.jit", "1", IniAccess::All);

/// A compiled pattern.
pub struct Regex {
    /// The compiled pattern of PCRE2.
    pub code: Code,
    /// Whether pattern and subjects are UTF-8.
    pub utf: bool,
    /// The number of groups, including the whole match.
    pub group_count: usize,
    /// Whether any group has a name.
    pub has_names: bool,
    /// Whether several groups may have one name.
    pub has_same_names: bool,
    /// Whether the pattern may set a mark.
    has_marks: bool,
    /// The name of each group, if it has one.
    pub names: Vec<Option<PhpStr>>,
}

/// The compiled pattern; `None` after a warning.
pub fn compile(call: &Call<'_>, state: &State, source: &PhpStr) -> PhpResult<Option<Rc<Regex>>> {
    if let Some(regex) = state.compiled(source) {
        return Ok(Some(regex));
    }
    match parse(call.vm, source) {
        Ok(regex) => {
            let regex = Rc::new(regex);
            crate::state::keep(source, &regex);
            Ok(Some(regex))
        }
        Err(message) => {
            state.last_error.set(INTERNAL_ERROR);
            // The message has delimiters and modifiers as characters of one byte each.
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

/// The offset of the closing delimiter. Bracket delimiters nest.
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
    /// Set after an empty match. The next match must not be empty at that offset.
    retry: bool,
    checked: bool,
}

/// A match: the number of groups that are set, and its bounds.
pub struct Found {
    /// The number of groups that are set, including the whole match.
    pub count: usize,
    /// The offset at which the match starts.
    pub start: usize,
    /// The offset behind the match.
    pub end: usize,
}

impl<'a> Search<'a> {
    /// A search from an offset. `None`: there is no memory. It is inlined, as `next` is, so that the results are not
    /// copied.
    #[inline(always)]
    pub fn new(vm: &Vm, state: &State, regex: &'a Regex, subject: &'a [u8], offset: usize) -> Option<Search<'a>> {
        let (backtracks, depth) = state.limits(vm);
        let matcher = Matcher::new(&regex.code, backtracks, depth)?;
        Some(Search { regex, subject, matcher, offset, retry: false, checked: false })
    }

    /// The next match; `None` at the end.
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
                // `\K` in a look-ahead can put the start behind the end, which PHP reports.
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

    /// Whether the subject is UTF-8 and the offset between two characters. Most subjects are short and ASCII, for which
    /// this check is faster than PCRE2's own. PCRE2 checks the others, and reports what is wrong.
    fn is_readable(&self) -> bool {
        std::str::from_utf8(self.subject).is_ok_and(|text| text.is_char_boundary(self.offset))
    }

    /// The length in bytes of the character at an offset.
    pub fn character_length(&self, at: usize) -> usize {
        let rest = &self.subject[at.min(self.subject.len())..];
        if !self.regex.utf {
            return 1;
        }
        1 + rest.iter().skip(1).take_while(|&&byte| byte & 0xc0 == 0x80).count()
    }

    /// The text of a group in the last match; `None` if it did not take part.
    #[inline]
    pub fn group(&self, index: usize) -> Option<&'a [u8]> {
        self.matcher.group(index).and_then(|(start, end)| self.subject.get(start..end))
    }

    /// The text of a group; empty if it did not take part.
    #[inline(always)]
    pub fn text(&self, index: usize) -> PhpStr {
        self.group(index).map_or_else(PhpStr::empty, PhpStr::new)
    }

    /// The start of a group in the last match; `None` if it did not take part.
    pub fn group_start(&self, index: usize) -> Option<usize> {
        self.matcher.group(index).map(|(start, _)| start)
    }

    /// The mark that the last match passed.
    #[inline]
    pub fn mark(&self) -> Option<Vec<u8>> {
        if self.regex.has_marks { self.matcher.mark() } else { None }
    }

    /// The pattern of the search.
    pub fn regex(&self) -> &'a Regex {
        self.regex
    }
}
