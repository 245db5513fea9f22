//! Properties of objects whose class is known, and the slots of elements and properties.
//!
//! A value that is read gets a reference of its own, because its container may lose it. The pass `counts` removes the references
//! that turn out to be unnecessary.

use crate::host::{InlineCache, LayoutId, PropertyName};
use crate::profile::ObservedType;
use crate::translate::state::{Flow, FrameState, Translator};
use phlox_hhir::types::{self as hhir, Bits, Type};
use phlox_hhir::unit::{Const, Edge, Hint, Literal as Text};
use phlox_hhir::{BlockId, ClassId, LitId, Op, SnapId, ValueId};
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw::{self, offsets};

/// The bit in the value of a property's inline cache that says that the property may be written only while uninitialised.
const INITIALIZES: u64 = 1 << 31;

/// The slot of an element or property.
pub(crate) struct MemberSlot {
    pub pointer: ValueId,
    /// A sample of the value in the slot, if one is known.
    now: Option<ObservedType>,
    /// The types that the slot may hold, as bits of tags.
    kinds: u32,
    /// The types that the slot accepts, as bits of tags.
    pub accepted: u32,
    /// A class whose objects the slot accepts, too; 0 if there is none.
    class: u64,
    /// The slot may be written only once.
    pub is_readonly: bool,
    is_element: bool,
    /// The class that the property is declared with.
    declared: Option<ClassId>,
}

impl MemberSlot {
    /// The slot of an element, at an address, with a sample of its value.
    pub fn of_element(pointer: ValueId, now: Option<ObservedType>) -> MemberSlot {
        MemberSlot {
            pointer,
            now,
            kinds: u32::MAX,
            accepted: u32::MAX,
            class: 0,
            is_readonly: false,
            is_element: true,
            declared: None,
        }
    }
}

/// Whether an inline cache is for objects of a class.
fn is_of_class(cache: &InlineCache) -> bool {
    cache.key & 1 == 0 && cache.key != 0
}

/// The property that an opline names, and whether the opline writes it.
fn named(op: &Opline) -> Option<(PropertyName, bool)> {
    match op.b {
        Operand::Lit(index) => Some((PropertyName::Literal(index), op.op == OpCode::SetProp)),
        _ => None,
    }
}

/// The number of classes, beside the likeliest one, that are compared with where a property has one slot in all of them.
const MAX_CLASSES: usize = 5;
/// The number of classes from which on the code asks whether an object's class has the property layout.
const MANY_CLASSES: usize = 2;

