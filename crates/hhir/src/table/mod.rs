//! The instruction table: every instruction of HHIR is declared once, in the files of this folder. Names, printer, parser,
//! verifier, effects and `docs/hhir.md` derive from the table. Each file passes its rows on to the next file; the last one
//! hands all of them to `instructions!`.
//!
//! A row is `Name [immediates] result, [sources], flags, effects;`. The comment of a row also applies to the rows behind it
//! that have none. In comments the sources are `S0`, `S1` and so on. An instruction that "takes the edge" goes to the edge's
//! block, or leaves the unit with the edge's snapshot.

mod engine;
mod members;
mod values;

use crate::ops::Dst::*;
use crate::ops::*;
use crate::types::*;

values::value_rows!();

/// The sources of which an operation consumes a reference, as a set of positions; see [`Op::consumes`].
pub(crate) fn consumed(op: Op) -> u32 {
    const ALL_SOURCES: u32 = u32::MAX;
    match op {
        Op::ConcatStrInt | Op::ConcatStrStr | Op::ConcatStr3 | Op::ConcatStr4 => 0b1,
        Op::AddElemStrKey | Op::AddElemIntKey | Op::ArraySet | Op::ArraySetRef => 0b101,
        Op::InitPackedLayoutArray | Op::StMem | Op::StRef | Op::StLoc | Op::StLocPseudoMain | Op::StStk => 0b10,
        Op::StClosureCtx | Op::StClosureArg | Op::StContArValue | Op::StContArKey | Op::InitCtx => 0b10,
        Op::RetCtrl | Op::RetUnit => 0b10,
        Op::StElem | Op::StPackedElem => 0b100,
        Op::IterInit | Op::IterInitK => 0b1,
        Op::CallHelperTake => 0b100,
        Op::CallFast | Op::CallInterp => ALL_SOURCES << 2,
        _ if op.has(CRC) => ALL_SOURCES,
        _ => 0,
    }
}
