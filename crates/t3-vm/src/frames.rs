//! What programs see of the stack: traces, descriptions of frames, and the variables in them.
//!
//! A frame that a program holds a reference to is watched: when it ends, its values move into the reference, so that
//! what shares them goes on sharing them.

use crate::call::Args;
use crate::debug::{self, Place, Variable};
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::meta::lookup::LookupTable;
use crate::meta::{INFO, Meta};
use crate::objects::Obj;
use crate::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};
use crate::vm::Vm;

/// A native function or method that is running.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NativeCall {
    /// What is called: a function set and number, or a metaclass and method number.
    pub callee: NativeCallee,
    /// self
    pub this: Value,
    /// Stack index behind the first argument.
    pub top: usize,
    /// Number of arguments.
    pub count: usize,
    /// How many frames there were when it called back.
    pub depth: usize,
}

/// A native function or method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NativeCallee {
    Function(u16, u16),
    Method(Meta, u16),
    /// None at all: the machine itself.
    Nothing,
}

impl NativeCall {
    /// The machine itself.
    pub const NONE: NativeCall =
        NativeCall { callee: NativeCallee::Nothing, this: Value::Nil, top: 0, count: 0, depth: 0 };
}

/// A frame that a program refers to.
#[derive(Debug, Clone)]
pub struct FrameRef {
    /// The number of the frame while it exists.
    live: Option<usize>,
    function: u32,
    this: Value,
    target: Value,
    invokee: Value,
    definer: ObjId,
    prop: PropId,
    /// Where its locals begin on the stack.
    base: usize,
    locals: usize,
    argc: usize,
    /// Arguments, the last first, and locals of a frame that has ended.
    values: Vec<Value>,
}

/// A place in a function that a frame has reached.
#[derive(Debug, Clone)]
pub struct FrameDesc {
    /// The frame's reference.
    pub frame: ObjId,
    /// The code offset.
    at: u32,
}

impl FrameRef {
    /// Calls `visit` with every value.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        [self.this, self.target, self.invokee, Value::object(self.definer)].into_iter().for_each(&mut *visit);
        self.values.iter().for_each(|value| visit(*value));
    }
}

// ---- saved games

impl Vm {
    /// A frame's values: locals, then arguments, the first of each first.
    pub(crate) fn frame_values(&self, frame: &FrameRef) -> (usize, usize, Vec<Value>) {
        let stack;
        let values = match frame.live {
            Some(_) => {
                let start = frame.base.saturating_sub(frame.argc);
                stack = self.stack.get(start..frame.base + frame.locals).unwrap_or_default();
                stack
            }
            None => &frame.values[..],
        };
        let (arguments, locals) = values.split_at(frame.argc.min(values.len()));
        let all = locals.iter().chain(arguments.iter().rev()).copied().collect();
        (locals.len(), arguments.len(), all)
    }

    /// The parts of a frame reference in the order of a saved game: function, self, definer, target, property, invokee.
    pub(crate) fn frame_parts(frame: &FrameRef) -> (Value, Value, ObjId, ObjId, PropId, Value) {
        let target = frame.target.as_object().unwrap_or(NO_OBJECT);
        (Value::Func(frame.function), frame.this, frame.definer, target, frame.prop, frame.invokee)
    }

    /// The code offset of a description from its function's start.
    pub(crate) fn desc_offset(&self, desc: &FrameDesc) -> u16 {
        let Obj::FrameRef(frame) = self.heap.get(desc.frame) else { return 0 };
        let start = self.heap.functions.get(frame.function as usize).copied().unwrap_or_default();
        desc.at.wrapping_sub(start & !crate::code::DYNAMIC) as u16
    }
}

