//! The entry of a region: guards and loads of variables, arguments and `$this`.

use crate::host::Specialization;
use crate::input::{Start, This};
use crate::profile::ObservedType;
use crate::tagged_types::tagged_type;
use crate::translate::state::{FrameState, Loc, Translator};
use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::{Const, Edge, Hint, Unit};
use phlox_hhir::{ClassId, FrameId, Op, SnapId, ValueId};
use phlox_lower::OpCode;
use phlox_lower::facts::Number;
use phlox_value::raw;

impl Translator<'_> {
    /// Finds the cells that the region writes.
    pub(crate) fn note_writes(&mut self) {
        for at in self.outline.first..=self.outline.end {
            let op = *self.input.op(at);
            let mut cells = Vec::new();
            op.each_operand(self.input.lowered, |used| {
                cells.extend(self.cell(used.operand).filter(|_| used.access.writes()));
            });
            if op.op.facts().n == Number::Iterator {
                let iter = self.input.iter_cell(op.n) as usize;
                cells.push(iter + 1);
                if op.op != OpCode::IterNext {
                    cells.push(iter);
                }
            }
            for cell in cells {
                self.outline.written[cell] = true;
            }
        }
    }

    /// Emits the entry of a loop or generator body: guards and loads of the variables that it uses.
    pub(crate) fn enter(&mut self) -> FrameState {
        let before_tmps = self.input.before_tmps() as usize;
        let mut cells = vec![Loc::Memory; self.outline.written.len()];
        for cell in before_tmps..cells.len() {
            self.outline.written[cell] = true;
            cells[cell] = Loc::Empty;
        }
        let restart = self.b.snap(FrameId(0), self.input.header, Vec::new(), None);
        self.check_this(restart);
        let mut touched = vec![false; before_tmps];
        let first = if self.is_body() { self.outline.first } else { self.input.header };
        for at in first..=self.outline.end {
            let op = *self.input.op(at);
            op.variables(self.input.lowered).into_iter().for_each(|local| touched[local.index()] = true);
            if op.op == OpCode::IterNext && !self.walks_generator(op.n) {
                let iter = self.input.iter_cell(op.n) as usize;
                touched[iter] = true;
                touched[iter + 1] = true;
            }
        }
        let (mut strings, mut mixed, mut array) = (Vec::new(), Vec::new(), None);
        if self.is_body() {
            self.enter_sent(&mut cells, &mut strings, restart);
        }
        if matches!(self.input.start, Start::Loop) {
            self.note_alone(&touched);
        }
        self.unbox_variables(restart);
        for cell in (0..before_tmps).filter(|&cell| touched[cell]) {
            let Some(seen) = self.input.seen(cell as u32) else { continue };
            let seen = if self.references.boxes.has(cell) { seen.inner().unwrap_or(seen) } else { seen };
            let is_dead = self.input.is_lazy
                && cell < self.input.locals as usize
                && !self.outline.liveness.is_live(self.input.header, cell);
            let is_unsettled =
                seen.bits != hhir::BOXED && (is_dead && self.outline.written[cell] || self.is_set_at_times(cell));
            if self.references.passed.contains(&(cell as u32)) || is_unsettled {
                // An opline that reads the variable after all guards its type then.
                cells[cell] = Loc::Flushed(seen.bits);
                continue;
            }
            if let Some(ty) = self.entered_as(cell, seen) {
                self.b.check_loc(self.fp, cell as u32, ty, restart);
                mixed.push((cell, ty));
                continue;
            }
            if self.input.is_lazy && self.outline.written[cell] && seen.bits & hhir::ARR != 0 && array.is_none() {
                array = Some((cell, seen));
                continue;
            }
            if self.outline.written[cell] && seen.bits & hhir::STR != 0 {
                // The string is moved out of the frame only after all guards, because a guard that fails must find it there.
                self.b.check_loc(self.fp, cell as u32, Type::of(hhir::STR), restart);
                strings.push(cell);
                continue;
            }
            if let Some(place) = self.enter_cell(cell, seen, restart) {
                cells[cell] = place;
            }
        }
        if let Some((cell, seen)) = array {
            self.enter_array(cell, seen, &cells, (&strings, &mixed), restart);
            let value = self.b.ld_loc(self.fp, cell as u32, Type::of(hhir::COUNTED_ARR));
            if seen.bits == hhir::COUNTED_ARR {
                self.known.samples.insert(value, seen);
            }
            cells[cell] = Loc::Owned(value);
        }
        self.take_all(&strings, &mixed, &mut cells);
        FrameState { cells }
    }

    /// Whether a variable was undefined at the entry of the loop at some times, and set at others.
    fn is_set_at_times(&self, cell: usize) -> bool {
        let is_variable = cell < self.input.locals as usize && matches!(self.input.start, Start::Loop);
        let met = if is_variable { self.input.host.entry_feedback(cell as u32) } else { 0 };
        let undefined = 1 << raw::TI_UNDEF;
        met & undefined != 0 && met & !undefined != 0 && met >> (raw::TI_REF & 0x1f) & 1 == 0
    }

    /// The type of a variable that is a tagged value at the loop's entry, because it had several types there.
    fn entered_as(&self, cell: usize, seen: ObservedType) -> Option<Type> {
        if cell >= self.input.locals as usize || self.is_function() {
            return None;
        }
        let met = crate::translate::calls::kinds_of_tags(self.input.host.entry_feedback(cell as u32));
        let all = met.iter().fold(0, |all, bits| all | bits) | crate::profile::counted_strings(seen.bits);
        let is_one = all == crate::profile::counted_strings(seen.bits);
        // The tags tell the two booleans apart, so a variable that was only boolean needs no tagged value.
        tagged_type(all).filter(|_| !is_one && all & !hhir::BOOL != 0)
    }

    /// Enters a loop with an array in a variable that the loop changes, where the array may be a literal in the first iteration.
    /// The path for literals goes to the loop's header; translation continues in the block for counted arrays.
    pub(crate) fn enter_array(
        &mut self,
        cell: usize,
        seen: ObservedType,
        cells: &[Loc],
        (strings, mixed): (&[usize], &[(usize, Type)]),
        restart: SnapId,
    ) {
        let (counted, literal) = (self.b.new_block(Hint::Likely), self.b.new_block(Hint::Neutral));
        let (number, fp) = (cell as u32, self.fp);
        let edge = phlox_hhir::unit::Edge::Block(literal);
        self.b.emit(Op::CheckLoc, Type::of(hhir::COUNTED_ARR), [number, 0, 0], &[fp], edge);
        let block = self.b.block();
        self.b.unit.blocks[block.at()].next = Some(counted);
        self.b.switch_to(literal);
        let ty = Type::of(hhir::STATIC_ARR);
        self.b.check_loc(fp, number, ty, restart);
        let value = self.b.ld_loc(fp, number, ty);
        if seen.bits == hhir::STATIC_ARR {
            self.known.samples.insert(value, seen);
        }
        let mut cells = cells.to_vec();
        cells[cell] = Loc::Value(value);
        self.take_all(strings, mixed, &mut cells);
        self.go(self.input.header, FrameState { cells });
        self.b.switch_to(counted);
    }

    /// Loads the variables that are moved out of the frame after all guards: strings, which may be literals, and tagged values.
    fn take_all(&mut self, strings: &[usize], mixed: &[(usize, Type)], cells: &mut [Loc]) {
        for &cell in strings {
            cells[cell] = self.take_string(cell as u32).map_or(Loc::Memory, Loc::Owned);
        }
        for &(cell, ty) in mixed {
            let (number, fp, none) = (cell as u32, self.fp, phlox_hhir::unit::Edge::None);
            if !self.outline.written[cell] {
                cells[cell] = Loc::Fixed(self.b.ld_loc(fp, number, ty));
                continue;
            }
            let Some(place) = self.b.emit(Op::LdLocAddr, Type::TOP, [number, 0, 0], &[fp], none) else { continue };
            if let Some(value) = self.b.emit(Op::TakeMem, ty, [0; 3], &[place], none) {
                cells[cell] = Loc::Owned(value);
            }
        }
    }

    /// The state at the entry of a function: its arguments; all other variables are undefined.
    pub(crate) fn enter_function(&mut self, wanted: &Specialization) -> FrameState {
        let undefined = self.b.unit.constant(Const::Uninit);
        let before_tmps = self.input.before_tmps() as usize;
        let mut cells = vec![Loc::Empty; self.outline.written.len()];
        cells[..before_tmps].fill(Loc::Value(undefined));
        for (number, &bits) in wanted.args.iter().enumerate() {
            let ty = Type::of(bits);
            let value = match Unit::const_of_type(ty) {
                Some(constant) => self.b.unit.constant(constant),
                None => self.argument(number as u32, ty),
            };
            if let Some(Some(seen)) = wanted.samples.get(number) {
                self.known.samples.insert(value, *seen);
            }
            if let Some(class) = self.passed_class(number + 1) {
                self.known.classes.insert(value, class);
            }
            cells[number] = Loc::Value(value);
        }
        FrameState { cells }
    }

    /// The likely class of the object (number 0) or of an argument (from 1 on) of an inlined function.
    fn passed_class(&self, number: usize) -> Option<ClassId> {
        self.input.inlined.and_then(|classes| classes.get(number).copied().flatten())
    }

    /// Loads an argument, or the object or class if the number is `u32::MAX`.
    pub(crate) fn argument(&mut self, number: u32, ty: Type) -> ValueId {
        let fp = self.fp;
        let value = self.b.emit(Op::LdArg, ty, [number, 0, 0], &[fp], phlox_hhir::unit::Edge::None);
        value.unwrap_or(fp)
    }

    /// Guards that the frame has an object, where [`Translator::own_context`] relies on it. A method that is not static always has
    /// one, but a closure can be bound to a class alone (`Closure::bind($closure, null, A::class)`).
    fn check_this(&mut self, restart: SnapId) {
        if self.input.this == This::Object {
            let (fp, perhaps) = (self.fp, Type::of(hhir::OBJ | hhir::NULLPTR));
            if let Some(own) = self.b.emit(Op::LdCtx, perhaps, [0; 3], &[fp], Edge::None) {
                self.b.emit(Op::CheckCtxThis, Type::TOP, [0; 3], &[own], Edge::Exit(restart));
            }
        }
    }

    /// `$this`, or the class of a static method.
    pub(crate) fn own_context(&mut self) -> Option<ValueId> {
        let fp = self.fp;
        let is_function = matches!(self.input.start, Start::Function(_));
        let none = Edge::None;
        let own = match self.input.this {
            This::None => None,
            This::Object if is_function => Some(self.argument(u32::MAX, Type::of(hhir::OBJ))),
            This::Class if is_function => Some(self.argument(u32::MAX, Type::of(hhir::CLS))),
            This::Object => self.b.emit(Op::LdCtx, Type::of(hhir::OBJ), [0; 3], &[fp], none),
            This::Class => {
                let class = self.b.emit(Op::LdCctx, Type::TOP, [0; 3], &[fp], none)?;
                Some(self.b.op(Op::LdClsCctx, &[class]))
            }
        };
        if let (Some(own), Some(seen)) = (own, self.input.this_sample) {
            self.known.samples.insert(own, seen);
        }
        if let (Some(own), Some(class)) = (own, self.passed_class(0)) {
            self.known.classes.insert(own, class);
        }
        own
    }

    /// Guards and loads a variable or iterator of the frame; `None` if its type is not supported.
    pub(crate) fn enter_cell(&mut self, cell: usize, seen: ObservedType, restart: SnapId) -> Option<Loc> {
        let (number, fp) = (cell as u32, self.fp);
        let scalar = hhir::UNINIT | hhir::INIT_NULL | hhir::BOOL | hhir::INT | hhir::DBL | hhir::STATIC_STR;
        if seen.bits & !scalar == 0 && !(seen.bits == hhir::STATIC_STR && self.outline.written[cell]) {
            let ty = Type::of(seen.bits);
            self.b.check_loc(fp, number, ty, restart);
            let value = match Unit::const_of_type(ty) {
                Some(constant) => self.b.unit.constant(constant),
                None => self.b.ld_loc(fp, number, ty),
            };
            return Some(if self.outline.written[cell] { Loc::Value(value) } else { Loc::Fixed(value) });
        }
        let refers = self.references.passes_own && seen.bits == hhir::BOXED;
        if self.outline.written[cell] && !refers {
            if seen.bits & !(hhir::STR | hhir::COUNTED_ARR | hhir::OBJ) != 0 {
                return None;
            }
            if seen.bits & hhir::STR != 0 {
                // Both literal and counted strings pass the guard; the string becomes counted.
                self.b.check_loc(fp, number, Type::of(hhir::STR), restart);
                return Some(Loc::Owned(self.take_string(number)?));
            }
            let ty = Type::of(seen.bits);
            self.b.check_loc(fp, number, ty, restart);
            let value = self.b.ld_loc(fp, number, ty);
            self.known.samples.insert(value, seen);
            return Some(Loc::Owned(value));
        }
        // Functions that take references mostly put arrays into them, unless the variable held something else before the call.
        let is_unknown = seen.bits == hhir::BOXED && seen.payload == 0;
        let likely = self.references.held_before.get(&cell).copied().unwrap_or(hhir::COUNTED_ARR);
        let inner = if is_unknown { Some(ObservedType { bits: likely, payload: 0 }) } else { seen.inner() };
        let (seen, value) = match inner {
            None if seen.bits & (hhir::ARR | hhir::STR | hhir::OBJ) == 0 => return None,
            None => {
                let ty = Type::of(seen.bits);
                self.b.check_loc(fp, number, ty, restart);
                (seen, self.b.ld_loc(fp, number, ty))
            }
            Some(inner) if inner.bits & (hhir::ARR | hhir::STR | hhir::INT) == 0 => return None,
            Some(inner) => {
                self.references.has_references |= !refers;
                let boxed = Type::of(hhir::BOXED);
                self.b.check_loc(fp, number, boxed, restart);
                let reference = self.b.ld_loc(fp, number, boxed);
                let ty = Type::of(inner.bits);
                self.b.emit(Op::CheckRefInner, ty, [0; 3], &[reference], phlox_hhir::unit::Edge::Exit(restart));
                let value = self.b.emit(Op::LdRef, ty, [0; 3], &[reference], phlox_hhir::unit::Edge::None)?;
                if refers {
                    self.references.fetched.insert(value);
                }
                (inner, value)
            }
        };
        if !is_unknown {
            self.known.samples.insert(value, seen);
        }
        Some(Loc::Fixed(value))
    }
}
