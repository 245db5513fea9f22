//! What is known about functions when code that calls them is lowered.

use crate::opline::Literal;
use phlox_hhbc::{Instr, StrId};

/// Which parameters of a function are by reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByRef {
    None,
    /// Some: asked at run time.
    Some,
}

/// What is known about functions when code is lowered. Answers must stay true while the code is used.
pub trait Hints {
    /// The function of this name, which is declared already.
    fn function(&self, name: StrId) -> Option<ByRef>;

    /// Is it a builtin function with a short way for `args` arguments?
    fn is_quick(&self, name: StrId, args: u32) -> bool {
        let _ = (name, args);
        false
    }

    /// What a function of this name, which is declared already, answers to all calls with `args` arguments, of which it takes
    /// no notice: a literal that is the same in every unit.
    fn constant(&self, name: StrId, args: u32) -> Option<Literal> {
        let _ = (name, args);
        None
    }
}

/// The literal that a function's code returns at once, whatever it is called with; none that belongs to the function's unit.
pub fn returned_at_once(code: &[Instr]) -> Option<Literal> {
    let [pushes, Instr::RetC {}] = code else { return None };
    literal_of(*pushes).filter(|literal| !matches!(literal, Literal::Undef | Literal::Str(_) | Literal::Array(_)))
}

/// Nothing is known.
pub struct NoHints;

impl Hints for NoHints {
    fn function(&self, _name: StrId) -> Option<ByRef> {
        None
    }
}

/// What an instruction pushes that pushes a literal.
pub(crate) fn literal_of(instr: Instr) -> Option<Literal> {
    Some(match instr {
        Instr::Null {} => Literal::Null,
        Instr::True {} => Literal::True,
        Instr::False {} => Literal::False,
        Instr::NullUninit {} => Literal::Undef,
        Instr::Int { value } => Literal::Int(value),
        Instr::Double { value } => Literal::Double(value),
        Instr::String { value } => Literal::Str(value),
        Instr::Array { value } => Literal::Array(value),
        Instr::NewArray {} => Literal::EmptyArray,
        _ => return None,
    })
}
