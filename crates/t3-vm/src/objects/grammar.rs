//! Grammar productions and the literal words in them.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_library::comparator::Comparator;

use crate::text::Text;
use crate::value::{ObjId, PropId, Value};

/// What an element of an alternative matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    Production(ObjId),
    Speech(Vec<PropId>),
    Literal(Literal),
    TokenType(u32),
    Star,
}

/// A literal word with its number among all literals of the program's grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// The number among all literals.
    pub number: u32,
    /// The word.
    pub text: Text,
}

/// All literals of the program's grammar.
#[derive(Debug, Default)]
pub struct Literals {
    numbers: HashMap<Text, u32>,
    /// The literals, by number.
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
pub struct Part {
    /// The property; `NO_PROP` if there is none.
    pub prop: PropId,
    /// What the part matches.
    pub element: Element,
}

/// An alternative.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// How good a match is, as the program says.
    pub score: i16,
    /// How bad a match is: it counts only if there is no better one.
    pub badness: i16,
    /// The class of the match object.
    pub processor: ObjId,
    /// The elements, in order.
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
    /// The alternatives, in the order in which they were added.
    pub alternatives: Rc<Vec<Rc<Alternative>>>,
}

impl Grammar {
    /// The alternatives as images and saved games have them.
    pub fn save(&self, out: &mut Vec<u8>) {
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
    pub fn references(&self, visit: &mut dyn FnMut(Value)) {
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

/// The program's literals by the hash that a comparator gives them.
#[derive(Debug, Default)]
pub struct LiteralIndex {
    comparator: Comparator,
    count: usize,
    by_hash: HashMap<u32, Vec<u32>>,
}

impl LiteralIndex {
    /// Makes the index anew if literals have come or the comparator is another.
    pub fn refresh(&mut self, comparator: &Comparator, texts: &[Text]) {
        if self.count == texts.len() && self.comparator == *comparator {
            return;
        }
        self.by_hash.clear();
        for (number, text) in texts.iter().enumerate() {
            self.by_hash.entry(comparator.hash(text)).or_default().push(number as u32);
        }
        self.comparator = comparator.clone();
        self.count = texts.len();
    }

    /// The literals that match a text.
    pub fn matching(&self, text: &str, texts: &[Text]) -> Vec<(u32, Value)> {
        let candidates = self.by_hash.get(&self.comparator.hash(text)).map_or(&[][..], Vec::as_slice);
        let results =
            candidates.iter().map(|number| (*number, self.comparator.matches(text, &texts[*number as usize])));
        results.filter(|row| row.1 != 0).map(|(number, result)| (number, Value::Int(result as i32))).collect()
    }
}
