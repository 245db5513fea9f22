//! `-S`: a web server for development. A few processes answer requests, so that a script can ask its own server for something. In
//! each, threads read requests, and one thread answers them, one after another, and keeps what it has compiled.

mod client;
mod http;
mod served;
mod target;
mod waiting;

use crate::args::{Invocation, Word};
use client::Client;
use http::{Head, Message};
use phlox_engine::{Configuration, Server as Engine, Target};
use rustix::event::{PollFd, PollFlags, poll};
use served::Served;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::unix::ffi::OsStringExt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use target::{Found, Place};
use waiting::Waiting;

/// Connections at a time; further ones are sent away.
const CONNECTIONS_MAX: usize = 256;
const UNAVAILABLE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n";

/// A connection that counts as long as it is open.
struct Held(Arc<AtomicUsize>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn log(text: &str) {
    // The program that started the server may have closed standard error.
    let _ = writeln!(io::stderr(), "[{}] {text}", phlox_engine::log_time());
}

/// The state that all requests share.
struct Server {
    /// As the command line has it, for `Host:` and `$_SERVER`.
    address: String,
    local: SocketAddr,
    root: Vec<u8>,
    router: Option<Word>,
    waiting: Waiting,
    /// `post_max_size`: of longer bodies scripts get only the length.
    body_max: u64,
}

/// Listens until it is stopped.
pub fn run(address: &[u8], invocation: &Invocation, configuration: &Configuration) -> i32 {
    let address = String::from_utf8_lossy(address).into_owned();
    let Some((host, port)) = address.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()) else {
        eprintln!("Invalid address: {address}");
        return 1;
    };
    let root = invocation.root.clone().unwrap_or_else(|| b".".to_vec());
    let Ok(root) = super::path(&root).canonicalize().map(|root| root.into_os_string().into_vec()) else {
        eprintln!("Directory {} does not exist.", String::from_utf8_lossy(&root));
        return 1;
    };
    if !super::path(&root).is_dir() {
        eprintln!("{} is not a directory.", String::from_utf8_lossy(&root));
        return 1;
    }
    let listener = match listen(&address) {
        Ok(listener) => listener,
        Err(error) => {
            log(&format!("Failed to listen on {address} (reason: {error})"));
            return 1;
        }
    };
    let Ok(local) = listener.local_addr() else { return 1 };
    // Port 0 is any that is free.
    let address = if port == "0" { format!("{host}:{}", local.port()) } else { address };
    log(&format!("PHP {} Development Server (http://{address}) started", phlox_engine::php_version()));
    let server = Arc::new(Server {
        address,
        local,
        root,
        router: invocation.script.clone().map(|script| super::scripts::real_path(&script)),
        waiting: Waiting::default(),
        body_max: phlox_engine::post_max_size(configuration),
    });
    start_workers();
    if let Err(error) = listener.set_nonblocking(true) {
        log(&format!("Failed to listen on {address} (reason: {error})", address = server.address));
        return 1;
    }
    let (tasks, received) = sync_channel(CONNECTIONS_MAX);
    let reader = server.clone();
    let started = std::thread::Builder::new().spawn(move || accept_all(&listener, &reader, &tasks));
    if let Err(error) = started {
        log(&format!("Failed to start a thread (reason: {error})"));
        return 1;
    }
    answer_all(&server, configuration, received)
}

/// Processes that answer requests, unless `PHP_CLI_SERVER_WORKERS` says otherwise.
const WORKERS: u32 = 4;

/// Starts the other processes that answer requests, which end with this one.
fn start_workers() {
    let wanted = std::env::var("PHP_CLI_SERVER_WORKERS").ok().and_then(|text| text.parse::<u32>().ok());
    let count = wanted.unwrap_or(WORKERS);
    for _ in 1..count {
        match phlox_process::fork() {
            Ok(None) => {
                // If the system cannot do it, the process ends with the terminal's group.
                let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
                return;
            }
            Ok(Some(_)) => {}
            Err(number) => {
                let error = io::Error::from_raw_os_error(number);
                return log(&format!("Failed to start a worker (reason: {error})"));
            }
        }
    }
}

/// A request that was read, and the connection that waits for its answer.
struct Task {
    message: Message,
    client: Client,
    address: SocketAddr,
    held: Held,
}

/// Accepts the next connection while this process has nothing to answer: a script that asks its own server for something gets the
/// answer from another process.
fn accept(listener: &TcpListener, waiting: &Waiting) -> io::Result<TcpStream> {
    loop {
        waiting.wait();
        let mut ready = [PollFd::new(listener, PollFlags::IN)];
        poll(&mut ready, None)?;
        if !waiting.is_none() {
            continue;
        }
        match listener.accept() {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            accepted => return Ok(accepted?.0),
        }
    }
}

