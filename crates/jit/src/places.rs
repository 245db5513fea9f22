//! Properties of objects whose class is known, and places at the end of paths of elements and properties.
//!
//! What is read stays where it is: the container holds it as long as the region runs, since nothing counted is ever
//! overwritten here.

use crate::build::{Build, Flow, State};
use crate::region::Seen;
use phlox_hhbc::SetOp;
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge, Literal as Text};
use phlox_hhir::{LitId, Op, SnapId, ValueId};
use phlox_lower::{Literal, OpCode, Operand, Opline, Path, PathStep};
use phlox_value::raw::offsets;

/// In a property cache's value, beside the slot: only an uninitialised property may be written.
const INITIALIZES: u64 = 1 << 31;

/// The place at the end of a path.
struct Place {
    pointer: ValueId,
    now: Seen,
    /// Tags that it takes, as bits, and a class whose objects it takes.
    accepted: u32,
    class: u64,
}

impl Build<'_> {
    /// `a->b`
    pub(crate) fn get_prop(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = self.snap(at, state);
        let object = match op.a {
            Operand::This => self.own_context()?,
            operand => self.source(operand, state)?,
        };
        let place = self.property(object, op.site, exit)?;
        let value = self.load(&place, exit)?;
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// The place of a declared property, by an inline cache that knows the class of the sample.
    fn property(&mut self, object: ValueId, site: u32, exit: SnapId) -> Option<Place> {
        if !self.b.ty(object).is(hhir::OBJ) {
            return None;
        }
        let seen = *self.seen.get(&object)?;
        let class = seen.class()?;
        let cache = (self.region.caches)(site).into_iter().find(|cache| cache.key == class)?;
        let slot = (cache.value & 0xffff) as usize;
        let now = seen.property(slot).filter(|now| now.bits & (hhir::UNINIT | hhir::BOXED) == 0)?;
        self.check_class(object, class, exit)?;
        let offset = offsets::OBJECT_SLOTS + slot * 16;
        let pointer = self.b.emit(Op::LdPropAddr, Type::of(hhir::GEN), [offset as u32, 0, 0], &[object], Edge::None)?;
        let accepted = if cache.value & INITIALIZES != 0 { 0 } else { (cache.value >> 32) as u32 };
        let class = if cache.value & INITIALIZES != 0 { 0 } else { cache.class };
        Some(Place { pointer, now, accepted, class })
    }

    /// What is at a place: of the type that it is now.
    fn load(&mut self, place: &Place, exit: SnapId) -> Option<ValueId> {
        let ty = Type::of(place.now.bits);
        self.b.emit(Op::CheckTypeMem, ty, [0; 3], &[place.pointer], Edge::Exit(exit));
        if let Some(constant) = phlox_hhir::Unit::const_of_type(ty) {
            return Some(self.b.unit.constant(constant));
        }
        let value = self.b.emit(Op::LdMem, ty, [0; 3], &[place.pointer], Edge::None)?;
        if place.now.bits & (hhir::ARR | hhir::STR | hhir::OBJ) != 0 {
            self.seen.insert(value, place.now);
        }
        Some(value)
    }

    /// Writes a value, if nothing is freed by that.
    fn write(&mut self, place: &Place, value: ValueId, exit: SnapId) -> Option<()> {
        let tags = crate::calls::tags_of(self.kind(value))?;
        if tags & !place.accepted != 0 {
            if !self.b.ty(value).is(hhir::OBJ) || place.class == 0 {
                return None;
            }
            self.check_class(value, place.class, exit)?;
        }
        if self.b.ty(value).maybe_counted() || place.now.bits & hhir::COUNTED != 0 {
            let old = Type::of(hhir::CELL).without(hhir::UNINIT);
            self.b.emit(Op::CheckTypeMem, old, [0; 3], &[place.pointer], Edge::Exit(exit));
            self.b.emit(Op::DropShared, Type::TOP, [0; 3], &[place.pointer], Edge::Exit(exit));
            if self.b.ty(value).maybe_counted() {
                self.b.emit(Op::IncRef, Type::TOP, [0; 3], &[value], Edge::None);
            }
            self.b.emit(Op::StMem, Type::TOP, [0; 3], &[place.pointer, value], Edge::None);
            return Some(());
        }
        let old = Type::of(hhir::UNCOUNTED).without(hhir::UNINIT);
        self.b.emit(Op::CheckTypeMem, old, [0; 3], &[place.pointer], Edge::Exit(exit));
        self.b.emit(Op::StMem, Type::TOP, [0; 3], &[place.pointer, value], Edge::None);
        Some(())
    }

    /// `a->b = c`
    pub(crate) fn set_prop(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = self.snap(at, state);
        let value = self.source(op.c, state)?;
        let object = match op.a {
            Operand::This => self.own_context()?,
            operand => self.peek(operand, state)?,
        };
        let place = self.property(object, op.site, exit)?;
        self.write(&place, value, exit)?;
        Some(Flow::Next)
    }

    /// An element under a literal key.
    pub(crate) fn keyed(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<ValueId> {
        let place = self.keyed_place(array, key, exit)?;
        self.load(&place, exit)
    }

    fn keyed_place(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<Place> {
        let Some(Const::Lit(literal)) = self.b.unit.as_const(key) else { return None };
        let Text::Str { handle, .. } = self.b.unit.literals[literal.at()] else { return None };
        let seen = *self.seen.get(&array)?;
        let (position, now) = seen.keyed(handle)?;
        if now.bits & (hhir::UNINIT | hhir::BOXED) != 0 {
            return None;
        }
        self.b.emit(Op::CheckMixedArrayOffset, Type::TOP, [position, 0, 0], &[array, key], Edge::Exit(exit));
        let pointer = self.b.emit(Op::ElemMixedArrayK, Type::TOP, [position, 0, 0], &[array, key], Edge::None)?;
        Some(Place { pointer, now, accepted: u32::MAX, class: 0 })
    }

    /// Element `key` of an array that may be written.
    fn element_place(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<Place> {
        if self.b.ty(array).bits() != hhir::COUNTED_ARR {
            return None;
        }
        let seen = *self.seen.get(&array)?;
        self.b.emit(Op::CheckArrayCOW, Type::TOP, [0; 3], &[array], Edge::Exit(exit));
        if self.kind(key) == hhir::STATIC_STR {
            return self.keyed_place(array, key, exit);
        }
        if self.kind(key) != hhir::INT || !seen.is_packed() {
            return None;
        }
        let now = seen.element().filter(|now| now.bits & (hhir::UNINIT | hhir::BOXED) == 0)?;
        let array = self.packed(array, exit);
        self.b.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[array, key], Edge::Exit(exit));
        let ty = Type::of(hhir::GEN);
        let pointer = self.b.emit(Op::LdPackedArrayDataElemAddr, ty, [0; 3], &[array, key], Edge::None)?;
        Some(Place { pointer, now, accepted: u32::MAX, class: 0 })
    }

    fn place_of(&mut self, path: &Path, exit: SnapId, state: &mut State) -> Option<Place> {
        let mut base = match path.base {
            Operand::This => self.own_context()?,
            // What is not in memory is somebody else's.
            Operand::Local(local) => match state.cells[local.index()] {
                crate::build::Place::Fixed(value) => value,
                crate::build::Place::Value(value) if self.b.ty(value).is(hhir::OBJ) => value,
                _ => return None,
            },
            _ => return None,
        };
        let mut place: Option<Place> = None;
        for step in &path.steps {
            if let Some(place) = place.take() {
                base = self.load(&place, exit)?;
            }
            place = Some(match *step {
                PathStep::Elem(key) => {
                    let key = self.source(key, state)?;
                    self.element_place(base, key, exit)?
                }
                PathStep::Prop(_, site) => self.property(base, site, exit)?,
                PathStep::New => return None,
            });
        }
        place
    }

    /// `path = a`, `path OP= a`, `path++`
    pub(crate) fn change_path(&mut self, at: u32, op: &Opline, state: &mut State) -> Option<Flow> {
        let exit = self.snap(at, state);
        let path = self.region.lowered.paths.get(op.n as usize)?.clone();
        let operand = match op.op {
            OpCode::IncDecPath => None,
            _ => Some(self.source(op.a, state)?),
        };
        if path.steps.iter().any(|step| matches!(step, PathStep::Elem(_))) && self.shows_arrays(state) {
            return None;
        }
        let place = self.place_of(&path, exit, state)?;
        let value = match (op.op, operand) {
            (OpCode::SetPath, Some(value)) => value,
            (OpCode::SetOpPath, Some(operand)) => {
                let operator = *SetOp::ALL.get(self.number(op.b)?)?;
                let now = self.load(&place, exit)?;
                self.arithmetic(operator, now, operand, exit)?
            }
            _ => {
                let how = self.number(op.b)?;
                // The value before is wanted by nobody.
                if op.c != Operand::None && how >= 2 || place.now.bits != hhir::INT {
                    return None;
                }
                let (now, one) = (self.load(&place, exit)?, self.b.unit.int(1));
                self.b.op_or(if how & 1 == 0 { Op::AddIntO } else { Op::SubIntO }, &[now, one], exit)
            }
        };
        self.write(&place, value, exit)?;
        if op.c == Operand::None {
            return Some(Flow::Next);
        }
        self.store(op.c, value, state).then_some(Flow::Next)
    }

    /// Whether an array that has been read is still to be looked at, although nobody has counted that: then no array may be
    /// changed in place. Arguments are counted by the caller.
    pub(crate) fn shows_arrays(&self, state: &State) -> bool {
        let arguments = match self.region.start {
            crate::region::Start::Function(wanted) => wanted.args.len(),
            crate::region::Start::Loop => 0,
        };
        state.cells[arguments..].iter().any(|place| match place {
            crate::build::Place::Value(value) => self.b.ty(*value).maybe(hhir::COUNTED_ARR),
            _ => false,
        })
    }

    fn number(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Lit(index) => match self.region.lowered.literals[index as usize] {
                Literal::Int(number) => usize::try_from(number).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value that never changes.
    pub(crate) fn constant(&mut self, seen: Seen) -> Option<ValueId> {
        let constant = match seen.bits {
            hhir::INIT_NULL => Const::Null,
            hhir::INT => Const::Int(seen.payload as i64),
            hhir::DBL => Const::Dbl(seen.payload),
            hhir::STATIC_STR | hhir::STATIC_ARR => {
                let known = self.b.unit.literals.iter().position(
                    |literal| matches!(literal, Text::Str { handle, .. } | Text::Arr { handle, .. } if *handle == seen.payload),
                );
                let literal = match known {
                    Some(at) => LitId::new(at),
                    None if seen.bits == hhir::STATIC_ARR => {
                        self.b.unit.add_literal(Text::Arr { count: seen.count(), handle: seen.payload })
                    }
                    None => self.b.unit.add_literal(Text::Str { bytes: seen.bytes(), handle: seen.payload }),
                };
                Const::Lit(literal)
            }
            _ => return None,
        };
        let value = self.b.unit.constant(constant);
        self.seen.insert(value, seen);
        Some(value)
    }
}
