//! What exits write into frames that is known when they are made: tags, constants, and where the interpreter goes on. It stands
//! in a table for each exit, which a function reads when code is left there: as instructions it would be a third of all code,
//! and hardly any of it runs.

use crate::layout::{FrameShape, Tags};
use crate::mixed::is_mixed;
use phlox_hhir::types as hhir;
use phlox_hhir::unit::{Const, Literal, Slot, SnapEntry, Unit};
use phlox_value::raw::{self, offsets};

/// A cell that an exit writes.
#[derive(Clone, Copy)]
pub(crate) struct MappedCell {
    /// Where it is, in bytes, with [`ON_STACK`] and [`HAS_PAYLOAD`].
    place: u32,
    tag: u32,
    payload: u64,
}

/// The place is counted from where the frame is on the stack, not from where its variables are kept.
const ON_STACK: u32 = 1 << 31;
/// The payload is known, too.
const HAS_PAYLOAD: u32 = 1 << 30;

impl MappedCell {
    /// What is known of a cell; none if its tag is a value, or something is to be done beside.
    pub fn of(unit: &Unit, entry: &SnapEntry, shape: &FrameShape) -> Option<MappedCell> {
        let offset =
            u32::try_from(shape.offset(entry.slot)).ok().filter(|offset| offset & (ON_STACK | HAS_PAYLOAD) == 0)?;
        let on_stack = match entry.slot {
            Slot::Local(cell) if cell < shape.before_tmps => 0,
            _ => ON_STACK,
        };
        let ty = unit.ty(entry.value);
        let known = |tag: u32, payload: u64| Some(MappedCell { place: offset | on_stack | HAS_PAYLOAD, tag, payload });
        match unit.as_const(entry.value) {
            Some(Const::Uninit) => known(raw::TI_UNDEF, 0),
            Some(Const::Null) => known(raw::TI_NULL, 0),
            Some(Const::Bool(truth)) => known(if truth { raw::TI_TRUE } else { raw::TI_FALSE }, 0),
            Some(Const::Int(int)) => known(raw::TI_INT, int as u64),
            Some(Const::Dbl(bits)) => known(raw::TI_DOUBLE, bits),
            Some(Const::Lit(literal)) => match unit.literals[literal.at()] {
                Literal::Str { handle, .. } => known(raw::TI_STR_STATIC, handle),
                Literal::Arr { handle, .. } => known(raw::TI_ARR_STATIC, handle),
            },
            Some(Const::Cls(_) | Const::Func(_) | Const::Nullptr) => None,
            None if is_mixed(ty) || ty.is(hhir::BOOL | hhir::NULL) => None,
            None => Some(MappedCell { place: offset | on_stack, tag: Tags::exact(ty.bits())?, payload: 0 }),
        }
    }

    pub fn has_payload(self) -> bool {
        self.place & HAS_PAYLOAD != 0
    }
}

/// What is known of an exit.
pub(crate) struct ExitMap {
    /// What code gives back: where the interpreter goes on.
    position: u64,
    cells: Box<[MappedCell]>,
}

impl ExitMap {
    /// The address of a map that lives as long as the code that names it: for ever.
    pub fn leak(position: u64, cells: Vec<MappedCell>) -> u64 {
        let map: &'static ExitMap = Box::leak(Box::new(ExitMap { position, cells: cells.into() }));
        std::ptr::from_ref(map) as u64
    }
}

/// Writes what is known of an exit into the frame, whose variables are at `frame` and whose temporaries at `stack`. Gives the
/// position.
pub(crate) extern "C" fn write_exit(frame: *mut u8, stack: *mut u8, map: *const ExitMap) -> u64 {
    // SAFETY: called by the exit that the map was made for, with the frame of the unit's function, which has the cells; maps
    // live for ever.
    unsafe {
        let map = &*map;
        for cell in &map.cells {
            let base = if cell.place & ON_STACK == 0 { frame } else { stack };
            let place = base.add((cell.place & !(ON_STACK | HAS_PAYLOAD)) as usize);
            if cell.has_payload() {
                place.add(offsets::CELL_PAYLOAD).cast::<u64>().write(cell.payload);
            }
            place.add(offsets::CELL_TAG).cast::<u32>().write(cell.tag);
        }
        map.position
    }
}