/// Accepts connections and reads their requests for ever.
fn accept_all(listener: &TcpListener, server: &Arc<Server>, tasks: &SyncSender<Task>) {
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let connection = accept(listener, &server.waiting);
        let (server, tasks) = (server.clone(), tasks.clone());
        let started = connection.and_then(|mut connection| {
            let held = Held(open.clone());
            if held.0.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
                return connection.write_all(UNAVAILABLE);
            }
            let read = move || {
                if let Some(task) = server.read(connection, held) {
                    server.waiting.add(1);
                    // The other end is there as long as the process.
                    let _ = tasks.send(task);
                }
            };
            std::thread::Builder::new().spawn(read).map(drop)
        });
        if let Err(error) = started {
            log(&format!("Failed to accept a connection (reason: {error})"));
            // Other connections have to end before there is room for one more.
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// Answers the requests one after another, each by a thread that has answered those before, unless that was left in the middle of
/// something.
fn answer_all(server: &Server, configuration: &Configuration, mut tasks: Receiver<Task>) -> i32 {
    loop {
        let tasks = &mut tasks;
        let goes_on = phlox_engine::on_deep_stack(move || {
            let engine = Engine::start(configuration);
            while let Ok(task) = tasks.recv() {
                let goes_on = server.answer(&engine, task);
                server.waiting.add(-1);
                if !goes_on {
                    return true;
                }
            }
            false
        });
        match goes_on {
            Ok(true) => {}
            Ok(false) => return 0,
            Err(error) => {
                log(&format!("Failed to start a thread (reason: {error})"));
                return 1;
            }
        }
    }
}

fn listen(address: &str) -> io::Result<TcpListener> {
    let plain = address.trim_start_matches('[').replacen("]:", ":", 1);
    let addresses = address.to_socket_addrs().or_else(|_| plain.to_socket_addrs())?;
    // Names have both kinds of addresses; clients try the older one first.
    let mut addresses: Vec<SocketAddr> = addresses.collect();
    addresses.sort_by_key(|address| !address.is_ipv4());
    TcpListener::bind(&addresses[..])
}

impl Server {
    /// Reads the request of a connection. `None` if there is none to answer: the client has been told.
    fn read(&self, connection: TcpStream, held: Held) -> Option<Task> {
        let address = connection.peer_addr().ok()?;
        let mut client = Client::new(connection);
        log(&format!("{address} Accepted"));
        match Message::read(&mut client, self.body_max) {
            Ok(Some(message)) if !message.head.is_known_method() => {
                let Head { method, uri, .. } = &message.head;
                log(&format!("{address} [501]: {method} {}", String::from_utf8_lossy(uri)));
                let _ = client.write_all(b"HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n");
            }
            Ok(Some(message)) => return Some(Task { message, client, address, held }),
            Ok(None) => log(&format!(
                "{address} Closed without sending a request; it was probably just an unused speculative preconnection"
            )),
            Err(_) => {
                log(&format!("{address} Invalid request (Malformed HTTP request)"));
                // Writing fails if the client has gone away, which is no failure of the server.
                let _ = client.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            }
        }
        log(&format!("{address} Closing"));
        None
    }

    /// Answers a request and logs that. False if the engine must not be used again.
    fn answer(&self, engine: &Engine, task: Task) -> bool {
        let Task { message, client, address, held } = task;
        let place = Place::find(&self.root, &message.head.path());
        let line = format!("{} {}", message.head.method, String::from_utf8_lossy(&message.head.uri));
        let target = match &place.found {
            Found::Script(_) => super::scripts::load_kept(place.path()).map_or(Target::Missing, Target::Script),
            Found::File(_) => Target::File { path: place.path().to_vec(), kind: target::media_type(place.path()) },
            Found::Missing => Target::Missing,
        };
        let router = self.router.as_ref().map(|router| super::scripts::load_kept(router));
        let request = Rc::new(Served::new(self.parameters(&message, address, &place), message.body, client));
        let goes_on = match router {
            // The router has gone since the server was started.
            Some(None) => true,
            router => engine.answer(request.clone(), router.flatten().as_ref(), &target, place.path()),
        };
        log(&format!("{address} [{}]: {line}", request.end()));
        log(&format!("{address} Closing"));
        drop(held);
        goes_on
    }

    /// The variables of CGI that describe a request.
    fn parameters(&self, message: &Message, client: SocketAddr, place: &Place) -> Vec<(Vec<u8>, Vec<u8>)> {
        let head = &message.head;
        let mut parameters: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let mut set = |name: &str, value: &[u8]| {
            // A variable cannot have a zero in it, and no program would expect one.
            let value: Vec<u8> = value.iter().copied().filter(|&byte| byte != 0).collect();
            parameters.retain(|(known, _)| known != name.as_bytes());
            parameters.push((name.into(), value));
        };
        for (name, value) in &head.variables() {
            set(name, value);
        }
        set(phlox_engine::SERVER_HEADERS, &head.lines());
        let (host, port) = self.address.rsplit_once(':').unwrap_or((&self.address, ""));
        for (name, value) in [
            ("DOCUMENT_ROOT", &self.root[..]),
            ("REMOTE_ADDR", client.ip().to_string().as_bytes()),
            ("REMOTE_PORT", client.port().to_string().as_bytes()),
            ("SERVER_SOFTWARE", format!("PHP/{} (Development Server)", phlox_engine::php_version()).as_bytes()),
            ("SERVER_NAME", host.as_bytes()),
            ("SERVER_PORT", port.as_bytes()),
            ("SERVER_ADDR", self.local.ip().to_string().as_bytes()),
            ("SERVER_PROTOCOL", head.protocol.as_bytes()),
            ("REQUEST_URI", &head.uri),
            ("REQUEST_METHOD", head.method.as_bytes()),
            ("QUERY_STRING", head.query()),
            ("SCRIPT_NAME", &place.script_name),
            ("SCRIPT_FILENAME", place.path()),
            ("CONTENT_LENGTH", message.length.to_string().as_bytes()),
        ] {
            set(name, value);
        }
        if let Some(info) = &place.path_info {
            set("PATH_INFO", info);
        }
        parameters
    }
}
