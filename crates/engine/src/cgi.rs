//! A request through CGI: its variables before the script, its headers before the output.

use crate::cgi_paths::Paths;
use crate::request::{Ending, Engine, Options, Program, Session};
use crate::settings::Configuration;
use crate::{EXTENSIONS, WORKER_EXTENSIONS};
use phlox_ext_standard::request;
use phlox_ext_standard_file::http;
use phlox_runtime::errors::{DISPLAY_ERRORS, Display, Phase};
use phlox_runtime::ini::{Ini, IniAccess, IniBool, IniDef, IniString};
use phlox_runtime::request::ProcessRequest;
use phlox_runtime::{Request, Vm};
use std::io::Write;
use std::rc::Rc;

static CHECK_SHEBANG_LINE: IniBool = IniBool::new("cgi.check_shebang_line", "1", IniAccess::System);
static DISCARD_PATH: IniBool = IniBool::new("cgi.discard_path", "0", IniAccess::System);
static FIX_PATHINFO: IniBool = IniBool::new("cgi.fix_pathinfo", "1", IniAccess::System);
static FORCE_REDIRECT: IniBool = IniBool::new("cgi.force_redirect", "1", IniAccess::System);
static REDIRECT_STATUS_ENV: IniString = IniString::unset("cgi.redirect_status_env", IniAccess::System);
static LOGGING: IniBool = IniBool::new("fastcgi.logging", "1", IniAccess::System);

/// The settings that only requests of a web server have. They are declared after the script that answers is chosen.
pub static SETTINGS: &[&IniDef] = &[
    &http::CGI_RFC2616_HEADERS.def,
    &http::CGI_NPH.def,
    &CHECK_SHEBANG_LINE.def,
    &FORCE_REDIRECT.def,
    &REDIRECT_STATUS_ENV.def,
    &FIX_PATHINFO.def,
    &DISCARD_PATH.def,
    &LOGGING.def,
];

/// The answer to a request, with the headers before the first byte.
struct Answer {
    request: Rc<dyn Request>,
    head_sent: bool,
    /// The response consists of its headers only.
    bodyless: bool,
}

impl Answer {
    fn new(request: Rc<dyn Request>) -> Answer {
        let bodyless = http::is_bodyless(&*request);
        Answer { request, head_sent: false, bodyless }
    }

    /// Must the response begin now? A flush that only precedes waiting for a program, without any output, does not send
    /// the headers.
    fn has_begun(&self) -> bool {
        Vm::current().is_none_or(|vm| vm.output.sent.get() || vm.output.ending.get())
    }

    fn send_head(&mut self) -> std::io::Result<()> {
        // Messages of the engine's start precede the headers.
        if let (false, Some(vm)) = (self.head_sent, Vm::current().filter(|vm| vm.errors.phase.get() == Phase::Running))
        {
            self.head_sent = true;
            if vm.output.is_complete.get() {
                self.bodyless = false;
                return Ok(());
            }
            write_all(&*self.request, &http::head(vm))?;
        }
        Ok(())
    }
}

