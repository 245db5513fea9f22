//! The instructions that the interpreter runs.
//!
//! They are T3's with the stack traffic taken out: where the specification pushes a local, a small constant, R0 or
//! self and then uses it, the operand is named in the instruction itself.

use crate::value::{PropId, Value};

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Src {
    /// Popped from the stack.
    Pop,
    /// A slot of the frame: a local (from 0) or an argument (from -1 downwards).
    Slot(i16),
    /// A small integer.
    Int(i16),
    /// An entry of the constant table.
    Const(u16),
    /// Register R0.
    R0,
    /// self
    This,
}

/// Operations of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    And,
    Or,
    Xor,
    Shl,
    Ashr,
    Lshr,
    Index,
}

/// Operations of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnOp {
    Neg,
    BitNot,
    Not,
    Truth,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Conditions of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cond {
    /// Neither nil nor 0.
    True,
    /// nil or 0.
    False,
    /// nil.
    Nil,
    /// Anything but nil.
    NotNil,
}

/// The argument count that stands for "the popped one" (VARARGC).
pub const VARARGS: u8 = 255;

/// An instruction. Jump targets are indices of instructions.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Inst {
    Push(Src),
    PushConst(Value),
    Set {
        dst: i16,
        src: Src,
    },
    Bin {
        op: BinOp,
        a: Src,
        b: Src,
    },
    BinSet {
        op: BinOp,
        a: Src,
        b: Src,
        dst: i16,
    },
    /// Integer addition of a small constant to a slot, the commonest arithmetic.
    AddInt {
        slot: i16,
        add: i16,
        dst: i16,
    },
    Un {
        op: UnOp,
        a: Src,
    },
    Cmp {
        op: CmpOp,
        a: Src,
        b: Src,
    },
    CmpJump {
        op: CmpOp,
        a: Src,
        b: Src,
        target: u32,
    },
    /// Comparison of a slot with a small constant.
    CmpIntJump {
        op: CmpOp,
        slot: i16,
        with: i16,
        target: u32,
    },
    Jump(u32),
    Branch {
        cond: Cond,
        src: Src,
        target: u32,
    },
    /// JST and JSF: jump and keep the value, or drop it and go on.
    BranchKeep {
        if_true: bool,
        target: u32,
    },
    SubCall {
        target: u32,
        back: u32,
    },
    SubReturn {
        slot: i16,
    },
    Switch {
        src: Src,
        table: u32,
    },
    IterNext {
        slot: i16,
        target: u32,
    },
    GetProp {
        target: Src,
        prop: PropId,
        site: u32,
    },
    CallProp {
        argc: u8,
        target: Src,
        prop: PropId,
        site: u32,
    },
    PtrCallProp {
        argc: u8,
        target: Src,
        prop: Src,
    },
    Inherit {
        argc: u8,
        prop: PropId,
    },
    PtrInherit {
        argc: u8,
        prop: Src,
    },
    ExpInherit {
        argc: u8,
        prop: PropId,
        object: u32,
    },
    PtrExpInherit {
        argc: u8,
        object: u32,
        prop: Src,
    },
    Delegate {
        argc: u8,
        target: Src,
        prop: PropId,
    },
    PtrDelegate {
        argc: u8,
        target: Src,
        prop: Src,
    },
    GetPropData {
        prop: PropId,
    },
    PtrGetPropData,
    SetProp {
        target: Src,
        value: Src,
        prop: PropId,
        site: u32,
    },
    PtrSetProp,
    SetIndex,
    SetIndexLocal {
        slot: i16,
        index: u8,
        value: Src,
    },
    Call {
        argc: u8,
        function: u32,
    },
    PtrCall {
        argc: u8,
        callee: Src,
    },
    Builtin {
        argc: u8,
        set: u8,
        index: u16,
    },
    New {
        argc: u16,
        metaclass: u16,
        transient: bool,
    },
    Return(Src),
    ReturnR0,
    Throw(Src),
    Say(u32),
    SayValue(Src),
    PopArgc,
    Drop(u8),
    Dup,
    Dup2,
    Swap,
    Swap2,
    SwapN(u8, u8),
    PushFromTop(u8),
    PushArgc,
    PushContext(u8),
    PushArgList(u8),
    SpreadList,
    PushText(u32),
    NamedArgs {
        count: u8,
        table: u32,
    },
    SetSelf(Src),
    LoadContext,
    StoreContext,
    GetOuterLocal {
        local: u16,
        level: u16,
    },
    SetOuterLocal {
        local: u16,
        level: u16,
    },
    GetOuterArg {
        arg: u16,
        level: u16,
    },
    SetOuterArg {
        arg: u16,
        level: u16,
    },
    PushOuterArgc {
        level: u16,
    },
    Error(u16),
}
