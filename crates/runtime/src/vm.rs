//! `Vm`: the engine state of a process and of the request that it answers. All of it is shared and changes through cells.

use crate::class::ClassRef;
use crate::error::{PhpResult, Throw};
use crate::errors::ErrorState;
use crate::extension::{ConstValue, Extension, FnDef, NativeClass};
use crate::frame::Frame;
use crate::frame_stack::{FrameStack, Place};
use crate::func::Func;
use crate::ini::Ini;
use crate::made::MadeLog;
use crate::output::Output;
use crate::request::{ProcessRequest, Request};
use crate::strmap::StrMap;
use crate::symbols::SymbolTable;
use crate::time_limit::TimeLimit;
use crate::unit::LinkedUnit;
use phlox_hhbc::frameless::{is_frameless_call, is_inlined_call};
use phlox_hhbc::{ClassId, Unit};
use phlox_value::raw::{Prepared, Words};
use phlox_value::{PhpObj, PhpStr, Val};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A function together with the object or class that it is called on.
#[derive(Clone)]
pub struct Callee {
    pub func: Rc<Func>,
    pub this: Option<PhpObj>,
    /// The late static binding class.
    pub static_class: Option<ClassRef>,
    /// The closure object whose captured and static variables the function uses.
    pub closure: Option<PhpObj>,
    /// The called method name, if the function is a `__call` or `__callStatic` that handles it.
    pub magic_name: Option<PhpStr>,
}

/// A function that loads classes. Whether it may be called was decided when it was registered.
pub struct Autoloader {
    pub callee: Callee,
    /// The closure that was registered, if it was one.
    pub closure: Option<PhpObj>,
}

impl Callee {
    /// A call of a function without a class.
    pub fn function(func: Rc<Func>) -> Callee {
        Callee { func, this: None, static_class: None, closure: None, magic_name: None }
    }

    /// A call of a method on an object.
    pub fn method(func: Rc<Func>, this: PhpObj) -> Callee {
        let static_class = Some(this.class_header().clone());
        Callee { func, this: Some(this), static_class, closure: None, magic_name: None }
    }

    /// A static call of a method on a class.
    pub fn static_method(func: Rc<Func>, static_class: ClassRef) -> Callee {
        Callee { func, this: None, static_class: Some(static_class), closure: None, magic_name: None }
    }
}

/// A callee as borrowed parts, for a call that retains none of them; the function is no `__call` for another name.
#[derive(Clone, Copy)]
pub struct CalleeRef<'a> {
    pub func: &'a Rc<Func>,
    pub this: Option<&'a PhpObj>,
    pub static_class: Option<&'a ClassRef>,
    pub closure: Option<&'a PhpObj>,
}

/// The arguments of a call from builtin code.
#[derive(Default)]
pub struct Args {
    pub positional: Vec<Val>,
    pub named: Vec<(PhpStr, Val)>,
}

impl From<Vec<Val>> for Args {
    fn from(positional: Vec<Val>) -> Args {
        Args { positional, named: Vec::new() }
    }
}

/// The interpreter's interface to the runtime.
pub trait Executor {
    /// Calls a function of a unit. Arguments for by-reference parameters must be references.
    fn call_user(&self, vm: &Vm, callee: Callee, args: Args) -> PhpResult<Val>;
    /// Fast path of a call of a function of a unit without by-reference parameters; the arguments are moved out. Undefined if the
    /// call threw ([`Vm::failed`] then has the throwable), or if nothing happened because the call needs the slow path.
    fn call_at_once(&self, vm: &Vm, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
        let _ = (vm, callee, args);
        Words::UNDEF
    }

