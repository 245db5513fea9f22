//! A request through CGI: its variables before the script, its headers before the output.

use crate::cgi_paths::Paths;
use crate::request::{Ending, Options, Program, session_to, session_with};
use phlox_ext_standard::request;
use phlox_ext_standard_file::http;
use phlox_runtime::Vm;
use phlox_runtime::errors::{DISPLAY_ERRORS, Display};
use phlox_runtime::ini::{Ini, IniAccess, IniBool, IniDef, IniString};
use std::cell::OnceCell;
use std::fs::File;
use std::io::{Write, stdin, stdout};
use std::os::fd::AsFd;
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

/// Standard output, with the headers before the first byte.
struct Answer<W> {
    out: W,
    vm: Rc<OnceCell<&'static Vm>>,
    head_sent: bool,
    /// The response consists of its headers only.
    bodyless: bool,
}

impl<W: Write> Answer<W> {
    fn new(out: W) -> Answer<W> {
        Answer { out, vm: Rc::default(), head_sent: false, bodyless: http::is_bodyless() }
    }

    /// Must the response begin now? A flush that only precedes waiting for a program, without any output, does not send
    /// the headers.
    fn has_begun(&self) -> bool {
        self.vm.get().is_none_or(|vm| vm.output.sent.get() || vm.output.ending.get())
    }

    fn send_head(&mut self) -> std::io::Result<()> {
        if let (false, Some(vm)) = (self.head_sent, self.vm.get()) {
            self.head_sent = true;
            if vm.output.is_complete.get() {
                self.bodyless = false;
                return Ok(());
            }
            self.out.write_all(&http::head(vm))?;
        }
        Ok(())
    }
}

impl<W: Write> Write for Answer<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.send_head()?;
        if self.bodyless { Ok(bytes.len()) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        if self.has_begun() {
            self.send_head()?;
        }
        self.out.flush()
    }
}

/// Runs a program as the answer to the request in the environment; gives the exit status.
pub fn answer_cgi(program: &Program, options: &Options, paths: &Paths) -> i32 {
    let answer = Answer::new(stdout());
    let known = answer.vm.clone();
    let declare = |ini: &mut Ini| ini.declare("cgi-fcgi", SETTINGS);
    session_with(Box::new(answer), options, declare, |session| {
        let vm = session.vm();
        // Messages of the engine's start precede the headers.
        vm.output.flush_raw();
        // The session is the only one that sets it.
        let _ = known.set(vm);
        request::populate(vm, &paths.changes, stdin());
        enter_folder(program);
        note_failure(vm, session.execute(program));
    })
}

/// A script of a web server runs in its folder.
fn enter_folder(program: &Program) {
    use std::os::unix::ffi::OsStrExt;
    let path = match program {
        Program::File { path, .. } => &path[..],
        Program::Unit(unit) => &unit.filename[..],
        Program::Code { .. } => return,
    };
    let folder = std::path::Path::new(std::ffi::OsStr::from_bytes(path)).parent();
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
        // If the folder cannot be entered, the script runs in the server's folder.
        let _ = std::env::set_current_dir(folder);
    }
}

/// The connection to the server, which is standard input and is used in both directions. Programs that the script starts
/// do not inherit it.
fn connection() -> std::io::Result<(File, File)> {
    let connection = File::from(stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok((connection.try_clone()?, connection))
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

/// Answers a request as the web server itself: by the router, unless it returns false, and then by the target.
pub fn serve(router: Option<&Program>, target: &Target, options: &Options) -> i32 {
    let Ok((body, out)) = connection() else { return 1 };
    let answer = Answer::new(out);
    let known = answer.vm.clone();
    session_to(Box::new(answer), options, |session| {
        let vm = session.vm();
        phlox_ext_standard_file::sapi::request(vm).is_server.set(true);
        // The session is the only one that sets it.
        let _ = known.set(vm);
        request::populate(vm, &[], body);
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
    })
}

fn missing(vm: &Vm) -> Vec<u8> {
    let uri = std::env::var("REQUEST_URI").unwrap_or_default();
    let uri = uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let body = format!(
        "<!doctype html><html><head><title>404 Not Found</title><style>\n\
         body {{ font-family: sans-serif; margin: 2em; color: #222; }}\n</style>\n\
         </head><body><h1>Not Found</h1><p>The requested resource \
         <code class=\"url\">{uri}</code> was not found on this server.</p></body></html>"
    );
    http::plain_answer(vm, 404, "text/html; charset=UTF-8", body.as_bytes())
}
