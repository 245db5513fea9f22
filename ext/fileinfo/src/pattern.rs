//! The regular expressions of rules, which PCRE2 runs.

use phlox_pcre::{Code, Matcher, compile_options};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Steps that a match may take, as PHP's settings have it.
const BACKTRACK_LIMIT: u32 = 1_000_000;
const RECURSION_LIMIT: u32 = 100_000;

/// Patterns that are kept compiled.
const KEPT: usize = 4096;

thread_local! {
    /// Compiled patterns by text and case folding; `None`: the pattern is wrong.
    static COMPILED: RefCell<HashMap<(Box<[u8]>, bool), Option<Rc<Code>>>> = RefCell::default();
}

/// The pattern as PHP writes it between tildes.
fn escaped(pattern: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(pattern.len());
    for &byte in pattern {
        match byte {
            b'~' => text.extend_from_slice(b"\\~"),
            0 => text.extend_from_slice(b"\\x00"),
            byte => text.push(byte),
        }
    }
    text
}

/// Says what is wrong with a pattern.
pub fn problem(pattern: &[u8]) -> Option<String> {
    let error = Code::compile(&escaped(pattern), 0, 0, false).err()?;
    Some(format!("Compilation failed: {} at offset {}", error.message, error.offset))
}

fn compiled(pattern: &[u8], folds: bool) -> Option<Rc<Code>> {
    COMPILED.with_borrow_mut(|kept| {
        let key = (Box::from(pattern), folds);
        if let Some(code) = kept.get(&key) {
            return code.clone();
        }
        let options = compile_options::MULTILINE | if folds { compile_options::CASELESS } else { 0 };
        let code = Code::compile(&escaped(pattern), options, 0, true).ok().map(Rc::new);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, code.clone());
        code
    })
}

/// Where a pattern matches first. The error: the pattern is wrong, or the match goes beyond a limit.
pub fn find(pattern: &[u8], folds: bool, text: &[u8]) -> Result<Option<(usize, usize)>, ()> {
    let code = compiled(pattern, folds).ok_or(())?;
    let Some(mut matcher) = Matcher::new(&code, BACKTRACK_LIMIT, RECURSION_LIMIT) else { return Ok(None) };
    match matcher.run(text, 0, 0) {
        Ok(Some(_)) => Ok(matcher.group(0).filter(|(start, end)| start <= end && *end <= text.len())),
        Ok(None) => Ok(None),
        Err(_) => Err(()),
    }
}
