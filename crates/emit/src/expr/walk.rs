//! Walks over the tree for the two questions that need to be answered before code is emitted: which variables an
//! arrow function captures, and whether a function is a generator.

use phlox_syntax::ast::*;

/// Calls `visit` with each direct part of an expression, in source order. Closure bodies are not parts.
pub(crate) fn for_each_part<'a>(e: &'a Expr<'a>, visit: &mut dyn FnMut(&'a Expr<'a>)) {
    match e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::Const(_)
        | ExprKind::MagicConst(_)
        | ExprKind::Var(_)
        | ExprKind::Closure(_) => {}
        ExprKind::Interpolated(parts) | ExprKind::ShellExec(parts) => {
            for part in parts {
                if let StrPart::Expr(e) = part {
                    visit(e);
                }
            }
        }
        ExprKind::Array { items, .. } => {
            for item in items.iter().flatten() {
                item.key.into_iter().for_each(&mut *visit);
                visit(item.value);
            }
        }
        ExprKind::Dim { base, index } => {
            visit(base);
            index.into_iter().for_each(visit);
        }
        ExprKind::Prop { base, ref name, .. } => {
            visit(base);
            member_name(name, visit);
        }
        ExprKind::StaticProp { ref class, ref name } | ExprKind::ClassConst { ref class, ref name } => {
            class_ref(class, visit);
            member_name(name, visit);
        }
        ExprKind::Call { ref callee, ref args } => {
            if let Callee::Expr(e) = callee {
                visit(e);
            }
            arguments(args, visit);
        }
        ExprKind::MethodCall { base, ref name, ref args, .. } => {
            visit(base);
            member_name(name, visit);
            arguments(args, visit);
        }
        ExprKind::StaticCall { ref class, ref name, ref args } => {
            class_ref(class, visit);
            member_name(name, visit);
            arguments(args, visit);
        }
        ExprKind::New { ref class, ref args } => {
            if let NewClass::Expr(e) = class {
                visit(e);
            }
            arguments(args, visit);
        }
        ExprKind::Ternary { cond, then, otherwise, .. } => {
            visit(cond);
            then.into_iter().for_each(&mut *visit);
            visit(otherwise);
        }
        ExprKind::Binary { lhs: a, rhs: b, .. }
        | ExprKind::Assign { target: a, value: b }
        | ExprKind::AssignRef { target: a, value: b }
        | ExprKind::AssignOp { target: a, value: b, .. } => {
            visit(a);
            visit(b);
        }
        ExprKind::InstanceOf { value, ref class } => {
            visit(value);
            class_ref(class, visit);
        }
        ExprKind::Isset(vars) => vars.iter().for_each(visit),
        ExprKind::Unary { operand, .. }
        | ExprKind::IncDec { target: operand, .. }
        | ExprKind::Cast { operand, .. }
        | ExprKind::Empty(operand)
        | ExprKind::Include { path: operand, .. }
        | ExprKind::VarVar(operand)
        | ExprKind::Eval(operand)
        | ExprKind::Print(operand)
        | ExprKind::Clone(operand)
        | ExprKind::Throw(operand)
        | ExprKind::YieldFrom(operand) => visit(operand),
        ExprKind::Exit(ref args) => {
            if let Some(args) = args {
                arguments(args, visit);
            }
        }
        ExprKind::Yield { key, value } => {
            key.into_iter().for_each(&mut *visit);
            value.into_iter().for_each(visit);
        }
        ExprKind::Match { subject, arms } => {
            visit(subject);
            for arm in arms {
                arm.conditions.unwrap_or_default().iter().for_each(&mut *visit);
                visit(&arm.body);
            }
        }
    }
}

fn arguments<'a>(args: &Args<'a>, visit: &mut dyn FnMut(&'a Expr<'a>)) {
    args.items.iter().for_each(|arg| visit(&arg.value));
}

fn class_ref<'a>(class: &ClassRef<'a>, visit: &mut dyn FnMut(&'a Expr<'a>)) {
    if let ClassRef::Expr(e) = class {
        visit(e);
    }
}

fn member_name<'a>(name: &MemberName<'a>, visit: &mut dyn FnMut(&'a Expr<'a>)) {
    if let MemberName::Expr(e) = name {
        visit(e);
    }
}

/// Names of the variables an arrow function's body mentions, in order; inner arrow functions included.
pub(crate) fn mentioned_variables<'a>(e: &'a Expr<'a>, names: &mut Vec<&'a [u8]>) {
    match e.kind {
        ExprKind::Var(name) => add_name(names, name),
        ExprKind::VarVar(Expr { kind: ExprKind::Str(name), .. }) => add_name(names, name),
        ExprKind::Closure(closure) => match closure.body {
            ClosureBody::Arrow(body) => mentioned_variables(body, names),
            ClosureBody::Block(_) => closure.uses.iter().for_each(|u| add_name(names, u.name.text)),
        },
        _ => for_each_part(e, &mut |part| mentioned_variables(part, names)),
    }
}

fn add_name<'a>(names: &mut Vec<&'a [u8]>, name: &'a [u8]) {
    if name != b"this" && !super::is_superglobal(name) && !names.contains(&name) {
        names.push(name);
    }
}

