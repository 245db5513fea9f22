//! A worker: accepts connections, has requests answered, and tells the scoreboard and the access log.

use crate::access_log::{AccessLog, Entry};
use crate::application::{Answered, Application, Found, Make, Page, Setup, Task};
use crate::clients::Clients;
use crate::config::Pool;
use crate::protocol::{Arrival, Connection};
use crate::request::FcgiRequest;
use crate::scoreboard::{Board, Stage, Worker, epoch, now};
use crate::slow_log::SlowLog;
use crate::{debug, error, log, notice, status};
use phlox_process::QuitSocket;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrAny, SocketFlags, SocketType, acceptfrom_with, socket, sockopt};
use std::cell::RefCell;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// The status of a process that could not start.
pub const EXIT_SOFTWARE: i32 = 70;

/// For so long a client that has connected may say nothing.
const FIRST_WORD: Duration = Duration::from_secs(5);
/// How often a worker whose client keeps the connection looks whether it is to end.
const KEPT: Duration = Duration::from_secs(1);
/// What a worker writes on standard error after each request: lines that have no end yet, end.
const FLUSH_LINES: &[u8] = b"\0fscf\0";

/// What the master gives a worker.
pub struct Seed {
    pub pool: Pool,
    pub socket: OwnedFd,
    /// The pool's scoreboard, and the worker's slot.
    pub board: Board,
    pub slot: usize,
    /// The scoreboard that status pages show.
    pub shown: Board,
    pub access_log: Option<AccessLog>,
    pub slow_log: Option<SlowLog>,
    pub make: Make,
}

/// The state of a worker.
struct State {
    pool: Pool,
    socket: QuitSocket,
    board: Board,
    slot: usize,
    /// What the slot says.
    own: RefCell<Worker>,
    shown: Board,
    access_log: Option<AccessLog>,
    clients: Option<Clients>,
    extensions: Vec<String>,
}

/// Answers requests until the worker is to end; gives the status to exit with.
pub fn run(seed: Seed) -> i32 {
    let Seed { pool, socket: listening, board, slot, shown, access_log, slow_log, make } = seed;
    let substitute = match socket(AddressFamily::UNIX, SocketType::STREAM, None) {
        Ok(substitute) => substitute,
        Err(failure) => return cannot_start(&pool, failure.raw_os_error()),
    };
    let socket = match QuitSocket::new(listening, substitute) {
        Ok(socket) => socket,
        Err(failure) => return cannot_start(&pool, failure),
    };
    let own = Worker { process: u64::from(std::process::id()), start_epoch: epoch(), ..Worker::default() };
    board.write(slot, &own);
    let list = pool.listen_allowed_clients.as_deref().filter(|_| pool.is_tcp());
    let clients = list.map(Clients::read);
    let extensions = pool.limit_extensions.as_deref().unwrap_or_default();
    let extensions = extensions.split([' ', '\t']).filter(|text| !text.is_empty()).map(str::to_owned).collect();
    if let Some(Err(failure)) = slow_log.as_ref().map(SlowLog::listen) {
        return cannot_start(&pool, failure);
    }
    let mut application = make(Setup { pool: pool.clone(), board: shown.clone(), slow_log });
    // From here on signals are heard: SIGQUIT ends the worker between two requests.
    if let Err(failure) = phlox_process::set_mask(nix::libc::SIG_SETMASK, &[]) {
        return cannot_start(&pool, failure);
    }
    let own = RefCell::new(own);
    let mut state = State { pool, socket, board, slot, own, shown, access_log, clients, extensions };
    state.serve(&mut *application);
    0
}

fn cannot_start(pool: &Pool, failure: i32) -> i32 {
    crate::system_error!(failure, "[pool {}] child failed to initialize", pool.name);
    EXIT_SOFTWARE
}

impl State {
    fn enter(&self, stage: Stage) {
        let mut own = self.own.borrow_mut();
        (own.stage, own.since) = (stage, now());
        self.board.write_stage(self.slot, &own);
    }

