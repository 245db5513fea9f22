//! Parsing of token lists by grammar productions.
//!
//! All alternatives are followed at once. States wait on a stack, newest first, and a finished production goes on with
//! a copy of the state that asked for it; so a state never changes once others hold it. Alternatives with a badness
//! wait aside until nothing else is left and nothing has matched.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::grammar::{Alternative, Element, Literal};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};
use phlox_t3_vm::vm::{Args, Vm};

/// States of one parse: a grammar that grows without end is stopped.
const MAX_STATES: usize = 2_000_000;

/// A token of the input.
struct Token {
    kind: u32,
    text: Option<Text>,
    speech: Vec<PropId>,
    /// Literals that match it, with what the comparator says, if those are known beforehand.
    literals: Option<Vec<(u32, Value)>>,
}

/// A part of a match tree.
#[derive(Debug)]
enum Tree {
    /// One token; the position, whether a star took it, and what the comparator said.
    Token { prop: PropId, at: usize, star: bool, result: Value },
    /// A production's match.
    Production { prop: PropId, processor: ObjId, parts: Vec<Rc<Tree>>, at: usize },
}

/// The parts of an alternative that are matched, the last first; shared by the states that go on from there.
#[derive(Clone, Default)]
struct Parts {
    last: Option<Rc<(Rc<Tree>, Parts)>>,
    count: usize,
}

impl Parts {
    fn push(&mut self, tree: Rc<Tree>) {
        let before = std::mem::take(self);
        *self = Parts { count: before.count + 1, last: Some(Rc::new((tree, before))) };
    }

    fn to_vec(&self) -> Vec<Rc<Tree>> {
        let mut out = Vec::with_capacity(self.count);
        let mut next = &self.last;
        while let Some(node) = next {
            out.push(node.0.clone());
            next = &node.1.last;
        }
        out.reverse();
        out
    }
}

/// An alternative being matched.
#[derive(Clone)]
struct State {
    /// The state that wants this production, and the property that it puts the match into.
    outer: Option<Rc<State>>,
    production: ObjId,
    alternative: Rc<Alternative>,
    parts: Parts,
    at: usize,
    starred: bool,
    /// Whether the production has alternatives that begin with itself.
    circular: bool,
}

/// What of a production is worth trying at a place.
struct Ready {
    alternatives: Vec<Rc<Alternative>>,
    /// Whether the production has alternatives that begin with itself.
    circular: bool,
}

/// A parse in progress.
struct Parser<'a> {
    vm: &'a mut Vm,
    tokens: Vec<Token>,
    comparator: ObjId,
    work: Vec<State>,
    bad: Vec<State>,
    found: Vec<(Rc<Tree>, usize)>,
    /// By production, place, and whether alternatives that begin with the production are meant.
    ready: HashMap<(ObjId, usize, bool), Rc<Ready>>,
    states: usize,
}

