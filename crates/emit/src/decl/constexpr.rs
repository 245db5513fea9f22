//! Constant expressions: which are allowed, and the thunks that compute those that are not literals.

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::constant::Const;
use crate::emitter::{Emit, Emitter, FuncContext, FuncKind};
use crate::expr::walk::for_each_part;
use crate::names::{SpecialClass, special_class};

impl<'a> Emitter<'a> {
    /// Checks a constant expression and makes its value: a literal or a thunk.
    pub fn const_init(&mut self, e: &'a Expr<'a>, allow_new: bool) -> Emit<(Init, Option<Const<'a>>)> {
        match self.fold(e) {
            Some(value) => {
                let literal = self.unit.literal(&value);
                Ok((Init::Literal(literal), Some(value)))
            }
            None => {
                self.check_const_expr(e, allow_new)?;
                Ok((Init::Thunk(self.thunk(e)?), None))
            }
        }
    }

    /// Compiles a checked constant expression in place.
    pub fn const_expr(&mut self, e: &'a Expr<'a>) -> Emit {
        self.ctx.in_const_expr = true;
        let result = self.expr(e);
        self.ctx.in_const_expr = false;
        result
    }

    /// A function without parameters that returns the expression's value.
    pub fn thunk(&mut self, e: &'a Expr<'a>) -> Emit<FuncId> {
        let id = self.unit.reserve_func();
        let line = e.span.line;
        let fb = std::mem::take(&mut self.fb);
        let ctx = FuncContext {
            kind: FuncKind::Thunk,
            name: self.ctx.name.clone(),
            method: self.method_name(),
            hook: self.ctx.hook.clone(),
            property: self.ctx.property.clone(),
            ..FuncContext::default()
        };
        let ctx = std::mem::replace(&mut self.ctx, ctx);
        self.fb.line = line;
        self.fb.func = self.new_func(FuncFlags::THUNK);
        self.fb.func.line_start = line;
        self.fb.func.line_end = line;
        let result = self.expr(e);
        self.emit(Instr::RetC {});
        let func = std::mem::replace(&mut self.fb, fb).finish();
        self.ctx = ctx;
        result?;
        self.unit.set_func(id, func);
        Ok(id)
    }

    /// An empty function of the current class and file.
    pub fn new_func(&mut self, flags: u32) -> Func {
        let strict = if self.unit.unit.strict_types { FuncFlags::STRICT_TYPES } else { 0 };
        let name = self.str(b"");
        Func { name, flags: FuncFlags(flags | strict), class: self.class.as_ref().map(|c| c.id), ..Func::default() }
    }

    /// Refuses what a constant expression may not contain. `allow_new` permits `new`.
    pub fn check_const_expr(&mut self, e: &'a Expr<'a>, allow_new: bool) -> Emit {
        // Nested operands are visited left to right by an explicit stack: chains get long.
        let mut pending = vec![e];
        while let Some(e) = pending.pop() {
            self.check_const_node(e, allow_new)?;
            let mark = pending.len();
            for_each_part(e, &mut |part| pending.push(part));
            pending[mark..].reverse();
        }
        Ok(())
    }

    /// Is it made of literals and constants of the class that is being compiled? Reflection knows the value of such an
    /// expression before it ran.
    pub fn is_of_own_constants(&self, e: &'a Expr<'a>) -> bool {
        let mut pending = vec![e];
        while let Some(e) = pending.pop() {
            let is_allowed = match e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Binary { .. } => true,
                ExprKind::Ternary { .. } => true,
                ExprKind::Unary { op, .. } => op != UnaryOp::Silence,
                ExprKind::Array { form, items } => {
                    form != ArrayForm::List && items.iter().all(|item| item.as_ref().is_some_and(|item| !item.by_ref))
                }
                ExprKind::ClassConst { class: ClassRef::Name(class), name: MemberName::Ident(name) } => {
                    let is_self = class.kind == NameKind::Unqualified
                        && special_class(class.text) == Some(SpecialClass::SelfClass);
                    is_self && !name.text.eq_ignore_ascii_case(b"class") && self.class.is_some()
                }
                _ => false,
            };
            if !is_allowed {
                return false;
            }
            for_each_part(e, &mut |part| pending.push(part));
        }
        true
    }

    fn check_const_node(&mut self, e: &'a Expr<'a>, allow_new: bool) -> Emit {
        match e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::MagicConst(_)
            | ExprKind::Binary { .. }
            | ExprKind::Ternary { .. }
            | ExprKind::Prop { .. } => Ok(()),
            ExprKind::Unary { op, .. } if op != UnaryOp::Silence => Ok(()),
            ExprKind::Const(ref name) => {
                if self.special_constant(name).is_none() {
                    self.fb.line = e.span.line;
                }
                Ok(())
            }
            ExprKind::Dim { index: Some(_), .. } => Ok(()),
            ExprKind::Dim { index: None, .. } => self.fatal("Cannot use [] for reading"),
            ExprKind::Array { form, items } if form != ArrayForm::List => {
                if items.iter().any(Option::is_none) {
                    return self.empty_element(items);
                }
                if items.iter().flatten().any(|i| i.by_ref) {
                    return self.fatal("Constant expression contains invalid operations");
                }
                Ok(())
            }
            ExprKind::ClassConst { ref class, ref name } => self.check_const_class_constant(class, name),
            ExprKind::New { ref class, ref args } => {
                if !allow_new {
                    return self.fatal("New expressions are not supported in this context");
                }
                self.check_const_new(class, args)
            }
            _ => self.fatal("Constant expression contains invalid operations"),
        }
    }

    fn check_const_class_constant(&mut self, class: &ClassRef<'a>, name: &MemberName<'a>) -> Emit {
        let is_class = matches!(name, MemberName::Ident(ident) if ident.text.eq_ignore_ascii_case(b"class"));
        let ClassRef::Name(class) = class else {
            return self.fatal(if is_class {
                "(expression)::class cannot be used in constant expressions"
            } else {
                "Dynamic class names are not allowed in compile-time class constant references"
            });
        };
        let special = if class.kind == NameKind::Unqualified { special_class(class.text) } else { None };
        match special {
            Some(SpecialClass::Static) if is_class => {
                self.fatal("static::class cannot be used for compile-time class name resolution")
            }
            Some(special) if is_class => self.check_special_class(special),
            Some(SpecialClass::Static) => self.fatal("\"static::\" is not allowed in compile-time constants"),
            _ => Ok(()),
        }
    }

    fn check_const_new(&mut self, class: &NewClass<'a>, args: &Args<'a>) -> Emit {
        let name = match class {
            NewClass::Anonymous(_) => return self.fatal("Cannot use anonymous class in constant expression"),
            NewClass::Expr(_) => return self.fatal("Cannot use dynamic class name in constant expression"),
            NewClass::Name(name) => name,
        };
        if name.kind == NameKind::Unqualified && special_class(name.text) == Some(SpecialClass::Static) {
            return self.fatal("\"static\" is not allowed in compile-time constants");
        }
        if args.first_class_callable {
            return self.fatal("Cannot create Closure for new expression");
        }
        if args.items.iter().any(|a| a.spread) {
            return self.fatal("Argument unpacking in constant expressions is not supported");
        }
        let first_named = args.items.iter().position(|a| a.name.is_some());
        if first_named.is_some_and(|n| args.items[n..].iter().any(|a| a.name.is_none())) {
            return self.fatal("Cannot use positional argument after named argument");
        }
        Ok(())
    }
}
