//! regex-pattern, and patterns given as strings.

use std::rc::Rc;

use super::{Meta, Method, methods};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::regex::{Match, Regex};
use crate::text::Text;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    getPatternString 0 0 => pattern_string,
};

/// A compiled pattern with its source.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The source string.
    pub source: Value,
    /// The program; `None` if the source is malformed: then nothing matches.
    pub(crate) regex: Option<Rc<Regex>>,
}

/// What rexGroup speaks about.
#[derive(Debug, Default)]
pub(crate) struct LastMatch {
    /// The text that was searched.
    pub text: Option<Text>,
    /// What was found.
    pub found: Option<Match>,
}

/// Patterns given as strings that are kept compiled.
const CACHED: usize = 256;

/// `new RexPattern(source)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let source = args.get(vm, 0);
    let text = vm.want_text(source)?;
    let regex = vm.compiled(&text);
    Ok(Value::Obj(vm.heap.alloc(Obj::Pattern(Box::new(Pattern { source, regex })))))
}

/// From an image: the source string.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let source = loader.value()?;
    let text = loader.vm.heap.text(source).cloned();
    let regex = text.and_then(|text| loader.vm.compiled(&text));
    Ok(Obj::Pattern(Box::new(Pattern { source, regex })))
}

fn pattern_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    match vm.heap.get(id) {
        Obj::Pattern(pattern) => Ok(pattern.source),
        _ => fail(error::OBJ_VAL_REQD),
    }
}

impl Vm {
    /// The program of a pattern's text.
    pub(crate) fn compiled(&mut self, text: &str) -> Option<Rc<Regex>> {
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

    /// The program of a RexPattern object.
    pub(crate) fn pattern_object(&self, value: Value) -> Option<Option<Rc<Regex>>> {
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Pattern(pattern) => Some(pattern.regex.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The program of a RexPattern object or a string.
    pub(crate) fn pattern_arg(&mut self, value: Value) -> Run<Option<Rc<Regex>>> {
        if let Some(regex) = self.pattern_object(value) {
            return Ok(regex);
        }
        match self.heap.text(value).cloned() {
            Some(text) => Ok(self.compiled(&text)),
            None => fail(error::BAD_TYPE_BIF),
        }
    }

    /// Remembers what rexGroup speaks about from now on.
    pub(crate) fn remember_match(&mut self, text: &Text, found: Option<Match>) {
        self.state.last_match = LastMatch { text: Some(text.clone()), found };
    }
}
