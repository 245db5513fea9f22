//! A compilation unit: code and the metadata tables of the specification.

use crate::binary::LazyBody;
use crate::ids::*;
use crate::instr::{F64, Instr};
use crate::strings::Strings;
use std::ops::{Deref, DerefMut};

/// One compiled file (or `eval` string). Function 0 is the pseudo-main.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// Path as PHP shows it in messages and `__FILE__`.
    pub filename: Vec<u8>,
    pub strict_types: bool,
    pub strings: Strings,
    pub arrays: Vec<ScalarArray>,
    pub types: Vec<TypeConstraint>,
    pub funcs: Vec<Func>,
    pub classes: Vec<ClassDef>,
    /// Byte offset of the data after `__halt_compiler();`.
    pub halt_offset: Option<u32>,
    /// Declarations to perform when the unit is loaded, in source order, before the pseudo-main runs.
    pub hoisted: Vec<Hoisted>,
    /// Diagnostics of the compiler, which are raised again whenever the unit is loaded.
    pub notices: Vec<Notice>,
}

/// A warning or deprecation of the compiler.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The `E_*` bit.
    pub level: u32,
    pub line: u32,
    pub message: StrId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hoisted {
    Func(FuncId),
    /// Declared early if its parent (when it has one) is known by then; a `DefCls` in the code covers the rest.
    Class(ClassId),
}

/// A value that needs no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Double(F64),
    Str(StrId),
    Array(ArrayId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Int(i64),
    Str(StrId),
}

/// A constant array; keys are already normalised and unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScalarArray {
    pub entries: Vec<(Key, Literal)>,
}

/// A value known at compile time, or the function (no parameters, returns a cell) that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    Literal(Literal),
    Thunk(FuncId),
}

/// A declared type in disjunctive normal form, as written (for messages and Reflection) and as parts.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeConstraint {
    /// Bits of [`TypeMask`]: the built-in alternatives.
    pub mask: u32,
    /// Class alternatives: each an intersection of one or more class names (resolved; never self/parent).
    pub classes: Vec<Vec<StrId>>,
    /// As PHP prints it: `?int`, `int|string`, `(A&B)|null`.
    pub display: StrId,
}

/// The built-in types of a [`TypeConstraint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeMask;

impl TypeMask {
    pub const NULL: u32 = 1;
    pub const FALSE: u32 = 1 << 1;
    pub const TRUE: u32 = 1 << 2;
    pub const BOOL: u32 = Self::FALSE | Self::TRUE;
    pub const INT: u32 = 1 << 3;
    pub const FLOAT: u32 = 1 << 4;
    pub const STRING: u32 = 1 << 5;
    pub const ARRAY: u32 = 1 << 6;
    pub const OBJECT: u32 = 1 << 7;
    pub const CALLABLE: u32 = 1 << 8;
    /// `iterable` is `Traversable|array`; this bit only keeps how it was written.
    pub const ITERABLE: u32 = 1 << 9;
    pub const VOID: u32 = 1 << 10;
    pub const NEVER: u32 = 1 << 11;
    pub const STATIC: u32 = 1 << 12;
    /// `self` and `parent` resolve when the function's class is linked (traits).
    pub const SELF: u32 = 1 << 13;
    pub const PARENT: u32 = 1 << 14;
    pub const MIXED: u32 = 1 << 15;
}

/// Function flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuncFlags(pub u32);

impl FuncFlags {
    pub const BY_REF_RETURN: u32 = 1;
    pub const VARIADIC: u32 = 1 << 1;
    pub const GENERATOR: u32 = 1 << 2;
    pub const STATIC: u32 = 1 << 3;
    pub const ABSTRACT: u32 = 1 << 4;
    pub const FINAL: u32 = 1 << 5;
    pub const PUBLIC: u32 = 1 << 6;
    pub const PROTECTED: u32 = 1 << 7;
    pub const PRIVATE: u32 = 1 << 8;
    pub const CLOSURE: u32 = 1 << 9;
    pub const ARROW: u32 = 1 << 10;
    /// Uses `$$x`, include, eval, extract, compact, get_defined_vars or the like: locals live in a symbol table.
    pub const DYNAMIC_VARS: u32 = 1 << 11;
    pub const STRICT_TYPES: u32 = 1 << 12;
    pub const PSEUDO_MAIN: u32 = 1 << 13;
    /// Computes a constant, default or attribute argument.
    pub const THUNK: u32 = 1 << 14;
    pub const HOOK: u32 = 1 << 15;
    pub const DEPRECATED: u32 = 1 << 16;
    /// An abstract hook or method has no code.
    pub const NO_BODY: u32 = 1 << 17;
    /// Mentions `$this`. Informational: nothing makes a closure static because it does not.
    pub const USES_THIS: u32 = 1 << 18;