    /// Looks up what all calls of a function from builtin code need. `None` if [`Executor::call_prepared`] would refuse them.
    fn prepare<'a>(&self, vm: &Vm, callee: CalleeRef<'a>) -> Option<Prepared<'a>> {
        let _ = (vm, callee);
        None
    }

    /// Fast path of a call of the prepared function, with borrowed arguments. Undefined if the call threw ([`Vm::failed`] then
    /// has the throwable); [`Words::NOT_TRIED`] if nothing happened because the call needs the slow path.
    fn call_prepared(&self, vm: &Vm, prepared: &Prepared<'_>, callee: &Callee, args: &[&Val]) -> Words {
        let _ = (vm, prepared, callee, args);
        Words::NOT_TRIED
    }

    /// Runs a unit's top-level code with variables from `symbols`; returns what the file returns.
    fn run_main(
        &self,
        vm: &Vm,
        unit: &Rc<LinkedUnit>,
        symbols: Rc<SymbolTable>,
        include_kind: &'static str,
    ) -> PhpResult<Val>;
    /// Prepares for several requests in the process, of which the later ones use what is made of functions in the earlier ones.
    /// Called before any code runs.
    fn keep_code(&self) {}

    /// Empties what the engine found by name in the request that ends, such as inline caches: names can mean something else in the
    /// next request.
    fn end_request(&self) {}

    /// Runs the destructor of an object that the collector found.
    fn destruct_garbage(&self, object: &PhpObj) {
        crate::destruct::run(object);
    }

    /// Creates the interpreter's stack for a new fiber, in engines that have a stack of their own. `None` if there is no memory.
    fn new_stack(&self) -> Option<Box<dyn std::any::Any>> {
        Some(Box::new(()))
    }

    /// Exchanges the interpreter's stack for a fiber's stack.
    fn swap_stack(&self, other: &mut Option<Box<dyn std::any::Any>>) {
        let _ = other;
    }
}

/// The reason why a source does not compile.
pub struct CompileFailure {
    /// The class that `eval` and `include` throw for it; `None` if the failure ends the script.
    pub thrown: Option<crate::error::Thrown>,
    pub message: Vec<u8>,
    pub line: u32,
}

impl CompileFailure {
    /// The level at which the failure is reported if it is not thrown.
    pub fn level(&self) -> crate::Level {
        match self.thrown {
            Some(crate::error::Thrown::ParseError) => crate::Level::Parse,
            _ => crate::Level::CompileError,
        }
    }
}

/// A diagnostic of a source that compiles.
pub struct CompileNotice {
    pub level: crate::Level,
    pub message: Vec<u8>,
    pub line: u32,
}

/// The result of a compilation.
pub enum Compiled {
    /// The unit, which contains its notices.
    Unit(Unit),
    Failure(CompileFailure, Vec<CompileNotice>),
}

/// A source to compile, with the settings that matter.
pub struct CompileRequest<'a> {
    pub source: &'a [u8],
    pub filename: &'a [u8],
    pub is_eval: bool,
    pub short_open_tag: bool,
    /// Whether `zend.assertions` is not -1.
    pub assertions: bool,
    /// Whether `disable_functions` is empty, so that calls of builtin functions can be compiled specially.
    pub knows_builtins: bool,
    /// The setting `zend.multibyte`.
    pub multibyte: bool,
}

