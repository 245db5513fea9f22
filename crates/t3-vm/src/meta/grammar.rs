//! grammar-production: parsing token lists with the alternatives that a program declares.
//!
//! All alternatives are followed at once. States wait on a stack, newest first, and a finished production goes on with
//! a copy of the state that asked for it; so a state never changes once others hold it. Alternatives with a badness
//! wait aside until nothing else is left and nothing has matched.

use std::rc::Rc;

use super::{Meta, Method, methods, seq};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    parseTokens 1 2 => parse_tokens,
    getGrammarInfo 0 0 => grammar_info,
    addAlt 2 4 => add_alt,
    deleteAlt 1 2 => delete_alt,
    clearAlts 0 1 => clear_alts,
};

/// What an element of an alternative matches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element {
    Production(ObjId),
    Speech(Vec<PropId>),
    Literal(Text),
    TokenType(u32),
    Star,
}

/// An element with the property of the match object that receives it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub prop: PropId,
    pub element: Element,
}

/// An alternative.
#[derive(Debug, Clone)]
pub(crate) struct Alternative {
    pub score: i16,
    pub badness: i16,
    /// The class of the match object.
    pub processor: ObjId,
    pub parts: Vec<Part>,
}

/// A production.
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    pub(crate) alternatives: Vec<Rc<Alternative>>,
}

impl Grammar {
    /// The alternatives as images and saved games have them.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        let word = |out: &mut Vec<u8>, number: u16| out.extend(number.to_le_bytes());
        word(out, self.alternatives.len() as u16);
        for alternative in &self.alternatives {
            word(out, alternative.score as u16);
            word(out, alternative.badness as u16);
            out.extend(alternative.processor.to_le_bytes());
            word(out, alternative.parts.len() as u16);
            for part in &alternative.parts {
                word(out, part.prop);
                match &part.element {
                    Element::Production(id) => {
                        out.push(1);
                        out.extend(id.to_le_bytes());
                    }
                    Element::Speech(props) if props.len() == 1 => {
                        out.push(2);
                        word(out, props[0]);
                    }
                    Element::Literal(text) => {
                        out.push(3);
                        word(out, text.len() as u16);
                        out.extend(text.bytes());
                    }
                    Element::TokenType(kind) => {
                        out.push(4);
                        out.extend(kind.to_le_bytes());
                    }
                    Element::Star => out.push(5),
                    Element::Speech(props) => {
                        out.push(6);
                        word(out, props.len() as u16);
                        props.iter().for_each(|prop| word(out, *prop));
                    }
                }
            }
        }
    }

    /// The objects that the alternatives name.
    pub(crate) fn references(&self, visit: &mut dyn FnMut(Value)) {
        for alternative in &self.alternatives {
            visit(Value::object(alternative.processor));
            for part in &alternative.parts {
                if let Element::Production(id) = part.element {
                    visit(Value::object(id));
                }
            }
        }
    }
}

/// States of one parse: a grammar that grows without end is stopped.
const MAX_STATES: usize = 2_000_000;

/// From an image or a saved game.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let mut grammar = Grammar::default();
    for _ in 0..loader.data.u16()? {
        let (score, badness) = (loader.data.i16()?, loader.data.i16()?);
        let processor = loader.object()?;
        let mut parts = Vec::new();
        for _ in 0..loader.data.u16()? {
            let prop = loader.data.u16()?;
            let element = match loader.data.u8()? {
                1 => Element::Production(loader.object()?),
                2 => Element::Speech(vec![loader.data.u16()?]),
                3 => Element::Literal(loader.data.long_name()?.into()),
                4 => Element::TokenType(loader.data.u32()?),
                5 => Element::Star,
                6 => {
                    let count = loader.data.u16()?;
                    Element::Speech((0..count).map(|_| loader.data.u16()).collect::<Load<_>>()?)
                }
                other => return Err(loader.data.error(format!("{other} is no kind of grammar element"))),
            };
            parts.push(Part { prop, element });
        }
        grammar.alternatives.push(Rc::new(Alternative { score, badness, processor, parts }));
    }
    Ok(Obj::Grammar(Box::new(grammar)))
}

/// `new GrammarProd()`.
pub(crate) fn create(vm: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Obj(vm.heap.alloc(Obj::Grammar(Box::default()))))
}

/// A token of the input.
struct Token {
    kind: u32,
    text: Option<Text>,
    speech: Vec<PropId>,
}

/// A part of a match tree.
#[derive(Debug)]
enum Tree {
    /// One token; the position, whether a star took it, and what the comparator said.
    Token { prop: PropId, at: usize, star: bool, result: Value },
    /// A production's match.
    Production { prop: PropId, processor: ObjId, parts: Vec<Rc<Tree>>, at: usize },
}

/// An alternative being matched.
#[derive(Clone)]
struct State {
    /// The state that wants this production, and the property that it puts the match into.
    outer: Option<Rc<State>>,
    production: ObjId,
    alternative: Rc<Alternative>,
    parts: Vec<Rc<Tree>>,
    at: usize,
    starred: bool,
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
    states: usize,
}

