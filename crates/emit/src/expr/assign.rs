//! Assignment in all its forms except destructuring.

use phlox_hhbc::Member;
use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::operators::set_op;
use super::places::{ClassOperand, Place, WritePlace};
use super::variables::Access;
use super::{is_call, is_globals, is_nullsafe_chain, is_this, is_variable};
use crate::emitter::{Emit, Emitter};

impl<'a> Emitter<'a> {
    /// PHP's checks on anything that is to be written, referred to or unset.
    pub fn ensure_writable(&self, target: &Expr<'_>) -> Emit {
        match target.kind {
            ExprKind::Call { .. } => return self.fatal("Can't use function return value in write context"),
            ExprKind::MethodCall { .. } | ExprKind::StaticCall { .. } => {
                return self.fatal("Can't use method return value in write context");
            }
            _ => {}
        }
        if is_nullsafe_chain(target) {
            return self.fatal("Can't use nullsafe operator in write context");
        }
        if is_globals(target) {
            return self.fatal("$GLOBALS can only be modified using the $GLOBALS[$name] = $value syntax");
        }
        Ok(())
    }

    /// Refuses an expression with `?->` where a reference to it is taken.
    pub fn not_nullsafe(&self, e: &Expr<'_>) -> Emit {
        if is_nullsafe_chain(e) {
            return self.fatal("Cannot take reference of a nullsafe chain");
        }
        Ok(())
    }

    /// Compiles a variable chain up to the place that is to be written. Fails if the chain ends in a temporary value.
    pub fn write_place(&mut self, target: &'a Expr<'a>) -> Emit<Place> {
        self.fb.line = target.span.line;
        let place = self.place(target, Access::Write)?.place;
        match place {
            // The operator is applied to a temporary that holds `$this`; whether it accepts an object is decided at run
            // time.
            Place::This => {
                self.push_this();
                Ok(Place::Local(self.pop_to_temp()))
            }
            Place::Globals | Place::Cell | Place::Ret => self.fatal("Cannot use temporary expression in write context"),
            place => Ok(place),
        }
    }

    /// `target = value` with the assigned value as its result.
    pub fn assign(&mut self, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        if let Some(local) = self.plain_local(target) {
            self.operand_at(target.span.line, value)?;
            self.fb.line = target.span.line;
            self.emit(Instr::SetL { local });
            return Ok(());
        }
        if is_this(target) {
            return self.fatal("Cannot re-assign $this");
        }
        self.ensure_writable(target)?;
        if let ExprKind::Array { items, form } = target.kind {
            return self.destructure_assign(items, form, value);
        }
        if is_named_late(target) && !self.is_simple(value) {
            return self.assign_named_late(target, value, |emitter, place| emitter.set_place(place));
        }
        let place = self.write_place(target)?;
        let line = self.fb.line;
        if let Place::Static(ClassOperand::Name(_)) | Place::Member { class: Some(ClassOperand::Name(_)), .. } = place
            && !self.is_simple(value)
        {
            // The class is looked up, and perhaps loaded, after the value is there.
            self.expr(value)?;
            let held = self.pop_to_temp();
            self.fb.line = line;
            let place = self.prepare_write(place);
            self.take_temp(held);
            self.set_place(place);
            return Ok(());
        }
        let place = self.prepare_write(place);
        self.value_for(place, line, value)?;
        self.fb.line = line;
        self.set_place(place);
        Ok(())
    }

    /// `$$name = value`: the name is read when the value is there.
    fn assign_named_late(
        &mut self,
        target: &'a Expr<'a>,
        value: &'a Expr<'a>,
        assign: impl FnOnce(&mut Self, WritePlace),
    ) -> Emit {
        self.operand_at(target.span.line, value)?;
        let held = self.pop_to_temp();
        let place = self.write_place(target)?;
        let place = self.prepare_write(place);
        self.take_temp(held);
        assign(self, place);
        Ok(())
    }

    /// Pushes the value for a prepared place. For a place whose member operation evaluates no names, a plain variable is
    /// read without its warning, which that operation raises.
    fn value_for(&mut self, place: WritePlace, line: u32, value: &'a Expr<'a>) -> Emit {
        match self.plain_local(value) {
            Some(local) if self.is_walked(place) => {
                self.fb.line = line;
                self.emit(Instr::CUGetL { local });
                Ok(())
            }
            _ => self.operand_at(line, value),
        }
    }

    /// Is the place reached by a member operation in which neither the base nor a property has a name that is computed?
    fn is_walked(&self, place: WritePlace) -> bool {
        let WritePlace::Member(vector) = place else { return false };
        let vector = &self.fb.func.vectors[vector.index()];
        let is_named = |member: &Member| matches!(member, Member::PC | Member::PL(_));
        !matches!(vector.base, Base::N | Base::G) && !vector.members.iter().any(is_named)
    }

