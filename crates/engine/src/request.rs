//! One request: the main script, then everything that happens after it.

use crate::cache::{self, Cache};
use crate::{EXTENSIONS, WORKER_EXTENSIONS, compile, settings, stats};
use phlox_hhbc::Unit;
use phlox_runtime::errors::Phase;
use phlox_runtime::ini::{Ini, IniState, IniString};
use phlox_runtime::request::ProcessRequest;
use phlox_runtime::settings as core;
use phlox_runtime::source_encoding::MULTIBYTE;
use phlox_runtime::vm::{CompileRequest, Compiled};
use phlox_runtime::{
    ArrKey, Extension, Level, PhpArr, PhpRes, PhpResult, PhpStr, Request, Throw, Val, Vm, files, heap,
};
use std::cell::Cell;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What to run.
pub enum Program {
    /// A file: path as messages show it, contents.
    File { path: Vec<u8>, source: Vec<u8> },
    /// A file by its resolved path, which is read unless its unit is kept.
    Path(Vec<u8>),
    /// `-r` code, with its name in messages.
    Code { name: Vec<u8>, source: Vec<u8> },
    /// A compiled file.
    Unit(Box<Unit>),
}

/// How to run a program.
#[derive(Default)]
pub struct Options {
    /// Settings in order; later ones win.
    pub ini: Vec<(String, Vec<u8>)>,
    /// `$argv`
    pub argv: Vec<Vec<u8>>,
    /// Whether counters of the engine are printed on standard error at the end.
    pub stats: bool,
}

/// Native stack of the thread that runs PHP; only touched pages are used.
const STACK_BYTES: usize = 512 << 20;
/// Bytes of the native stack that nested calls leave for code that does not check how much is left.
const STACK_RESERVE: usize = 16 << 20;

thread_local! {
    /// The address below which this thread's native stack is low; 0 until it is set.
    static STACK_FLOOR: Cell<usize> = const { Cell::new(0) };
}

/// Runs `f` on a thread whose stack is deep enough for nested PHP calls through builtin code, and ends the process with the
/// status that it gives. The caller's thread, which is the process's first one, compiles meanwhile.
pub fn run_to_exit(f: impl FnOnce() -> i32 + Send + 'static) -> ! {
    const FAILED: i32 = 255;
    phlox_process::share_allocator();
    let compiler = phlox_interp::tier::Server::announce();
    let run = move || {
        note_stack();
        std::process::exit(catch_unwind(AssertUnwindSafe(f)).unwrap_or(FAILED))
    };
    let Ok(thread) = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run) else { std::process::exit(FAILED) };
    // Signals are blocked here, so that the thread that runs PHP gets them.
    phlox_process::block_all();
    if let Some(compiler) = compiler {
        compiler.serve()
    }
    // The thread that runs PHP ends the process, so waiting for it never returns.
    let _ = thread.join();
    std::process::exit(FAILED)
}

/// Runs `f` on a thread of its own whose stack is deep enough for nested PHP calls through builtin code, with an engine of its own,
/// and waits for it.
///
/// # Errors
/// If the thread cannot be started, or has panicked.
pub fn on_deep_stack<R: Send>(f: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    std::thread::scope(|scope| {
        let run = || {
            note_stack();
            f()
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run)?;
        thread.join().map_err(|_| std::io::Error::other("the thread has panicked"))
    })
}

/// Notes where this thread's stack, of [`STACK_BYTES`], is low.
fn note_stack() {
    let start = 0u8;
    STACK_FLOOR.set(((&raw const start) as usize).saturating_sub(STACK_BYTES - STACK_RESERVE));
}

/// Runs a program as a whole request on this thread; gives the exit status.
pub fn run(program: &Program, options: &Options) -> i32 {
    session(options, |session| {
        session.execute(program);
    })
}

/// Runs `main` as the main part of one request, which may execute any number of programs; gives the exit status.
pub fn session(options: &Options, main: impl FnOnce(&Session)) -> i32 {
    let request = Rc::new(ProcessRequest);
    session_to(Box::new(Output(request)), options, main)
}

