//! PHP as the process manager uses it.

use super::paths::{self, Rules};
use super::read_settings;
use super::user_ini::UserIni;
use phlox_engine::{Activation, Configuration, Content, Fact, IniAccess, Paths, Status, Worker, credentials};
use phlox_fpm::config::table::Element;
use phlox_fpm::scoreboard::{Board, epoch};
use phlox_fpm::status::{last_request, request_duration};
use phlox_fpm::{Answered, Application, FcgiRequest, Found, Setup, Task, error};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// A setting: name, value, and whether scripts may not change it.
type Setting = (String, Vec<u8>, bool);

/// The engine of a worker.
pub struct Php {
    worker: Worker,
    rules: Rules,
    /// The settings that scripts may not change.
    locked: Vec<Setting>,
    user_ini: UserIni,
    /// `fastcgi.logging`
    logs: bool,
    /// `PHP_SELF` of the request.
    own_path: Option<Vec<u8>>,
    /// The folder that requests begin in.
    folder: Option<PathBuf>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Php {
    /// Starts the engine with the settings of a pool; without a manager that scripts know of, it is php-cgi's.
    pub fn start(configuration: &Configuration, setup: Setup, is_managed: bool) -> Php {
        let pool = &setup.pool;
        let pairs = |list: &[Element]| -> Vec<(String, Vec<u8>)> {
            list.iter().map(|(name, value)| (text(name), value.clone())).collect()
        };
        let (values, admin_values) = (pairs(&pool.values), pairs(&pool.admin_values));
        let settings = configuration.settings.iter().chain(&values).chain(&admin_values).cloned().collect();
        let configuration = Configuration { settings, ..Configuration::default() };
        let board = setup.board.clone();
        let slow_log_depth = setup.slow_log.as_ref().map_or(0, |slow_log| slow_log.depth);
        let worker = Worker::start(&configuration, is_managed.then(|| -> Status { Box::new(move || status(&board)) }));
        if let Some(slow_log) = setup.slow_log {
            let report = move |script: &[u8], functions: &[Activation]| {
                let rows = functions.iter().map(|row| (&row.function[..], &row.file[..], row.line));
                slow_log.write(script, rows);
            };
            worker.report_on_wish(slow_log_depth, Box::new(report));
        }
        for (list, kind) in [(&values, "php_value"), (&admin_values, "php_admin_value")] {
            // All extensions are built in, so that none can be loaded.
            for (name, _) in list.iter().filter(|(name, _)| name != "extension" && worker.access(name).is_none()) {
                error!("Unable to set {kind} '{name}'");
            }
        }
        let root = configuration.text("doc_root").filter(|root| !root.is_empty()).map(<[u8]>::to_vec);
        let kept =
            configuration.text("user_ini.cache_ttl").and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
        Php {
            worker,
            rules: Rules {
                fixes: configuration.is_on("cgi.fix_pathinfo", true),
                discards: configuration.is_on("cgi.discard_path", false),
                root,
            },
            locked: admin_values.into_iter().map(|(name, value)| (name, value, true)).collect(),
            user_ini: UserIni::new(
                configuration.text("user_ini.filename").unwrap_or(b".user.ini"),
                Duration::from_secs(kept.unwrap_or(300)),
            ),
            logs: configuration.is_on("fastcgi.logging", true),
            own_path: None,
            folder: std::env::current_dir().ok(),
        }
    }

    /// The settings for one request.
    fn settings(&mut self, request: &FcgiRequest, script: Option<&[u8]>) -> Vec<Setting> {
        let mut settings = self.locked.clone();
        for (parameter, is_locked) in [("PHP_VALUE", false), ("PHP_ADMIN_VALUE", true)] {
            let Some(lines) = request.own_parameter(parameter) else { continue };
            for (name, value) in read_settings(&[&lines[..], b"\n"].concat()).0 {
                if self.worker.access(&name).is_none() && name != "extension" {
                    error!("Passing INI directive through FastCGI: unable to set '{name}'");
                }
                settings.push((name, value, is_locked));
            }
        }
        let Some(script) = script else { return settings };
        let root = request.own_parameter("DOCUMENT_ROOT");
        for (name, value) in self.user_ini.settings(script, root.as_deref()) {
            let is_locked = settings.iter().any(|(known, _, is_locked)| *known == name && *is_locked);
            let may_be_set = matches!(self.worker.access(&name), Some(IniAccess::All | IniAccess::PerDir));
            if may_be_set && !is_locked {
                settings.push((name, value, false));
            }
        }
        settings
    }
}

impl Application for Php {
    fn find(&mut self, request: &FcgiRequest) -> Found {
        request.set_logging(self.logs);
        let script = paths::find(request, &self.rules);
        // Where paths are corrected, the engine makes it of the script's name and the path behind it.
        self.own_path = script.uri.clone().filter(|_| !self.rules.fixes);
        let authorization = request.own_parameter("HTTP_AUTHORIZATION").unwrap_or_default();
        let user = credentials(&authorization).into_iter().find(|(name, _)| *name == "PHP_AUTH_USER");
        Found { script: script.path, uri: script.uri, user: user.map(|(_, user)| user) }
    }

