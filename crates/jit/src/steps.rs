//! Oplines that the interpreter does for compiled code: their sources go to the frame, and what they give comes from there.

use crate::build::{Build, Flow, Place, State};
use crate::nesting::Nesting;
use crate::runtime::Kinds;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{FuncId, Op, TO_LOCAL};
use phlox_lower::{Literal, OpCode, Operand, Opline, PathStep};

impl Build<'_> {
    /// Has the interpreter do an opline.
    pub(crate) fn step_in_interpreter(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let path = (self.region.whole)(op.op)?;
        let nesting = self.nesting()?;
        if opens_call(op.op) && (self.region.takes_references)(at) {
            return None;
        }
        let (used_up, changed) = self.touched(op)?;
        let cells: Vec<usize> =
            used_up.iter().filter_map(|&tmp| self.region.cell(tmp)).map(|cell| cell as usize).collect();
        let is_source = |place: Place| match place {
            Place::Value(value) | Place::Owned(value) => self.b.ty(value).is(hhir::GEN),
            Place::Memory => true,
            _ => false,
        };
        let local = match op.c {
            Operand::Local(local) => Some(local.index()),
            _ => None,
        };
        let changed: Vec<usize> = changed.into_iter().chain(local).collect();
        let may_change = |cell: &usize| state.cells[*cell] != Place::Empty;
        if !cells.iter().all(|&cell| is_source(state.cells[cell])) || !changed.iter().all(may_change) {
            return None;
        }
        let fp = self.fp;
        for cell in cells {
            let place = std::mem::replace(&mut state.cells[cell], Place::Empty);
            let (Place::Value(value) | Place::Owned(value)) = place else { continue };
            if matches!(place, Place::Value(_)) && self.is_counted(value) {
                self.retain(value);
            }
            self.b.emit(Op::StLoc, Type::TOP, [cell as u32, 0, 0], &[fp, value], Edge::None);
        }
        if nesting == Nesting::Flushed {
            self.flush(state);
        }
        for &cell in &changed {
            self.give_back(cell, state);
        }
        self.framed = true;
        self.frees = true;
        self.steps += 1;
        let after = self.snap(at, state);
        let to = self.region.cell(op.c).map_or(0, |cell| cell + 1);
        let flags = nesting.flag() | local.map_or(0, |_| TO_LOCAL);
        let path = self.b.unit.constant(Const::Func(FuncId(path)));
        let pointer = self.b.emit(Op::CallOpline, Type::TOP, [at, to, flags], &[fp, path], Edge::Exit(after))?;
        if opens_call(op.op) {
            let header = self.region.cell(op.a)?;
            let made = match op.op {
                OpCode::InitNew => self.b.emit(Op::TakeMem, Type::of(hhir::OBJ), [0; 3], &[pointer], Edge::None),
                _ => None,
            };
            if let (Some(cell), Some(made)) = (self.region.cell(op.c), made) {
                state.cells[cell as usize] = Place::Owned(made);
            }
            state.cells[header as usize] = Place::Pending;
            let behind = self.snap(at + 1, state);
            self.b.emit(Op::CheckPending, Type::TOP, [header, 0, 0], &[fp], Edge::Exit(behind));
            return Some(Flow::Next);
        }
        if !writes_result(op.op) || op.c == Operand::None {
            return Some(Flow::Next);
        }
        self.learns = true;
        let kinds = self.likely_kinds(at, op);
        if let Some(cell) = local {
            self.settle();
            return self.landed(at, cell as u32, &kinds, None, state);
        }
        self.take_result(at, op.c, pointer, &Kinds { kinds: &kinds, are_all: false, sample: None }, state)
    }

    /// Is the header of a call in the frame?
    pub(crate) fn is_pending(&self, header: Operand, state: &State) -> bool {
        self.region.cell(header).is_some_and(|cell| state.cells[cell as usize] == Place::Pending)
    }

    /// The temporaries that an opline uses up, and the variables that it changes beside its result.
    fn touched(&self, op: &Opline) -> Option<(Vec<Operand>, Vec<usize>)> {
        let row = |first: Operand, count: u32| match first {
            Operand::Tmp(first) => Some((0..count).map(|index| Operand::Tmp(first + index)).collect::<Vec<_>>()),
            _ => None,
        };
        let mut changed = Vec::new();
        let op_b = op.b;
        let mut used_up = match op.op {
            OpCode::ConcatN | OpCode::NewTuple => row(op.a, op.n)?,
            OpCode::Closure => match op.b {
                Operand::Lit(index) => match self.region.lowered.literals[index as usize] {
                    Literal::Int(count) => row(op.a, count as u32)?,
                    _ => return None,
                },
                _ => return None,
            },
            OpCode::AddElem => return None,
            op if opens_call(op) => [op_b].into_iter().filter(|operand| matches!(operand, Operand::Tmp(_))).collect(),
            _ => [op.a, op.b].into_iter().filter(|operand| matches!(operand, Operand::Tmp(_))).collect(),
        };
        match op.op {
            OpCode::AssignOp | OpCode::IncDec | OpCode::Append => {
                if let Operand::Local(local) = op.a {
                    changed.push(local.index());
                }
                if op.op == OpCode::Append && matches!(op.c, Operand::Tmp(_)) {
                    used_up.push(op.c);
                }
            }
            OpCode::SetPath | OpCode::SetOpPath | OpCode::IncDecPath | OpCode::UnsetPath => {
                let path = self.region.lowered.paths.get(op.n as usize)?;
                let keys = path.steps.iter().filter_map(|step| match step {
                    PathStep::Elem(key) => Some(*key),
                    _ => None,
                });
                for operand in keys.chain([path.base]) {
                    if matches!(operand, Operand::Tmp(_)) {
                        used_up.push(operand);
                    }
                }
                if let Operand::Local(local) = path.base {
                    changed.push(local.index());
                }
            }
            // What is being made stays in its temporary.
            OpCode::AddNewElem => return None,
            _ => {}
        }
        if op.op == OpCode::GetElemList && op.n == 1 {
            return None;
        }
        Some((used_up, changed))
    }

    /// Kinds that an opline is likely to give.
    fn likely_kinds(&self, at: u32, op: &Opline) -> Vec<Bits> {
        let mut kinds: Vec<Bits> = match op.op {
            OpCode::Clone | OpCode::Closure => vec![hhir::OBJ],
            OpCode::ConcatN | OpCode::ClassName => vec![hhir::COUNTED_STR],
            OpCode::NewTuple => vec![hhir::COUNTED_ARR],
            OpCode::InstanceOf | OpCode::IsType => vec![hhir::BOOL],
            _ => Vec::new(),
        };
        for bits in crate::calls::kinds_of_tags((self.region.noted)(at)) {
            if !kinds.contains(&bits) {
                kinds.push(bits);
            }
        }
        kinds
    }
}

/// Whether an opline writes the header of a call.
fn opens_call(op: OpCode) -> bool {
    let dynamic = matches!(op, OpCode::InitDynamic | OpCode::InitStatic);
    dynamic || matches!(op, OpCode::InitFunc | OpCode::InitMethod | OpCode::InitNew)
}

/// Whether the third operand is where a result goes.
fn writes_result(op: OpCode) -> bool {
    !matches!(op, OpCode::Append | OpCode::AddNewElem | OpCode::AddElem | OpCode::Echo | OpCode::UnsetPath)
}
