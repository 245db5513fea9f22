//! The syntax tree of a PHP file.
//!
//! Nodes live in one arena and borrow from it (`'a`), so building a tree is bump allocation and
//! dropping one never recurses. The tree is what was written: names are unresolved, constant
//! expressions unevaluated. Name resolution and compile-time errors belong to `phlox-emit`.

/// A piece of source: byte offsets `[start, end)` and the 1-based line of `start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub end: u32,
    pub line: u32,
}

/// A byte string of the source or of the arena; PHP source has no encoding.
pub type Bytes<'a> = &'a [u8];

/// How a name was written; decides how it resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// `Foo`
    Unqualified,
    /// `Foo\Bar`
    Qualified,
    /// `\Foo\Bar`; `text` has no leading backslash
    FullyQualified,
    /// `namespace\Foo`; `text` has no `namespace\`
    Relative,
}

#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub span: Span,
    pub kind: NameKind,
    pub text: Bytes<'a>,
}

/// An identifier with its place (method, constant, property, parameter, label names).
#[derive(Clone, Copy, Debug)]
pub struct Ident<'a> {
    pub span: Span,
    pub text: Bytes<'a>,
}

/// A whole file.
#[derive(Debug)]
pub struct Program<'a> {
    pub stmts: &'a [Stmt<'a>],
    /// Byte offset just after `__halt_compiler();`, if there is one.
    pub halt_offset: Option<u32>,
    /// Line of the last byte of the file.
    pub last_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    pub span: Span,
    pub kind: ExprKind<'a>,
}

pub type ExprRef<'a> = &'a Expr<'a>;

