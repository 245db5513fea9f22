//! What oplines find: kinds of results, properties and elements, classes of objects. It is noted for a while before they
//! are compiled, so that the first version is made for what there is, and whenever compiled code is left for an opline.

use super::host::class_of;
use super::set_handler;
use crate::code::FuncCode;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use crate::handlers::elements::{find, find_literal};
use crate::handlers::{Handler, place_in_class};
use phlox_lower::facts::{Feedback, OperandAccess};
use phlox_lower::{NO_TARGET, OpCode, Operand, Opline, Path, PathStep};
use phlox_runtime::{Access, Val};
use phlox_value::raw;
use std::cell::{Cell, OnceCell, RefCell};

/// For so many calls, or trips through a loop, before it is compiled what its oplines find is noted.
pub const OBSERVED_FOR: u32 = 30;

/// What is known of a function's oplines before they are compiled.
#[derive(Default)]
pub struct Observed {
    /// The handlers that oplines have while nobody looks.
    originals: OnceCell<Box<[Handler]>>,
    is_on: Cell<bool>,
    /// By opline.
    kinds: RefCell<Vec<u32>>,
}

impl Observed {
    /// What an opline was seen to give or read: kinds, as [`kind_bit`]s.
    pub fn kinds(&self, at: u32) -> u32 {
        self.kinds.borrow().get(at as usize).copied().unwrap_or(0)
    }
}

/// A kind, as a bit: that of its tag, or one of its own for literal arrays.
pub fn kind_bit(tag: u32) -> u32 {
    match tag {
        raw::TI_ARR_STATIC => phlox_jit::LITERAL_ARRAY,
        tag => 1 << (tag & 0x1f),
    }
}

/// Looks at oplines of a function from now on.
///
/// # Safety
/// The function is lowered; `first..=last` are oplines of it.
pub unsafe fn start(code: &FuncCode, first: u32, last: u32) {
    let ops = &code.body().lowered.ops;
    // SAFETY: by the caller; heads of loops and starts of functions, whose handlers change, are left alone.
    unsafe {
        let handlers = || (0..ops.len()).map(|at| (*code.ops.get().add(at)).handler).collect();
        code.observed.originals.get_or_init(handlers);
        code.observed.kinds.borrow_mut().resize(ops.len(), 0);
        let mut is_join = vec![false; ops.len()];
        let mut is_head = vec![false; ops.len()];
        for (at, op) in ops.iter().enumerate().filter(|(_, op)| op.target != NO_TARGET) {
            is_join[op.target as usize] = true;
            is_head[op.target as usize] |= op.target as usize <= at;
        }
        let start = code.func_site().map(super::FuncSite::start);
        let counts = |at: u32| is_head[at as usize] || start == Some(code.ops.get().add(at as usize));
        for at in first.max(1)..=last {
            let (op, before) = (&ops[at as usize], &ops[at as usize - 1]);
            let follows = gives_result(before) && !is_join[at as usize];
            if (follows || op.op.facts().feedback != Feedback::Nothing) && !counts(at) {
                set_handler(code.ops.get().add(at as usize), note);
            }
        }
    }
    code.observed.is_on.set(true);
}

/// Looks no longer.
pub fn stop(code: &FuncCode) {
    if !code.observed.is_on.replace(false) {
        return;
    }
    let Some(originals) = code.observed.originals.get() else { return };
    for (at, &original) in originals.iter().enumerate() {
        // SAFETY: the index of an opline.
        unsafe {
            let ip = code.ops.get().add(at);
            if std::ptr::fn_addr_eq((*ip).handler, note as Handler) {
                set_handler(ip, original);
            }
        }
    }
}

/// Notes, and then does what the opline does.
unsafe extern "C-unwind" fn note(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    let original = unsafe { look_before(ip, fp) };
    // SAFETY: as above.
    unsafe { original(ip, fp, run) }
}