/// The request's own output.
struct Output(Rc<dyn Request>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// [`session`] with another place for the output.
pub fn session_to(output: Box<dyn Write>, options: &Options, main: impl FnOnce(&Session)) -> i32 {
    let engine = Engine::start(&options.ini, EXTENSIONS, |_| ());
    engine.answer(Rc::new(ProcessRequest), output, &options.argv, |session| {
        phlox_ext_standard_file::define_standard_streams(session.vm);
        main(session);
    });
    engine.end(options)
}

/// A process's engine, which answers one request after another.
pub struct Engine {
    vm: &'static Vm,
    cache: Rc<Cache>,
    settings: Vec<(String, Vec<u8>)>,
}

impl Engine {
    /// Starts the engine of this thread, which has no other one, with a configuration and extensions. `declare` adds settings that
    /// only some requests have.
    pub(crate) fn start(
        settings: &[(String, Vec<u8>)],
        extensions: &'static [&'static Extension],
        declare: impl FnOnce(&mut Ini),
    ) -> Engine {
        let cache = Rc::new(Cache::new(cache::folder(settings)));
        let is_worker = std::ptr::eq(extensions, WORKER_EXTENSIONS);
        let vm = Vm::create(cache.clone(), crate::settings::executor(settings, is_worker), extensions, |ini| {
            for (name, value) in settings {
                ini.configure(name, value);
            }
            declare(ini);
        });
        Engine { vm, cache, settings: settings.to_vec() }
    }

    /// Keeps units, and what is made of them, from one request to the next. Called before the first request.
    pub(crate) fn keep_units(&self) {
        self.vm.keeps_units.set(true);
        self.vm.keep_made();
        self.vm.executor().keep_code();
    }

    /// Runs the script of `opcache.preload`, if there is one: what it declares is there in all requests. Its output goes to standard
    /// output; what is wrong with it is reported, and the process goes on with what has been declared.
    pub(crate) fn preload(&self) {
        let script = self.vm.ini.get(&phlox_ext_opcache::PRELOAD);
        if script.is_empty() {
            return;
        }
        let request = Rc::new(ProcessRequest);
        self.vm.begin_preloading();
        self.answer(request.clone(), Box::new(Output(request)), &[script.to_vec()], |session| {
            match phlox_ext_standard_file::path::canonical(&script) {
                Some(path) => _ = session.execute(&Program::Path(path)),
                None => _ = report_missing(session.vm, "PHP Startup", &script),
            }
        });
        self.vm.keep_preloaded();
        self.clear();
    }

    /// Answers a request; gives the exit status of the script. The request's data is still there afterwards.
    pub(crate) fn answer(
        &self,
        request: Rc<dyn Request>,
        output: Box<dyn Write>,
        argv: &[Vec<u8>],
        main: impl FnOnce(&Session),
    ) -> i32 {
        let vm = self.vm;
        vm.begin_request(request, output);
        settings::apply_limits(vm);
        if vm.request_number.get() == 1 {
            settings::apply_stack_size(vm, STACK_FLOOR.get());
            crate::startup::report_extensions(vm, &self.settings);
        }
        vm.errors.phase.set(Phase::Starting);
        define_argv(vm, argv);
        // A handler that does not exist is found when it is first called.
        let _ = phlox_runtime::ob::start_configured(vm);
        vm.errors.phase.set(Phase::Running);
        settings::apply_stress();
        let process = std::process::id();
        protect(vm, || main(&Session { vm }));
        shut_down(vm);
        // A child that the script has made ends with the request: answering others is its parent's work.
        if self.vm.keeps_units.get() && std::process::id() != process {
            std::process::exit(vm.exit_status.get());
        }
        vm.exit_status.get()
    }

    /// Ends the process's work after its only request; gives the exit status.
    pub(crate) fn end(&self, options: &Options) -> i32 {
        if options.stats {
            eprint!("{}", stats::report());
        }
        if phlox_process::is_child() {
            std::process::exit(self.vm.exit_status.get());
        }
        self.cache.keep();
        self.vm.exit_status.get()
    }

    /// The engine's state.
    pub(crate) fn vm(&self) -> &'static Vm {
        self.vm
    }

    /// Whether a panic, such as that of an exhausted memory_limit, has left the engine in the middle of something.
    pub(crate) fn is_spent(&self) -> bool {
        self.vm.is_spent.get()
    }

    /// Drops what the last request has left, so that another one can be answered. Returns how many objects could not be freed.
    pub(crate) fn clear(&self) -> usize {
        let vm = self.vm;
        catch_unwind(AssertUnwindSafe(|| vm.end_request())).unwrap_or_else(|_| {
            vm.is_spent.set(true);
            vm.let_go_of_request();
            0
        })
    }
}