/// A frame reference from a saved game: a frame that has ended.
pub(crate) fn read_reference(loader: &mut Loader<'_>) -> Load<Obj> {
    let (locals, argc) = (usize::from(loader.data.u16()?), usize::from(loader.data.u16()?));
    let function = match loader.value()? {
        Value::Func(function) | Value::Code(function) => function,
        _ => u32::MAX,
    };
    let this = loader.value()?;
    let (definer, target) = (loader.object()?, loader.object()?);
    let prop = loader.data.u16()?;
    let invokee = loader.value()?;
    let mut values = loader.values(locals + argc)?;
    let mut all = values.split_off(locals.min(values.len()));
    all.reverse();
    all.extend(values);
    Ok(Obj::FrameRef(Box::new(FrameRef {
        live: None,
        function,
        this,
        target: Value::object(target),
        invokee,
        definer,
        prop,
        base: argc,
        locals,
        argc,
        values: all,
    })))
}

/// A description from a saved game. Its offset counts from the function's start until [`Vm::settle_descriptions`].
pub(crate) fn read_description(loader: &mut Loader<'_>) -> Load<Obj> {
    let frame = loader.object()?;
    let _block = loader.data.u16()?;
    let at = loader.data.u16()?.into();
    Ok(Obj::FrameDesc(Box::new(FrameDesc { frame, at })))
}

impl Vm {
    /// Descriptions that were just restored get their code offsets, now that their frames are known.
    pub(crate) fn settle_descriptions(&mut self, restored: &[ObjId]) {
        for id in restored {
            let Obj::FrameDesc(desc) = self.heap.get(*id) else { continue };
            let Obj::FrameRef(frame) = self.heap.get(desc.frame) else { continue };
            let start = self.heap.functions.get(frame.function as usize).copied().unwrap_or_default();
            if let Some(Obj::FrameDesc(desc)) = self.heap.get_mut(*id) {
                desc.at = desc.at.wrapping_add(start & !crate::code::DYNAMIC);
            }
        }
    }
}

/// What t3GetStackTrace adds to its answers: local variables.
const WITH_LOCALS: i32 = 1;
/// Descriptions of frames.
const WITH_FRAMES: i32 = 2;

impl Vm {
    // ---- watching frames

    /// Frames from the number on have ended: what is watched among them keeps its values.
    #[cold]
    pub(crate) fn detach_frames(&mut self) {
        while let Some((number, id)) = self.watched.last().copied()
            && number >= self.frames.len()
        {
            self.watched.pop();
            if let Some(Obj::FrameRef(frame)) = self.heap.get_mut(id) {
                let start = frame.base.saturating_sub(frame.argc);
                let end = (frame.base + frame.locals).min(self.stack.len());
                frame.values = self.stack[start.min(end)..end].to_vec();
                frame.live = None;
            }
        }
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
    }

    /// The reference to a frame, made on first demand.
    fn frame_reference(&mut self, number: usize) -> ObjId {
        if let Some((_, id)) = self.watched.iter().find(|row| row.0 == number) {
            return *id;
        }
        let frame = self.frames[number];
        let reference = FrameRef {
            live: Some(number),
            function: frame.function,
            this: frame.this,
            target: frame.target,
            invokee: frame.invokee,
            definer: frame.definer,
            prop: frame.prop,
            base: frame.fp as usize,
            locals: self.code.functions.get(frame.function as usize).map_or(0, |function| function.locals.into()),
            argc: frame.argc as usize,
            values: Vec::new(),
        };
        let id = self.heap.alloc(Obj::FrameRef(Box::new(reference)));
        let at = self.watched.partition_point(|row| row.0 < number);
        self.watched.insert(at, (number, id));
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
        id
    }

    /// Frames whose references nobody holds any more are not watched.
    pub(crate) fn forget_dead_frames(&mut self, is_live: impl Fn(ObjId) -> bool) {
        self.watched.retain(|row| is_live(row.1));
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
    }

