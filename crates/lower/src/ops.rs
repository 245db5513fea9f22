//! The opline table: every opcode of the fast interpreter is declared here, once.
//!
//! Operands: `a`, `b` sources, `c` destination unless a row says otherwise. A source is a temporary (consumed),
//! a local (kept; it may be undefined or a reference) or a literal.

/// Declares the opcodes with their documentation.
macro_rules! opcodes {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// An opcode of the fast interpreter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum OpCode { $($(#[doc = $doc])* $name,)* }

        impl OpCode {
            /// All opcodes in table order.
            pub const ALL: &'static [OpCode] = &[$(OpCode::$name,)*];

            pub fn name(self) -> &'static str {
                match self { $(OpCode::$name => stringify!($name),)* }
            }

            /// What it does, one line each.
            pub fn doc(self) -> &'static [&'static str] {
                match self { $(OpCode::$name => &[$($doc,)*],)* }
            }
        }
    };
}

opcodes! {
    /// Does nothing.
    Nop,
    // ---- moves
    /// c (temporary) = a; an undefined local warns and gives null.
    Copy,
    /// c (temporary) = local a without a warning; `n` 1: undefined stays undefined.
    CopyQuiet,
    /// local c = a, through a reference if it is one.
    Assign,
    /// local c = a, and a copy of what was stored goes to temporary b.
    AssignResult,
    /// Makes local a undefined.
    UnsetLocal,
    /// Begins `@`, or ends it with `n` 1; local a keeps what was reported before.
    Silence,
    /// c = `$this`; `n` 1: null where there is none.
    This,
    /// Discards temporary a.
    Free,
    /// c = another copy of temporary a.
    Dup,
    /// Temporary a becomes a plain value: a reference is looked through.
    Deref,
    // ---- operators; `n` is the operator
    /// c = a OP b
    Binary,
    /// c = comparison of a and b
    Compare,
    /// local a OP= b; c: the result, if it is used.
    AssignOp,
    /// ++ and -- of local a; c: the result, if it is used.
    IncDec,
    /// c = OP a
    Unary,
    /// c = the strings of `n` temporaries from a on, joined.
    ConcatN,
    /// c = a instanceof the class literal b; site.
    InstanceOf,
    /// c = type test `n` of a
    IsType,
    /// c = isset(local a)
    IssetLocal,
    /// c = empty(local a)
    EmptyLocal,
    /// Outputs a.
    Echo,
    // ---- control
    /// Goes to the target.
    Jmp,
    /// Goes to the target when a is false.
    JmpZ,
    /// Goes to the target when a is true.
    JmpNZ,
    /// Goes to the target when the comparison `n` of a and b is true.
    JmpIf,
    /// Goes to the target when the comparison `n` of a and b is false.
    JmpIfNot,
    /// Goes to the target when temporary a is null; it stays.
    JmpNull,
    /// Goes to the target when temporary a is not null; it stays.
    JmpNotNull,
    /// Goes to the target when local a is defined (default parameter values).
    JmpDefined,
    /// Goes to the target when pending call a passes its parameter `n`, or all of them (`ANY_PARAMETER`), by value.
    JmpByValue,
    /// Goes through switch table `n` with a. With `FALLS_THROUGH` in `n`: on to the next opline when a is of another
    /// type than the cases.
    Switch,
    /// Returns a; `n`: the return type must be checked.
    Ret,
    /// Returns temporary a, which may be a reference.
    RetRef,
    /// Throws a.
    Throw,
    /// c = the caught exception.
    Catch,
    /// Ends a fault funclet.
    Unwind,
    // ---- calls; the pending call is named by the first temporary of its header
    /// Pending call a: the function named b, or named literal `n` - 1 if that does not exist; site.
    InitFunc,
    /// Pending call a: method c (literal) of object b; site.
    InitMethod,
    /// Pending call a: static method c (literal) of class b (literal), or of self, parent, static by `n`; site.
    InitStatic,
    /// Pending call a: the constructor of a new object of class b (literal), which goes to temporary c; site.
    InitNew,
    /// Pending call a: what value b calls; site.
    InitDynamic,
    /// Pending call a, prepared by the instruction as the plain interpreter does it; its inputs start at b.
    InitSlow,
    /// As InitSlow, for what `call_user_func` or `call_user_func_array` calls: the value b.
    InitUser,
    /// Argument `n` of pending call a: local b goes to temporary c by value or by reference.
    SendLocal,
    /// Argument of pending call a in temporary b: as the instruction wants it.
    SendSlow,
    /// As SendSlow for the result of an expression: only by-reference parameters care.
    SendValue,
    /// Calls a with `n` arguments; c: the result, if it is used. Literal b with a site: a builtin function of this name
    /// that has a short way.
    Call,
    /// As Call, where a result by reference stays a reference.
    CallRef,
    /// Calls a with `n` arguments and an array b of more.
    CallSlow,
    /// Calls a as table `n` of named calls says, perhaps with an array b of more arguments; site.
    CallNamed,
    /// c = a Closure of pending call a.
    Callable,
    /// Parameter local a against its type (a mask of kinds in `n`, for most).
    VerifyParam,
    /// As Step, for temporary a against the function's return type, where the return is not what follows.
    VerifyReturn,
    // ---- elements and properties
    /// c = a[b]
    GetElem,
    /// c = a[b] ?? null
    GetElemQuiet,
    /// c = a[b] for destructuring: null when a is no array and no object. `n` 1: temporary a stays.
    GetElemList,
    /// c = a->b; site.
    GetProp,
    /// c = a?->b ?? null; site.
    GetPropQuiet,
    /// c = isset(a[b]); `n` 1: empty.
    IssetElem,
    /// c = isset(a->b); `n` 1: empty.
    IssetProp,
    /// local a[b] = c; the result is not used.
    SetElem,
    /// local a[] = c; the result is not used.
    Append,
    /// a->b = c; the result is not used; site.
    SetProp,
    /// Path `n` = a; c: the result, if it is used.
    SetPath,
    /// Path `n` OP= a; c: the result, if it is used. b: the operator.
    SetOpPath,
    /// ++ and -- of path `n`; b: the operator.
    IncDecPath,
    /// unset(path `n`)
    UnsetPath,
    /// c = a reference to path `n`
    RefPath,
    /// Path `n` = &a; c: the reference, if it is used.
    BindPath,
    /// c = static property b (literal) of a class by `n`, or null where it is missing; site.
    GetStatic,
    /// c = constant b (literal) of a class; site.
    ClassConst,
    /// c = constant a (literal), or b if that does not exist; site.
    Const,
    /// c = an array of `n` temporaries from a on.
    NewTuple,
    /// Temporary a (an array)[] = b
    AddNewElem,
    /// Temporary a (an array)[b] = temporary after b
    AddElem,
    /// c = a reference to local a, which is one from now on
    RefLocal,
    /// c = a reference to the global variable a (a literal name)
    RefGlobal,
    /// Local a = the reference in temporary b; c: the reference, if it is used.
    BindLocal,
    /// c = clone a
    Clone,
    /// c = a Closure of function `n`, with the b (literal) values from temporary a on captured.
    Closure,
    /// c = the name of a class that is named by `n`.
    ClassName,
    /// Makes local a the static variable with number `n`; c = whether that was initialised.
    StaticLocal,
    /// As StaticLocal, with b as the variable's first value.
    InitStaticLocal,
    // ---- iteration
    /// Starts iterator `n` over a; value to local b, key to local c; goes to the target when there is nothing.
    IterInit,
    /// Starts iterator `n` over the reference a.
    IterInitRef,
    /// Next element of iterator `n`: goes to the target while there is one.
    IterNext,
    /// Frees iterator `n`.
    IterFree,
    // ---- the rest
    /// The instruction as the plain interpreter does it: `n` inputs from temporary a on, results there. If it stays in its frame and has one
    /// result, that is c.
    Step,
    /// As Step, for a read of the property of c whose name is b: a local, or the input.
    GetPropNamed,
    /// As Step, for an assignment to the property of c whose name is b: a local, or the first input.
    SetPropNamed,
    /// As Step, for `...$c` as the first arguments of pending call b.
    UnpackLocal,
    /// Returns a Generator of this frame.
    CreateGenerator,
    /// Suspends with value a and key b; c: what is sent.
    Yield,
    /// Delegates to a; c: its result.
    YieldFrom,
}
