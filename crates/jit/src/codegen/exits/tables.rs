//! What is written into frames where code is left, and is known when that code is made: tags, constants, headers of calls, and where
//! the interpreter goes on. It stands in a table, which a function reads when code is left there: as instructions it would be half
//! of all code, and hardly any of it runs. Most code is left with the table's address, and who takes that ([`settle`]) has it read: a
//! call in the code would cost more to compile than all else that leaves it.

use crate::codegen::{Refusal, Translation};
use crate::layout::{Context, Tags};
use crate::tagged_types::is_mixed;
use cranelift_codegen::ir::{InstBuilder, Value, types as clif};
use phlox_hhir::ValueId;
use phlox_hhir::types as hhir;
use phlox_hhir::unit::{Const, Literal, Unit};
use phlox_value::raw;

/// Something that is written into a frame, and is known.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// Where, in bytes, with [`ON_STACK`] and how it is written.
    place: u32,
    value: u64,
}

/// The place is counted from where the frame is on the stack, not from where its variables are kept.
const ON_STACK: u32 = 1 << 31;
/// 32 bits are written.
const HALF: u32 = 1 << 30;
/// What is written is the address of so many bytes above where the frame is on the stack.
const ABOVE: u32 = 1 << 29;
const PLACE: u32 = ABOVE - 1;

/// What an offset is counted from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Frame,
    Stack,
}

/// What is written into a frame.
pub(crate) enum Stored {
    Word(u64),
    Half(u32),
    /// The address of so many bytes above where the frame is on the stack.
    Above(usize),
    Value(Value),
}

impl Known {
    /// `None`: it is a value of the code.
    pub fn new(base: Base, offset: usize, stored: &Stored) -> Option<Known> {
        debug_assert!(offset <= PLACE as usize, "frames are smaller");
        let place = offset as u32 & PLACE | if base == Base::Stack { ON_STACK } else { 0 };
        Some(match *stored {
            Stored::Word(value) => Known { place, value },
            Stored::Half(value) => Known { place: place | HALF, value: u64::from(value) },
            Stored::Above(bytes) => Known { place: place | ABOVE, value: bytes as u64 },
            Stored::Value(_) => return None,
        })
    }

    fn is_at(self, base: Base, offset: usize) -> bool {
        self.place & PLACE == offset as u32 && (self.place & ON_STACK != 0) == (base == Base::Stack)
    }
}

/// What is known of a value that a cell gets.
pub(crate) struct KnownCell {
    pub tag: u32,
    pub payload: Payload,
}

pub(crate) enum Payload {
    /// The kind has none.
    None,
    Known(u64),
    Unknown,
}

impl KnownCell {
    /// `None`: not even the tag.
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
            None if is_mixed(ty) || ty.is(hhir::BOOL | hhir::NULL) => None,
            None => Some(KnownCell { tag: Tags::exact(ty.bits())?, payload: Payload::Unknown }),
        }
    }
}

/// What is known of a place where code is left.
pub(crate) struct FrameMap {
    /// What code gives back: where the interpreter goes on; 0 if that is a value of the code.
    position: u64,
    writes: Box<[Known]>,
    /// What is written besides, for other places, too.
    rest: Option<&'static FrameMap>,
}

impl FrameMap {
    /// A map that lives as long as the code that names it: for ever.
    pub fn leak(position: u64, writes: Vec<Known>, rest: Option<&'static FrameMap>) -> &'static FrameMap {
        Box::leak(Box::new(FrameMap { position, writes: writes.into(), rest }))
    }
}

/// In what code gives back: it is the address of a map, which says where the interpreter goes on. The lowest bit is as in positions.
pub(crate) const IS_MAP: u64 = 1 << 63;

/// Where the interpreter goes on, given what code has given back; what is known of the frames has been written.
///
/// # Safety
/// Code has just given that back, and the context is its own.
#[inline(always)]
pub unsafe fn settle(context: *mut Context, given: u64) -> u64 {
    if given & IS_MAP == 0 {
        return given;
    }
    // SAFETY: by the caller; the code has left its frame in the context.
    unsafe {
        let base = if (*context).inlined == 0 { (*context).frame } else { (*context).outermost };
        write_known(base, base, (given & !(IS_MAP | 1)) as *const FrameMap)
    }
}

/// Writes what is known into the frame, whose variables are at `frame` and whose temporaries at `stack`. Gives the position.
pub(crate) extern "C" fn write_known(frame: *mut u8, stack: *mut u8, map: *const FrameMap) -> u64 {
    // SAFETY: called by the code that the map was made for, with the frame of the unit's function, which has the places; maps
    // live for ever.
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
    /// Writes something into the frame; what is known is noted instead where [`Self::noting`] is at work.
    pub(crate) fn put(&mut self, base: Base, offset: usize, stored: Stored) {
        if let Some(noted) = &mut self.noted {
            // What is noted is written last.
            noted.retain(|other| !other.is_at(base, offset));
            if let Some(known) = Known::new(base, offset, &stored) {
                noted.push(known);
                return;
            }
        }
        let value = match stored {
            Stored::Word(word) => self.int(word as i64),
            Stored::Half(half) => self.builder.ins().iconst(clif::I32, i64::from(half)),
            Stored::Above(0) => self.stack,
            Stored::Above(bytes) => self.builder.ins().iadd_imm_s(self.stack, bytes as i64),
            Stored::Value(value) => value,
        };
        let base = if base == Base::Frame { self.fp } else { self.stack };
        self.store(value, base, offset);
    }

    /// Writes something but for what is known of it, and gives that.
    pub(crate) fn noting(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<Vec<Known>, Refusal> {
        self.noted = Some(Vec::new());
        let written = write(self);
        let noted = self.noted.take().unwrap_or_default();
        written.map(|()| noted)
    }

    /// Writes what was noted.
    pub(crate) fn write_noted(&mut self, noted: &[Known]) {
        for known in noted {
            let base = if known.place & ON_STACK == 0 { Base::Frame } else { Base::Stack };
            let stored = match known.place & (HALF | ABOVE) {
                HALF => Stored::Half(known.value as u32),
                ABOVE => Stored::Above(known.value as usize),
                _ => Stored::Word(known.value),
            };
            self.put(base, (known.place & PLACE) as usize, stored);
        }
    }

    /// Whether it is left to who gets what the code gives back to write what a map says. The bodies of generators are moved before.
    pub(crate) fn gives_maps(&self) -> bool {
        !self.shape.is_body
    }

    /// What the code gives back to be left as a map says.
    pub(crate) fn given_map(&mut self, map: &'static FrameMap) -> Value {
        match self.gives_maps() {
            true => self.int((std::ptr::from_ref(map) as u64 | IS_MAP | map.position & 1) as i64),
            false => self.map(map),
        }
    }

    /// Has a function write what a map says; the map's position.
    pub(crate) fn write_mapped(&mut self, map: Value) -> Value {
        let args = [self.fp, self.stack, map];
        self.call_helper(write_known as *const (), &args, true).unwrap_or(map)
    }

    /// The address of a map.
    pub(crate) fn map(&mut self, map: &'static FrameMap) -> Value {
        self.int(std::ptr::from_ref(map) as i64)
    }
}
