//! The unit of compilation: blocks of instructions over SSA values, with snapshots, frames and literals.
//!
//! Everything lies in vectors and is named by its index. Nothing is ever removed from the vectors; what no block refers to any
//! more is dead. The operands of all instructions share one vector.

use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::{Op, SrcKind};
use crate::types::*;

/// A cell of a frame that the interpreter knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A local, by its number.
    Local(u32),
    /// A temporary, by its number.
    Tmp(u32),
}

/// Which reference a side exit writes to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// The value's own reference moves to the slot; also for values that are not counted.
    Move,
    /// The side exit takes a new reference.
    Copy,
}

/// A write of a side exit to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapEntry {
    /// The slot.
    pub slot: Slot,
    /// The value.
    pub value: ValueId,
    /// Which reference the slot gets.
    pub hold: Hold,
}

/// What the interpreter needs to go on after a side exit. A snapshot never changes once instructions use it.
///
/// A slot without an entry has its right contents in memory already. What memory holds for a slot with an entry is dead: it is
/// overwritten, not released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The frame that is running.
    pub frame: FrameId,
    /// The opline with which the interpreter goes on; for an exception, the one that has thrown.
    pub opline: u32,
    /// The slots that are written.
    pub entries: Vec<SnapEntry>,
    /// The snapshot of the caller, if the frame is that of an inlined callee: the state with which the caller goes on after the
    /// call.
    pub caller: Option<SnapId>,
}

/// A frame that oplines belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function of the frame.
    pub func: FuncId,
    /// The frame that called it, if it is inlined.
    pub caller: Option<FrameId>,
    /// The temporary of the caller at which the header of an inlined callee would lie.
    pub base: u32,
    /// The number of arguments that it was called with, if it is inlined.
    pub args: u32,
}

/// Where control can go besides the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Edge {
    #[default]
    /// Nowhere else.
    None,
    /// To a block of the unit, which has no parameters unless the instruction is a Jmp.
    Block(BlockId),
    /// Out of the unit with a snapshot: the interpreter goes on, or handles an error, at the snapshot's opline.
    Exit(SnapId),
}

/// The opline that an instruction belongs to, and its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Mark {
    pub frame: u32,
    pub opline: u32,
}

/// The operands of an instruction: a range of the unit's operand vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct List {
    start: u32,
    len: u32,
}

impl List {
    /// The number of operands.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are no operands.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// The operands.
    pub srcs: List,
    /// The result, if there is one.
    pub dst: Option<ValueId>,
    /// Where control can go besides the next instruction.
    pub edge: Edge,
    /// The type parameter; `Top` if the operation has none.
    pub ty: Type,
    /// The immediates except for the type parameter.
    pub imm: [u32; 3],
    /// The opline that the instruction belongs to.
    pub mark: Mark,
}

impl Inst {
    /// Checks that there are as many operands as the table asks for.
    ///
    /// # Errors
    /// A message that says how many operands the operation takes.
    pub fn has_operands(&self) -> Result<(), String> {
        let rows = self.op.info().srcs;
        let many = rows.last().is_some_and(|row| row.kind == SrcKind::Many);
        let fixed = rows.len() - usize::from(many);
        if self.srcs.len() < fixed || (!many && self.srcs.len() > fixed) {
            return Err(format!("takes {fixed} operands"));
        }
        Ok(())
    }
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    Uninit,
    Null,
    Bool(bool),
    Int(i64),
    /// A float by its bits.
    Dbl(u64),
    Lit(LitId),
    Cls(ClassId),
    Func(FuncId),
    Nullptr,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    Const(Const),
    Inst(InstId),
    /// A parameter of a block.
    Param(BlockId, u32),
}

/// A value of a unit.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// The type.
    pub ty: Type,
    /// The definition.
    pub def: Def,
    /// Whether a decision rests on the type, so that the guard that established the type must stay.
    pub observed: bool,
}