    /// The code offset that a frame has reached.
    fn frame_offset(&self, number: usize) -> u32 {
        // Where the frame goes on after a call; where it is, if it is the innermost.
        match self.frames.get(number + 1) {
            Some(inner) => {
                let address = self.code.offset_of((inner.ret as usize).wrapping_sub(1));
                let function = self.frames[number].function as usize;
                let space = self.heap.functions.get(function).map_or(0, |offset| offset & crate::code::DYNAMIC);
                let (pool, at) = self.code.pool(&self.image, address | space);
                phlox_t3_image::decode::decode(pool, at).map_or(address, |call| call.next as u32)
            }
            None => self.code.offset_of(self.ip.wrapping_sub(1)),
        }
    }

    // ---- variables

    fn frame(&self, desc: Value) -> Run<(&FrameDesc, &FrameRef)> {
        if let Value::Obj(id) = desc
            && let Obj::FrameDesc(desc) = self.heap.get(id)
            && let Obj::FrameRef(frame) = self.heap.get(desc.frame)
        {
            return Ok((desc, frame));
        }
        fail(error::OBJ_VAL_REQD)
    }

    /// The variables that a description's frame has, the innermost first.
    fn frame_variables(&self, desc: Value) -> Run<Vec<Variable>> {
        let (desc, frame) = self.frame(desc)?;
        Ok(match self.heap.functions.get(frame.function as usize) {
            Some(offset) if offset & crate::code::DYNAMIC == 0 => debug::variables(&self.image, *offset, desc.at),
            Some(offset) => self.code.dynamic_variables(*offset),
            None => Vec::new(),
        })
    }

    fn slot_index(frame: &FrameRef, place: Place) -> Option<usize> {
        match place {
            Place::Local(number) | Place::Shared(number, _) => Some(frame.base + usize::from(number)),
            Place::Param(number) => frame.base.checked_sub(1 + usize::from(number)),
        }
    }

    fn read_place(&self, desc: Value, place: Place) -> Run<Value> {
        let (_, frame) = self.frame(desc)?;
        let index = Vm::slot_index(frame, place);
        let value = match frame.live {
            Some(_) => index.and_then(|at| self.stack.get(at)),
            None => index.and_then(|at| frame.values.get((at + frame.argc).checked_sub(frame.base)?)),
        };
        let value = value.copied().unwrap_or_default();
        Ok(match place {
            Place::Shared(_, element) => {
                let items = self.heap.sequence(value).unwrap_or_default();
                items.get(usize::from(element).wrapping_sub(1)).copied().unwrap_or_default()
            }
            _ => value,
        })
    }

    fn write_place(&mut self, desc: Value, place: Place, value: Value) -> Run<()> {
        if let Place::Shared(number, element) = place {
            let vector = self.read_place(desc, Place::Local(number))?;
            self.set_index(vector, Value::Int(element.into()), value)?;
            return Ok(());
        }
        let (desc, frame) = self.frame(desc)?;
        let Some(index) = Vm::slot_index(frame, place) else { return Ok(()) };
        if frame.live.is_some() {
            if let Some(slot) = self.stack.get_mut(index) {
                *slot = value;
            }
            return Ok(());
        }
        let at = (index + frame.argc).checked_sub(frame.base);
        let id = desc.frame;
        if let Some(Obj::FrameRef(frame)) = self.heap.get_mut(id)
            && let Some(slot) = at.and_then(|at| frame.values.get_mut(at))
        {
            *slot = value;
        }
        Ok(())
    }

    /// Whether a description's frame has a variable.
    pub(crate) fn frame_has(&self, desc: Value, name: &str) -> bool {
        self.frame_variables(desc).is_ok_and(|variables| variables.iter().any(|variable| variable.name == name))
    }

    fn named_place(&self, desc: Value, name: Value) -> Run<Place> {
        let name = self.want_text(name)?;
        let variables = self.frame_variables(desc)?;
        match variables.iter().find(|variable| variable.name == *name) {
            Some(variable) => Ok(variable.place),
            None => fail(error::INDEX_OUT_OF_RANGE),
        }
    }