/// Answers `count` requests for a script in one process, and prints a line behind each answer. Gives the exit status of the last
/// one.
pub fn repeat(script: &[u8], count: u32, options: &Options) -> i32 {
    let engine = Engine::start(&options.ini, WORKER_EXTENSIONS, |_| ());
    engine.keep_units();
    engine.preload();
    let folder = std::env::current_dir();
    let mut status = 0;
    for number in 1..=count {
        let request = Rc::new(ProcessRequest);
        status = engine.answer(request.clone(), Box::new(Output(request)), &options.argv, |session| {
            phlox_ext_standard_file::define_standard_streams(session.vm);
            session.execute(&Program::Path(script.to_vec()));
        });
        let left = engine.clear();
        // Standard output may be closed.
        let _ = writeln!(std::io::stdout(), "\n-- request {number}: {left} objects left, exit status {status}");
        if let Ok(folder) = &folder {
            let _ = std::env::set_current_dir(folder);
        }
        if engine.is_spent() {
            break;
        }
    }
    status
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program ended with its last statement.
    Normal,
    /// The program ended by `exit`.
    Exit,
    /// The program ended by a fatal error or an uncaught exception.
    Failure,
}

/// The main part of a request.
pub struct Session {
    vm: &'static Vm,
}

impl Session {
    pub(crate) fn vm(&self) -> &'static Vm {
        self.vm
    }

    /// Runs a program to its end; what it throws is reported.
    pub fn execute(&self, program: &Program) -> Ending {
        self.evaluate(program).0
    }

    /// [`Session::execute`], and what the program returned.
    pub fn evaluate(&self, program: &Program) -> (Ending, Val) {
        let vm = self.vm;
        let mut value = Val::NULL;
        let mut ending = Ending::Failure;
        phlox_value::forget_roots();
        protect(vm, || {
            if let Err(thrown) = around(vm, program, &core::AUTO_PREPEND_FILE) {
                ending = finish_script(vm, Err(thrown));
                return;
            }
            let result = match program {
                Program::File { path, source } => {
                    *vm.script.borrow_mut() = PhpStr::new(path);
                    phlox_oracle::run_file(vm, path, source)
                }
                Program::Path(path) => {
                    *vm.script.borrow_mut() = PhpStr::new(path);
                    phlox_oracle::run_path(vm, path).map(Option::unwrap_or_default)
                }
                Program::Code { name, source } => {
                    *vm.script.borrow_mut() = PhpStr::new(name);
                    phlox_oracle::run_source(vm, name, source)
                }
                Program::Unit(unit) => {
                    *vm.script.borrow_mut() = PhpStr::new(&unit.filename);
                    phlox_oracle::run_unit(vm, unit.as_ref().clone())
                }
            };
            if let Ok(returned) = &result {
                value = returned.clone();
            }
            let handled = matches!(result, Err(Throw::Exception(_)))
                && vm.errors.exception_handlers.borrow().last().is_some_and(|handler| !handler.is_null());
            ending = finish_script(vm, result);
            if handled || ending == Ending::Normal {
                if let Err(thrown) = around(vm, program, &core::AUTO_APPEND_FILE) {
                    ending = finish_script(vm, Err(thrown));
                }
            }
        });
        (ending, value)
    }

    /// Compiles a file and reports what is wrong with it; true if nothing is.
    pub fn lint(&self, path: &[u8], source: &[u8]) -> bool {
        let vm = self.vm;
        let request = CompileRequest {
            source,
            filename: path,
            is_eval: false,
            short_open_tag: vm.ini.get(&core::SHORT_OPEN_TAG),
            assertions: vm.ini.get(&core::ASSERTIONS) != -1,
            knows_builtins: vm.ini.get(&core::DISABLE_FUNCTIONS).is_empty(),
            multibyte: vm.ini.get(&MULTIBYTE),
        };
        let name = PhpStr::new(path);
        let (failure, notices) = match compile(&request) {
            Compiled::Unit(unit) => (None, phlox_runtime::unit::notices(&unit)),
            Compiled::Failure(failure, notices) => (Some(failure), notices),
        };
        for notice in notices {
            vm.report(notice.level, &notice.message, &name, notice.line);
        }
        if let Some(failure) = &failure {
            vm.report(failure.level(), &failure.message, &name, failure.line);
        }
        failure.is_none()
    }

    /// Writes as `echo` does.
    pub fn echo(&self, text: &[u8]) {
        phlox_runtime::ob::write(self.vm, text);
    }

    /// Writes all that `phpinfo` writes.
    pub fn print_info(&self) {
        protect(self.vm, || {
            let result = phlox_ext_standard::about::info(self.vm, phlox_ext_standard::about::ALL);
            let result = result.map(|text| self.echo(&text));
            finish_phase(self.vm, result.map(|()| Val::NULL));
        });
    }

    /// Sends what is written so far to the session's output.
    pub fn flush(&self) {
        self.vm.output.flush_raw();
    }

    /// Assigns the global variable `name`.
    pub fn set_global(&self, name: &str, value: Val) {
        self.vm.globals.slot(&PhpStr::intern(name.as_bytes())).set(value);
    }

    /// The status that the process is to exit with.
    pub fn exit_status(&self) -> i32 {
        self.vm.exit_status.get()
    }

    /// Sets the status that the process is to exit with.
    pub fn set_exit_status(&self, status: i32) {
        self.vm.exit_status.set(status);
    }

    /// Names of the global variables.
    pub fn global_names(&self) -> Vec<PhpStr> {
        self.vm.globals.defined().into_iter().map(|(name, _)| name).collect()
    }

    /// Settings by name with their values now.
    pub fn settings(&self) -> Vec<&IniState> {
        self.vm.ini.all()
    }
}

