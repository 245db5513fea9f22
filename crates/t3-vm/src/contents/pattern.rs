//! Compiled regular expressions and the last match.

use std::rc::Rc;

use phlox_t3_library::regex::{Match, Regex};

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::objects::pattern::LastMatch;
use crate::text::Text;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

/// Patterns given as strings that are kept compiled.
pub const CACHED: usize = 256;

impl Vm {
    /// The program of a pattern's text.
    pub fn compiled(&mut self, text: &str) -> Option<Rc<Regex>> {
        if let Some(regex) = self.state.patterns.get(text) {
            return regex.clone();
        }
        let regex = Regex::new(text).map(Rc::new);
        if self.state.patterns.len() >= CACHED {
            self.state.patterns.clear();
        }
        self.state.patterns.insert(text.to_owned(), regex.clone());
        regex
    }

    /// Compiles the patterns whose sources are objects, which may have been read after them.
    pub fn compile_patterns(&mut self) {
        for id in 1..self.heap.slots.len() as ObjId {
            let Obj::Pattern(pattern) = self.heap.get(id) else { continue };
            let Value::Obj(_) = pattern.source else { continue };
            let text = self.heap.text(pattern.source).cloned();
            let regex = text.and_then(|text| self.compiled(&text));
            if let Some(Obj::Pattern(pattern)) = self.heap.get_mut(id) {
                pattern.regex = regex;
            }
        }
    }

    /// The program of a RexPattern object.
    pub fn pattern_object(&self, value: Value) -> Option<Option<Rc<Regex>>> {
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Pattern(pattern) => Some(pattern.regex.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The program of a RexPattern object or a string.
    pub fn pattern_arg(&mut self, value: Value) -> Run<Option<Rc<Regex>>> {
        if let Some(regex) = self.pattern_object(value) {
            return Ok(regex);
        }
        match self.heap.text(value).cloned() {
            Some(text) => Ok(self.compiled(&text)),
            None => fail(error::BAD_TYPE_BIF),
        }
    }

    /// Remembers what rexGroup speaks about from now on.
    pub fn remember_match(&mut self, text: &Text, found: Option<Match>) {
        self.state.last_match = LastMatch { text: Some(text.clone()), found };
    }
}
