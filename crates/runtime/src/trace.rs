//! Stack traces: as arrays for `getTrace()` and `debug_backtrace()`, and as text.

use crate::class::{ClassExt, ObjExt};
use crate::frame::Frame;
use crate::frame_stack::Place;
use crate::func::Func;
use crate::vm::Vm;
use phlox_hhbc::FuncFlags;
use phlox_value::{Key, PhpArr, PhpStr, Val, View};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The keys of a row and the words in it, with their hashes: traces are made often, and mostly thrown away.
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
    /// Rows of functions and of methods, for their keys.
    function_row: PhpArr,
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

/// The trace of the activations that run. The innermost `skip` are left out; 0 as `limit` is none.
pub fn build(vm: &Vm, skip: usize, with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    let mut places = Vec::new();
    vm.frames.visit(with_args, &mut |place| {
        places.push(place);
        ControlFlow::Continue(())
    });
    places.drain(..skip.min(places.len()));
    of_places(places, with_object, with_args, limit)
}

/// The trace of frames, given outermost first.
pub fn of_frames(frames: &[Rc<Frame>], with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    let places = frames.iter().rev().map(|frame| Place::of(frame, with_args)).collect();
    of_places(places, with_object, with_args, limit)
}

/// The trace of activations, given innermost first.
fn of_places(mut places: Vec<Place>, with_object: bool, with_args: bool, limit: usize) -> PhpArr {
    places.retain(|place| !is_iterator_step(place));
    let mut trace = PhpArr::new();
    for index in 0..places.len() {
        let (args, rest) = (std::mem::take(&mut places[index].args), places[index].rest.take());
        let place = &places[index];
        let is_outermost_main = place.func.has(FuncFlags::PSEUDO_MAIN) && place.include_kind.is_empty();
        if is_outermost_main {
            continue;
        }
        if limit > 0 && trace.len() >= limit {
            break;
        }
        if place.func.has(FuncFlags::THUNK) {
            let is_inner = index > 0 && places[index - 1].func.has(FuncFlags::THUNK);
            if let Some(row) = constant_expression(place, &places[index + 1..]).filter(|_| !is_inner) {
                let _ = trace.push(row.into());
            }
            continue;
        }
        let caller = places.get(index + 1).filter(|caller| !caller.is_native());
        if let (Some(caller), true, false) = (caller, with_args, with_object)
            && !place.func.has(FuncFlags::PSEUDO_MAIN)
        {
            let _ = trace.push(usual_row(place, caller, args, rest).into());
            continue;
        }
        let mut row = entry(place, places.get(index + 1), with_object);
        if with_args && !place.func.has(FuncFlags::PSEUDO_MAIN) && !place.func.has(FuncFlags::THUNK) {
            WORDS.with(|words| put(&mut row, &words.args, arguments(&place.func, args, rest).into()));
        }
        let _ = trace.push(row.into());
    }
    trace
}

/// A frame that stands for a place in a file, from which something is called that no code there calls: an
/// attribute's constructor.
pub fn place_frame(file: &PhpStr, line: u32, strict_types: bool) -> Rc<Frame> {
    let flags = FuncFlags(FuncFlags::PSEUDO_MAIN);
    let main = phlox_hhbc::Func { flags, line_start: line, ..phlox_hhbc::Func::default() };
    let unit = phlox_hhbc::Unit {
        filename: file.to_vec(),
        strict_types,
        strings: vec![Box::default()],
        funcs: vec![main],
        ..phlox_hhbc::Unit::default()
    };
    let unit = crate::LinkedUnit::new(unit, false, "");
    Rc::new(Frame::outside(unit.func(phlox_hhbc::FuncId(0))))
}

/// A step of an iteration by `foreach` or builtin code: many builtin iterators make it without a call.
fn is_iterator_step(place: &Place) -> bool {
    let steps: [&[u8]; 5] = [b"rewind", b"valid", b"current", b"key", b"next"];
    place.is_native()
        && place.from_native
        && steps.contains(&place.func.name.as_bytes())
        && place.scope().is_some_and(|class| class.class().native.steps_silently)
}