/// The front end's interface to the runtime.
pub trait Compiler {
    /// Compiles a source.
    fn compile(&self, request: &CompileRequest<'_>) -> Compiled;

    /// The cached unit of a file that did not change since it was compiled. The file is not read, so the request's source is
    /// empty. `found` is the file's metadata, if it was just looked up. `None` if the unit is not cached.
    fn recall(&self, request: &CompileRequest<'_>, found: Option<std::fs::Metadata>) -> Option<Unit>;
}

/// The engine state of a process, which answers one request at a time.
pub struct Vm {
    pub output: Output,
    /// The request that is being answered.
    pub request: RefCell<Rc<dyn Request>>,
    pub ini: Ini,
    pub errors: ErrorState,
    pub globals: Rc<SymbolTable>,
    pub frames: FrameStack,
    pub guards: crate::magic::Guards,
    pub(crate) executor: OnceCell<Box<dyn Executor>>,
    pub compiler: Rc<dyn Compiler>,
    pub extensions: &'static [&'static Extension],
    pub(crate) native_functions:
        HashMap<Cow<'static, [u8]>, (&'static FnDef, &'static str), foldhash::fast::FixedState>,
    pub(crate) native_classes: HashMap<Vec<u8>, (&'static NativeClass, &'static str), foldhash::fast::FixedState>,
    /// The lower-case names in `disable_classes`.
    pub(crate) disabled_classes: Vec<Vec<u8>>,
    /// Names in `disable_functions` that cannot be disabled.
    pub(crate) not_disabled: Vec<Vec<u8>>,
    /// What the request makes of declarations that live as long as the process.
    pub(crate) made: MadeLog,
    /// Whether the process answers several requests, so that units and what is made of them are kept.
    pub keeps_units: Cell<bool>,
    pub(crate) process_changes: crate::process_changes::ProcessChanges,
    pub path_cache: crate::files::PathCache,
    /// The kept units.
    pub unit_store: crate::unit_store::UnitStore,
    /// Whether the request has ended and what it has left is being dropped.
    pub is_clearing: Cell<bool>,
    /// Whether a panic has left the engine in the middle of something, so that the process should answer no other request.
    pub is_spent: Cell<bool>,
    /// The number of the request in this process, from 1 on.
    pub request_number: Cell<u64>,
    pub(crate) native_constants:
        OnceCell<HashMap<&'static [u8], (ConstValue, &'static str), foldhash::fast::FixedState>>,
    /// The known functions by lower-case name (builtin ones are added on first use).
    pub functions: RefCell<StrMap<Rc<Func>>>,
    /// The known classes by lower-case name.
    pub classes: RefCell<StrMap<ClassRef>>,
    pub preloaded: crate::preload::Preloaded,
    /// How many functions and classes there were after the last request, all builtin or preloaded: they are never removed.
    pub(crate) lasting: Cell<(usize, usize)>,
    /// Classes that are looked up once, by [`KnownClass`](crate::lookup::KnownClass).
    pub(crate) known_classes: [OnceCell<ClassRef>; crate::lookup::KnownClass::COUNT],
    pub(crate) instances: crate::coerce::Instances,
    pub(crate) spellings: crate::lookup::Spellings,
    /// Constants of scripts, and those that extensions define at start-up.
    pub constants: RefCell<StrMap<Val>>,
    /// The declared spelling of constants in namespaces, where it differs from the key in [`Vm::constants`].
    pub written_constants: RefCell<StrMap<PhpStr>>,
    pub autoloaders: RefCell<Vec<Rc<Autoloader>>>,
    /// Names of classes that are being autoloaded, to stop recursion.
    pub autoloading: RefCell<Vec<PhpStr>>,
    /// While this is not 0, no fiber may be started, resumed or suspended.
    pub switching_blocked: Cell<u32>,
    /// The classes that are being linked, innermost last. They do not exist yet, and autoloaders are not called for them.
    pub linking: RefCell<Vec<(Rc<LinkedUnit>, ClassId)>>,
    /// What the classes that are being linked depend on, the innermost last.
    pub(crate) dependencies: RefCell<Vec<crate::link::Dependencies>>,
    pub shutdown_functions: RefCell<VecDeque<(Callee, Vec<Val>)>>,
    /// The files included so far, by resolved path.
    pub included: RefCell<StrMap<()>>,
    /// The name of the main script: the path of a file, or the name of code from elsewhere.
    pub script: RefCell<PhpStr>,
    pub exit_status: Cell<i32>,
    /// A throwable from code that cannot return it, such as a destructor. It is thrown at the next safe point.
    pub pending: RefCell<Option<PhpObj>>,
    pub has_pending: Cell<bool>,
    /// The throwable of a call by the fast path, until the caller takes it.
    pub failed: Cell<Option<Throw>>,
    /// Throwables that unwind suspended generators and fibers that are destroyed: only `finally` code sees them.
    pub destroying: RefCell<Vec<PhpObj>>,
    /// Whether a destructor called `exit`, which takes effect at the next safe point.
    pub pending_exit: Cell<bool>,
    /// Whether the main script has ended.
    pub shutting_down: Cell<bool>,
    /// The lowest address that the native stack may reach before an error is thrown; 0 if only `depth` is limited.
    pub native_floor: Cell<usize>,
    /// The stack size that the error message names. The stack itself is larger than PHP's.
    pub native_bytes: Cell<usize>,
    /// The number of nested interpreter runs.
    pub depth: Cell<u32>,
    /// Data of extensions, by the number of their [`DataKey`].
    pub(crate) keyed_data: RefCell<Vec<Option<Rc<dyn std::any::Any>>>>,
    /// Data of extensions, by name.
    pub extension_data: RefCell<HashMap<&'static str, Rc<dyn std::any::Any>, foldhash::fast::FixedState>>,
    /// The holders of weakly referenced objects (WeakReference, WeakMap), by the objects' addresses.
    pub weak: RefCell<HashMap<usize, Vec<std::rc::Weak<dyn WeakHolder>>>>,
    /// The time when the request started.
    pub started: Cell<std::time::SystemTime>,
    /// Runs the script's handlers of signals that arrived (`ext/pcntl` sets it).
    pub signal_hook: Cell<Option<fn(&Vm) -> PhpResult<()>>>,
    pub time_limit: TimeLimit,
    /// The file and line where memory_limit was hit.
    pub fault_position: RefCell<Option<(PhpStr, u32)>>,
    /// Whether the default value of a builtin function's parameter is being evaluated for a call.
    pub in_native_default: Cell<bool>,
}