/// How often a block is expected to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Hint {
    Likely,
    #[default]
    Neutral,
    Unlikely,
    /// The block never ran as far as type feedback tells.
    Unused,
}

impl Hint {
    /// All hints, from the likeliest to the least likely.
    pub const ALL: [Hint; 4] = [Hint::Likely, Hint::Neutral, Hint::Unlikely, Hint::Unused];

    /// The hint's name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Hint::Likely => "likely",
            Hint::Neutral => "neutral",
            Hint::Unlikely => "unlikely",
            Hint::Unused => "unused",
        }
    }
}

/// A basic block. It ends in a terminal instruction, in a branch to a block, or by falling through to `next`.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The values that jumps to the block pass (the specification's DefLabel).
    pub params: Vec<ValueId>,
    /// The instructions.
    pub insts: Vec<InstId>,
    /// Where control goes from the end, unless the last instruction is terminal. That block has no parameters.
    pub next: Option<BlockId>,
    /// How often the block is expected to run.
    pub hint: Hint,
    /// How often the block ran in the profile.
    pub count: u32,
}

/// A literal of one of the unit's functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A static string, with a number or address that the client chooses.
    Str { bytes: Box<[u8]>, handle: u64 },
    /// A static array, with the number of its elements.
    Arr { count: u32, handle: u64 },
}

/// A region in HHIR; see the module.
#[derive(Clone, Debug)]
pub struct Unit {
    /// All instructions, also those that are in no block any more.
    pub insts: Vec<Inst>,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// All values.
    pub values: Vec<ValueData>,
    /// All snapshots.
    pub snaps: Vec<Snapshot>,
    /// The frames; number 0 is the unit's own.
    pub frames: Vec<Frame>,
    /// The literals.
    pub literals: Vec<Literal>,
    /// The block at which the unit is entered.
    pub entry: BlockId,
    /// The opline at which the unit is entered.
    pub entry_opline: u32,
    /// Guards may be made where they are not known to be needed, if they are likely to hold. Not set where the code has taken
    /// side exits before: such a guard might have caused them.
    pub speculates: bool,
    /// No guard is hoisted before a loop for the sake of later iterations, because the loop's code has taken side exits for that
    /// again and again.
    pub no_hoisted_guards: bool,
    /// Samples of the entry's locals from when the unit was made: the values of integers, and the element counts of arrays. They
    /// are hints for guards that are hoisted before a loop; correctness does not depend on them.
    pub samples: Vec<(u32, i64)>,
    operands: Vec<ValueId>,
    consts: FastMap<Const, ValueId>,
}

impl Unit {
    /// A unit of one frame and one empty block, which is the entry.
    pub fn new(func: FuncId, entry_opline: u32) -> Unit {
        Unit {
            insts: Vec::with_capacity(128),
            blocks: vec![Block::default()],
            values: Vec::with_capacity(128),
            snaps: Vec::with_capacity(32),
            frames: vec![Frame { func, caller: None, base: 0, args: 0 }],
            literals: Vec::new(),
            entry: BlockId(0),
            entry_opline,
            speculates: false,
            no_hoisted_guards: false,
            samples: Vec::new(),
            operands: Vec::with_capacity(256),
            consts: FastMap::default(),
        }
    }

    /// Adds an empty block.
    pub fn add_block(&mut self, hint: Hint) -> BlockId {
        self.blocks.push(Block { hint, ..Block::default() });
        BlockId::new(self.blocks.len() - 1)
    }

    /// Adds a parameter to a block.
    pub fn add_param(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = ValueId::new(self.values.len());
        let position = self.blocks[block.at()].params.len() as u32;
        self.values.push(ValueData { ty, def: Def::Param(block, position), observed: false });
        self.blocks[block.at()].params.push(value);
        value
    }

    /// Adds a snapshot.
    pub fn add_snap(&mut self, snap: Snapshot) -> SnapId {
        self.snaps.push(snap);
        SnapId::new(self.snaps.len() - 1)
    }