    fn answer(&mut self, request: &Rc<FcgiRequest>, task: Task<'_>) -> Answered {
        let (content, script) = match task {
            Task::Script(script) => (Content::Script(script), Some(script)),
            Task::Page(page) => {
                let (status, headers) = (i64::from(page.status), &page.headers[..]);
                (Content::Page { status, headers, body: &page.body }, None)
            }
        };
        let settings = self.settings(request, script);
        let changes = self.own_path.take().map(|path| ("PHP_SELF", Some(path))).into_iter().collect();
        let paths = Paths { script: None, changes };
        let outcome = self.worker.answer(&phlox_engine::Task { request: request.clone(), content, paths, settings });
        if let Some(folder) = &self.folder {
            // The next script enters its own folder anyway.
            let _ = std::env::set_current_dir(folder);
        }
        let phlox_engine::Outcome { status, headers, memory, is_spent } = outcome;
        Answered { status, headers, memory, is_spent }
    }
}

/// What `fpm_get_status` gives.
fn status(board: &Board) -> Vec<(&'static str, Fact)> {
    let number = |number: u64| Fact::Number(i64::try_from(number).unwrap_or(i64::MAX));
    let totals = board.totals();
    let now = epoch();
    let or_dash = |bytes: &[u8]| Fact::Text(if bytes.is_empty() { b"-".to_vec() } else { bytes.to_vec() });
    let workers = board.workers().into_iter().map(|worker| {
        let (share, memory) = last_request(&worker);
        vec![
            ("pid", number(worker.process)),
            ("state", Fact::Text(worker.stage.name().into())),
            ("start-time", number(worker.start_epoch)),
            ("start-since", number(now.saturating_sub(worker.start_epoch))),
            ("requests", number(worker.requests)),
            ("request-duration", number(request_duration(&worker))),
            ("request-method", or_dash(&worker.method)),
            ("request-uri", Fact::Text(worker.uri)),
            ("query-string", Fact::Text(worker.query)),
            ("request-length", number(worker.content_length)),
            ("user", or_dash(&worker.user)),
            ("script", or_dash(&worker.script)),
            ("last-request-cpu", Fact::Share(share)),
            ("last-request-memory", number(memory)),
        ]
    });
    vec![
        ("pool", Fact::Text(totals.pool.into_bytes())),
        ("process-manager", Fact::Text(totals.manager.to_string().into_bytes())),
        ("start-time", number(totals.start_epoch)),
        ("start-since", number(now.saturating_sub(totals.start_epoch))),
        ("accepted-conn", number(totals.requests)),
        ("listen-queue", number(totals.queue)),
        ("max-listen-queue", number(totals.queue_max)),
        ("listen-queue-len", number(totals.queue_length)),
        ("idle-processes", number(totals.idle)),
        ("active-processes", number(totals.active)),
        ("total-processes", number(totals.idle + totals.active)),
        ("max-active-processes", number(totals.active_max)),
        ("max-children-reached", number(totals.children_reached)),
        ("slow-requests", number(totals.slow)),
        ("memory-peak", number(totals.memory_peak)),
        ("procs", Fact::List(workers.collect())),
    ]
}
