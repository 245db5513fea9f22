//! A whole file: top-level statements, namespaces, `use`, `const`, `declare`.

use phlox_hhbc::*;
use phlox_syntax::ast::*;
use phlox_syntax::diagnostic::Severity;

use super::seen::Seen;
use super::show;
use super::types::is_reserved_class_name;
use crate::builder::FuncBuilder;
use crate::emitter::{Emit, Emitter, FuncContext};
use crate::names::Names;
use crate::unit_builder::UnitBuilder;
use crate::{EmitOptions, EmitResult};

/// Compiles a program.
pub(crate) fn emit<'a>(program: &'a Program<'a>, source: &'a [u8], options: &'a EmitOptions<'a>) -> EmitResult {
    let mut emitter = Emitter {
        unit: UnitBuilder::default(),
        source,
        filename: options.filename,
        is_eval: options.is_eval,
        assertions: options.assertions,
        knows_builtins: options.knows_builtins,
        names: Names::default(),
        class: None,
        building: None,
        fb: FuncBuilder::default(),
        ctx: FuncContext::default(),
        diagnostics: Vec::new(),
        steps: Vec::new(),
        ticks: 0,
        anonymous: 0,
        seen: Seen::default(),
        namespaces: Namespaces::default(),
    };
    if let Err(fatal) = emitter.program(program) {
        emitter.diagnostics.push(*fatal);
    }
    EmitResult { unit: emitter.unit.unit, diagnostics: emitter.diagnostics }
}

/// Which form of `namespace` the file uses.
#[derive(Default)]
pub(crate) struct Namespaces {
    /// A namespace has been opened and not closed.
    open: bool,
    bracketed: bool,
}

impl<'a> Emitter<'a> {
    fn program(&mut self, program: &'a Program<'a>) -> Emit {
        self.unit.unit.filename = self.filename.to_vec();
        self.unit.unit.halt_offset = program.halt_offset;
        let main = self.unit.reserve_func();
        self.ctx.body = program.stmts;
        self.fb.line = 1;
        self.fb.func = self.new_func(FuncFlags::PSEUDO_MAIN | FuncFlags::DYNAMIC_VARS);
        self.fb.func.line_start = 1;
        self.fb.func.line_end = program.last_line;
        self.top_stmts(program.stmts, Some(program.stmts))?;
        self.fb.line = program.last_line.max(1);
        if self.fb.falls_through() {
            // An included file's value is 1, a script's is not looked at, `eval` gives null.
            self.emit(if self.is_eval { Instr::Null {} } else { Instr::Int { value: 1 } });
            self.emit(Instr::RetC {});
        }
        if self.unit.unit.strict_types {
            self.set_flag(FuncFlags::STRICT_TYPES);
        }
        let func = std::mem::take(&mut self.fb).finish();
        self.unit.set_func(main, func);
        Ok(())
    }

