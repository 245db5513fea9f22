//! The unit of compilation: blocks of instructions over SSA values, snapshots, frames, literals.
//!
//! Everything lies in vectors and is named by its index. Nothing is ever removed from them; what no block refers to any
//! more is dead. Lists of operands share one vector.

use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::{Op, SrcKind};
use crate::types::*;

/// A place of a frame that the interpreter knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Local(u32),
    /// A temporary, by its number.
    Tmp(u32),
}

/// Whose reference an exit writes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// The value's own, which moves to the slot. For values that are not counted, too.
    Move,
    /// A new one: the exit counts the value.
    Copy,
}

/// What an exit writes to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SnapEntry {
    pub slot: Slot,
    pub value: ValueId,
    pub hold: Hold,
}

/// What the interpreter needs to go on. It never changes once instructions use it.
///
/// A slot without an entry has its right contents in memory already. What memory holds for a slot with an entry is
/// dead: it is overwritten, not released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The frame that is running.
    pub frame: FrameId,
    /// Its next opline; for an exception, the one that has thrown.
    pub opline: u32,
    pub entries: Vec<SnapEntry>,
    /// The state of the caller, if the frame is that of an inlined callee: what it goes on with after the call.
    pub caller: Option<SnapId>,
}

/// A frame that oplines belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub func: FuncId,
    /// The frame that has called it, if it is inlined.
    pub caller: Option<FrameId>,
    /// The temporary of the caller at which the header of an inlined callee would lie.
    pub base: u32,
    /// How many arguments it was called with, if it is inlined.
    pub args: u32,
}

/// Where control can go besides the next instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Edge {
    #[default]
    None,
    /// To a block of the unit, which has no parameters unless the instruction is a Jmp.
    Block(BlockId),
    /// Out of the unit with a snapshot: for a branch to go on there, for an error to handle it there.
    Exit(SnapId),
}

/// Which opline of which frame an instruction does its part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Mark {
    pub frame: u32,
    pub opline: u32,
}

/// Operands: a range of the unit's operand vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct List {
    start: u32,
    len: u32,
}

impl List {
    pub fn len(self) -> usize {
        self.len as usize
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    pub op: Op,
    pub srcs: List,
    pub dst: Option<ValueId>,
    pub edge: Edge,
    /// The type parameter; `Top` if the operation has none.
    pub ty: Type,
    /// The immediates but the type parameter.
    pub imm: [u32; 3],
    pub mark: Mark,
}

impl Inst {
    /// Whether there are as many operands as the table asks for.
    ///
    /// # Errors
    /// Says how many it takes.
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

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    Const(Const),
    Inst(InstId),
    /// A parameter of a block.
    Param(BlockId, u32),
}

#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    pub ty: Type,
    pub def: Def,
    /// Whether something has been decided because of its type, so that what has made sure of the type must stay.
    pub observed: bool,
}

/// How often a block is expected to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Hint {
    Likely,
    #[default]
    Neutral,
    Unlikely,
    /// Never seen.
    Unused,
}

impl Hint {
    pub const ALL: [Hint; 4] = [Hint::Likely, Hint::Neutral, Hint::Unlikely, Hint::Unused];

    pub fn name(self) -> &'static str {
        match self {
            Hint::Likely => "likely",
            Hint::Neutral => "neutral",
            Hint::Unlikely => "unlikely",
            Hint::Unused => "unused",
        }
    }
}

/// A basic block. Its last instruction is terminal, or a branch to a block, or `next` follows it in any case.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The specification's DefLabel.
    pub params: Vec<ValueId>,
    pub insts: Vec<InstId>,
    /// Where control goes from the end, unless the last instruction is terminal. It has no parameters.
    pub next: Option<BlockId>,
    pub hint: Hint,
    /// How often it has run in the profile.
    pub count: u32,
}

