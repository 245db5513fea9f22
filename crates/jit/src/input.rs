//! What a region is made from: a function's oplines, and the frame that runs them, as plain data; and what the answers of
//! [`CompilerHost`] consist of.

use crate::host::{CompilerHost, Specialization};
use crate::layout::FrameShape;
use crate::profile::ObservedType;
use phlox_hhir::types as hhir;
use phlox_lower::{ITER_CELLS, Lowered, NO_TARGET, Operand, Opline};
use phlox_value::Val;
use phlox_value::raw;

/// A function, a loop of it, or the rest of a generator's body, as it is when it is compiled.
pub struct CompileInput<'a> {
    /// Who compiles, and answers what its oplines, inline caches and type feedback say.
    pub host: &'a dyn CompilerHost,
    pub lowered: &'a Lowered,
    pub locals: u32,
    /// Of the locals, those that are parameters, but for a variadic one.
    pub params: u32,
    pub iters: u32,
    /// The opline that backward jumps of the loop go to.
    pub header: u32,
    pub shape: FrameShape,
    /// The frame's cells, the first local first.
    pub cells: *const Val,
    /// What the `yield` gives behind which a body starts, if it is wanted.
    pub sent: Option<ObservedType>,
    /// The first literal.
    pub literals: *const Val,
    pub start: Start<'a>,
    /// It is to be inlined itself: the classes that its object and arguments are likely to be of.
    pub inlined: Option<&'a [Option<u64>]>,
    /// It is inlined into itself, made for the same call.
    pub goes_round: bool,
    /// Whose methods the function is: there is `$this`, or a class only.
    pub this: This,
    /// The address of the function.
    pub func: u64,
    /// No exception is caught in the function, and nothing is done on its way but that loops end.
    pub has_no_handlers: bool,
    /// Whether the interpreter may run something else while the region does: nobody else changes its variables.
    pub may_nest: bool,
    /// Variables that a loop writes before it reads them are not looked at when it is entered: code that did was left.
    pub is_lazy: bool,
    /// The function is known to be [`crate::Built::needs_frame`].
    pub needs_frame: bool,
    /// A sample of `$this`.
    pub this_sample: Option<ObservedType>,
}

/// What a region is of.
pub enum Start<'a> {
    Loop,
    /// The body of a generator, from behind a `yield` on.
    Body,
    /// A whole function: the types of its arguments, and samples of them.
    Function(&'a Specialization),
}

/// Whether a function has an object or class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum This {
    None,
    Class,
    Object,
}

impl CompileInput<'_> {
    /// Cells before the temporaries.
    pub(crate) fn before_tmps(&self) -> u32 {
        self.locals + self.iters * ITER_CELLS
    }

    /// All cells of the frame.
    pub(crate) fn cell_count(&self) -> u32 {
        self.before_tmps() + self.lowered.tmps
    }

    /// The number of an operand's cell.
    pub(crate) fn cell(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Local(local) => Some(local.0),
            Operand::Tmp(number) => Some(self.before_tmps() + number),
            _ => None,
        }
    }

    /// The first cell of an iterator.
    pub(crate) fn iter_cell(&self, number: u32) -> u32 {
        self.locals + number * ITER_CELLS
    }

    pub(crate) fn op(&self, at: u32) -> &Opline {
        &self.lowered.ops[at as usize]
    }

    /// What is in a cell of the frame of a loop.
    pub(crate) fn seen(&self, cell: u32) -> Option<ObservedType> {
        if self.cells.is_null() {
            return None;
        }
        // SAFETY: locals and iterators of a running frame are initialised.
        unsafe { ObservedType::of(self.cells.add(cell as usize)) }
    }

    /// The bytes and the payload of a literal string.
    pub(crate) fn string_literal(&self, index: u32) -> (Box<[u8]>, u64) {
        // SAFETY: the literal is a string; literals stay as they are.
        unsafe {
            let cell = self.literals.add(index as usize);
            (raw::string_at(cell).as_bytes().into(), raw::payload(cell))
        }
    }

    /// A literal array.
    pub(crate) fn array_literal(&self, index: u32) -> Option<ObservedType> {
        // SAFETY: literals stay as they are.
        unsafe { ObservedType::of(self.literals.add(index as usize)) }.filter(|seen| seen.bits == hhir::STATIC_ARR)
    }

    /// The byte of a literal string that is one long.
    pub(crate) fn byte_literal(&self, index: u32) -> Option<u8> {
        if !matches!(self.lowered.literals[index as usize], phlox_lower::Literal::Str(_)) {
            return None;
        }
        // SAFETY: literals stay as they are.
        let text = unsafe { raw::string_at(self.literals.add(index as usize)) };
        match text.as_bytes() {
            [byte] => Some(*byte),
            _ => None,
        }
    }

    /// The first and the last opline of the region: the last one of a loop jumps back to its head.
    pub(crate) fn range(&self) -> (u32, u32) {
        if !matches!(self.start, Start::Loop) {
            return (0, self.lowered.ops.len() as u32 - 1);
        }
        (self.header, loop_end(self.lowered, self.header))
    }
}

/// The last opline that jumps back to the head of a loop.
pub fn loop_end(lowered: &Lowered, header: u32) -> u32 {
    let jumps = lowered.ops.iter().enumerate().skip(header as usize);
    let back = jumps.filter(|(_, op)| op.target == header).map(|(at, _)| at as u32);
    back.max().unwrap_or(header)
}

/// The oplines that backward jumps go to.
pub fn loop_headers(lowered: &Lowered) -> Vec<u32> {
    let jumps = lowered.ops.iter().enumerate();
    let back = jumps.filter(|(at, op)| op.target != NO_TARGET && op.target as usize <= *at);
    let mut headers: Vec<u32> = back.map(|(_, op)| op.target).collect();
    headers.sort_unstable();
    headers.dedup();
    headers
}
