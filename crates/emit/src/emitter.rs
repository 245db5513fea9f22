//! The state of one compilation: the unit, the function being compiled and where in the source we are.

use std::rc::Rc;

use phlox_hhbc::*;
use phlox_syntax::ast::{self, Expr, Span, Stmt};
use phlox_syntax::diagnostic::{Diagnostic, Severity};

use crate::builder::{FuncBuilder, Label, RegionId};
use crate::constant::Const;
use crate::names::Names;
use crate::unit_builder::UnitBuilder;

/// The diagnostic that ended the compilation.
pub(crate) type Fatal = Box<Diagnostic>;
/// PHP stops at the first fatal error, and so do we.
pub(crate) type Emit<T = ()> = Result<T, Fatal>;

/// What kind of code a function holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum FuncKind {
    #[default]
    Main,
    Function,
    Method,
    Closure,
    Arrow,
    Hook,
    Thunk,
}

/// What `return` must know of the declared return type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReturnType {
    pub mask: u32,
}

/// The hook being compiled.
#[derive(Clone, Debug)]
pub(crate) struct HookContext {
    pub property: Rc<[u8]>,
    pub kind: HookKind,
}

/// How control leaves a piece of code other than by falling off its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The value is in the enclosing `try`'s return local, or on the stack.
    Return {
        by_ref: bool,
    },
    /// To a loop's break or continue label; `scope` is its place in [`FuncContext::scopes`]. A break frees what the
    /// loop keeps.
    Loop {
        scope: usize,
        label: Label,
        frees: bool,
    },
    Goto {
        label: Label,
        depth: usize,
    },
}

/// What a loop or `switch` keeps while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopState {
    Nothing,
    Iter {
        iter: IterId,
        mutable: bool,
        region: RegionId,
    },
    /// The subject of a `switch`.
    Temp(LocalId),
}

/// A `try` statement with a `finally` block.
#[derive(Debug)]
pub(crate) struct FinallyState {
    /// Start of the `finally` body.
    pub entry: Label,
    /// Which exit goes on after the body: 0 falls through, 1 rethrows, 2 + n is `exits[n]`.
    pub action: LocalId,
    pub exception: LocalId,
    /// Saved return value, once a `return` needs it.
    pub value: Option<LocalId>,
    pub exits: Vec<Exit>,
}

/// An enclosing statement that control must clean up after when it leaves early.
#[derive(Debug)]
pub(crate) enum Scope {
    Loop {
        id: usize,
        on_break: Label,
        on_continue: Label,
        is_switch: bool,
        state: LoopState,
    },
    /// Inside `try`/`catch` of a statement with `finally`.
    Try {
        id: usize,
        finally: FinallyState,
    },
    /// Inside the `finally` block: an early return discards the pending exception.
    Finally {
        id: usize,
        exception: LocalId,
        value: Option<LocalId>,
    },
}

/// A label of the function and the ids of the statements that enclose it.
#[derive(Debug)]
pub(crate) struct GotoLabel {
    pub label: Label,
    pub path: Vec<(usize, PathKind)>,
}

/// The part of a statement that a path leads through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    Loop,
    Try,
    Finally,
}

/// What the compilation of a function body knows.
#[derive(Default)]
pub(crate) struct FuncContext<'a> {
    pub kind: FuncKind,
    /// `__FUNCTION__`
    pub name: Rc<[u8]>,
    /// `__METHOD__`
    pub method: Rc<[u8]>,
    pub generator: bool,
    /// Inside a constant expression that is compiled in place: the default of a parameter, a `const`.
    pub in_const_expr: bool,
    pub by_ref: bool,
    pub return_type: Option<ReturnType>,
    pub hook: Option<HookContext>,
    /// `__PROPERTY__`: the property whose declaration or hook this is.
    pub property: Option<Rc<[u8]>>,
    pub scopes: Vec<Scope>,
    pub body: &'a [Stmt<'a>],
    pub goto_labels: Option<std::collections::HashMap<&'a [u8], GotoLabel>>,
    pub labels_seen: Vec<&'a [u8]>,
    pub statics: Vec<StrId>,
    /// Variables that surely have a value at the current point of the code.
    pub assigned: crate::stmt::assigned::Assigned<'a>,
    pub unset: Option<crate::stmt::assigned::Unset<'a>>,
    /// Inside the arguments of a builtin function that PHP calls without a frame unless the namespace has a function of
    /// that name.
    pub in_frameless_branch: bool,
}

/// What the compilation of a class body knows.
#[derive(Clone)]
pub(crate) struct ClassContext {
    pub id: ClassId,
    pub kind: ast::ClassKind,
    /// The full name of the class.
    pub name: Rc<[u8]>,
    pub parent: Option<Rc<[u8]>>,
    pub readonly: bool,
}

