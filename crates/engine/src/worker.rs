//! A process that answers one request of a web server after another.

use crate::WORKER_EXTENSIONS;
use crate::cgi::{answer_through_cgi, declare_settings, run_program};
use crate::cgi_paths::Paths;
use crate::request::{Engine, Program};
use crate::settings::Configuration;
use phlox_ext_standard_file::http;
use phlox_runtime::ini::{Ini, IniAccess, IniDef, IniString};
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Request, Val, Vm, heap, interrupt, ob, trace};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// An engine that keeps what it has compiled from one request to the next.
pub struct Worker {
    engine: Engine,
    /// The process is one of a pool.
    is_pool: bool,
}

/// A request for a [`Worker`].
pub struct Task<'a> {
    pub request: Rc<dyn Request>,
    pub content: Content<'a>,
    /// The variables with paths that change for the script.
    pub paths: Paths,
    /// Settings for this request: names, values, and whether scripts may not change them.
    pub settings: Vec<(String, Vec<u8>, bool)>,
}

/// What answers a request.
pub enum Content<'a> {
    /// The script with this path, which exists.
    Script(&'a [u8]),
    /// A page that no script makes.
    Page { status: i64, headers: &'a [&'a str], body: &'a [u8] },
}

/// How a request was answered.
pub struct Outcome {
    pub status: i64,
    /// The lines of the answer's head.
    pub headers: Vec<Vec<u8>>,
    /// The most memory that the request had.
    pub memory: u64,
    /// The process should answer no other request, because the engine was left in the middle of something.
    pub is_spent: bool,
}