    /// Statements at the top level; `file` is the whole file when they are its own.
    fn top_stmts(&mut self, stmts: &'a [Stmt<'a>], file: Option<&'a [Stmt<'a>]>) -> Emit {
        for (i, stmt) in stmts.iter().enumerate() {
            self.fb.line = stmt.span.line;
            match stmt.kind {
                StmtKind::Block(stmts) => self.top_stmts(stmts, None)?,
                StmtKind::Function(decl) => {
                    self.hoisted_function(decl)?;
                    self.fb.line = decl.end_line;
                }
                StmtKind::Class(decl) => {
                    self.class_statement(decl, true)?;
                    self.fb.line = decl.end_line;
                }
                StmtKind::Namespace { ref name, body } => {
                    let first = file.is_some_and(|file| only_declares(&file[..i], true));
                    self.namespace(name.as_ref(), body, first)?;
                    continue;
                }
                StmtKind::Declare { directives, body } => {
                    let first = file.is_some_and(|file| only_declares(&file[..i], false));
                    self.declare_directives(directives, body.is_some(), first)?;
                    self.declare_body(body, directives)?;
                }
                StmtKind::HaltCompiler => {
                    if self.namespaces.bracketed && self.namespaces.open {
                        return self.fatal("__HALT_COMPILER() can only be used from the outermost scope");
                    }
                    return Ok(());
                }
                StmtKind::Nop => continue,
                _ => self.stmt_in_line(stmt)?,
            }
            if self.namespaces.bracketed && !self.namespaces.open {
                return self.fatal("No code may exist outside of namespace {}");
            }
        }
        Ok(())
    }

    fn namespace(&mut self, name: Option<&Name<'a>>, body: Option<&'a [Stmt<'a>]>, first: bool) -> Emit {
        let with_brackets = body.is_some();
        let named = !self.names.namespace.is_empty();
        let mixed = "Cannot mix bracketed namespace declarations with unbracketed namespace declarations";
        if self.namespaces.bracketed {
            if !with_brackets {
                return self.fatal(mixed);
            }
            if self.namespaces.open {
                return self.fatal("Namespace declarations cannot be nested");
            }
        } else if named && with_brackets {
            return self.fatal(mixed);
        }
        let is_first = if with_brackets { !self.namespaces.bracketed } else { !named };
        if is_first && !first {
            return self.fatal(
                "Namespace declaration statement has to be the very first statement or after any declare call \
                 in the script",
            );
        }
        let text = name.map_or(&b""[..], |n| n.text);
        if text.eq_ignore_ascii_case(b"namespace") {
            return self.fatal(format!("Cannot use '{}' as namespace name", show(text)));
        }
        self.names.enter(text);
        self.namespaces.open = true;
        self.namespaces.bracketed |= with_brackets;
        if let Some(body) = body {
            self.top_stmts(body, None)?;
            self.names.enter(b"");
            self.seen.end_namespace();
            self.namespaces.open = false;
        }
        Ok(())
    }

    // ---- declare

    /// Compiles `declare(directives)` with its body, if it has one.
    pub fn declare(
        &mut self,
        _stmt: &'a Stmt<'a>,
        directives: &'a [(Ident<'a>, Expr<'a>)],
        body: Option<&'a Stmt<'a>>,
    ) -> Emit {
        self.declare_directives(directives, body.is_some(), false)?;
        self.declare_body(body, directives)
    }

    fn declare_body(&mut self, body: Option<&'a Stmt<'a>>, directives: &'a [(Ident<'a>, Expr<'a>)]) -> Emit {
        let ticks = directives.iter().rev().find(|(name, _)| name.text.eq_ignore_ascii_case(b"ticks"));
        let outer = self.ticks;
        if let Some((_, value)) = ticks {
            self.ticks = match value.kind {
                ExprKind::Int(n) => n,
                ExprKind::Float(d) => d as i64,
                _ => 0,
            };
        }
        if let Some(body) = body {
            self.stmt(body)?;
            self.ticks = outer;
        }
        self.tick();
        Ok(())
    }

    fn declare_directives(&mut self, directives: &'a [(Ident<'a>, Expr<'a>)], has_body: bool, is_first: bool) -> Emit {
        for (name, value) in directives {
            let shown = show(name.text);
            let literal = matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_));
            if !literal {
                return self.fatal(format!("declare({shown}) value must be a literal"));
            }
            if name.text.eq_ignore_ascii_case(b"ticks") {
                continue;
            }
            if name.text.eq_ignore_ascii_case(b"encoding") {
                if !is_first {
                    return self.fatal("Encoding declaration pragma must be the very first statement in the script");
                }
                continue;
            }
            if !name.text.eq_ignore_ascii_case(b"strict_types") {
                self.report(Severity::CompileWarning, format!("Unsupported declare '{shown}'"));
                continue;
            }
            if !is_first {
                return self.fatal("strict_types declaration must be the very first statement in the script");
            }
            if has_body {
                return self.fatal("strict_types declaration must not use block mode");
            }
            match value.kind {
                ExprKind::Int(n @ 0..=1) => self.unit.unit.strict_types |= n == 1,
                _ => return self.fatal("strict_types declaration must have 0 or 1 as its value"),
            }
        }
        Ok(())
    }

    // ---- use and const

    /// Compiles the items of a `use` statement at the top level: enters the aliases and reports conflicts.
    pub fn use_items(&mut self, items: &'a [UseItem<'a>]) -> Emit {
        for item in items {
            let last = item.name.rsplit(|&b| b == b'\\').next().unwrap_or(item.name);
            let alias = item.alias.map_or(last, |alias| alias.text);
            let (name, shown) = (show(item.name), show(alias));
            if item.alias.is_none() && last.len() == item.name.len() && self.names.namespace.is_empty() {
                let message = format!("The use statement with non-compound name '{shown}' has no effect");
                self.report(Severity::Warning, message);
            }
            if item.kind == UseKind::Class && is_reserved_class_name(alias) {
                let message = format!("Cannot use {name} as {shown} because '{shown}' is a special class name");
                return self.fatal(message);
            }
            let what = match item.kind {
                UseKind::Class => "",
                UseKind::Function => " function",
                UseKind::Const => " const",
            };
            let declared = self.names.declared(alias);
            let same = match item.kind {
                UseKind::Const => declared == item.name,
                _ => declared.eq_ignore_ascii_case(item.name),
            };
            let conflict = self.seen.contains(item.kind, &declared) && !same;
            if conflict || !self.names.import(item.kind, alias, item.name) {
                return self.fatal(format!("Cannot use{what} {name} as {shown} because the name is already in use"));
            }
        }
        Ok(())
    }

    /// Compiles the items of a top-level `const` statement.
    pub fn const_items(&mut self, items: &'a [ConstItem<'a>]) -> Emit {
        for item in items {
            let value = self.fold(&item.value);
            if value.is_none() {
                self.check_const_expr(&item.value, true)?;
            }
            let text = item.name.text;
            if [b"true".as_slice(), b"false", b"null"].iter().any(|n| text.eq_ignore_ascii_case(n)) {
                return self.fatal(format!("Cannot redeclare constant '{}'", show(text)));
            }
            let full = self.names.declared(text);
            if self.names.imported(UseKind::Const, text).is_some_and(|imported| imported != full) {
                let message = format!("Cannot declare const {} because the name is already in use", show(&full));
                return self.fatal(message);
            }
            match value {
                Some(value) => self.push_const(&value),
                None => self.const_expr(&item.value)?,
            }
            let name = self.str(&full);
            self.emit(Instr::DefCns { name });
            self.seen.add(UseKind::Const, &full, item.name.span.line);
        }
        Ok(())
    }
}

/// Nothing but `declare` so far? Empty statements count for namespaces only.
fn only_declares(stmts: &[Stmt<'_>], allow_nop: bool) -> bool {
    stmts.iter().all(|s| match s.kind {
        StmtKind::Declare { .. } => true,
        StmtKind::Nop => allow_nop,
        _ => false,
    })
}
