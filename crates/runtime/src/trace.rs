//! Stack traces: as arrays for `getTrace()` and `debug_backtrace()`, and as text.

use crate::class::{ClassExt, ObjExt};
use crate::frame::Frame;
use crate::frame_stack::{Place, Visit};
use crate::func::Func;
use crate::settings;
use crate::vm::Vm;
use phlox_hhbc::{FuncFlags, Instr, frameless};
use phlox_value::{Key, PhpArr, PhpObj, PhpStr, Val, View};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The keys and constant strings of rows, with their hashes. They are built once, because traces are made often and mostly
/// dropped unread.
struct Words {
    file: PhpStr,
    line: PhpStr,
    function: PhpStr,
    class: PhpStr,
    object: PhpStr,
    kind: PhpStr,
    args: PhpStr,
    instance: PhpStr,
    of_class: PhpStr,
    /// A row of a function, whose keys are shared by all such rows.
    function_row: PhpArr,
    /// A row of a method, whose keys are shared by all such rows.
    method_row: PhpArr,
}

thread_local! {
    static WORDS: Words = {
        let word = PhpStr::intern;
        let row = |keys: &[&[u8]]| {
            let mut row = PhpArr::new();
            keys.iter().for_each(|key| put(&mut row, &word(key), Val::NULL));
            row.into_static()
        };
        Words {
            function_row: row(&[b"file", b"line", b"function", b"args"]),
            method_row: row(&[b"file", b"line", b"function", b"class", b"type", b"args"]),
            file: word(b"file"),
            line: word(b"line"),
            function: word(b"function"),
            class: word(b"class"),
            object: word(b"object"),
            kind: word(b"type"),
            args: word(b"args"),
            instance: word(b"->"),
            of_class: word(b"::"),
        }
    };
}

fn put(row: &mut PhpArr, key: &PhpStr, value: Val) {
    drop(row.insert(Key::Str(key), value));
}

/// The trace of the active frames, without the innermost `skip` ones; a `limit` of 0 is none.
pub fn build(vm: &Vm, skip: usize, with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    let walk = |visit: &mut Visit<'_>| vm.frames.visit(with_args, visit);
    Builder::new(&walk, Contents { with_object, with_args, limit }).build(skip)
}

/// The trace of a throwable, from the activations at the time when it was made.
pub(crate) fn of_activations(with_args: bool, walk: &dyn Fn(&mut Visit<'_>)) -> PhpArr {
    Builder::new(walk, Contents { with_object: false, with_args, limit: 0 }).build(0)
}

/// The trace of frames, given outermost first.
pub fn of_frames(frames: &[Rc<Frame>], with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    let walk = |visit: &mut Visit<'_>| {
        let _ = frames.iter().rev().try_for_each(|frame| frame.show(with_args, visit));
    };
    Builder::new(&walk, Contents { with_object, with_args, limit }).build(0)
}

/// The parts that a trace contains; a `limit` of 0 is none.
#[derive(Clone, Copy)]
struct Contents {
    with_object: bool,
    with_args: bool,
    limit: usize,
}

/// Builds a trace while visiting the activations from the innermost one outwards: a row is complete when its caller is visited.
struct Builder<'a> {
    walk: &'a dyn Fn(&mut Visit<'_>),
    contents: Contents,
    trace: PhpArr,
    pending: Option<Pending>,
    /// Whether the activation before was the evaluation of a constant expression.
    inner_is_thunk: bool,
}

/// An activation whose caller is not known yet.
struct Pending {
    func: Rc<Func>,
    has_this: bool,
    /// `$this`, for a trace with objects only.
    this: Option<PhpObj>,
    include_kind: &'static str,
    from_native: bool,
    args: PhpArr,
}

