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

/// The mark of [`VARARGS`] in the longer argument counts of NEW.
pub const NEW_VARARGS: u16 = u16::MAX;

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
    /// SETIND: sets an element and pushes the container.
    SetElement {
        container: Src,
        index: Src,
        value: Src,
    },
    /// Sets an element of the container in a slot; a new container goes back into that slot.
    SetElementOf {
        slot: i16,
        index: Src,
        value: Src,
    },
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
    // ---- forms of the above for common operands, made by `special.rs`; S is a slot, I an integer, P popped
    PushSlot(i16),
    PushInt(i16),
    PushR0,
    PushThis,
    PushConstant(u16),
    SetPop {
        dst: i16,
    },
    SetSlot {
        dst: i16,
        src: i16,
    },
    SetInt {
        dst: i16,
        number: i16,
    },
    SetR0 {
        dst: i16,
    },
    AddSS {
        a: i16,
        b: i16,
    },
    AddSI {
        a: i16,
        b: i16,
    },
    AddPS {
        b: i16,
    },
    AddPI {
        b: i16,
    },
    AddSSTo {
        a: i16,
        b: i16,
        dst: i16,
    },
    AddSITo {
        a: i16,
        b: i16,
        dst: i16,
    },
    SubSS {
        a: i16,
        b: i16,
    },
    SubSI {
        a: i16,
        b: i16,
    },
    SubPS {
        b: i16,
    },
    SubPI {
        b: i16,
    },
    SubSSTo {
        a: i16,
        b: i16,
        dst: i16,
    },
    SubSITo {
        a: i16,
        b: i16,
        dst: i16,
    },
    MulSS {
        a: i16,
        b: i16,
    },
    MulSI {
        a: i16,
        b: i16,
    },
    MulPS {
        b: i16,
    },
    MulPI {
        b: i16,
    },
    MulSSTo {
        a: i16,
        b: i16,
        dst: i16,
    },
    MulSITo {
        a: i16,
        b: i16,
        dst: i16,
    },
    AndSS {
        a: i16,
        b: i16,
    },
    AndSI {
        a: i16,
        b: i16,
    },
    AndPS {
        b: i16,
    },
    AndPI {
        b: i16,
    },
    AndSSTo {
        a: i16,
        b: i16,
        dst: i16,
    },
    AndSITo {
        a: i16,
        b: i16,
        dst: i16,
    },
    ModSS {
        a: i16,
        b: i16,
    },
    ModSI {
        a: i16,
        b: i16,
    },
    ModPS {
        b: i16,
    },
    ModPI {
        b: i16,
    },
    ModSSTo {
        a: i16,
        b: i16,
        dst: i16,
    },
    ModSITo {
        a: i16,
        b: i16,
        dst: i16,
    },
    Index {
        a: Src,
        b: Src,
    },
    IndexSS {
        a: i16,
        b: i16,
    },
    IndexSI {
        a: i16,
        b: i16,
    },
    IndexTo {
        a: Src,
        b: Src,
        dst: i16,
    },
    JumpSS {
        order: Orders,
        a: i16,
        b: i16,
        target: u32,
    },
    JumpSI {
        order: Orders,
        a: i16,
        b: i16,
        target: u32,
    },
    JumpPI {
        order: Orders,
        b: i16,
        target: u32,
    },
    JumpPS {
        order: Orders,
        b: i16,
        target: u32,
    },
    GetPropThis {
        prop: PropId,
        site: u32,
    },
    GetPropSlot {
        slot: i16,
        prop: PropId,
        site: u32,
    },
    ReturnPop,
    ReturnSlot(i16),
}

/// The comparison results for which a condition holds: 1 less, 2 equal, 4 greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders(u8);

impl CmpOp {
    /// The condition as the set of orders for which it holds.
    pub fn orders(self) -> Orders {
        Orders(match self {
            CmpOp::Eq => 2,
            CmpOp::Ne => 5,
            CmpOp::Lt => 1,
            CmpOp::Le => 3,
            CmpOp::Gt => 4,
            CmpOp::Ge => 6,
        })
    }
}

impl Orders {
    /// Whether the condition holds for two integers; without a branch on the condition.
    #[inline(always)]
    pub fn hold(self, a: i32, b: i32) -> bool {
        self.0 >> (a.cmp(&b) as i8 + 1) & 1 != 0
    }

    /// The condition as an operation again.
    pub fn op(self) -> CmpOp {
        match self.0 {
            2 => CmpOp::Eq,
            5 => CmpOp::Ne,
            1 => CmpOp::Lt,
            3 => CmpOp::Le,
            4 => CmpOp::Gt,
            _ => CmpOp::Ge,
        }
    }
}