    /// The variable with a name: `desc[name]`.
    pub(crate) fn frame_get(&self, desc: Value, name: Value) -> Run<Value> {
        let place = self.named_place(desc, name)?;
        self.read_place(desc, place)
    }

    /// Sets the variable with a name: `desc[name] = value`.
    pub(crate) fn frame_set(&mut self, desc: Value, name: Value, value: Value) -> Run<()> {
        let place = self.named_place(desc, name)?;
        self.write_place(desc, place, value)
    }

    /// All variables of a description as a lookup table.
    pub(crate) fn frame_table(&mut self, desc: Value) -> Run<Value> {
        let variables = self.frame_variables(desc)?;
        let table = self.new_table(variables.len());
        self.rooted.push(table);
        for variable in variables {
            let value = self.read_place(desc, variable.place)?;
            self.table_add(table, &variable.name, value);
        }
        self.rooted.pop();
        Ok(table)
    }

    fn new_table(&mut self, count: usize) -> Value {
        Value::Obj(self.heap.alloc(Obj::Lookup(Box::new(LookupTable::new(false, 32, count.max(1))))))
    }

    fn table_add(&mut self, table: Value, name: &str, value: Value) {
        let key = self.heap.new_text(name);
        if let Value::Obj(id) = table
            && self.lookup_table(table).is_some_and(|table| table.get(&self.heap, key).is_none())
        {
            self.lookup_set(id, key, value);
        }
    }

    /// self, property, target and definer of a description's frame, as LOADCTX takes them; nil outside of methods.
    pub(crate) fn frame_context(&mut self, desc: Value) -> Run<Value> {
        let (_, frame) = self.frame(desc)?;
        if frame.this == Value::Nil {
            return Ok(Value::Nil);
        }
        let items = vec![frame.this, Value::Prop(frame.prop), frame.target, Value::object(frame.definer)];
        Ok(self.heap.new_list(items))
    }

    /// One of the things that a description tells about its frame.
    pub(crate) fn frame_fact(&self, desc: Value, fact: fn(&FrameRef) -> Value) -> Run<Value> {
        self.frame(desc).map(|(_, frame)| fact(frame))
    }
}

/// isActive
pub(crate) fn is_active(frame: &FrameRef) -> Value {
    Value::truth(frame.live.is_some())
}

/// getSelf
pub(crate) fn this(frame: &FrameRef) -> Value {
    frame.this
}

/// getDefiningObj
pub(crate) fn definer(frame: &FrameRef) -> Value {
    Value::object(frame.definer)
}

/// getTargetObj
pub(crate) fn target(frame: &FrameRef) -> Value {
    frame.target
}

/// getTargetProp
pub(crate) fn target_prop(frame: &FrameRef) -> Value {
    if frame.prop == NO_PROP { Value::Nil } else { Value::Prop(frame.prop) }
}

/// getInvokee
pub(crate) fn invokee(frame: &FrameRef) -> Value {
    frame.invokee
}

// ---- traces

/// A level of the stack.
#[derive(Clone, Copy)]
enum Level {
    Frame(usize),
    Native(NativeCall),
}