/// The evaluation of a default or constant shows as a call from the code that needed it, if that is elsewhere.
/// `outer`: the activations around it, innermost first.
fn constant_expression(place: &Place, outer: &[Place]) -> Option<PhpArr> {
    let user = outer.iter().find(|outer| !outer.is_native() && !outer.func.has(FuncFlags::THUNK))?;
    let (file, line) = (&user.func.unit.filename, user.line());
    if *file == place.func.unit.filename && line == place.line() {
        return None;
    }
    let mut row = PhpArr::new();
    row.set_bytes(b"file", file.into());
    row.set_bytes(b"line", Val::int(i64::from(line)));
    row.set_bytes(b"function", "[constant expression]".into());
    Some(row)
}

/// The row of a function that PHP code called.
fn usual_row(place: &Place, caller: &Place, args: Vec<Val>, rest: Option<Val>) -> PhpArr {
    let (file, line) = (Val::from(&caller.func.unit.filename), Val::int(caller.line() as i64));
    let (function, args) = (Val::from(&place.func.name), Val::from(arguments(&place.func, args, rest)));
    WORDS.with(|words| match place.scope() {
        None => words.function_row.with_values([file, line, function, args]),
        Some(class) => {
            let instance = place.this.is_some() && !place.func.is_static();
            let kind = if instance { &words.instance } else { &words.of_class };
            let class = Val::from(&class.class().name);
            words.method_row.with_values([file, line, function, class, kind.into(), args])
        }
    })
}

fn entry(place: &Place, caller: Option<&Place>, with_object: bool) -> PhpArr {
    WORDS.with(|words| {
        let mut row = PhpArr::new();
        if let Some(caller) = caller.filter(|caller| !caller.is_native()) {
            put(&mut row, &words.file, (&caller.func.unit.filename).into());
            put(&mut row, &words.line, Val::int(caller.line() as i64));
        }
        if place.func.has(FuncFlags::PSEUDO_MAIN) {
            if place.include_kind != "eval" {
                let path = PhpArr::from_vec(vec![(&place.func.unit.filename).into()]);
                put(&mut row, &words.args, path.into());
            }
            put(&mut row, &words.function, place.include_kind.into());
            return row;
        }
        put(&mut row, &words.function, (&place.func.name).into());
        if let Some(class) = place.scope() {
            put(&mut row, &words.class, (&class.class().name).into());
            if with_object && let Some(this) = &place.this {
                put(&mut row, &words.object, this.into());
            }
            let instance = place.this.is_some() && !place.func.is_static();
            let kind = if instance { &words.instance } else { &words.of_class };
            put(&mut row, &words.kind, kind.into());
        }
        row
    })
}

/// The arguments as a trace shows them.
fn arguments(func: &Func, args: Vec<Val>, rest: Option<Val>) -> PhpArr {
    let plain = func.code().params.iter().all(|param| param.attributes.is_empty());
    let mut shown: PhpArr = match plain {
        true => PhpArr::from_vec(args),
        false => args.into_iter().enumerate().map(|(index, value)| hide_sensitive(func, index, value)).collect(),
    };
    if let Some(rest) = rest.as_ref().and_then(Val::as_arr) {
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

/// Replaces the value of a `#[SensitiveParameter]`.
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

/// `#0 file(line): f(args)` lines, ending with `{main}`.
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

/// One line of a trace without its number.
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
            // The name of an anonymous class ends before its place.
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
        View::Double(d) => text.extend_from_slice(&crate::number::double_to_literal(d, vm.ini.int("precision"))),
        View::Str(s) => {
            let max = usize::try_from(vm.ini.int("zend.exception_string_param_max_len")).unwrap_or(15);
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
