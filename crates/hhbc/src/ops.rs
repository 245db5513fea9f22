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
        /// Pops a cell and discards it.
        PopC {} [C] => [], none;
        /// Pops a var and discards it.
        PopV {} [V] => [], none;
        /// Pops a call's result and discards it.
        PopR {} [R] => [], none;
        /// Pops a class reference and discards it.
        PopA {} [A] => [], none;
        /// Pushes the top cell once more.
        Dup {} [C] => [C C], none;
        /// Exchanges the top two cells.
        Swap {} [C C] => [C C], none;
        /// Pops a cell and pushes a new var that holds it.
        Box {} [C] => [V], none;
        /// Pops a var and pushes the cell in it.
        Unbox {} [V] => [C], none;
        /// Pops a call's result and pushes a var: the result itself if it is one, else a new one that holds it.
        BoxR {} [R] => [V], none;
        /// Pops a call's result and pushes a var: the result itself if it is one, else a new one that holds it, after
        /// the notice that `kind` names ("Only variables should be ... by reference").
        BoxRNotice { kind: RefNotice } [R] => [V], none;
        /// Pops a call's result and pushes a cell: the result itself, or the cell in it if it is a var.
        UnboxR {} [R] => [C], none;

        // ---- 2. Literals and constants
        /// Pushes null.
        Null {} [] => [C], none;
        /// Pushes true.
        True {} [] => [C], none;
        /// Pushes false.
        False {} [] => [C], none;
        /// Pushes the uninitialised null that stands for "no value".
        NullUninit {} [] => [C], none;
        /// Pushes the integer `value`.
        Int { value: i64 } [] => [C], none;
        /// Pushes the float `value`.
        Double { value: F64 } [] => [C], none;
        /// Pushes the unit's string `value`.
        String { value: StrId } [] => [C], none;
        /// Pushes a scalar array of the unit.
        Array { value: ArrayId } [] => [C], none;
        /// Pushes an empty array.
        NewArray {} [] => [C], none;
        /// Pops `count` cells and pushes an array of them with the keys 0, 1, ...
        NewTuple { count: u32 } [Cn] => [C], none;
        /// Pops a value and a key and sets that element of the array below, which stays; array literals only. A key
        /// that cannot be one throws TypeError.
        AddElemC {} [C C C] => [C], none;
        /// Pops a var and a key and makes that element of the array below, which stays, the reference. A key that
        /// cannot be one throws TypeError.
        AddElemV {} [C C V] => [C], none;
        /// Pops a value and appends it to the array below, which stays. No key being left throws Error.
        AddNewElemC {} [C C] => [C], none;
        /// Pops a var and appends it as a reference to the array below, which stays. No key being left throws Error.
        AddNewElemV {} [C V] => [C], none;
        /// Pops an array or Traversable and adds its elements to the array below, which is under construction and stays
        /// (`[...$a]`); string keys are kept. Anything else throws Error.
        UnpackElems {} [C C] => [C], none;
        /// Pops an array or Traversable and adds its elements to the array below, which holds the pending call's
        /// arguments that follow the first `args` ones. Anything else throws Error.
        UnpackArgs { args: u32 } [C C] => [C], none;
        /// Adds the elements of the local's value to the array of the pending call's arguments that follow the first
        /// `args` ones. Elements for by-reference parameters become references, also in the local's array.
        UnpackArgsL { args: u32, local: LocalId } [C] => [C], none;
        /// Pushes the value of the global constant `name`. One that is not defined throws Error: "Undefined constant".
        Cns { name: StrId } [] => [C], none;
        /// Pushes the value of the namespaced constant `name`, or of the global one `fallback` if that is not defined.
        /// If there is neither, Error is thrown.
        CnsU { name: StrId, fallback: StrId } [] => [C], none;
        /// Pops a class reference and pushes the value of its constant `name`. One that is not declared or not visible
        /// throws Error.
        ClsCns { name: StrId } [A] => [C], none;
        /// Pushes the value of the constant `name` of `class`, which is autoloaded if need be. A class or constant that
        /// is not declared or not visible throws Error.
        ClsCnsD { name: StrId, class: StrId } [] => [C], none;
        /// Pops a class reference and, below it, a constant's name, and pushes the value of that constant
        /// (`C::{$name}`). A name that is no string throws TypeError, a constant that is not declared or not visible
        /// throws Error.
        ClsCnsC {} [C A] => [C], none;
        /// Pops a class reference and pushes the class's full name (`C::class`).
        NameA {} [A] => [C], none;
        /// Pops an object and pushes the name of its class (`$object::class`). Anything else throws TypeError.
        ClassOfC {} [C] => [C], none;
        /// Pushes the path of the file (`__FILE__`).
        File {} [] => [C], none;
        /// Pushes the folder of the file (`__DIR__`).
        Dir {} [] => [C], none;

        // ---- 3. Operators
        /// Pops two cells and pushes the lower one's string followed by the upper one's. An array raises a warning and
        /// counts as `Array`; an object without `__toString` throws Error.
        Concat {} [C C] => [C], none;
        /// Pops `count` cells, converts them to strings from the lowest up and pushes them in a row (interpolated
        /// strings). It raises what `Concat` raises.
        ConcatN { count: u32 } [Cn] => [C], none;
        /// Pops two cells and pushes their sum; two arrays give their union, in which the lower one's elements win. A
        /// sum of integers that is too large becomes a float. Other operands that are no numbers throw TypeError; a
        /// string with only a numeric beginning raises a warning.
        Add {} [C C] => [C], none;
        /// Pops two cells and pushes the lower one minus the upper one. A difference of integers that is too large
        /// becomes a float. Operands that are no numbers throw TypeError.
        Sub {} [C C] => [C], none;
        /// Pops two cells and pushes their product. A product of integers that is too large becomes a float. Operands
        /// that are no numbers throw TypeError.
        Mul {} [C C] => [C], none;
        /// Pops two cells and pushes the lower one divided by the upper one: an integer if both are integers and
        /// nothing is left over, else a float. A zero divisor throws DivisionByZeroError, operands that are no numbers
        /// throw TypeError.
        Div {} [C C] => [C], none;
        /// Pops two cells, converts them to integers and pushes what is left of the lower one when it is divided by the
        /// upper one, with the sign of the lower one. A zero divisor throws DivisionByZeroError, operands that are no
        /// numbers throw TypeError.
        Mod {} [C C] => [C], none;
        /// Pops two cells and pushes the lower one to the power of the upper one, as a float if the result is too large
        /// or the exponent is negative. Zero to a negative power is deprecated; operands that are no numbers throw
        /// TypeError.
        Pow {} [C C] => [C], none;
        /// Pops two cells and pushes the bits that both have: of two strings byte by byte up to the shorter one's end,
        /// of anything else as integers. Operands that are no numbers throw TypeError.
        BitAnd {} [C C] => [C], none;
        /// Pops two cells and pushes the bits that either has: of two strings byte by byte, with the rest of the longer
        /// one, of anything else as integers. Operands that are no numbers throw TypeError.
        BitOr {} [C C] => [C], none;
        /// Pops two cells and pushes the bits that one of them has: of two strings byte by byte up to the shorter one's
        /// end, of anything else as integers. Operands that are no numbers throw TypeError.
        BitXor {} [C C] => [C], none;
        /// Pops a cell and pushes it with all bits inverted: an integer, a float as an integer, or a string byte by
        /// byte. Anything else throws TypeError.
        BitNot {} [C] => [C], none;
        /// Pops two cells, converts them to integers and pushes the lower one shifted left by the upper one; 64 bits or
        /// more give 0. A negative count throws ArithmeticError, operands that are no numbers throw TypeError.
        Shl {} [C C] => [C], none;
        /// Pops two cells, converts them to integers and pushes the lower one shifted right by the upper one; the sign
        /// fills in. A negative count throws ArithmeticError, operands that are no numbers throw TypeError.
        Shr {} [C C] => [C], none;
        /// Pops two cells and pushes whether just one of them is true as a bool (`xor`).
        Xor {} [C C] => [C], none;
        /// Pops a cell and pushes whether it is false as a bool.
        Not {} [C] => [C], none;
        /// Pops two cells and pushes whether they are identical (`===`): of the same type and equal, the same object,
        /// or arrays with identical elements in the same order.
        Same {} [C C] => [C], none;
        /// Pops two cells and pushes whether they are not identical (`!==`).
        NSame {} [C C] => [C], none;
        /// Pops two cells and pushes whether they are equal after PHP's conversions (`==`). Comparing objects may run
        /// code and throw.
        Eq {} [C C] => [C], none;
        /// Pops two cells and pushes whether they are not equal after PHP's conversions (`!=`). Comparing objects may
        /// run code and throw.
        Neq {} [C C] => [C], none;
        /// Pops two cells and pushes whether the lower one is less than the upper one (`<`). Comparing objects may run
        /// code and throw.
        Lt {} [C C] => [C], none;
        /// Pops two cells and pushes whether the lower one is less than the upper one or equal to it (`<=`). Comparing
        /// objects may run code and throw.
        Lte {} [C C] => [C], none;
        /// Pops two cells and pushes whether the lower one is greater than the upper one (`>`). The upper one is asked
        /// first where the operands convert with side effects.
        Gt {} [C C] => [C], none;
        /// Pops two cells and pushes whether the lower one is greater than the upper one or equal to it (`>=`). The
        /// upper one is asked first where the operands convert with side effects.
        Gte {} [C C] => [C], none;
        /// Pops two cells and pushes -1, 0 or 1 for the lower one less than, equal to or greater than the upper one
        /// (`<=>`).
        Cmp {} [C C] => [C], none;
        /// Pops a cell and pushes its bool.
        CastBool {} [C] => [C], none;
        /// Pops a cell and pushes its integer: a string's numeric beginning, 0 for an empty array and 1 for another. An
        /// object raises a warning and gives 1.
        CastInt {} [C] => [C], none;
        /// Pops a cell and pushes its float. An object raises a warning and gives 1.
        CastDouble {} [C] => [C], none;
        /// Pops a cell and pushes its string. An array raises a warning and gives `Array`; an object without
        /// `__toString` throws Error.
        CastString {} [C] => [C], none;
        /// Pops a cell and pushes its array: an empty one for null, an object's properties, an array with one element
        /// for anything else.
        CastArray {} [C] => [C], none;
        /// Pops a cell and pushes its object: an object as it is, else a new stdClass with the elements of an array as
        /// properties, or with another value as its property `scalar`.
        CastObject {} [C] => [C], none;
        /// Leaves the top cell and throws Error if it is an object that is no enum case: "Fetching properties on
        /// non-enums in constant expressions is not allowed".
        CheckEnum {} [C] => [C], none;
        /// Leaves the top cell and throws Error if it is an object: "Cannot use [] on objects in constant expression".
        CheckNoObject {} [C] => [C], none;
        /// Pops a class name or object and a cell below it, and pushes whether the cell is an instance of that class,
        /// which is not autoloaded. Anything else as a class throws Error.
        InstanceOf {} [C C] => [C], none;
        /// Pops a cell and pushes whether it is an instance of the class `class`, which is not autoloaded.
        InstanceOfD { class: StrId } [C] => [C], none;
        /// Pops a class reference (self, parent or static) and a cell below it, and pushes whether the cell is an
        /// instance of it.
        InstanceOfA {} [C A] => [C], none;
        /// Pops a cell and outputs its string. It raises what `CastString` raises.
        Echo {} [C] => [], none;
        /// Pops a cell, outputs its string and pushes 1. It raises what `CastString` raises.
        Print {} [C] => [C], none;
        /// Pops an object and pushes a copy of it, whose `__clone` has run. Anything else throws Error, as does a class
        /// that cannot be cloned or whose `__clone` is not visible here.
        Clone {} [C] => [C], none;
        /// Pops a status, which is output if it is a string, and ends the script, without running catch or finally code
        /// on the way.
        Exit {} [C] => [C], terminal;
        /// Raises a fatal error with the text `message`, as if compiling had found it.
        Fatal { message: StrId } [] => [], terminal;

        // ---- 4. Control flow
        /// Goes on at the target.
        Jmp { target: Target } [] => [], branch_terminal;
        /// Pops a cell and jumps if it is false as a bool.
        JmpZ { target: Target } [C] => [], branch;
        /// Pops a cell and jumps if it is true as a bool.
        JmpNZ { target: Target } [C] => [], branch;
        /// Jumps if the top cell is null, and leaves it on the stack either way (`?->`).
        JmpNull { target: Target } [C] => [C], branch;
        /// Jumps if the top cell is not null, and leaves it on the stack either way (`??`).
        JmpNotNull { target: Target } [C] => [C], branch;
        /// Jumps over `assert()` and its argument if assertions are switched off (`zend.assertions` is 0 or less).
        AssertCheck { target: Target } [] => [], branch;
        /// Jumps if parameter `param` was passed (in the code of default values, for named arguments and gaps).
        DVSkip { param: LocalId, target: Target } [] => [], branch;
        /// Pops a cell and jumps through a table of integers; a cell that is none of them takes the default.
        Switch { table: SwitchId } [C] => [], switch;
        /// Pops a cell and jumps through a table of literal strings; a cell that is none of them takes the default.
        SSwitch { table: SwitchId } [C] => [], switch;
        /// Pops a cell and ends the function with it as its result. In a generator it is the result that `getReturn`
        /// gives.
        RetC {} [C] => [], terminal;
        /// Pops a var and ends the function with it as its result, by reference.
        RetV {} [V] => [], terminal;
        /// Ends a fault funclet: goes back to the unwinder.
        Unwind {} [] => [], terminal;
        /// Pops an object and throws it. Anything that is no Throwable throws Error instead.
        Throw {} [C] => [], terminal;
        /// Pops a cell and throws UnhandledMatchError for it.
        ThrowMatchError {} [C] => [], terminal;
        /// Throws UnhandledMatchError for the local, of which it says no more than the type if it is a reference.
        ThrowMatchErrorL { local: LocalId } [] => [], terminal;

        // ---- 5. Get
        /// Pushes the local's value. An undefined local raises a warning and gives null.
        CGetL { local: LocalId } [] => [C], none;
        /// Puts the local's value below the top cell, for a variable that is read after the cell was computed. An
        /// undefined local raises a warning and gives null.
        CGetL2 { local: LocalId } [C] => [C C], none;
        /// Puts the local's value below the two top cells. An undefined local raises a warning and gives null.
        CGetL3 { local: LocalId } [C C] => [C C C], none;
        /// Pushes the local's value, or null if it is undefined.
        CGetQuietL { local: LocalId } [] => [C], none;
        /// Pushes the local's value, or the uninitialised null if it is undefined (captures of arrow functions). `SetM`
        /// and `SetOpM` right behind it warn themselves.
        CUGetL { local: LocalId } [] => [C], none;
        /// Pops a name and pushes the value of the variable that has it. An undefined one raises a warning and gives
        /// null.
        CGetN {} [C] => [C], none;
        /// Pops a name and pushes the value of the variable that has it, or null if it is undefined.
        CGetQuietN {} [C] => [C], none;
        /// Pops a name and pushes the value of the global variable that has it. An undefined one raises a warning and
        /// gives null.
        CGetG {} [C] => [C], none;
        /// Pops a name and pushes the value of the global variable that has it, or null if it is undefined.
        CGetQuietG {} [C] => [C], none;
        /// Pops a class reference and, below it, a name, and pushes the value of that static property. One that is not
        /// declared, not visible or not initialised throws Error.
        CGetS {} [C A] => [C], none;
        /// Pops a class reference and, below it, a name, and pushes the value of that static property, or null if it is
        /// not declared, not visible or not initialised.
        CGetQuietS {} [C A] => [C], none;
        /// Pops what the vector needs and pushes the value at its end. What is missing raises a warning and gives null.
        CGetM { vector: VectorId } [M] => [C], none;
        /// Pops what the vector needs and pushes the value at its end without warnings, or null if it is absent, for
        /// `??`; an object is asked by `__isset` before `__get`.
        CGetQuietM { vector: VectorId } [M] => [C], none;
        /// Pops what the vector needs and pushes the value at its end, for destructuring: a base that is no array gives
        /// null without a warning.
        CGetListM { vector: VectorId } [M] => [C], none;
        /// Makes the local a reference (defining it as null) and pushes that.
        VGetL { local: LocalId } [] => [V], none;
        /// Pops a name, makes the variable that has it a reference (defining it as null) and pushes that. `this` throws
        /// Error.
        VGetN {} [C] => [V], none;
        /// Pops a name, makes the global variable that has it a reference (defining it as null) and pushes that.
        VGetG {} [C] => [V], none;
        /// Pops a class reference and, below it, a name, makes that static property a reference and pushes that. One
        /// that is not declared or not visible throws Error.
        VGetS {} [C A] => [V], none;
        /// Pops what the vector needs, makes the place at its end a reference, creating what is missing on the way, and
        /// pushes that. It raises what writing there raises.
        VGetM { vector: VectorId } [M] => [V], none;
        /// Pops an object, or a class name that is autoloaded if need be, and pushes a class reference. A class that
        /// does not exist throws Error, as does anything else.
        AGetC {} [C] => [A], none;
        /// Pushes a class reference to `class`, which is autoloaded if need be. A class that does not exist throws
        /// Error.
        AGetD { class: StrId } [] => [A], none;
        /// Pushes `$GLOBALS` as a value: an array with a copy of the global symbol table.
        Globals {} [] => [C], none;

        // ---- 6. Isset, empty, type tests
        /// Pops a cell and pushes whether it is not null.
        IssetC {} [C] => [C], none;
        /// Pushes whether the local is defined and not null.
        IssetL { local: LocalId } [] => [C], none;
        /// Pops a name and pushes whether the variable that has it is defined and not null.
        IssetN {} [C] => [C], none;
        /// Pops a name and pushes whether the global variable that has it is defined and not null.
        IssetG {} [C] => [C], none;
        /// Pops a class reference and, below it, a name, and pushes whether that static property is declared, visible,
        /// initialised and not null.
        IssetS {} [C A] => [C], none;
        /// Pops what the vector needs and pushes whether the place at its end is there and not null. The way there is
        /// read without warnings; objects are asked by `offsetExists` and `__isset`.
        IssetM { vector: VectorId } [M] => [C], none;
        /// Pushes whether the local is undefined or false as a bool.
        EmptyL { local: LocalId } [] => [C], none;
        /// Pops a name and pushes whether the variable that has it is undefined or false as a bool.
        EmptyN {} [C] => [C], none;
        /// Pops a name and pushes whether the global variable that has it is undefined or false as a bool.
        EmptyG {} [C] => [C], none;
        /// Pops a class reference and, below it, a name, and pushes whether that static property is missing or false as
        /// a bool.
        EmptyS {} [C A] => [C], none;
        /// Pops what the vector needs and pushes whether the place at its end is missing or false as a bool. The way
        /// there is read without warnings; objects are asked by `offsetExists` and `__isset` first.
        EmptyM { vector: VectorId } [M] => [C], none;
        /// Pops a cell and pushes whether it is of the type that `test` names.
        IsTypeC { test: TypeTest } [C] => [C], none;
        /// Pushes whether the local's value is of the type that `test` names. An undefined local raises a warning and
        /// counts as null.
        IsTypeL { local: LocalId, test: TypeTest } [] => [C], none;

        // ---- 7. Mutators
        /// Assigns the top cell to the local, through a reference if the local is one, and leaves what was stored on
        /// the stack. A reference to a typed property may throw TypeError.
        SetL { local: LocalId } [C] => [C], none;
        /// Pops a value and, below it, a name, assigns the value to the variable that has the name and pushes it again.
        /// `this` throws Error.
        SetN {} [C C] => [C], none;
        /// Pops a value and, below it, a name, assigns the value to the global variable that has the name and pushes it
        /// again.
        SetG {} [C C] => [C], none;
        /// Pops a value, a class reference and a name, assigns the value to that static property and pushes it as it
        /// was stored. A property that is not declared, not visible or of another type throws.
        SetS {} [C A C] => [C], none;
        /// Pops a value and what the vector needs, assigns the value to the place at its end, creating what is missing
        /// on the way, and pushes what the assignment gives. Places that cannot be written throw Error; an undefined
        /// local that `CUGetL` read just before warns only here.
        SetM { vector: VectorId } [M C] => [C], none;
        /// Pops an operand, applies `op` to the local and the operand, assigns the result to the local and pushes it.
        /// An undefined local raises a warning; the operator raises what it raises alone.
        SetOpL { local: LocalId, op: SetOp } [C] => [C], none;
        /// Pops an operand and, below it, a name, applies `op` to the variable that has the name and the operand,
        /// assigns the result and pushes it. An undefined variable raises a warning.
        SetOpN { op: SetOp } [C C] => [C], none;
        /// Pops an operand and, below it, a name, applies `op` to the global variable that has the name and the
        /// operand, assigns the result and pushes it. An undefined variable raises a warning.
        SetOpG { op: SetOp } [C C] => [C], none;
        /// Pops an operand, a class reference and a name, applies `op` to that static property and the operand, assigns
        /// the result and pushes it as it was stored. A property that is not declared, not visible or not initialised
        /// throws Error.
        SetOpS { op: SetOp } [C A C] => [C], none;
        /// Pops an operand and what the vector needs, applies `op` to the value at its end and the operand, assigns the
        /// result there and pushes it. What is read and missing raises a warning.
        SetOpM { op: SetOp, vector: VectorId } [M C] => [C], none;
        /// Counts the local up or down and pushes its value before (`PostInc`, `PostDec`) or after (`PreInc`,
        /// `PreDec`). An undefined local raises a warning; a value that cannot be counted throws TypeError.
        IncDecL { local: LocalId, op: IncDec } [] => [C], none;
        /// Pops a name, counts the variable that has it up or down and pushes its value before or after, as `op` says.
        /// An undefined variable raises a warning.
        IncDecN { op: IncDec } [C] => [C], none;
        /// Pops a name, counts the global variable that has it up or down and pushes its value before or after, as `op`
        /// says. An undefined variable raises a warning.
        IncDecG { op: IncDec } [C] => [C], none;
        /// Pops a class reference and, below it, a name, counts that static property up or down and pushes its value
        /// before or after, as `op` says. A property that is not declared, not visible or not initialised throws Error,
        /// as does one whose type does not take the result.
        IncDecS { op: IncDec } [C A] => [C], none;
        /// Pops what the vector needs, counts the value at its end up or down and pushes it as it was before or after,
        /// as `op` says. What is read and missing raises a warning.
        IncDecM { op: IncDec, vector: VectorId } [M] => [C], none;
        /// Makes the local the reference that the top var is, and leaves the var on the stack.
        BindL { local: LocalId } [V] => [V], none;
        /// Pops a call's result and makes the local that reference (`$local = &f();`). A result that is no var raises
        /// the notice "Only variables should be assigned by reference" and is assigned.
        BindRL { local: LocalId } [R] => [], none;
        /// Pops a var and, below it, a name, makes the variable that has the name that reference and pushes the var
        /// again. `this` throws Error.
        BindN {} [C V] => [V], none;
        /// Pops a var and, below it, a name, makes the global variable that has the name that reference and pushes the
        /// var again.
        BindG {} [C V] => [V], none;
        /// Pops a var, a class reference and a name, makes that static property the reference and pushes the var again.
        /// A property that is not declared, not visible or of another type throws.
        BindS {} [C A V] => [V], none;
        /// Pops a var and what the vector needs, makes the place at its end that reference, creating what is missing on
        /// the way, and pushes the var again.
        BindM { vector: VectorId } [M V] => [V], none;
        /// Makes the local undefined. If it was a reference, the others keep the value.
        UnsetL { local: LocalId } [] => [], none;
        /// Pops a name and removes the variable that has it. `this` throws Error.
        UnsetN {} [C] => [], none;
        /// Pops a name and removes the global variable that has it.
        UnsetG {} [C] => [], none;
        /// Pops a class reference and, below it, a name, and always throws Error: "Attempt to unset static property
        /// C::$name".
        UnsetS {} [C A] => [], none;
        /// Pops what the vector needs and removes the place at its end. What is missing on the way stays missing;
        /// objects are asked by `offsetUnset` and `__unset`, and places that cannot be removed throw Error.
        UnsetM { vector: VectorId } [M] => [], none;

        // ---- 8. Calls
        /// Pops a callable cell - a function's name, a Closure, an object with `__invoke`, an array of class or object
        /// and method - and opens a call of it. Anything else throws Error.
        FPushFunc { args: u32 } [C] => [], fpi_push;
        /// Opens a call of the function `name`. One that does not exist throws Error: "Call to undefined function
        /// name()".
        FPushFuncD { args: u32, name: StrId } [] => [], fpi_push;
        /// Pops a callback and opens a call of it, for `call_user_func` or `call_user_func_array`, which leave no frame
        /// of their own. Anything but a valid callback throws a TypeError of the function `name`.
        FPushUserFunc { args: u32, name: StrId } [C] => [], fpi_push;
        /// Opens a call of the namespaced function `name`, or of the global one `fallback` if that does not exist. If
        /// there is neither, Error is thrown.
        FPushFuncU { args: u32, name: StrId, fallback: StrId } [] => [], fpi_push;
        /// Pops a method's name and, below it, an object, and opens a call of that method. A name that is no string
        /// throws Error, as do the cases of `FPushObjMethodD`.
        FPushObjMethod { args: u32 } [C C] => [], fpi_push;
        /// Pops an object and opens a call of its method `name`, or of `__call` if that is missing or not visible. A
        /// method that is missing without `__call` throws Error, and so does anything but an object: "Call to a member
        /// function name() on TYPE".
        FPushObjMethodD { args: u32, name: StrId } [C] => [], fpi_push;
        /// Pops a class reference and, below it, a method's name, and opens a static call of that method; the class of
        /// late static binding becomes the named one. A name that is no string throws Error.
        FPushClsMethod { args: u32 } [C A] => [], fpi_push;
        /// Pops a class reference made of self, parent or static and, below it, a method's name, and opens a static
        /// call of that method that forwards the class of late static binding. A name that is no string throws Error.
        FPushClsMethodF { args: u32 } [C A] => [], fpi_push;
        /// Opens a static call of the method `name` of `class`, which is autoloaded if need be. A class or method that
        /// does not exist or is not visible throws Error, unless there is `__callStatic`.
        FPushClsMethodD { args: u32, name: StrId, class: StrId } [] => [], fpi_push;
        /// Pops a class reference, pushes a new object of that class and opens a call of its constructor. A class that
        /// cannot be instantiated here throws Error.
        FPushCtor { args: u32 } [A] => [C], fpi_push;
        /// Pushes a new object of `class`, which is autoloaded if need be, and opens a call of its constructor. A class
        /// that does not exist or cannot be instantiated here throws Error.
        FPushCtorD { args: u32, class: StrId } [] => [C], fpi_push;
        /// Pushes a new object of the unit's anonymous class `class`, which is declared on first use, and opens a call
        /// of its constructor (`new class {..}`).
        FPushCtorAnon { args: u32, class: ClassId } [] => [C], fpi_push;
        /// Opens a call of the parent's property hook (`parent::$prop::get()` or `set()`).
        FPushHookParent { args: u32, prop: StrId, kind: HookKind } [] => [], fpi_push;
        /// Says that the next argument is named `name`. A name that was used before throws Error.
        FPassName { name: StrId } [] => [], none;
        /// Pops a cell and passes it, without a diagnostic if the parameter is by reference.
        FPassC { param: u32 } [C] => [F], pass;
        /// Pops the result of an expression that is no variable and passes it. A parameter by reference throws Error.
        FPassCE { param: u32 } [C] => [F], pass;
        /// Pops an argument of `call_user_func` and passes it; a parameter by reference raises a warning and gets the
        /// value.
        FPassUser { param: u32 } [C] => [F], pass;
        /// Leaves the top cell, the argument array of `call_user_func_array`, and throws TypeError if it is no array.
        CheckArgArray {} [C] => [C], none;
        /// Pops a var and passes it: itself if the parameter is by reference, else its value.
        FPassV { param: u32 } [V] => [F], pass;
        /// Pops a call's result and passes it; one that is no var raises a notice if the parameter is by reference.
        FPassR { param: u32 } [R] => [F], pass;
        /// Passes the local: by reference if parameter `param` is, else its value, where an undefined local raises a
        /// warning.
        FPassL { param: u32, local: LocalId } [] => [F], pass;
        /// Pops a name and passes the variable that has it: by reference if parameter `param` is, else its value, where
        /// an undefined one raises a warning.
        FPassN { param: u32 } [C] => [F], pass;
        /// Pops a name and passes the global variable that has it: by reference if parameter `param` is, else its
        /// value, where an undefined one raises a warning.
        FPassG { param: u32 } [C] => [F], pass;
        /// Pops a class reference and, below it, a name, and passes that static property: by reference if parameter
        /// `param` is, else its value. One that is not declared or not visible throws Error.
        FPassS { param: u32 } [C A] => [F], pass;
        /// Pops what the vector needs and passes the place at its end: by reference if parameter `param` is, creating
        /// what is missing, else its value as `CGetM` reads it. A reference into a temporary value throws Error.
        FPassM { param: u32, vector: VectorId } [M] => [F], pass;
        /// Pushes whether parameter `param` of the pending call is by reference, so that code can branch where a
        /// nullsafe or dynamic argument is passed.
        FIsByRef { param: u32 } [] => [C], none;
        /// Pops `args` arguments, makes the pending call with them and pushes its result. It throws what the callee
        /// throws, ArgumentCountError for too few arguments included.
        FCall { args: u32 } [Fn] => [R], fpi_pop;
        /// Pops `args` cells, none of which was passed by an FPass, makes the pending call with them and pushes its
        /// result: for builtin functions that take them by value, and what a namespace has of the same name.
        FCallCells { args: u32 } [Cn] => [R], fpi_pop;
        /// Pops an array and `args` arguments below it, makes the pending call with the arguments and then the array's
        /// elements (string keys are named arguments) and pushes its result.
        FCallUnpack { args: u32 } [Fn C] => [R], fpi_pop;
        /// Pushes a Closure of the pending call instead of calling (`f(...)`). The call of a constructor throws Error.
        FCallable {} [] => [C], fpi_pop;

        // ---- 11. Iterators
        /// Pops a cell and starts an iteration over it by value: assigns the first element to `value` and falls
        /// through, or jumps to `target` if there is none. Anything but an array or object raises a warning and jumps.
        IterInit { iter: IterId, target: Target, value: LocalId } [C] => [], branch;
        /// Pops a cell and starts an iteration over it by value like `IterInit`, with the key of each element assigned
        /// to `key` after the value.
        IterInitK { iter: IterId, target: Target, value: LocalId, key: LocalId } [C] => [], branch;
        /// Pops a var and starts an iteration over it by reference: makes `value` a reference to the first element and
        /// falls through, or jumps to `target` if there is none. Anything but an array or object raises a warning and
        /// jumps.
        MIterInit { iter: IterId, target: Target, value: LocalId } [V] => [], branch;
        /// Pops a var and starts an iteration over it by reference like `MIterInit`, with the key of each element
        /// assigned to `key`.
        MIterInitK { iter: IterId, target: Target, value: LocalId, key: LocalId } [V] => [], branch;
        /// Advances the iterator: assigns the next element to `value` and jumps to `target`, else frees the iterator
        /// and falls through.
        IterNext { iter: IterId, target: Target, value: LocalId } [] => [], branch;
        /// Advances the iterator like `IterNext`, and assigns the next element's key to `key` after its value.
        IterNextK { iter: IterId, target: Target, value: LocalId, key: LocalId } [] => [], branch;
        /// Advances an iterator by reference: makes `value` a reference to the next element and jumps to `target`, else
        /// frees the iterator and falls through.
        MIterNext { iter: IterId, target: Target, value: LocalId } [] => [], branch;
        /// Advances an iterator by reference like `MIterNext`, and assigns the next element's key to `key`.
        MIterNextK { iter: IterId, target: Target, value: LocalId, key: LocalId } [] => [], branch;
        /// Frees the iterator in the middle of its iteration. It does nothing to one that is not in use.
        IterFree { iter: IterId } [] => [], none;
        /// Frees the iterator by reference in the middle of its iteration. It does nothing to one that is not in use.
        MIterFree { iter: IterId } [] => [], none;

        // ---- 12. Include, eval, define
        /// Pops a path, runs that file with the variables of this frame and pushes its result (`include`). A file that
        /// cannot be opened raises warnings and gives false.
        Incl {} [C] => [C], none;
        /// Pops a path, runs that file unless it ran before and pushes its result, or true (`include_once`). A file
        /// that cannot be opened raises warnings and gives false.
        InclOnce {} [C] => [C], none;
        /// Pops a path, runs that file with the variables of this frame and pushes its result (`require`). A file that
        /// cannot be opened raises a warning and throws Error.
        Req {} [C] => [C], none;
        /// Pops a path, runs that file unless it ran before and pushes its result, or true (`require_once`). A file
        /// that cannot be opened raises a warning and throws Error.
        ReqOnce {} [C] => [C], none;
        /// Pops a string, compiles it as PHP code, runs it with the variables of this frame and pushes its result. Code
        /// that does not parse throws ParseError.
        Eval {} [C] => [C], none;
        /// Declares the function `func`, which is conditional or nested. One that is declared already is a fatal error.
        DefFunc { func: FuncId } [] => [], none;
        /// Declares the class `class`, unless that was done early when the unit was loaded.
        DefCls { class: ClassId } [] => [], none;
        /// Pops a cell and defines the constant `name` as it. One that is defined already raises a warning.
        DefCns { name: StrId } [C] => [], none;

        // ---- 13. Miscellaneous
        /// Pushes `$this`. Where there is none it throws Error: "Using $this when not in object context".
        This {} [] => [C], none;
        /// Pushes `$this`, or null where there is none.
        BareThis {} [] => [C], none;
        /// Pushes the class that the code belongs to. Outside of a class it throws Error.
        SelfCls {} [] => [A], none;
        /// Pushes the parent of the class that the code belongs to. Outside of a class, or in one without a parent, it
        /// throws Error.
        ParentCls {} [] => [A], none;
        /// Pushes the class of late static binding (`static`). Outside of a class it throws Error.
        LateBoundCls {} [] => [A], none;
        /// Pushes whether the function's static variable `name` is initialised. If it is, the local is bound to it.
        StaticLoc { local: LocalId, name: StrId } [] => [C], none;
        /// Pops a cell, initialises the function's static variable `name` with it, unless that has happened meanwhile,
        /// and binds the local to it.
        StaticLocInit { local: LocalId, name: StrId } [C] => [], none;
        /// Pushes the exception that was caught, at the beginning of a handler.
        Catch {} [] => [C], none;
        /// Checks the value of parameter `param` against its declared type, coercing it in weak mode. A mismatch throws
        /// TypeError.
        VerifyParamType { param: LocalId } [] => [], none;
        /// Checks the returned cell against the function's return type, coercing it in weak mode; a mismatch throws
        /// TypeError. The uninitialised null is the implicit return at the end of a function: "none returned".
        VerifyRetTypeC {} [C] => [C], none;
        /// Checks the value in the returned var against the function's return type, coercing it there in weak mode. A
        /// mismatch throws TypeError.
        VerifyRetTypeV {} [V] => [V], none;
        /// Throws TypeError: a function with return type `never` reached its end.
        VerifyNever {} [] => [], terminal;
        /// Saves error_reporting in the local and silences it (`Start`), or restores it (`End`).
        Silence { local: LocalId, op: SilenceOp } [] => [], none;
        /// Pops `captures` cells and vars and pushes a Closure of the function `func` with them.
        CreateCl { captures: u32, func: FuncId } [CVn] => [C], none;
        /// Leaves the top exception, which was thrown in a finally, and makes the exception in the local, if there is
        /// one, its previous one.
        ChainFaults { local: LocalId } [C] => [C], none;
        /// Runs the tick functions if `count` statements have passed (`declare(ticks)`). It throws what they throw.
        Tick { count: u32 } [] => [], none;
        /// Stands for the code of a builtin function in a listing. Builtin functions have no unit, so nothing makes it;
        /// executed, it is a fatal error.
        NativeImpl {} [] => [], terminal;
        /// Says that the local is of type `ty` here, for an optimiser. It does nothing.
        AssertRATL { local: LocalId, ty: TypeId } [] => [], none;

        // ---- 14. Generators
        /// Ends the call of a generator, after its parameters are checked, with the Generator object as its result; the
        /// first resumption goes on behind it.
        CreateCont {} [] => [], none;
        /// Pops a cell, suspends the generator with it and, when it is resumed, pushes what `send` gave. Keys count up.
        Yield {} [C] => [C], none;
        /// Pops a cell and, below it, a key, suspends the generator with both and, when it is resumed, pushes what
        /// `send` gave.
        YieldK {} [C C] => [C], none;
        /// Pops a var, suspends the generator with it and, when it is resumed, pushes what `send` gave. Keys count up.
        YieldV {} [V] => [C], none;
        /// Pops a var and, below it, a key, suspends the generator with both and, when it is resumed, pushes what
        /// `send` gave.
        YieldVK {} [C V] => [C], none;
        /// Pops an array, Traversable or Generator, yields its elements until it ends and pushes its return value, or
        /// null (`yield from`). Anything else throws Error.
        YieldFrom {} [C] => [C], none;
            }
    };
}
