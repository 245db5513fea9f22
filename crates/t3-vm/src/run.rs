//! The start and the end of a run.

use std::rc::Rc;

use phlox_t3_image::Image;

use crate::code::Code;
use crate::error::{self, Run, Throw, fail};
use crate::heap::Heap;
use crate::io::Io;
use crate::logs::LogConsole;
use crate::meta::Meta;
use crate::state::State;
use crate::value::{NO_OBJECT, NO_PROP, PropId, Value};
use crate::vm::{Natives, Options, Outcome, Predefined, Vm};

/// Slots kept for making the exception when the others are used up.
const RESERVE: usize = 1 << 11;

/// Frames, so that endless recursion ends soon.
pub const MAX_FRAMES: usize = 10_000;

impl Vm {
    /// A machine with a loaded image and native classes and functions.
    pub fn new(image: Image, options: Options, natives: &'static Natives, io: Box<dyn Io>) -> Result<Vm, String> {
        let mut state = State::new(options.seed.as_deref());
        state.console.width = io.width();
        state.console.styles = io.styles();
        if let Some(path) = &options.log {
            let log = std::fs::File::create(path);
            let log = log.map_err(|error| format!("{}: {error}", path.display()))?;
            state.logs.transcript = Some(LogConsole::transcript(log));
        }
        let mut vm = Vm {
            image: Rc::new(image),
            fuel: options.fuel,
            stack: vec![Value::Nil; options.stack + RESERVE],
            stack_limit: options.stack,
            options,
            heap: Heap::new(),
            code: Code::default(),
            io,
            sp: 0,
            ip: 0,
            frames: Vec::with_capacity(256),
            r0: Value::Nil,
            frame_limit: MAX_FRAMES,
            native_depth: 0,
            poll: 1024,
            gc_threshold: crate::gc::MIN_THRESHOLD,
            watched: Vec::new(),
            watch_floor: 0,
            native_calls: Vec::new(),
            rooted: Vec::new(),
            metas: Vec::new(),
            meta_methods: vec![Vec::new(); Meta::ALL.len()],
            meta_props: vec![Vec::new(); Meta::ALL.len()],
            class_objects: vec![NO_OBJECT; Meta::ALL.len()],
            sets: Vec::new(),
            predef: Predefined::default(),
            say_function: Value::Nil,
            say_method: NO_PROP,
            last_prop: NO_PROP,
            state,
            natives,
        };
        for symbol in &vm.image.exports {
            vm.predef.values.insert(symbol.name.clone(), symbol.value);
        }
        vm.predef.prop_not_defined = vm.predef.prop("propNotDefined").unwrap_or(NO_PROP);
        vm.predef.object_call = vm.predef.prop("ObjectCallProp").unwrap_or(NO_PROP);
        vm.predef.constructor = vm.predef.prop("Constructor").unwrap_or(NO_PROP);
        vm.predef.destructor = vm.predef.prop("Destructor").unwrap_or(NO_PROP);
        vm.last_prop = vm.predef.prop("LastProp").unwrap_or_else(|| vm.largest_prop());
        vm.link_metaclasses()?;
        vm.link_function_sets()?;
        vm.load_objects()?;
        Ok(vm)
    }

    fn largest_prop(&self) -> PropId {
        let props = self.image.metaclasses.iter().flat_map(|row| row.properties.iter().copied());
        props.max().unwrap_or(NO_PROP)
    }

    /// Runs the program from its entry point to its end.
    pub fn run_program(&mut self) -> Outcome {
        loop {
            let result = self.run_once();
            let outcome = match result {
                Ok(()) => Outcome::Finished,
                Err(Throw::Restart) => {
                    if let Err(message) = self.reset() {
                        return Outcome::Unhandled(message);
                    }
                    continue;
                }
                Err(Throw::Halt(halt)) => Outcome::Halted(halt),
                Err(Throw::Exception(object)) => Outcome::Unhandled(self.exception_text(object)),
                Err(Throw::Error(error)) => Outcome::Unhandled(error.message()),
            };
            self.finish_output();
            self.state.logs.finish();
            return outcome;
        }
    }

    fn run_once(&mut self) -> Run<()> {
        self.run_static_initializers()?;
        let entry = self.heap.function(self.image.entry.code);
        let arguments = self.options.arguments.clone();
        let items: Vec<Value> = std::iter::once(self.options.image_name.clone())
            .chain(arguments)
            .map(|text| self.heap.new_text(text))
            .collect();
        let list = self.heap.new_list(items);
        match self.options.restore.take() {
            Some(path) => {
                let Some(start) = self.predef.function("mainRestore") else { return fail(error::NO_MAINRESTORE) };
                let start = Value::Func(self.heap.function(start));
                let path = path.to_string_lossy().into_owned();
                self.state.granted.push(path.clone());
                let name = self.heap.new_text(path);
                self.call_value(start, &[list, name])?;
            }
            None => {
                self.call_value(Value::Func(entry), &[list])?;
            }
        }
        Ok(())
    }

    fn run_static_initializers(&mut self) -> Run<()> {
        for (object, prop) in self.image.clone().static_initializers.iter().copied() {
            self.call_prop(Value::Obj(object), prop, &[])?;
        }
        Ok(())
    }

    /// Back to the image's state.
    fn reset(&mut self) -> Result<(), String> {
        self.sp = 0;
        self.frames.clear();
        self.detach_frames();
        self.native_calls.clear();
        self.rooted.clear();
        self.native_depth = 0;
        self.r0 = Value::Nil;
        self.reset_objects()
    }

    /// Values that the machine itself holds.
    pub fn global_values(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.r0);
        visit(self.say_function);
        self.code.literals.iter().for_each(|value| visit(*value));
        self.state.values(visit);
    }

    /// The front end, to look at what it collected.
    pub fn io(&self) -> &dyn Io {
        &*self.io
    }
}

impl Vm {
    /// Writes down what the user did: a tag such as `line` or `key`, and what belongs to it.
    pub fn log_event(&mut self, tag: &str, parameter: Option<&str>) {
        self.state.logs.event(tag, parameter);
    }

    /// A line that the user typed belongs to the transcript.
    pub fn log_line(&mut self, line: &str) {
        self.state.logs.line(line);
    }
}