impl<'a> Builder<'a> {
    fn new(walk: &'a dyn Fn(&mut Visit<'_>), contents: Contents) -> Builder<'a> {
        Builder { walk, contents, trace: PhpArr::new(), pending: None, inner_is_thunk: false }
    }

    fn build(mut self, skip: usize) -> PhpArr {
        let walk = self.walk;
        let mut position = 0;
        walk(&mut |place| {
            position += 1;
            match position > skip {
                true => self.see(place, position),
                false => ControlFlow::Continue(()),
            }
        });
        self.finish(None);
        self.trace
    }

    /// Visits an activation; `position` is its distance from the innermost one, which has 1.
    fn see(&mut self, place: &Place<'_>, position: usize) -> ControlFlow<()> {
        // Hooks of builtin classes implement reads of their properties and are no calls to PHP.
        let is_hook = place.is_native() && place.func.name.starts_with(b"$");
        if is_hook || is_iterator_step(place) || self.is_inlined(place, position) {
            return ControlFlow::Continue(());
        }
        self.finish(Some(place));
        if self.contents.limit > 0 && self.trace.len() >= self.contents.limit {
            return ControlFlow::Break(());
        }
        let is_thunk = place.func.has(FuncFlags::THUNK);
        let inner_is_thunk = std::mem::replace(&mut self.inner_is_thunk, is_thunk);
        if is_thunk {
            if let Some(row) = self.constant_expression(place, position).filter(|_| !inner_is_thunk) {
                let _ = self.trace.push(row.into());
            }
        } else if !place.func.has(FuncFlags::PSEUDO_MAIN) || !place.include_kind.is_empty() {
            let shows_args = self.contents.with_args && !place.func.has(FuncFlags::PSEUDO_MAIN);
            self.pending = Some(Pending {
                func: place.func.clone(),
                has_this: place.has_this,
                this: place.this.filter(|_| self.contents.with_object).cloned(),
                include_kind: place.include_kind,
                from_native: place.from_native,
                args: if shows_args { arguments(place) } else { PhpArr::new() },
            });
        }
        ControlFlow::Continue(())
    }

    /// Whether this is a builtin function that PHP compiles to an instruction at this call.
    fn is_inlined(&self, place: &Place<'_>, position: usize) -> bool {
        let is_named = || (0..=2).any(|count| frameless::is_inlined(&place.func.name, count));
        let may_be = place.is_native() && !place.from_native && place.func.scope.get().is_none();
        if !may_be || !is_named() {
            return false;
        }
        let mut seen = 0;
        let mut inlined = false;
        (self.walk)(&mut |outer| {
            seen += 1;
            if seen <= position {
                return ControlFlow::Continue(());
            }
            inlined = !outer.is_native() && {
                let unit = &outer.func.unit.unit;
                frameless::is_inlined_call(unit, outer.func.code(), outer.pc)
            };
            ControlFlow::Break(())
        });
        inlined
    }

    /// Adds the row of the activation that was visited last.
    fn finish(&mut self, caller: Option<&Place<'_>>) {
        let Some(place) = self.pending.take() else { return };
        let caller = caller.filter(|caller| !caller.is_native());
        let Contents { with_object, with_args, .. } = self.contents;
        let is_main = place.func.has(FuncFlags::PSEUDO_MAIN);
        let including = caller.filter(|_| place.from_native && !is_main).and_then(including);
        let row = match caller {
            Some(caller) if with_args && !with_object && !is_main => usual_row(place, caller),
            // The row of the innermost file does not name the file, because the trace begins inside it.
            _ if is_main && !self.trace.is_empty() => entry(place, caller, true),
            _ => entry(place, caller, with_args && !is_main),
        };
        let _ = self.trace.push(row.into());
        if let Some(row) = including {
            let _ = self.trace.push(row.into());
        }
    }

    /// The row for the evaluation of a default or constant, which looks like a call from the code that needed it, if that is
    /// elsewhere.
    fn constant_expression(&self, place: &Place<'_>, position: usize) -> Option<PhpArr> {
        let mut row = None;
        let mut seen = 0;
        (self.walk)(&mut |outer| {
            seen += 1;
            if seen <= position || outer.is_native() || outer.func.has(FuncFlags::THUNK) {
                return ControlFlow::Continue(());
            }
            let (file, line) = (&outer.func.unit.filename, outer.line());
            if *file != place.func.unit.filename || line != place.line() {
                let mut found = PhpArr::new();
                found.set_bytes(b"file", file.into());
                found.set_bytes(b"line", Val::int(i64::from(line)));
                found.set_bytes(b"function", "[constant expression]".into());
                row = Some(found);
            }
            ControlFlow::Break(())
        });
        row
    }
}

