//! Expressions.

use super::Dump;
use crate::ast::{Args, ArrayItem, Callee, ClassRef, Expr, ExprKind, MatchArm, MemberName, NewClass, StrPart};

impl Dump {
    pub(super) fn expr(&mut self, expr: &Expr<'_>) {
        self.new_line();
        self.bare_expr(expr);
    }

    pub(super) fn exprs(&mut self, exprs: &[Expr<'_>]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// An optional expression that `label` names.
    pub(super) fn optional(&mut self, label: &str, expr: Option<&Expr<'_>>) {
        if let Some(expr) = expr {
            self.label(label);
            self.bare_expr(expr);
        }
    }

    fn bare_expr(&mut self, expr: &Expr<'_>) {
        self.open(kind_name(&expr.kind), expr.span, |dump| dump.expr_content(expr));
    }

    fn expr_content(&mut self, expr: &Expr<'_>) {
        match expr.kind {
            ExprKind::Int(value) => self.fact(value.to_string()),
            ExprKind::Float(value) => self.fact(format!("{value:?}")),
            ExprKind::Str(text) | ExprKind::Var(text) => self.bytes(text),
            ExprKind::Interpolated(parts) | ExprKind::ShellExec(parts) => self.parts(parts),
            ExprKind::Const(name) => self.name(&name),
            ExprKind::MagicConst(magic) => self.fact(format!("{magic:?}").to_lowercase()),
            ExprKind::Array { form, items } => {
                self.fact(format!("{form:?}").to_lowercase());
                items.iter().for_each(|item| self.array_item(item.as_ref()));
            }
            ExprKind::Dim { base, index } => {
                self.expr(base);
                self.optional("index", index);
            }
            ExprKind::Prop { base, name, nullsafe } => {
                self.flag(nullsafe, "nullsafe");
                self.expr(base);
                self.member(&name);
            }
            ExprKind::StaticProp { class, name } | ExprKind::ClassConst { class, name } => {
                self.class(&class);
                self.member(&name);
            }
            ExprKind::Call { callee, args } => {
                match callee {
                    Callee::Name(name) => self.name(&name),
                    Callee::Expr(callee) => self.expr(callee),
                }
                self.args(&args);
            }
            ExprKind::MethodCall { base, name, nullsafe, args } => {
                self.flag(nullsafe, "nullsafe");
                self.expr(base);
                self.member(&name);
                self.args(&args);
            }
            ExprKind::StaticCall { class, name, args } => {
                self.class(&class);
                self.member(&name);
                self.args(&args);
            }
            ExprKind::New { class, args } => {
                match class {
                    NewClass::Name(name) => self.name(&name),
                    NewClass::Expr(class) => self.expr(class),
                    NewClass::Anonymous(decl) => self.class_decl(decl),
                }
                self.args(&args);
            }
            ExprKind::Unary { op, operand } => {
                self.fact(format!("{op:?}").to_lowercase());
                self.expr(operand);
            }
            ExprKind::Binary { op, lhs, rhs } => {
                self.fact(format!("{op:?}").to_lowercase());
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Ternary { cond, then, otherwise, parenthesized } => {
                self.flag(parenthesized, "parenthesized");
                self.expr(cond);
                self.optional("then", then);
                self.optional("else", Some(otherwise));
            }
            ExprKind::Assign { target, value } | ExprKind::AssignRef { target, value } => {
                self.expr(target);
                self.expr(value);
            }
            ExprKind::AssignOp { op, target, value } => {
                self.fact(format!("{op:?}").to_lowercase());
                self.expr(target);
                self.expr(value);
            }
            ExprKind::IncDec { op, target } => {
                self.fact(format!("{op:?}").to_lowercase());
                self.expr(target);
            }
            ExprKind::Cast { to, operand } => {
                self.fact(format!("{to:?}").to_lowercase());
                self.expr(operand);
            }
            ExprKind::InstanceOf { value, class } => {
                self.expr(value);
                self.class(&class);
            }
            ExprKind::Include { kind, path } => {
                self.fact(format!("{kind:?}").to_lowercase());
                self.expr(path);
            }
            ExprKind::Isset(items) => self.exprs(items),
            ExprKind::Exit(args) => args.iter().for_each(|args| self.args(args)),
            ExprKind::Yield { key, value } => {
                self.optional("key", key);
                self.optional("value", value);
            }
            ExprKind::Match { subject, arms } => {
                self.expr(subject);
                arms.iter().for_each(|arm| self.match_arm(arm));
            }
            ExprKind::Closure(closure) => self.closure(closure),
            ExprKind::VarVar(operand)
            | ExprKind::Empty(operand)
            | ExprKind::Eval(operand)
            | ExprKind::Print(operand)
            | ExprKind::Clone(operand)
            | ExprKind::Throw(operand)
            | ExprKind::YieldFrom(operand) => self.expr(operand),
        }
    }

    fn parts(&mut self, parts: &[StrPart<'_>]) {
        for part in parts {
            match part {
                StrPart::Lit(text) => self.group("text", |dump| dump.bytes(text)),
                StrPart::Expr(expr) => self.expr(expr),
            }
        }
    }

    fn array_item(&mut self, item: Option<&ArrayItem<'_>>) {
        let Some(item) = item else { return self.group("hole", |_| {}) };
        self.node("item", item.span, |dump| {
            dump.flag(item.by_ref, "by-ref");
            dump.flag(item.spread, "spread");
            dump.optional("key", item.key);
            dump.expr(item.value);
        });
    }

    fn member(&mut self, name: &MemberName<'_>) {
        match name {
            MemberName::Ident(ident) => self.node("name", ident.span, |dump| dump.ident(ident)),
            MemberName::Expr(expr) => self.optional("name", Some(expr)),
        }
    }

    fn class(&mut self, class: &ClassRef<'_>) {
        match class {
            ClassRef::Name(name) => self.node("class", name.span, |dump| dump.name(name)),
            ClassRef::Expr(expr) => self.optional("class", Some(expr)),
        }
    }

    pub(super) fn args(&mut self, args: &Args<'_>) {
        self.node("args", args.span, |dump| {
            dump.flag(args.first_class_callable, "...");
            for arg in args.items {
                match arg.name {
                    Some(name) => dump.optional(&name.text.escape_ascii().to_string(), Some(&arg.value)),
                    None if arg.spread => dump.optional("spread", Some(&arg.value)),
                    None => dump.expr(&arg.value),
                }
            }
        });
    }

    fn match_arm(&mut self, arm: &MatchArm<'_>) {
        self.node("arm", arm.span, |dump| {
            match arm.conditions {
                Some(conditions) => dump.exprs(conditions),
                None => dump.fact("default"),
            }
            dump.optional("body", Some(&arm.body));
        });
    }
}

fn kind_name(kind: &ExprKind<'_>) -> &'static str {
    match kind {
        ExprKind::Int(_) => "int",
        ExprKind::Float(_) => "float",
        ExprKind::Str(_) => "str",
        ExprKind::Interpolated(_) => "interpolated",
        ExprKind::ShellExec(_) => "shell-exec",
        ExprKind::Const(_) => "const",
        ExprKind::MagicConst(_) => "magic-const",
        ExprKind::Var(_) => "var",
        ExprKind::VarVar(_) => "var-var",
        ExprKind::Array { .. } => "array",
        ExprKind::Dim { .. } => "dim",
        ExprKind::Prop { .. } => "prop",
        ExprKind::StaticProp { .. } => "static-prop",
        ExprKind::ClassConst { .. } => "class-const",
        ExprKind::Call { .. } => "call",
        ExprKind::MethodCall { .. } => "method-call",
        ExprKind::StaticCall { .. } => "static-call",
        ExprKind::New { .. } => "new",
        ExprKind::Unary { .. } => "unary",
        ExprKind::Binary { .. } => "binary",
        ExprKind::Ternary { .. } => "ternary",
        ExprKind::Assign { .. } => "assign",
        ExprKind::AssignRef { .. } => "assign-ref",
        ExprKind::AssignOp { .. } => "assign-op",
        ExprKind::IncDec { .. } => "inc-dec",
        ExprKind::Cast { .. } => "cast",
        ExprKind::InstanceOf { .. } => "instanceof",
        ExprKind::Isset(_) => "isset",
        ExprKind::Empty(_) => "empty",
        ExprKind::Include { .. } => "include",
        ExprKind::Eval(_) => "eval",
        ExprKind::Exit(_) => "exit",
        ExprKind::Print(_) => "print",
        ExprKind::Clone(_) => "clone",
        ExprKind::Throw(_) => "throw",
        ExprKind::Yield { .. } => "yield",
        ExprKind::YieldFrom(_) => "yield-from",
        ExprKind::Match { .. } => "match",
        ExprKind::Closure(_) => "closure",
    }
}