    /// Assigns the top cell to a target and pops it.
    pub fn assign_top(&mut self, target: &'a Expr<'a>) -> Emit {
        if is_this(target) {
            return self.fatal("Cannot re-assign $this");
        }
        self.ensure_writable(target)?;
        if let ExprKind::Array { items, form } = target.kind {
            self.destructure(items, form)?;
            self.emit(Instr::PopC {});
            return Ok(());
        }
        if is_input_free(target) {
            let place = self.write_place(target)?;
            let place = self.prepare_write(place);
            self.set_place(place);
        } else {
            let held = self.pop_to_temp();
            let place = self.write_place(target)?;
            let place = self.prepare_write(place);
            self.take_temp(held);
            self.set_place(place);
        }
        self.emit(Instr::PopC {});
        Ok(())
    }

    /// Binds the top var to a target and pops it.
    pub fn bind_top(&mut self, target: &'a Expr<'a>) -> Emit {
        if is_this(target) {
            return self.fatal("Cannot re-assign $this");
        }
        self.ensure_writable(target)?;
        if is_input_free(target) {
            let place = self.write_place(target)?;
            let place = self.prepare_write(place);
            self.bind_place(place);
        } else {
            let held = self.fb.temp();
            self.emit(Instr::BindL { local: held });
            self.emit(Instr::PopV {});
            let place = self.write_place(target)?;
            let place = self.prepare_write(place);
            self.emit(Instr::VGetL { local: held });
            self.drop_temp(held);
            self.bind_place(place);
        }
        self.emit(Instr::PopV {});
        Ok(())
    }

    /// `target = &value` with the variable's value as its result.
    pub fn assign_ref(&mut self, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        match self.bind_result(target, value)? {
            Some(local) => self.emit(Instr::CGetL { local }),
            None => {
                self.bind(target, value)?;
                self.emit(Instr::Unbox {});
            }
        }
        Ok(())
    }

