//! Tables of side exits: what a side exit writes to frames and is known at compile time (tags, constants, headers of calls, and
//! the position at which the interpreter goes on). As instructions these writes would be half of all code, and hardly any of it
//! runs. Most side exits return the address of their table, and the tier calls [`settle`], which performs the writes: a call
//! instruction for each would take longer to compile than the rest of the side exit.

use crate::codegen::{Refusal, Translation};
use crate::layout::{Context, Tags};
use crate::tagged_types::is_tagged;
use cranelift_codegen::ir::{InstBuilder, Value, types as clif};
use phlox_hhir::ValueId;
use phlox_hhir::types as hhir;
use phlox_hhir::unit::{Const, Literal, Unit};
use phlox_value::raw;

/// A write to a frame of a value that is known at compile time.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// The byte offset, with [`ON_STACK`], [`HALF`] and [`ABOVE`].
    place: u32,
    value: u64,
}

/// The offset counts from the frame's place on the stack, and not from where its variables are kept.
const ON_STACK: u32 = 1 << 31;
/// The write has 32 bits.
const HALF: u32 = 1 << 30;
/// The written word is an address so many bytes above the frame's place on the stack.
const ABOVE: u32 = 1 << 29;
const PLACE: u32 = ABOVE - 1;

/// The address from which an offset counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// Where the frame's variables are kept.
    Frame,
    /// The frame's place on the stack.
    Stack,
}

/// A word that is written to a frame.
pub(crate) enum Stored {
    /// 64 known bits.
    Word(u64),
    /// 32 known bits.
    Half(u32),
    /// The address so many bytes above the frame's place on the stack.
    ImplicitCall(usize),
    /// A value of the code.
    Value(Value),
}

impl Known {
    /// The write of a word; `None` if it is a value of the code.
    pub fn new(base: Base, offset: usize, stored: &Stored) -> Option<Known> {
        debug_assert!(offset <= PLACE as usize, "frames are smaller");
        let place = offset as u32 & PLACE | if base == Base::Stack { ON_STACK } else { 0 };
        Some(match *stored {
            Stored::Word(value) => Known { place, value },
            Stored::Half(value) => Known { place: place | HALF, value: u64::from(value) },
            Stored::ImplicitCall(bytes) => Known { place: place | ABOVE, value: bytes as u64 },
            Stored::Value(_) => return None,
        })
    }

    fn is_at(self, base: Base, offset: usize) -> bool {
        self.place & PLACE == offset as u32 && (self.place & ON_STACK != 0) == (base == Base::Stack)
    }
}

/// What is known at compile time of a value that is written to a cell.
pub(crate) struct KnownCell {
    pub tag: u32,
    pub payload: Payload,
}

pub(crate) enum Payload {
    /// The type has no payload.
    None,
    Known(u64),
    Unknown,
}

impl KnownCell {
    /// What is known of a value; `None` if not even its tag word is.
    pub fn of(unit: &Unit, value: ValueId) -> Option<KnownCell> {
        let known = |tag: u32, payload: u64| Some(KnownCell { tag, payload: Payload::Known(payload) });
        let kind = |tag: u32| Some(KnownCell { tag, payload: Payload::None });
        let ty = unit.ty(value);
        match unit.as_const(value) {
            Some(Const::Uninit) => kind(raw::TI_UNDEF),
            Some(Const::Null) => kind(raw::TI_NULL),
            Some(Const::Bool(truth)) => kind(if truth { raw::TI_TRUE } else { raw::TI_FALSE }),
            Some(Const::Int(int)) => known(raw::TI_INT, int as u64),
            Some(Const::Dbl(bits)) => known(raw::TI_DOUBLE, bits),
            Some(Const::Lit(literal)) => match unit.literals[literal.at()] {
                Literal::Str { handle, .. } => known(raw::TI_STR_STATIC, handle),
                Literal::Arr { handle, .. } => known(raw::TI_ARR_STATIC, handle),
            },
            Some(Const::Cls(_) | Const::Func(_) | Const::Nullptr) => None,
            None if is_tagged(ty) || ty.is(hhir::BOOL | hhir::NULL) => None,
            None => Some(KnownCell { tag: Tags::exact(ty.bits())?, payload: Payload::Unknown }),
        }
    }
}

/// The table of a side exit.
pub(crate) struct FrameMap {
    /// The position at which the interpreter goes on; 0 if that is a value of the code.
    position: u64,
    writes: Box<[Known]>,
    /// A table with further writes, which other side exits share.
    rest: Option<&'static FrameMap>,
}

