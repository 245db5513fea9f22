//! `Vm`: one request's engine state. Everything is shared and changes through cells.

use crate::class::ClassRef;
use crate::error::{PhpResult, Throw};
use crate::errors::{self, ErrorState, Phase};
use crate::extension::{ConstValue, Extension, FnDef, NativeClass};
use crate::frame::Frame;
use crate::frame_stack::{FrameStack, Place};
use crate::func::Func;
use crate::ini::Ini;
use crate::output::Output;
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

/// A function together with what it is called on.
#[derive(Clone)]
pub struct Callee {
    pub func: Rc<Func>,
    pub this: Option<PhpObj>,
    /// The late static binding class.
    pub static_class: Option<ClassRef>,
    /// The closure object whose captured and static variables it uses.
    pub closure: Option<PhpObj>,
    /// `__call`/`__callStatic` stands in for this method name.
    pub magic_name: Option<PhpStr>,
}

impl Callee {
    pub fn function(func: Rc<Func>) -> Callee {
        Callee { func, this: None, static_class: None, closure: None, magic_name: None }
    }

    pub fn method(func: Rc<Func>, this: PhpObj) -> Callee {
        let static_class = Some(this.class_header().clone());
        Callee { func, this: Some(this), static_class, closure: None, magic_name: None }
    }

    pub fn static_method(func: Rc<Func>, static_class: ClassRef) -> Callee {
        Callee { func, this: None, static_class: Some(static_class), closure: None, magic_name: None }
    }
}

/// A callee as borrowed parts, for a call that holds none of them itself; `__call` stands in for nothing.
#[derive(Clone, Copy)]
pub struct CalleeRef<'a> {
    pub func: &'a Rc<Func>,
    pub this: Option<&'a PhpObj>,
    pub static_class: Option<&'a ClassRef>,
    pub closure: Option<&'a PhpObj>,
}

/// Arguments of a call from builtin code.
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

/// The interpreter, as the runtime sees it.
pub trait Executor {
    /// Calls a function of a unit. Arguments for by-reference parameters are references already.
    fn call_user(&self, vm: &Vm, callee: Callee, args: Args) -> PhpResult<Val>;
    /// As [`Executor::call_user`], the short way, for a function without by-reference parameters; the arguments are moved
    /// out. Undefined: [`Vm::failed`] has what was thrown, or nothing happened, for the call needs more than that.
    fn call_at_once(&self, vm: &Vm, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
        let _ = (vm, callee, args);
        Words::UNDEF
    }

    /// Looks up what calls of a function from builtin code have in common. `None`: [`Executor::call_prepared`] would not make them.
    fn prepare<'a>(&self, vm: &Vm, callee: CalleeRef<'a>) -> Option<Prepared<'a>> {
        let _ = (vm, callee);
        None
    }

    /// As [`Executor::call_at_once`] for the function that was prepared, with arguments that are borrowed; but [`Words::NOT_TRIED`]
    /// if nothing has happened, because this call needs more.
    fn call_prepared(&self, vm: &Vm, prepared: &Prepared<'_>, callee: &Callee, args: &[&Val]) -> Words {
        let _ = (vm, prepared, callee, args);
        Words::NOT_TRIED
    }

    /// Runs a unit's pseudo-main with variables from `symbols`; gives what the file returns.
    fn run_main(
        &self,
        vm: &Vm,
        unit: &Rc<LinkedUnit>,
        symbols: Rc<SymbolTable>,
        include_kind: &'static str,
    ) -> PhpResult<Val>;
    /// Runs the destructor of an object that the collector found.
    fn destruct_garbage(&self, object: &PhpObj) {
        crate::destruct::run(object);
    }

    /// What a new fiber needs of the interpreter: a stack, in engines that have their own. `None`: no memory.
    fn new_stack(&self) -> Option<Box<dyn std::any::Any>> {
        Some(Box::new(()))
    }

    /// Exchanges the interpreter's stack for a fiber's.
    fn swap_stack(&self, other: &mut Option<Box<dyn std::any::Any>>) {
        let _ = other;
    }
}

/// Why a source does not compile.
pub struct CompileFailure {
    /// What `eval` and `include` throw for it; `None`: it ends the script.
    pub thrown: Option<crate::error::Thrown>,
    pub message: Vec<u8>,
    pub line: u32,
}

