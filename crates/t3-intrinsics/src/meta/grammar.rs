//! grammar-production: the alternatives that a program declares, and how they change. Parsing is in `grammar_parse.rs`.

use std::rc::Rc;

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::grammar::{Alternative, Element, Grammar, Part};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::{NO_PROP, ObjId, Value};
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    parseTokens 2 2 => super::grammar_parse::parse_tokens,
    getGrammarInfo 0 0 => grammar_info,
    addAlt 2 4 => add_alt,
    deleteAlt 1 2 => delete_alt,
    clearAlts 0 1 => clear_alts,
};

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
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 0 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
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
    let items = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        for alternative in alternatives.iter() {
            let tokens = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
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

/// Score and badness from the brackets at the start of an alternative, and what follows them.
fn qualifiers(alternative: &str) -> (i16, i16, &str) {
    let (mut score, mut badness) = (0, 0);
    let Some((qualifiers, rest)) = alternative.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return (score, badness, alternative);
    };
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
    (score, badness, rest)
}

/// The element that an item of an alternative names. Literals are added to `new_words`.
fn element(vm: &mut Vm, item: &str, symbols: Option<Value>, new_words: &mut Vec<Text>) -> Run<Element> {
    Ok(if item == "*" {
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
        match symbol(vm, symbols, item) {
            Value::Obj(id) => Element::Production(id),
            Value::Prop(prop) => Element::Speech(vec![prop]),
            Value::Enum(kind) => Element::TokenType(kind),
            _ => return fail(error::BAD_VAL_BIF),
        }
    })
}

/// `addAlt(text, matchObject, dictionary?, symbols?)`: alternatives written as in a grammar statement.
fn add_alt(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let text = vm.want_text(args.get(vm, 0))?;
    let processor = match args.get(vm, 1) {
        Value::Obj(id) if vm.heap.tads(id).is_some() => id,
        _ => return fail(error::BAD_TYPE_BIF),
    };
    let dictionary = dictionary_arg(vm, args.get(vm, 2), error::INVAL_OBJ_TYPE)?;
    let symbols = args.given(vm, 3);
    let mut added = Vec::new();
    let mut new_words = Vec::new();
    for alternative in text.split('|') {
        let mut parts = Vec::new();
        let (score, badness, rest) = qualifiers(alternative.trim());
        for item in split_items(rest) {
            let (item, prop) = match item.rsplit_once("->") {
                Some((item, prop)) => (item.to_owned(), symbol(vm, symbols, prop)),
                None => (item, Value::Nil),
            };
            let prop = if let Value::Prop(prop) = prop { prop } else { NO_PROP };
            let element = element(vm, &item, symbols, &mut new_words)?;
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
    Ok(args.this)
}

/// A dictionary that an argument is, or none.
fn dictionary_arg(vm: &Vm, value: Value, code: u32) -> Run<Option<ObjId>> {
    match value {
        Value::Nil => Ok(None),
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::Dictionary(_)) => Ok(Some(id)),
        _ => fail(code),
    }
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
    dictionary_arg(vm, args.get(vm, 1), error::BAD_TYPE_BIF)?;
    match args.get(vm, 0) {
        Value::Int(at) => {
            let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
            let at = usize::try_from(at).ok().and_then(|at| at.checked_sub(1));
            let Some(at) = at.filter(|at| *at < grammar.alternatives.len()) else {
                return fail(error::INDEX_OUT_OF_RANGE);
            };
            change(vm, id, |grammar| drop(Rc::make_mut(&mut grammar.alternatives).remove(at)));
        }
        value if vm.heap.text(value).is_some() => delete_tagged(vm, id, value)?,
        value => {
            let Value::Obj(class) = value else { return fail(error::BAD_VAL_BIF) };
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

/// Removes the alternatives whose match objects have a tag.
fn delete_tagged(vm: &mut Vm, id: ObjId, wanted: Value) -> Run<()> {
    let Some(prop) = vm.predef.prop("GrammarProd.grammarTag") else { return Ok(()) };
    let Obj::Grammar(grammar) = vm.heap.get(id) else { return fail(error::OBJ_VAL_REQD) };
    let mut left = Vec::new();
    for alternative in grammar.alternatives.clone().iter() {
        let tag = vm.call_prop(Value::Obj(alternative.processor), prop, &[])?;
        if vm.heap.text(tag).is_none() || !vm.heap.equals(tag, wanted) {
            left.push(alternative.clone());
        }
    }
    change(vm, id, |grammar| grammar.alternatives = Rc::new(left));
    Ok(())
}

fn clear_alts(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    dictionary_arg(vm, args.get(vm, 0), error::BAD_TYPE_BIF)?;
    change(vm, id, |grammar| Rc::make_mut(&mut grammar.alternatives).clear());
    Ok(args.this)
}