    /// Enters a stage in which more is known.
    fn enter_with(&self, stage: Stage, change: impl FnOnce(&mut Worker)) {
        let mut own = self.own.borrow_mut();
        (own.stage, own.since) = (stage, now());
        change(&mut own);
        self.board.write(self.slot, &own);
    }

    fn serve(&mut self, application: &mut dyn Application) {
        let mut left = u64::try_from(self.pool.max_requests).ok().filter(|&count| count > 0);
        let mut kept: Option<(Connection, Option<String>)> = None;
        loop {
            // A client that has just connected has begun to send already.
            let is_ready = kept.is_none();
            let (mut connection, client) = match kept.take() {
                Some(connection) => connection,
                None => match self.accept() {
                    Some(connection) => connection,
                    None => return,
                },
            };
            self.begin();
            while !(is_ready || connection.wait(KEPT)) {
                if QuitSocket::is_quitting() {
                    return;
                }
            }
            match connection.next() {
                Arrival::End => self.enter(Stage::Finished),
                Arrival::Question => kept = Some((connection, client)),
                Arrival::Request { number, keeps, parameters } => {
                    let request = Rc::new(FcgiRequest::new(connection, number, keeps, parameters, client.clone()));
                    let is_last = left.as_mut().is_some_and(|left| {
                        *left -= 1;
                        *left == 0
                    });
                    let (rest, is_spent) = self.answer(application, &request, is_last);
                    if rest.is_none() {
                        self.enter(Stage::Finished);
                    }
                    if is_last || is_spent || QuitSocket::is_quitting() {
                        return;
                    }
                    kept = rest.map(|connection| (connection, client));
                }
            }
        }
    }

    /// Waits for a client; `None` if the worker is to end.
    fn accept(&self) -> Option<(Connection, Option<String>)> {
        loop {
            if QuitSocket::is_quitting() {
                return None;
            }
            self.enter(Stage::Accepting);
            self.board.count(1, -1, 0);
            let (socket, address) = match acceptfrom_with(&self.socket, SocketFlags::CLOEXEC) {
                Ok(accepted) => accepted,
                Err(Errno::INTR | Errno::CONNABORTED) => continue,
                Err(failure) => {
                    if !QuitSocket::is_quitting() {
                        crate::system_error!(failure, "[pool {}] accept() failed", self.pool.name);
                    }
                    return None;
                }
            };
            let address = address.and_then(ip);
            let shown = address.map(|address| match address {
                IpAddr::V6(long) => long.to_ipv4_mapped().map_or(address, IpAddr::V4).to_string(),
                IpAddr::V4(_) => address.to_string(),
            });
            if let (Some(clients), Some(address)) = (&self.clients, address) {
                if !clients.allow(address) {
                    let address = shown.unwrap_or_default();
                    error!("Connection disallowed: IP address '{address}' has been dropped.");
                    continue;
                }
            }
            if address.is_some() {
                // Answers that are sent in parts must not wait for each other. Without this they are only slower.
                let _ = sockopt::set_tcp_nodelay(&socket, true);
            }
            let mut connection = Connection::new(socket);
            if connection.wait(FIRST_WORD) {
                return Some((connection, shown));
            }
            self.enter(Stage::Finished);
        }
    }

    fn begin(&self) {
        self.enter_with(Stage::ReadingHeaders, |worker| {
            worker.accepted = worker.since;
            worker.accepted_epoch = epoch();
            worker.requests += 1;
            for text in [&mut worker.uri, &mut worker.method, &mut worker.script, &mut worker.query, &mut worker.user] {
                text.clear();
            }
            worker.content_length = 0;
        });
        self.board.count(-1, 1, 1);
    }