/// A list of T3StackInfo objects, or one of them; nil if the program has no such class.
pub(crate) fn stack_trace(vm: &mut Vm, args: Args) -> Run<Value> {
    let Some(class) = vm.predef.object("T3StackInfo") else { return Ok(Value::Nil) };
    let single = match args.given(vm, 0) {
        Some(value) => match vm.num_arg(value)? {
            level @ 1.. => Some(level as usize - 1),
            _ => return fail(error::BAD_VAL_BIF),
        },
        None => None,
    };
    let flags = match args.given(vm, 1) {
        Some(value) => vm.num_arg(value)?,
        None => 0,
    };
    let parameters = match vm.find_prop(Value::Obj(class), vm.predef.constructor) {
        Some(crate::props::Found::Value(value, _)) => vm.parameters_of(value),
        _ => None,
    };
    let count = parameters.map_or(9, |(min, optional, varargs)| if varargs { 9 } else { (min + optional) as usize });
    let mut levels = Vec::new();
    for number in (0..vm.frames.len()).rev() {
        levels.push(Level::Frame(number));
        let native = vm.native_calls.iter().rev().find(|native| native.depth == number);
        levels.extend(
            native.filter(|native| native.callee != NativeCallee::Nothing).map(|native| Level::Native(*native)),
        );
    }
    let items = crate::meta::seq::collect(vm, |vm| {
        for (number, level) in levels.into_iter().enumerate() {
            if single.is_none_or(|single| single == number) {
                let info = stack_info(vm, class, level, flags, count)?;
                vm.rooted.push(info);
            }
        }
        Ok(())
    })?;
    match single {
        Some(_) => Ok(items.first().copied().unwrap_or_default()),
        None => Ok(vm.heap.new_list(items)),
    }
}

fn stack_info(vm: &mut Vm, class: ObjId, level: Level, flags: i32, count: usize) -> Run<Value> {
    let rooted = vm.rooted.len();
    let mut all = vec![Value::Obj(class)];
    match level {
        Level::Frame(number) => {
            let frame = vm.frames[number];
            all.extend(if frame.definer != NO_OBJECT {
                [Value::Nil, Value::Obj(frame.definer), Value::Prop(frame.prop), frame.this]
            } else {
                // What was called, if it is no plain function.
                let function = match frame.invokee {
                    Value::Obj(id) if matches!(vm.heap.get(id), Obj::Dynamic(_)) => frame.invokee,
                    _ => Value::Func(frame.function),
                };
                [function, Value::Nil, Value::Nil, Value::Nil]
            });
            all.push(arguments(vm, frame.fp as usize, frame.argc as usize));
            let source = source_place(vm, number)?;
            all.push(source);
            let desc = FrameDesc { frame: vm.frame_reference(number), at: vm.frame_offset(number) };
            let desc = Value::Obj(vm.heap.alloc(Obj::FrameDesc(Box::new(desc))));
            vm.rooted.push(desc);
            let locals = if flags & WITH_LOCALS != 0 { vm.frame_table(desc)? } else { Value::Nil };
            vm.rooted.push(locals);
            all.push(locals);
            let named = if flags & WITH_LOCALS != 0 { named_table(vm, number) } else { Value::Nil };
            vm.rooted.push(named);
            all.push(named);
            all.push(if flags & WITH_FRAMES != 0 { desc } else { Value::Nil });
        }
        Level::Native(native) => {
            all.extend(match native.callee {
                NativeCallee::Function(set, index) => [Value::Builtin(set, index), Value::Nil, Value::Nil, Value::Nil],
                NativeCallee::Method(meta, number) => {
                    let prop = vm.meta_props[meta as usize].get(usize::from(number) - 1).copied();
                    let class = Value::object(vm.class_objects[meta as usize]);
                    [Value::Nil, class, prop.map_or(Value::Nil, Value::Prop), native.this]
                }
                NativeCallee::Nothing => [Value::Nil; 4],
            });
            all.push(arguments(vm, native.top, native.count));
        }
    }
    all.resize(count + 1, Value::Nil);
    let total = all.len();
    let info = vm.nested(&all, |vm| vm.create_tads(total, false));
    vm.rooted.truncate(rooted);
    info
}

/// The arguments below a place on the stack as a list, which is kept.
fn arguments(vm: &mut Vm, top: usize, count: usize) -> Value {
    let items: Vec<Value> = vm.stack[top - count.min(top)..top].iter().rev().copied().collect();
    let list = vm.heap.new_list(items);
    vm.rooted.push(list);
    list
}