    /// `$local = &f()`: a result that is no reference is assigned by value. Gives the local; `None`, with nothing
    /// emitted, for assignments of another shape.
    pub fn bind_result(&mut self, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit<Option<LocalId>> {
        if !is_call(value) || is_nullsafe_chain(value) || self.is_inlined_builtin(value) {
            return Ok(None);
        }
        let Some(local) = self.plain_local(target) else { return Ok(None) };
        self.fb.line = value.span.line;
        self.call(value)?;
        self.emit(Instr::BindRL { local });
        Ok(Some(local))
    }

    /// `target = &value`; leaves the var on the stack.
    pub fn bind(&mut self, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        if is_this(target) {
            return self.fatal("Cannot re-assign $this");
        }
        self.ensure_writable(target)?;
        self.not_nullsafe(value)?;
        if is_globals(value) {
            return self.fatal("Cannot acquire reference to $GLOBALS");
        }
        let place = self.write_place(target)?;
        let line = self.fb.line;
        let place = self.prepare_write(place);
        if self.is_inlined_builtin(value) {
            return self.fatal("Cannot use result of built-in function in write context");
        }
        self.reference_source(value, RefNotice::Assign)?;
        self.fb.line = line;
        self.bind_place(place);
        Ok(())
    }

    /// Pushes a var: of a variable itself, of anything else with the notice that `kind` names.
    pub fn reference_source(&mut self, value: &'a Expr<'a>, kind: RefNotice) -> Emit {
        if is_variable(value) {
            return self.refer_variable(value);
        }
        if is_call(value) {
            self.fb.line = value.span.line;
            self.call(value)?;
        } else {
            self.expr(value)?;
        }
        self.emit(Instr::BoxRNotice { kind });
        Ok(())
    }

    /// `target op= value`, including `??=`.
    pub fn assign_op(&mut self, op: BinaryOp, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        let Some(op) = set_op(op) else { return self.assign_coalesce(target, value) };
        self.ensure_writable(target)?;
        if is_named_late(target) && !self.is_simple(value) {
            return self.assign_named_late(target, value, |emitter, place| emitter.set_op_place(place, op));
        }
        let place = self.write_place(target)?;
        let line = self.fb.line;
        let place = self.prepare_write(place);
        let is_local = matches!(place, WritePlace::Local(_));
        self.value_for(place, if is_local { value.span.line } else { line }, value)?;
        if !is_local {
            self.fb.line = line;
        }
        self.set_op_place(place, op);
        Ok(())
    }

    /// `++` and `--` before or behind a variable.
    pub fn inc_dec(&mut self, op: IncDecOp, target: &'a Expr<'a>) -> Emit {
        self.ensure_writable(target)?;
        let place = self.write_place(target)?;
        let place = self.prepare_write(place);
        self.inc_dec_place(
            place,
            match op {
                IncDecOp::PreInc => IncDec::PreInc,
                IncDecOp::PreDec => IncDec::PreDec,
                IncDecOp::PostInc => IncDec::PostInc,
                IncDecOp::PostDec => IncDec::PostDec,
            },
        );
        Ok(())
    }

    /// `target ??= value`: what the target's chain evaluates is kept, so that it runs once.
    fn assign_coalesce(&mut self, target: &'a Expr<'a>, value: &'a Expr<'a>) -> Emit {
        self.ensure_writable(target)?;
        if is_this(target) {
            return self.fatal("Cannot re-assign $this");
        }
        let end = self.fb.label();
        self.fb.line = target.span.line;
        let place = self.place(target, Access::Quiet)?.place;
        let line = self.fb.line;
        if self.is_inlined_builtin(chain_root(target)) {
            return self.fatal("Cannot use result of built-in function in write context");
        }
        if let Place::Globals | Place::Cell | Place::Ret = place {
            return self.fatal("Cannot use temporary expression in write context");
        }
        let (place, held) = self.hold_inputs(place);
        let copy = self.push_held(&place);
        self.read_place_quiet(copy);
        self.emit(Instr::JmpNotNull { target: end.target() });
        self.emit(Instr::PopC {});
        let copy = self.push_held(&place);
        let copy = self.prepare_write(copy);
        self.value_for(copy, value.span.line, value)?;
        self.fb.line = line;
        self.set_place(copy);
        self.fb.bind(end);
        for local in held {
            self.drop_temp(local);
        }
        Ok(())
    }

    /// Moves a place's stack inputs to unnamed locals.
    fn hold_inputs(&mut self, place: Place) -> (Held, Vec<LocalId>) {
        let mut held = Vec::new();
        if matches!(place, Place::Local(_)) {
            return (Held { place, name: None }, held);
        }
        if matches!(place, Place::Named | Place::Global) {
            let name = self.pop_to_temp();
            return (Held { place, name: Some(name) }, vec![name]);
        }
        let is_static_prop = matches!(place, Place::Static(_));
        let (base, mut members, class) = place.into_base();
        for member in members.iter_mut().rev() {
            let local = match member {
                Member::EC | Member::PC => self.pop_to_temp(),
                _ => continue,
            };
            *member = if *member == Member::EC { Member::EL(local) } else { Member::PL(local) };
            held.push(local);
        }
        let (base, name) = match base {
            Base::L(_) | Base::H => (base, None),
            Base::N | Base::G | Base::S => (base, Some(self.pop_to_temp())),
            Base::C | Base::R => {
                if base == Base::R {
                    self.emit(Instr::UnboxR {});
                }
                let local = self.pop_to_temp();
                held.push(local);
                (Base::L(local), None)
            }
        };
        held.extend(name);
        let class = class.map(|class| match class {
            ClassOperand::Temp(local) => {
                held.push(local);
                ClassOperand::Local(local)
            }
            other => other,
        });
        let place = match class {
            Some(class) if is_static_prop => Place::Static(class),
            class => Place::Member { base, members, class },
        };
        (Held { place, name }, held)
    }

    /// Pushes the kept name and gives the place to use.
    fn push_held(&mut self, held: &Held) -> Place {
        if let Some(local) = held.name {
            self.emit(Instr::CGetL { local });
        }
        held.place.clone()
    }
}

/// A place whose stack inputs lie in locals; only a variable's name still has to be pushed.
struct Held {
    place: Place,
    name: Option<LocalId>,
}

/// What a chain of elements and properties starts from.
fn chain_root<'a>(mut e: &'a Expr<'a>) -> &'a Expr<'a> {
    while let ExprKind::Dim { base, .. } | ExprKind::Prop { base, .. } = e.kind {
        e = base;
    }
    e
}

/// Does compiling this chain push nothing?
fn is_input_free(e: &Expr<'_>) -> bool {
    input_free_root(e).is_some_and(|root| matches!(root.kind, ExprKind::Var(name) if !super::is_superglobal(name)))
}

/// Does compiling this chain push nothing but the name that a variable holds?
fn is_named_late(e: &Expr<'_>) -> bool {
    let names =
        |name: &Expr<'_>| matches!(name.kind, ExprKind::Var(text) if !super::is_superglobal(text) && text != b"this");
    input_free_root(e).is_some_and(|root| matches!(root.kind, ExprKind::VarVar(name) if names(name)))
}

/// What a chain starts from whose steps push nothing.
fn input_free_root<'e>(mut e: &'e Expr<'e>) -> Option<&'e Expr<'e>> {
    let silent = |e: &Expr<'_>| matches!(e.kind, ExprKind::Int(_) | ExprKind::Var(_));
    loop {
        e = match e.kind {
            ExprKind::Dim { base, index: None } => base,
            ExprKind::Dim { base, index: Some(index) } if silent(index) && !is_this(index) => base,
            ExprKind::Dim { base, index: Some(Expr { kind: ExprKind::Str(key), .. }) }
                if crate::constant::integer_key(key).is_none() =>
            {
                base
            }
            ExprKind::Prop { base, name: MemberName::Ident(_), .. } => base,
            ExprKind::Var(_) | ExprKind::VarVar(_) => return Some(e),
            _ => return None,
        };
    }
}
