//! Variable expressions and call chains: `$a[..]->b()->c`, followed in a loop from the inside out.
//!
//! Dims and names are evaluated as the chain is walked; the fetches happen together at the end, in one
//! member operation, as PHP does. A call or `?->` in the chain ends one member operation and starts another.

use phlox_hhbc::Member;
use phlox_hhbc::*;
use phlox_syntax::ast::*;

use super::places::{Chain, ClassOperand, Place};
use super::{is_kept_in_variable, is_superglobal};
use crate::constant::{Const, integer_key};
use crate::emitter::{Emit, Emitter, FuncKind};

/// What a variable is looked up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// `isset`, `empty`, `??`
    Quiet,
    /// Assignment or reference.
    Write,
    Unset,
    /// Argument whose parameter may turn out to be by reference.
    Argument,
}

/// One access of a chain.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Dim(Option<&'a Expr<'a>>),
    Prop { name: MemberName<'a>, nullsafe: bool },
    Method { name: MemberName<'a>, nullsafe: bool, args: Args<'a> },
    Invoke { args: Args<'a>, line: u32 },
    StaticProp(MemberName<'a>),
    StaticMethod { name: MemberName<'a>, args: Args<'a> },
}

impl Step<'_> {
    /// Does the step take a value rather than a place?
    fn takes_value(&self) -> bool {
        !matches!(self, Step::Dim(_) | Step::Prop { .. })
    }
}

impl<'a> Emitter<'a> {
    /// Pushes a variable's value.
    pub fn read_variable(&mut self, e: &'a Expr<'a>) -> Emit {
        if let Some(local) = self.plain_local(e) {
            self.emit(Instr::CGetL { local });
            return Ok(());
        }
        let chain = self.place(e, Access::Read)?;
        self.read_place(chain.place);
        if let Some(short) = chain.short {
            self.fb.bind(short);
        }
        Ok(())
    }

    /// Pushes a value for `??`: no warning when it is absent.
    pub fn read_quiet(&mut self, e: &'a Expr<'a>) -> Emit {
        if !super::is_variable(e) {
            return self.expr(e);
        }
        self.fb.line = e.span.line;
        if self.is_const_expr() && matches!(e.kind, ExprKind::Prop { .. }) {
            return self.read_variable(e);
        }
        let chain = self.place(e, Access::Quiet)?;
        match chain.place {
            Place::This => self.push_this(),
            place => self.read_place_quiet(place),
        }
        if let Some(short) = chain.short {
            self.fb.bind(short);
        }
        Ok(())
    }

    /// Pushes a reference to a variable.
    pub fn refer_variable(&mut self, e: &'a Expr<'a>) -> Emit {
        self.fb.line = e.span.line;
        let chain = self.place(e, Access::Write)?;
        self.refer_place(chain.place);
        Ok(())
    }

    /// Follows a chain; the caller performs the last step on the place.
    pub fn place(&mut self, e: &'a Expr<'a>, access: Access) -> Emit<Chain> {
        let bottom = self.steps.len();
        let root = self.flatten(e);
        let top = self.steps.len();
        let steps = &self.steps[bottom..top];
        let last_value = steps.iter().position(Step::takes_value).map_or(top, |i| bottom + i);
        let root_access = if last_value < top { Access::Read } else { access };
        // In a constant expression only the elements at the end of a chain are read quietly, back to the last property.
        let is_loud = |step: &Step| matches!(step, Step::Prop { .. }) && access == Access::Quiet;
        let last_property = if self.is_const_expr() { steps.iter().position(is_loud) } else { None };
        let first_read = last_property.map_or(top, |position| (bottom + position).saturating_sub(1));
        let late_name = self.late_name(root, bottom, top);
        let place = match late_name {
            Some(_) => Place::Named,
            None => self.root_place(root, root_access)?,
        };
        let mut chain = Chain { place, short: None };
        for at in (bottom..top).rev() {
            let step = self.steps[at];
            let access = if at > last_value || at >= first_read { Access::Read } else { access };
            chain = self.step(chain, step, access)?;
        }
        self.steps.truncate(bottom);
        if let (Some(local), Place::Member { members, .. }) = (late_name, &chain.place) {
            self.push_name_below(
                local,
                members.iter().filter(|member| matches!(member, Member::EC | Member::PC)).count(),
            );
        }
        Ok(chain)
    }

    /// The local that names the variable at the root, if keys are evaluated behind it: the name is read when they are there.
    fn late_name(&mut self, root: &'a Expr<'a>, bottom: usize, top: usize) -> Option<LocalId> {
        let ExprKind::VarVar(name) = root.kind else { return None };
        let steps = &self.steps[bottom..top];
        let is_effect = |step: &Step<'_>| match step {
            Step::Dim(Some(index)) => !matches!(index.kind, ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Str(_)),
            Step::Prop { name: MemberName::Expr(_), nullsafe: false } => true,
            _ => false,
        };
        let is_late = steps.iter().any(is_effect)
            && steps.iter().all(|step| matches!(step, Step::Dim(_) | Step::Prop { nullsafe: false, .. }));
        if !is_late {
            return None;
        }
        let local = self.plain_local(name)?;
        self.set_flag(FuncFlags::DYNAMIC_VARS);
        Some(local)
    }

    /// Pushes a local below cells that are on the stack already.
    fn push_name_below(&mut self, local: LocalId, cells: usize) {
        let held: Vec<LocalId> = (0..cells).map(|_| self.pop_to_temp()).collect();
        self.emit(Instr::CGetL { local });
        for held in held.into_iter().rev() {
            self.take_temp(held);
        }
    }

    /// Stacks the accesses, outermost first, and returns what they start from.
    fn flatten(&mut self, mut e: &'a Expr<'a>) -> &'a Expr<'a> {
        loop {
            let (step, base) = match e.kind {
                ExprKind::Dim { base, index } => (Step::Dim(index), base),
                ExprKind::Prop { base, name, nullsafe } => (Step::Prop { name, nullsafe }, base),
                ExprKind::MethodCall { base, name, nullsafe, args } => (Step::Method { name, nullsafe, args }, base),
                ExprKind::Call { callee: Callee::Expr(callee), args } => {
                    (Step::Invoke { args, line: e.span.line }, callee)
                }
                ExprKind::StaticProp { class: ClassRef::Expr(class), name } if self.fold(class).is_none() => {
                    (Step::StaticProp(name), class)
                }
                ExprKind::StaticCall { class: ClassRef::Expr(class), name, args }
                    if self.fold(class).is_none() && !self.is_parent_hook(class, &name) =>
                {
                    (Step::StaticMethod { name, args }, class)
                }
                _ => return e,
            };
            self.steps.push(step);
            e = base;
        }
    }

    fn root_place(&mut self, e: &'a Expr<'a>, access: Access) -> Emit<Place> {
        self.fb.line = e.span.line;
        Ok(match e.kind {
            ExprKind::Var(name) => self.named_variable(name),
            ExprKind::VarVar(name) => match name.kind {
                ExprKind::Str(name) => self.named_variable(name),
                _ => {
                    self.expr(name)?;
                    self.set_flag(FuncFlags::DYNAMIC_VARS);
                    Place::Named
                }
            },
            ExprKind::StaticProp { ref class, name } => {
                let class = self.static_class(class)?;
                self.static_prop_name(name)?;
                Place::Static(class)
            }
            ExprKind::Call { .. } | ExprKind::StaticCall { .. } => {
                if matches!(access, Access::Write | Access::Unset) && self.is_inlined_builtin(e) {
                    return self.fatal("Cannot use result of built-in function in write context");
                }
                if self.named_call(e)? { Place::Cell } else { Place::Ret }
            }
            _ => {
                if matches!(access, Access::Write | Access::Unset) {
                    return self.fatal("Cannot use temporary expression in write context");
                }
                self.expr(e)?;
                // An element or property of a value that Zend keeps in a variable may be passed by reference, as that of
                // a call's result.
                if access == Access::Argument && is_kept_in_variable(e) { Place::Ret } else { Place::Cell }
            }
        })
    }

    fn named_variable(&mut self, name: &'a [u8]) -> Place {
        match name {
            b"this" => {
                self.set_flag(FuncFlags::USES_THIS);
                Place::This
            }
            b"GLOBALS" => Place::Globals,
            _ if is_superglobal(name) => {
                self.push_string(name);
                Place::Global
            }
            _ => Place::Local(self.local(name)),
        }
    }

    fn static_prop_name(&mut self, name: MemberName<'a>) -> Emit {
        match name {
            MemberName::Ident(ident) => self.push_string(ident.text),
            MemberName::Expr(name) => self.expr(name)?,
        }
        Ok(())
    }

    fn step(&mut self, chain: Chain, step: Step<'a>, access: Access) -> Emit<Chain> {
        let Chain { place, short } = chain;
        let mut chain = Chain { place: Place::Cell, short };
        match step {
            Step::Dim(index) => chain.place = self.dim_step(place, index, access)?,
            Step::Prop { name, nullsafe } => {
                let is_this = matches!(place, Place::This);
                let place = if nullsafe && !is_this { self.nullsafe(&mut chain, place, access) } else { place };
                if let (MemberName::Expr(name), true) = (name, self.is_const_expr()) {
                    chain.place = self.computed_enum_property(place, name, access)?;
                    return Ok(chain);
                }
                let check = Instr::CheckEnum {};
                let place = if self.is_const_expr() { self.checked_cell(place, access, check) } else { place };
                let place = if is_this && access == Access::Quiet { self.required_this() } else { place };
                let (base, mut members, class) = place.into_base();
                members.push(self.prop_member(name)?);
                chain.place = Place::Member { base, members, class };
            }
            Step::Method { name, nullsafe, args } => {
                let is_this = matches!(place, Place::This);
                let place = if nullsafe && !is_this { self.nullsafe(&mut chain, place, Access::Read) } else { place };
                if args.first_class_callable && chain.short.is_some() {
                    return self.fatal("Cannot combine nullsafe operator with Closure creation");
                }
                chain.place = self.method_step(place, name, &args)?;
            }
            Step::Invoke { args, line } => {
                // A call of a value does not belong to the chain of its callee.
                self.read_place(place);
                if let Some(short) = chain.short.take() {
                    self.fb.bind(short);
                }
                chain.place = self.invoke(&args, line)?;
            }
            Step::StaticProp(name) => {
                let class = self.class_of_place(place, is_effect_free(&name));
                self.static_prop_name(name)?;
                chain.place = Place::Static(class);
            }
            Step::StaticMethod { name, args } => {
                let class = self.class_of_place(place, is_effect_free(&name));
                chain.place = self.static_method(class, name, &args)?;
            }
        }
        Ok(chain)
    }

    /// `$this` as what a property is looked for in. Quiet as that may be, a missing `$this` is an error, which a member
    /// operation on it does not report.
    fn required_this(&mut self) -> Place {
        let has_object = matches!(self.ctx.kind, FuncKind::Method | FuncKind::Hook);
        if has_object && !self.fb.func.flags.has(FuncFlags::STATIC) {
            return Place::This;
        }
        self.push_this();
        Place::Cell
    }

    /// Reads the receiver of `?->` and leaves the chain when it is null.
    fn nullsafe(&mut self, chain: &mut Chain, place: Place, access: Access) -> Place {
        if access == Access::Quiet {
            self.read_place_quiet(place);
        } else {
            self.read_place(place);
        }
        let short = match chain.short {
            Some(short) => short,
            None => self.fb.label(),
        };
        chain.short = Some(short);
        self.emit(Instr::JmpNull { target: short.target() });
        Place::Cell
    }

    fn dim_step(&mut self, place: Place, index: Option<&'a Expr<'a>>, access: Access) -> Emit<Place> {
        if matches!(place, Place::Globals) {
            return match index {
                Some(index) => {
                    self.expr(index)?;
                    Ok(Place::Global)
                }
                None if access == Access::Quiet => self.fatal("Cannot use [] for reading"),
                None => self.fatal("Cannot append to $GLOBALS"),
            };
        }
        let place = if matches!(place, Place::This) {
            // `$this[..]` is an object's offset, not a write to `$this`.
            self.push_this();
            if access == Access::Argument { Place::Ret } else { Place::Cell }
        } else {
            place
        };
        let check = Instr::CheckNoObject {};
        let place = if self.is_const_expr() { self.checked_cell(place, access, check) } else { place };
        let (base, mut members, class) = place.into_base();
        members.push(match index {
            Some(index) => self.dim_member(index)?,
            None => match access {
                Access::Read | Access::Quiet => return self.fatal("Cannot use [] for reading"),
                Access::Unset => return self.fatal("Cannot use [] for unsetting"),
                Access::Write | Access::Argument => Member::W,
            },
        });
        Ok(Place::Member { base, members, class })
    }

    /// Evaluates an array key; plain variables are left to be read late.
    pub fn dim_member(&mut self, index: &'a Expr<'a>) -> Emit<Member> {
        if let Some(local) = self.plain_local(index) {
            self.fb.line = index.span.line;
            return Ok(Member::EL(local));
        }
        let value = self.fold(index);
        if value.is_some() {
            self.fb.line = index.span.line;
        }
        match value {
            Some(Const::Int(n)) => Ok(Member::EI(n)),
            Some(Const::Str(s)) if integer_key(&s).is_none() => Ok(Member::ET(self.str(&s))),
            Some(value) => {
                self.push_const(&value);
                Ok(Member::EC)
            }
            None => {
                self.expr(index)?;
                Ok(Member::EC)
            }
        }
    }

    fn prop_member(&mut self, name: MemberName<'a>) -> Emit<Member> {
        let name = match name {
            MemberName::Ident(ident) => {
                self.fb.line = ident.span.line;
                return Ok(Member::PT(self.str(ident.text)));
            }
            MemberName::Expr(name) => name,
        };
        if let Some(local) = self.plain_local(name) {
            return Ok(Member::PL(local));
        }
        if let ExprKind::Str(text) = name.kind {
            return Ok(Member::PT(self.str(text)));
        }
        self.expr(name)?;
        Ok(Member::PC)
    }

    fn is_const_expr(&self) -> bool {
        self.ctx.in_const_expr || self.ctx.kind == FuncKind::Thunk
    }

    /// `E->{name}` in a constant expression: the name is evaluated before the object is looked at.
    fn computed_enum_property(&mut self, place: Place, name: &'a Expr<'a>, access: Access) -> Emit<Place> {
        if access == Access::Quiet {
            self.read_place_quiet(place);
        } else {
            self.read_place(place);
        }
        let object = self.pop_to_temp();
        self.expr(name)?;
        self.emit(Instr::CastString {});
        let name = self.pop_to_temp();
        self.take_temp(object);
        self.emit(Instr::CheckEnum {});
        self.take_temp(name);
        Ok(Place::Member { base: Base::C, members: vec![Member::PC], class: None })
    }

    /// Constant expressions allow elements of arrays and properties of enum cases only.
    fn checked_cell(&mut self, place: Place, access: Access, check: Instr) -> Place {
        if access == Access::Quiet {
            self.read_place_quiet(place);
        } else {
            self.read_place(place);
        }
        self.emit(check);
        Place::Cell
    }

    fn method_step(&mut self, place: Place, name: MemberName<'a>, args: &Args<'a>) -> Emit<Place> {
        let count = self.passed_count(args);
        let line = match name {
            MemberName::Ident(Ident { text, span }) => {
                self.read_place(place);
                let name = self.str(text);
                self.fb.line = span.line;
                self.fb.push_call(Instr::FPushObjMethodD { args: count, name });
                span.line
            }
            MemberName::Expr(name) => {
                match self.fold(name) {
                    Some(Const::Str(text)) => {
                        self.read_place(place);
                        let name = self.str(&text);
                        self.fb.push_call(Instr::FPushObjMethodD { args: count, name });
                    }
                    Some(_) => return self.fatal("Method name must be a string"),
                    None => {
                        match place {
                            Place::Local(local) => {
                                self.expr(name)?;
                                self.emit(Instr::CGetL2 { local });
                            }
                            place => {
                                self.read_place(place);
                                self.expr(name)?;
                            }
                        }
                        self.fb.push_call(Instr::FPushObjMethod { args: count });
                    }
                }
                name.span.line
            }
        };
        self.pass_and_call(args, line)
    }

    /// The class operand for a value that names a class or is an object.
    fn class_of_place(&mut self, place: Place, effect_free: bool) -> ClassOperand {
        match place {
            Place::Local(local) if effect_free => ClassOperand::Local(local),
            place => {
                self.read_place(place);
                ClassOperand::Temp(self.pop_to_temp())
            }
        }
    }
}