/// [file, line], if the image says so.
fn source_place(vm: &mut Vm, number: usize) -> Run<Value> {
    let image = vm.image.clone();
    let function = vm.frames[number].function as usize;
    let offset = vm.heap.functions.get(function).copied().unwrap_or_default();
    if offset & crate::code::DYNAMIC != 0 {
        return Ok(Value::Nil);
    }
    let Some((source, line)) = debug::line(&image, offset, vm.frame_offset(number)) else { return Ok(Value::Nil) };
    let Some(source) = image.sources.get(source) else { return Ok(Value::Nil) };
    let name = vm.heap.new_text(source.name.as_str());
    let place = vm.heap.new_list(vec![name, Value::Int(line as i32)]);
    vm.rooted.push(place);
    Ok(place)
}

// ---- named arguments

impl Vm {
    /// Names and stack places of the named arguments that the frame with a number was called with.
    fn named_arguments(&self, number: usize) -> Option<Vec<(String, usize)>> {
        let frame = self.frames.get(number)?;
        let crate::code::inst::Inst::NamedArgs { table, .. } = self.code.insts.get(frame.ret as usize)? else {
            return None;
        };
        let (pool, at) = self.code.pool(&self.image, *table);
        let (names, _) = phlox_t3_image::decode::named_table(pool, at).ok()?;
        // What a native function calls has that function's named arguments.
        let (top, count) = match frame.native {
            false => (frame.fp as usize, frame.argc as usize),
            true => {
                let native = self.native_calls.iter().rev().find(|native| native.depth == number)?;
                (native.top, native.count)
            }
        };
        // The names are in the order of pushing, all below the ordinary arguments.
        let first = top.checked_sub(count + names.len())?;
        Some(
            names.iter().enumerate().map(|(n, name)| (String::from_utf8_lossy(name).into_owned(), first + n)).collect(),
        )
    }
}

fn named_table(vm: &mut Vm, number: usize) -> Value {
    let Some(names) = vm.named_arguments(number) else { return Value::Nil };
    let table = vm.new_table(names.len());
    vm.rooted.push(table);
    for (name, place) in names.into_iter().rev() {
        let value = vm.stack.get(place).copied().unwrap_or_default();
        vm.table_add(table, &name, value);
    }
    table
}

/// `t3GetNamedArg(name, default?)`
pub(crate) fn named_arg(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = vm.want_text(args.get(vm, 0))?;
    for at in (0..vm.frames.len()).rev() {
        let Some(names) = vm.named_arguments(at) else { continue };
        if let Some((_, place)) = names.iter().find(|row| *row.0 == *name) {
            return Ok(vm.stack.get(*place).copied().unwrap_or_default());
        }
    }
    if args.count >= 2 {
        return Ok(args.get(vm, 1));
    }
    Err(error::error_text(error::MISSING_NAMED_ARG, &name))
}

/// `t3GetNamedArgList()`
pub(crate) fn named_arg_list(vm: &mut Vm, _: Args) -> Run<Value> {
    let mut names: Vec<String> = Vec::new();
    for at in (0..vm.frames.len()).rev() {
        for (name, _) in vm.named_arguments(at).unwrap_or_default().into_iter().rev() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let items = crate::meta::seq::collect(vm, |vm| {
        for name in names {
            let name = vm.heap.new_text(name);
            vm.rooted.push(name);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}

/// The name of a native function or method, for messages about its callbacks.
pub(crate) fn native_name(vm: &Vm, callee: NativeCallee) -> String {
    match callee {
        NativeCallee::Function(set, index) => {
            let set = vm.sets.get(set as usize).and_then(|set| set.functions.get(index as usize));
            set.map_or(String::new(), |function| function.name.to_owned())
        }
        NativeCallee::Method(meta, number) => {
            let row = &INFO[meta as usize];
            let method = row.methods.get(usize::from(number).wrapping_sub(1)).map_or("", |method| method.name);
            format!("{}.{method}", row.class_name)
        }
        NativeCallee::Nothing => "function".to_owned(),
    }
}
