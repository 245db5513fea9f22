//! Paths of elements and properties: the slots that `$a->b[$k] = $v` and the like change.

use crate::host::PropertyName;
use crate::layout::HelperAt;
use crate::profile::ObservedType;
use crate::translate::properties::MemberSlot;
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhbc::SetOp;
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{Op, SnapId, ValueId};
use phlox_lower::{Literal, OpCode, Operand, Opline, Path, PathStep};

/// Whether a path's step leads to a property: an array in a property can be changed in place, because the property holds it.
fn is_property(step: Option<&PathStep>) -> bool {
    matches!(step, Some(PathStep::Prop(..) | PathStep::Static { .. }))
}

impl Translator<'_> {
    fn place_of(&mut self, at: u32, path: &Path, exit: SnapId, state: &mut FrameState) -> Option<MemberSlot> {
        let (mut place, steps) = match path.steps.split_first() {
            Some((&PathStep::Static { site, .. }, steps)) => (Some(self.static_place(site, exit)?), steps),
            _ => (None, &path.steps[..]),
        };
        for step in steps {
            let base = match place.take() {
                Some(place) => self.load_container(place, exit)?,
                None => self.base_of(path, state)?,
            };
            place = Some(match *step {
                PathStep::Elem(key) => {
                    let key = self.source(key, state)?;
                    self.element_place(base, key, exit)?
                }
                PathStep::Prop(name, site) => {
                    self.property(base, at, Some((PropertyName::String(name), true)), site, exit, None)?
                }
                PathStep::New | PathStep::Static { .. } => return None,
            });
        }
        place
    }

    /// The value that a path begins with.
    fn base_of(&mut self, path: &Path, state: &FrameState) -> Option<ValueId> {
        match path.base {
            Operand::This => self.own_context(),
            // An array that is not in memory may be borrowed from elsewhere.
            Operand::Local(local) => match state.cells[local.index()] {
                _ if self.reference_in(local.index(), state).is_some() => {
                    self.references.contents.get(&local.index()).copied()
                }
                Loc::Fixed(value) => Some(value),
                Loc::Value(value) | Loc::Owned(value) if self.b.ty(value).is(hhir::OBJ) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Translates `path = a`, `path OP= a`, `path++`.
    pub(crate) fn change_path(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let path = self.input.lowered.paths.get(op.n as usize)?.clone();
        let operand = match op.op {
            OpCode::IncDecPath => None,
            _ => Some(self.source(op.a, state)?),
        };
        let has_element = path.steps.iter().any(|step| matches!(step, PathStep::Elem(_)));
        if has_element && op.op != OpCode::SetPath && self.shows_arrays(state) {
            return None;
        }
        if let (OpCode::SetPath, Some(value)) = (op.op, operand)
            && !matches!(path.steps.last(), Some(PathStep::Prop(..) | PathStep::Static { .. }))
        {
            let is_list = self.sample_at(&path, state).is_some_and(|seen| seen.is_packed());
            let key = match path.steps.last() {
                Some(PathStep::Elem(key)) => self.peek_key(*key, state),
                _ => None,
            };
            let is_inline = is_list
                && !self.is_counted(value)
                && key == Some(hhir::INT)
                && self.input.host.exit_feedback(at) | self.input.host.type_feedback(at) == 0
                && !self.shows_arrays(state);
            if !is_inline
                && let (Operand::Local(_), &[PathStep::Elem(outer), PathStep::Elem(inner)]) =
                    (path.base, &path.steps[..])
            {
                return self.set_in_element(at, op, (path.base, outer, inner), value, exit, state);
            }
            if !is_inline {
                return self.set_in_property(at, op, &path, value, exit, state);
            }
        }
        if op.op != OpCode::SetPath
            && let Some(&PathStep::Elem(key)) = path.steps.last()
        {
            let sample = self.sample_at(&path, state);
            let is_list = sample.is_some_and(|seen| seen.is_packed());
            let is_place = is_list && self.peek_key(key, state) == Some(hhir::INT);
            // An element under a literal key is looked for at its last position.
            let is_named = matches!(key, Operand::Lit(_)) && sample.is_some() && !is_list;
            let is_inline = (is_place || is_named) && self.input.host.exit_feedback(at) == 0;
            if !is_inline {
                return self.change_element(at, op, &path, operand, exit, state);
            }
        }
        let place = self.place_of(at, &path, exit, state)?;
        let value = match (op.op, operand) {
            (OpCode::SetPath, Some(value)) => value,
            (OpCode::SetOpPath, Some(operand)) => {
                let operator = *SetOp::ALL.get(self.number(op.b)?)?;
                let now = self.load_now(&place, exit)?;
                self.arithmetic(operator, now, operand, exit)?
            }
            _ => {
                let how = self.number(op.b)?;
                // The old value is not wanted, unless `how` says so.
                let (now, one) = (self.load_now(&place, exit)?, self.b.unit.int(1));
                if self.kind(now) != hhir::INT {
                    return None;
                }
                let step = if how & 1 == 0 { Op::AddIntO } else { Op::SubIntO };
                let new = self.b.op_or(step, &[now, one], exit);
                if how >= 2 && op.c != Operand::None {
                    // The old value is the result.
                    self.write(&place, new, exit)?;
                    return self.store(op.c, now, state).then_some(Flow::Next);
                }
                new
            }
        };
        self.write(&place, value, exit)?;
        if op.c == Operand::None {
            return Some(Flow::Next);
        }
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// The type of a key that is not consumed.
    fn peek_key(&self, key: Operand, state: &FrameState) -> Option<Bits> {
        match key {
            Operand::Lit(index) => {
                matches!(self.input.lowered.literals[index as usize], Literal::Int(_)).then_some(hhir::INT)
            }
            operand => self.peek(operand, state).map(|key| self.kind(key)),
        }
    }

    /// The observed type of the container that a path's last step accesses.
    fn sample_at(&self, path: &Path, state: &FrameState) -> Option<ObservedType> {
        let (_, steps) = path.steps.split_last()?;
        let mut seen = match (path.base, steps.first()) {
            (_, Some(&PathStep::Static { .. })) => None,
            (Operand::This, _) => self.input.this_sample,
            (operand, _) => self.known.samples.get(&self.peek(operand, state)?).copied(),
        };
        for step in steps {
            if let PathStep::Static { site, .. } = *step {
                seen = self.input.host.static_property(site)?.1;
                continue;
            }
            let container = seen?;
            seen = match *step {
                PathStep::Prop(_, site) => {
                    let class = container.class()?;
                    let cache =
                        self.input.host.inline_caches(site).into_iter().find(|cache| cache.key_class() == class)?;
                    container.property((cache.value & 0xffff) as usize)
                }
                PathStep::Elem(_) => container.element(),
                PathStep::New | PathStep::Static { .. } => None,
            };
        }
        seen
    }

    /// Translates `$a->b[$k] = $v` and `$a->b[] = $v`: the array in the property is changed in place.
    fn set_in_property(
        &mut self,
        at: u32,
        op: &Opline,
        path: &Path,
        value: ValueId,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let (last, steps) = path.steps.split_last()?;
        if !is_property(steps.last()) || !self.can_store(op.c, state) {
            return None;
        }
        let helpers = self.input.shape.helpers;
        let (helper, key) = match *last {
            PathStep::Elem(key) => (helpers.set_at, Some(self.source(key, state)?)),
            PathStep::New => (helpers.push_at, None),
            PathStep::Prop(..) | PathStep::Static { .. } => return None,
        };
        if key.is_some_and(|key| !self.is_int_or_string(key)) || self.kind(value) & hhir::UNINIT != 0 {
            return None;
        }
        let container = Path { base: path.base, steps: steps.to_vec() };
        let mut place = self.place_of(at, &container, exit, state)?;
        if place.is_readonly {
            return None;
        }
        if self.has_met_references(at) {
            place.pointer = self.b.op(Op::UnboxPtr, &[place.pointer]);
        }
        let args: Vec<ValueId> = key.into_iter().chain([value]).collect();
        self.change_array(&place, helper, 0, &args, exit);
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// Translates `$a[$k] OP= $n` and `$a[$k]++`, also of arrays in properties, by a runtime function that takes any array.
    fn change_element(
        &mut self,
        at: u32,
        op: &Opline,
        path: &Path,
        operand: Option<ValueId>,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let (&PathStep::Elem(key), steps) = path.steps.split_last()? else { return None };
        let key = self.source(key, state)?;
        let (operator, number) = match operand {
            Some(operand) => (*SetOp::ALL.get(self.number(op.b)?)?, operand),
            None => (if self.number(op.b)? & 1 == 0 { SetOp::Add } else { SetOp::Sub }, self.b.unit.int(1)),
        };
        if op.c != Operand::None || !self.is_int_or_string(key) || self.kind(number) & !hhir::NUM != 0 {
            return None;
        }
        let data = SetOp::ALL.iter().position(|other| *other == operator)? as u64;
        let helpers = self.input.shape.helpers;
        if let (Operand::Local(local), []) = (path.base, steps) {
            let array = match state.cells[local.index()] {
                _ if self.reference_in(local.index(), state).is_some() => {
                    *self.references.contents.get(&local.index())?
                }
                Loc::Fixed(array) | Loc::Owned(array) => array,
                _ => return None,
            };
            if self.b.ty(array).bits() != hhir::COUNTED_ARR {
                return None;
            }
            self.helper(helpers.change_element, data, &[array, key, number], Operand::None, exit)?;
            return Some(Flow::Next);
        }
        if !is_property(steps.last()) {
            return None;
        }
        let container = Path { base: path.base, steps: steps.to_vec() };
        let mut place = self.place_of(at, &container, exit, state)?;
        if place.is_readonly {
            return None;
        }
        if self.has_met_references(at) {
            place.pointer = self.b.op(Op::UnboxPtr, &[place.pointer]);
        }
        self.change_array(&place, helpers.change_at, data, &[key, number], exit);
        Some(Flow::Next)
    }

    /// Has a runtime function change the array in a slot.
    fn change_array(&mut self, place: &MemberSlot, helper: HelperAt, data: u64, args: &[ValueId], exit: SnapId) {
        self.b.emit(Op::CheckTypeMem, Type::of(hhir::ARR), [0; 3], &[place.pointer], Edge::Exit(exit));
        let function = self.b.unit.constant(Const::Func(phlox_hhir::FuncId(helper as usize as u64)));
        let mut srcs = vec![function, self.b.unit.int(data as i64), place.pointer];
        srcs.extend(args);
        self.note_release();
        self.b.emit(Op::CallHelperMem, Type::TOP, [0; 3], &srcs, Edge::Exit(exit));
    }

    /// Translates `unset($a->b[$k])`.
    pub(crate) fn unset_path(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let path = self.input.lowered.paths.get(op.n as usize)?.clone();
        let (last, steps) = path.steps.split_last()?;
        let (PathStep::Elem(key), true) = (*last, is_property(steps.last())) else { return None };
        let key = self.source(key, state)?;
        let kind = self.kind(key);
        if kind != hhir::INT && kind & !hhir::STR != 0 {
            return None;
        }
        let container = Path { base: path.base, steps: steps.to_vec() };
        let place = self.place_of(at, &container, exit, state)?;
        if place.is_readonly {
            return None;
        }
        self.change_array(&place, self.input.shape.helpers.unset_at, 0, &[key], exit);
        Some(Flow::Next)
    }

    fn number(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Lit(index) => match self.input.lowered.literals[index as usize] {
                Literal::Int(number) => usize::try_from(number).ok(),
                _ => None,
            },
            _ => None,
        }
    }
}