impl Parser<'_> {
    fn grammar(&self, id: ObjId) -> Run<Rc<Vec<Rc<Alternative>>>> {
        match self.vm.heap.get(id) {
            Obj::Grammar(grammar) => Ok(grammar.alternatives.clone()),
            _ => fail(error::INVAL_OBJ_TYPE),
        }
    }

    fn run(&mut self) -> Run<()> {
        loop {
            if self.work.is_empty() && self.found.is_empty() {
                self.admit_bad();
            }
            let Some(state) = self.work.pop() else { return Ok(()) };
            self.advance(state)?;
        }
    }

    /// The least bad of the waiting states get their turn.
    fn admit_bad(&mut self) {
        let Some(least) = self.bad.iter().map(|state| state.alternative.badness).min() else { return };
        // The newest is looked at first, so it ends up deepest.
        let waiting = std::mem::take(&mut self.bad);
        let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|state| state.alternative.badness == least);
        self.bad = later;
        self.work.extend(now.into_iter().rev());
    }

    /// Starts the alternatives of a production. `first` is the match of the production itself that circular
    /// alternatives begin with; without one, only the others are started.
    fn start(&mut self, id: ObjId, at: usize, outer: Option<Rc<State>>, first: Option<Rc<Tree>>) -> Run<()> {
        let ready = self.ready(id, at, first.is_some())?;
        for alternative in &ready.alternatives {
            self.states += 1;
            if self.states > MAX_STATES {
                return fail(error::OUT_OF_MEMORY);
            }
            let mut state = State {
                outer: outer.clone(),
                production: id,
                alternative: alternative.clone(),
                parts: Parts::default(),
                at,
                starred: false,
                circular: ready.circular,
            };
            if let (Some(first), Some(part)) = (&first, alternative.parts.first())
                && let Tree::Production { processor, parts, at, .. } = &**first
            {
                let (processor, parts, at) = (*processor, parts.clone(), *at);
                state.parts.push(Rc::new(Tree::Production { prop: part.prop, processor, parts, at }));
            }
            if alternative.badness != 0 { self.bad.push(state) } else { self.work.push(state) }
        }
        Ok(())
    }

    /// The alternatives of a production that could match at a place; those that begin with the production itself, or
    /// the others.
    fn ready(&mut self, id: ObjId, at: usize, circular: bool) -> Run<Rc<Ready>> {
        if let Some(ready) = self.ready.get(&(id, at, circular)) {
            return Ok(ready.clone());
        }
        let all = self.grammar(id)?;
        let mut alternatives = Vec::new();
        let mut any_circular = false;
        for alternative in all.iter() {
            let is_circular = alternative.begins_with(id);
            any_circular |= is_circular;
            if is_circular == circular && self.could_match(alternative, at, circular)? {
                alternatives.push(alternative.clone());
            }
        }
        let ready = Rc::new(Ready { alternatives, circular: any_circular });
        self.ready.insert((id, at, circular), ready.clone());
        Ok(ready)
    }

    /// A quick look ahead: terminals must be at their place, or, after a production, somewhere later.
    fn could_match(&mut self, alternative: &Alternative, at: usize, skip_first: bool) -> Run<bool> {
        let mut at = at;
        let mut after_production = false;
        for (n, part) in alternative.parts.iter().enumerate() {
            match &part.element {
                Element::Production(_) => after_production |= !(skip_first && n == 0),
                Element::Star => return Ok(true),
                element => {
                    while !self.matches(element, at)?.0 {
                        if !after_production || at >= self.tokens.len() {
                            return Ok(false);
                        }
                        at += 1;
                    }
                    at += 1;
                }
            }
        }
        Ok(true)
    }

    /// Whether a terminal matches a token, and what the comparator says about a literal.
    fn matches(&mut self, element: &Element, at: usize) -> Run<(bool, Value)> {
        let Some(token) = self.tokens.get(at) else { return Ok((false, Value::Nil)) };
        Ok(match element {
            Element::Speech(props) => (props.iter().any(|prop| token.speech.contains(prop)), Value::Nil),
            Element::TokenType(kind) => (token.kind == *kind, Value::Nil),
            Element::Literal(Literal { number, text: literal }) => match (&token.literals, token.text.clone()) {
                (Some(known), _) => match known.iter().find(|row| row.0 == *number) {
                    Some((_, result)) => (true, *result),
                    None => (false, Value::Nil),
                },
                (None, Some(text)) => {
                    let result = self.vm.compare_words(self.comparator, &text, literal)?;
                    (!result.is_false(), result)
                }
                (None, None) => (false, Value::Nil),
            },
            Element::Production(_) | Element::Star => (false, Value::Nil),
        })
    }

    fn advance(&mut self, mut state: State) -> Run<()> {
        while let Some(part) = state.alternative.clone().parts.get(state.parts.count) {
            let (star, result) = match &part.element {
                Element::Production(id) => {
                    let (id, at) = (*id, state.at);
                    return self.start(id, at, Some(Rc::new(state)), None);
                }
                Element::Star => {
                    state.starred = true;
                    (true, Value::Nil)
                }
                element => {
                    let (matched, result) = self.matches(element, state.at)?;
                    if !matched {
                        return Ok(());
                    }
                    (false, result)
                }
            };
            state.parts.push(Rc::new(Tree::Token { prop: part.prop, at: state.at, star, result }));
            if !state.starred {
                state.at += 1;
            }
        }
        self.finish(state)
    }

    /// A production is complete: the state that wanted it goes on.
    fn finish(&mut self, state: State) -> Run<()> {
        let prop = state
            .outer
            .as_ref()
            .map_or(NO_PROP, |outer| outer.alternative.parts.get(outer.parts.count).map_or(NO_PROP, |part| part.prop));
        let processor = state.alternative.processor;
        let tree = Rc::new(Tree::Production { prop, processor, parts: state.parts.to_vec(), at: state.at });
        if state.circular {
            self.start(state.production, state.at, state.outer.clone(), Some(tree.clone()))?;
        }
        match state.outer {
            Some(outer) => {
                let mut outer = (*outer).clone();
                outer.parts.push(tree);
                outer.at = state.at;
                outer.starred = state.starred;
                self.work.push(outer);
            }
            None if state.at >= self.tokens.len() || state.starred => self.found.push((tree, state.at)),
            None => {}
        }
        Ok(())
    }
}