#[inline(never)]
unsafe fn look_before(ip: Ip, fp: Fp) -> Handler {
    // SAFETY: by the caller; only oplines of which there are originals have this handler.
    unsafe {
        let frame = fp.cast::<Frame>();
        let code = &*(*frame).code;
        let at = code.index_of(ip);
        let mut kinds = code.observed.kinds.borrow_mut();
        look(code, at, frame, |at, tag| kinds[at as usize] |= kind_bit(tag));
        match code.observed.originals.get() {
            Some(originals) => originals[at],
            None => unreachable!("an opline that is looked at has had another handler"),
        }
    }
}

/// Whether what an opline gives is not known before it has run.
fn gives_result(opline: &Opline) -> bool {
    let (op, facts) = (opline.op, opline.op.facts());
    let is_result = facts.c.access == OperandAccess::Write && opline.c != Operand::None
        || facts.a.access == OperandAccess::Exchange;
    let opens_or_passes = matches!(facts.a.access, OperandAccess::Opens | OperandAccess::Pending);
    is_result && op.has_unknown_result() && !opens_or_passes && (op.is_single_step() || op.makes_call())
}

/// Notes what an opline finds, and what the one before it has given.
///
/// # Safety
/// The frame runs `code`, and goes on with this opline.
pub unsafe fn look(code: &FuncCode, at: usize, frame: *mut Frame, mut note: impl FnMut(u32, u32)) {
    // SAFETY: by the caller; a cached slot is one of the class.
    unsafe {
        let ops = &code.body().lowered.ops;
        let Some(op) = ops.get(at) else { return };
        if let Some(before) = at.checked_sub(1).map(|before| &ops[before])
            && gives_result(before)
            && let result @ (Operand::Tmp(_) | Operand::Local(_)) = before.result()
        {
            note(at as u32 - 1, raw::tag(cell(frame.cast(), code.offset(result))));
        }
        // A loop's body follows what starts it, and finds an element, of whatever the loop is over.
        if let Some(before) = at.checked_sub(1).map(|before| &ops[before])
            && let (OpCode::IterInit, Operand::Local(_)) = (before.op, before.b)
        {
            let element = raw::look_through(cell(frame.cast(), code.offset(before.b)));
            note(at as u32 - 1, raw::tag(element));
        }
        let feedback = op.op.facts().feedback;
        if feedback == Feedback::Element {
            look_at_read(code, op, frame, |tag| note(at as u32, tag));
            return;
        }
        if feedback == Feedback::Iteration {
            let (array, position) = match (op.op, op.a) {
                (OpCode::IterNext, _) => {
                    let iter = Frame::iter(frame, op.n);
                    (iter, raw::payload(iter.add(1)))
                }
                (_, Operand::Local(_) | Operand::Tmp(_)) => {
                    (raw::look_through(cell(frame.cast(), code.offset(op.a))), 0)
                }
                _ => return,
            };
            if raw::tag(array) & 0xff == raw::TI_ARR_STATIC {
                look_at_element(raw::payload(array), position, |tag| note(at as u32, tag));
            }
            return;
        }
        let operand = match feedback {
            Feedback::Path => match code.body().lowered.paths.get(op.n as usize) {
                Some(path) if matches!(path.steps.first(), Some(PathStep::Prop(..))) => path.base,
                Some(path) if op.op == OpCode::SetPath => {
                    return look_for_place(code, path, frame, |tag| note(at as u32, tag));
                }
                _ => return,
            },
            Feedback::Class if op.op.opens_call() => op.b,
            Feedback::Class => op.a,
            _ => return,
        };
        let object = match operand {
            Operand::This => (*frame).this,
            Operand::None => return,
            operand => {
                let place = raw::look_through(cell(frame.cast(), code.offset(operand)));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
        };
        if object == 0 {
            return;
        }
        let class = raw::class_of(object) as u64;
        if let (OpCode::InitMethod, Operand::Lit(name)) = (op.op, op.c) {
            let name = raw::string_at(code.literal(name));
            if let Some(func) =
                crate::megamorphic_cache::find(crate::megamorphic_cache::Key::new(class, name, code.func().scope.get()))
            {
                code.note_call(at as u32, class, func);
            }
            return;
        }
        code.note_call(at as u32, class, 0);
        if feedback == Feedback::Path {
            look_at_container(code, op, frame, object, |tag| note(at as u32, tag));
            return;
        }
        if let Some(slot) = slot_of(code, op, class) {
            // What is overwritten, too.
            let place = raw::property(object, slot);
            note(at as u32, raw::tag(place));
            note(at as u32, raw::tag(raw::look_through(place)));
        }
    }
}

/// Gives cells to a list that an opline is about to read or change, or that a loop goes over.
///
/// # Safety
/// As [`look`].
pub unsafe fn give_cells(code: &FuncCode, at: usize, frame: *mut Frame) {
    let op = &code.body().lowered.ops[at];
    // SAFETY: by the caller; an array's payload is that of a live one.
    unsafe {
        let facts = op.op.facts();
        let is_read = matches!(facts.feedback, Feedback::Element | Feedback::Iteration);
        let array = match (op.op, op.a) {
            (OpCode::IterNext, _) => Frame::iter(frame, op.n),
            (_, Operand::Local(_) | Operand::Tmp(_)) if is_read || facts.a.access == OperandAccess::Mutate => {
                raw::look_through(cell(frame.cast(), code.offset(op.a)))
            }
            _ => return,
        };
        if raw::tag(array) == raw::TI_ARR {
            raw::positions(raw::payload(array));
        }
    }
}

/// Notes that there is no element yet where `$a[$k][$l] = ...` writes one.
unsafe fn look_for_place(code: &FuncCode, path: &Path, frame: *mut Frame, mut note: impl FnMut(u32)) {
    let [PathStep::Elem(outer), PathStep::Elem(inner)] = path.steps[..] else { return };
    // SAFETY: by the caller, the operands are of the frame, and what their cells hold is alive.
    unsafe {
        let Some(mut found) = value_of(code, path.base, frame) else { return };
        for key in [outer, inner] {
            let Some(key) = value_of(code, key, frame) else { return };
            if raw::tag(found) & 0xff != raw::TI_ARR_STATIC || raw::unboxed(raw::payload(found)).is_some() {
                return;
            }
            let element = find(found, key);
            if element.is_null() {
                return note(raw::TI_UNDEF);
            }
            found = raw::look_through(element.cast_mut());
        }
    }
}

/// Notes that the property where a path of several steps begins is a reference, which it stays once it has been passed as one; and
/// that an element of the array in it is set that is not there yet.
unsafe fn look_at_container(code: &FuncCode, op: &Opline, frame: *mut Frame, object: u64, mut note: impl FnMut(u32)) {
    let Some(path) = code.body().lowered.paths.get(op.n as usize) else { return };
    let [PathStep::Prop(_, site), second, ref rest @ ..] = path.steps[..] else { return };
    // SAFETY: by the caller; a cached slot is one of the class, and what the operands' cells hold is alive.
    unsafe {
        let class = raw::class_of(object) as u64;
        let caches = [0, 1].map(|number| *code.site(site).add(number));
        let Some(cache) = caches.into_iter().find(|cache| cache.key == class) else { return };
        let place = raw::property(object, (cache.value & 0xffff) as usize);
        if raw::tag(place) == raw::TI_REF {
            note(raw::TI_REF);
        }
        let array = raw::look_through(place);
        let (PathStep::Elem(key), [], OpCode::SetPath) = (second, rest, op.op) else { return };
        let Some(key) = value_of(code, key, frame) else { return };
        let has_cells = raw::tag(array) & 0xff == raw::TI_ARR_STATIC && raw::unboxed(raw::payload(array)).is_none();
        if has_cells && find(array, key).is_null() {
            note(raw::TI_UNDEF);
        }
    }
}

/// Where objects of a class have the declared property that an opline names, if its function may use it.
unsafe fn slot_of(code: &FuncCode, op: &Opline, class: u64) -> Option<usize> {
    // SAFETY: by the caller, the class is one of this request; literal names are strings.
    unsafe {
        for second in 0..2 {
            let site = *code.site(op.site).add(second);
            if site.key == class {
                return Some((site.value & 0xffff) as usize);
            }
        }
        let Operand::Lit(name) = op.b else { return None };
        let func = code.func();
        let access = Access { scope: func.scope.get(), strict: func.strict_types() };
        let name = raw::string_at(code.literal(name));
        let found = place_in_class(class_of(class), class, name, access, op.op == OpCode::SetProp)?;
        Some((found.value & 0xffff) as usize)
    }
}

/// Where the value of an operand is, which may be in a reference.
unsafe fn value_of(code: &FuncCode, operand: Operand, frame: *mut Frame) -> Option<*const Val> {
    match operand {
        // SAFETY: by the caller, the operand is one of the frame's.
        Operand::Local(_) | Operand::Tmp(_) => unsafe {
            Some(raw::look_through(cell(frame.cast(), code.offset(operand))).cast_const())
        },
        Operand::Lit(index) => Some(code.literal(index)),
        Operand::None | Operand::This => None,
    }
}

/// Notes what an opline is about to read from an array.
unsafe fn look_at_read(code: &FuncCode, op: &Opline, frame: *mut Frame, mut note: impl FnMut(u32)) {
    // SAFETY: by the caller, the operands are of the frame.
    let (Some(base), Some(key)) = (unsafe { (value_of(code, op.a, frame), value_of(code, op.b, frame)) }) else {
        return;
    };
    // SAFETY: as above; literal keys that are numbers are found as what they are.
    unsafe {
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC {
            return;
        }
        note(if raw::is_table(raw::payload(base)) { phlox_jit::READ_TABLE } else { phlox_jit::READ_LIST });
        if raw::tag(key) == raw::TI_INT
            && let Some((_, tag)) = raw::unboxed_at(raw::payload(base), raw::payload(key))
        {
            return note(tag);
        }
        let found = match op.b {
            Operand::Lit(_) => find_literal(base, key),
            _ => find(base, key),
        };
        match found.is_null() {
            true if op.op == OpCode::GetElemQuiet => note(raw::TI_NULL),
            true => {}
            false => note(raw::tag(raw::look_through(found.cast_mut()))),
        }
    }
}

/// Notes how an array is laid out, and what it has at a position, or behind it in a table with holes; of an element that is a
/// reference also what that holds.
unsafe fn look_at_element(array: u64, position: u64, mut note: impl FnMut(u32)) {
    let note_element = |place: *mut phlox_runtime::Val, note: &mut dyn FnMut(u32)| {
        // SAFETY: by the caller.
        unsafe {
            note(raw::tag(place));
            note(raw::tag(raw::look_through(place)));
        }
    };
    // SAFETY: the payload is that of a live array; positions below `used` are initialised.
    unsafe {
        if raw::unboxed(array).is_some() {
            note(phlox_jit::ITERATED_LIST);
            if let Some((_, tag)) = raw::unboxed_at(array, position) {
                note(tag);
            }
            return;
        }
        let (places, stride, used) = raw::positions(array);
        if stride != raw::BUCKET {
            note(phlox_jit::ITERATED_LIST);
            if position < u64::from(used) {
                note_element(places.add(position as usize * stride).cast(), &mut note);
            }
            return;
        }
        note(phlox_jit::ITERATED_TABLE);
        for position in position..u64::from(used) {
            let bucket = places.add(position as usize * stride);
            let tag = raw::tag(bucket.cast::<phlox_runtime::Val>());
            if tag != raw::TI_UNDEF {
                let (_, key) = raw::bucket_key(bucket);
                note_element(bucket.cast(), &mut note);
                note(if key == 0 { phlox_jit::INT_KEY } else { phlox_jit::STRING_KEY });
                return;
            }
        }
    }
}