/// A piece of code to search.
#[derive(Clone, Copy)]
pub(crate) enum Code<'a> {
    Expr(&'a Expr<'a>),
    Stmts(&'a [Stmt<'a>]),
}

/// Does the code contain a `yield` of its own function?
pub(crate) fn yields(code: Code<'_>) -> bool {
    any_expr(code, &mut |e| matches!(e.kind, ExprKind::Yield { .. } | ExprKind::YieldFrom(_)))
}

/// Is there an expression for which `test` holds? Inner functions and classes do not belong to the code.
pub(crate) fn any_expr<'a>(code: Code<'a>, test: &mut dyn FnMut(&'a Expr<'a>) -> bool) -> bool {
    let mut search = Search { test, pending: Vec::new() };
    match code {
        Code::Expr(e) => search.expr(e),
        Code::Stmts(stmts) => search.stmts(stmts),
    }
}

/// Is there a statement for which `test` holds? Inner functions and classes do not belong to the code.
pub(crate) fn any_stmt<'a>(stmts: &'a [Stmt<'a>], test: &mut dyn FnMut(&'a Stmt<'a>) -> bool) -> bool {
    stmts.iter().any(|stmt| {
        test(stmt)
            || match stmt.kind {
                StmtKind::Block(body) | StmtKind::Namespace { body: Some(body), .. } => any_stmt(body, test),
                StmtKind::If { branches, otherwise } => {
                    let mut bodies = branches.iter().map(|(_, body)| *body).chain(otherwise);
                    bodies.any(|body| any_stmt(std::slice::from_ref(body), test))
                }
                StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
                    any_stmt(std::slice::from_ref(body), test)
                }
                StmtKind::Foreach(foreach) => any_stmt(std::slice::from_ref(&foreach.body), test),
                StmtKind::Switch { cases, .. } => cases.iter().any(|case| any_stmt(case.body, test)),
                StmtKind::Try(t) => {
                    any_stmt(t.body, test)
                        || t.catches.iter().any(|catch| any_stmt(catch.body, test))
                        || t.finally.is_some_and(|body| any_stmt(body, test))
                }
                StmtKind::Declare { body: Some(body), .. } => any_stmt(std::slice::from_ref(body), test),
                _ => false,
            }
    })
}

struct Search<'s, 'a> {
    test: &'s mut dyn FnMut(&'a Expr<'a>) -> bool,
    pending: Vec<&'a Expr<'a>>,
}

impl<'a> Search<'_, 'a> {
    fn expr(&mut self, e: &'a Expr<'a>) -> bool {
        self.pending.push(e);
        while let Some(e) = self.pending.pop() {
            if (self.test)(e) {
                self.pending.clear();
                return true;
            }
            for_each_part(e, &mut |part| self.pending.push(part));
        }
        false
    }

    fn optional(&mut self, e: &'a Option<Expr<'a>>) -> bool {
        e.as_ref().is_some_and(|e| self.expr(e))
    }

    fn exprs(&mut self, list: &'a [Expr<'a>]) -> bool {
        list.iter().any(|e| self.expr(e))
    }

    fn stmts(&mut self, stmts: &'a [Stmt<'a>]) -> bool {
        stmts.iter().any(|s| self.stmt(s))
    }

    fn stmt(&mut self, stmt: &'a Stmt<'a>) -> bool {
        match &stmt.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Echo(list) | StmtKind::Unset(list) | StmtKind::Global(list) => self.exprs(list),
            StmtKind::Block(body) => self.stmts(body),
            StmtKind::If { branches, otherwise } => {
                branches.iter().any(|(cond, body)| self.expr(cond) || self.stmt(body))
                    || otherwise.is_some_and(|s| self.stmt(s))
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => self.expr(cond) || self.stmt(body),
            StmtKind::For { init, cond, step, body } => {
                self.exprs(init) || self.exprs(cond) || self.exprs(step) || self.stmt(body)
            }
            StmtKind::Foreach(foreach) => {
                self.expr(&foreach.subject)
                    || self.optional(&foreach.key)
                    || self.expr(&foreach.value)
                    || self.stmt(&foreach.body)
            }
            StmtKind::Switch { subject, cases } => {
                self.expr(subject) || cases.iter().any(|c| self.optional(&c.value) || self.stmts(c.body))
            }
            StmtKind::Return(value) => self.optional(value),
            StmtKind::StaticVars(vars) => vars.iter().any(|v| self.optional(&v.init)),
            StmtKind::Try(t) => {
                self.stmts(t.body)
                    || t.catches.iter().any(|c| self.stmts(c.body))
                    || t.finally.is_some_and(|body| self.stmts(body))
            }
            StmtKind::Declare { body, .. } => body.is_some_and(|s| self.stmt(s)),
            StmtKind::Nop
            | StmtKind::InlineHtml(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Namespace { .. }
            | StmtKind::Use(_)
            | StmtKind::Const(_)
            | StmtKind::Function(_)
            | StmtKind::Class(_)
            | StmtKind::HaltCompiler => false,
        }
    }
}
