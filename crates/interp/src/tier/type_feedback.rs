//! Type feedback: the types of results, properties and elements, and the classes of objects that oplines meet. It is collected for
//! a while before code is compiled, so that the first code already fits the program, and at each side exit.

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

/// Calls, or iterations of a loop, before compiling during which its oplines collect type feedback.
pub const OBSERVED_FOR: u32 = 30;

/// The type feedback of a function's oplines from before they were compiled.
#[derive(Default)]
pub struct Observed {
    /// The handlers that oplines have while no type feedback is collected.
    originals: OnceCell<Box<[Handler]>>,
    is_on: Cell<bool>,
    /// The types by opline, as [`kind_bit`]s.
    kinds: RefCell<Vec<u32>>,
}

impl Observed {
    /// The types that an opline gave or read, as [`kind_bit`]s.
    pub fn kinds(&self, at: u32) -> u32 {
        self.kinds.borrow().get(at as usize).copied().unwrap_or(0)
    }
}

/// The bit of a type: that of its tag, or one of its own for literal arrays.
pub fn kind_bit(tag: u32) -> u32 {
    match tag {
        raw::TI_ARR_STATIC => phlox_jit::LITERAL_ARRAY,
        tag => 1 << (tag & 0x1f),
    }
}

/// Starts to collect type feedback for oplines of a function.
///
/// # Safety
/// The function is lowered; `first..=last` are oplines of it.
pub unsafe fn start(code: &FuncCode, first: u32, last: u32) {
    let ops = &code.body().lowered.ops;
    // SAFETY: the caller says that these are oplines of a lowered function. Heads of loops and starts of functions are skipped,
    // because their handlers change by themselves.
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

/// Stops collecting type feedback: the oplines get their own handlers back.
pub fn stop(code: &FuncCode) {
    if !code.observed.is_on.replace(false) {
        return;
    }
    let Some(originals) = code.observed.originals.get() else { return };
    for (at, &original) in originals.iter().enumerate() {
        // SAFETY: there is one original handler for each opline, so `at` is the index of an opline.
        unsafe {
            let ip = code.ops.get().add(at);
            if std::ptr::fn_addr_eq((*ip).handler, note as Handler) {
                set_handler(ip, original);
            }
        }
    }
}

/// Handler that collects type feedback for an opline, and then executes it.
unsafe extern "C-unwind" fn note(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is an opline of the innermost frame `fp`.
    let original = unsafe { look_before(ip, fp) };
    // SAFETY: the original handler gets the opline, frame and run that this one was called with.
    unsafe { original(ip, fp, run) }
}

/// Collects type feedback in front of an opline, and gives the opline's own handler.
#[inline(never)]
unsafe fn look_before(ip: Ip, fp: Fp) -> Handler {
    // SAFETY: `note` passes its opline and frame; only oplines whose original handlers were stored have that handler.
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

/// Whether the type of what an opline gives is unknown before it has run.
fn gives_result(opline: &Opline) -> bool {
    let (op, facts) = (opline.op, opline.op.facts());
    let is_result = facts.c.access == OperandAccess::Write && opline.c != Operand::None
        || facts.a.access == OperandAccess::Exchange;
    let opens_or_passes = matches!(facts.a.access, OperandAccess::Opens | OperandAccess::Pending);
    is_result && op.has_unknown_result() && !opens_or_passes && (op.is_single_step() || op.makes_call())
}

/// Passes the types that an opline is about to meet, and the type of what the opline before it has given, to `note`, with the
/// opline's index.
///
/// # Safety
/// The frame runs `code`, and goes on with this opline.
pub unsafe fn look(code: &FuncCode, at: usize, frame: *mut Frame, mut note: impl FnMut(u32, u32)) {
    // SAFETY: the caller says that the frame runs `code` and goes on with this opline; a slot in an inline cache is one of the
    // cached class.
    unsafe {
        let ops = &code.body().lowered.ops;
        let Some(op) = ops.get(at) else { return };
        if let Some(before) = at.checked_sub(1).map(|before| &ops[before])
            && gives_result(before)
            && let result @ (Operand::Tmp(_) | Operand::Local(_)) = before.result()
        {
            note(at as u32 - 1, raw::tag(cell(frame.cast(), code.offset(result))));
        }
        // The body of a loop begins behind the opline that starts the iteration, with the first element in a variable.
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
            // The type of a property that is about to be overwritten counts, too.
            let place = raw::property(object, slot);
            note(at as u32, raw::tag(place));
            note(at as u32, raw::tag(raw::look_through(place)));
        }
    }
}

/// Gives an unboxed list cells that an opline is about to read or change, or that a loop iterates over.
///
/// # Safety
/// The frame runs `code`, and goes on with the opline at `at`.
pub unsafe fn give_cells(code: &FuncCode, at: usize, frame: *mut Frame) {
    let op = &code.body().lowered.ops[at];
    // SAFETY: the caller says that the frame goes on with this opline, so its operands are cells of the frame; an array's payload
    // points to a live array.
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

/// Records that `$a[$k][$l] = ...` writes an element that does not exist yet.
unsafe fn look_for_place(code: &FuncCode, path: &Path, frame: *mut Frame, mut note: impl FnMut(u32)) {
    let [PathStep::Elem(outer), PathStep::Elem(inner)] = path.steps[..] else { return };
    // SAFETY: `look` passes an opline of the frame, so the operands are cells of the frame, and what they hold is alive.
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

/// Records that the property in which a path of several steps begins holds a reference, which it keeps once it has been passed by
/// reference; and that an element of the array in the property is set which does not exist yet.
unsafe fn look_at_container(code: &FuncCode, op: &Opline, frame: *mut Frame, object: u64, mut note: impl FnMut(u32)) {
    let Some(path) = code.body().lowered.paths.get(op.n as usize) else { return };
    let [PathStep::Prop(_, site), second, ref rest @ ..] = path.steps[..] else { return };
    // SAFETY: `look` passes an opline of the frame and a live object; a slot in an inline cache is one of the cached class.
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

/// The slot of the declared property that an opline names, in objects of a class, if the opline's function has access to it.
unsafe fn slot_of(code: &FuncCode, op: &Opline, class: u64) -> Option<usize> {
    // SAFETY: `look` passes an opline of the function and the class of a live object; literal names are strings.
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
        let found =
            place_in_class(class_of(phlox_hhir::ClassId(class)), class, name, access, op.op == OpCode::SetProp)?;
        Some((found.value & 0xffff) as usize)
    }
}

/// The cell with the value of an operand; for a reference, the cell that it refers to.
unsafe fn value_of(code: &FuncCode, operand: Operand, frame: *mut Frame) -> Option<*const Val> {
    match operand {
        // SAFETY: the callers pass an opline of the frame's function, so its operands are cells of the frame.
        Operand::Local(_) | Operand::Tmp(_) => unsafe {
            Some(raw::look_through(cell(frame.cast(), code.offset(operand))).cast_const())
        },
        Operand::Lit(index) => Some(code.literal(index)),
        Operand::None | Operand::This => None,
    }
}

/// Records the layout of the array that an opline is about to read, and the type of the element.
unsafe fn look_at_read(code: &FuncCode, op: &Opline, frame: *mut Frame, mut note: impl FnMut(u32)) {
    // SAFETY: `look` passes an opline of the frame, so its operands are cells of the frame.
    let (Some(base), Some(key)) = (unsafe { (value_of(code, op.a, frame), value_of(code, op.b, frame)) }) else {
        return;
    };
    // SAFETY: both cells are alive; `find_literal` is called for literal keys, whose numeric strings were made integers when
    // compiling.
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

/// Records the layout of an array, and the type of the element at a position, or of the next one in a hash table with holes. For an
/// element that is a reference, the type behind it is recorded as well.
unsafe fn look_at_element(array: u64, position: u64, mut note: impl FnMut(u32)) {
    let note_element = |place: *mut phlox_runtime::Val, note: &mut dyn FnMut(u32)| {
        // SAFETY: the callers below pass the cell of an element of the live array.
        unsafe {
            note(raw::tag(place));
            note(raw::tag(raw::look_through(place)));
        }
    };
    // SAFETY: `look` passes the payload of a live array; positions below `used` are initialised.
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
