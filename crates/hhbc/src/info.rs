//! Facts about each instruction, derived from the table in [`crate::ops`].

use crate::ids::*;
use crate::imm::{Imm, ImmKind, Immediate};
use crate::instr::*;

/// An entry of a stack effect; see [`crate::ops`] for the meaning of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Slot {
    C,
    V,
    A,
    R,
    F,
    Cn,
    CVn,
    Fn,
    M,
}

/// How an instruction affects control flow and pending calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    Plain,
    /// Control never falls through.
    Terminal,
    /// May jump to its target or fall through.
    Branch,
    /// Always jumps to its target.
    Jump,
    /// Jumps through a switch table.
    Switch,
    /// Opens a function parameter info region.
    FpiPush,
    /// Closes a function parameter info region.
    FpiPop,
    /// Prepares an argument of the pending call.
    Pass,
}

impl OpKind {
    /// Whether the next instruction may be reached from this one.
    pub fn falls_through(self) -> bool {
        !matches!(self, OpKind::Terminal | OpKind::Jump | OpKind::Switch)
    }
}

macro_rules! op_kind {
    (none) => {
        OpKind::Plain
    };
    (terminal) => {
        OpKind::Terminal
    };
    (branch) => {
        OpKind::Branch
    };
    (branch_terminal) => {
        OpKind::Jump
    };
    (switch) => {
        OpKind::Switch
    };
    (fpi_push) => {
        OpKind::FpiPush
    };
    (fpi_pop) => {
        OpKind::FpiPop
    };
    (pass) => {
        OpKind::Pass
    };
}

/// A row of the instruction table.
#[derive(Debug)]
pub struct OpInfo {
    pub name: &'static str,
    /// The row's documentation, one line each, with the leading space of a doc comment.
    pub doc: &'static [&'static str],
    pub immediates: &'static [(&'static str, ImmKind)],
    /// What it consumes, deepest first.
    pub pops: &'static [Slot],
    /// What it leaves, deepest first.
    pub pushes: &'static [Slot],
    pub kind: OpKind,
}

/// No instruction has more immediates.
pub const MAX_IMMEDIATES: usize = 4;

macro_rules! define_info {
    ($($(#[doc = $doc:literal])* $name:ident { $($imm:ident : $ty:ident),* } [$($pop:ident)*] => [$($push:ident)*], $flag:ident;)*) => {
        /// An instruction without its immediates; its number is its byte in the binary form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Opcode { $($name,)* }

        impl Opcode {
            /// All opcodes in table order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name,)*];
        }

        static INFO: [OpInfo; Opcode::ALL.len()] = [$(OpInfo {
            name: stringify!($name),
            doc: &[$($doc,)*],
            immediates: &[$((stringify!($imm), <$ty as Immediate>::KIND),)*],
            pops: &[$(Slot::$pop,)*],
            pushes: &[$(Slot::$push,)*],
            kind: op_kind!($flag),
        },)*];

        impl Instr {
            pub fn opcode(&self) -> Opcode {
                match self { $(Instr::$name { .. } => Opcode::$name,)* }
            }

            /// Calls `visit` with each immediate in order.
            #[inline]
            pub fn for_each_imm(&self, mut visit: impl FnMut(Imm)) {
                match *self { $(Instr::$name { $($imm,)* } => { $(visit($imm.to_imm());)* })* }
            }

            /// Replaces the branch target, if there is one.
            pub fn map_target(&mut self, mut map: impl FnMut(Target) -> Target) {
                match self { $(Instr::$name { $($imm,)* } => { $($imm.map_target(&mut map);)* })* }
            }

            /// The instruction with these immediates; `None` if they do not fit the opcode.
            pub fn from_imms(opcode: Opcode, imms: &[Imm]) -> Option<Instr> {
                let mut imms = imms.iter().copied();
                let instr = match opcode {
                    $(Opcode::$name => Instr::$name { $($imm: <$ty as Immediate>::from_imm(imms.next()?)?,)* },)*
                };
                imms.next().is_none().then_some(instr)
            }
        }
    };
}

for_each_op!(define_info);

const _: () = {
    assert!(Opcode::ALL.len() < 0xff, "0xff is kept for an escape");
    let mut row = 0;
    while row < INFO.len() {
        assert!(INFO[row].immediates.len() <= MAX_IMMEDIATES);
        row += 1;
    }
};

/// What an instruction does to the stack and to control, packed so that all of them stay in the cache.
#[derive(Clone, Copy)]
pub struct Effect {
    pub kind: OpKind,
    pops: [Slot; MAX_SLOTS],
    pops_len: u8,
    pushes: [Slot; MAX_SLOTS],
    pushes_len: u8,
    /// How much the instruction consumes depends on its immediates.
    varies: bool,
    /// One of the immediates is a branch target.
    pub jumps: bool,
    /// One of the immediates is a member vector.
    pub has_vector: bool,
}

/// No instruction has more inputs, or more outputs.
const MAX_SLOTS: usize = 3;

static EFFECTS: [Effect; Opcode::ALL.len()] = {
    let none = [Slot::C; MAX_SLOTS];
    let plain = Effect {
        kind: OpKind::Plain,
        pops: none,
        pops_len: 0,
        pushes: none,
        pushes_len: 0,
        varies: false,
        jumps: false,
        has_vector: false,
    };
    let mut effects = [plain; INFO.len()];
    let mut row = 0;
    while row < INFO.len() {
        let info = &INFO[row];
        effects[row].kind = info.kind;
        (effects[row].pops, effects[row].pops_len) = packed(info.pops);
        (effects[row].pushes, effects[row].pushes_len) = packed(info.pushes);
        let mut slot = 0;
        while slot < info.pops.len() {
            effects[row].varies |= matches!(info.pops[slot], Slot::Cn | Slot::CVn | Slot::Fn | Slot::M);
            slot += 1;
        }
        let mut immediate = 0;
        while immediate < info.immediates.len() {
            let kind = &info.immediates[immediate].1;
            effects[row].jumps |= matches!(kind, ImmKind::Target | ImmKind::Switch);
            effects[row].has_vector |= matches!(kind, ImmKind::Vector);
            immediate += 1;
        }
        row += 1;
    }
    effects
};

const fn packed(slots: &[Slot]) -> ([Slot; MAX_SLOTS], u8) {
    let mut array = [Slot::C; MAX_SLOTS];
    let mut position = 0;
    while position < slots.len() {
        array[position] = slots[position];
        position += 1;
    }
    (array, slots.len() as u8)
}

impl Effect {
    /// What it consumes, deepest first.
    pub fn pops(&self) -> &[Slot] {
        &self.pops[..usize::from(self.pops_len)]
    }

    /// How many values the instruction consumes and leaves, if that does not depend on its immediates.
    #[inline]
    pub fn fixed(&self) -> Option<(u32, u32)> {
        (!self.varies).then_some((self.pops_len.into(), self.pushes_len.into()))
    }

    /// What it leaves, deepest first.
    pub fn pushes(&self) -> &[Slot] {
        &self.pushes[..usize::from(self.pushes_len)]
    }
}

impl Opcode {
    /// What an instruction with this opcode does to the evaluation stack.
    pub fn effect(self) -> &'static Effect {
        &EFFECTS[self as usize]
    }

    /// The opcode's row of the instruction table.
    pub fn info(self) -> &'static OpInfo {
        &INFO[self as usize]
    }

    /// The opcode's name in assembly.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The opcode with this number in the binary form.
    pub fn from_byte(byte: u8) -> Option<Opcode> {
        Opcode::ALL.get(usize::from(byte)).copied()
    }
}