impl Emitter<'_> {
    /// `parent::$prop::get` or `set`, without parentheses: a hook call rather than a method of the property's value.
    pub fn is_parent_hook(&self, class: &Expr<'_>, name: &MemberName<'_>) -> bool {
        let MemberName::Ident(method) = name else { return false };
        let ExprKind::StaticProp { class: ClassRef::Name(parent), ref name } = class.kind else {
            return false;
        };
        let after = self.source.get(class.span.end as usize..).unwrap_or_default();
        !after.trim_ascii_start().starts_with(b")")
            && literal_name(name).is_some()
            && parent.kind == NameKind::Unqualified
            && parent.text.eq_ignore_ascii_case(b"parent")
            && (method.text.eq_ignore_ascii_case(b"get") || method.text.eq_ignore_ascii_case(b"set"))
    }
}

fn is_effect_free(name: &MemberName<'_>) -> bool {
    matches!(name, MemberName::Ident(_))
}

/// A member's name if it is written as a literal.
pub(crate) fn literal_name(name: &MemberName<'_>) -> Option<Vec<u8>> {
    match name {
        MemberName::Ident(ident) => Some(ident.text.to_vec()),
        MemberName::Expr(Expr { kind: ExprKind::Str(text), .. }) => Some(text.to_vec()),
        MemberName::Expr(Expr { kind: ExprKind::Int(n), .. }) => Some(n.to_string().into_bytes()),
        MemberName::Expr(_) => None,
    }
}
