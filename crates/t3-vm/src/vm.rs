//! The machine: its parts, and the tables of native classes and functions that it is given.

use std::rc::Rc;

use foldhash::HashMap;
use phlox_t3_image::{DataHolder, Image, ImageError, Kind, Reader};

use crate::code::Code;
use crate::error::{Halt, Run};
use crate::heap::Heap;
use crate::io::{Access, Io};
use crate::meta::Meta;
use crate::objects::Obj;
use crate::state::{NativeCall, State};
use crate::value::{ObjId, PropId, Value};

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
pub struct Frame {
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
pub struct Predefined {
    pub(crate) values: HashMap<String, DataHolder>,
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

/// The machine.
pub struct Vm {
    /// The image that the program came in.
    pub image: Rc<Image>,
    /// Settings of the run.
    pub options: Options,
    /// Objects and constants.
    pub heap: Heap,
    /// Translated code and its caches.
    pub code: Code,
    /// The front end.
    pub io: Box<dyn Io>,
    // ---- execution
    /// Arguments, locals and temporaries of all frames.
    pub stack: Vec<Value>,
    /// Index of the first free stack slot.
    pub sp: usize,
    /// Index of the next instruction.
    pub ip: usize,
    /// Activations of functions, the innermost last.
    pub frames: Vec<Frame>,
    /// The register R0: the result of the last call.
    pub r0: Value,
    /// Stack slots that calls may use; lower than the stack's size, which keeps a reserve for the exception.
    pub stack_limit: usize,
    /// Frames that may exist at a time.
    pub frame_limit: usize,
    /// Calls from native code into the program that are active.
    pub native_depth: usize,
    /// Calls and backward branches until the next look at fuel and memory.
    pub poll: u32,
    /// What is left of [`Options::fuel`].
    pub fuel: u64,
    /// Allocation, in the heap's units, after which objects are collected.
    pub gc_threshold: usize,
    /// Frames that the program refers to, with their references, the outermost first.
    pub watched: Vec<(usize, ObjId)>,
    /// One more than the number of the innermost watched frame.
    pub watch_floor: usize,
    /// Native functions that have called back, the innermost last.
    pub native_calls: Vec<NativeCall>,
    /// Values that native code holds across calls into the program.
    pub rooted: Vec<Value>,
    // ---- tables of the image
    /// Metaclasses by the image's numbers.
    pub metas: Vec<Meta>,
    /// Method numbers by metaclass and property; 0 is none.
    pub meta_methods: Vec<Vec<u16>>,
    /// Properties by metaclass and method number.
    pub meta_props: Vec<Vec<PropId>>,
    /// Intrinsic class objects by metaclass.
    pub class_objects: Vec<ObjId>,
    /// Function sets by the image's numbers.
    pub sets: Vec<BuiltinSet>,
    /// Symbols that the image exports for the machine.
    pub predef: Predefined,
    // ---- state of intrinsics
    /// The function that displays values; nil if none is set.
    pub say_function: Value,
    /// The method that displays values on `self`; `NO_PROP` if none is set.
    pub say_method: PropId,
    /// The highest property number that is in use.
    pub last_prop: PropId,
    /// What native functions and methods remember between calls.
    pub state: State,
    /// The native classes and functions.
    pub natives: &'static Natives,
}

/// Reads object data and turns holders into values.
pub struct Loader<'a> {
    /// The machine under construction.
    pub vm: &'a mut Vm,
    /// The object's data.
    pub data: Reader<'a>,
    /// New numbers of a saved game's objects; images use their own.
    pub ids: Option<&'a HashMap<ObjId, ObjId>>,
}

/// The result of loading an object.
pub type Load<T> = Result<T, ImageError>;

/// What a method knows about its call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context {
    /// self
    pub this: Value,
    /// The object that the message was sent to.
    pub target: Value,
    /// What is being called.
    pub invokee: Value,
    /// Where the method was found.
    pub definer: ObjId,
    /// The property that was called.
    pub prop: PropId,
}

/// The arguments of a native function: they lie on the stack, the first on top.
#[derive(Debug, Clone, Copy)]
pub struct Args {
    /// self
    pub this: Value,
    /// Stack index behind the first argument.
    pub top: usize,
    /// How many there are.
    pub count: usize,
}

impl Args {
    /// The n-th argument (from 0), nil if it is not there.
    #[inline]
    pub fn get(&self, vm: &Vm, n: usize) -> Value {
        if n >= self.count {
            return Value::Nil;
        }
        vm.stack.get(self.top.wrapping_sub(1 + n)).copied().unwrap_or_default()
    }

    /// The n-th argument if it is there and not nil.
    #[inline]
    pub fn given(&self, vm: &Vm, n: usize) -> Option<Value> {
        match self.get(vm, n) {
            Value::Nil => None,
            value => Some(value),
        }
    }

    /// All arguments in order.
    pub fn all(&self, vm: &Vm) -> Vec<Value> {
        (0..self.count).map(|n| self.get(vm, n)).collect()
    }
}

/// A property that was found.
#[derive(Debug, Clone, Copy)]
pub enum Found {
    /// A value, and the object that defines it.
    Value(Value, ObjId),
    /// A native method: metaclass and number (from 1).
    Native(Meta, u16),
}

/// What a property is evaluated on behalf of.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    /// The property.
    pub prop: PropId,
    /// Where it is looked for.
    pub target: Value,
    /// self in the method.
    pub this: Value,
    /// Number of arguments on the stack.
    pub argc: usize,
}

/// A native method.
pub struct Method {
    /// Its name in the language, for listings.
    pub name: &'static str,
    /// Least number of arguments.
    pub min: u8,
    /// Largest number of arguments.
    pub max: u8,
    /// Whether it is called on the class itself.
    pub is_static: bool,
    /// What it does.
    pub run: fn(&mut Vm, Args) -> Run<Value>,
}

/// What an intrinsic class does natively.
pub struct Class {
    /// The class.
    pub meta: Meta,
    /// Reads an object of an image.
    pub load: Option<fn(&mut Loader<'_>, Meta) -> Load<Obj>>,
    /// `new`.
    pub create: Option<fn(&mut Vm, Args) -> Run<Value>>,
    /// The methods, in the order of the image's property lists.
    pub methods: &'static [Method],
}

/// An intrinsic function.
pub struct Builtin {
    /// Its name in the language.
    pub name: &'static str,
    /// Least number of arguments.
    pub min: u8,
    /// Largest number of arguments.
    pub max: u8,
    /// What it does.
    pub run: fn(&mut Vm, Args) -> Run<Value>,
}

/// A function set.
#[derive(Clone, Copy)]
pub struct BuiltinSet {
    /// The name in images, without version.
    pub name: &'static str,
    /// The newest version that is supported.
    pub version: &'static str,
    /// The functions.
    pub functions: &'static [Builtin],
}

/// The native classes and functions that a machine is given.
pub struct Natives {
    /// One row for each [`Meta`], in its order.
    pub classes: &'static [Class],
    /// The function sets.
    pub sets: &'static [BuiltinSet],
}

impl Natives {
    /// What a class does natively.
    #[inline]
    pub fn class(&self, meta: Meta) -> &'static Class {
        &self.classes[meta as usize]
    }

    /// The function set with a name, given without its version.
    pub fn set(&self, name: &str) -> Option<BuiltinSet> {
        self.sets.iter().find(|set| set.name == name).copied()
    }
}