impl Translator<'_> {
    /// Translates `a->b`.
    pub(crate) fn get_prop(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let (exit, before, pending) = (self.snap(at, state), state.clone(), self.pending());
        let object = match op.a {
            Operand::This => self.own_context()?,
            operand if op.op == OpCode::GetPropQuiet => {
                let object = self.peek(operand, state)?;
                if self.kind(object) & !hhir::NULL == 0 {
                    let nothing = self.b.unit.constant(Const::Null);
                    return self.store(op.c, nothing, state).then_some(Flow::Next);
                }
                self.source(operand, state)?
            }
            operand => self.source(operand, state)?,
        };
        let mut others = None;
        let mut place = self.property(object, at, named(op), op.site, exit, Some(&mut others))?;
        if self.has_met_references(at) {
            place.pointer = self.b.op(Op::UnboxPtr, &[place.pointer]);
        }
        let flow = self.get(at, &place, op.c, exit, state)?;
        self.with_others(at, op, others, flow, (before, pending), state)
    }

    /// Has the interpreter execute the opline for objects of classes other than those whose property is accessed inline.
    fn with_others(
        &mut self,
        at: u32,
        op: &Opline,
        others: Option<BlockId>,
        flow: Flow,
        (before, pending): (FrameState, [Vec<ValueId>; 2]),
        state: &mut FrameState,
    ) -> Option<Flow> {
        let Some(others) = others else { return Some(flow) };
        self.meet_behind(at);
        if let Flow::Next = flow {
            self.go(at + 1, state.clone());
        }
        self.b.switch_to(others);
        *state = before;
        self.set_pending(pending);
        self.go_by_interpreter(at, op, state)
    }

    /// Whether the slots that an opline accesses have held references, by type feedback.
    pub(crate) fn has_met_references(&self, at: u32) -> bool {
        self.feedback(at) >> (raw::TI_REF & 0x1f) & 1 != 0
    }

    /// Translates `isset(a->b)`.
    pub(crate) fn isset_prop(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        let exit = self.snap(at, state);
        let object = match op.a {
            Operand::This => self.own_context()?,
            operand => self.source(operand, state)?,
        };
        let place = self.property(object, at, named(op), op.site, exit, None)?;
        let set = Type::of(hhir::INIT_CELL);
        self.b.emit(Op::CheckTypeMem, set, [0; 3], &[place.pointer], Edge::Exit(exit));
        let is_null = self.b.emit(Op::IsTypeMem, Type::of(hhir::INIT_NULL), [0; 3], &[place.pointer], Edge::None)?;
        let yes = self.b.unit.bool(true);
        let answer = self.b.op(Op::XorBool, &[is_null, yes]);
        self.store(op.c, answer, state).then_some(Flow::Next)
    }

    /// Reads a slot to a temporary, with a path for each type that the slot may hold.
    pub(crate) fn get(
        &mut self,
        at: u32,
        place: &MemberSlot,
        to: Operand,
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        if !self.can_store(to, state) {
            return None;
        }
        let kinds = self.kinds_at(at, place);
        if let Some(ty) = self.together(at, to, &kinds) {
            self.b.emit(Op::CheckTypeMem, ty, [0; 3], &[place.pointer], Edge::Exit(exit));
            let value = self.b.emit(Op::LdMem, ty, [0; 3], &[place.pointer], Edge::None)?;
            self.known.samples.extend(place.now.map(|now| (value, now)));
            return self.store(to, value, state).then_some(Flow::Next);
        }
        let (&last, others) = kinds.split_last()?;
        for &bits in others {
            let (yes, no) = (self.b.new_block(Hint::Neutral), self.b.new_block(Hint::Neutral));
            self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[place.pointer], Edge::Block(no));
            let block = self.b.block();
            self.b.unit.blocks[block.at()].next = Some(yes);
            self.b.switch_to(yes);
            let pending = self.pending();
            let mut inner = state.clone();
            let value = self.load(place, bits)?;
            if !self.store(to, value, &mut inner) {
                return None;
            }
            self.go(at + 1, inner);
            self.set_pending(pending);
            self.b.switch_to(no);
        }
        self.b.emit(Op::CheckTypeMem, Type::of(last), [0; 3], &[place.pointer], Edge::Exit(exit));
        let value = self.load(place, last)?;
        self.store(to, value, state).then_some(Flow::Next)
    }

    /// Reads element `key` of a packed array whose elements have several types; `None` if the array is no packed array, or if
    /// such code took side exits.
    pub(crate) fn get_from_list(
        &mut self,
        at: u32,
        op: &Opline,
        [array, key]: [ValueId; 2],
        exit: SnapId,
        state: &mut FrameState,
    ) -> Option<Flow> {
        let seen = self.known.samples.get(&array).copied().filter(|seen| seen.is_packed());
        if seen.is_none() && !self.reads_lists(at) {
            return None;
        }
        // A side exit because of a type that the code did handle means that something else than the type was the cause.
        let failed = self.input.host.exit_feedback(at) & self.input.host.type_feedback(at) != 0;
        let now = seen.and_then(|seen| seen.element()).filter(|now| now.bits & (hhir::UNINIT | hhir::BOXED) == 0);
        if failed || op.op == OpCode::GetElemQuiet || self.kind(key) != hhir::INT || !self.can_store(op.c, state) {
            return None;
        }
        let mut place = MemberSlot::of_element(key, now);
        if self.kinds_at(at, &place).is_empty() {
            return None;
        }
        let array = self.packed(array, exit);
        self.b.emit(Op::CheckPackedArrayDataBounds, Type::TOP, [0; 3], &[array, key], Edge::Exit(exit));
        let ty = Type::of(hhir::GEN);
        place.pointer = self.b.emit(Op::LdPackedArrayDataElemAddr, ty, [0; 3], &[array, key], Edge::None)?;
        self.get(at, &place, op.c, exit, state)
    }

    /// The types that are expected in a slot, the likeliest first.
    pub(crate) fn kinds_at(&self, at: u32, place: &MemberSlot) -> Vec<Bits> {
        let mut kinds: Vec<Bits> = place.now.iter().map(|now| now.bits).collect();
        let mut likely = self.feedback(at);
        if likely != 0 {
            kinds.retain(|&bits| crate::translate::calls::tags_of(bits).is_some_and(|tags| tags & likely != 0));
        } else {
            if place.kinds.count_ones() <= 2 {
                likely |= place.kinds;
            }
            if kinds.iter().any(|&bits| bits & (hhir::OBJ | hhir::INIT_NULL) != 0) {
                likely |= place.kinds & (1 << raw::TI_NULL | 1 << (raw::TI_OBJ & 0xff));
            }
        }
        for bits in crate::translate::calls::kinds_of_tags(likely) {
            if !kinds.contains(&bits) {
                kinds.push(bits);
            }
        }
        kinds
    }

    /// The slot of a declared property, by the opline's inline caches: that of the sample's class, or of any class. Objects of
    /// other classes that have the property in the same slot are handled, too.
    pub(crate) fn property(
        &mut self,
        object: ValueId,
        at: u32,
        name: Option<(PropertyName, bool)>,
        site: u32,
        exit: SnapId,
        parts: Option<&mut Option<BlockId>>,
    ) -> Option<MemberSlot> {
        if !self.b.ty(object).is(hhir::OBJ) {
            return None;
        }
        let mut caches: Vec<InlineCache> =
            self.input.host.inline_caches(site).into_iter().filter(is_of_class).collect();
        let likely = self.class_hint(object);
        for class in likely.into_iter().chain(self.input.host.exit_classes(at)) {
            let found = name.and_then(|(name, writes)| self.input.host.find_property(class, name, writes));
            if let Some(found) = found.filter(|_| caches.iter().all(|cache| cache.key_class() != class)) {
                caches.push(found);
            }
        }
        let cache = match likely {
            Some(class) => *caches.iter().find(|cache| cache.key_class() == class)?,
            None => *caches.first()?,
        };
        let class = cache.key_class();
        let slot = (cache.value & 0xffff) as usize;
        let now = self
            .known
            .samples
            .get(&object)
            .filter(|seen| seen.class() == Some(class))
            .and_then(|seen| seen.property(slot));
        let now = now.filter(|now| now.bits & (hhir::UNINIT | hhir::BOXED) == 0);
        let alike = |other: &InlineCache| other.key_class() != class && other.value == cache.value;
        let mut others: Vec<ClassId> = caches.iter().filter(|other| alike(other)).map(InlineCache::key_class).collect();
        others.truncate(MAX_CLASSES);
        let met = self.input.host.exit_classes(at);
        let layout = name.filter(|_| others.len() + 1 >= MANY_CLASSES || met.len() >= MANY_CLASSES);
        let layout = layout.and_then(|(name, writes)| self.input.host.property_layout(&cache, name, writes));
        let is_expected = |met: &ClassId| match layout {
            Some(layout) => self.input.host.has_layout(*met, layout),
            None => *met == class || others.contains(met),
        };
        let parts = parts.filter(|_| !met.iter().all(is_expected) && self.reentry().is_some());
        let is_one = others.is_empty() && layout.is_none();
        if self.class_made(object).is_some() || (is_one && parts.is_none()) {
            self.check_class(object, class, exit)?;
        } else {
            let fits = match layout {
                Some(layout) => self.has_layout(object, layout)?,
                // The other classes have inherited the property.
                None => self.is_one_of(object, [class].into_iter().chain(others))?,
            };
            match parts {
                Some(parts) => {
                    let (yes, no) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Neutral));
                    self.b.branch(fits, yes, no);
                    self.b.switch_to(yes);
                    *parts = Some(no);
                }
                None => self.b.exit_unless(fits, exit),
            }
        }
        let offset = offsets::OBJECT_SLOTS + slot * 16;
        let pointer = self.b.emit(Op::LdPropAddr, Type::of(hhir::GEN), [offset as u32, 0, 0], &[object], Edge::None)?;
        let kinds = self.input.host.property_kinds(class, slot as u32);
        let is_readonly = cache.value & INITIALIZES != 0;
        let accepted = (cache.value >> 32) as u32;
        let declared = self.input.host.property_class(class, slot as u32);
        Some(MemberSlot { pointer, now, kinds, accepted, class: cache.class, is_readonly, is_element: false, declared })
    }

    /// Whether an object is of one of some classes.
    fn is_one_of(&mut self, object: ValueId, classes: impl Iterator<Item = ClassId>) -> Option<ValueId> {
        let own = self.b.op(Op::LdObjClass, &[object]);
        let yes = self.b.unit.bool(true);
        let mut either = None;
        for class in classes {
            let wanted = self.b.unit.constant(Const::Cls(class));
            let same = self.b.op(Op::EqCls, &[own, wanted]);
            either = Some(either.map_or(same, |either| self.b.op(Op::Select, &[same, yes, either])));
        }
        either
    }

    /// Whether an object's class has a property layout.
    fn has_layout(&mut self, object: ValueId, layout: LayoutId) -> Option<ValueId> {
        let own = self.b.op(Op::LdObjClass, &[object]);
        let words = [layout.0 as u32, (layout.0 >> 32) as u32, 0];
        self.b.emit(Op::HasLayout, Type::TOP, words, &[own], Edge::None)
    }

    /// The class of an object that was created in the region, or has been guarded.
    fn class_made(&self, object: ValueId) -> Option<ClassId> {
        self.known.classes.get(&object).copied()
    }

    /// The class that an object is likely to be of.
    pub(crate) fn class_hint(&self, object: ValueId) -> Option<ClassId> {
        self.known.classes.get(&object).copied().or_else(|| self.known.samples.get(&object)?.class())
    }

    /// Loads the value of a slot, whose type has been guarded.
    pub(crate) fn load(&mut self, place: &MemberSlot, bits: Bits) -> Option<ValueId> {
        let ty = Type::of(bits);
        if let Some(constant) = phlox_hhir::Unit::const_of_type(ty) {
            return Some(self.b.unit.constant(constant));
        }
        let value = self.b.emit(Op::LdMem, ty, [0; 3], &[place.pointer], Edge::None)?;
        if let Some(now) = place.now.filter(|now| now.bits == bits && bits & (hhir::ARR | hhir::STR | hhir::OBJ) != 0) {
            self.known.samples.insert(value, now);
        }
        Some(value)
    }

    /// Loads the value of a slot, guarding that it is of the type of the sample.
    pub(crate) fn load_now(&mut self, place: &MemberSlot, exit: SnapId) -> Option<ValueId> {
        let bits = match place.now {
            Some(now) => now.bits,
            None => match crate::translate::calls::kinds_of_tags(place.kinds)[..] {
                [bits] => bits,
                _ => return None,
            },
        };
        self.b.emit(Op::CheckTypeMem, Type::of(bits), [0; 3], &[place.pointer], Edge::Exit(exit));
        self.load(place, bits)
    }

    /// Loads a slot's value as the container of a path's next step. A property declared with a class may hold an object where it
    /// is null now.
    pub(crate) fn load_container(&mut self, mut place: MemberSlot, exit: SnapId) -> Option<ValueId> {
        const OBJECTS: u32 = 1 << (raw::TI_OBJ & 0xff);
        let is_unset = place.now.is_some_and(|now| now.bits == hhir::INIT_NULL);
        if is_unset && !place.is_element && place.kinds & !(1 << raw::TI_NULL) == OBJECTS {
            place.now = None;
            place.kinds = OBJECTS;
        }
        self.load_now(&place, exit)
    }

    /// Guards that a property accepts a value without conversion.
    pub(crate) fn accept(&mut self, place: &MemberSlot, value: ValueId, exit: SnapId) -> Option<()> {
        let tags = crate::translate::calls::tags_of(self.kind(value))?;
        if tags & !place.accepted != 0 {
            if !self.b.ty(value).is(hhir::OBJ) {
                return None;
            }
            match place.declared {
                Some(class) => self.check_instance(value, class, exit),
                None if place.class != 0 => self.check_class(value, ClassId(place.class), exit)?,
                None => return None,
            }
        }
        Some(())
    }

    /// Writes a value to a slot and releases the old one.
    pub(crate) fn write(&mut self, place: &MemberSlot, value: ValueId, exit: SnapId) -> Option<()> {
        self.accept(place, value, exit)?;
        // The fast path is for numbers and booleans: a slot to which null is written may hold an object at other times.
        let is_plain = self.b.ty(value).is(hhir::NUM | hhir::BOOL)
            && place.now.is_some_and(|now| now.bits & !hhir::UNCOUNTED == 0)
            && !place.is_readonly;
        if is_plain {
            let old = Type::of(hhir::UNCOUNTED).without(hhir::UNINIT);
            self.b.emit(Op::CheckTypeMem, old, [0; 3], &[place.pointer], Edge::Exit(exit));
            self.b.emit(Op::StMem, Type::TOP, [0; 3], &[place.pointer, value], Edge::None);
            return Some(());
        }
        if place.is_element {
            // A hole is no element, so writing there would have to change the array's element count.
            self.b.emit(Op::CheckTypeMem, Type::of(hhir::INIT_CELL), [0; 3], &[place.pointer], Edge::Exit(exit));
        } else {
            let once = u32::from(place.is_readonly);
            self.b.emit(Op::CheckWritable, Type::TOP, [once, 0, 0], &[place.pointer], Edge::Exit(exit));
        }
        self.own(value);
        if !place.is_readonly {
            self.note_release();
            self.b.emit(Op::DropMem, Type::TOP, [0; 3], &[place.pointer], Edge::None);
        }
        self.b.emit(Op::StMem, Type::TOP, [0; 3], &[place.pointer, value], Edge::None);
        Some(())
    }

    /// Translates `a->b = c`.
    pub(crate) fn set_prop(&mut self, at: u32, op: &Opline, state: &mut FrameState) -> Option<Flow> {
        if self.has_met_references(at) {
            // Variables of the region may share the reference.
            let nesting = self.reentry()?;
            self.prepare_reentry(nesting, state);
            self.reload(at, op, state);
        }
        let (exit, before, pending) = (self.snap(at, state), state.clone(), self.pending());
        let value = self.source(op.c, state)?;
        let object = match op.a {
            Operand::This => self.own_context()?,
            operand => self.peek(operand, state)?,
        };
        let mut others = None;
        let mut place = self.property(object, at, named(op), op.site, exit, Some(&mut others))?;
        // The slot may hold values of other types the next time.
        let overwritten = self.feedback(at);
        if overwritten & !crate::translate::calls::tags_of(hhir::UNCOUNTED)? != 0 {
            place.now = None;
        }
        match self.has_met_references(at) && !place.is_readonly {
            true => self.write_through(&place, value, exit)?,
            false => self.write(&place, value, exit)?,
        }
        self.with_others(at, op, others, Flow::Next, (before, pending), state)
    }

    /// Writes a value to a slot that may hold a reference, which variables of the callers may share.
    pub(crate) fn write_through(&mut self, place: &MemberSlot, value: ValueId, exit: SnapId) -> Option<()> {
        self.accept(place, value, exit)?;
        self.outcome.needs_frame = true;
        let inside = self.b.op(Op::UnboxPtr, &[place.pointer]);
        self.b.emit(Op::CheckWritable, Type::TOP, [0; 3], &[inside], Edge::Exit(exit));
        let helper = self.input.shape.helpers.store_at;
        let function = self.b.unit.constant(Const::Func(phlox_hhir::FuncId(helper as usize as u64)));
        let srcs = [function, self.b.unit.int(0), place.pointer, value];
        self.note_release();
        self.b.emit(Op::CallHelperMem, Type::TOP, [0; 3], &srcs, Edge::Exit(exit));
        Some(())
    }

    /// Reads an element under a literal key.
    pub(crate) fn keyed(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<ValueId> {
        let place = self.keyed_place(array, key, exit)?;
        self.load_now(&place, exit)
    }

    pub(crate) fn keyed_place(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<MemberSlot> {
        let Some(Const::Lit(literal)) = self.b.unit.as_const(key) else { return None };
        let Text::Str { handle, .. } = self.b.unit.literals[literal.at()] else { return None };
        let seen = *self.known.samples.get(&array)?;
        let (position, now) = seen.keyed(handle)?;
        if now.bits & (hhir::UNINIT | hhir::BOXED) != 0 {
            return None;
        }
        self.b.emit(Op::CheckMixedArrayOffset, Type::TOP, [position, 0, 0], &[array, key], Edge::Exit(exit));
        let pointer = self.b.emit(Op::ElemMixedArrayK, Type::TOP, [position, 0, 0], &[array, key], Edge::None)?;
        Some(MemberSlot::of_element(pointer, Some(now)))
    }

    /// The slot of element `key` of an array that may be written.
    pub(crate) fn element_place(&mut self, array: ValueId, key: ValueId, exit: SnapId) -> Option<MemberSlot> {
        if self.b.ty(array).bits() != hhir::COUNTED_ARR {
            return None;
        }
        let seen = *self.known.samples.get(&array)?;
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
        Some(MemberSlot::of_element(pointer, Some(now)))
    }

    /// A value that never changes, as a constant.
    pub(crate) fn constant(&mut self, seen: ObservedType) -> Option<ValueId> {
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
            hhir::FALSE => Const::Bool(false),
            hhir::TRUE => Const::Bool(true),
            hhir::OBJ => {
                let words = [seen.payload as u32, (seen.payload >> 32) as u32, 0];
                let object = self.b.emit(Op::LdConstObj, Type::TOP, words, &[], Edge::None)?;
                self.known.samples.insert(object, seen);
                return Some(object);
            }
            _ => return None,
        };
        let value = self.b.unit.constant(constant);
        self.known.samples.insert(value, seen);
        Some(value)
    }
}
