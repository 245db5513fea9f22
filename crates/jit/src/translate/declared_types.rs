//! Declared types of parameters and results, and `instanceof`.

use crate::translate::calls::{kinds_in, kinds_of_tags, tags_of};
use crate::translate::state::{Flow, FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge};
use phlox_hhir::{ClassId, Op, ValueId};
use phlox_lower::{Operand, Opline};
use phlox_value::raw;

impl Translator<'_> {
    /// Translates the check of a parameter's type, which is mostly decided at compile time.
    pub(crate) fn verify_param(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let accepted = self.input.host.declared_kinds(at);
        if let Operand::Local(local) = op.a
            && let Some(reference) = self.reference_in(local.index(), state)
        {
            // What the reference holds is of the type at this moment only, so it is guarded and nothing is remembered.
            let ty = Type::of(kinds_in(accepted));
            let exit = self.snap(at, state);
            self.b.emit(Op::CheckRefInner, ty, [0; 3], &[reference], Edge::Exit(exit));
            return Some(Flow::Next);
        }
        let value = self.peek(op.a, state)?;
        if tags_of(self.kind(value))? & !accepted == 0 {
            return Some(Flow::Next);
        }
        if self.kind(value) == hhir::INT && accepted >> raw::TI_DOUBLE & 1 != 0 {
            let float = self.as_dbl(value);
            return self.store(op.a, float, state).then_some(Flow::Next);
        }
        if !self.b.ty(value).is(hhir::OBJ) {
            return self.convert_argument(at, op, accepted, state);
        }
        let exit = self.snap(at, state);
        self.check_object(at, op, value, exit)?;
        Some(Flow::Next)
    }

    /// An argument of a type that is converted or refused: the interpreter does either.
    fn convert_argument(&mut self, at: u32, op: &Opline, accepted: u32, state: &mut FrameState) -> Option<Flow> {
        let kinds = kinds_of_tags(accepted & !(1 << raw::TI_NULL));
        let (&[kind], Operand::Local(local)) = (&kinds[..], op.a) else { return None };
        let flow = self.step_in_interpreter(at, op, state)?;
        if let Loc::Flushed(bits) = &mut state.cells[local.index()] {
            *bits = kind;
        }
        Some(flow)
    }

    /// Translates the check of a result's type before `finally` blocks run.
    pub(crate) fn verify_return(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let value = self.peek(op.a, state)?;
        let accepted = self.input.host.declared_kinds(at);
        if tags_of(self.kind(value))? & !accepted == 0 {
            return Some(Flow::Next);
        }
        if self.input.host.declared_class(at).is_none() && !self.input.host.declares_static(at) {
            return None;
        }
        let exit = self.snap(at, state);
        self.check_object(at, op, value, exit)?;
        Some(Flow::Next)
    }

    /// Guards that an object is of the class that a parameter or result is declared with.
    pub(crate) fn check_object(
        &mut self,
        at: u32,
        op: &Opline,
        value: ValueId,
        exit: phlox_hhir::SnapId,
    ) -> Option<()> {
        if !self.b.ty(value).is(hhir::OBJ) {
            return None;
        }
        if let Some(class) = self.input.host.declared_class(at) {
            self.check_instance(value, class, exit);
            return Some(());
        }
        if self.input.host.declares_static(at) {
            let own = self.own_context()?;
            let wanted = if self.b.ty(own).is(hhir::OBJ) { self.b.op(Op::LdObjClass, &[own]) } else { own };
            let class = self.b.op(Op::LdObjClass, &[value]);
            let fits = self.b.op(Op::InstanceOf, &[class, wanted]);
            self.b.exit_unless(fits, exit);
            return Some(());
        }
        if let Some(class) = self.class_hint(value).filter(|_| self.input.host.declares_callable(at)) {
            return self.input.host.is_closure_class(class).then(|| self.check_class(value, class, exit)).flatten();
        }
        let [known, _] = self.input.host.inline_caches(op.site);
        if known.key == 0 {
            return None;
        }
        self.check_class(value, known.key_class(), exit)
    }

    /// Guards that an object is an instance of a class.
    pub(crate) fn check_instance(&mut self, value: ValueId, class: ClassId, exit: phlox_hhir::SnapId) {
        let wanted = self.b.unit.constant(Const::Cls(class));
        let own = self.b.op(Op::LdObjClass, &[value]);
        let fits = self.b.op(Op::InstanceOf, &[own, wanted]);
        self.b.exit_unless(fits, exit);
    }

    /// Translates `a instanceof B`.
    pub(crate) fn instance_of(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let value = self.source(op.a, state)?;
        let answer = if self.b.ty(value).is(hhir::OBJ) {
            let class = self.input.host.declared_class(at)?;
            let wanted = self.b.unit.constant(Const::Cls(class));
            let own = self.b.op(Op::LdObjClass, &[value]);
            self.b.op(Op::InstanceOf, &[own, wanted])
        } else if self.b.ty(value).maybe(hhir::OBJ) {
            return None;
        } else {
            self.b.unit.bool(false)
        };
        self.store(op.c, answer, state).then_some(Flow::Next)
    }
}