/// What a pool tells scripts of itself (`fpm_get_status`).
pub enum Fact {
    Text(Vec<u8>),
    Number(i64),
    Share(f64),
    List(Vec<Vec<(&'static str, Fact)>>),
}

/// The status of a script that a fatal error has ended.
const FAILED: i32 = 255;

/// An active function of a script, and where it was called.
pub struct Activation {
    pub function: Vec<u8>,
    pub file: Vec<u8>,
    pub line: i64,
}

/// Takes the script's path and what runs in it, the innermost first.
type Report = Box<dyn Fn(&[u8], &[Activation])>;

/// What a worker does when its master wants to know what the script is about.
struct Reporting {
    report: Report,
    depth: usize,
    /// The request's own reaction to signals.
    other: Cell<Option<fn(&Vm) -> PhpResult<()>>>,
}

/// Tells what scripts can ask of the pool.
pub type Status = Box<dyn Fn() -> Vec<(&'static str, Fact)>>;

thread_local! {
    static STATUS: RefCell<Option<Status>> = const { RefCell::new(None) };
    static REPORTING: RefCell<Option<Reporting>> = const { RefCell::new(None) };
}

static ERROR_HEADER: IniString = IniString::unset("fastcgi.error_header", IniAccess::System);
static FPM_CONFIG: IniString = IniString::unset("fpm.config", IniAccess::System);

/// Settings that exist only in the processes of a pool.
pub static SETTINGS: &[&IniDef] = &[&ERROR_HEADER.def, &FPM_CONFIG.def];

fn declare(ini: &mut Ini) {
    declare_settings(ini);
    ini.declare("cgi-fcgi", SETTINGS);
}

/// Functions that exist only in the processes of a pool.
const FUNCTIONS: &[FnDef] = &[
    FnDef::new("fastcgi_finish_request(): bool", finish_request),
    FnDef::new("fpm_get_status(): array|false", get_status),
];

impl Worker {
    /// Starts the engine of this thread, which has no other one. `status` tells what scripts can ask of the pool that the process is one
    /// of; without it, it is one that answers as php-cgi.
    pub fn start(configuration: &Configuration, status: Option<Status>) -> Worker {
        let is_pool = status.is_some();
        STATUS.set(status);
        let engine = Engine::start(&configuration.settings, WORKER_EXTENSIONS, declare);
        engine.keep_units();
        engine.preload();
        Worker { engine, is_pool }
    }

    /// Lets the master ask for a report of what the script is about by a signal (`phlox_process::hear_wish`). It comes when the script
    /// reaches a loop or a call.
    pub fn report_on_wish(&self, depth: usize, report: Report) {
        REPORTING.set(Some(Reporting { report, depth, other: Cell::default() }));
        phlox_process::set_attention(interrupt::word(), interrupt::SIGNAL);
    }

    /// Who may change a setting; `None` if there is no such setting.
    pub fn access(&self, name: &str) -> Option<IniAccess> {
        self.engine.vm().ini.find(name.as_bytes()).map(|state| state.def.access)
    }

    /// Answers a request.
    pub fn answer(&self, task: &Task<'_>) -> Outcome {
        let argv = match task.content {
            Content::Script(script) => vec![script.to_vec()],
            Content::Page { .. } => vec![Vec::new()],
        };
        let vm = self.engine.vm();
        answer_through_cgi(
            &self.engine,
            task.request.clone(),
            &argv,
            &task.paths,
            |vm| {
                phlox_ext_standard_file::sapi::request(vm).is_pool.set(self.is_pool);
                for def in FUNCTIONS.iter().filter(|_| self.is_pool) {
                    vm.declare_native(def, "cgi-fcgi");
                }
                REPORTING.with_borrow(|reporting| {
                    if let Some(reporting) = reporting {
                        // A wish that came after the last script is not about this one.
                        phlox_process::take_wish();
                        reporting.other.set(vm.signal_hook.replace(Some(report)));
                    }
                });
                for (name, value, locked) in &task.settings {
                    vm.ini.begin_with(vm, name, value, *locked);
                }
            },
            |session| match &task.content {
                Content::Script(script) => {
                    run_program(session, &Program::Path(script.to_vec()));
                    let header = vm.ini.get(&ERROR_HEADER);
                    if vm.exit_status.get() == FAILED && !header.is_empty() {
                        http::set_after_failure(vm, &header);
                    }
                }
                Content::Page { status, headers, body } => {
                    http::begin_page(session.vm(), *status, headers);
                    session.echo(body);
                }
            },
        );
        let (status, headers, memory) = (http::status(vm), http::lines(vm), heap::bytes_peak().1 as u64);
        self.engine.clear();
        Outcome { status, headers, memory, is_spent: self.engine.is_spent() }
    }
}

/// The reaction to a signal: reports, if that is wished for.
fn report(vm: &Vm) -> PhpResult<()> {
    let other = REPORTING.with_borrow(|reporting| {
        let reporting = reporting.as_ref()?;
        if phlox_process::take_wish() {
            let rows = trace::build(vm, 0, false, false, reporting.depth);
            (reporting.report)(&vm.script.borrow(), &activations(&rows));
        }
        reporting.other.get()
    });
    other.map_or(Ok(()), |other| other(vm))
}

fn activations(rows: &PhpArr) -> Vec<Activation> {
    let text = |row: &PhpArr, name: &[u8]| {
        let value = row.get(Key::Str(&PhpStr::new(name)));
        value.and_then(|value| value.as_str().map(|text| text.to_vec())).unwrap_or_default()
    };
    let activation = |row: &PhpArr| Activation {
        function: text(row, b"function"),
        file: text(row, b"file"),
        line: row.get(Key::Str(&PhpStr::new(b"line"))).and_then(|line| line.as_int()).unwrap_or(0),
    };
    rows.into_iter().filter_map(|(_, row)| row.as_arr().map(activation)).collect()
}

/// Completes the answer; the script goes on.
fn finish_request(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    ob::end_all(vm)?;
    // The head is sent also if there is no output.
    vm.output.sent.set(true);
    vm.output.flush_raw();
    Ok(Val::bool(vm.request.borrow().finish()))
}

fn get_status(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(STATUS.with_borrow(|status| status.as_ref().map_or(Val::FALSE, |status| array(status()))))
}

fn array(facts: Vec<(&'static str, Fact)>) -> Val {
    let mut array = PhpArr::new();
    for (name, fact) in facts {
        let value = match fact {
            Fact::Text(text) => Val::str(&text),
            Fact::Number(number) => Val::int(number),
            Fact::Share(share) => Val::double(share),
            Fact::List(rows) => rows.into_iter().map(|row| self::array(row)).collect::<PhpArr>().into(),
        };
        array.set_bytes(name.as_bytes(), value);
    }
    array.into()
}