/// `parseTokens(tokens, dictionary?)`
pub(crate) fn parse_tokens(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let list = args.get(vm, 0);
    let Some(items) = vm.list_like(list)? else { return fail(error::LIST_VAL_REQD) };
    let dictionary = match args.given(vm, 1) {
        Some(value) => Some(vm.want_object(value)?),
        None => None,
    };
    let comparator = match dictionary {
        Some(id) => vm.dictionary(id)?.comparator,
        None => NO_OBJECT,
    };
    let mut tokens = Vec::with_capacity(items.len());
    for item in &items {
        let Some(parts) = vm.list_like(*item)? else { return fail(error::BAD_TYPE_BIF) };
        let text = parts.first().and_then(|value| vm.heap.text(*value)).cloned();
        let kind = if let Some(Value::Enum(kind)) = parts.get(1) { *kind } else { 0 };
        let speech = match (&text, dictionary) {
            (Some(text), Some(id)) => vm.word_props(id, text)?,
            _ => Vec::new(),
        };
        let literals = text.as_ref().and_then(|text| vm.matching_literals(comparator, text));
        tokens.push(Token { kind, text, speech, literals });
    }
    let mut parser = Parser {
        vm,
        tokens,
        comparator,
        work: Vec::new(),
        bad: Vec::new(),
        found: Vec::new(),
        ready: HashMap::default(),
        states: 0,
    };
    parser.start(id, 0, None, None)?;
    parser.run()?;
    let found = std::mem::take(&mut parser.found);
    let trees = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        // The last match found comes first.
        for (tree, length) in found.into_iter().rev() {
            let object = build_match(vm, &tree, list, &items, length)?;
            vm.rooted.push(object);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(trees))
}

/// The objects of one match; each has the list of comparison results.
fn build_match(vm: &mut Vm, tree: &Tree, list: Value, items: &[Value], length: usize) -> Run<Value> {
    let mut results = vec![Value::Nil; length];
    collect_results(tree, &mut results);
    let results = vm.heap.new_list(results);
    vm.rooted.push(results);
    let built = build(vm, tree, list, items, results);
    vm.rooted.pop();
    built.map(|built| built.0)
}

fn collect_results(tree: &Tree, results: &mut [Value]) {
    match tree {
        Tree::Token { at, star: false, result, .. } => {
            if let Some(place) = results.get_mut(*at) {
                *place = *result;
            }
        }
        Tree::Token { .. } => {}
        Tree::Production { parts, .. } => parts.iter().for_each(|part| collect_results(part, results)),
    }
}

/// The value of a part, and its first and last token (last before first if it is empty).
fn build(vm: &mut Vm, tree: &Tree, list: Value, items: &[Value], results: Value) -> Run<(Value, usize, i64)> {
    let (processor, parts, end) = match tree {
        Tree::Token { at, star, .. } => {
            let value = match items.get(*at) {
                Some(item) => vm.heap.sequence(*item).and_then(|parts| parts.first()).copied().unwrap_or_default(),
                None => Value::Nil,
            };
            // What a star takes does not count as matched.
            let last = if *star { *at as i64 - 1 } else { *at as i64 };
            return Ok((value, *at, last));
        }
        Tree::Production { processor, parts, at, .. } => (*processor, parts, *at),
    };
    vm.enter_native()?;
    let object = match processor {
        NO_OBJECT => vm.new_instance(&[], false),
        // Its constructor, if it has one, runs before the properties are set.
        class => vm.nested(&[Value::Obj(class)], |vm| vm.create_tads(1, false))?,
    };
    vm.rooted.push(object);
    let (mut first, mut last) = (end, end as i64 - 1);
    for (n, part) in parts.iter().enumerate() {
        let (value, from, to) = build(vm, part, list, items, results)?;
        if n == 0 {
            (first, last) = (from, to);
        } else if from as i64 <= to {
            first = first.min(from);
            last = last.max(to);
        }
        let (Tree::Token { prop, .. } | Tree::Production { prop, .. }) = &**part;
        if *prop != NO_PROP {
            vm.set_prop(object, *prop, value)?;
        }
    }
    let known = [
        ("GrammarProd.firstTokenIndex", Value::Int(first as i32 + 1)),
        ("GrammarProd.lastTokenIndex", Value::Int(last as i32 + 1)),
        ("GrammarProd.tokenList", list),
        ("GrammarProd.tokenMatchList", results),
    ];
    for (name, value) in known {
        if let Some(prop) = vm.predef.prop(name) {
            vm.set_prop(object, prop, value)?;
        }
    }
    vm.rooted.pop();
    vm.leave_native();
    Ok((object, first, last))
}
