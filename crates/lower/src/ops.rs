//! The opline table: every opcode of the fast interpreter is declared here, once, with all that the rest of the engine has to
//! know of it ([`crate::facts`] explains the columns, [`crate::uses`] what follows from them).
//!
//! Each row has every column: an opcode that says nothing of its effects does not compile. `tests/data.rs` holds the operands of
//! all programs of the test suite against their rows.

use crate::facts::OperandAccess::*;
use crate::facts::{
    ANY_TYPE, ARRAY, Asks, BOOL, ControlFlow, Facts, Feedback, Heap, INT, NO_RESULT, NULL, Number, OBJECT, REFERENCE,
    Runs, STRING, Stepping, TEMPORARY, THIS, Variables, local, moved, name, no, read, temporary, write,
};

/// Declares the opcodes with their documentation and facts.
macro_rules! opcodes {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident {
            a: $a:expr, b: $b:expr, c: $c:expr, n: $n:expr;
            $flow:ident, $step:ident, $runs:ident, $variables:ident, $heap:ident, gives $result:expr, $feedback:ident
        }
    )*) => {
        /// An opcode of the fast interpreter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum OpCode { $($(#[doc = $doc])* $name,)* }

        impl OpCode {
            /// All opcodes in table order.
            pub const ALL: &'static [OpCode] = &[$(OpCode::$name,)*];

            /// The opcode's name, as dumps print it.
            pub fn name(self) -> &'static str {
                match self { $(OpCode::$name => stringify!($name),)* }
            }

            /// What it does, one line each.
            pub fn doc(self) -> &'static [&'static str] {
                match self { $(OpCode::$name => &[$($doc,)*],)* }
            }

            /// The opcode's row.
            pub const fn facts(self) -> &'static Facts {
                match self {
                    $(OpCode::$name => {
                        const FACTS: Facts = Facts {
                            a: $a, b: $b, c: $c, n: $n,
                            flow: ControlFlow::$flow,
                            step: Stepping::$step,
                            runs: Runs::$runs,
                            variables: Variables::$variables,
                            heap: Heap::$heap,
                            result: $result,
                            feedback: Feedback::$feedback,
                        };
                        &FACTS
                    })*
                }
            }
        }
    };
}

