//! What is known of functions when code that calls them is lowered.

use crate::opline::Literal;
use phlox_hhbc::{Instr, StrId};

/// Which parameters of a function are by reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByRef {
    /// No parameter is by reference.
    None,
    /// Some parameters are by reference: the opline asks at run time.
    Some,
}

/// What is known of functions when code is lowered. The answers must stay true as long as the code is used.
pub trait Hints {
    /// Which parameters of a function are by reference, if a function of this name has been declared.
    fn function(&self, name: StrId) -> Option<ByRef>;

    /// Whether the name is that of a builtin function with a fast path for `args` arguments.
    fn has_fast_path(&self, name: StrId, args: u32) -> bool {
        let _ = (name, args);
        false
    }

    /// The literal that a declared function of this name returns for all calls with `args` arguments, whatever they are. It must
    /// not belong to the function's unit.
    fn constant(&self, name: StrId, args: u32) -> Option<Literal> {
        let _ = (name, args);
        None
    }
}

/// The literal that a function's code returns whatever the function is called with; `None`: there is none, or it belongs to the
/// function's unit.
pub fn returned_at_once(code: &[Instr]) -> Option<Literal> {
    let [pushes, Instr::RetC {}] = code else { return None };
    literal_of(*pushes).filter(|literal| !matches!(literal, Literal::Undef | Literal::Str(_) | Literal::Array(_)))
}

/// Hints that know nothing.
pub struct NoHints;

impl Hints for NoHints {
    fn function(&self, _name: StrId) -> Option<ByRef> {
        None
    }
}

/// The literal that an instruction pushes, if it does.
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
