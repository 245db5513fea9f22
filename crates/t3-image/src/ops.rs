//! The instruction table: every T3 instruction is declared here, once.
//!
//! A row is `code NAME [operands] pops => pushes, "meaning";`. The enum, decoder, disassembler, assembler, verifier
//! and `docs/t3.md` derive from these rows; the machine's own decoder matches on [`Op`], so a row cannot be forgotten.
//! `pops` and `pushes` count stack slots; `n + argc` adds the instruction's argument count, `dynamic` means that only
//! the running machine knows.

/// The kinds of immediate operands, in their encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// SBYTE integer.
    Int8,
    /// INT4 integer.
    Int32,
    /// UBYTE count, index or code.
    Byte,
    /// UINT2 count or index.
    Word,
    /// UBYTE number of arguments; VARARGC replaces it.
    Argc,
    /// UINT2 number of arguments (NEW2, TRNEW2).
    Argc2,
    /// UBYTE number of a local variable.
    Local,
    /// UINT2 number of a local variable.
    Local2,
    /// UBYTE number of a parameter.
    Param,
    /// UINT2 number of a parameter.
    Param2,
    /// UINT2 property.
    Prop,
    /// UINT4 object.
    Object,
    /// UINT4 offset of a string in the constant pool.
    String,
    /// UINT4 offset of a list in the constant pool.
    List,
    /// UINT4 offset of a method header in the code pool.
    Function,
    /// UINT4 enumerator.
    Enum,
    /// INT2 branch, relative to the operand itself.
    Branch,
    /// UINT2 length and that many bytes of text.
    InlineString,
    /// SWITCH's table: UINT2 count, entries of data holder and branch, default branch.
    Cases,
    /// UBYTE count of named arguments and UINT2 distance to their NAMEDARGTAB.
    NamedPointer,
    /// Named argument table in line: UINT2 size, UINT2 count, offsets and names.
    NamedTable,
}

/// How many slots an instruction takes or leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slots {
    /// The constant part.
    pub fixed: u8,
    /// Whether the argument count is added.
    pub argc: bool,
    /// Whether only execution can tell; then `fixed` is the least.
    pub dynamic: bool,
}