    /// Whether at least one bit of `flag` is set.
    #[inline]
    pub fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Sets the bits of `flag`.
    #[inline]
    pub fn set(&mut self, flag: u32) {
        self.0 |= flag;
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: StrId,
    pub ty: Option<TypeId>,
    pub by_ref: bool,
    pub variadic: bool,
    /// Promoted constructor parameter.
    pub promoted: bool,
    /// The default value; `None` if the parameter is required. Calls run the code of the DV entry; this field is for
    /// Reflection and for gaps that named arguments leave.
    pub default: Option<Init>,
    /// The default's source as PHP's Reflection prints it.
    pub default_text: Option<StrId>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Resolved class name.
    pub name: StrId,
    pub line: u32,
    pub args: Vec<AttributeArg>,
    pub strict_types: bool,
}

/// An argument of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeArg {
    /// The name of a named argument.
    pub name: Option<StrId>,
    pub value: Init,
    /// The source, as Reflection shows it, of a value that is no literal.
    pub text: Option<StrId>,
}

impl Default for AttributeArg {
    fn default() -> AttributeArg {
        AttributeArg { name: None, value: Init::Literal(Literal::Null), text: None }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Func {
    /// Unqualified for methods, fully qualified for functions, `{closure:WHERE:LINE}` for closures,
    /// `$prop::get` for hooks. Empty for the pseudo-main.
    pub name: StrId,
    pub flags: FuncFlags,
    /// The class whose body holds it; `None` for functions.
    pub class: Option<ClassId>,
    pub params: Vec<Param>,
    pub return_type: Option<TypeId>,
    /// Names of locals by id; `None`: unnamed. Parameters come first.
    pub locals: Vec<Option<StrId>>,
    pub num_iters: u32,
    /// Bound of the evaluation stack; a pending call counts four.
    pub max_stack: u32,
    /// Names of static variables; each with its value where that is known without running the function.
    pub statics: Vec<(StrId, Option<Init>)>,
    /// Closures: local that each captured value goes to, and whether it is by reference.
    pub captures: Vec<(LocalId, bool)>,
    pub doc_comment: Option<StrId>,
    pub attributes: Vec<Attribute>,
    pub line_start: u32,
    pub line_end: u32,
    /// What is needed only to run the function. Its fields are accessible through the function.
    pub body: LazyBody,
}

impl Deref for Func {
    type Target = Body;

    fn deref(&self) -> &Body {
        self.body.get()
    }
}

impl DerefMut for Func {
    fn deref_mut(&mut self) -> &mut Body {
        self.body.get_mut()
    }
}

/// A function's code and the tables beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub code: Vec<Instr>,
    pub vectors: Vec<MemberVector>,
    pub switches: Vec<SwitchTable>,
    pub main_entry: Target,
    /// `dv_entries[i]`: where to start when `required + i` arguments were passed. Empty: no optional parameters.
    pub dv_entries: Vec<Target>,
    pub eh: Vec<EhEntry>,
    pub fpi: Vec<FpiRegion>,
    /// Starts of the fault funclets, ascending; the first ends the primary body.
    pub funclets: Vec<Target>,
    /// First instruction of each run and its source line, ascending.
    pub lines: Vec<(Target, u32)>,
}

/// A base and one or more members: `$a[$i]->p[]`.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberVector {
    pub base: Base,
    pub members: Vec<Member>,
}

/// Where a member vector starts. Stack inputs come first base (name), then members in order, then the class of `S*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A local.
    L(LocalId),
    /// The variable named by a cell.
    N,
    /// The global named by a cell.
    G,
    /// The static property named by a cell, of a class reference (which lies above the members).
    S,
    /// A cell on the stack.
    C,
    /// A return value on the stack.
    R,
    /// `$this`
    H,
}

/// One step of a member vector. `E` is an array element, `P` a property; a property behind `?->` is a plain `P`, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// Element whose key is a cell.
    EC,
    /// Element whose key is a local (read late).
    EL(LocalId),
    /// Element with a literal string key that does not look like an integer.
    ET(StrId),
    EI(i64),
    /// Property whose name is a cell.
    PC,
    PL(LocalId),
    PT(StrId),
    /// A new element: `[]`.
    W,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SwitchTable {
    /// The integers ascend.
    Int {
        cases: Vec<(i64, Target)>,
        default: Target,
    },
    Str {
        cases: Vec<(StrId, Target)>,
        default: Target,
    },
}