impl FrameMap {
    /// Allocates a table that is never freed, because the code that contains its address is not either.
    pub fn leak(position: u64, writes: Vec<Known>, rest: Option<&'static FrameMap>) -> &'static FrameMap {
        Box::leak(Box::new(FrameMap { position, writes: writes.into(), rest }))
    }
}

/// The bit in what code returns that says that it is the address of a table. The lowest bit is that of the table's position.
pub(crate) const IS_MAP: u64 = 1 << 63;

/// The position at which the interpreter goes on, given what code has returned; performs the writes of the table, if there is
/// one.
///
/// # Safety
/// Compiled code has just returned `given`, and `context` is the one of its thread.
#[inline(always)]
pub unsafe fn settle(context: *mut Context, given: u64) -> u64 {
    if given & IS_MAP == 0 {
        return given;
    }
    // SAFETY: the code has returned the address of its own table, and has stored its frame to the context, as the caller
    // promises.
    unsafe {
        let base = if (*context).inlined == 0 { (*context).frame } else { (*context).outermost };
        write_known(base, base, (given & !(IS_MAP | 1)) as *const FrameMap)
    }
}

/// Performs the writes of a table to the frame, whose variables are at `frame` and whose temporaries are at `stack`. Gives the
/// position.
pub(crate) extern "C" fn write_known(frame: *mut u8, stack: *mut u8, map: *const FrameMap) -> u64 {
    // SAFETY: only code that the table was made for, or `settle` on its behalf, passes the table, with the frame of the unit's
    // function, in which all offsets of the table lie; tables are never freed (SAFETY.md, 8).
    unsafe {
        let mut maps = Some(&*map);
        while let Some(map) = maps {
            for known in &map.writes {
                let base = if known.place & ON_STACK == 0 { frame } else { stack };
                let place = base.add((known.place & PLACE) as usize);
                match known.place & (HALF | ABOVE) {
                    HALF => place.cast::<u32>().write(known.value as u32),
                    ABOVE => place.cast::<*mut u8>().write(stack.add(known.value as usize)),
                    _ => place.cast::<u64>().write(known.value),
                }
            }
            maps = map.rest;
        }
        (*map).position
    }
}

impl Translation<'_> {
    /// Writes a word to the frame; inside of [`Self::noting`] a known word is collected instead.
    pub(crate) fn put(&mut self, base: Base, offset: usize, stored: Stored) {
        if let Some(noted) = &mut self.noted {
            // Collected words are written last, so a collected word for this place would overwrite the value.
            noted.retain(|other| !other.is_at(base, offset));
            if let Some(known) = Known::new(base, offset, &stored) {
                noted.push(known);
                return;
            }
        }
        let value = match stored {
            Stored::Word(word) => self.int(word as i64),
            Stored::Half(half) => self.builder.ins().iconst(clif::I32, i64::from(half)),
            Stored::ImplicitCall(0) => self.stack,
            Stored::ImplicitCall(bytes) => self.builder.ins().iadd_imm_s(self.stack, bytes as i64),
            Stored::Value(value) => value,
        };
        let base = if base == Base::Frame { self.fp } else { self.stack };
        self.store(value, base, offset);
    }

    /// Runs `write`, and gives the known words that it would have written, instead of writing them.
    pub(crate) fn noting(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<Vec<Known>, Refusal> {
        self.noted = Some(Vec::new());
        let written = write(self);
        let noted = self.noted.take().unwrap_or_default();
        written.map(|()| noted)
    }

    /// Writes known words.
    pub(crate) fn write_noted(&mut self, noted: &[Known]) {
        for known in noted {
            let base = if known.place & ON_STACK == 0 { Base::Frame } else { Base::Stack };
            let stored = match known.place & (HALF | ABOVE) {
                HALF => Stored::Half(known.value as u32),
                ABOVE => Stored::ImplicitCall(known.value as usize),
                _ => Stored::Word(known.value),
            };
            self.put(base, (known.place & PLACE) as usize, stored);
        }
    }

    /// Whether tables are left to the code's caller. The frame of a generator's body moves before the code returns, so bodies
    /// write tables themselves.
    pub(crate) fn gives_maps(&self) -> bool {
        !self.shape.is_body
    }

    /// What the code returns for a side exit with a table.
    pub(crate) fn given_map(&mut self, map: &'static FrameMap) -> Value {
        match self.gives_maps() {
            true => self.int((std::ptr::from_ref(map) as u64 | IS_MAP | map.position & 1) as i64),
            false => self.map(map),
        }
    }

    /// Emits a call that performs the writes of a table; gives the table's position.
    pub(crate) fn write_mapped(&mut self, map: Value) -> Value {
        let args = [self.fp, self.stack, map];
        self.call_helper(write_known as *const (), &args, true).unwrap_or(map)
    }

    /// The address of a table.
    pub(crate) fn map(&mut self, map: &'static FrameMap) -> Value {
        self.int(std::ptr::from_ref(map) as i64)
    }
}