impl Parser<'_> {
    fn grammar(&self, id: ObjId) -> Run<Vec<Rc<Alternative>>> {
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
        let alternatives = self.grammar(id)?;
        let is_circular = |alternative: &Alternative| {
            alternative.parts.first().is_some_and(|part| part.element == Element::Production(id))
        };
        let circular = alternatives.iter().any(|alternative| is_circular(alternative));
        for alternative in alternatives {
            if is_circular(&alternative) != first.is_some() || !self.could_match(&alternative, at, first.is_some())? {
                continue;
            }
            self.states += 1;
            if self.states > MAX_STATES {
                return fail(error::OUT_OF_MEMORY);
            }
            let mut state = State {
                outer: outer.clone(),
                production: id,
                alternative: alternative.clone(),
                parts: Vec::new(),
                at,
                starred: false,
                circular,
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
            Element::Literal(literal) => match token.text.clone() {
                Some(text) => {
                    let result = self.vm.compare_words(self.comparator, &text, literal)?;
                    (!result.is_false(), result)
                }
                None => (false, Value::Nil),
            },
            Element::Production(_) | Element::Star => (false, Value::Nil),
        })
    }

    fn advance(&mut self, mut state: State) -> Run<()> {
        while let Some(part) = state.alternative.clone().parts.get(state.parts.len()) {
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
            .map_or(NO_PROP, |outer| outer.alternative.parts.get(outer.parts.len()).map_or(NO_PROP, |part| part.prop));
        let processor = state.alternative.processor;
        let tree = Rc::new(Tree::Production { prop, processor, parts: state.parts, at: state.at });
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

fn parse_tokens(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let list = args.get(vm, 0);
    let dictionary = match args.given(vm, 1) {
        Some(value) => Some(vm.want_object(value)?),
        None => None,
    };
    let comparator = match dictionary {
        Some(id) => vm.dictionary(id)?.comparator,
        None => NO_OBJECT,
    };
    let Some(items) = vm.list_like(list)? else { return fail(error::LIST_VAL_REQD) };
    let mut tokens = Vec::with_capacity(items.len());
    for item in &items {
        let Some(parts) = vm.list_like(*item)? else { return fail(error::BAD_TYPE_BIF) };
        let text = parts.first().and_then(|value| vm.heap.text(*value)).cloned();
        let kind = if let Some(Value::Enum(kind)) = parts.get(1) { *kind } else { 0 };
        let speech = match (&text, dictionary) {
            (Some(text), Some(id)) => vm.word_props(id, text)?,
            _ => Vec::new(),
        };
        tokens.push(Token { kind, text, speech });
    }
    let mut parser = Parser { vm, tokens, comparator, work: Vec::new(), bad: Vec::new(), found: Vec::new(), states: 0 };
    parser.start(id, 0, None, None)?;
    parser.run()?;
    let found = std::mem::take(&mut parser.found);
    let trees = seq::collect(vm, |vm| {
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

/// The alternatives as objects of the exported classes; nil for each without them.
fn grammar_info(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
    let alternatives = grammar.alternatives.clone();
    let (Some(alternative_class), Some(token_class)) =
        (vm.predef.object("GrammarProd.GrammarAltInfo"), vm.predef.object("GrammarProd.GrammarAltTokInfo"))
    else {
        return Ok(vm.heap.new_list(vec![Value::Nil; alternatives.len()]));
    };
    let items = seq::collect(vm, |vm| {
        for alternative in alternatives {
            let tokens = seq::collect(vm, |vm| {
                for part in &alternative.parts {
                    let prop = if part.prop == NO_PROP { Value::Nil } else { Value::Prop(part.prop) };
                    let (kind, info) = describe(vm, &part.element);
                    vm.rooted.push(info);
                    let arguments = [Value::Obj(token_class), prop, Value::Int(kind), info];
                    let object = vm.nested(&arguments, |vm| vm.create_tads(4, false));
                    vm.rooted.pop();
                    let object = object?;
                    vm.rooted.push(object);
                }
                Ok(())
            })?;
            let tokens = vm.heap.new_list(tokens);
            let arguments = [
                Value::Obj(alternative_class),
                Value::Int(alternative.score.into()),
                Value::Int(alternative.badness.into()),
                Value::object(alternative.processor),
                tokens,
            ];
            let object = vm.nested(&arguments, |vm| vm.create_tads(5, false))?;
            vm.rooted.push(object);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}

/// An element's type code and what it matches.
fn describe(vm: &mut Vm, element: &Element) -> (i32, Value) {
    match element {
        Element::Production(id) => (1, Value::Obj(*id)),
        Element::Speech(props) if props.len() == 1 => (2, Value::Prop(props[0])),
        Element::Literal(text) => (3, vm.heap.new_text(text.clone())),
        Element::TokenType(kind) => (4, Value::Enum(*kind)),
        Element::Star => (5, Value::Nil),
        Element::Speech(props) => {
            let props: Vec<Value> = props.iter().map(|prop| Value::Prop(*prop)).collect();
            (6, vm.heap.new_list(props))
        }
    }
}

// ---- changes

fn change(vm: &mut Vm, id: ObjId, change: impl FnOnce(&mut Grammar)) {
    vm.keep_contents(id);
    if let Some(Obj::Grammar(grammar)) = vm.heap.get_mut(id) {
        change(grammar);
    }
}

/// `addAlt(text, matchObject, dictionary?, symbols?)`: alternatives written as in a grammar statement.
fn add_alt(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let text = vm.want_text(args.get(vm, 0))?;
    let processor = vm.want_object(args.get(vm, 1))?;
    let dictionary = args.given(vm, 2).and_then(Value::as_object);
    let symbols = args.given(vm, 3);
    let mut added = Vec::new();
    let mut new_words = Vec::new();
    for alternative in text.split('|') {
        let mut parts = Vec::new();
        let (mut score, mut badness) = (0, 0);
        let mut rest = alternative.trim();
        if let Some((qualifiers, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let words: Vec<&str> = qualifiers.split_whitespace().collect();
            for pair in words.chunks(2) {
                if let [name, number] = pair {
                    let number = number.parse().unwrap_or(0);
                    match *name {
                        "badness" => badness = number,
                        _ => score = number,
                    }
                }
            }
            rest = after;
        }
        for item in split_items(rest) {
            let (item, prop) = match item.rsplit_once("->") {
                Some((item, prop)) => (item.to_owned(), symbol(vm, symbols, prop)),
                None => (item, Value::Nil),
            };
            let prop = if let Value::Prop(prop) = prop { prop } else { NO_PROP };
            let element = if item == "*" {
                Element::Star
            } else if let Some(literal) = item.strip_prefix(['\'', '"']) {
                let literal = Text::from(&literal[..literal.len().saturating_sub(1)]);
                new_words.push(literal.clone());
                Element::Literal(literal)
            } else if item.starts_with('<') {
                let names = item.trim_matches(['<', '>']).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                let props = names.iter().filter_map(|name| match symbol(vm, symbols, name) {
                    Value::Prop(prop) => Some(prop),
                    _ => None,
                });
                Element::Speech(props.collect())
            } else {
                match symbol(vm, symbols, &item) {
                    Value::Obj(id) => Element::Production(id),
                    Value::Prop(prop) => Element::Speech(vec![prop]),
                    Value::Enum(kind) => Element::TokenType(kind),
                    _ => return fail(error::BAD_VAL_BIF),
                }
            };
            parts.push(Part { prop, element });
        }
        added.push(Rc::new(Alternative { score, badness, processor, parts }));
    }
    change(vm, id, |grammar| grammar.alternatives.extend(added));
    if let (Some(dictionary), Some(prop)) = (dictionary, vm.predef.prop("GrammarProd.miscVocab")) {
        for word in new_words {
            let word = vm.heap.new_text(word);
            let arguments = [Value::Obj(id), word, Value::Prop(prop)];
            vm.nested(&arguments, |vm| {
                let number = vm.method_number(Meta::Dictionary, "addWord");
                vm.call_native(Meta::Dictionary, number, Value::Obj(dictionary), 3)
            })?;
        }
    }
    Ok(Value::Nil)
}

/// Items of an alternative: words, quoted literals, bracketed lists, each with its arrow.
fn split_items(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut open = None;
    for c in text.chars() {
        match (open, c) {
            (Some(close), c) if c == close => {
                open = None;
                item.push(c);
            }
            (None, '\'' | '"') => {
                open = Some(c);
                item.push(c);
            }
            (None, '<') => {
                open = Some('>');
                item.push(c);
            }
            (None, c) if c.is_whitespace() => {
                if !item.is_empty() && !item.ends_with("->") {
                    items.push(std::mem::take(&mut item));
                }
            }
            (_, c) => item.push(c),
        }
    }
    if !item.is_empty() {
        items.push(item);
    }
    items
}

/// The value of a name in a symbol table.
fn symbol(vm: &mut Vm, symbols: Option<Value>, name: &str) -> Value {
    let Some(table) = symbols else { return Value::Nil };
    let key = vm.heap.new_text(name.trim());
    vm.lookup_table(table).and_then(|table| table.get(&vm.heap, key)).unwrap_or_default()
}

/// `deleteAlt(index or match class, dictionary?)`.
fn delete_alt(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    match args.get(vm, 0) {
        Value::Int(at) => {
            let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
            let at = usize::try_from(at).ok().and_then(|at| at.checked_sub(1));
            let Some(at) = at.filter(|at| *at < grammar.alternatives.len()) else {
                return fail(error::INDEX_OUT_OF_RANGE);
            };
            change(vm, id, |grammar| drop(grammar.alternatives.remove(at)));
        }
        value => {
            let class = vm.want_object(value)?;
            let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
            let alternatives = grammar.alternatives.clone();
            let left: Vec<_> = alternatives
                .into_iter()
                .filter(|alternative| !vm.is_kind_of(Value::Obj(alternative.processor), class))
                .collect();
            change(vm, id, |grammar| grammar.alternatives = left);
        }
    }
    Ok(args.this)
}

fn clear_alts(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    change(vm, id, |grammar| grammar.alternatives.clear());
    Ok(args.this)
}