    /// Adds the frame of an inlined callee, whose header would lie at temporary `base` of the caller.
    pub fn add_frame(&mut self, func: FuncId, caller: FrameId, base: u32, args: u32) -> FrameId {
        self.frames.push(Frame { func, caller: Some(caller), base, args });
        FrameId::new(self.frames.len() - 1)
    }

    /// Adds a literal.
    pub fn add_literal(&mut self, literal: Literal) -> LitId {
        self.literals.push(literal);
        LitId::new(self.literals.len() - 1)
    }

    /// The value of a constant.
    pub fn constant(&mut self, constant: Const) -> ValueId {
        if let Some(&value) = self.consts.get(&constant) {
            return value;
        }
        let value = ValueId::new(self.values.len());
        self.values.push(ValueData { ty: self.type_of_const(constant), def: Def::Const(constant), observed: false });
        self.consts.insert(constant, value);
        value
    }

    /// The value of a constant integer.
    pub fn int(&mut self, value: i64) -> ValueId {
        self.constant(Const::Int(value))
    }

    /// The value of a constant float.
    pub fn dbl(&mut self, value: f64) -> ValueId {
        self.constant(Const::Dbl(value.to_bits()))
    }

    /// The value of a constant boolean.
    pub fn bool(&mut self, value: bool) -> ValueId {
        self.constant(Const::Bool(value))
    }

    fn type_of_const(&self, constant: Const) -> Type {
        match constant {
            Const::Uninit => Type::UNINIT,
            Const::Null => Type::INIT_NULL,
            Const::Bool(value) => Type::of(if value { TRUE } else { FALSE }),
            Const::Int(value) => Type::int(value),
            Const::Dbl(bits) => Type::with(DBL, Spec::Dbl(bits)),
            Const::Lit(lit) => match self.literals.get(lit.at()) {
                Some(Literal::Arr { .. }) => Type::with(STATIC_ARR, Spec::Lit(lit)),
                _ => Type::with(STATIC_STR, Spec::Lit(lit)),
            },
            Const::Cls(class) => Type::with(CLS, Spec::Exact(class)),
            Const::Func(func) => Type::with(FUNC, Spec::Func(func)),
            Const::Nullptr => Type::of(NULLPTR),
        }
    }

    /// The constant that all values of a type are, if the type has just one value.
    pub fn const_of_type(ty: Type) -> Option<Const> {
        match (ty.bits(), ty.spec()) {
            (UNINIT, _) => Some(Const::Uninit),
            (INIT_NULL, _) => Some(Const::Null),
            (FALSE, _) => Some(Const::Bool(false)),
            (TRUE, _) => Some(Const::Bool(true)),
            (NULLPTR, _) => Some(Const::Nullptr),
            (INT, Spec::Range(lo, hi)) if lo == hi => Some(Const::Int(lo)),
            (DBL, Spec::Dbl(bits)) => Some(Const::Dbl(bits)),
            (STATIC_STR | STATIC_ARR, Spec::Lit(lit)) => Some(Const::Lit(lit)),
            (CLS, Spec::Exact(class)) => Some(Const::Cls(class)),
            (FUNC, Spec::Func(func)) => Some(Const::Func(func)),
            _ => None,
        }
    }

    /// The constant that a value is, if it is one.
    #[inline]
    pub fn as_const(&self, value: ValueId) -> Option<Const> {
        match self.values[value.at()].def {
            Def::Const(constant) => Some(constant),
            _ => None,
        }
    }