opcodes! {
    /// Does nothing.
    Nop { a: no(), b: no(), c: no(), n: Number::Unused;
        Next, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    // ---- moves
    /// c (temporary) = a; an undefined local warns and gives null.
    Copy { a: moved(), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// c (temporary) = local a without a warning; `n` 1: undefined stays undefined.
    CopyQuiet { a: moved(), b: no(), c: write(), n: Number::Flag("undefined");
        Next, Never, Nothing, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// local c = a, through a reference if it is one.
    Assign { a: moved(), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// local c = a, and a copy of what was stored goes to temporary b.
    AssignResult { a: moved(), b: write(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Makes local a undefined.
    UnsetLocal { a: local(Update), b: no(), c: no(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Begins `@`: local a keeps what was reported before.
    SilenceBegin { a: local(Write), b: no(), c: no(), n: Number::Unused;
        Next, Single, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Ends `@`: what local a kept is reported again.
    SilenceEnd { a: local(Read), b: no(), c: no(), n: Number::Unused;
        Next, Single, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// c = `$this`; `n` 1: null where there is none.
    This { a: no().or(THIS), b: no(), c: write(), n: Number::Flag("bare");
        Next, Never, Throws, Operands, Untouched, gives OBJECT.or(NULL), Nothing }
    /// Discards temporary a.
    Free { a: temporary(Read).asks(Asks::Nothing), b: no(), c: no(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// c = another copy of temporary a.
    Dup { a: temporary(Keep).asks(Asks::Nothing), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Temporary a becomes a plain value: a reference is looked through.
    Deref { a: temporary(Update).asks(Asks::Nothing), b: no(), c: no(), n: Number::Unused;
        Next, Never, Nothing, Operands, Reads, gives NO_RESULT, Nothing }
    // ---- operators
    /// c = a OP b
    Binary { a: read(), b: read(), c: write(), n: Number::Operator;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = comparison of a and b
    Compare { a: read().asks(Asks::Comparison), b: read().asks(Asks::Comparison), c: write(), n: Number::Comparison;
        Next, Never, UserCode, Operands, Reads, gives BOOL.or(INT), Nothing }
    /// local a OP= b; c: the result, if it is used.
    AssignOp { a: local(Update), b: read(), c: write().optional(), n: Number::Operator;
        Next, Single, UserCode, Operands, ChangesArrays, gives ANY_TYPE, Nothing }
    /// ++ and -- of local a; c: the result, if it is used.
    IncDec { a: local(Update), b: no(), c: write().optional(), n: Number::IncDec;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = OP a
    Unary { a: read(), b: no(), c: write(), n: Number::Unary;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = the strings of `n` temporaries from a on, joined.
    ConcatN { a: temporary(ReadRow), b: no(), c: write(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives STRING, Nothing }
    /// c = a instanceof the class literal b; site.
    InstanceOf { a: read().tests(OBJECT), b: name(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives BOOL, Nothing }
    /// c = type test `n` of a
    IsType { a: read().asks(Asks::TypeTest), b: no(), c: write(), n: Number::TypeTest;
        Next, Single, UserCode, Operands, Untouched, gives BOOL, Nothing }
    /// c = isset(local a)
    IssetLocal { a: local(Read).tests(NULL), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Operands, Untouched, gives BOOL, Nothing }
    /// c = empty(local a)
    EmptyLocal { a: local(Read), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Operands, Reads, gives BOOL, Nothing }
    /// Outputs a.
    Echo { a: read(), b: no(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    // ---- control
    /// Goes to the target.
    Jmp { a: no(), b: no(), c: no(), n: Number::Unused;
        Jump, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when a is false.
    JmpZ { a: read(), b: no(), c: no(), n: Number::Unused;
        Branch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Goes to the target when a is true.
    JmpNZ { a: read(), b: no(), c: no(), n: Number::Unused;
        Branch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Goes to the target when the comparison `n` of a and b is true.
    JmpIf { a: read().asks(Asks::Comparison), b: read().asks(Asks::Comparison), c: no(), n: Number::Comparison;
        Branch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Goes to the target when the comparison `n` of a and b is false.
    JmpIfNot { a: read().asks(Asks::Comparison), b: read().asks(Asks::Comparison), c: no(), n: Number::Comparison;
        Branch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Goes to the target when temporary a is null; it stays.
    JmpNull { a: temporary(Keep).tests(NULL), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when temporary a is not null; it stays.
    JmpNotNull { a: temporary(Keep).tests(NULL), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when local a is defined (default parameter values).
    JmpDefined { a: local(Read), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when pending call a passes its parameter `n`, or all of them (`ANY_PARAMETER`), by value.
    JmpByValue { a: temporary(Pending), b: no(), c: no(), n: Number::Parameter;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes through switch table `n` with a. With `FALLS_THROUGH` in `n`: on to the next opline when a is of another
    /// type than the cases.
    Switch { a: read().tests(INT.or(STRING)), b: no(), c: no(), n: Number::SwitchTable;
        Switch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Returns a; `n`: the return type must be checked.
    Ret { a: moved(), b: no(), c: no(), n: Number::Flag("checked");
        Leave, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Returns temporary a, which may be a reference.
    RetRef { a: temporary(Read).asks(Asks::Nothing), b: no(), c: no(), n: Number::Unused;
        Leave, Never, UserCode, Any, Untouched, gives NO_RESULT, Nothing }
    /// Throws a.
    Throw { a: read(), b: no(), c: no(), n: Number::Unused;
        Leave, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// c = the caught exception.
    Catch { a: no(), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Any, Untouched, gives OBJECT, Nothing }
    /// Ends a fault funclet.
    Unwind { a: no(), b: no(), c: no(), n: Number::Unused;
        Leave, Never, UserCode, Any, Untouched, gives NO_RESULT, Nothing }
    // ---- calls; the pending call is named by the first temporary of its header
    /// Pending call a: the function named b, or named literal `n` - 1 if that does not exist; site.
    InitFunc { a: temporary(Opens), b: name(), c: no(), n: Number::Fallback;
        Next, Single, Throws, ByFunction, Untouched, gives NO_RESULT, Nothing }
    /// Pending call a: method c (literal) of object b; site.
    InitMethod { a: temporary(Opens), b: read().or(THIS).tests(OBJECT), c: name(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Class }
    /// Pending call a: static method c (literal) of class b (literal), or of self, parent, static by `n`; site.
    InitStatic { a: temporary(Opens), b: name().optional(), c: name(), n: Number::ClassBy;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Pending call a: the constructor of a new object of class b (literal), which goes to temporary c; site.
    InitNew { a: temporary(Opens), b: name().optional(), c: write(), n: Number::ClassBy;
        Next, Single, UserCode, Operands, Reads, gives OBJECT, Nothing }
    /// Pending call a: what value b calls; site.
    InitDynamic { a: temporary(Opens), b: read(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Pending call a, prepared by the instruction as the plain interpreter does it; its inputs start at b.
    InitSlow { a: temporary(Opens), b: temporary(ReadRow), c: no(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// As InitSlow, for what `call_user_func` or `call_user_func_array` calls: the value b.
    InitUser { a: temporary(Opens), b: temporary(ReadRow), c: no(), n: Number::Count;
        Next, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Argument `n` of pending call a: local b goes to temporary c by value or by reference.
    SendLocal { a: temporary(Pending), b: local(Pass).asks(Asks::Nothing), c: write(), n: Number::Parameter;
        Next, Single, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Argument of pending call a in temporary b: as the instruction wants it.
    SendSlow { a: temporary(Pending), b: temporary(Update).asks(Asks::Nothing), c: no(), n: Number::Parameter;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// As SendSlow for the result of an expression: only by-reference parameters care.
    SendValue { a: temporary(Pending), b: temporary(Keep).asks(Asks::Nothing), c: no(), n: Number::Parameter;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Calls a with `n` arguments; c: the result, if it is used. Literal b with a site: a builtin function of this name
    /// that has a short way.
    Call { a: temporary(Calls), b: name().optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// As Call, where a result by reference stays a reference.
    CallRef { a: temporary(Calls), b: name().optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// Calls a with `n` arguments and an array b of more.
    CallSlow { a: temporary(Calls), b: temporary(Read).optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// Calls a as table `n` of named calls says, perhaps with an array b of more arguments; site.
    CallNamed { a: temporary(Calls), b: temporary(Read).optional(), c: write().optional(), n: Number::NamedCall;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// c = a Closure of pending call a.
    Callable { a: temporary(Pending), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Reads, gives OBJECT, Nothing }
    /// Parameter local a against its type (a mask of kinds in `n`, for most).
    VerifyParam { a: local(Coerce), b: no(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// As Step, for temporary a against the function's return type, where the return is not what follows.
    VerifyReturn { a: temporary(Exchange), b: no(), c: no(), n: Number::Count;
        Next, Never, UserCode, Any, Reads, gives ANY_TYPE, Nothing }
    // ---- elements and properties
    /// c = a[b]
    GetElem { a: read().or(THIS).tests(ARRAY.or(STRING)), b: read(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a[b] ?? null
    GetElemQuiet { a: read().or(THIS).tests(ARRAY.or(STRING)), b: read(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a[b] for destructuring: null when a is no array and no object. `n` 1: temporary a stays.
    GetElemList { a: read().or(THIS).tests(ARRAY.or(STRING)).with(ReadUnlessN), b: read(), c: write(), n: Number::Flag("stays");
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a->b; site.
    GetProp { a: read().or(THIS).tests(OBJECT), b: name(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Class }
    /// c = a?->b ?? null; site.
    GetPropQuiet { a: read().or(THIS).tests(OBJECT), b: name(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Class }
    /// c = isset(a[b]); `n` 1: empty.
    IssetElem { a: read().or(THIS).tests(ARRAY.or(STRING)), b: read(), c: write(), n: Number::Flag("empty");
        Next, Single, UserCode, Operands, Reads, gives BOOL, Nothing }
    /// c = isset(a->b); `n` 1: empty.
    IssetProp { a: read().or(THIS).tests(OBJECT), b: name(), c: write(), n: Number::Flag("empty");
        Next, Single, UserCode, Operands, Reads, gives BOOL, Class }
    /// local a[b] = c; the result is not used.
    SetElem { a: local(Mutate), b: read(), c: moved(), n: Number::Unused;
        Next, Never, UserCode, Operands, ChangesArrays, gives NO_RESULT, Nothing }
    /// local a[] = c; the result is not used.
    Append { a: local(Mutate), b: no(), c: moved(), n: Number::Unused;
        Next, Single, UserCode, Operands, ChangesArrays, gives NO_RESULT, Nothing }
    /// a->b = c; the result is not used; site.
    SetProp { a: local(Read).or(THIS).tests(OBJECT), b: name(), c: moved(), n: Number::Unused;
        Next, Single, UserCode, Operands, ChangesObjects, gives NO_RESULT, Class }
    /// Path `n` = a; c: the result, if it is used.
    SetPath { a: moved(), b: no(), c: write().optional(), n: Number::Path;
        Next, Single, UserCode, Operands, ChangesArrays, gives ANY_TYPE, Path }
    /// Path `n` OP= a; c: the result, if it is used. b: the operator.
    SetOpPath { a: read(), b: name(), c: write().optional(), n: Number::Path;
        Next, Single, UserCode, Operands, ChangesArrays, gives ANY_TYPE, Path }
    /// ++ and -- of path `n`; b: the operator; c: the result, if it is used.
    IncDecPath { a: no(), b: name(), c: write().optional(), n: Number::Path;
        Next, Single, UserCode, Operands, ChangesArrays, gives ANY_TYPE, Path }
    /// unset(path `n`)
    UnsetPath { a: no(), b: no(), c: no(), n: Number::Path;
        Next, Single, UserCode, Operands, ChangesArrays, gives NO_RESULT, Nothing }
    /// c = a reference to path `n`
    RefPath { a: no(), b: no(), c: write(), n: Number::Path;
        Next, Single, UserCode, Operands, ChangesArrays, gives REFERENCE, Nothing }
    /// Path `n` = &a; c: the reference, if it is used.
    BindPath { a: temporary(Read).asks(Asks::Nothing), b: no(), c: write().optional(), n: Number::Path;
        Next, Never, UserCode, Any, ChangesArrays, gives REFERENCE, Nothing }
    /// c = static property b (literal) of a class by `n`, or null where it is missing; site.
    GetStatic { a: name().optional(), b: name(), c: write(), n: Number::ClassBy;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = constant b (literal) of a class; site.
    ClassConst { a: name().optional(), b: name(), c: write(), n: Number::ClassBy;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = constant a (literal), or b if that does not exist; site.
    Const { a: name(), b: name().optional(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = an array of `n` temporaries from a on.
    NewTuple { a: temporary(ReadRow).asks(Asks::Nothing), b: no(), c: write(), n: Number::Count;
        Next, Single, Nothing, Operands, Untouched, gives ARRAY, Nothing }
    /// Temporary a (an array)[] = b
    AddNewElem { a: temporary(Update), b: moved(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, ChangesArrays, gives NO_RESULT, Nothing }
    /// Temporary a (an array)[b] = c
    AddElem { a: temporary(Update), b: read(), c: moved(), n: Number::Unused;
        Next, Single, UserCode, Operands, ChangesArrays, gives NO_RESULT, Nothing }
    /// c = a reference to local a, which is one from now on
    RefLocal { a: local(Bind), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Any, ChangesObjects, gives REFERENCE, Nothing }
    /// c = a reference to the global variable a (a literal name)
    RefGlobal { a: name(), b: no(), c: write(), n: Number::Unused;
        Next, Never, Nothing, Any, ChangesObjects, gives REFERENCE, Nothing }
    /// Local a = the reference in temporary b; c: the reference, if it is used.
    BindLocal { a: local(Bind), b: temporary(Read).asks(Asks::Nothing), c: write().optional(), n: Number::Unused;
        Next, Never, UserCode, Any, ChangesObjects, gives REFERENCE, Nothing }
    /// c = clone a
    Clone { a: read().or(THIS), b: no(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives OBJECT, Nothing }
    /// c = a Closure of function `n`, with the b (literal) values from temporary a on captured.
    Closure { a: temporary(ReadRow), b: name(), c: write(), n: Number::Function;
        Next, Single, UserCode, Operands, Untouched, gives OBJECT, Nothing }
    /// c = the name of a class that is named by `n`.
    ClassName { a: no(), b: no(), c: write(), n: Number::ClassBy;
        Next, Single, Throws, Operands, Untouched, gives STRING, Nothing }
    /// Makes local a the static variable with number `n`; c = whether that was initialised.
    StaticLocal { a: local(Bind), b: no(), c: write(), n: Number::StaticVariable;
        Next, Never, UserCode, Any, ChangesObjects, gives BOOL, Nothing }
    /// As StaticLocal, with b as the variable's first value.
    InitStaticLocal { a: local(Bind), b: moved(), c: no(), n: Number::StaticVariable;
        Next, Never, UserCode, Any, ChangesObjects, gives NO_RESULT, Nothing }
    // ---- iteration
    /// Starts iterator `n` over a; value to local b, key to local c; goes to the target when there is nothing.
    IterInit { a: read().or(THIS).tests(ARRAY), b: local(WriteNext), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Single, UserCode, Operands, Reads, gives NO_RESULT, Iteration }
    /// Starts iterator `n` over the reference a.
    IterInitRef { a: read(), b: local(Bind), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Never, UserCode, Any, ChangesArrays, gives NO_RESULT, Nothing }
    /// Next element of iterator `n`: goes to the target while there is one.
    IterNext { a: no(), b: local(WriteNext), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Single, UserCode, Operands, Reads, gives NO_RESULT, Iteration }
    /// Frees iterator `n`.
    IterFree { a: no(), b: no(), c: no(), n: Number::Iterator;
        Next, Single, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    // ---- the rest
    /// The instruction as the plain interpreter does it: `n` inputs from temporary a on, results there; b: the pending call that it
    /// is about. It may enter functions and reach variables.
    Step { a: temporary(Exchange), b: temporary(Pending).optional(), c: no(), n: Number::Count;
        Branch, Never, UserCode, Any, ChangesArrays, gives ANY_TYPE, Nothing }
    /// As Step, for an instruction that stays in its frame and computes one result from its inputs alone: c, which is temporary a.
    StepValue { a: temporary(ReadRow), b: no(), c: write(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// As Step, for a read of the property of c whose name is b: a local, or the input.
    GetPropNamed { a: temporary(Exchange), b: local(Read).or(TEMPORARY), c: local(Read).or(THIS), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// As Step, for an assignment to the property of c whose name is b: a local, or the first input.
    SetPropNamed { a: temporary(Exchange), b: local(Read).or(TEMPORARY), c: local(Read).or(THIS), n: Number::Count;
        Next, Single, UserCode, Operands, ChangesObjects, gives ANY_TYPE, Nothing }
    /// As Step, for `...$c` as the first arguments of pending call b.
    UnpackLocal { a: temporary(Exchange), b: temporary(Pending), c: local(Read), n: Number::Count;
        Next, Never, UserCode, Any, Reads, gives ANY_TYPE, Nothing }
    /// Returns a Generator of this frame.
    CreateGenerator { a: no(), b: no(), c: no(), n: Number::Unused;
        Next, Never, Nothing, Any, Untouched, gives NO_RESULT, Nothing }
    /// Suspends with value a and key b; c: what is sent.
    Yield { a: moved(), b: moved().optional(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE, Nothing }
    /// Delegates to a; c: its result.
    YieldFrom { a: read(), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE, Nothing }
}
