//! `-S`: a web server for development. Each request is answered by a process of its own, which this one talks to as a web
//! server does through CGI.

mod http;
mod target;

use crate::args::{Invocation, Word};
use http::{Head, Message};
use phlox_engine::Configuration;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use target::{Found, Place};

/// The first word of a command line that answers one request; see [`answer`].
pub const ANSWER: &str = "answer-request";
/// The variable that gives the answering process its target: `script`, `file` or `missing`, and the path.
const TARGET: &str = "PHLOX_SERVER_TARGET";
/// The variable with the router's path.
const ROUTER: &str = "PHLOX_SERVER_ROUTER";

/// Connections at a time; further ones are sent away.
const CONNECTIONS_MAX: usize = 256;
/// How long a client may take for a request, and for taking a piece of the answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Each time this many bytes have passed, the client gets another second.
const SLOWEST: u64 = 1 << 10;
const UNAVAILABLE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n";

/// A connection that counts as long as it is open.
struct Held(Arc<AtomicUsize>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A client, who has to send its request in time: one that sends byte after byte would hold the server.
struct Client {
    connection: TcpStream,
    since: Instant,
    received: u64,
}

impl Client {
    fn new(connection: TcpStream) -> Client {
        // If the limit cannot be set, the client is served without it.
        let _ = connection.set_write_timeout(Some(PATIENCE));
        Client { connection, since: Instant::now(), received: 0 }
    }
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowed = PATIENCE + Duration::from_secs(self.received / SLOWEST);
        let left = allowed.checked_sub(self.since.elapsed()).filter(|left| !left.is_zero());
        self.connection.set_read_timeout(Some(left.ok_or(io::ErrorKind::TimedOut)?))?;
        let size = self.connection.read(buffer)?;
        self.received += size as u64;
        Ok(size)
    }
}

impl Write for Client {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.connection.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.connection.flush()
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
    /// Options that the answering processes get, too.
    options: Vec<OsString>,
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
        options: child_options(invocation, configuration),
        body_max: phlox_engine::post_max_size(configuration),
    });
    let open = Arc::new(AtomicUsize::new(0));
    for connection in listener.incoming() {
        let server = server.clone();
        let started = connection.and_then(|mut connection| {
            let held = Held(open.clone());
            if held.0.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
                return connection.write_all(UNAVAILABLE);
            }
            let serve = move || {
                server.serve(connection);
                drop(held);
            };
            std::thread::Builder::new().spawn(serve).map(drop)
        });
        if let Err(error) = started {
            log(&format!("Failed to accept a connection (reason: {error})"));
            // Other connections have to end before there is room for one more.
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
    0
}

fn listen(address: &str) -> io::Result<TcpListener> {
    let plain = address.trim_start_matches('[').replacen("]:", ":", 1);
    let addresses = address.to_socket_addrs().or_else(|_| plain.to_socket_addrs())?;
    // Names have both kinds of addresses; clients try the older one first.
    let mut addresses: Vec<SocketAddr> = addresses.collect();
    addresses.sort_by_key(|address| !address.is_ipv4());
    TcpListener::bind(&addresses[..])
}

/// The options about settings, as words of a command line.
fn child_options(invocation: &Invocation, configuration: &Configuration) -> Vec<OsString> {
    let mut options = Vec::new();
    if invocation.ignore_ini {
        options.push("-n".into());
    }
    if let Some(file) = &configuration.loaded {
        options.extend(["-c".into(), file.clone().into_os_string()]);
    }
    for define in &invocation.defines {
        options.extend(["-d".into(), OsString::from_vec(define.clone())]);
    }
    options
}

impl Server {
    fn serve(&self, connection: TcpStream) {
        let Ok(client) = connection.peer_addr() else { return };
        let mut connection = Client::new(connection);
        log(&format!("{client} Accepted"));
        match Message::read(&mut connection, self.body_max) {
            Ok(Some(message)) if !message.head.is_known_method() => {
                let Head { method, uri, .. } = &message.head;
                log(&format!("{client} [501]: {method} {}", String::from_utf8_lossy(uri)));
                let _ = connection.write_all(b"HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n");
            }
            Ok(Some(message)) => {
                let status = self.answer(&message, &mut connection, client);
                let Head { method, uri, .. } = &message.head;
                let status = status.map_or_else(|_| "500".to_owned(), |status| status.to_string());
                log(&format!("{client} [{status}]: {method} {}", String::from_utf8_lossy(uri)));
            }
            Ok(None) => log(&format!(
                "{client} Closed without sending a request; it was probably just an unused speculative preconnection"
            )),
            Err(_) => {
                log(&format!("{client} Invalid request (Malformed HTTP request)"));
                // Writing fails if the client has gone away, which is no failure of the server.
                let _ = connection.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
            }
        }
        log(&format!("{client} Closing"));
    }

