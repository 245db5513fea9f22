//! Walks over an instruction's immediates, derived from the instruction table.

use phlox_hhbc::*;

/// What replaces label numbers and unnamed locals when a function is finished.
pub(crate) struct Patch<'a> {
    /// Position of each label.
    pub labels: &'a [u32],
    /// How many named locals there are; unnamed ones follow.
    pub named: u32,
    /// The bit that marks an unnamed local.
    pub temp: u32,
}

impl Patch<'_> {
    /// Replaces a label's number by its position, and a number that is no label by 0.
    pub fn target(&self, target: &mut Target) {
        target.0 = self.labels.get(target.index()).copied().unwrap_or(0);
    }

    /// Replaces an unnamed local's number by one behind the named locals.
    pub fn local(&self, local: &mut LocalId) {
        if local.0 & self.temp != 0 {
            local.0 = (local.0 & !self.temp) + self.named;
        }
    }
}

/// An immediate's part in patching and in the stack effect.
trait Immediate {
    fn patch(&mut self, _patch: &Patch<'_>) {}

    /// The count of `Cn`, `CVn` and `Fn`.
    fn count(&self) -> u32 {
        0
    }

    /// How many stack values a member vector takes.
    fn member_inputs(&self, _vectors: &[MemberVector]) -> u32 {
        0
    }

    fn branch(&self) -> Option<Target> {
        None
    }
}

impl Immediate for Target {
    fn patch(&mut self, patch: &Patch<'_>) {
        patch.target(self);
    }

    fn branch(&self) -> Option<Target> {
        Some(*self)
    }
}

impl Immediate for LocalId {
    fn patch(&mut self, patch: &Patch<'_>) {
        patch.local(self);
    }
}

impl Immediate for u32 {
    fn count(&self) -> u32 {
        *self
    }
}

impl Immediate for VectorId {
    fn member_inputs(&self, vectors: &[MemberVector]) -> u32 {
        vectors.get(self.index()).map_or(0, |v| {
            let base = match v.base {
                Base::L(_) | Base::H => 0,
                Base::S => 2,
                Base::N | Base::G | Base::C | Base::R => 1,
            };
            base + v.members.iter().filter(|m| matches!(m, Member::EC | Member::PC)).count() as u32
        })
    }
}

macro_rules! plain_immediates {
    ($($ty:ty)*) => { $(impl Immediate for $ty {})* };
}

plain_immediates! {
    i64 F64 StrId ArrayId TypeId FuncId ClassId IterId SwitchId
    SetOp IncDec SilenceOp RefNotice HookKind TypeTest
}

macro_rules! inputs {
    ($count:ident, $members:ident, Cn) => {
        $count
    };
    ($count:ident, $members:ident, CVn) => {
        $count
    };
    ($count:ident, $members:ident, Fn) => {
        $count
    };
    ($count:ident, $members:ident, M) => {
        $members
    };
    ($count:ident, $members:ident, $flavour:ident) => {
        1
    };
}

macro_rules! pending_call {
    (fpi_push) => {
        PendingCall::Opens
    };
    (fpi_pop) => {
        PendingCall::Ends
    };
    ($flag:ident) => {
        PendingCall::No
    };
}

enum PendingCall {
    No,
    Opens,
    Ends,
}

/// Stack cells that a pending call counts for.
const CALL_HEADER: u32 = 4;

macro_rules! define_walks {
    ($($(#[$doc:meta])* $name:ident { $($imm:ident : $ty:ident),* } [$($pop:ident)*] => [$($push:ident)*], $flag:ident;)*) => {
        /// Replaces labels by positions and numbers the unnamed locals.
        pub(crate) fn patch_instr(instr: &mut Instr, patch: &Patch<'_>) {
            match instr {
                $(Instr::$name { $($imm),* } => { let _ = patch; $($imm.patch(patch);)* })*
            }
        }

        /// Cells that the instruction takes from the stack and puts there.
        pub(crate) fn stack_effect(instr: &Instr, vectors: &[MemberVector]) -> (u32, u32) {
            match instr {
                $(Instr::$name { $($imm),* } => {
                    let _count = 0 $(+ $imm.count())*;
                    let _members = 0 $(+ $imm.member_inputs(vectors))*;
                    let pops = 0 $(+ inputs!(_count, _members, $pop))*;
                    let pushes = 0 $(+ inputs!(_count, _members, $push))*;
                    match pending_call!($flag) {
                        PendingCall::No => (pops, pushes),
                        PendingCall::Opens => (pops, pushes + CALL_HEADER),
                        PendingCall::Ends => (pops + CALL_HEADER, pushes),
                    }
                })*
            }
        }

        /// The label a branching instruction names (switch tables apart).
        pub(crate) fn branch_target(instr: &Instr) -> Option<Target> {
            match instr {
                $(Instr::$name { $($imm),* } => {
                    let targets: &[Option<Target>] = &[$($imm.branch()),*];
                    targets.iter().copied().flatten().next()
                })*
            }
        }
    };
}

phlox_hhbc::for_each_op!(define_walks);