#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    Int(i64),
    Float(f64),
    Str(Bytes<'a>),
    /// A double-quoted string or heredoc with at least one variable part.
    Interpolated(&'a [StrPart<'a>]),
    /// Backticks.
    ShellExec(&'a [StrPart<'a>]),
    /// `FOO`, `true`, `ns\FOO`
    Const(Name<'a>),
    MagicConst(MagicConst),
    /// `$x`; `text` has no dollar sign
    Var(Bytes<'a>),
    /// `$$x`, `${expr}`
    VarVar(ExprRef<'a>),
    /// `[..]`, `array(..)` and `list(..)`; `None` items are the holes of a destructuring pattern
    Array {
        form: ArrayForm,
        items: &'a [Option<ArrayItem<'a>>],
    },
    /// `base[index]`, `base[]`
    Dim {
        base: ExprRef<'a>,
        index: Option<ExprRef<'a>>,
    },
    Prop {
        base: ExprRef<'a>,
        name: MemberName<'a>,
        nullsafe: bool,
    },
    /// `C::$x`, `C::$$x`
    StaticProp {
        class: ClassRef<'a>,
        name: MemberName<'a>,
    },
    /// `C::X`, `C::{expr}`; `C::class` is the name `class`
    ClassConst {
        class: ClassRef<'a>,
        name: MemberName<'a>,
    },
    Call {
        callee: Callee<'a>,
        args: Args<'a>,
    },
    MethodCall {
        base: ExprRef<'a>,
        name: MemberName<'a>,
        nullsafe: bool,
        args: Args<'a>,
    },
    StaticCall {
        class: ClassRef<'a>,
        name: MemberName<'a>,
        args: Args<'a>,
    },
    New {
        class: NewClass<'a>,
        args: Args<'a>,
    },
    Unary {
        op: UnaryOp,
        operand: ExprRef<'a>,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprRef<'a>,
        rhs: ExprRef<'a>,
    },
    /// `a ? b : c`; `a ?: c` has no `then`
    Ternary {
        cond: ExprRef<'a>,
        then: Option<ExprRef<'a>>,
        otherwise: ExprRef<'a>,
        parenthesized: bool,
    },
    Assign {
        target: ExprRef<'a>,
        value: ExprRef<'a>,
    },
    AssignRef {
        target: ExprRef<'a>,
        value: ExprRef<'a>,
    },
    /// `target op= value`; `BinaryOp::Coalesce` is `??=`
    AssignOp {
        op: BinaryOp,
        target: ExprRef<'a>,
        value: ExprRef<'a>,
    },
    IncDec {
        op: IncDecOp,
        target: ExprRef<'a>,
    },
    Cast {
        to: CastType,
        operand: ExprRef<'a>,
    },
    InstanceOf {
        value: ExprRef<'a>,
        class: ClassRef<'a>,
    },
    Isset(&'a [Expr<'a>]),
    Empty(ExprRef<'a>),
    Include {
        kind: IncludeKind,
        path: ExprRef<'a>,
    },
    Eval(ExprRef<'a>),
    /// `exit`, `die`, with the argument list as written (`None`: no parentheses)
    Exit(Option<Args<'a>>),
    Print(ExprRef<'a>),
    Clone(ExprRef<'a>),
    Throw(ExprRef<'a>),
    Yield {
        key: Option<ExprRef<'a>>,
        value: Option<ExprRef<'a>>,
    },
    YieldFrom(ExprRef<'a>),
    Match {
        subject: ExprRef<'a>,
        arms: &'a [MatchArm<'a>],
    },
    /// `function (..) use (..) {..}` and `fn (..) => ..`
    Closure(&'a Closure<'a>),
}

/// A part of an interpolated string.
#[derive(Clone, Copy, Debug)]
pub enum StrPart<'a> {
    Lit(Bytes<'a>),
    Expr(Expr<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MagicConst {
    Line,
    File,
    Dir,
    Namespace,
    Function,
    Method,
    Class,
    Trait,
    Property,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayForm {
    Short,
    Long,
    List,
}

#[derive(Clone, Copy, Debug)]
pub struct ArrayItem<'a> {
    pub span: Span,
    pub key: Option<ExprRef<'a>>,
    pub value: ExprRef<'a>,
    pub by_ref: bool,
    /// `...value`
    pub spread: bool,
}

/// A member's name: written out, or computed at run time.
#[derive(Clone, Copy, Debug)]
pub enum MemberName<'a> {
    Ident(Ident<'a>),
    Expr(ExprRef<'a>),
}

/// The left side of `::` and the right side of `instanceof`.
#[derive(Clone, Copy, Debug)]
pub enum ClassRef<'a> {
    /// A class name, or `self`, `parent` and `static` as unqualified names.
    Name(Name<'a>),
    Expr(ExprRef<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum Callee<'a> {
    Name(Name<'a>),
    Expr(ExprRef<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum NewClass<'a> {
    Name(Name<'a>),
    Expr(ExprRef<'a>),
    Anonymous(&'a ClassDecl<'a>),
}

#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    pub span: Span,
    pub items: &'a [Arg<'a>],
    /// `f(...)`: `items` is empty
    pub first_class_callable: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Arg<'a> {
    pub value: Expr<'a>,
    pub spread: bool,
    pub name: Option<Ident<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    /** `@` */
    Silence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Concat,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    NotEq,
    Same,
    NotSame,
    Lt,
    Le,
    Gt,
    Ge,
    Spaceship,
    /// `&&`, `and`
    And,
    /// `||`, `or`
    Or,
    /// `xor`
    Xor,
    Coalesce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncDecOp {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastType {
    Bool,
    Int,
    Float,
    String,
    Array,
    Object,
    /** `(unset)`: a compile-time error */
    Unset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludeKind {
    Include,
    IncludeOnce,
    Require,
    RequireOnce,
}

#[derive(Clone, Copy, Debug)]
pub struct MatchArm<'a> {
    pub span: Span,
    /// `None`: `default`
    pub conditions: Option<&'a [Expr<'a>]>,
    pub body: Expr<'a>,
}

/// What functions, methods, closures, arrow functions and hooks have in common.
#[derive(Clone, Copy, Debug)]
pub struct FunctionSig<'a> {
    pub by_ref_return: bool,
    pub params: &'a [Param<'a>],
    pub return_type: Option<Type<'a>>,
}

#[derive(Debug)]
pub struct Closure<'a> {
    /// The source from `function`, `fn` or `static` to the end of the body.
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub is_static: bool,
    pub sig: FunctionSig<'a>,
    pub uses: &'a [ClosureUse<'a>],
    pub body: ClosureBody<'a>,
    /// Line of the closing brace, or of the last token of an arrow function.
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct ClosureUse<'a> {
    pub name: Ident<'a>,
    pub by_ref: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum ClosureBody<'a> {
    Block(&'a [Stmt<'a>]),
    /// `fn () => expr`
    Arrow(ExprRef<'a>),
}

#[derive(Clone, Copy, Debug)]
pub struct Param<'a> {
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    /// The modifiers of a parameter that is promoted to a property; empty for others.
    pub modifiers: Modifiers,
    pub ty: Option<Type<'a>>,
    pub by_ref: bool,
    pub variadic: bool,
    pub name: Ident<'a>,
    pub default: Option<ExprRef<'a>>,
    /// Hooks of a promoted property.
    pub hooks: Option<&'a [PropertyHook<'a>]>,
}

#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    pub span: Span,
    pub kind: TypeKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum TypeKind<'a> {
    /// Class names and all built-in type names, also `array`, `callable` and `static`.
    Named(Name<'a>),
    Nullable(&'a Type<'a>),
    Union(&'a [Type<'a>]),
    Intersection(&'a [Type<'a>]),
}

/// A set of member modifiers as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers(pub u16);

impl Modifiers {
    pub const PUBLIC: Modifiers = Modifiers(1);
    pub const PROTECTED: Modifiers = Modifiers(2);
    pub const PRIVATE: Modifiers = Modifiers(4);
    pub const STATIC: Modifiers = Modifiers(8);
    pub const ABSTRACT: Modifiers = Modifiers(16);
    pub const FINAL: Modifiers = Modifiers(32);
    pub const READONLY: Modifiers = Modifiers(64);
    pub const PUBLIC_SET: Modifiers = Modifiers(128);
    pub const PROTECTED_SET: Modifiers = Modifiers(256);
    pub const PRIVATE_SET: Modifiers = Modifiers(512);
    /// The old `var` keyword.
    pub const VAR: Modifiers = Modifiers(1024);

    /// Does `self` have every bit of `other`?
    pub fn contains(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }
    /// Does `self` share a bit with `other`?
    pub fn intersects(self, other: Modifiers) -> bool {
        self.0 & other.0 != 0
    }
    /// The modifiers of both.
    pub fn union(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }
    /// Whether there is no modifier.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[derive(Clone, Copy, Debug)]
pub struct AttributeGroup<'a> {
    pub span: Span,
    pub attributes: &'a [Attribute<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    pub span: Span,
    pub name: Name<'a>,
    pub args: Option<Args<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Stmt<'a> {
    pub span: Span,
    pub kind: StmtKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'a> {
    /// `;` and the empty statement after `?>`
    Nop,
    Expr(Expr<'a>),
    /// One argument of `echo a, b;` each, also `<?= a ?>`
    Echo(&'a [Expr<'a>]),
    InlineHtml(Bytes<'a>),
    Block(&'a [Stmt<'a>]),
    /// `if`/`elseif` branches in order, then `else`
    If {
        branches: &'a [(Expr<'a>, &'a Stmt<'a>)],
        otherwise: Option<&'a Stmt<'a>>,
    },
    While {
        cond: Expr<'a>,
        body: &'a Stmt<'a>,
    },
    DoWhile {
        body: &'a Stmt<'a>,
        cond: Expr<'a>,
    },
    For {
        init: &'a [Expr<'a>],
        cond: &'a [Expr<'a>],
        step: &'a [Expr<'a>],
        body: &'a Stmt<'a>,
    },
    Foreach(&'a Foreach<'a>),
    Switch {
        subject: Expr<'a>,
        cases: &'a [SwitchCase<'a>],
    },
    /// The operand as written; only a positive integer literal is valid, which `emit` checks.
    Break(Option<Expr<'a>>),
    Continue(Option<Expr<'a>>),
    Return(Option<Expr<'a>>),
    /// Each is a `Var` or `VarVar` expression.
    Global(&'a [Expr<'a>]),
    StaticVars(&'a [StaticVar<'a>]),
    Unset(&'a [Expr<'a>]),
    Try(&'a Try<'a>),
    Goto(Ident<'a>),
    Label(Ident<'a>),
    /// `declare(..);` (`body` is `None`) or `declare(..) {..}`
    Declare {
        directives: &'a [(Ident<'a>, Expr<'a>)],
        body: Option<&'a Stmt<'a>>,
    },
    /// `namespace A;` (`body` is `None`: up to the next one) or `namespace A {..}`
    Namespace {
        name: Option<Name<'a>>,
        body: Option<&'a [Stmt<'a>]>,
    },
    Use(&'a [UseItem<'a>]),
    Const(&'a [ConstItem<'a>]),
    Function(&'a FunctionDecl<'a>),
    Class(&'a ClassDecl<'a>),
    HaltCompiler,
}