/// A literal of the functions' own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A static string, with the client's number or address of it.
    Str { bytes: Box<[u8]>, handle: u64 },
    /// A static array of so many elements.
    Arr { count: u32, handle: u64 },
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Unit {
    pub insts: Vec<Inst>,
    pub blocks: Vec<Block>,
    pub values: Vec<ValueData>,
    pub snaps: Vec<Snapshot>,
    pub frames: Vec<Frame>,
    pub literals: Vec<Literal>,
    pub entry: BlockId,
    /// The opline at which the unit is entered.
    pub entry_opline: u32,
    /// Checks may be made where they are not known to be needed, if they are likely to pass. Not where code has been left before:
    /// it might have been for such a check.
    pub speculates: bool,
    /// Nothing is checked before a loop for the sake of later trips: code of the loop has been left for that, again and again.
    pub no_hoisted_guards: bool,
    /// Some of the entry's locals when the unit was made: integers, and how many elements arrays had. Nothing rests on that; what is
    /// checked before a loop is what was so then.
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

    pub fn add_block(&mut self, hint: Hint) -> BlockId {
        self.blocks.push(Block { hint, ..Block::default() });
        BlockId::new(self.blocks.len() - 1)
    }

    pub fn add_param(&mut self, block: BlockId, ty: Type) -> ValueId {
        let value = ValueId::new(self.values.len());
        let position = self.blocks[block.at()].params.len() as u32;
        self.values.push(ValueData { ty, def: Def::Param(block, position), observed: false });
        self.blocks[block.at()].params.push(value);
        value
    }

    pub fn add_snap(&mut self, snap: Snapshot) -> SnapId {
        self.snaps.push(snap);
        SnapId::new(self.snaps.len() - 1)
    }

    /// The frame of an inlined callee, whose header would lie at a temporary of the caller.
    pub fn add_frame(&mut self, func: FuncId, caller: FrameId, base: u32, args: u32) -> FrameId {
        self.frames.push(Frame { func, caller: Some(caller), base, args });
        FrameId::new(self.frames.len() - 1)
    }

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

    pub fn int(&mut self, value: i64) -> ValueId {
        self.constant(Const::Int(value))
    }

    pub fn dbl(&mut self, value: f64) -> ValueId {
        self.constant(Const::Dbl(value.to_bits()))
    }

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

    /// The constant that every value of a type is, if there is one.
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

    /// The constant that a value is.
    #[inline]
    pub fn as_const(&self, value: ValueId) -> Option<Const> {
        match self.values[value.at()].def {
            Def::Const(constant) => Some(constant),
            _ => None,
        }
    }

    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.at()].ty
    }

    #[inline]
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.at()]
    }

    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.at()]
    }

    #[inline]
    pub fn snap(&self, id: SnapId) -> &Snapshot {
        &self.snaps[id.at()]
    }

    /// The instruction that makes a value.
    #[inline]
    pub fn def_inst(&self, value: ValueId) -> Option<&Inst> {
        match self.values[value.at()].def {
            Def::Inst(id) => Some(&self.insts[id.at()]),
            _ => None,
        }
    }

    /// Notes that a decision rests on a value's type.
    #[inline]
    pub fn observe(&mut self, value: ValueId) {
        self.values[value.at()].observed = true;
    }

    /// The operands of an instruction.
    #[inline]
    pub fn srcs(&self, inst: &Inst) -> &[ValueId] {
        &self.operands[inst.srcs.start as usize..][..inst.srcs.len as usize]
    }

    #[inline]
    pub fn src(&self, inst: &Inst, at: usize) -> ValueId {
        self.srcs(inst)[at]
    }

    pub fn srcs_mut(&mut self, id: InstId) -> &mut [ValueId] {
        let list = self.insts[id.at()].srcs;
        &mut self.operands[list.start as usize..][..list.len as usize]
    }

    pub fn list(&mut self, values: &[ValueId]) -> List {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(values);
        List { start, len: values.len() as u32 }
    }

    /// Adds an instruction, which is in no block yet; its result, if it has one, is of type `ty`.
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

    /// Turns an instruction into `Mov` of a value, its result staying what it is.
    pub fn replace_with_mov(&mut self, id: InstId, value: ValueId) {
        let srcs = self.list(&[value]);
        let inst = &mut self.insts[id.at()];
        *inst = Inst { op: Op::Mov, srcs, edge: Edge::None, ty: Type::TOP, imm: [0; 3], ..*inst };
    }

    /// Turns an instruction without a result into nothing.
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

    /// Where control can go from the end of a block: the taken edge first.
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

    /// Calls a function with every value that a snapshot, or a caller's behind it, mentions.
    pub fn for_each_snap_value(&self, snap: SnapId, mut visit: impl FnMut(ValueId)) {
        let mut at = Some(snap);
        while let Some(id) = at {
            let snap = self.snap(id);
            snap.entries.iter().for_each(|entry| visit(entry.value));
            at = snap.caller;
        }
    }

    /// Replaces values everywhere: value `v` by `map[v]`, which is followed to its end.
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