fn define_argv(vm: &Vm, argv: &[Vec<u8>]) {
    let list: PhpArr = argv.iter().map(|arg| Val::str(arg)).collect();
    vm.globals.slot(&PhpStr::intern(b"argv")).set((&list).into());
    vm.globals.slot(&PhpStr::intern(b"argc")).set(Val::int(argv.len() as i64));
    let mut environment = PhpArr::new();
    for (name, value) in vm.request.borrow().parameters() {
        environment.insert(ArrKey::from_bytes(&name).as_key(), Val::from(value));
    }
    let mut server = environment.clone();
    let script = argv.first().map_or(&b""[..], |script| script);
    for name in ["PHP_SELF", "SCRIPT_NAME", "SCRIPT_FILENAME", "PATH_TRANSLATED"] {
        server.set_bytes(name.as_bytes(), Val::str(script));
    }
    server.set_bytes(b"DOCUMENT_ROOT", Val::str(b""));
    let now = vm.started.get().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    server.set_bytes(b"REQUEST_TIME", Val::int(now.as_secs() as i64));
    server.set_bytes(b"REQUEST_TIME_FLOAT", Val::double(now.as_secs_f64()));
    server.set_bytes(b"argv", (&list).into());
    server.set_bytes(b"argc", Val::int(argv.len() as i64));
    for name in ["_GET", "_POST", "_COOKIE", "_FILES", "_ENV", "_REQUEST"] {
        vm.globals.slot(&PhpStr::intern(name.as_bytes())).set(PhpArr::new().into());
    }
    let order = vm.ini.get(&core::VARIABLES_ORDER);
    let has_server = order.contains(&b'S') || order.contains(&b's');
    let server = if has_server { server } else { PhpArr::new() };
    vm.globals.slot(&PhpStr::intern(b"_SERVER")).set(server.into());
    if order.contains(&b'E') || order.contains(&b'e') {
        vm.globals.slot(&PhpStr::intern(b"_ENV")).set(environment.into());
    }
}