    /// Lets a process answer; gives the status of the answer.
    fn answer(&self, message: &Message, connection: &mut Client, client: SocketAddr) -> io::Result<u16> {
        let (mut ours, theirs) = UnixStream::pair()?;
        let mut child = match self.command(message, client, theirs).and_then(|mut command| command.spawn()) {
            Ok(child) => child,
            Err(error) => {
                log(&format!("{client} Failed to start a process (reason: {error})"));
                connection.write_all(UNAVAILABLE)?;
                return Ok(503);
            }
        };
        let sent = feed(&ours, &message.body);
        let mut status = None;
        let mut start = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        // A process may end without having read the whole body; the answer is valid nevertheless.
        while let Some(size) = ours.read(&mut buffer).ok().filter(|size| *size > 0) {
            if connection.write_all(&buffer[..size]).is_err() {
                // The script notices that the client has gone when it writes again.
                let _ = ours.shutdown(Shutdown::Both);
                break;
            }
            if status.is_none() && start.len() < 64 {
                start.extend_from_slice(&buffer[..size.min(64)]);
                status = http::status_of(&start);
            }
        }
        // A process that wants no more of the body has closed its end.
        let _ = sent.map(std::thread::JoinHandle::join);
        child.wait()?;
        if start.is_empty() {
            connection.write_all(b"HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\n")?;
        }
        Ok(status.unwrap_or(500))
    }

    fn command(&self, message: &Message, client: SocketAddr, theirs: UnixStream) -> io::Result<Command> {
        let head = &message.head;
        let place = Place::find(&self.root, &head.path());
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(ANSWER).args(&self.options);
        // Standard output and error are the server's own: a script may say something there, too.
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        // CGI variables of the server's own environment do not describe the client's request.
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"HTTP_") || name == "CONTENT_TYPE" {
                command.env_remove(name);
            }
        }
        let mut set = |name: &str, value: &[u8]| {
            // A variable cannot have a zero in it, and no program would expect one.
            let value: Vec<u8> = value.iter().copied().filter(|&byte| byte != 0).collect();
            command.env(name, OsString::from_vec(value));
        };
        for (name, value) in &head.variables() {
            set(name, value);
        }
        let kind: &[u8] = match &place.found {
            Found::Script(_) => b"script ",
            Found::File(_) => b"file ",
            Found::Missing => b"missing ",
        };
        set(phlox_engine::SERVER_HEADERS, &head.lines());
        set(TARGET, &[kind, place.path()].concat());
        if let Some(router) = &self.router {
            set(ROUTER, router);
        }
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
        match &place.path_info {
            Some(info) => set("PATH_INFO", info),
            None => _ = command.env_remove("PATH_INFO"),
        }
        Ok(command)
    }
}

/// Writes the body while the answer is read: either could wait for the other.
fn feed(connection: &UnixStream, body: &[u8]) -> Option<std::thread::JoinHandle<()>> {
    let mut connection = connection.try_clone().ok()?;
    let body = body.to_vec();
    let send = move || {
        // The script may end without reading the body.
        let _ = connection.write_all(&body);
        let _ = connection.shutdown(Shutdown::Write);
    };
    std::thread::Builder::new().spawn(send).ok()
}

/// Answers the request that the environment and standard input describe, for a server of this program.
pub fn answer(words: &[Word]) -> i32 {
    let Ok(invocation) = crate::args::parse(words) else { return 1 };
    let configuration =
        Configuration::server(invocation.ini_path.as_deref(), invocation.ignore_ini, &invocation.defines);
    let target = std::env::var_os(TARGET).map(OsString::into_vec).unwrap_or_default();
    let router = std::env::var_os(ROUTER).map(OsString::into_vec);
    let blank = target.iter().position(|&byte| byte == b' ').unwrap_or(target.len());
    let (kind, path) = (&target[..blank], target.get(blank + 1..).unwrap_or_default());
    let target = match kind {
        b"script" => super::scripts::load(path).map_or(phlox_engine::Target::Missing, phlox_engine::Target::Script),
        b"file" => phlox_engine::Target::File { path: path.to_vec(), kind: target::media_type(path) },
        _ => phlox_engine::Target::Missing,
    };
    let router = match router.map(|path| super::scripts::load(&path)) {
        Some(None) => return 1,
        Some(Some(program)) => Some(program),
        None => None,
    };
    let script = std::env::var_os("SCRIPT_FILENAME").map(OsString::into_vec).unwrap_or_default();
    let options =
        phlox_engine::Options { ini: configuration.settings.clone(), argv: vec![script], stats: invocation.stats };
    phlox_engine::serve(router.as_ref(), &target, &options)
}