macro_rules! slots {
    (argc) => {
        Slots { fixed: 0, argc: true, dynamic: false }
    };
    (argc + $n:literal) => {
        Slots { fixed: $n, argc: true, dynamic: false }
    };
    (dynamic) => {
        Slots { fixed: 0, argc: false, dynamic: true }
    };
    (dynamic + $n:literal) => {
        Slots { fixed: $n, argc: false, dynamic: true }
    };
    ($n:literal) => {
        Slots { fixed: $n, argc: false, dynamic: false }
    };
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct OpInfo {
    /// The instruction.
    pub op: Op,
    /// Its mnemonic.
    pub name: &'static str,
    /// The operands in the order of their encoding.
    pub operands: &'static [Operand],
    /// Slots taken from the stack.
    pub pops: Slots,
    /// Slots left on the stack.
    pub pushes: Slots,
    /// What it does.
    pub meaning: &'static str,
}

macro_rules! instructions {
    ($($code:literal $name:ident [$($operand:ident)*] ($($pops:tt)*) => ($($pushes:tt)*), $meaning:literal;)*) => {
        /// The instructions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, non_camel_case_types)] // the mnemonics of the specification
        pub enum Op { $($name = $code,)* }

        /// The table, in the order of the codes.
        pub const TABLE: &[OpInfo] = &[$(OpInfo {
            op: Op::$name,
            name: stringify!($name),
            operands: &[$(Operand::$operand),*],
            pops: slots!($($pops)*),
            pushes: slots!($($pushes)*),
            meaning: $meaning,
        },)*];

        impl Op {
            /// The instruction with this code.
            pub fn from_code(code: u8) -> Option<Op> {
                match code { $($code => Some(Op::$name),)* _ => None }
            }
        }
    };
}

instructions! {
    0x01 PUSH_0 [] (0) => (1), "push integer 0";
    0x02 PUSH_1 [] (0) => (1), "push integer 1";
    0x03 PUSHINT8 [Int8] (0) => (1), "push an integer";
    0x04 PUSHINT [Int32] (0) => (1), "push an integer";
    0x05 PUSHSTR [String] (0) => (1), "push a constant string";
    0x06 PUSHLST [List] (0) => (1), "push a constant list";
    0x07 PUSHOBJ [Object] (0) => (1), "push an object";
    0x08 PUSHNIL [] (0) => (1), "push nil";
    0x09 PUSHTRUE [] (0) => (1), "push true";
    0x0A PUSHPROPID [Prop] (0) => (1), "push a property pointer";
    0x0B PUSHFNPTR [Function] (0) => (1), "push a function pointer";
    0x0C PUSHSTRI [InlineString] (0) => (1), "push a new string with the text that follows";
    0x0D PUSHPARLST [Byte] (0) => (1), "push a list of the arguments after the first n";
    0x0E MAKELSTPAR [] (2) => (dynamic + 1), "pop list and count, push the elements and the raised count";
    0x0F PUSHENUM [Enum] (0) => (1), "push an enumerator";
    0x10 PUSHBIFPTR [Word Word] (0) => (1), "push a pointer to function n of set m";
    0x20 NEG [] (1) => (1), "arithmetic negative";
    0x21 BNOT [] (1) => (1), "bitwise complement";
    0x22 ADD [] (2) => (1), "sum, concatenation";
    0x23 SUB [] (2) => (1), "difference";
    0x24 MUL [] (2) => (1), "product";
    0x25 BAND [] (2) => (1), "bitwise and";
    0x26 BOR [] (2) => (1), "bitwise or";
    0x27 SHL [] (2) => (1), "shift left";
    0x28 ASHR [] (2) => (1), "arithmetic shift right";
    0x29 XOR [] (2) => (1), "exclusive or of integers or truth values";
    0x2A DIV [] (2) => (1), "quotient";
    0x2B MOD [] (2) => (1), "remainder";
    0x2C NOT [] (1) => (1), "logical negation";
    0x2D BOOLIZE [] (1) => (1), "truth value of a value";
    0x2E INC [] (1) => (1), "add 1";
    0x2F DEC [] (1) => (1), "subtract 1";
    0x30 LSHR [] (2) => (1), "logical shift right";
    0x40 EQ [] (2) => (1), "equal";
    0x41 NE [] (2) => (1), "not equal";
    0x42 LT [] (2) => (1), "less";
    0x43 LE [] (2) => (1), "less or equal";
    0x44 GT [] (2) => (1), "greater";
    0x45 GE [] (2) => (1), "greater or equal";
    0x50 RETVAL [] (1) => (0), "return the popped value";
    0x51 RETNIL [] (0) => (0), "return nil";
    0x52 RETTRUE [] (0) => (0), "return true";
    0x54 RET [] (0) => (0), "return, R0 unchanged";
    0x56 NAMEDARGPTR [NamedPointer] (dynamic) => (0), "after a call: drop its named arguments, whose table is elsewhere";
    0x57 NAMEDARGTAB [NamedTable] (dynamic) => (0), "after a call: drop its named arguments, whose table follows";
    0x58 CALL [Argc Function] (argc) => (0), "call a function";
    0x59 PTRCALL [Argc] (argc + 1) => (0), "call the popped function pointer, property of self or object";
    0x60 GETPROP [Prop] (1) => (0), "evaluate a property of the popped value";
    0x61 CALLPROP [Argc Prop] (argc + 1) => (0), "call a property of the popped value";
    0x62 PTRCALLPROP [Argc] (argc + 2) => (0), "pop a property, then as CALLPROP";
    0x63 GETPROPSELF [Prop] (0) => (0), "evaluate a property of self";
    0x64 CALLPROPSELF [Argc Prop] (argc) => (0), "call a property of self";
    0x65 PTRCALLPROPSELF [Argc] (argc + 1) => (0), "pop a property, then as CALLPROPSELF";
    0x66 OBJGETPROP [Object Prop] (0) => (0), "evaluate a property of an object";
    0x67 OBJCALLPROP [Argc Object Prop] (argc) => (0), "call a property of an object";
    0x68 GETPROPDATA [Prop] (1) => (0), "as GETPROP, refusing anything with side effects";
    0x69 PTRGETPROPDATA [] (2) => (0), "pop a property, then as GETPROPDATA";
    0x6A GETPROPLCL1 [Local Prop] (0) => (0), "evaluate a property of a local's value";
    0x6B CALLPROPLCL1 [Argc Local Prop] (argc) => (0), "call a property of a local's value";
    0x6C GETPROPR0 [Prop] (0) => (0), "evaluate a property of R0";
    0x6D CALLPROPR0 [Argc Prop] (argc) => (0), "call a property of R0";
    0x72 INHERIT [Argc Prop] (argc) => (0), "call the property inherited past the defining object";
    0x73 PTRINHERIT [Argc] (argc + 1) => (0), "pop a property, then as INHERIT";
    0x74 EXPINHERIT [Argc Prop Object] (argc) => (0), "call the property of a named superclass, keeping self";
    0x75 PTREXPINHERIT [Argc Object] (argc + 1) => (0), "pop a property, then as EXPINHERIT";
    0x76 VARARGC [] (1) => (0), "the next instruction's argument count is popped";
    0x77 DELEGATE [Argc Prop] (argc + 1) => (0), "call a property of the popped object, keeping self";
    0x78 PTRDELEGATE [Argc] (argc + 2) => (0), "pop a property, then as DELEGATE";
    0x7A SWAP2 [] (4) => (4), "swap the top two slots with the next two";
    0x7B SWAPN [Byte Byte] (0) => (0), "swap two slots, counted from the top";
    0x7C GETARGN0 [] (0) => (1), "push argument 0";
    0x7D GETARGN1 [] (0) => (1), "push argument 1";
    0x7E GETARGN2 [] (0) => (1), "push argument 2";
    0x7F GETARGN3 [] (0) => (1), "push argument 3";
    0x80 GETLCL1 [Local] (0) => (1), "push a local";
    0x81 GETLCL2 [Local2] (0) => (1), "push a local";
    0x82 GETARG1 [Param] (0) => (1), "push an argument";
    0x83 GETARG2 [Param2] (0) => (1), "push an argument";
    0x84 PUSHSELF [] (0) => (1), "push self";
    0x85 GETDBLCL [Word Word] (0) => (1), "push a local of an enclosing frame";
    0x86 GETDBARG [Word Word] (0) => (1), "push an argument of an enclosing frame";
    0x87 GETARGC [] (0) => (1), "push the number of arguments";
    0x88 DUP [] (1) => (2), "duplicate the top slot";
    0x89 DISC [] (1) => (0), "drop the top slot";
    0x8A DISC1 [Byte] (dynamic) => (0), "drop n slots";
    0x8B GETR0 [] (0) => (1), "push R0";
    0x8C GETDBARGC [Word] (0) => (1), "push the number of arguments of an enclosing frame";
    0x8D SWAP [] (2) => (2), "swap the top two slots";
    0x8E PUSHCTXELE [Byte] (0) => (1), "push target property (1), target object (2), defining object (3) or invokee (4)";
    0x8F DUP2 [] (2) => (4), "duplicate the top two slots";
    0x90 SWITCH [Cases] (1) => (0), "branch by value";
    0x91 JMP [Branch] (0) => (0), "branch";
    0x92 JT [Branch] (1) => (0), "branch if true";
    0x93 JF [Branch] (1) => (0), "branch if nil or 0";
    0x94 JE [Branch] (2) => (0), "branch if equal";
    0x95 JNE [Branch] (2) => (0), "branch if not equal";
    0x96 JGT [Branch] (2) => (0), "branch if greater";
    0x97 JGE [Branch] (2) => (0), "branch if greater or equal";
    0x98 JLT [Branch] (2) => (0), "branch if less";
    0x99 JLE [Branch] (2) => (0), "branch if less or equal";
    0x9A JST [Branch] (1) => (0), "branch and keep the value if true, else drop it";
    0x9B JSF [Branch] (1) => (0), "branch and keep the value if nil or 0, else drop it";
    0x9C LJSR [Branch] (0) => (1), "push the return offset and branch";
    0x9D LRET [Local2] (0) => (0), "branch to the offset in a local";
    0x9E JNIL [Branch] (1) => (0), "branch if nil";
    0x9F JNOTNIL [Branch] (1) => (0), "branch if not nil";
    0xA0 JR0T [Branch] (0) => (0), "branch if R0 is true";
    0xA1 JR0F [Branch] (0) => (0), "branch if R0 is nil or 0";
    0xA2 ITERNEXT [Local2 Branch] (0) => (1), "push the next value of the iterator in a local, or branch without pushing";
    0xA3 GETSETLCL1R0 [Local] (0) => (1), "set a local to R0 and push it";
    0xA4 GETSETLCL1 [Local] (1) => (1), "set a local to the top slot, which stays";
    0xA5 DUPR0 [] (0) => (2), "push R0 twice";
    0xA6 GETSPN [Byte] (0) => (1), "push slot n from the top";
    0xAA GETLCLN0 [] (0) => (1), "push local 0";
    0xAB GETLCLN1 [] (0) => (1), "push local 1";
    0xAC GETLCLN2 [] (0) => (1), "push local 2";
    0xAD GETLCLN3 [] (0) => (1), "push local 3";
    0xAE GETLCLN4 [] (0) => (1), "push local 4";
    0xAF GETLCLN5 [] (0) => (1), "push local 5";
    0xB0 SAY [String] (0) => (0), "display a constant string";
    0xB1 BUILTIN_A [Argc Byte] (argc) => (0), "call function n of set 0";
    0xB2 BUILTIN_B [Argc Byte] (argc) => (0), "call function n of set 1";
    0xB3 BUILTIN_C [Argc Byte] (argc) => (0), "call function n of set 2";
    0xB4 BUILTIN_D [Argc Byte] (argc) => (0), "call function n of set 3";
    0xB5 BUILTIN1 [Argc Byte Byte] (argc) => (0), "call function n of set m";
    0xB6 BUILTIN2 [Argc Word Byte] (argc) => (0), "call function n of set m";
    0xB7 CALLEXT [] (0) => (0), "withdrawn; always an error";
    0xB8 THROW [] (1) => (0), "throw the popped object";
    0xB9 SAYVAL [] (1) => (0), "display the popped value";
    0xBA INDEX [] (2) => (1), "element of a list, vector, table or overloading object";
    0xBB IDXLCL1INT8 [Local Byte] (0) => (1), "element n of a local's value";
    0xBC IDXINT8 [Byte] (1) => (1), "element n of the top value";
    0xC0 NEW1 [Argc Byte] (argc) => (0), "create an object of metaclass n";
    0xC1 NEW2 [Argc2 Word] (argc) => (0), "create an object of metaclass n";
    0xC2 TRNEW1 [Argc Byte] (argc) => (0), "create a transient object of metaclass n";
    0xC3 TRNEW2 [Argc2 Word] (argc) => (0), "create a transient object of metaclass n";
    0xD0 INCLCL [Local2] (0) => (0), "add 1 to a local";
    0xD1 DECLCL [Local2] (0) => (0), "subtract 1 from a local";
    0xD2 ADDILCL1 [Local Int8] (0) => (0), "add an integer to a local";
    0xD3 ADDILCL4 [Local2 Int32] (0) => (0), "add an integer to a local";
    0xD4 ADDTOLCL [Local2] (1) => (0), "add the popped value to a local";
    0xD5 SUBFROMLCL [Local2] (1) => (0), "subtract the popped value from a local";
    0xD6 ZEROLCL1 [Local] (0) => (0), "set a local to 0";
    0xD7 ZEROLCL2 [Local2] (0) => (0), "set a local to 0";
    0xD8 NILLCL1 [Local] (0) => (0), "set a local to nil";
    0xD9 NILLCL2 [Local2] (0) => (0), "set a local to nil";
    0xDA ONELCL1 [Local] (0) => (0), "set a local to 1";
    0xDB ONELCL2 [Local2] (0) => (0), "set a local to 1";
    0xE0 SETLCL1 [Local] (1) => (0), "pop into a local";
    0xE1 SETLCL2 [Local2] (1) => (0), "pop into a local";
    0xE2 SETARG1 [Param] (1) => (0), "pop into an argument";
    0xE3 SETARG2 [Param2] (1) => (0), "pop into an argument";
    0xE4 SETIND [] (3) => (1), "pop index, container and value; push the container with the element replaced";
    0xE5 SETPROP [Prop] (2) => (0), "pop an object and the property's new value";
    0xE6 PTRSETPROP [] (3) => (0), "pop a property, then as SETPROP";
    0xE7 SETPROPSELF [Prop] (1) => (0), "pop the new value of a property of self";
    0xE8 OBJSETPROP [Object Prop] (1) => (0), "pop the new value of a property of an object";
    0xE9 SETDBLCL [Word Word] (1) => (0), "pop into a local of an enclosing frame";
    0xEA SETDBARG [Word Word] (1) => (0), "pop into an argument of an enclosing frame";
    0xEB SETSELF [] (1) => (0), "pop the new self";
    0xEC LOADCTX [] (1) => (0), "pop a method context and make it current";
    0xED STORECTX [] (0) => (1), "push the method context";
    0xEE SETLCL1R0 [Local] (0) => (0), "set a local to R0";
    0xEF SETINDLCL1I8 [Local Byte] (1) => (0), "pop the new element n of a local's value";
    0xF1 BP [] (0) => (0), "breakpoint; an error without a debugger";
    0xF2 NOP [] (0) => (0), "nothing";
}

impl Op {
    /// The row of this instruction.
    pub fn info(self) -> &'static OpInfo {
        let at = TABLE.partition_point(|row| (row.op as u8) < self as u8);
        &TABLE[at]
    }

    /// The instruction with this mnemonic, in either case.
    pub fn from_name(name: &str) -> Option<Op> {
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)).map(|row| row.op)
    }

    /// Whether control never falls through to the next instruction.
    pub fn is_terminal(self) -> bool {
        use Op::*;
        matches!(self, RETVAL | RETNIL | RETTRUE | RET | SWITCH | JMP | LJSR | LRET | THROW | CALLEXT)
    }

    /// Whether VARARGC may stand before it: every instruction whose first operand is an argument count.
    pub fn takes_varargc(self) -> bool {
        matches!(self.info().operands.first(), Some(Operand::Argc | Operand::Argc2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_code() {
        assert!(TABLE.windows(2).all(|pair| (pair[0].op as u8) < pair[1].op as u8));
        assert!(TABLE.iter().all(|row| row.op.info().op == row.op));
    }
}
