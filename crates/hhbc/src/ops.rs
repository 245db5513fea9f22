//! The instruction table: every HHBC instruction is declared here, once.
//!
//! A row is `Name { immediate: Type, .. } [inputs] => [outputs], flags;`. The enum, encoder, decoder,
//! assembler, disassembler, verifier and `docs/hhbc.md` all derive from these rows.
//! Inputs are listed deepest first. Flavours: `C` cell, `V` var (reference), `A` class reference,
//! `R` return value (cell or var), `F` function argument. `Cn`: as many cells as the first `u32`
//! immediate says; `CVn`: the same, each a cell or a var; `Fn`: the same in arguments;
//! `M`: what the member vector pops.
//! Flags: `terminal` (control never falls through), `branch` (has a target), `fpi_push`/`fpi_pop`
//! (opens / closes a function parameter info region), `pass` (an FPass), `none`.

/// Expands `$callback! { rows }` over the whole table.
#[macro_export]
macro_rules! for_each_op {
    ($callback:ident) => {
        $callback! {
        // ---- 1. Basic instructions
        /// Does nothing.
        Nop {} [] => [], none;
        /// Discards a cell.
        PopC {} [C] => [], none;
        /// Discards a var.
        PopV {} [V] => [], none;
        /// Discards a return value.
        PopR {} [R] => [], none;
        /// Discards a class reference.
        PopA {} [A] => [], none;
        /// Duplicates the top cell.
        Dup {} [C] => [C C], none;
        /// Exchanges the top two cells.
        Swap {} [C C] => [C C], none;
        /// Makes a new var that holds the cell.
        Box {} [C] => [V], none;
        /// Takes the cell out of a var.
        Unbox {} [V] => [C], none;
        /// A var stays as it is, a cell is boxed.
        BoxR {} [R] => [V], none;
        /// `BoxR`, but a cell first raises the notice that `kind` names ("Only variables should be ... by reference").
        BoxRNotice { kind: RefNotice } [R] => [V], none;
        /// A cell stays as it is, a var is unboxed.
        UnboxR {} [R] => [C], none;

        // ---- 2. Literals and constants
        Null {} [] => [C], none;
        True {} [] => [C], none;
        False {} [] => [C], none;
        /// The uninitialised null that stands for "no value".
        NullUninit {} [] => [C], none;
        Int { value: i64 } [] => [C], none;
        Double { value: F64 } [] => [C], none;
        String { value: StrId } [] => [C], none;
        /// Pushes a scalar array of the unit.
        Array { value: ArrayId } [] => [C], none;
        /// Pushes an empty array.
        NewArray {} [] => [C], none;
        /// An array of `count` cells with keys 0, 1, ...
        NewTuple { count: u32 } [Cn] => [C], none;
        /// `$3[$2] = $1`; array literals only.
        AddElemC {} [C C C] => [C], none;
        /// `$3[$2] = &$1`
        AddElemV {} [C C V] => [C], none;
        /// `$2[] = $1`
        AddNewElemC {} [C C] => [C], none;
        /// `$2[] = &$1`
        AddNewElemV {} [C V] => [C], none;
        /// `[...$2, ...$1]` where `$2` is the array under construction: arrays and Traversables; string keys are kept.
        UnpackElems {} [C C] => [C], none;
        /// Adds the elements of `$1` to `$2`, the array of the pending call's arguments that follow the first `args` ones.
        UnpackArgs { args: u32 } [C C] => [C], none;
        /// As UnpackArgs of the local's value; elements for by-reference parameters become references, also in the
        /// local's array.
        UnpackArgsL { args: u32, local: LocalId } [C] => [C], none;
        /// Value of the global constant; throws `Error: Undefined constant "NAME"`.
        Cns { name: StrId } [] => [C], none;
        /// Value of the namespaced constant, or of the global one if that is not defined.
        CnsU { name: StrId, fallback: StrId } [] => [C], none;
        /// Class constant `name` of a class reference.
        ClsCns { name: StrId } [A] => [C], none;
        /// Class constant of a class named in the source.
        ClsCnsD { name: StrId, class: StrId } [] => [C], none;
        /// Class constant whose name is computed: `A::{C}`.
        ClsCnsC {} [C A] => [C], none;
        /// `A::class`, the class's full name.
        NameA {} [A] => [C], none;
        /// `$expr::class`: the class name of an object; throws TypeError for anything else.
        ClassOfC {} [C] => [C], none;
        /// `__FILE__`
        File {} [] => [C], none;
        /// `__DIR__`
        Dir {} [] => [C], none;

        // ---- 3. Operators
        Concat {} [C C] => [C], none;
        /// Concatenates `count` cells left to right (interpolated strings); conversions happen in order.
        ConcatN { count: u32 } [Cn] => [C], none;
        Add {} [C C] => [C], none;
        Sub {} [C C] => [C], none;
        Mul {} [C C] => [C], none;
        Div {} [C C] => [C], none;
        Mod {} [C C] => [C], none;
        Pow {} [C C] => [C], none;
        BitAnd {} [C C] => [C], none;
        BitOr {} [C C] => [C], none;
        BitXor {} [C C] => [C], none;
        BitNot {} [C] => [C], none;
        Shl {} [C C] => [C], none;
        Shr {} [C C] => [C], none;
        Xor {} [C C] => [C], none;
        Not {} [C] => [C], none;
        Same {} [C C] => [C], none;
        NSame {} [C C] => [C], none;
        Eq {} [C C] => [C], none;
        Neq {} [C C] => [C], none;
        Lt {} [C C] => [C], none;
        Lte {} [C C] => [C], none;
        Gt {} [C C] => [C], none;
        Gte {} [C C] => [C], none;
        /// `<=>`
        Cmp {} [C C] => [C], none;
        CastBool {} [C] => [C], none;
        CastInt {} [C] => [C], none;
        CastDouble {} [C] => [C], none;
        CastString {} [C] => [C], none;
        CastArray {} [C] => [C], none;
        CastObject {} [C] => [C], none;
        /// Constant expressions: throws "Fetching properties on non-enums in constant expressions is not allowed" if the
        /// cell is an object that is no enum case.
        CheckEnum {} [C] => [C], none;
        /// Constant expressions: throws "Cannot use [] on objects in constant expression" if the cell is an object.
        CheckNoObject {} [C] => [C], none;
        /// `$2 instanceof $1`, `$1` a string or an object; never autoloads.
        InstanceOf {} [C C] => [C], none;
        /// `$1 instanceof name`; never autoloads.
        InstanceOfD { class: StrId } [C] => [C], none;
        /// `$2 instanceof A` for self, parent and static.
        InstanceOfA {} [C A] => [C], none;
        /// Outputs the string of the cell.
        Echo {} [C] => [], none;
        /// Outputs and pushes int 1.
        Print {} [C] => [C], none;
        Clone {} [C] => [C], none;
        /// Ends the script with a status or a message; unwinds without running catch or finally code.
        Exit {} [C] => [C], terminal;
        /// Raises a compile-time-like fatal error with the given message.
        Fatal { message: StrId } [] => [], terminal;

        // ---- 4. Control flow
        Jmp { target: Target } [] => [], branch_terminal;
        JmpZ { target: Target } [C] => [], branch;
        JmpNZ { target: Target } [C] => [], branch;
        /// Jumps when the top cell is null, which stays on the stack either way (`?->`).
        JmpNull { target: Target } [C] => [C], branch;
        /// Jumps when the top cell is not null and keeps it; falls through with the null still there (`??`).
        JmpNotNull { target: Target } [C] => [C], branch;
        /// Jumps when assertions are switched off (`zend.assertions` is 0): `assert()` and its argument are skipped.
        AssertCheck { target: Target } [] => [], branch;
        /// Jumps when parameter `param` was passed (DV blocks for named arguments and gaps).
        DVSkip { param: LocalId, target: Target } [] => [], branch;
        /// Jumps through a table of integers; a cell that is none of them takes the default.
        Switch { table: SwitchId } [C] => [], switch;
        /// Jumps through a table of literal strings; a cell that is not one of them takes the default.
        SSwitch { table: SwitchId } [C] => [], switch;
        RetC {} [C] => [], terminal;
        RetV {} [V] => [], terminal;
        /// Ends a fault funclet: back to the unwinder.
        Unwind {} [] => [], terminal;
        Throw {} [C] => [], terminal;
        /// Throws UnhandledMatchError for the cell.
        ThrowMatchError {} [C] => [], terminal;
        /// Throws UnhandledMatchError for the local, of which it says no more than the type if it is a reference.
        ThrowMatchErrorL { local: LocalId } [] => [], terminal;

        // ---- 5. Get
        /// Reads a local; an undefined one warns and gives null.
        CGetL { local: LocalId } [] => [C], none;
        /// Reads a local and puts it below the top cell (plain variables are read late).
        CGetL2 { local: LocalId } [C] => [C C], none;
        /// Reads a local and puts it below the two top cells.
        CGetL3 { local: LocalId } [C C] => [C C C], none;
        /// Reads a local without a warning; undefined gives null.
        CGetQuietL { local: LocalId } [] => [C], none;
        /// Reads a local without a warning; undefined gives the uninitialised null (arrow function captures). `SetM` and `SetOpM` right behind it warn themselves.
        CUGetL { local: LocalId } [] => [C], none;
        /// Reads the variable whose name is the cell.
        CGetN {} [C] => [C], none;
        CGetQuietN {} [C] => [C], none;
        /// Reads a global variable.
        CGetG {} [C] => [C], none;
        CGetQuietG {} [C] => [C], none;
        /// Reads a static property: name, class.
        CGetS {} [C A] => [C], none;
        CGetQuietS {} [C A] => [C], none;
        /// Reads through a member vector.
        CGetM { vector: VectorId } [M] => [C], none;
        /// As CGetM for `??`: no warnings, null if absent, `__isset` before `__get`.
        CGetQuietM { vector: VectorId } [M] => [C], none;
        /// As CGetM for destructuring: no warning when the base is not an array.
        CGetListM { vector: VectorId } [M] => [C], none;
        /// Makes the local a reference (defining it as null) and pushes it.
        VGetL { local: LocalId } [] => [V], none;
        VGetN {} [C] => [V], none;
        VGetG {} [C] => [V], none;
        VGetS {} [C A] => [V], none;
        VGetM { vector: VectorId } [M] => [V], none;
        /// Class reference from a class name or an object (autoloads).
        AGetC {} [C] => [A], none;
        /// Class reference from a name in the source (autoloads).
        AGetD { class: StrId } [] => [A], none;
        /// `$GLOBALS` as a value: a copy of the global symbol table.
        Globals {} [] => [C], none;

        // ---- 6. Isset, empty, type tests
        /// Is the cell not null?
        IssetC {} [C] => [C], none;
        IssetL { local: LocalId } [] => [C], none;
        IssetN {} [C] => [C], none;
        IssetG {} [C] => [C], none;
        IssetS {} [C A] => [C], none;
        IssetM { vector: VectorId } [M] => [C], none;
        EmptyL { local: LocalId } [] => [C], none;
        EmptyN {} [C] => [C], none;
        EmptyG {} [C] => [C], none;
        EmptyS {} [C A] => [C], none;
        EmptyM { vector: VectorId } [M] => [C], none;
        IsTypeC { test: TypeTest } [C] => [C], none;
        IsTypeL { local: LocalId, test: TypeTest } [] => [C], none;

        // ---- 7. Mutators
        /// Assigns to a local through a reference if it is one; leaves the value on the stack.
        SetL { local: LocalId } [C] => [C], none;
        /// Assigns to the variable named by the lower cell.
        SetN {} [C C] => [C], none;
        SetG {} [C C] => [C], none;
        /// name, class, value
        SetS {} [C A C] => [C], none;
        SetM { vector: VectorId } [M C] => [C], none;
        SetOpL { local: LocalId, op: SetOp } [C] => [C], none;
        SetOpN { op: SetOp } [C C] => [C], none;
        SetOpG { op: SetOp } [C C] => [C], none;
        SetOpS { op: SetOp } [C A C] => [C], none;
        SetOpM { op: SetOp, vector: VectorId } [M C] => [C], none;
        IncDecL { local: LocalId, op: IncDec } [] => [C], none;
        IncDecN { op: IncDec } [C] => [C], none;
        IncDecG { op: IncDec } [C] => [C], none;
        IncDecS { op: IncDec } [C A] => [C], none;
        IncDecM { op: IncDec, vector: VectorId } [M] => [C], none;
        /// Makes the local a reference to the var; leaves the var on the stack.
        BindL { local: LocalId } [V] => [V], none;
        /// `$local = &f();` Binds the local to a var; a cell raises the notice "Only variables should be assigned by
        /// reference" and is assigned as SetL does.
        BindRL { local: LocalId } [R] => [], none;
        BindN {} [C V] => [V], none;
        BindG {} [C V] => [V], none;
        BindS {} [C A V] => [V], none;
        BindM { vector: VectorId } [M V] => [V], none;
        UnsetL { local: LocalId } [] => [], none;
        UnsetN {} [C] => [], none;
        UnsetG {} [C] => [], none;
        /// name, class: always throws "Attempt to unset static property C::$name" once the class is loaded.
        UnsetS {} [C A] => [], none;
        UnsetM { vector: VectorId } [M] => [], none;

        // ---- 8. Calls
        /// Function whose name (string), closure, invokable object or callable array is the cell.
        FPushFunc { args: u32 } [C] => [], fpi_push;
        FPushFuncD { args: u32, name: StrId } [] => [], fpi_push;
        /// A call through `call_user_func` or `call_user_func_array`, which leave no frame of their own: anything but a
        /// valid callback is a TypeError of the function `name`.
        FPushUserFunc { args: u32, name: StrId } [C] => [], fpi_push;
        /// Namespaced function, or the global one if that does not exist.
        FPushFuncU { args: u32, name: StrId, fallback: StrId } [] => [], fpi_push;
        /// object, method name
        FPushObjMethod { args: u32 } [C C] => [], fpi_push;
        FPushObjMethodD { args: u32, name: StrId } [C] => [], fpi_push;
        /// method name, class; does not forward the late static binding class
        FPushClsMethod { args: u32 } [C A] => [], fpi_push;
        /// As FPushClsMethod, for self::, parent:: and static::, which forward it.
        FPushClsMethodF { args: u32 } [C A] => [], fpi_push;
        FPushClsMethodD { args: u32, name: StrId, class: StrId } [] => [], fpi_push;
        /// Creates an object, pushes it and calls its constructor with the arguments.
        FPushCtor { args: u32 } [A] => [C], fpi_push;
        FPushCtorD { args: u32, class: StrId } [] => [C], fpi_push;
        /// `new class {..}`: declares the unit's class on first use.
        FPushCtorAnon { args: u32, class: ClassId } [] => [C], fpi_push;
        /// `parent::$prop::get()` / `set()` inside a property hook.
        FPushHookParent { args: u32, prop: StrId, kind: HookKind } [] => [], fpi_push;
        /// The next argument is named.
        FPassName { name: StrId } [] => [], none;
        /// Passes a cell that may be anything; no diagnostic when the parameter is by reference.
        FPassC { param: u32 } [C] => [F], pass;
        /// Passes the result of an expression that is no variable: throws Error when the parameter is by reference.
        FPassCE { param: u32 } [C] => [F], pass;
        /// Passes an argument of `call_user_func`: a by-reference parameter raises a warning and gets the value.
        FPassUser { param: u32 } [C] => [F], pass;
        /// The argument array of `call_user_func_array`: throws TypeError for anything else.
        CheckArgArray {} [C] => [C], none;
        /// Passes a var.
        FPassV { param: u32 } [V] => [F], pass;
        /// Passes a call's result: a cell for a by-reference parameter raises a notice.
        FPassR { param: u32 } [R] => [F], pass;
        FPassL { param: u32, local: LocalId } [] => [F], pass;
        FPassN { param: u32 } [C] => [F], pass;
        FPassG { param: u32 } [C] => [F], pass;
        FPassS { param: u32 } [C A] => [F], pass;
        FPassM { param: u32, vector: VectorId } [M] => [F], pass;
        /// Is parameter `param` of the pending call by reference? Lets nullsafe and dynamic arguments branch.
        FIsByRef { param: u32 } [] => [C], none;
        /// Calls with `args` arguments.
        FCall { args: u32 } [Fn] => [R], fpi_pop;
        /// Calls with `args` cells as arguments, none of which was passed: for builtin functions that take them by value, and what a namespace has of the same name.
        FCallCells { args: u32 } [Cn] => [R], fpi_pop;
        /// Calls with `args` arguments and then those of an array (string keys are named arguments).
        FCallUnpack { args: u32 } [Fn C] => [R], fpi_pop;
        /// `f(...)`: makes a Closure of the pending call instead of calling.
        FCallable {} [] => [C], fpi_pop;

        // ---- 11. Iterators
        /// Starts a by-value iteration over the cell; jumps to `target` when there is nothing to visit.
        IterInit { iter: IterId, target: Target, value: LocalId } [C] => [], branch;
        IterInitK { iter: IterId, target: Target, value: LocalId, key: LocalId } [C] => [], branch;
        /// Starts a by-reference iteration over the var.
        MIterInit { iter: IterId, target: Target, value: LocalId } [V] => [], branch;
        MIterInitK { iter: IterId, target: Target, value: LocalId, key: LocalId } [V] => [], branch;
        /// Advances; jumps to `target` while there is an element, else frees the iterator and falls through.
        IterNext { iter: IterId, target: Target, value: LocalId } [] => [], branch;
        IterNextK { iter: IterId, target: Target, value: LocalId, key: LocalId } [] => [], branch;
        MIterNext { iter: IterId, target: Target, value: LocalId } [] => [], branch;
        MIterNextK { iter: IterId, target: Target, value: LocalId, key: LocalId } [] => [], branch;
        IterFree { iter: IterId } [] => [], none;
        MIterFree { iter: IterId } [] => [], none;

        // ---- 12. Include, eval, define
        Incl {} [C] => [C], none;
        InclOnce {} [C] => [C], none;
        Req {} [C] => [C], none;
        ReqOnce {} [C] => [C], none;
        Eval {} [C] => [C], none;
        /// Declares a function that is not unconditional and top-level.
        DefFunc { func: FuncId } [] => [], none;
        /// Declares a class unless it was declared early when the unit was loaded.
        DefCls { class: ClassId } [] => [], none;
        /// `const NAME = cell;` Pushes nothing.
        DefCns { name: StrId } [C] => [], none;

        // ---- 13. Miscellaneous
        /// `$this`, or throws "Using $this when not in object context".
        This {} [] => [C], none;
        /// `$this`, or null.
        BareThis {} [] => [C], none;
        /// Class that the code belongs to (self); Error outside a class.
        SelfCls {} [] => [A], none;
        ParentCls {} [] => [A], none;
        LateBoundCls {} [] => [A], none;
        /// Is the function's static variable initialised? If it is, the local is bound to it.
        StaticLoc { local: LocalId, name: StrId } [] => [C], none;
        /// Initialises the static variable with the cell, unless that has happened meanwhile, and binds the local to it.
        StaticLocInit { local: LocalId, name: StrId } [C] => [], none;
        /// Pushes the exception at a catch entry.
        Catch {} [] => [C], none;
        /// Checks a parameter's value against its declared type, coercing it in weak mode.
        VerifyParamType { param: LocalId } [] => [], none;
        /// Checks a return value, coercing it in weak mode. The uninitialised null is the implicit return at the end of
        /// a function: "none returned".
        VerifyRetTypeC {} [C] => [C], none;
        VerifyRetTypeV {} [V] => [V], none;
        /// A function with return type `never` reached its end.
        VerifyNever {} [] => [], terminal;
        /// Saves error_reporting in a local and silences it, or restores it.
        Silence { local: LocalId, op: SilenceOp } [] => [], none;
        /// Makes a Closure of the unit's function with the captured cells and vars.
        CreateCl { captures: u32, func: FuncId } [CVn] => [C], none;
        /// `$1` was thrown while the exception in `local` (or null) was pending in a finally: chains it as previous.
        ChainFaults { local: LocalId } [C] => [C], none;
        /// Runs tick functions (`declare(ticks)`).
        Tick { count: u32 } [] => [], none;
        /// What a builtin function runs.
        NativeImpl {} [] => [], terminal;
        /// Asserts what an optimiser knows about a local.
        AssertRATL { local: LocalId, ty: TypeId } [] => [], none;

        // ---- 14. Generators
        /// First instruction of a generator after its parameters are checked: returns the Generator object to the caller.
        CreateCont {} [] => [], none;
        /// Suspends with the value; pushes what send() gives. Keys count up.
        Yield {} [C] => [C], none;
        /// Suspends with key and value.
        YieldK {} [C C] => [C], none;
        YieldV {} [V] => [C], none;
        YieldVK {} [C V] => [C], none;
        /// `yield from`: delegates to an array, Traversable or Generator until it ends; pushes its return value.
        YieldFrom {} [C] => [C], none;
            }
    };
}
