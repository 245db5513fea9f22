//! The tree of a function: what the parser makes and the emitter walks.

use phlox_t3_vm::code::inst::{BinOp, CmpOp, UnOp};
use phlox_t3_vm::value::Value;

/// The number of a variable among all of a compilation.
pub(super) type Var = usize;

/// A variable.
#[derive(Debug)]
pub(super) struct Variable {
    pub name: String,
    /// The function that declares it.
    pub function: usize,
    /// Whether a function inside of that one uses it, so that it must outlive the frame.
    pub captured: bool,
}

/// An argument of a call.
#[derive(Debug)]
pub(super) struct Arg {
    /// The name, if it is passed by name.
    pub name: Option<String>,
    pub value: Expr,
    /// Whether a list's elements become arguments.
    pub spread: bool,
}

/// The property of a member access.
#[derive(Debug)]
pub(super) enum Prop {
    Named(u16),
    Computed(Box<Expr>),
}

/// A definition in an object made in an expression.
#[derive(Debug)]
pub(super) enum Definition {
    /// A value that is computed now.
    Value(u16, Expr),
    /// Code that runs when the property is evaluated.
    Method(u16, usize),
}

/// An expression.
#[derive(Debug)]
pub(super) enum Expr {
    Const(Value),
    Text(String),
    Real(String),
    /// A regular expression's object.
    Pattern(String),
    /// Displays pieces; the value is nil.
    Say(Vec<Expr>),
    /// The text of pieces one after another.
    Concat(Vec<Expr>),
    List(Vec<Expr>),
    Table(Vec<(Expr, Expr)>, Option<Box<Expr>>),
    Local(Var),
    /// A variable of a frame that the program gave: the frame and the name.
    Outer(Value, String),
    This,
    /// Target property (1), target object (2), defining object (3) or invokee (4).
    Context(u8),
    ArgCount,
    /// A function, object or the like by its value.
    Symbol(Value),
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    IfNil(Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Vec<Expr>, bool),
    Assign(Box<Expr>, Box<Expr>),
    Update(BinOp, Box<Expr>, Box<Expr>),
    /// `x++` and `x--`: the value is the one before.
    PostUpdate(BinOp, Box<Expr>),
    Sequence(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Arg>),
    /// A property of an object, or of self.
    Member(Option<Box<Expr>>, Prop, Vec<Arg>),
    Index(Box<Expr>, Box<Expr>),
    New {
        class: Box<Expr>,
        args: Vec<Arg>,
        transient: bool,
    },
    /// `inherited`: from a class or from the next definition, of a property or the running one.
    Inherited(Option<Value>, Option<Prop>, Vec<Arg>),
    Delegated(Box<Expr>, Option<Prop>, Vec<Arg>),
    Function(usize),
    Object(Vec<Value>, Vec<Definition>),
    /// `<<one of>>`: how to choose, and what from.
    OneOf(Chooser, Vec<Expr>),
}

/// The library's class that chooses among texts, and its properties.
#[derive(Debug)]
pub(super) struct Chooser {
    pub class: Value,
    /// The property for the number of texts.
    pub count: u16,
    /// The property for the way of choosing.
    pub attributes: u16,
    /// The method that chooses.
    pub next: u16,
    /// The way of choosing.
    pub way: String,
}

/// A loop variable of `for ... in`.
#[derive(Debug)]
pub(super) enum Source {
    Each(Expr),
    Range(Expr, Expr, Option<Expr>),
}

/// A statement.
#[derive(Debug)]
pub(super) enum Stmt {
    Expr(Expr),
    Declare(Var, Option<Expr>),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Option<String>, Expr, Box<Stmt>),
    DoWhile(Option<String>, Box<Stmt>, Expr),
    For {
        label: Option<String>,
        init: Vec<Stmt>,
        condition: Option<Expr>,
        update: Vec<Expr>,
        body: Box<Stmt>,
    },
    ForIn {
        label: Option<String>,
        target: Expr,
        declared: Option<Var>,
        source: Source,
        body: Box<Stmt>,
    },
    Switch(Option<String>, Expr, Vec<(Option<Expr>, Vec<Stmt>)>),
    Return(Option<Expr>),
    Break(Option<String>),
    Continue(Option<String>),
    /// A place that `goto` names.
    Label(String),
    Goto(String),
    Throw(Expr),
    Try {
        body: Box<Stmt>,
        catches: Vec<(Value, Var, Stmt)>,
        finally: Option<Box<Stmt>>,
    },
}

/// A parameter.
#[derive(Debug)]
pub(super) struct Param {
    pub var: Var,
    pub kind: ParamKind,
    pub default: Option<Expr>,
}

/// How an argument comes to its parameter.
#[derive(Debug, PartialEq)]
pub(super) enum ParamKind {
    Required,
    Optional,
    /// By name.
    Named(String),
    /// All further arguments as a list.
    Rest,
}

/// A function.
#[derive(Debug, Default)]
pub(super) struct Function {
    pub params: Vec<Param>,
    /// Whether it takes any number of arguments.
    pub open: bool,
    pub body: Vec<Stmt>,
    /// Variables of functions around it that it uses.
    pub captures: Vec<Var>,
    /// Whether it uses self or what goes with it.
    pub uses_context: bool,
    /// Whether it has a self of its own: methods.
    pub is_method: bool,
    /// The function that it stands in.
    pub parent: Option<usize>,
}
