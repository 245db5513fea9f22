//! The opline table: every opcode of the interpreter is declared here, once, with all that the rest of the engine has to know of it
//! ([`crate::facts`] explains the columns, [`crate::uses`] has what follows from them).
//!
//! Each row has every column: an opcode without its effects does not compile. `tests/data.rs` checks the operands of all programs
//! of the test suite against their rows.

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
        /// An opcode of the interpreter that executes oplines.
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

            /// What the opcode does, one line each.
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
    /// local c = a, through the reference if c is boxed.
    Assign { a: moved(), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// local c = a, and a copy of what was stored goes to temporary b.
    AssignResult { a: moved(), b: write(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Makes local a undefined.
    UnsetLocal { a: local(Update), b: no(), c: no(), n: Number::Unused;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Begins `@`: stores the level of error reporting in local a.
    SilenceBegin { a: local(Write), b: no(), c: no(), n: Number::Unused;
        Next, Single, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Ends `@`: restores the level of error reporting from local a.
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
    /// Temporary a becomes a plain value: the value behind a reference.
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
    /// c = the concatenation of `n` temporaries from a on.
    ConcatN { a: temporary(ReadRow), b: no(), c: write(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives STRING, Nothing }
    /// c = a instanceof the class literal b; has an inline cache.
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
    /// Goes to the target when temporary a is null; a is kept.
    JmpNull { a: temporary(Keep).tests(NULL), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when temporary a is not null; a is kept.
    JmpNotNull { a: temporary(Keep).tests(NULL), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when local a is defined (default parameter values).
    JmpDefined { a: local(Read), b: no(), c: no(), n: Number::Unused;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the target when pending call a passes its parameter `n`, or all of them (`ANY_PARAMETER`), by value.
    JmpByValue { a: temporary(Pending), b: no(), c: no(), n: Number::Parameter;
        Branch, Never, Nothing, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Goes to the opline that switch table `n` has for a. With `FALLS_THROUGH` in `n`: goes to the next opline when a is of
    /// another type than the cases.
    Switch { a: read().tests(INT.or(STRING)), b: no(), c: no(), n: Number::SwitchTable;
        Switch, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Returns a; `n` 1: the declared return type must be verified.
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
        Leave, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    // ---- calls; the pending call is named by the first temporary of its header
    /// Pending call a: the function named b, or the one named by literal `n` - 1 if that does not exist; has an inline cache.
    InitFunc { a: temporary(Opens), b: name(), c: no(), n: Number::Fallback;
        Next, Single, Throws, ByFunction, Untouched, gives NO_RESULT, Nothing }
    /// Pending call a: method c (literal) of object b; has an inline cache.
    InitMethod { a: temporary(Opens), b: read().or(THIS).tests(OBJECT), c: name(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Class }
    /// Pending call a: static method c (literal) of class b (literal), or of self, parent, static by `n`; has an inline cache.
    InitStatic { a: temporary(Opens), b: name().optional(), c: name(), n: Number::ClassBy("forwarded");
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Pending call a: the constructor of a new object of class b (literal), which goes to temporary c; has an inline cache.
    InitNew { a: temporary(Opens), b: name().optional(), c: write(), n: Number::ClassBy("");
        Next, Single, UserCode, Operands, Reads, gives OBJECT, Nothing }
    /// Pending call a: the callee that value b stands for; has an inline cache.
    InitDynamic { a: temporary(Opens), b: read(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Pending call a, opened by the reference interpreter, which executes the instruction; its inputs start at temporary b.
    InitSlow { a: temporary(Opens), b: temporary(ReadRow), c: no(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Pending call a: the callee that `call_user_func` or `call_user_func_array` is given, the value b.
    InitUser { a: temporary(Opens), b: temporary(ReadRow), c: no(), n: Number::Count;
        Next, Never, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Argument `n` of pending call a: local b goes to temporary c, by value or by reference.
    SendLocal { a: temporary(Pending), b: local(Pass).asks(Asks::Nothing), c: write(), n: Number::Parameter;
        Next, Single, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Argument `n` of pending call a, in temporary b: the reference interpreter executes the instruction.
    SendSlow { a: temporary(Pending), b: temporary(Update).asks(Asks::Nothing), c: no(), n: Number::Parameter;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Argument `n` of pending call a, the result of an expression in temporary b: only by-reference parameters need work.
    SendValue { a: temporary(Pending), b: temporary(Keep).asks(Asks::Nothing), c: no(), n: Number::Parameter;
        Next, Never, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    /// Calls a with `n` arguments; c: the result, if it is used. Literal b with an inline cache: a builtin function of this name
    /// that has a fast path.
    Call { a: temporary(Calls), b: name().optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE, Nothing }
    /// Calls a with `n` arguments; c: the result, if it is used, which stays a reference if the function returns one.
    CallRef { a: temporary(Calls), b: name().optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Operands, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// Calls a with `n` arguments and the elements of array b; c: the result, if it is used.
    CallSlow { a: temporary(Calls), b: temporary(Read).optional(), c: write().optional(), n: Number::Count;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// Calls a with the arguments that entry `n` of the table of named calls describes, perhaps with the elements of array b; has
    /// an inline cache.
    CallNamed { a: temporary(Calls), b: temporary(Read).optional(), c: write().optional(), n: Number::NamedCall;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE.or(REFERENCE), Nothing }
    /// c = a Closure of the callee of pending call a.
    Callable { a: temporary(Pending), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Reads, gives OBJECT, Nothing }
    /// Verifies that parameter a, a local, is of its declared type, and converts it if the type asks for that.
    VerifyParam { a: local(Coerce), b: no(), c: no(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives NO_RESULT, Nothing }
    /// Verifies that temporary a is of the function's return type, where the return does not follow at once.
    VerifyReturn { a: temporary(Exchange), b: no(), c: no(), n: Number::Count;
        Next, Never, UserCode, Any, Reads, gives ANY_TYPE, Nothing }
    // ---- elements and properties
    /// c = a[b]
    GetElem { a: read().or(THIS).tests(ARRAY.or(STRING)), b: read(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a[b] ?? null
    GetElemQuiet { a: read().or(THIS).tests(ARRAY.or(STRING)), b: read(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a[b] for destructuring: null when a is no array and no object. `n` 1: temporary a is kept.
    GetElemList { a: read().or(THIS).tests(ARRAY.or(STRING)).with(ReadUnlessN), b: read(), c: write(), n: Number::Flag("stays");
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Element }
    /// c = a->b; has an inline cache.
    GetProp { a: read().or(THIS).tests(OBJECT), b: name(), c: write(), n: Number::Unused;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Class }
    /// c = a?->b ?? null; has an inline cache.
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
    /// a->b = c; the result is not used; has an inline cache.
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
    /// c = static property b (literal) of a class by `n`; with [`crate::QUIET`], null if it is missing; has an inline cache.
    GetStatic { a: name().optional(), b: name(), c: write(), n: Number::ClassBy("quiet");
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = constant b (literal) of a class by `n`; has an inline cache.
    ClassConst { a: name().optional(), b: name(), c: write(), n: Number::ClassBy("");
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// c = constant a (literal), or b if that does not exist; has an inline cache.
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
    /// c = a reference to local a, which is boxed from now on
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
    /// c = a Closure of function `n`, which captures as many values as literal b says, from temporary a on.
    Closure { a: temporary(ReadRow), b: name(), c: write(), n: Number::Function;
        Next, Single, UserCode, Operands, Untouched, gives OBJECT, Nothing }
    /// c = the name of the class that `n` stands for.
    ClassName { a: no(), b: no(), c: write(), n: Number::ClassBy("");
        Next, Single, Throws, Operands, Untouched, gives STRING, Nothing }
    /// Binds local a to the static variable with number `n`; c = whether that is initialised.
    StaticLocal { a: local(Bind), b: no(), c: write(), n: Number::StaticVariable;
        Next, Never, UserCode, Any, ChangesObjects, gives BOOL, Nothing }
    /// Binds local a to the static variable with number `n`, and initialises that with b.
    InitStaticLocal { a: local(Bind), b: moved(), c: no(), n: Number::StaticVariable;
        Next, Never, UserCode, Any, ChangesObjects, gives NO_RESULT, Nothing }
    // ---- iteration
    /// Starts iterator `n` over a: the first value goes to local b, its key to local c; goes to the target when there is none.
    IterInit { a: read().or(THIS).tests(ARRAY), b: local(WriteNext), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Single, UserCode, Operands, Reads, gives NO_RESULT, Iteration }
    /// Starts iterator `n` over reference a: local b is bound to the first element, its key goes to local c; goes to the target
    /// when there is none.
    IterInitRef { a: read(), b: local(Bind), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Never, UserCode, Any, ChangesArrays, gives NO_RESULT, Nothing }
    /// Moves iterator `n` to its next element: the value goes to local b, its key to local c; goes to the target if there is one.
    IterNext { a: no(), b: local(WriteNext), c: local(WriteNext).optional(), n: Number::Iterator;
        Branch, Single, UserCode, Operands, Reads, gives NO_RESULT, Iteration }
    /// Frees iterator `n`.
    IterFree { a: no(), b: no(), c: no(), n: Number::Iterator;
        Next, Single, UserCode, Operands, Untouched, gives NO_RESULT, Nothing }
    // ---- the rest
    /// The reference interpreter executes the instruction: its `n` inputs start at temporary a, where its results go; b: the
    /// pending call that it is about. It may enter functions and reach variables.
    Step { a: temporary(Exchange), b: temporary(Pending).optional(), c: no(), n: Number::Count;
        Branch, Never, UserCode, Any, ChangesArrays, gives ANY_TYPE, Nothing }
    /// The reference interpreter executes an instruction that stays in its frame: it computes c, which is temporary a, from its `n`
    /// inputs alone.
    StepValue { a: temporary(ReadRow), b: no(), c: write(), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// The reference interpreter executes a read of the property of c whose name is b: a local, or the input, which is temporary a.
    GetPropNamed { a: temporary(Exchange), b: local(Read).or(TEMPORARY), c: local(Read).or(THIS), n: Number::Count;
        Next, Single, UserCode, Operands, Reads, gives ANY_TYPE, Nothing }
    /// The reference interpreter executes an assignment to the property of c whose name is b: a local, or the first of `n` inputs
    /// from temporary a on.
    SetPropNamed { a: temporary(Exchange), b: local(Read).or(TEMPORARY), c: local(Read).or(THIS), n: Number::Count;
        Next, Single, UserCode, Operands, ChangesObjects, gives ANY_TYPE, Nothing }
    /// The reference interpreter passes `...$c` as the first arguments of pending call b.
    UnpackLocal { a: temporary(Exchange), b: temporary(Pending), c: local(Read), n: Number::Count;
        Next, Never, UserCode, Any, Reads, gives ANY_TYPE, Nothing }
    /// Returns a Generator whose body this frame becomes.
    CreateGenerator { a: no(), b: no(), c: no(), n: Number::Unused;
        Next, Never, Nothing, Any, Untouched, gives NO_RESULT, Nothing }
    /// Suspends the generator with value a and key b; c: the value that is sent to it.
    Yield { a: moved(), b: moved().optional(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE, Nothing }
    /// Delegates to a; c: the result of the inner generator.
    YieldFrom { a: read(), b: no(), c: write(), n: Number::Unused;
        Next, Never, UserCode, Any, Untouched, gives ANY_TYPE, Nothing }
}