#[derive(Debug)]
pub struct Foreach<'a> {
    pub subject: Expr<'a>,
    pub key: Option<Expr<'a>>,
    pub by_ref: bool,
    /// A variable or a destructuring pattern.
    pub value: Expr<'a>,
    pub body: Stmt<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct SwitchCase<'a> {
    pub span: Span,
    /// `None`: `default`
    pub value: Option<Expr<'a>>,
    pub body: &'a [Stmt<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct StaticVar<'a> {
    pub name: Ident<'a>,
    pub init: Option<Expr<'a>>,
}

#[derive(Debug)]
pub struct Try<'a> {
    pub body: &'a [Stmt<'a>],
    pub catches: &'a [Catch<'a>],
    pub finally: Option<&'a [Stmt<'a>]>,
    /// Lines of the closing brace of the body and of the `finally` keyword's block.
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Catch<'a> {
    pub span: Span,
    pub types: &'a [Name<'a>],
    pub var: Option<Ident<'a>>,
    pub body: &'a [Stmt<'a>],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    Class,
    Function,
    Const,
}

/// One imported name; group uses are already expanded.
#[derive(Clone, Copy, Debug)]
pub struct UseItem<'a> {
    pub span: Span,
    pub kind: UseKind,
    /// The whole imported name, without a leading backslash.
    pub name: Bytes<'a>,
    pub alias: Option<Ident<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct ConstItem<'a> {
    pub name: Ident<'a>,
    pub value: Expr<'a>,
    pub doc_comment: Option<Bytes<'a>>,
}

