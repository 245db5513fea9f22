//! `get_browser`: what a file of browsers (the setting `browscap`) knows about a user agent.

use phlox_ext_standard_file::parse_ini::{self, Entry};
use phlox_ext_standard_file::stream::open::os;
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::{ArrKey, Call, FnDef, Level, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The file that tells what browsers can do.
pub static BROWSCAP: IniString = IniString::unset("browscap", IniAccess::System);

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "get_browser(?string $user_agent = null, bool $return_array = false): object|array|false",
    get_browser,
)];

/// The pattern for browsers that match no other pattern.
const DEFAULT: &[u8] = b"Default Browser Capability Settings";

struct Browser {
    pattern: PhpStr,
    lower: Vec<u8>,
    parent: Option<PhpStr>,
    properties: Vec<(PhpStr, Val)>,
}

struct Browsers {
    list: Vec<Browser>,
    by_pattern: HashMap<PhpStr, usize>,
}

/// The file that was read in this request.
#[derive(Default)]
struct Cache(RefCell<Option<(PhpStr, Rc<Browsers>)>>);

impl Browsers {
    fn read(vm: &Vm, text: &[u8], file: &PhpStr) -> PhpResult<Browsers> {
        let mut browsers = Browsers { list: Vec::new(), by_pattern: HashMap::new() };
        let mut own_parent = None;
        parse_ini::read_raw(vm, text, |entry| match entry {
            Entry::Section(pattern) => {
                let browser = Browser {
                    lower: pattern.to_ascii_lowercase(),
                    pattern: pattern.clone(),
                    parent: None,
                    properties: Vec::new(),
                };
                // A section that comes again replaces the first in its place.
                let index = *browsers.by_pattern.entry(pattern).or_insert(browsers.list.len());
                match browsers.list.get_mut(index) {
                    Some(place) => *place = browser,
                    None => browsers.list.push(browser),
                }
            }
            Entry::Pair { name, value, .. } => {
                let Some(browser) = browsers.list.last_mut() else { return };
                let text = value.as_str().cloned().unwrap_or_else(PhpStr::empty);
                if !name.eq_ignore_ascii_case(b"parent") {
                    browser.properties.push((PhpStr::new(&name.to_ascii_lowercase()), shown(text)));
                } else if text.eq_ignore_ascii_case(&browser.pattern) {
                    own_parent.get_or_insert_with(|| browser.pattern.clone());
                } else {
                    browser.parent = Some(text);
                }
            }
        });
        if let Some(section) = own_parent {
            let text = format!(
                "Invalid browscap ini file: 'Parent' value cannot be same as the section name: {section} (in file {file})"
            );
            vm.raise(Level::CoreError, text.as_bytes())?;
        }
        Ok(browsers)
    }

    fn named(&self, pattern: &[u8]) -> Option<&Browser> {
        self.by_pattern.get(&PhpStr::new(pattern)).map(|&index| &self.list[index])
    }

    /// The browser with the most specific pattern that matches an agent.
    fn find(&self, agent: &[u8]) -> Option<&Browser> {
        if let Some(exact) = self.named(agent) {
            return Some(exact);
        }
        let mut best: Option<(&Browser, usize)> = None;
        for browser in &self.list {
            if browser.lower == agent {
                return Some(browser);
            }
            let weight = browser.lower.iter().filter(|byte| !matches!(byte, b'?' | b'*')).count();
            if best.is_none_or(|(_, most)| weight > most) && matches(&browser.lower, agent) {
                best = Some((browser, weight));
            }
        }
        best.map(|(browser, _)| browser).or_else(|| self.named(DEFAULT))
    }
}

/// A property's value as scripts see it: words for true and false become `1` and the empty string.
fn shown(text: PhpStr) -> Val {
    let is = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    match () {
        () if is(&["on", "yes", "true"]) => "1".into(),
        () if is(&["no", "off", "none", "false"]) => "".into(),
        () => text.into(),
    }
}

/// Does a text match a pattern of `*` and `?`?
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    // The position behind the last star of the pattern, and the position in the text up to which that star matches.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, read));
            }
            Some(&byte) if byte == b'?' || byte == text[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((behind, covered)) = star else { return false };
                at = behind;
                read = covered + 1;
                star = Some((behind, read));
            }
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

/// The pattern as a regular expression.
fn regex(pattern: &[u8]) -> Vec<u8> {
    let mut regex = b"~^".to_vec();
    for &byte in pattern {
        match byte {
            b'?' => regex.push(b'.'),
            b'*' => regex.extend_from_slice(b".*"),
            b'.' | b'\\' | b'(' | b')' | b'~' | b'+' => regex.extend([b'\\', byte]),
            _ => regex.push(byte.to_ascii_lowercase()),
        }
    }
    regex.extend_from_slice(b"$~");
    regex
}

/// Adds the properties of a section that are not set yet.
fn add_properties(browser: &Browser, shown: &mut PhpArr) {
    for (name, value) in &browser.properties {
        let key = ArrKey::from_str(name.clone());
        if shown.get(key.as_key()).is_none() {
            shown.insert(key.as_key(), value.clone());
        }
    }
}

fn browsers(call: &Call<'_>) -> PhpResult<Option<Rc<Browsers>>> {
    let file = call.vm.ini.get(&BROWSCAP);
    if file.is_empty() {
        call.warning("browscap ini directive not set")?;
        return Ok(None);
    }
    let cache = call.vm.data::<Cache>("browscap");
    if let Some((_, browsers)) = cache.0.borrow().as_ref().filter(|(name, _)| *name == file) {
        return Ok(Some(browsers.clone()));
    }
    let Ok(text) = std::fs::read(os(&file)) else {
        call.vm.raise(Level::CoreWarning, format!("Cannot open \"{file}\" for reading").as_bytes())?;
        return Ok(None);
    };
    let browsers = Rc::new(Browsers::read(call.vm, &text, &file)?);
    *cache.0.borrow_mut() = Some((file, browsers.clone()));
    Ok(Some(browsers))
}

/// The agent of the request.
fn agent_of_request(vm: &Vm) -> Option<PhpStr> {
    let server = vm.globals.find(&PhpStr::new(b"_SERVER"))?.get_deref();
    server.as_arr()?.get_bytes(b"HTTP_USER_AGENT")?.deref().into_str()
}

fn get_browser(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(browsers) = browsers(call)? else { return Ok(Val::FALSE) };
    let Some(agent) = call.opt_str(0).or_else(|| agent_of_request(call.vm)) else {
        call.warning("HTTP_USER_AGENT variable is not set, cannot determine user agent name")?;
        return Ok(Val::FALSE);
    };
    let Some(found) = browsers.find(&agent.to_ascii_lowercase()) else { return Ok(Val::FALSE) };
    let mut shown = PhpArr::new();
    shown.set_bytes(b"browser_name_regex", regex(&found.pattern).into());
    shown.set_bytes(b"browser_name_pattern", (&found.pattern).into());
    if let Some(parent) = &found.parent {
        shown.set_bytes(b"parent", parent.into());
    }
    add_properties(found, &mut shown);
    // The number of steps is limited because ancestors may form a cycle.
    let mut next = found.parent.clone();
    for _ in 0..browsers.list.len() {
        let Some(ancestor) = next.and_then(|pattern| browsers.named(&pattern)) else { break };
        add_properties(ancestor, &mut shown);
        next = ancestor.parent.clone();
    }
    if call.bool(1) {
        return Ok(shown.into());
    }
    let object = phlox_runtime::convert::to_object(call.vm, shown.into())?;
    Ok(object.into())
}
