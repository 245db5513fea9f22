//! Sets of rules: those that are built in, and those of files.

use crate::compiled;
use crate::encoding::{Utf8, utf8};
use crate::kind::Shape;
use crate::parse::Parser;
use crate::rule::{self, Rule, Rules};
use crate::strength::strength;
use std::io::Read;
use std::rc::Rc;

/// The rules that PHP has, packed and compressed; the folder's README says where they come from.
const BUILT_IN: &[u8] = include_bytes!("../data/rules.bin");

thread_local! {
    static LOADED: Rc<Rules> = Rc::new(unpack_built_in());
}

fn unpack_built_in() -> Rules {
    let mut packed = Vec::new();
    match flate2::read::ZlibDecoder::new(BUILT_IN).read_to_end(&mut packed) {
        Ok(_) => compiled::unpack(&packed).unwrap_or_default(),
        Err(_) => Rules::default(),
    }
}

/// The rules that are built in, which the process reads once.
pub fn built_in() -> Rc<Rules> {
    LOADED.with(Rc::clone)
}

/// Is a rule for texts or for binary files?
fn test_flag(rule: &Rule) -> u8 {
    let flags = rule.text_flags();
    match rule.kind().shape {
        Shape::String | Shape::Pascal | Shape::Wide if flags & rule::FOR_TEXT != 0 => rule::TEXT,
        Shape::String | Shape::Pascal | Shape::Wide => rule::BINARY,
        Shape::Regex | Shape::Search => {
            let binary = if flags & rule::FOR_BINARY != 0 { rule::BINARY } else { 0 };
            let text = if flags & rule::FOR_TEXT != 0 { rule::TEXT } else { 0 };
            match (binary | text, utf8(&rule.pattern()).0) {
                (0, Utf8::Invalid | Utf8::Odd) => rule::BINARY,
                (0, _) => rule::TEXT,
                (given, _) => given,
            }
        }
        Shape::Default | Shape::Clear | Shape::Indirect | Shape::Name | Shape::Use => 0,
        Shape::Invalid | Shape::Id3 => 0,
        _ => rule::BINARY,
    }
}

/// Rules that were read as text.
pub struct Compiled {
    /// `None`: a line was wrong.
    pub rules: Option<Rules>,
    pub warnings: Vec<Vec<u8>>,
}

/// Reads files of rules as text, and puts the rules in order.
pub fn compile(files: &[Vec<u8>]) -> Compiled {
    let mut entries = Vec::new();
    let (mut warnings, mut failed) = (Vec::new(), false);
    for file in files {
        let mut parser = Parser::default();
        parser.read(file);
        entries.append(&mut parser.entries);
        warnings.append(&mut parser.warnings);
        failed |= parser.failed;
    }
    if failed {
        return Compiled { rules: None, warnings };
    }
    let is_named = |entry: &Vec<Rule>| entry.first().is_some_and(|rule| rule.kind().shape == Shape::Name);
    let (named, tried): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_named);
    let (mut rules, mut tried_count) = (Vec::new(), None);
    for mut set in [tried, named] {
        for rule in set.iter_mut().filter_map(|entry| entry.first_mut()) {
            rule.flags |= test_flag(rule);
        }
        set.sort_by_key(|entry| std::cmp::Reverse(entry.first().map_or(0, strength)));
        let is_default = |entry: &Vec<Rule>| entry.first().is_some_and(|rule| rule.kind().shape == Shape::Default);
        if set.iter().position(is_default).is_some_and(|at| at + 1 < set.len()) {
            warnings.push(b"level 0 \"default\" did not sort last".to_vec());
        }
        rules.extend(set.into_iter().flatten());
        tried_count.get_or_insert(rules.len());
    }
    Compiled { rules: Some(Rules::new(rules, tried_count.unwrap_or(0))), warnings }
}

/// Reads compiled rules; `None`: they are none.
pub fn read_compiled(data: &[u8]) -> Option<Rules> {
    compiled::read(data)
}