    /// The type of a value.
    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.at()].ty
    }

    /// An instruction.
    #[inline]
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.at()]
    }

    /// A block.
    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.at()]
    }

    /// A snapshot.
    #[inline]
    pub fn snap(&self, id: SnapId) -> &Snapshot {
        &self.snaps[id.at()]
    }

    /// The instruction whose result a value is, if it is one.
    #[inline]
    pub fn def_inst(&self, value: ValueId) -> Option<&Inst> {
        match self.values[value.at()].def {
            Def::Inst(id) => Some(&self.insts[id.at()]),
            _ => None,
        }
    }

    /// Records that a decision rests on a value's type.
    #[inline]
    pub fn observe(&mut self, value: ValueId) {
        self.values[value.at()].observed = true;
    }

    /// The operands of an instruction.
    #[inline]
    pub fn srcs(&self, inst: &Inst) -> &[ValueId] {
        &self.operands[inst.srcs.start as usize..][..inst.srcs.len as usize]
    }

    /// An operand of an instruction.
    #[inline]
    pub fn src(&self, inst: &Inst, at: usize) -> ValueId {
        self.srcs(inst)[at]
    }

    /// The operands of an instruction, to be changed.
    pub fn srcs_mut(&mut self, id: InstId) -> &mut [ValueId] {
        let list = self.insts[id.at()].srcs;
        &mut self.operands[list.start as usize..][..list.len as usize]
    }

    /// Adds operands to the operand vector.
    pub fn list(&mut self, values: &[ValueId]) -> List {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(values);
        List { start, len: values.len() as u32 }
    }

    /// Adds an instruction, which is in no block yet. Its result, if `dst` is not `None`, is of that type.
    pub fn add_inst(&mut self, inst: Inst, dst: Option<Type>) -> InstId {
        let id = InstId::new(self.insts.len());
        self.insts.push(inst);
        if let Some(ty) = dst {
            let value = ValueId::new(self.values.len());
            self.values.push(ValueData { ty, def: Def::Inst(id), observed: false });
            self.insts[id.at()].dst = Some(value);
        }
        id
    }

    /// Turns an instruction into a `Mov` of a value; the result stays the same value.
    pub fn replace_with_mov(&mut self, id: InstId, value: ValueId) {
        let srcs = self.list(&[value]);
        let inst = &mut self.insts[id.at()];
        *inst = Inst { op: Op::Mov, srcs, edge: Edge::None, ty: Type::TOP, imm: [0; 3], ..*inst };
    }

    /// Turns an instruction without a result into a `Nop`.
    pub fn replace_with_nop(&mut self, id: InstId) {
        let inst = &mut self.insts[id.at()];
        *inst = Inst { op: Op::Nop, srcs: List::default(), edge: Edge::None, dst: None, imm: [0; 3], ..*inst };
    }

    /// The last instruction of a block, if it decides where control goes.
    pub fn terminator(&self, block: BlockId) -> Option<InstId> {
        let last = *self.block(block).insts.last()?;
        let inst = self.inst(last);
        (inst.op.is_terminal() || matches!(inst.edge, Edge::Block(_))).then_some(last)
    }

    /// The blocks to which control can go from the end of a block: the taken edge first.
    pub fn successors(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        let next = self.block(block).next;
        let (taken, next) = match self.terminator(block).map(|id| self.inst(id)) {
            None => (None, next),
            Some(last) => {
                let taken = if let Edge::Block(target) = last.edge { Some(target) } else { None };
                (taken, if last.op.is_terminal() { None } else { next })
            }
        };
        taken.into_iter().chain(next)
    }

    /// Calls a function with every value of a snapshot and of its callers' snapshots.
    pub fn for_each_snap_value(&self, snap: SnapId, mut visit: impl FnMut(ValueId)) {
        let mut at = Some(snap);
        while let Some(id) = at {
            let snap = self.snap(id);
            snap.entries.iter().for_each(|entry| visit(entry.value));
            at = snap.caller;
        }
    }

    /// Replaces values in all operands and snapshots: value `v` by `map[v]`, and so on until a value maps to itself.
    pub fn substitute(&mut self, map: &[ValueId]) {
        let find = |mut value: ValueId| {
            while map.get(value.at()).is_some_and(|&next| next != value) {
                value = map[value.at()];
            }
            value
        };
        self.operands.iter_mut().for_each(|value| *value = find(*value));
        for snap in &mut self.snaps {
            snap.entries.iter_mut().for_each(|entry| entry.value = find(entry.value));
        }
    }
}