/// A protected region `[start, end)`. Rows are ordered innermost first.
#[derive(Clone, Debug, PartialEq)]
pub struct EhEntry {
    pub start: Target,
    pub end: Target,
    pub kind: EhKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EhKind {
    /// Class names in order; an empty name catches every Throwable.
    Catch(Vec<(StrId, Target)>),
    /// Runs the funclet, then goes on unwinding.
    Fault(Target),
}

/// A function parameter info region: from after the FPush to the FCall, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FpiRegion {
    pub push: Target,
    pub call: Target,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassKind {
    #[default]
    Class,
    Interface,
    Trait,
    Enum,
}

/// Class, property, constant and method modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attrs(pub u32);

impl Attrs {
    pub const PUBLIC: u32 = 1;
    pub const PROTECTED: u32 = 1 << 1;
    pub const PRIVATE: u32 = 1 << 2;
    pub const STATIC: u32 = 1 << 3;
    pub const ABSTRACT: u32 = 1 << 4;
    pub const FINAL: u32 = 1 << 5;
    pub const READONLY: u32 = 1 << 6;
    pub const PROTECTED_SET: u32 = 1 << 7;
    pub const PRIVATE_SET: u32 = 1 << 8;
    pub const PUBLIC_SET: u32 = 1 << 9;
    pub const PROMOTED: u32 = 1 << 10;
    /// Hooked property without a backing store.
    pub const VIRTUAL: u32 = 1 << 11;
    pub const ANONYMOUS: u32 = 1 << 12;
    /// Class-constant that is an enum case.
    pub const CASE: u32 = 1 << 13;

    /// Whether at least one bit of `flag` is set.
    #[inline]
    pub fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Sets the bits of `flag`.
    #[inline]
    pub fn set(&mut self, flag: u32) {
        self.0 |= flag;
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassDef {
    /// Fully qualified; an anonymous class has PHP's `class@anonymous` name with its NUL suffix.
    pub name: StrId,
    pub kind: ClassKind,
    pub attrs: Attrs,
    pub parent: Option<StrId>,
    /// `implements`, or `extends` of an interface.
    pub interfaces: Vec<StrId>,
    pub traits: Vec<StrId>,
    pub trait_rules: Vec<TraitRule>,
    /// Backing type of an enum.
    pub enum_type: Option<TypeId>,
    pub constants: Vec<ConstDef>,
    pub properties: Vec<PropDef>,
    pub methods: Vec<FuncId>,
    pub attributes: Vec<Attribute>,
    pub doc_comment: Option<StrId>,
    pub line_start: u32,
    pub line_end: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConstDef {
    pub name: StrId,
    pub attrs: Attrs,
    pub ty: Option<TypeId>,
    /// The constant's value; of an enum case the backing value, or `Literal::Null` for a pure enum.
    pub value: Init,
    pub doc_comment: Option<StrId>,
    pub attributes: Vec<Attribute>,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PropDef {
    pub name: StrId,
    pub attrs: Attrs,
    pub ty: Option<TypeId>,
    /// `None`: no default (typed: uninitialised, untyped: null).
    pub default: Option<Init>,
    pub get_hook: Option<FuncId>,
    pub set_hook: Option<FuncId>,
    pub doc_comment: Option<StrId>,
    pub attributes: Vec<Attribute>,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TraitRule {
    InsteadOf { trait_name: StrId, method: StrId, excluded: Vec<StrId> },
    Alias { trait_name: Option<StrId>, method: StrId, attrs: Attrs, alias: Option<StrId> },
}

impl Unit {
    /// The bytes of a literal string.
    #[inline]
    pub fn str(&self, id: StrId) -> &[u8] {
        self.strings.get(id.index()).unwrap_or_default()
    }
}

impl Func {
    /// Source line of an instruction.
    #[inline]
    pub fn line_at(&self, pc: u32) -> u32 {
        match self.lines.partition_point(|(start, _)| start.0 <= pc) {
            0 => self.line_start,
            n => self.lines[n - 1].1,
        }
    }
}

impl SwitchTable {
    /// Number of cases, the default apart.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            SwitchTable::Int { cases, .. } => cases.len(),
            SwitchTable::Str { cases, .. } => cases.len(),
        }
    }

    /// Whether there is no case besides the default.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