/// Runs a phase of the request; memory exhaustion and engine faults end it with PHP's fatal error.
fn protect(vm: &Vm, phase: impl FnOnce()) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(phase)) else { return };
    phlox_value::set_shutdown(true);
    vm.is_spent.set(true);
    vm.exit_status.set(255);
    let noted = vm.fault_position.take();
    let (file, line) = noted.unwrap_or_else(|| vm.position());
    vm.frames.clear();
    vm.depth.set(0);
    vm.switching_blocked.set(0);
    vm.linking.take();
    let exceeded = payload.downcast_ref::<heap::MemoryLimitExceeded>();
    if exceeded.is_some() {
        vm.output.discard();
    }
    let message = match exceeded {
        Some(exceeded) if exceeded.limit == usize::MAX => format!(
            "Out of memory (allocated {} bytes) (tried to allocate {} bytes)",
            heap::bytes_reserved(),
            taken_from_system(exceeded.tried)
        ),
        Some(exceeded) => format!(
            "Allowed memory size of {} bytes exhausted (tried to allocate {} bytes)",
            exceeded.limit,
            taken_from_system(exceeded.tried)
        ),
        None => "Internal engine error; this is a bug in Phlox".to_owned(),
    };
    vm.report(Level::Error, message.as_bytes(), &file, line);
    // Code that still runs in the phase is limited, too.
    if let Some(exceeded) = exceeded {
        heap::set_memory_limit(exceeded.limit);
    }
}

/// How much PHP's memory manager asks the system for, when it has nothing left for a block of this size: whole pages for a large
/// one, else another chunk.
fn taken_from_system(size: usize) -> usize {
    const CHUNK: usize = 2 << 20;
    const PAGE: usize = 4096;
    if size > CHUNK - PAGE { size.next_multiple_of(PAGE) } else { CHUNK }
}

/// The name of a script that comes from standard input.
pub const STANDARD_INPUT: &[u8] = b"Standard input code";

/// Runs the file that a setting names before or after a script, in the script's scope. Code on the command line has
/// neither.
fn around(vm: &Vm, program: &Program, setting: &'static IniString) -> PhpResult<()> {
    let path = vm.ini.get(setting);
    if path.is_empty() || path.eq_ignore_ascii_case(b"none") {
        return Ok(());
    }
    let (script, is_file) = match program {
        Program::File { path, .. } | Program::Path(path) => (PhpStr::new(path), true),
        Program::Unit(unit) => (PhpStr::new(&unit.filename), true),
        Program::Code { name, .. } if name.as_slice() == STANDARD_INPUT => (PhpStr::new(name), false),
        Program::Code { .. } => return Ok(()),
    };
    *vm.script.borrow_mut() = script.clone();
    if is_file {
        vm.included.borrow_mut().insert(script, ());
    }
    if let Some(found) = files::resolve_include(vm, &path) {
        if let Some(source) = files::read_included(vm, &found, "require")? {
            return phlox_oracle::run_file(vm, &found, &source).map(drop);
        }
    }
    Err(report_missing(vm, "Unknown", &path))
}

/// Reports that a script that a setting names cannot be opened. `subject`: what the message is said to be about.
fn report_missing(vm: &Vm, subject: &str, path: &[u8]) -> Throw {
    let text = format!("{subject}: Failed to open stream: No such file or directory");
    vm.report(Level::Warning, text.as_bytes(), &PhpStr::empty(), 0);
    let text = [b"Failed opening required '", path, b"' (include_path='", &vm.ini.get(&files::INCLUDE_PATH), b"')"];
    vm.report(Level::CompileError, &text.concat(), &PhpStr::empty(), 0);
    vm.exit_status.set(255);
    Throw::Fatal
}

/// Ends the main script: reports an uncaught throwable. Unlike in later phases, objects are still destroyed after it.
fn finish_script(vm: &Vm, result: PhpResult<Val>) -> Ending {
    let result = result.map(drop).and_then(|()| vm.check_pending());
    if let Err(Throw::Exception(exception)) = result {
        if matches!(vm.report_uncaught(&exception), Err(Throw::Fatal)) {
            phlox_value::set_shutdown(true);
        }
        return Ending::Failure;
    }
    finish_phase(vm, result.map(|()| Val::NULL))
}

