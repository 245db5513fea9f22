//! The machine: its parts, its start, its end.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_image::{DataHolder, Image, Kind};

use crate::bif::BuiltinSet;
use crate::code::Code;
use crate::error::{self, Halt, Run, Throw, fail};
use crate::heap::Heap;
use crate::io::{Access, Io};
use crate::meta::Meta;
use crate::value::{NO_OBJECT, NO_PROP, ObjId, PropId, Value};

/// Settings of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Start of the random numbers; `None` takes the generator's fixed initial state.
    pub seed: Option<String>,
    /// Instructions (rather, calls and backward branches) before the run is ended.
    pub fuel: u64,
    /// Stack slots that calls may use.
    pub stack: usize,
    /// Elements of a list and bytes of a string that an addition may give.
    pub max_length: usize,
    /// Objects before the run is ended.
    pub max_objects: usize,
    /// Files that the program may read.
    pub read: Access,
    /// Files that the program may write.
    pub write: Access,
    /// The folder that relative file names start from.
    pub folder: std::path::PathBuf,
    /// The image's file name, which saved games mention.
    pub image_name: String,
    /// A saved game to start from.
    pub restore: Option<std::path::PathBuf>,
    /// Where to write a transcript.
    pub log: Option<std::path::PathBuf>,
    /// Arguments after the image's name.
    pub arguments: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: None,
            fuel: u64::MAX,
            stack: 1 << 16,
            max_length: 1 << 26,
            max_objects: 1 << 24,
            read: Access::Folder,
            write: Access::Folder,
            folder: std::path::PathBuf::from("."),
            image_name: String::new(),
            restore: None,
            log: None,
            arguments: Vec::new(),
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The program returned from its entry point.
    Finished,
    /// An exception was not caught: the text to show.
    Unhandled(String),
    /// The run was ended from outside.
    Halted(Halt),
}

/// An activation of a function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// Stack index of the first local; arguments lie below it.
    pub fp: u32,
    /// Where the caller goes on.
    pub ret: u32,
    /// Number of arguments.
    pub argc: u32,
    /// The function.
    pub function: u32,
    /// self
    pub this: Value,
    /// The object that the message was sent to.
    pub target: Value,
    /// What was called: a function pointer or function object.
    pub invokee: Value,
    /// The object that the method was found in.
    pub definer: ObjId,
    /// The property that was called.
    pub prop: PropId,
    /// Whether native code called it.
    pub native: bool,
}

/// Symbols that the image exports for the machine.
#[derive(Debug, Default)]
pub(crate) struct Predefined {
    values: HashMap<String, DataHolder>,
    /// propNotDefined
    pub prop_not_defined: PropId,
    /// ObjectCallProp
    pub object_call: PropId,
    /// Constructor
    pub constructor: PropId,
    /// Destructor
    pub destructor: PropId,
}

impl Predefined {
    /// The property exported under a name.
    pub fn prop(&self, name: &str) -> Option<PropId> {
        let holder = self.values.get(name)?;
        (holder.kind == Kind::Property as u8).then_some(holder.raw as PropId)
    }

    /// The object exported under a name.
    pub fn object(&self, name: &str) -> Option<ObjId> {
        let holder = self.values.get(name)?;
        (holder.kind == Kind::Object as u8).then_some(holder.raw)
    }

    /// The function exported under a name: its code offset.
    pub fn function(&self, name: &str) -> Option<u32> {
        let holder = self.values.get(name)?;
        (holder.kind == Kind::Function as u8).then_some(holder.raw)
    }
}

/// Slots kept for making the exception when the others are used up.
const RESERVE: usize = 1 << 11;
/// Frames, so that endless recursion ends soon.
pub(crate) const MAX_FRAMES: usize = 10_000;

/// The machine.
pub struct Vm {
    pub(crate) image: Rc<Image>,
    pub(crate) options: Options,
    pub(crate) heap: Heap,
    pub(crate) code: Code,
    pub(crate) io: Box<dyn Io>,
    // ---- execution
    pub(crate) stack: Vec<Value>,
    pub(crate) sp: usize,
    pub(crate) ip: usize,
    pub(crate) frames: Vec<Frame>,
    pub(crate) r0: Value,
    pub(crate) stack_limit: usize,
    pub(crate) frame_limit: usize,
    pub(crate) native_depth: usize,
    /// Calls and backward branches until the next look at fuel and memory.
    pub(crate) poll: u32,
    pub(crate) fuel: u64,
    pub(crate) gc_threshold: usize,
    /// Frames that the program refers to, with their references, the outermost first.
    pub(crate) watched: Vec<(usize, ObjId)>,
    /// One more than the number of the innermost watched frame.
    pub(crate) watch_floor: usize,
    /// Native functions that have called back, the innermost last.
    pub(crate) native_calls: Vec<crate::frames::NativeCall>,
    /// Values that native code holds across calls into the program.
    pub(crate) rooted: Vec<Value>,
    // ---- tables of the image
    /// Metaclasses by the image's numbers.
    pub(crate) metas: Vec<Meta>,
    /// Method numbers by metaclass and property; 0 is none.
    pub(crate) meta_methods: Vec<Vec<u16>>,
    /// Properties by metaclass and method number.
    pub(crate) meta_props: Vec<Vec<PropId>>,
    /// Intrinsic class objects by metaclass.
    pub(crate) class_objects: Vec<ObjId>,
    pub(crate) sets: Vec<BuiltinSet>,
    pub(crate) predef: Predefined,
    // ---- state of intrinsics
    pub(crate) say_function: Value,
    pub(crate) say_method: PropId,
    pub(crate) last_prop: PropId,
    pub(crate) state: crate::bif::State,
}

impl Vm {
    /// A machine with a loaded image.
    pub fn new(image: Image, options: Options, io: Box<dyn Io>) -> Result<Vm, String> {
        let mut state = crate::bif::State::new(options.seed.as_deref());
        state.console.width = io.width();
        state.console.styles = io.styles();
        if let Some(path) = &options.log {
            let log = std::fs::File::create(path);
            state.log = Some(log.map_err(|error| format!("{}: {error}", path.display()))?);
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
    pub(crate) fn global_values(&self, visit: &mut dyn FnMut(Value)) {
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
