//! grammar-production: the alternatives that a program declares, and how they change. Parsing is in `grammar_parse.rs`.

use std::rc::Rc;

use foldhash::HashMap;

use super::{Meta, Method, methods, seq};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{NO_PROP, ObjId, PropId, Value};
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    parseTokens 1 2 => super::grammar_parse::parse_tokens,
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
    Literal(Literal),
    TokenType(u32),
    Star,
}

/// A literal word with its number among all literals of the program's grammar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal {
    pub number: u32,
    pub text: Text,
}

/// All literals of the program's grammar.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    numbers: HashMap<Text, u32>,
    pub texts: Vec<Text>,
}

impl Literals {
    /// The literal with a text.
    pub fn literal(&mut self, text: &Text) -> Literal {
        let next = self.texts.len() as u32;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text.clone());
        }
        Literal { number, text: text.clone() }
    }
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

impl Alternative {
    /// Whether it begins with the production that it belongs to.
    pub fn begins_with(&self, production: ObjId) -> bool {
        self.parts.first().is_some_and(|part| part.element == Element::Production(production))
    }
}

/// A production.
#[derive(Debug, Clone, Default)]
pub struct Grammar {
    pub(crate) alternatives: Rc<Vec<Rc<Alternative>>>,
}

impl Grammar {
    /// The alternatives as images and saved games have them.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        let word = |out: &mut Vec<u8>, number: u16| out.extend(number.to_le_bytes());
        word(out, self.alternatives.len() as u16);
        for alternative in self.alternatives.iter() {
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
                    Element::Literal(literal) => {
                        out.push(3);
                        word(out, literal.text.len() as u16);
                        out.extend(literal.text.bytes());
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
        for alternative in self.alternatives.iter() {
            visit(Value::object(alternative.processor));
            for part in &alternative.parts {
                if let Element::Production(id) = part.element {
                    visit(Value::object(id));
                }
            }
        }
    }
}

/// From an image or a saved game.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let mut alternatives = Vec::new();
    for _ in 0..loader.data.u16()? {
        let (score, badness) = (loader.data.i16()?, loader.data.i16()?);
        let processor = loader.object()?;
        let mut parts = Vec::new();
        for _ in 0..loader.data.u16()? {
            let prop = loader.data.u16()?;
            let element = match loader.data.u8()? {
                1 => Element::Production(loader.object()?),
                2 => Element::Speech(vec![loader.data.u16()?]),
                3 => {
                    let text = Text::from(loader.data.long_name()?);
                    Element::Literal(loader.vm.state.literals.literal(&text))
                }
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
        alternatives.push(Rc::new(Alternative { score, badness, processor, parts }));
    }
    Ok(Obj::Grammar(Box::new(Grammar { alternatives: Rc::new(alternatives) })))
}

/// `new GrammarProd()`.
pub(crate) fn create(vm: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Obj(vm.heap.alloc(Obj::Grammar(Box::default()))))
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
        for alternative in alternatives.iter() {
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
        Element::Literal(literal) => (3, vm.heap.new_text(literal.text.clone())),
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
                let mut characters = literal.chars();
                // The closing quote.
                characters.next_back();
                let literal = Text::from(characters.as_str());
                new_words.push(literal.clone());
                Element::Literal(vm.state.literals.literal(&literal))
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
    change(vm, id, |grammar| Rc::make_mut(&mut grammar.alternatives).extend(added));
    note_properties(vm, id, processor)?;
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

/// A match object knows which properties the alternatives that use it set.
fn note_properties(vm: &mut Vm, id: ObjId, processor: ObjId) -> Run<()> {
    let Some(prop) = vm.predef.prop("GrammarProd.altProps") else { return Ok(()) };
    let Obj::Grammar(grammar) = vm.heap.get(id) else { return Ok(()) };
    let own = grammar.alternatives.iter().filter(|alternative| alternative.processor == processor);
    let mut props: Vec<Value> = Vec::new();
    for part in own.flat_map(|alternative| &alternative.parts) {
        if part.prop != NO_PROP && !props.contains(&Value::Prop(part.prop)) {
            props.push(Value::Prop(part.prop));
        }
    }
    let props = vm.heap.new_list(props);
    vm.set_prop(Value::Obj(processor), prop, props)
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
            change(vm, id, |grammar| drop(Rc::make_mut(&mut grammar.alternatives).remove(at)));
        }
        value => {
            let class = vm.want_object(value)?;
            let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
            let alternatives = grammar.alternatives.clone();
            let left: Vec<_> = alternatives
                .iter()
                .filter(|alternative| !vm.is_kind_of(Value::Obj(alternative.processor), class))
                .cloned()
                .collect();
            change(vm, id, |grammar| grammar.alternatives = Rc::new(left));
        }
    }
    Ok(args.this)
}

fn clear_alts(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    change(vm, id, |grammar| Rc::make_mut(&mut grammar.alternatives).clear());
    Ok(args.this)
}
