//! Statements: the dispatch over their kinds, and those without control flow.

pub(crate) mod assigned;
pub(crate) mod foreach;
pub(crate) mod goto;
pub(crate) mod jumps;
pub(crate) mod loops;
pub(crate) mod switch;
pub(crate) mod try_finally;

use phlox_hhbc::*;
use phlox_syntax::ast::*;

use crate::emitter::{Emit, Emitter};
use crate::expr::variables::Access;
use crate::expr::{is_globals, is_superglobal, is_this};

impl<'a> Emitter<'a> {
    /// Compiles one statement.
    pub fn stmt(&mut self, stmt: &'a Stmt<'a>) -> Emit {
        self.fb.line = stmt.span.line;
        match stmt.kind {
            StmtKind::Nop => return Ok(()),
            StmtKind::Expr(ref e) => self.discard(e)?,
            StmtKind::Echo(list) => self.echo(list)?,
            StmtKind::InlineHtml(text) => {
                self.push_string(text);
                self.emit(Instr::Echo {});
            }
            StmtKind::Block(stmts) => return self.stmts(stmts),
            StmtKind::If { branches, otherwise } => self.if_stmt(branches, otherwise)?,
            StmtKind::While { ref cond, body } => self.while_stmt(stmt, cond, body)?,
            StmtKind::DoWhile { body, ref cond } => self.do_while(stmt, body, cond)?,
            StmtKind::For { init, cond, step, body } => self.for_stmt(stmt, init, cond, step, body)?,
            StmtKind::Foreach(foreach) => self.foreach(stmt, foreach)?,
            StmtKind::Switch { ref subject, cases } => self.switch(stmt, subject, cases)?,
            StmtKind::Break(ref depth) => self.break_continue(depth.as_ref(), false)?,
            StmtKind::Continue(ref depth) => self.break_continue(depth.as_ref(), true)?,
            StmtKind::Return(ref value) => self.return_stmt(value.as_ref())?,
            StmtKind::Global(vars) => vars.iter().try_for_each(|v| self.global_var(v))?,
            StmtKind::StaticVars(vars) => vars.iter().try_for_each(|v| self.static_var(v))?,
            StmtKind::Unset(vars) => {
                for var in vars {
                    self.fb.line = stmt.span.line;
                    self.unset(var)?;
                }
            }
            StmtKind::Try(t) => self.try_stmt(stmt, t)?,
            StmtKind::Goto(ref label) => self.goto(label)?,
            StmtKind::Label(ref label) => return self.label_stmt(label),
            StmtKind::Declare { directives, body } => self.declare(stmt, directives, body)?,
            StmtKind::Namespace { .. } => {
                return self.fatal("Namespace declarations cannot be nested");
            }
            StmtKind::Use(items) => self.use_items(items)?,
            StmtKind::Const(items) => self.const_items(items)?,
            StmtKind::Function(decl) => self.nested_function(decl)?,
            StmtKind::Class(decl) => self.class_statement(decl, false)?,
            StmtKind::HaltCompiler => {
                return self.fatal("__HALT_COMPILER() can only be used from the outermost scope");
            }
        }
        self.tick();
        Ok(())
    }

    /// What `declare(ticks)` adds after a statement.
    pub fn tick(&mut self) {
        if self.ticks != 0 {
            self.emit(Instr::Tick { count: u32::try_from(self.ticks).unwrap_or(u32::MAX) });
        }
    }

    fn echo(&mut self, list: &'a [Expr<'a>]) -> Emit {
        for e in list {
            self.expr(e)?;
            self.emit(Instr::Echo {});
        }
        Ok(())
    }

    /// `global $x` binds the local to the global of the same name.
    fn global_var(&mut self, var: &'a Expr<'a>) -> Emit {
        if is_this(var) {
            return self.fatal("Cannot use $this as global variable");
        }
        let kind = match var.kind {
            ExprKind::VarVar(&Expr { kind: ExprKind::Str(name), .. }) => ExprKind::Var(name),
            kind => kind,
        };
        match kind {
            ExprKind::Var(name) if !is_superglobal(name) => {
                let local = self.local(name);
                self.push_string(name);
                self.emit(Instr::VGetG {});
                self.emit(Instr::BindL { local });
            }
            ExprKind::Var(name) => {
                // A superglobal is the same variable everywhere: binding it to itself only defines it.
                self.push_string(name);
                self.emit(Instr::VGetG {});
            }
            ExprKind::VarVar(name) => {
                self.expr(name)?;
                self.set_flag(FuncFlags::DYNAMIC_VARS);
                self.emit(Instr::CastString {});
                self.emit(Instr::Dup {});
                self.emit(Instr::VGetG {});
                self.emit(Instr::BindN {});
            }
            _ => return Ok(()),
        }
        self.emit(Instr::PopV {});
        Ok(())
    }

    /// `static $x = init;` The initialiser runs the first time control gets here.
    fn static_var(&mut self, var: &'a StaticVar<'a>) -> Emit {
        self.fb.line = var.name.span.line;
        if var.name.text == b"this" {
            return self.fatal("Cannot use $this as static variable");
        }
        let name = self.str(var.name.text);
        if self.ctx.statics.contains(&name) {
            let shown = phlox_text::shown(var.name.text).into_owned();
            return self.fatal(format!("Duplicate declaration of static variable ${shown}"));
        }
        self.ctx.statics.push(name);
        let value = match &var.init {
            Some(init) => self.fold(init),
            None => Some(crate::constant::Const::Null),
        };
        let known = match (&value, &var.init) {
            (Some(value), _) => Some(Init::Literal(self.unit.literal(value))),
            (None, Some(init)) if self.is_of_own_constants(init) => Some(Init::Thunk(self.thunk(init)?)),
            _ => None,
        };
        self.fb.func.statics.push((name, known));
        let local = self.fb.named(name);
        let done = self.fb.label();
        self.emit(Instr::StaticLoc { local, name });
        self.emit(Instr::JmpNZ { target: done.target() });
        match (&value, &var.init) {
            (Some(value), _) => self.push_const(value),
            (None, Some(init)) => self.expr(init)?,
            (None, None) => self.emit(Instr::Null {}),
        }
        self.emit(Instr::StaticLocInit { local, name });
        self.fb.bind(done);
        Ok(())
    }

    fn unset(&mut self, var: &'a Expr<'a>) -> Emit {
        self.ensure_writable(var)?;
        if is_this(var) {
            return self.fatal("Cannot unset $this");
        }
        if let ExprKind::Dim { base, index: None } = var.kind
            && is_globals(base)
        {
            return self.fatal("Cannot use [] for unsetting");
        }
        let chain = self.place(var, Access::Unset)?;
        self.unset_place(chain.place)
    }
}