impl CompileFailure {
    /// The level that it is reported at where nothing is thrown.
    pub fn level(&self) -> crate::Level {
        match self.thrown {
            Some(crate::error::Thrown::ParseError) => crate::Level::Parse,
            _ => crate::Level::CompileError,
        }
    }
}

/// Diagnostics that accompany good code.
pub struct CompileNotice {
    pub level: crate::Level,
    pub message: Vec<u8>,
    pub line: u32,
}

pub enum Compiled {
    /// What was raised is in the unit.
    Unit(Unit),
    Failure(CompileFailure, Vec<CompileNotice>),
}

/// What to compile.
pub struct CompileRequest<'a> {
    pub source: &'a [u8],
    pub filename: &'a [u8],
    pub is_eval: bool,
    pub short_open_tag: bool,
    /// `zend.assertions` is not -1.
    pub assertions: bool,
    /// `disable_functions` names none.
    pub knows_builtins: bool,
    /// `zend.multibyte`
    pub multibyte: bool,
}

/// The front end, as the runtime sees it.
pub trait Compiler {
    /// Compiles a source.
    fn compile(&self, request: &CompileRequest<'_>) -> Compiled;

    /// The unit of a file that did not change since it was compiled, without reading it: the request's source is empty. `found`: what
    /// the system has just said of the file, if that is known. `None`: nobody knows it.
    fn recall(&self, request: &CompileRequest<'_>, found: Option<std::fs::Metadata>) -> Option<Unit>;
}

/// One request.
pub struct Vm {
    pub output: Output,
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
    /// Lower-case names in `disable_classes`.
    pub(crate) disabled_classes: Vec<Vec<u8>>,
    pub(crate) native_constants:
        OnceCell<HashMap<&'static [u8], (ConstValue, &'static str), foldhash::fast::FixedState>>,
    /// Functions known so far, by lower-case name (builtin ones enter on first use).
    pub functions: RefCell<StrMap<Rc<Func>>>,
    /// Classes known so far, by lower-case name.
    pub classes: RefCell<StrMap<ClassRef>>,
    /// By [`KnownClass`](crate::lookup::KnownClass).
    pub(crate) known_classes: [OnceCell<ClassRef>; crate::lookup::KnownClass::COUNT],
    pub(crate) instances: crate::coerce::Instances,
    pub(crate) spellings: crate::lookup::Spellings,
    /// User constants, and those that extensions define at start-up.
    pub constants: RefCell<StrMap<Val>>,
    /// How constants in namespaces are written, where that is not their key in [`Vm::constants`].
    pub written_constants: RefCell<StrMap<PhpStr>>,
    pub autoloaders: RefCell<Vec<Val>>,
    /// Classes being autoloaded, to stop recursion.
    pub autoloading: RefCell<Vec<PhpStr>>,
    /// While it is not 0, no fiber may be started, resumed or suspended.
    pub switching_blocked: Cell<u32>,
    /// The classes that are being linked, innermost last: not there yet, and nobody is asked to load them.
    pub linking: RefCell<Vec<(Rc<LinkedUnit>, ClassId)>>,
    pub shutdown_functions: RefCell<VecDeque<(Callee, Vec<Val>)>>,
    /// Files included so far by resolved path.
    pub included: RefCell<StrMap<()>>,
    /// The main script as given on the command line, and resolved.
    pub script: RefCell<PhpStr>,
    pub exit_status: Cell<i32>,
    /// A throwable raised where nothing can return it: by a destructor. Taken at the next safe point.
    pub pending: RefCell<Option<PhpObj>>,
    pub has_pending: Cell<bool>,
    /// What a call that went the short way threw, until whoever called looks.
    pub failed: Cell<Option<Throw>>,
    /// Throwables that destroy suspended generators and fibers: only `finally` code sees them.
    pub destroying: RefCell<Vec<PhpObj>>,
    /// Pending `exit` from a destructor.
    pub pending_exit: Cell<bool>,
    /// The request is past its main script.
    pub shutting_down: Cell<bool>,
    /// The lowest address that the native stack may reach before an error is thrown; 0: only `depth` counts.
    pub native_floor: Cell<usize>,
    /// What that error says of the stack's size. The stack itself is larger than PHP's.
    pub native_bytes: Cell<usize>,
    /// Native nesting of interpreter runs.
    pub depth: Cell<u32>,
    /// Data of extensions, by the number of their [`DataKey`].
    keyed_data: RefCell<Vec<Option<Rc<dyn std::any::Any>>>>,
    /// Data of extensions, by name.
    pub extension_data: RefCell<HashMap<&'static str, Rc<dyn std::any::Any>, foldhash::fast::FixedState>>,
    /// Weakly referenced objects: address to what is told when they go (WeakReference, WeakMap), as long as that is there.
    pub weak: RefCell<HashMap<usize, Vec<std::rc::Weak<dyn WeakHolder>>>>,
    /// Time the request started.
    pub started: std::time::SystemTime,
    /// Runs the script's handlers of signals that came (`ext/pcntl` sets it).
    pub signal_hook: Cell<Option<fn(&Vm) -> PhpResult<()>>>,
    pub time_limit: TimeLimit,
    /// Where memory_limit was hit.
    pub fault_position: RefCell<Option<(PhpStr, u32)>>,
    /// A builtin function's default value is being evaluated for a call.
    pub in_native_default: Cell<bool>,
}

/// The place of an extension's data in every engine: a number, given out when it is first used.
pub struct DataKey<T> {
    index: AtomicU32,
    data: std::marker::PhantomData<fn() -> T>,
}

impl<T> DataKey<T> {
    #[expect(clippy::new_without_default, reason = "keys are statics")]
    pub const fn new() -> DataKey<T> {
        DataKey { index: AtomicU32::new(0), data: std::marker::PhantomData }
    }
}

/// Something that holds an object weakly.
pub trait WeakHolder {
    /// The object at this address is gone.
    fn forget(&self, address: usize);
    /// What a map holds under the object, for the collector.
    fn entry(&self, address: usize) -> Option<phlox_value::Ephemeron> {
        let _ = address;
        None
    }
}

thread_local! {
    static CURRENT: Cell<Option<&'static Vm>> = const { Cell::new(None) };
}

/// A builtin function's name as it is looked up; almost all are in lower case.
fn lower_name(name: &'static [u8]) -> Cow<'static, [u8]> {
    match name.iter().any(u8::is_ascii_uppercase) {
        true => name.to_ascii_lowercase().into(),
        false => name.into(),
    }
}

impl Vm {
    /// A request's engine. It lives until the thread ends, because destructors may run at any time. Whoever makes it says in
    /// `errors.phase` when the configuration is read, and when the script runs.
    pub fn create(
        output: Box<dyn std::io::Write>,
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
            output: Output::new(output),
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
            native_constants: OnceCell::new(),
            functions: RefCell::default(),
            classes: RefCell::default(),
            known_classes: Default::default(),
            instances: Default::default(),
            spellings: Default::default(),
            constants: RefCell::default(),
            written_constants: RefCell::default(),
            autoloaders: RefCell::default(),
            autoloading: RefCell::default(),
            switching_blocked: Cell::new(0),
            linking: RefCell::default(),
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
            started: std::time::SystemTime::now(),
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
        vm.errors.reporting.set(vm.ini.get(&errors::ERROR_REPORTING));
        vm.errors.phase.set(Phase::Configuring);
        for name in needed {
            let _ = vm.warning(&[b"Cannot disable function ", &name[..], b"()"].concat());
        }
        for extension in extensions {
            vm.ini.start(vm, extension.ini);
            if let Some(startup) = extension.startup {
                startup(vm);
            }
        }
        vm
    }

    /// The thread's engine, for code that runs in `Drop`.
    pub fn current() -> Option<&'static Vm> {
        CURRENT.get()
    }

    pub fn executor(&self) -> &dyn Executor {
        self.executor.get().map(|e| &**e).unwrap_or_else(|| unreachable!("set when the engine is created"))
    }

    /// Writes to the innermost output buffer.
    pub fn echo(&self, bytes: &[u8]) {
        crate::ob::write(self, bytes);
    }

    /// The innermost frame.
    pub fn frame(&self) -> Option<Rc<Frame>> {
        self.frames.last()
    }

    /// The innermost frame of PHP code (not of a builtin function).
    pub fn user_frame(&self) -> Option<Rc<Frame>> {
        self.frames.from_top().find(|frame| !frame.is_native())
    }

    /// The name of the PHP function that runs, as messages show it; outside of functions it is `main`.
    pub fn active_function(&self) -> Vec<u8> {
        let name = self.user_frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        if name.is_empty() { b"main".to_vec() } else { name }
    }

    /// The name of the function that runs, builtin or not; outside of functions it is `main`.
    pub fn innermost_function(&self) -> Vec<u8> {
        let name = self.frames.find_map(|place: &Place<'_>| Some(place.func.display_name())).unwrap_or_default();
        if name.is_empty() { b"main".to_vec() } else { name }
    }

    /// Is the builtin function that runs one that PHP calls without a frame where it is called from?
    pub fn runs_without_frame(&self) -> bool {
        let call = |place: &Place<'_>| {
            let func = place.func;
            (!place.is_native()).then(|| is_frameless_call(&func.unit.unit, func.code(), place.pc))
        };
        self.frames.find_map(call).unwrap_or(false)
    }

    /// Is the builtin function that runs one that PHP has an instruction for where it is called from?
    pub fn runs_as_instruction(&self) -> bool {
        let call = |place: &Place<'_>| {
            let func = place.func;
            (!place.is_native()).then(|| is_inlined_call(&func.unit.unit, func.code(), place.pc))
        };
        self.frames.find_map(call).unwrap_or(false)
    }