pub(crate) struct Emitter<'a> {
    pub unit: UnitBuilder,
    pub source: &'a [u8],
    pub filename: &'a [u8],
    pub is_eval: bool,
    pub assertions: bool,
    pub knows_builtins: bool,
    pub names: Names,
    pub class: Option<ClassContext>,
    /// The class whose body is being compiled.
    pub building: Option<crate::decl::classes::ClassBuilder>,
    pub fb: FuncBuilder,
    pub ctx: FuncContext<'a>,
    pub diagnostics: Vec<Diagnostic>,
    /// Stack of the accesses of all variable chains being compiled. The innermost chain uses the part at the top.
    pub steps: Vec<crate::expr::variables::Step<'a>>,
    pub ticks: i64,
    /// Number of the next anonymous class.
    pub anonymous: u32,
    pub namespaces: crate::decl::program::Namespaces,
    /// Functions, classes and constants declared in this file (lower case where PHP folds case).
    pub seen: crate::decl::seen::Seen,
}

impl<'a> Emitter<'a> {
    // ---- diagnostics

    fn here_span(&self) -> Span {
        Span { start: 0, end: 0, line: self.fb.line }
    }

    /// A fatal error on the current line.
    pub fn fatal<T>(&self, message: impl Into<Vec<u8>>) -> Emit<T> {
        Err(Box::new(Diagnostic::new(Severity::FatalError, message, self.here_span())))
    }

    /// A fatal error on the given line, which becomes the current one.
    pub fn fatal_at<T>(&mut self, line: u32, message: impl Into<Vec<u8>>) -> Emit<T> {
        self.fb.line = line;
        self.fatal(message)
    }

    /// Records a diagnostic on the current line; compilation goes on.
    pub fn report(&mut self, severity: Severity, message: impl Into<Vec<u8>>) {
        let span = self.here_span();
        self.diagnostics.push(Diagnostic::new(severity, message, span));
    }

    // ---- shorthands

    /// Appends an instruction to the current function.
    pub fn emit(&mut self, instr: Instr) {
        self.fb.emit(instr);
    }

    /// The id of a literal string in the unit.
    pub fn str(&mut self, bytes: &[u8]) -> StrId {
        self.unit.str(bytes)
    }

    /// Emits the instruction that pushes a literal string.
    pub fn push_string(&mut self, bytes: &[u8]) {
        let value = self.unit.str(bytes);
        self.fb.emit(Instr::String { value });
    }

    /// The local with this name.
    pub fn local(&mut self, name: &[u8]) -> LocalId {
        let name = self.unit.str(name);
        self.fb.named(name)
    }

    /// Emits the instruction that pushes a value known at compile time.
    pub fn push_const(&mut self, value: &Const<'_>) {
        let instr = match value {
            Const::Null => Instr::Null {},
            Const::Bool(true) => Instr::True {},
            Const::Bool(false) => Instr::False {},
            Const::Int(value) => Instr::Int { value: *value },
            Const::Double(value) => Instr::Double { value: F64::new(*value) },
            Const::Str(s) => Instr::String { value: self.unit.str(s) },
            Const::Array(items) if items.is_empty() => Instr::NewArray {},
            Const::Array(_) => match self.unit.literal(value) {
                Literal::Array(value) => Instr::Array { value },
                _ => Instr::NewArray {},
            },
        };
        self.fb.emit(instr);
    }

    /// Stores the top cell in a fresh unnamed local.
    pub fn pop_to_temp(&mut self) -> LocalId {
        let local = self.fb.temp();
        self.pop_to(local);
        local
    }

    /// Stores the top cell in the local and pops it.
    pub fn pop_to(&mut self, local: LocalId) {
        self.emit(Instr::SetL { local });
        self.emit(Instr::PopC {});
    }

    /// Pushes an unnamed local's value and gives the local back.
    pub fn take_temp(&mut self, local: LocalId) {
        self.emit(Instr::CGetL { local });
        self.drop_temp(local);
    }

    /// Unsets an unnamed local and makes it available again.
    pub fn drop_temp(&mut self, local: LocalId) {
        self.emit(Instr::UnsetL { local });
        self.fb.release(local);
    }

    /// Sets a `FuncFlags` bit of the current function.
    pub fn set_flag(&mut self, flag: u32) {
        self.fb.func.flags.set(flag);
    }

    /// Compiles an expression whose value is not used.
    pub fn discard(&mut self, expr: &'a Expr<'a>) -> Emit {
        self.expr_discarded(expr)
    }

    /// `function` or `method`, as PHP's messages say it.
    pub fn function_or_method(&self) -> &'static str {
        if self.class.is_some() { "method" } else { "function" }
    }
}