#[derive(Debug)]
pub struct FunctionDecl<'a> {
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub name: Ident<'a>,
    pub sig: FunctionSig<'a>,
    pub body: &'a [Stmt<'a>],
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    Class,
    Interface,
    Trait,
    Enum,
}

#[derive(Debug)]
pub struct ClassDecl<'a> {
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub kind: ClassKind,
    /// `abstract`, `final`, `readonly`
    pub modifiers: Modifiers,
    /// `None`: an anonymous class
    pub name: Option<Ident<'a>>,
    pub extends: Option<Name<'a>>,
    /// `implements`, or `extends` of an interface
    pub interfaces: &'a [Name<'a>],
    /// The backing type of an enum.
    pub enum_type: Option<Type<'a>>,
    pub members: &'a [Member<'a>],
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub kind: MemberKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum MemberKind<'a> {
    Const { modifiers: Modifiers, ty: Option<Type<'a>>, items: &'a [ConstItem<'a>] },
    Prop { modifiers: Modifiers, ty: Option<Type<'a>>, items: &'a [PropItem<'a>] },
    Method(&'a MethodDecl<'a>),
    TraitUse { traits: &'a [Name<'a>], rules: &'a [TraitRule<'a>] },
    Case { name: Ident<'a>, value: Option<Expr<'a>> },
}

#[derive(Clone, Copy, Debug)]
pub struct PropItem<'a> {
    pub name: Ident<'a>,
    pub default: Option<Expr<'a>>,
    pub doc_comment: Option<Bytes<'a>>,
    /// `None`: no hook block was written
    pub hooks: Option<&'a [PropertyHook<'a>]>,
}

#[derive(Clone, Copy, Debug)]
pub struct PropertyHook<'a> {
    pub span: Span,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc_comment: Option<Bytes<'a>>,
    pub modifiers: Modifiers,
    pub by_ref: bool,
    /// `get` or `set`, as written (an unknown name is `emit`'s error)
    pub name: Ident<'a>,
    /// `None`: no parameter list was written
    pub params: Option<&'a [Param<'a>]>,
    pub body: HookBody<'a>,
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum HookBody<'a> {
    /// `get;`
    Abstract,
    /// `get => expr;`
    Arrow(ExprRef<'a>),
    Block(&'a [Stmt<'a>]),
}

#[derive(Debug)]
pub struct MethodDecl<'a> {
    pub span: Span,
    pub modifiers: Modifiers,
    pub name: Ident<'a>,
    pub sig: FunctionSig<'a>,
    /// `None`: `;` instead of a body
    pub body: Option<&'a [Stmt<'a>]>,
    pub end_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum TraitRule<'a> {
    /// `T::m insteadof A, B;`
    InsteadOf { trait_name: Name<'a>, method: Ident<'a>, excluded: &'a [Name<'a>] },
    /// `T::m as protected n;`
    Alias { trait_name: Option<Name<'a>>, method: Ident<'a>, modifiers: Modifiers, alias: Option<Ident<'a>> },
}