/// A frame that stands for a position in a file, for a call that no code there makes: that of an attribute's constructor.
pub fn place_frame(file: &PhpStr, line: u32, strict_types: bool) -> Rc<Frame> {
    let flags = FuncFlags(FuncFlags::PSEUDO_MAIN);
    let main = phlox_hhbc::Func { flags, line_start: line, ..phlox_hhbc::Func::default() };
    let unit = phlox_hhbc::Unit {
        filename: file.to_vec(),
        strict_types,
        strings: [b""].into_iter().collect(),
        funcs: vec![main],
        ..phlox_hhbc::Unit::default()
    };
    let unit = crate::LinkedUnit::new(unit, false, "");
    Rc::new(Frame::outside(unit.main(None)))
}

/// Whether this is a step of an iteration by `foreach` or builtin code, which many builtin iterators make without a call.
fn is_iterator_step(place: &Place<'_>) -> bool {
    let steps: [&[u8]; 5] = [b"rewind", b"valid", b"current", b"key", b"next"];
    place.is_native()
        && place.from_native
        && steps.contains(&place.func.name.as_bytes())
        && place.scope().is_some_and(|class| class.class().native.steps_silently)
}

/// The row of a function that PHP code called, without an object and with arguments.
fn usual_row(place: Pending, caller: &Place<'_>) -> PhpArr {
    let (file, line) = (Val::from(&caller.func.unit.filename), Val::int(caller.line() as i64));
    let (function, args) = (Val::from(&place.func.name), Val::from(place.args));
    WORDS.with(|words| match place.func.scope.get() {
        None => words.function_row.with_values([file, line, function, args]),
        Some(class) => {
            let instance = place.has_this && !place.func.is_static();
            let kind = if instance { &words.instance } else { &words.of_class };
            let class = Val::from(&class.class().name);
            words.method_row.with_values([file, line, function, class, kind.into(), args])
        }
    })
}

/// The row of the running `include`, for code that it calls before its file runs (an error handler, a stream wrapper).
fn including(caller: &Place<'_>) -> Option<PhpArr> {
    let kind: &[u8] = match caller.func.code().code.get(caller.pc as usize)? {
        Instr::Incl {} => b"include",
        Instr::InclOnce {} => b"include_once",
        Instr::Req {} => b"require",
        Instr::ReqOnce {} => b"require_once",
        Instr::Eval {} => b"eval",
        _ => return None,
    };
    let mut shown = PhpArr::new();
    shown.set_bytes(b"file", (&caller.func.unit.filename).into());
    shown.set_bytes(b"line", Val::int(i64::from(caller.line())));
    shown.set_bytes(b"function", Val::str(kind));
    Some(shown)
}

fn entry(place: Pending, caller: Option<&Place<'_>>, with_args: bool) -> PhpArr {
    WORDS.with(|words| {
        let mut row = PhpArr::new();
        if let Some(caller) = caller {
            put(&mut row, &words.file, (&caller.func.unit.filename).into());
            put(&mut row, &words.line, Val::int(caller.line() as i64));
        }
        if place.func.has(FuncFlags::PSEUDO_MAIN) {
            if with_args && place.include_kind != "eval" {
                let path = PhpArr::from_vec(vec![(&place.func.unit.filename).into()]);
                put(&mut row, &words.args, path.into());
            }
            put(&mut row, &words.function, place.include_kind.into());
            return row;
        }
        put(&mut row, &words.function, (&place.func.name).into());
        if let Some(class) = place.func.scope.get() {
            put(&mut row, &words.class, (&class.class().name).into());
            if let Some(this) = place.this {
                put(&mut row, &words.object, this.into());
            }
            let instance = place.has_this && !place.func.is_static();
            let kind = if instance { &words.instance } else { &words.of_class };
            put(&mut row, &words.kind, kind.into());
        }
        if with_args {
            put(&mut row, &words.args, place.args.into());
        }
        row
    })
}

/// The arguments of an activation as a trace shows them.
fn arguments(place: &Place<'_>) -> PhpArr {
    let func = place.func;
    let mut shown = PhpArr::of_places(place.args, place.extra);
    if func.code().params.iter().any(|param| !param.attributes.is_empty()) {
        let values = shown.values().enumerate();
        shown = values.map(|(index, value)| hide_sensitive(func, index, value.clone())).collect();
    }
    if let Some(rest) = place.rest.and_then(Val::as_arr) {
        for (key, value) in rest {
            let value = hide_sensitive(func, func.declared, value.deref());
            match key {
                Key::Int(_) => drop(shown.push(value)),
                Key::Str(_) => drop(shown.insert(key, value)),
            }
        }
    }
    shown
}