    /// Answers a request; gives its connection back if the client keeps it, and whether the worker has to end.
    fn answer(
        &mut self,
        application: &mut dyn Application,
        request: &Rc<FcgiRequest>,
        is_last: bool,
    ) -> (Option<Connection>, bool) {
        let listener = request.clone();
        log::set_listener(Some(Box::new(move |message| listener.write_error(message))));
        let before = phlox_process::processor_time();
        let found = application.find(request);
        self.inform(request, &found);
        let answered = match self.page(request, &found) {
            Some(page) => application.answer(request, Task::Page(&page)),
            None => {
                self.enter(Stage::Executing);
                application.answer(request, Task::Script(found.script.as_deref().unwrap_or_default()))
            }
        };
        self.conclude(request, &answered, before);
        log::set_listener(None);
        if is_last {
            request.set_last();
        }
        let rest = request.conclude();
        if self.pool.catch_workers_output {
            // The master ends lines of the log at this mark; without a master there is nobody who reads it.
            let _ = rustix::io::write(rustix::stdio::stderr(), FLUSH_LINES);
        }
        (rest, answered.is_spent)
    }

    fn inform(&self, request: &FcgiRequest, found: &Found) {
        let text = |name| request.own_parameter(name).unwrap_or_default();
        self.enter_with(Stage::Information, |worker| {
            worker.uri = found.uri.clone().unwrap_or_default();
            worker.method = text("REQUEST_METHOD");
            worker.query = text("QUERY_STRING");
            worker.user = found.user.clone().unwrap_or_default();
            worker.script = found.script.clone().unwrap_or_default();
            worker.content_length = request.content_length();
        });
    }

    /// The page that answers the request, if no script does.
    fn page(&self, request: &FcgiRequest, found: &Found) -> Option<Page> {
        let plain = |status, text: &str| Some(Page { status, headers: Vec::new(), body: text.as_bytes().to_vec() });
        if request.own_parameter("REQUEST_METHOD").is_none() {
            return plain(200, "");
        }
        let begin = || self.enter(Stage::Executing);
        if let Some(page) = status::answer(&self.pool, &self.shown, request, found, begin) {
            return Some(page);
        }
        let Some(script) = &found.script else {
            debug!("Primary script unknown");
            return plain(404, "File not found.\n");
        };
        let shown = String::from_utf8_lossy(script);
        let has_extension =
            |extension: &String| script.len() > extension.len() && script.ends_with(extension.as_bytes());
        if !self.extensions.is_empty() && !self.extensions.iter().any(has_extension) {
            notice!("Access to the script '{shown}' has been denied (see security.limit_extensions)");
            return plain(403, "Access denied.\n");
        }
        let path = Path::new(std::ffi::OsStr::from_bytes(script));
        let may_be_read = rustix::fs::access(path, rustix::fs::Access::READ_OK);
        let failure = match may_be_read.and_then(|()| rustix::fs::stat(path)) {
            Ok(facts) if rustix::fs::FileType::from_raw_mode(facts.st_mode).is_dir() => Errno::ACCESS.raw_os_error(),
            Ok(_) => return None,
            Err(failure) => failure.raw_os_error(),
        };
        let reason = log::error_text(failure);
        let reason = reason.rsplit_once(" (").map_or(&reason[..], |(reason, _)| reason);
        error!("Unable to open primary script: {shown} ({reason})");
        if failure == Errno::ACCESS.raw_os_error() {
            plain(403, "Access denied.\n")
        } else {
            plain(404, "No input file specified.\n")
        }
    }

    /// Tells the scoreboard and the access log how the request was answered.
    fn conclude(&mut self, request: &FcgiRequest, answered: &Answered, before: (u64, u64)) {
        let after = phlox_process::processor_time();
        self.enter_with(Stage::Finished, |worker| {
            worker.duration = worker.since.saturating_sub(worker.accepted);
            worker.user_time = after.0.saturating_sub(before.0);
            worker.system_time = after.1.saturating_sub(before.1);
            worker.memory = answered.memory;
        });
        self.board.note_memory(answered.memory);
        if let Some(access_log) = &mut self.access_log {
            let worker = self.board.worker(self.slot);
            access_log.write(&Entry { request, worker: &worker, board: &self.board, answered });
        }
    }
}

/// The client's address at a TCP port.
fn ip(address: SocketAddrAny) -> Option<IpAddr> {
    SocketAddr::try_from(address).ok().map(|address| address.ip())
}