/// Ends a phase: reports an uncaught throwable.
fn finish_phase(vm: &Vm, result: PhpResult<Val>) -> Ending {
    let result = result.map(drop).and_then(|()| vm.check_pending());
    match result {
        Ok(()) => Ending::Normal,
        Err(Throw::Exit) => Ending::Exit,
        Err(Throw::Fatal) => {
            phlox_value::set_shutdown(true);
            Ending::Failure
        }
        Err(Throw::Exception(exception)) => {
            let fatal = vm.errors.exception_handlers.borrow().last().is_none_or(Val::is_null);
            let _ = vm.report_uncaught(&exception);
            if fatal {
                phlox_value::set_shutdown(true);
            }
            Ending::Failure
        }
    }
}

/// Shutdown functions, destructors, output buffers, extensions: PHP's order.
fn shut_down(vm: &Vm) {
    protect(vm, || run_shutdown_functions(vm));
    vm.shutting_down.set(true);
    protect(vm, || destroy_globals(vm));
    protect(vm, || {
        let result = phlox_runtime::ob::end_all(vm).map(|()| Val::NULL);
        finish_phase(vm, result);
    });
    if let Some(hook) = vm.output.before_first.take() {
        protect(vm, || hook(vm));
    }
    for extension in vm.extensions {
        if let Some(shutdown) = extension.shutdown {
            protect(vm, || shutdown(vm));
        }
    }
    vm.output.ending.set(true);
    vm.output.flush_raw();
    close_resources(vm);
    protect(vm, || vm.ini.restore_all(vm));
    phlox_value::set_shutdown(true);
    vm.output.flush_raw();
    phlox_runtime::ob::notice_lost(vm);
    heap::give_back();
}

/// Closes the resources that the script left open, the newest first: streams and their filters write their buffered
/// data, pipes wait for their processes. The standard streams stay open.
fn close_resources(vm: &Vm) {
    let standard = [b"STDIN".as_slice(), b"STDOUT", b"STDERR"].map(|name| vm.find_constant(name));
    let is_standard = |resource: &PhpRes| {
        let mut standard = standard.iter().flatten().filter_map(Val::as_res);
        standard.any(|stream| stream.ptr_eq(resource))
    };
    for resource in phlox_value::live_resources().into_iter().rev().filter(|resource| !is_standard(resource)) {
        protect(vm, || {
            drop(resource.close());
            finish_phase(vm, Ok(Val::NULL));
        });
    }
}

fn run_shutdown_functions(vm: &Vm) {
    loop {
        let next = vm.shutdown_functions.borrow_mut().pop_front();
        let Some((function, args)) = next else { return };
        let result = vm.call(&function, args);
        let ended = matches!(result, Err(Throw::Exit | Throw::Fatal));
        finish_phase(vm, result);
        if ended {
            return;
        }
    }
}

/// Objects that only a global variable holds go in reverse order of the variables; the others in order of creation.
fn destroy_globals(vm: &Vm) {
    loop {
        let variables = vm.globals.defined();
        let count = variables.len();
        for (_, slot) in variables.iter().rev() {
            let value = slot.get();
            // Of the two counts one is the variable's and one is this function's. A variable that is a reference waits,
            // even if nothing shares it.
            if value.as_obj().is_some() && value.refcount() <= 2 {
                drop(value);
                slot.set(Val::UNDEF);
                finish_phase(vm, Ok(Val::NULL));
            }
        }
        if vm.globals.defined().len() == count {
            break;
        }
    }
    // Destructors may create objects that have destructors.
    phlox_value::set_handle_reuse(false);
    loop {
        // Only the object whose turn it is is retained: its destructor may free others, in whatever order.
        let waiting: Vec<u32> =
            phlox_value::objects_with_destructors().iter().map(phlox_value::PhpObj::handle).collect();
        if waiting.is_empty() {
            break;
        }
        for object in waiting.into_iter().filter_map(phlox_value::object_by_handle) {
            object.run_destructor();
            finish_phase(vm, Ok(Val::NULL));
        }
    }
}