/// Replaces the value of a parameter with `#[SensitiveParameter]`.
fn hide_sensitive(func: &Func, index: usize, value: Val) -> Val {
    let code = func.code();
    let Some(param) = code.params.get(index).or_else(|| code.params.last().filter(|p| p.variadic)) else {
        return value;
    };
    let sensitive = param.attributes.iter().any(|a| func.unit.str(a.name).eq_ignore_ascii_case(b"SensitiveParameter"));
    if !sensitive {
        return value;
    }
    let Some(vm) = Vm::current() else { return Val::NULL };
    let Ok(class) = vm.require_class(b"SensitiveParameterValue") else { return Val::NULL };
    match vm.instantiate(&class) {
        Ok(object) => {
            if let Some(slot) = object.slots().first() {
                slot.set(value);
            }
            object.into()
        }
        Err(_) => Val::NULL,
    }
}

/// The trace as text: lines `#0 file(line): f(args)`, with `{main}` at the end if wanted.
pub fn format(vm: &Vm, trace: &PhpArr, with_main: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let mut index = 0;
    for value in trace.values() {
        let row = value.deref();
        let Some(row) = row.as_arr() else { continue };
        text.extend_from_slice(format!("#{index} ").as_bytes());
        format_row(vm, row, &mut text);
        text.push(b'\n');
        index += 1;
    }
    if with_main {
        text.extend_from_slice(format!("#{index} {{main}}").as_bytes());
    }
    text
}

fn string_field(row: &PhpArr, key: &[u8]) -> Option<PhpStr> {
    row.get_bytes(key)?.deref().into_str()
}

/// Appends the text of one row, without its number.
pub fn format_row(vm: &Vm, row: &PhpArr, text: &mut Vec<u8>) {
    match string_field(row, b"file") {
        Some(file) => {
            let line = row.get_bytes(b"line").and_then(|line| line.deref().as_int()).unwrap_or(0);
            text.extend_from_slice(&[&file[..], b"(", line.to_string().as_bytes(), b"): "].concat());
        }
        None => text.extend_from_slice(b"[internal function]: "),
    }
    for key in [b"class".as_slice(), b"type", b"function"] {
        if let Some(part) = string_field(row, key) {
            // The name of an anonymous class is printed without the location in it.
            text.extend_from_slice(crate::convert::printable_name(&part));
        }
    }
    text.push(b'(');
    if let Some(args) = row.get_bytes(b"args").and_then(|args| args.deref().into_arr()) {
        for (position, (key, value)) in args.iter().enumerate() {
            if position > 0 {
                text.extend_from_slice(b", ");
            }
            if let Key::Str(name) = key {
                text.extend_from_slice(&[name, b": ".as_slice()].concat());
            }
            format_argument(vm, &value.deref(), text);
        }
    }
    text.push(b')');
}

fn format_argument(vm: &Vm, value: &Val, text: &mut Vec<u8>) {
    match value.view() {
        View::Undef | View::Null => text.extend_from_slice(b"NULL"),
        View::Bool(b) => text.extend_from_slice(if b { b"true" } else { b"false" }),
        View::Int(i) => text.extend_from_slice(i.to_string().as_bytes()),
        View::Double(d) => {
            text.extend_from_slice(&crate::number::double_to_literal(d, vm.ini.get(&settings::PRECISION)))
        }
        View::Str(s) => {
            let max = usize::try_from(vm.ini.get(&settings::EXCEPTION_STRING_PARAM_MAX_LEN)).unwrap_or(15);
            text.push(b'\'');
            text.extend_from_slice(&crate::convert::escaped(&s[..s.len().min(max)]));
            text.extend_from_slice(if s.len() > max { b"...'" } else { b"'" });
        }
        View::Arr(_) => text.extend_from_slice(b"Array"),
        View::Res(r) => text.extend_from_slice(format!("Resource id #{}", r.id()).as_bytes()),
        View::Obj(object) => {
            if object.class().is_enum() {
                let case = crate::enums::case_name(object);
                text.extend_from_slice(&[object.class_name().as_bytes(), b"::", &case].concat());
            } else {
                let name = object.class_name();
                let shown = name.split(|&b| b == 0).next().unwrap_or(name);
                text.extend_from_slice(&[b"Object(", shown, b")"].concat());
            }
        }
        View::Ref(r) => format_argument(vm, &r.get(), text),
        View::Class(_) => {}
    }
}
