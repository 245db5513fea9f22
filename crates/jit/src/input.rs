//! What a region is compiled from: a function's oplines and the frame that runs them, as plain data. What else the translation
//! asks about, it asks through [`CompilerHost`].

use crate::host::{CompilerHost, Specialization};
use crate::layout::FrameShape;
use crate::profile::ObservedType;
use phlox_hhir::types as hhir;
use phlox_hhir::{ClassId, FuncId};
use phlox_lower::{ITER_CELLS, Lowered, NO_TARGET, Operand, Opline};
use phlox_value::Val;
use phlox_value::raw;

/// A function, a loop of it, or the rest of a generator's body, at the moment when it is compiled.
pub struct CompileInput<'a> {
    /// Answers what the inline caches, type feedback and declarations of the function say.
    pub host: &'a dyn CompilerHost,
    /// The oplines.
    pub lowered: &'a Lowered,
    /// How many locals the function has.
    pub locals: u32,
    /// How many of the locals are parameters, not counting a variadic one.
    pub params: u32,
    /// How many iterators the function has.
    pub iters: u32,
    /// The opline that the backward jumps of the loop go to; for other regions the opline where they start.
    pub header: u32,
    /// Where the frame's cells and the oplines lie in memory.
    pub shape: FrameShape,
    /// The frame's cells, beginning with the first local; null if no frame of the function runs.
    pub cells: *const Val,
    /// A sample of the value of the `yield` expression that a generator's body starts behind, if the value is used.
    pub sent: Option<ObservedType>,
    /// The address of the first literal.
    pub literals: *const Val,
    /// Which kind of region is compiled.
    pub start: Start<'a>,
    /// `Some` if the function is translated to be inlined: the classes that its object and arguments are likely to be of.
    pub inlined: Option<&'a [Option<ClassId>]>,
    /// The function is inlined into its own code for the same specialisation.
    pub is_recursive: bool,
    /// Whether the function runs with `$this`, with a class only, or with neither.
    pub this: This,
    /// The address of the function.
    pub func: FuncId,
    /// No handler of the function catches an exception: all that its handlers do is free iterators.
    pub has_no_handlers: bool,
    /// Nothing but the region changes its variables, so they can stay in SSA while the interpreter runs PHP code in between
    /// (re-entry).
    pub owns_variables: bool,
    /// Variables that a loop writes before it reads them are not guarded at its entry, because code that guarded them took side
    /// exits.
    pub is_lazy: bool,
    /// The function is known to need its frame; see [`crate::Built::needs_frame`].
    pub needs_frame: bool,
    /// A sample of `$this`.
    pub this_sample: Option<ObservedType>,
}

/// The kind of a region.
pub enum Start<'a> {
    /// A loop of a function.
    Loop,
    /// The body of a generator, from behind a `yield` on.
    Body,
    /// A whole function, for the types of its arguments, with samples of them.
    Function(&'a Specialization),
}

/// Whether a function runs with an object or a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum This {
    None,
    Class,
    Object,
}

impl CompileInput<'_> {
    /// The number of cells before the temporaries: locals and iterators.
    pub(crate) fn before_tmps(&self) -> u32 {
        self.locals + self.iters * ITER_CELLS
    }

    /// The number of cells of the frame.
    pub(crate) fn cell_count(&self) -> u32 {
        self.before_tmps() + self.lowered.tmps
    }

    /// The number of the cell of an operand that is a local or temporary.
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

    /// The opline at an index.
    pub(crate) fn op(&self, at: u32) -> &Opline {
        &self.lowered.ops[at as usize]
    }

    /// A sample of what a cell of the frame holds now; `None` if no frame runs.
    pub(crate) fn seen(&self, cell: u32) -> Option<ObservedType> {
        if self.cells.is_null() {
            return None;
        }
        // SAFETY: `cells` are the cells of a frame that is running (`crate::input`): its locals and iterators are initialised.
        unsafe { ObservedType::of(self.cells.add(cell as usize)) }
    }

    /// The bytes and the payload of a literal string.
    pub(crate) fn string_literal(&self, index: u32) -> (Box<[u8]>, u64) {
        // SAFETY: `index` names a string literal of the function; literals live and stay unchanged as long as the function.
        unsafe {
            let cell = self.literals.add(index as usize);
            (raw::string_at(cell).as_bytes().into(), raw::payload(cell))
        }
    }

    /// A literal array, as a sample; `None` if the literal is no array.
    pub(crate) fn array_literal(&self, index: u32) -> Option<ObservedType> {
        // SAFETY: `index` names a literal of the function; literals live and stay unchanged as long as the function.
        unsafe { ObservedType::of(self.literals.add(index as usize)) }.filter(|seen| seen.bits == hhir::STATIC_ARR)
    }

    /// The byte of a literal string of length one.
    pub(crate) fn byte_literal(&self, index: u32) -> Option<u8> {
        if !matches!(self.lowered.literals[index as usize], phlox_lower::Literal::Str(_)) {
            return None;
        }
        // SAFETY: the literal is a string; literals live and stay unchanged as long as the function.
        let text = unsafe { raw::string_at(self.literals.add(index as usize)) };
        match text.as_bytes() {
            [byte] => Some(*byte),
            _ => None,
        }
    }

    /// The first and the last opline of the region. The last one of a loop is its last backward jump.
    pub(crate) fn range(&self) -> (u32, u32) {
        if !matches!(self.start, Start::Loop) {
            return (0, self.lowered.ops.len() as u32 - 1);
        }
        (self.header, loop_end(self.lowered, self.header))
    }
}

/// The last opline that jumps back to the header of a loop.
pub fn loop_end(lowered: &Lowered, header: u32) -> u32 {
    let jumps = lowered.ops.iter().enumerate().skip(header as usize);
    let back = jumps.filter(|(_, op)| op.target == header).map(|(at, _)| at as u32);
    back.max().unwrap_or(header)
}

/// The headers of all loops of a function: the oplines that backward jumps go to.
pub fn loop_headers(lowered: &Lowered) -> Vec<u32> {
    let jumps = lowered.ops.iter().enumerate();
    let back = jumps.filter(|(at, op)| op.target != NO_TARGET && op.target as usize <= *at);
    let mut headers: Vec<u32> = back.map(|(_, op)| op.target).collect();
    headers.sort_unstable();
    headers.dedup();
    headers
}