    /// File and line of the PHP code that runs.
    pub fn position(&self) -> (PhpStr, u32) {
        let place = |place: &Place<'_>| (!place.is_native()).then(|| (place.func.unit.filename.clone(), place.line()));
        self.frames.find_map(place).unwrap_or_else(|| (PhpStr::empty(), 0))
    }

    /// The class scope of the code that runs (builtin functions have their caller's).
    pub fn scope(&self) -> Option<ClassRef> {
        self.frames.find_map(|place| (!place.is_native() || place.scope().is_some()).then(|| place.scope().cloned()))?
    }

    /// The class scope of the PHP code that runs: what decides which methods a callable may name.
    pub fn user_scope(&self) -> Option<ClassRef> {
        self.frames.find_map(|place| (!place.is_native()).then(|| place.scope().cloned()))?
    }

    /// Data of an extension, made on first use.
    pub fn data<T: Default + 'static>(&self, key: &'static str) -> Rc<T> {
        let existing = self.extension_data.borrow().get(key).cloned();
        if let Some(found) = existing.and_then(|data| data.downcast::<T>().ok()) {
            return found;
        }
        let fresh = Rc::new(T::default());
        self.extension_data.borrow_mut().insert(key, fresh.clone());
        fresh
    }

    /// Data of an extension that is asked for at every call of its functions, made on first use.
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
            // Where another thread was faster, its number counts.
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

    /// Keeps a throwable that nobody can return now.
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

    /// At a safe point: the throwable that a destructor raised, if any.
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

    /// Runs the script's handlers of signals that came.
    pub fn handle_signals(&self) -> PhpResult<()> {
        self.signal_hook.get().map_or(Ok(()), |handle| handle(self))
    }

    /// Runs something that must stay in the fiber that runs now.
    pub fn without_switching<R>(&self, run: impl FnOnce() -> R) -> R {
        self.switching_blocked.set(self.switching_blocked.get() + 1);
        let result = run();
        self.switching_blocked.set(self.switching_blocked.get() - 1);
        result
    }

    /// `declare(ticks=N)`: one tickable statement passed.
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
            // Statements of the function itself tick, too.
            if !entry.running.replace(true) {
                let result = self.without_switching(|| self.call_value(&entry.function, entry.args.clone()));
                entry.running.set(false);
                result?;
            }
        }
        self.handle_signals()
    }

    /// Raises the deprecation of a constant that is on its way out.
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
        // Defaults of builtin functions are not the script's words.
        let is_own = self.in_native_default.get();
        if !is_own && OUTDATED.iter().any(|outdated| outdated.as_bytes() == name.as_bytes()) {
            self.deprecated(format!("Constant {name} is deprecated").as_bytes())?;
        }
        Ok(())
    }
}

/// Tick functions and how many ticks passed since they ran.
#[derive(Default)]
pub struct Ticks {
    pub passed: Cell<u32>,
    pub functions: RefCell<Vec<Rc<TickFunction>>>,
}

/// A function registered to run at ticks.
pub struct TickFunction {
    pub function: Val,
    pub args: Vec<Val>,
    pub running: Cell<bool>,
}

impl TickFunction {
    pub fn new(function: Val, args: Vec<Val>) -> Rc<TickFunction> {
        Rc::new(TickFunction { function, args, running: Cell::new(false) })
    }
}
