//! Variables of functions that `global` and `static` bind. From the binding on they are references that the function holds; each
//! opline that reads such a variable loads the value through the reference, as with parameters that are references.

use crate::input::{CompileInput, Start};
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{Op, ValueId};
use phlox_lower::{OpCode, Operand, Opline};
use std::collections::HashMap;

/// The variables of a function that just one opline binds, with samples of what their references hold now.
pub(crate) fn bound_variables(region: &CompileInput) -> HashMap<usize, ObservedType> {
    let mut bound: HashMap<usize, Option<ObservedType>> = HashMap::new();
    let ops = &region.lowered.ops;
    for (at, op) in ops.iter().enumerate() {
        let (variable, binds) = match op.op {
            OpCode::StaticLocal => (op.a, at),
            // The reference comes from the opline before: of a global variable, or of something else.
            OpCode::BindLocal if at > 0 && ops[at - 1].op == OpCode::RefGlobal && ops[at - 1].c == op.b => {
                (op.a, at - 1)
            }
            OpCode::BindLocal | OpCode::BindPath => (op.a, usize::MAX),
            _ => continue,
        };
        let Operand::Local(local) = variable else { continue };
        let holds = if binds == usize::MAX { None } else { region.host.bound_value(binds as u32) };
        let is_argument = local.0 < region.params;
        bound.entry(local.index()).and_modify(|known| *known = None).or_insert(holds.filter(|_| !is_argument));
    }
    match region.start {
        Start::Function(_) => bound.into_iter().filter_map(|(cell, holds)| Some((cell, holds?))).collect(),
        Start::Loop | Start::Body => HashMap::new(),
    }
}

impl Translator<'_> {
    /// The reference in a variable that is written through: a parameter that is a reference, or a bound variable.
    pub(crate) fn reference_in(&self, cell: usize, state: &FrameState) -> Option<ValueId> {
        match state.cells[cell] {
            Loc::Value(value) if self.kind(value) == hhir::BOXED => Some(value),
            Loc::Owned(value) if self.kind(value) == hhir::BOXED && self.outline.bound.contains_key(&cell) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// Translates the binding of a global variable, whose reference the next opline stores.
    pub(crate) fn global_reference(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        // In the main program the global variable may be a local of this very region, whose value is in a register now. The
        // interpreter binds it, for which all locals are spilled.
        if self.reentry().is_some() {
            return None;
        }
        let next = self.input.lowered.ops.get(at as usize + 1)?;
        let binds = matches!(next.a, Operand::Local(local) if self.outline.bound.contains_key(&local.index()));
        if next.op != OpCode::BindLocal || !binds || !matches!(op.c, Operand::Tmp(_)) {
            return None;
        }
        let name = self.source(op.a, state)?;
        let reference = self.reference_by(self.input.shape.helpers.global, 0, &[name], at, state)?;
        state.cells[self.input.cell(op.c)? as usize] = Loc::Owned(reference);
        Some(Flow::Next)
    }

    pub(crate) fn bind_local(&mut self, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (cell, from) = (self.input.cell(op.a)? as usize, self.input.cell(op.b)? as usize);
        self.outline.bound.get(&cell)?;
        let Loc::Owned(reference) = state.cells[from] else { return None };
        if self.kind(reference) != hhir::BOXED || op.c != Operand::None || !self.bind(cell, reference, state) {
            return None;
        }
        state.cells[from] = Loc::Empty;
        Some(Flow::Next)
    }

    /// Translates the binding of a static variable that has been initialised; the runtime function refuses others.
    pub(crate) fn static_local(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let cell =
            self.input.cell(op.a).map(|cell| cell as usize).filter(|cell| self.outline.bound.contains_key(cell))?;
        let number = self.b.unit.int(i64::from(op.n));
        let function = self.input.shape.helpers.static_variable;
        let reference = self.reference_by(function, self.input.func.0, &[number], at, state)?;
        let is_ready = self.b.unit.constant(Const::Bool(true));
        (self.bind(cell, reference, state) && self.store(op.c, is_ready, state)).then_some(Flow::Next)
    }

    /// The reference that a runtime function gives.
    fn reference_by(
        &mut self,
        function: crate::layout::Helper,
        data: u64,
        args: &[ValueId],
        at: u32,
        state: &FrameState,
    ) -> Option<ValueId> {
        let exit = self.snap(at, state);
        let pointer = self.helper(function, data, args, Operand::None, exit)?;
        self.b.emit(Op::TakeMem, Type::of(hhir::BOXED), [0; 3], &[pointer], Edge::None)
    }

    /// Makes a variable a reference; false if its old value is in the frame.
    fn bind(&mut self, cell: usize, reference: ValueId, state: &mut FrameState) -> bool {
        let before = state.cells[cell];
        if !matches!(before, Loc::Value(_) | Loc::Owned(_) | Loc::Fixed(_)) {
            return false;
        }
        state.cells[cell] = Loc::Owned(reference);
        self.release_place(before, state);
        true
    }
}