fn write_all(request: &dyn Request, mut bytes: &[u8]) -> std::io::Result<()> {
    while !bytes.is_empty() {
        match request.write(bytes)? {
            0 => return Err(std::io::ErrorKind::WriteZero.into()),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

impl Write for Answer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.send_head()?;
        if self.bodyless { Ok(bytes.len()) } else { self.request.write(bytes) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        if self.has_begun() {
            self.send_head()?;
        }
        match Vm::current() {
            Some(vm) if vm.output.ending.get() => self.request.flush_last(),
            _ => self.request.flush(),
        }
    }
}

/// Runs a program as the answer to the request in the environment, with headers or without; gives the exit status.
pub fn answer_cgi(program: &Program, options: &Options, paths: &Paths, has_head: bool) -> i32 {
    let engine = Engine::start(&options.ini, EXTENSIONS, declare_settings);
    answer_through_cgi(
        &engine,
        Rc::new(ProcessRequest),
        &options.argv,
        paths,
        |vm| vm.output.is_complete.set(!has_head),
        |session| {
            run_program(session, program);
        },
    );
    engine.end(options)
}

pub(crate) fn declare_settings(ini: &mut Ini) {
    ini.declare("cgi-fcgi", SETTINGS);
}

/// Answers one request; gives the exit status.
pub(crate) fn answer_through_cgi(
    engine: &Engine,
    request: Rc<dyn Request>,
    argv: &[Vec<u8>],
    paths: &Paths,
    prepare: impl FnOnce(&Vm),
    main: impl FnOnce(&Session),
) -> i32 {
    let answer = Answer::new(request.clone());
    engine.answer(request, Box::new(answer), argv, |session| {
        let vm = session.vm();
        vm.output.flush_raw();
        prepare(vm);
        request::populate(vm, &paths.changes);
        main(session);
    })
}

/// Runs a program as the answer, in its folder.
pub(crate) fn run_program(session: &Session, program: &Program) {
    enter_folder(program);
    note_failure(session.vm(), session.execute(program));
}

/// A script of a web server runs in its folder.
fn enter_folder(program: &Program) {
    use std::os::unix::ffi::OsStrExt;
    let path = match program {
        Program::File { path, .. } | Program::Path(path) => &path[..],
        Program::Unit(unit) => &unit.filename[..],
        Program::Code { .. } => return,
    };
    let folder = std::path::Path::new(std::ffi::OsStr::from_bytes(path)).parent();
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
        // If the folder cannot be entered, the script runs in the server's folder.
        let _ = std::env::set_current_dir(folder);
    }
}

/// Makes the response a server error if the script failed and errors are not displayed in it.
fn note_failure(vm: &Vm, ending: Ending) {
    if ending == Ending::Failure && vm.ini.get(&DISPLAY_ERRORS) == Display::Nowhere {
        http::fail(vm);
    }
}

/// What a request of the web server is for.
pub enum Target {
    Script(Program),
    File { path: Vec<u8>, kind: &'static str },
    Missing,
}

/// The engine of this program's own web server (`-S`), which answers one request after another and keeps what it has compiled.
pub struct Server {
    engine: Engine,
}

impl Server {
    /// Starts the engine of this thread, which has no other one.
    pub fn start(configuration: &Configuration) -> Server {
        let engine = Engine::start(&configuration.settings, WORKER_EXTENSIONS, |_| ());
        engine.keep_units();
        engine.preload();
        Server { engine }
    }

    /// Answers a request by the router, unless that returns false, and then by the target. `script` is the first element of
    /// `$argv`. False if the engine must not be used again.
    pub fn answer(&self, request: Rc<dyn Request>, router: Option<&Program>, target: &Target, script: &[u8]) -> bool {
        let answer = Answer::new(request.clone());
        self.engine.answer(request, Box::new(answer), &[script.to_vec()], |session| {
            answer_as_server(session, router, target);
        });
        self.engine.clear();
        !self.engine.is_spent()
    }
}

fn answer_as_server(session: &Session, router: Option<&Program>, target: &Target) {
    let vm = session.vm();
    phlox_ext_standard_file::sapi::request(vm).is_server.set(true);
    request::populate(vm, &[]);
    if let Some(router) = router {
        let (ending, value) = session.evaluate(router);
        note_failure(vm, ending);
        if ending != Ending::Normal || value.as_bool() != Some(false) {
            return;
        }
    }
    match target {
        Target::Script(program) => {
            enter_folder(program);
            note_failure(vm, session.execute(program));
        }
        Target::File { path, kind } => {
            use std::os::unix::ffi::OsStrExt;
            match std::fs::read(std::ffi::OsStr::from_bytes(path)) {
                Ok(body) => vm.output.answer_with(&http::plain_answer(vm, 200, kind, &body)),
                Err(_) => vm.output.answer_with(&missing(vm)),
            }
        }
        Target::Missing => vm.output.answer_with(&missing(vm)),
    }
}

fn missing(vm: &Vm) -> Vec<u8> {
    let uri = vm.request.borrow().parameter(b"REQUEST_URI").unwrap_or_default();
    let uri = String::from_utf8_lossy(&uri);
    let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let body = format!(
        "<!doctype html><html><head><title>404 Not Found</title><style>\n\
         body {{ font-family: sans-serif; margin: 2em; color: #222; }}\n</style>\n\
         </head><body><h1>Not Found</h1><p>The requested resource \
         <code class=\"url\">{uri}</code> was not found on this server.</p></body></html>"
    );
    http::plain_answer(vm, 404, "text/html; charset=UTF-8", body.as_bytes())
}