/// The key of an extension's data: a number that is assigned on first use and valid in every request.
pub struct DataKey<T> {
    index: AtomicU32,
    data: std::marker::PhantomData<fn() -> T>,
}

impl<T> DataKey<T> {
    /// A key without a number yet.
    #[expect(clippy::new_without_default, reason = "keys are statics")]
    pub const fn new() -> DataKey<T> {
        DataKey { index: AtomicU32::new(0), data: std::marker::PhantomData }
    }
}

/// Something that holds an object weakly.
pub trait WeakHolder {
    /// Tells the holder that the object at this address is freed.
    fn forget(&self, address: usize);
    /// The map's entry for the object at this address, for the collector.
    fn entry(&self, address: usize) -> Option<phlox_value::Ephemeron> {
        let _ = address;
        None
    }
}

thread_local! {
    static CURRENT: Cell<Option<&'static Vm>> = const { Cell::new(None) };
}

/// The key of a builtin function's name; almost all names are in lower case already.
fn lower_name(name: &'static [u8]) -> Cow<'static, [u8]> {
    match name.iter().any(u8::is_ascii_uppercase) {
        true => name.to_ascii_lowercase().into(),
        false => name.into(),
    }
}

impl Vm {
    /// Creates a process's engine, which lives until the thread ends, because destructors may run at any time. It can answer a
    /// request after [`Vm::begin_request`].
    pub fn create(
        compiler: Rc<dyn Compiler>,
        executor: Box<dyn Executor>,
        extensions: &'static [&'static Extension],
        configure: impl FnOnce(&mut Ini),
    ) -> &'static Vm {
        let mut ini = Ini::default();
        configure(&mut ini);
        let mut native_functions = HashMap::default();
        let mut native_classes = HashMap::default();
        for extension in extensions {
            ini.declare(extension.name, extension.ini);
            for def in extension.functions.iter().copied().flatten() {
                native_functions.insert(lower_name(def.name().as_bytes()), (def, extension.name));
            }
            for class in extension.classes.iter().copied().flatten() {
                native_classes.insert(class.name.to_ascii_lowercase().into_bytes(), (class, extension.name));
            }
        }
        let (needed, disabled): (Vec<_>, Vec<_>) =
            crate::disabled::names(&ini.get(&crate::settings::DISABLE_FUNCTIONS))
                .into_iter()
                .partition(|name| matches!(name.as_slice(), b"exit" | b"die"));
        native_functions.retain(|name, _| !disabled.iter().any(|other| other[..] == name[..]));
        let disabled_classes = crate::disabled::names(&ini.get(&crate::settings::DISABLE_CLASSES));
        let vm: &'static Vm = Box::leak(Box::new(Vm {
            output: Output::default(),
            request: RefCell::new(Rc::new(ProcessRequest)),
            ini,
            errors: ErrorState::default(),
            globals: Rc::new(SymbolTable::default()),
            frames: FrameStack::default(),
            guards: crate::magic::Guards::default(),
            executor: OnceCell::from(executor),
            compiler,
            extensions,
            native_functions,
            native_classes,
            disabled_classes,
            not_disabled: needed,
            made: MadeLog::default(),
            keeps_units: Cell::new(false),
            process_changes: Default::default(),
            path_cache: crate::files::PathCache::default(),
            unit_store: crate::unit_store::UnitStore::default(),
            is_clearing: Cell::new(false),
            is_spent: Cell::new(false),
            request_number: Cell::new(0),
            native_constants: OnceCell::new(),
            functions: RefCell::default(),
            classes: RefCell::default(),
            preloaded: Default::default(),
            lasting: Cell::default(),
            known_classes: Default::default(),
            instances: Default::default(),
            spellings: Default::default(),
            constants: RefCell::default(),
            written_constants: RefCell::default(),
            autoloaders: RefCell::default(),
            autoloading: RefCell::default(),
            switching_blocked: Cell::new(0),
            linking: RefCell::default(),
            dependencies: RefCell::default(),
            shutdown_functions: RefCell::default(),
            included: RefCell::default(),
            script: RefCell::new(PhpStr::empty()),
            exit_status: Cell::new(0),
            pending: RefCell::new(None),
            has_pending: Cell::new(false),
            failed: Cell::new(None),
            destroying: RefCell::default(),
            pending_exit: Cell::new(false),
            shutting_down: Cell::new(false),
            native_floor: Cell::new(0),
            native_bytes: Cell::new(0),
            depth: Cell::new(0),
            keyed_data: RefCell::default(),
            extension_data: RefCell::default(),
            weak: RefCell::default(),
            started: Cell::new(std::time::SystemTime::now()),
            signal_hook: Cell::new(None),
            time_limit: TimeLimit::default(),
            fault_position: RefCell::new(None),
            in_native_default: Cell::new(false),
        }));
        CURRENT.set(Some(vm));
        phlox_value::set_hooks(phlox_value::Hooks {
            destruct: crate::destruct::run,
            destruct_garbage: crate::destruct::run_of_garbage,
            weak_freed: crate::destruct::weak_freed,
            typed_reference_freed: crate::destruct::typed_reference_freed,
            complete: crate::throwable::complete,
            ephemerons: crate::destruct::ephemerons,
        });
        phlox_value::heap::on_exhaustion(crate::destruct::memory_exhausted);
        vm
    }

    /// The thread's engine, for code that runs in `Drop` and has no other access to it.
    pub fn current() -> Option<&'static Vm> {
        CURRENT.get()
    }

    /// The interpreter.
    pub fn executor(&self) -> &dyn Executor {
        self.executor.get().map(|e| &**e).unwrap_or_else(|| unreachable!("set when the engine is created"))
    }

    /// Writes to the innermost output buffer, or to the output without one.
    pub fn echo(&self, bytes: &[u8]) {
        crate::ob::write(self, bytes);
    }

    /// The innermost frame.
    pub fn frame(&self) -> Option<Rc<Frame>> {
        self.frames.last()
    }

    /// The innermost frame of PHP code, not of a builtin function.
    pub fn user_frame(&self) -> Option<Rc<Frame>> {
        self.frames.from_top().find(|frame| !frame.is_native())
    }

    /// The name of the running PHP function in messages; `main` outside of functions.
    pub fn active_function(&self) -> Vec<u8> {
        let name = self.user_frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        if name.is_empty() { b"main".to_vec() } else { name }
    }

    /// The name of the running function, builtin or not; `main` outside of functions.
    pub fn innermost_function(&self) -> Vec<u8> {
        let name = self.frames.find_map(|place: &Place<'_>| Some(place.func.display_name())).unwrap_or_default();
        if name.is_empty() { b"main".to_vec() } else { name }
    }

    /// Whether the running builtin function is one that PHP calls without a frame at this call.
    pub fn runs_without_frame(&self) -> bool {
        let call = |place: &Place<'_>| {
            let func = place.func;
            (!place.is_native()).then(|| is_frameless_call(&func.unit.unit, func.code(), place.pc))
        };
        self.frames.find_map(call).unwrap_or(false)
    }

    /// Whether the running builtin function is one that PHP compiles to an instruction at this call.
    pub fn runs_as_instruction(&self) -> bool {
        let call = |place: &Place<'_>| {
            let func = place.func;
            (!place.is_native()).then(|| is_inlined_call(&func.unit.unit, func.code(), place.pc))
        };
        self.frames.find_map(call).unwrap_or(false)
    }

    /// The file and line of the running PHP code.
    pub fn position(&self) -> (PhpStr, u32) {
        let place = |place: &Place<'_>| (!place.is_native()).then(|| (place.func.unit.filename.clone(), place.line()));
        self.frames.find_map(place).unwrap_or_else(|| (PhpStr::empty(), 0))
    }

    /// The class scope of the running code; a builtin function without one has its caller's.
    pub fn scope(&self) -> Option<ClassRef> {
        self.frames.find_map(|place| (!place.is_native() || place.scope().is_some()).then(|| place.scope().cloned()))?
    }

    /// The class scope of the running PHP code, which decides the methods that a callable may name.
    pub fn user_scope(&self) -> Option<ClassRef> {
        self.frames.find_map(|place| (!place.is_native()).then(|| place.scope().cloned()))?
    }

    /// The data of an extension by name, created on first use.
    pub fn data<T: Default + 'static>(&self, key: &'static str) -> Rc<T> {
        let existing = self.extension_data.borrow().get(key).cloned();
        if let Some(found) = existing.and_then(|data| data.downcast::<T>().ok()) {
            return found;
        }
        let fresh = Rc::new(T::default());
        self.extension_data.borrow_mut().insert(key, fresh.clone());
        fresh
    }

    /// The data of an extension by key, created on first use; for data that every call of its functions needs.
    #[inline]
    pub fn keyed<T: Default + 'static>(&self, key: &'static DataKey<T>) -> Rc<T> {
        let index = key.index.load(Ordering::Relaxed) as usize;
        let found = self.keyed_data.borrow().get(index).cloned().flatten();
        match found.and_then(|data| data.downcast::<T>().ok()) {
            Some(data) => data,
            None => self.make_keyed(key),
        }
    }

    #[cold]
    fn make_keyed<T: Default + 'static>(&self, key: &'static DataKey<T>) -> Rc<T> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        // Zero means that the key has no number yet.
        if key.index.load(Ordering::Relaxed) == 0 {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            // If another thread was faster, its number is used.
            let _ = key.index.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
        }
        let index = key.index.load(Ordering::Relaxed) as usize;
        let data = Rc::new(T::default());
        let mut all = self.keyed_data.borrow_mut();
        if all.len() <= index {
            all.resize(index + 1, None);
        }
        all[index] = Some(data.clone());
        data
    }

    /// Stores a throwable of code that cannot return it, until the next safe point.
    pub fn set_pending(&self, throw: Throw) {
        match throw {
            Throw::Exception(exception) => {
                let mut pending = self.pending.borrow_mut();
                if let Some(earlier) = pending.take() {
                    crate::errors::chain_previous(&exception, earlier);
                }
                *pending = Some(exception);
                self.has_pending.set(true);
            }
            Throw::Exit | Throw::Fatal => {
                self.pending_exit.set(true);
                self.has_pending.set(true);
            }
        }
    }

    /// Throws the pending throwable of a destructor, if there is one; called at safe points.
    pub fn check_pending(&self) -> PhpResult<()> {
        if !self.has_pending.get() {
            return Ok(());
        }
        self.has_pending.set(false);
        if self.pending_exit.take() {
            return Err(Throw::Exit);
        }
        match self.pending.borrow_mut().take() {
            Some(exception) => Err(Throw::Exception(exception)),
            None => Ok(()),
        }
    }

    /// Runs the script's handlers of signals that arrived.
    pub fn handle_signals(&self) -> PhpResult<()> {
        self.signal_hook.get().map_or(Ok(()), |handle| handle(self))
    }

    /// Runs code that must not switch to another fiber.
    pub fn without_switching<R>(&self, run: impl FnOnce() -> R) -> R {
        self.switching_blocked.set(self.switching_blocked.get() + 1);
        let result = run();
        self.switching_blocked.set(self.switching_blocked.get() - 1);
        result
    }

    /// Counts a tickable statement; every `count` of them the tick functions are called (`declare(ticks=N)`).
    pub fn tick(&self, count: u32) -> PhpResult<()> {
        let ticks = self.data::<Ticks>("ticks");
        let passed = ticks.passed.get() + 1;
        ticks.passed.set(passed);
        if passed < count {
            return Ok(());
        }
        ticks.passed.set(0);
        let functions = ticks.functions.borrow().clone();
        for entry in functions {
            // Statements of a tick function tick, too, but do not call it again.
            if !entry.running.replace(true) {
                let result = self.without_switching(|| self.call_value(&entry.function, entry.args.clone()));
                entry.running.set(false);
                result?;
            }
        }
        self.handle_signals()
    }

    /// Raises the deprecation of a deprecated builtin constant.
    pub fn check_constant_deprecation(&self, name: &PhpStr) -> PhpResult<()> {
        const OUTDATED: [&str; 17] = [
            "CURLOPT_BINARYTRANSFER",
            "E_STRICT",
            "SUNFUNCS_RET_TIMESTAMP",
            "SUNFUNCS_RET_STRING",
            "SUNFUNCS_RET_DOUBLE",
            "FILTER_SANITIZE_STRING",
            "FILTER_SANITIZE_STRIPPED",
            "MT_RAND_PHP",
            "ASSERT_ACTIVE",
            "ASSERT_CALLBACK",
            "ASSERT_BAIL",
            "ASSERT_WARNING",
            "ASSERT_EXCEPTION",
            "FILE_TEXT",
            "FILE_BINARY",
            "DOM_PHP_ERR",
            "SID",
        ];
        // The default of a builtin function is not written by the script, so it raises nothing.
        let is_own = self.in_native_default.get();
        if !is_own && OUTDATED.iter().any(|outdated| outdated.as_bytes() == name.as_bytes()) {
            self.deprecated(format!("Constant {name} is deprecated").as_bytes())?;
        }
        Ok(())
    }
}

/// The tick functions, and how many ticks passed since they ran.
#[derive(Default)]
pub struct Ticks {
    pub passed: Cell<u32>,
    pub functions: RefCell<Vec<Rc<TickFunction>>>,
}

/// A function that is called at ticks.
pub struct TickFunction {
    pub function: Val,
    pub args: Vec<Val>,
    pub running: Cell<bool>,
}

impl TickFunction {
    /// A tick function that is not running.
    pub fn new(function: Val, args: Vec<Val>) -> Rc<TickFunction> {
        Rc::new(TickFunction { function, args, running: Cell::new(false) })
    }
}
