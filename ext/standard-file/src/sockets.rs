//! Functions for sockets as streams.

use crate::context;
use crate::handles;
use crate::stream::Stream;
use crate::stream::crypto::{self, Enabled};
use crate::stream::open::{resource, stream_of};
use crate::stream::plain::error_text;
use crate::stream::socket::{SocketSource, Transport, wait_for};
use phlox_runtime::ini::{IniAccess, IniQuantity};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, Vm};
use rustix::event::PollFlags;
use rustix::net::{self, RecvFlags, SendFlags, Shutdown, SocketAddrAny};
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as LocalAddress, UnixDatagram, UnixListener, UnixStream};
use std::rc::Rc;
use std::time::Duration;

/// How many seconds a socket is waited for; a negative number: for ever.
pub static DEFAULT_SOCKET_TIMEOUT: IniQuantity = IniQuantity::new("default_socket_timeout", "60", IniAccess::All);

/// The bytes of `sun_path`.
const LOCAL_MAX: usize = 108;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "stream_socket_client(string $address, &$error_code = null, &$error_message = null, ?float $timeout = null, \
         int $flags = STREAM_CLIENT_CONNECT, $context = null)",
        stream_socket_client,
    ),
    FnDef::new(
        "stream_socket_server(string $address, &$error_code = null, &$error_message = null, \
         int $flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context = null)",
        stream_socket_server,
    ),
    FnDef::new("stream_socket_accept($socket, ?float $timeout = null, &$peer_name = null)", stream_socket_accept),
    FnDef::new("stream_socket_get_name(#[resource] $socket, bool $remote): string|false", stream_socket_get_name),
    FnDef::new(
        "stream_socket_recvfrom(#[resource] $socket, int $length, int $flags = 0, &$address = null): string|false",
        stream_socket_recvfrom,
    ),
    FnDef::new(
        "stream_socket_sendto(#[resource] $socket, string $data, int $flags = 0, string $address = \"\"): int|false",
        stream_socket_sendto,
    ),
    FnDef::new(
        "stream_socket_enable_crypto($stream, bool $enable, ?int $crypto_method = null, $session_stream = null): int|bool",
        stream_socket_enable_crypto,
    ),
    FnDef::new("stream_socket_shutdown($stream, int $mode): bool", stream_socket_shutdown),
    FnDef::new("stream_socket_pair(int $domain, int $type, int $protocol): array|false", stream_socket_pair),
    FnDef::new(
        "fsockopen(string $hostname, int $port = -1, &$error_code = null, &$error_message = null, \
         ?float $timeout = null)",
        fsockopen,
    ),
    FnDef::new(
        "pfsockopen(string $hostname, int $port = -1, &$error_code = null, &$error_message = null, \
         ?float $timeout = null)",
        fsockopen,
    ),
];

const SERVER_LISTEN: i64 = 8;
const OUT_OF_BAND: i64 = 1;
const PEEK: i64 = 2;

/// Why an address gave no socket: the system's number and the text.
#[derive(Debug)]
pub struct Failure {
    pub code: i32,
    pub message: String,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure { code: error.raw_os_error().unwrap_or(0), message: error_text(&error) }
    }
}

impl From<rustix::io::Errno> for Failure {
    fn from(error: rustix::io::Errno) -> Failure {
        io::Error::from(error).into()
    }
}

fn failure(message: String) -> Failure {
    Failure { code: 0, message }
}

/// An address with its transport.
struct Address<'a> {
    transport: Transport,
    /// The method by which the connection is encrypted, if it is.
    method: Option<i64>,
    rest: &'a [u8],
}

fn parse(address: &[u8]) -> Result<Address<'_>, Failure> {
    let split = address.windows(3).position(|window| window == b"://");
    let (name, rest) = match split {
        Some(at) => (&address[..at], &address[at + 3..]),
        None => (&b"tcp"[..], address),
    };
    let method = crypto::method_of(name);
    match Transport::named(name).or(method.map(|_| Transport::Tcp)) {
        Some(transport) => Ok(Address { transport, method, rest }),
        None => {
            let name = phlox_runtime::shown(name).into_owned();
            Err(failure(format!(
                "Unable to find the socket transport \"{name}\" - did you forget to enable it when you configured PHP?"
            )))
        }
    }
}

/// Host and port of an address.
fn host_and_port(rest: &[u8]) -> Result<(String, u16), Failure> {
    let shown = phlox_runtime::shown(rest).into_owned();
    let refused = || failure(format!("Failed to parse address \"{shown}\""));
    if rest.contains(&0) {
        return Err(failure("The hostname must not contain null bytes".to_owned()));
    }
    let (host, port) = match rest.first() {
        Some(b'[') if rest.len() > 1 => {
            let Some(end) = rest.iter().position(|&byte| byte == b']') else {
                return Err(failure(format!("Failed to parse IPv6 address \"{shown}\"")));
            };
            if rest.get(end + 1) != Some(&b':') {
                return Err(failure(format!("Failed to parse IPv6 address \"{shown}\"")));
            }
            (&rest[1..end], &rest[end + 2..])
        }
        // PHP does not search the last byte for the colon.
        _ => match rest.iter().position(|&byte| byte == b':') {
            Some(at) if at + 1 < rest.len() => (&rest[..at], &rest[at + 1..]),
            _ => return Err(refused()),
        },
    };
    // A port number that is too large is cut to 16 bits.
    let digits = port.iter().take_while(|byte| byte.is_ascii_digit());
    let port = digits.fold(0u16, |port, digit| port.wrapping_mul(10).wrapping_add((digit - b'0').into()));
    Ok((phlox_runtime::shown(host).into_owned(), port))
}

/// The addresses of a host; a failure is reported, too.
fn resolved(vm: &Vm, rest: &[u8]) -> PhpResult<Result<Vec<SocketAddr>, Failure>> {
    let (host, port) = match host_and_port(rest) {
        Ok(parts) => parts,
        Err(failure) => return Ok(Err(failure)),
    };
    let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
    match found {
        Ok(found) if !found.is_empty() => Ok(Ok(found)),
        _ => {
            let reason = format!("php_network_getaddresses: getaddrinfo for {host} failed: Name or service not known");
            let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
            vm.warning(&[&name[..], b"(): ", reason.as_bytes()].concat())?;
            Ok(Err(failure(reason)))
        }
    }
}

/// The address of a local socket: a path, or behind a NUL byte an abstract name. One that is too long is cut, with a
/// notice.
fn local_address(vm: &Vm, rest: &[u8]) -> PhpResult<io::Result<LocalAddress>> {
    let longest = if rest.first() == Some(&0) { LOCAL_MAX } else { LOCAL_MAX - 1 };
    let rest = &rest[..rest.len().min(longest + 1)];
    let rest = if rest.len() > longest {
        let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        let text = format!("(): socket path exceeded the maximum allowed length of {longest} bytes and was truncated");
        vm.notice(&vm.builtin_message(&[&name[..], text.as_bytes()].concat()))?;
        &rest[..longest]
    } else {
        rest
    };
    Ok(match rest {
        [0, name @ ..] => LocalAddress::from_abstract_name(name),
        _ => LocalAddress::from_pathname(crate::stream::open::os(rest)),
    })
}

/// Connects to an address.
pub fn connect(
    vm: &Vm,
    address: &[u8],
    timeout: Option<Duration>,
    context: &Val,
) -> PhpResult<Result<Stream, Failure>> {
    connect_by(vm, address, timeout, context, true)
}

/// Connects to an address. Without `waits` a TCP connection may still be under way afterwards.
fn connect_by(
    vm: &Vm,
    address: &[u8],
    timeout: Option<Duration>,
    context: &Val,
    waits: bool,
) -> PhpResult<Result<Stream, Failure>> {
    let Address { transport, method, rest } = match parse(address) {
        Ok(address) => address,
        Err(failure) => return Ok(Err(failure)),
    };
    let socket: Result<OwnedFd, Failure> = match transport {
        Transport::Unix => local_address(vm, rest)?
            .and_then(|address| UnixStream::connect_addr(&address))
            .map(Into::into)
            .map_err(Into::into),
        Transport::UnixDatagram => local_address(vm, rest)?
            .and_then(|address| {
                let socket = UnixDatagram::unbound()?;
                socket.connect_addr(&address).map(|()| socket.into())
            })
            .map_err(Into::into),
        Transport::Tcp | Transport::Udp | Transport::Generic => {
            let addresses = match resolved(vm, rest)? {
                Ok(addresses) => addresses,
                Err(failure) => return Ok(Err(failure)),
            };
            let bind = context::option(context, b"socket", b"bindto").and_then(Val::into_str);
            let mut last = failure("operation failed".to_owned());
            let mut made = None;
            for address in addresses {
                match connect_to(transport, address, timeout, bind.as_deref(), waits) {
                    Ok(socket) => {
                        made = Some(socket);
                        break;
                    }
                    Err(failure) => last = failure,
                }
            }
            made.ok_or(last)
        }
    };
    let stream = match socket {
        Ok(socket) => stream(vm, socket, transport),
        Err(failure) => return Ok(Err(failure)),
    };
    drop(stream.context.replace(context.clone()));
    stream.with(|source| {
        if let Some(socket) = source.as_socket() {
            socket.name = crypto::host_of(rest);
        }
    });
    match method {
        Some(method) => encrypt(vm, stream, method),
        None => Ok(Ok(stream)),
    }
}

/// Encrypts a connection that was just made.
fn encrypt(vm: &Vm, stream: Stream, method: i64) -> PhpResult<Result<Stream, Failure>> {
    let context = stream.context.borrow().clone();
    let chosen = context::option(&context, b"ssl", b"crypto_method").filter(|_| method == crypto::ANY_CLIENT);
    let method = match chosen {
        Some(chosen) => phlox_runtime::convert::to_int(vm, &chosen)? | 1,
        None => method,
    };
    if crypto::prepare(vm, &stream, method)? && crypto::enable(vm, &stream, true)? == Enabled::Yes {
        return Ok(Ok(stream));
    }
    crate::stream::open::warn(vm, b"Failed to enable crypto")?;
    Ok(Err(failure(String::new())))
}

fn stream_socket_enable_crypto(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = crate::handles::stream(call, 0)?;
    let on = call.bool(1);
    if on {
        let context = stream.context.borrow().clone();
        let chosen = || context::option(&context, b"ssl", b"crypto_method").and_then(|value| value.as_int());
        let Some(method) = call.opt_int(2).or_else(chosen) else {
            return Err(call.value_error(2, "must be specified when enabling encryption"));
        };
        if !crypto::prepare(call.vm, &stream, method)? {
            return Ok(Val::FALSE);
        }
    }
    Ok(match crypto::enable(call.vm, &stream, on)? {
        Enabled::Yes => Val::TRUE,
        Enabled::Later => Val::int(0),
        Enabled::No => Val::FALSE,
    })
}

fn connect_to(
    transport: Transport,
    address: SocketAddr,
    timeout: Option<Duration>,
    bind: Option<&[u8]>,
    waits: bool,
) -> Result<OwnedFd, Failure> {
    if transport == Transport::Udp {
        let any = if address.is_ipv6() { "[::]:0" } else { "0.0.0.0:0" };
        let socket = UdpSocket::bind(any)?;
        socket.connect(address)?;
        return Ok(socket.into());
    }
    let own = bind.and_then(|bind| host_and_port(bind).ok());
    if own.is_some() || !waits {
        let socket = new_socket(address)?;
        if let Some((host, port)) = own
            && let Some(own) = (host.as_str(), port).to_socket_addrs()?.next()
        {
            net::bind(&socket, &own)?;
        }
        // A socket that was connected without waiting stays in non-blocking mode until the script changes it.
        if !waits {
            rustix::io::ioctl_fionbio(&socket, true)?;
        }
        match net::connect(&socket, &address) {
            Err(rustix::io::Errno::INPROGRESS) if !waits => {}
            connected => connected?,
        }
        return Ok(socket);
    }
    let stream = match timeout.filter(|timeout| !timeout.is_zero()) {
        Some(timeout) => TcpStream::connect_timeout(&address, timeout)?,
        None => TcpStream::connect(address)?,
    };
    Ok(stream.into())
}

fn new_socket(address: SocketAddr) -> Result<OwnedFd, Failure> {
    let family = if address.is_ipv6() { net::AddressFamily::INET6 } else { net::AddressFamily::INET };
    Ok(net::socket_with(family, net::SocketType::STREAM, net::SocketFlags::CLOEXEC, None)?)
}

/// A stream of a socket, with the time-out that settings say.
fn stream(vm: &Vm, socket: OwnedFd, transport: Transport) -> Stream {
    let timeout = u64::try_from(vm.ini.get(&DEFAULT_SOCKET_TIMEOUT)).ok().map(Duration::from_secs);
    Stream::new(Box::new(SocketSource::new(socket, transport, timeout)), "r+")
}

/// Tells a failure through the by-reference parameters and as a warning.
fn refused(call: &Call<'_>, what: &[u8], failure: &Failure) -> PhpResult<Val> {
    if call.was_passed(1) {
        call.assign(1, Val::int(failure.code.into()))?;
    }
    if call.was_passed(2) {
        call.assign(2, Val::str(failure.message.as_bytes()))?;
    }
    let reason = if failure.message.is_empty() { "Unknown error" } else { &failure.message };
    let quoted = |byte: &u8| match byte {
        0 => vec![b'\\', b'0'],
        b'\'' | b'"' | b'\\' => vec![b'\\', *byte],
        other => vec![*other],
    };
    let what: Vec<u8> = what.iter().flat_map(quoted).collect();
    let text = [b"Unable to connect to ", &what[..], b" (", reason.as_bytes(), b")"].concat();
    call.raise(phlox_runtime::Level::Warning, &text)?;
    Ok(Val::FALSE)
}

fn seconds(call: &Call<'_>, index: usize) -> PhpResult<Option<Duration>> {
    let given = call.opt_double(index);
    if given.is_some_and(|seconds| !seconds.is_finite()) {
        return Err(call.value_error(index, "must be a finite value"));
    }
    let seconds = given.unwrap_or_else(|| call.vm.ini.get(&DEFAULT_SOCKET_TIMEOUT) as f64);
    Ok(Duration::try_from_secs_f64(seconds).ok())
}

fn clear_error(call: &Call<'_>, code: usize, message: usize) -> PhpResult<()> {
    if call.was_passed(code) {
        call.assign(code, Val::int(0))?;
    }
    if call.was_passed(message) {
        call.assign(message, Val::str(b""))?;
    }
    Ok(())
}

fn stream_socket_client(call: &mut Call<'_>) -> PhpResult<Val> {
    let address = call.str(0);
    let context = context::or_default(call.vm, &context::argument(call, 5)?);
    clear_error(call, 1, 2)?;
    let timeout = seconds(call, 3)?;
    const ASYNC_CONNECT: i64 = 2;
    let waits = call.int(4) & ASYNC_CONNECT == 0;
    match connect_by(call.vm, &address, timeout, &context, waits)? {
        Ok(mut stream) => {
            stream.uri = Some(address.to_vec());
            drop(stream.context.replace(context));
            Ok(resource(Rc::new(stream)).into())
        }
        Err(failure) => refused(call, &address, &failure),
    }
}

fn fsockopen(call: &mut Call<'_>) -> PhpResult<Val> {
    let (host, port) = (call.str(0), call.int(1));
    clear_error(call, 2, 3)?;
    let target = match port {
        1.. => [&host[..], b":", port.to_string().as_bytes()].concat(),
        _ => host.to_vec(),
    };
    let timeout = seconds(call, 4)?;
    match connect(call.vm, &target, timeout, &Val::NULL)? {
        Ok(mut stream) => {
            stream.uri = Some(target);
            Ok(resource(Rc::new(stream)).into())
        }
        Err(failure) => {
            if call.was_passed(2) {
                call.assign(2, Val::int(failure.code.into()))?;
            }
            if call.was_passed(3) {
                call.assign(3, Val::str(failure.message.as_bytes()))?;
            }
            let shown = format!("{}:{port}", phlox_runtime::shown(&host));
            let reason = if failure.message.is_empty() { "Unknown error" } else { &failure.message };
            call.warning(&format!("Unable to connect to {shown} ({reason})"))?;
            Ok(Val::FALSE)
        }
    }
}

/// A socket that listens (or, for datagrams, is bound).
fn serve(vm: &Vm, address: &[u8], listens: bool, context: &Val) -> PhpResult<Result<Stream, Failure>> {
    let Address { transport, method, rest } = match parse(address) {
        Ok(address) => address,
        Err(failure) => return Ok(Err(failure)),
    };
    let socket: Result<OwnedFd, Failure> = match transport {
        Transport::Unix => local_address(vm, rest)?
            .and_then(|address| UnixListener::bind_addr(&address))
            .map(Into::into)
            .map_err(Into::into),
        Transport::UnixDatagram => local_address(vm, rest)?
            .and_then(|address| UnixDatagram::bind_addr(&address))
            .map(Into::into)
            .map_err(Into::into),
        Transport::Udp => match resolved(vm, rest)? {
            Ok(addresses) => UdpSocket::bind(&addresses[..]).map(Into::into).map_err(Into::into),
            Err(failure) => return Ok(Err(failure)),
        },
        Transport::Tcp | Transport::Generic => match resolved(vm, rest)? {
            Ok(_) if !listens => return Ok(Err(failure("Unknown error".to_owned()))),
            Ok(addresses) => match listener(&addresses, context) {
                Ok(socket) => Ok(socket),
                Err(failure) => Err(failure),
            },
            Err(failure) => return Ok(Err(failure)),
        },
    };
    // PHP gives no error number here, and for paths no reason either.
    let socket = socket.map_err(|failure| match transport {
        Transport::Unix | Transport::UnixDatagram => Failure { code: 0, message: String::new() },
        _ => Failure { code: 0, ..failure },
    });
    Ok(socket.map(|socket| {
        let stream = stream(vm, socket, transport);
        stream.with(|source| {
            if let Some(socket) = source.as_socket() {
                socket.method = method;
            }
        });
        stream
    }))
}

fn listener(addresses: &[SocketAddr], context: &Val) -> Result<OwnedFd, Failure> {
    let wants = |name: &[u8]| context::option(context, b"socket", name);
    let flag = |name: &[u8]| wants(name).is_some_and(|value| phlox_runtime::convert::to_bool(&value));
    if !flag(b"so_reuseport") && wants(b"backlog").is_none() {
        return Ok(TcpListener::bind(addresses)?.into());
    }
    let backlog = wants(b"backlog").and_then(|value| value.as_int()).unwrap_or(32);
    let mut last = failure("operation failed".to_owned());
    for address in addresses {
        let attempt = || -> Result<OwnedFd, Failure> {
            let socket = new_socket(*address)?;
            net::sockopt::set_socket_reuseaddr(&socket, true)?;
            if flag(b"so_reuseport") {
                net::sockopt::set_socket_reuseport(&socket, true)?;
            }
            net::bind(&socket, address)?;
            net::listen(&socket, backlog as i32)?;
            Ok(socket)
        };
        match attempt() {
            Ok(socket) => return Ok(socket),
            Err(failure) => last = failure,
        }
    }
    Err(last)
}

fn stream_socket_server(call: &mut Call<'_>) -> PhpResult<Val> {
    let address = call.str(0);
    let context = context::or_default(call.vm, &context::argument(call, 4)?);
    clear_error(call, 1, 2)?;
    match serve(call.vm, &address, call.int(3) & SERVER_LISTEN != 0, &context)? {
        Ok(mut stream) => {
            stream.uri = Some(address.to_vec());
            drop(stream.context.replace(context));
            Ok(resource(Rc::new(stream)).into())
        }
        Err(failure) => refused(call, &address, &failure),
    }
}

/// The socket of a stream argument, as a file of its own.
fn socket_argument(call: &Call<'_>) -> PhpResult<(Rc<Stream>, std::fs::File)> {
    let given = call.arg(0);
    let stream = given.as_res().and_then(stream_of);
    let Some(stream) = stream else {
        if given.as_res().is_some() {
            let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
            let text = format!("{name}(): supplied resource is not a valid stream resource");
            return Err(call.vm.throw_type_error(text.as_bytes()));
        }
        let given = phlox_runtime::convert::value_name(&given);
        return Err(call.type_error(0, &format!("must be of type resource, {given} given")));
    };
    match stream.duplicate_file() {
        Some(file) => Ok((stream, file)),
        None => Err(call.vm.throw_type_error(b"supplied resource is not a socket")),
    }
}

fn is_socket(stream: &Stream) -> bool {
    stream.kind().contains("socket")
}

fn stream_socket_accept(call: &mut Call<'_>) -> PhpResult<Val> {
    let (stream, file) = socket_argument(call)?;
    let timeout = seconds(call, 1)?;
    call.vm.output.before_waiting();
    if call.was_passed(2) {
        call.assign(2, Val::NULL)?;
    }
    let accepted = if wait_for(&file, PollFlags::IN, timeout) {
        net::acceptfrom_with(&file, net::SocketFlags::CLOEXEC).map_err(|error| error_text(&error.into()))
    } else {
        Err("Connection timed out".to_owned())
    };
    match accepted {
        Ok((socket, peer)) => {
            if call.was_passed(2) {
                call.assign(2, peer.map_or(Val::NULL, |peer| Val::str(&shown(&peer))))?;
            }
            let transport = if stream.kind() == "unix_socket" { Transport::Unix } else { Transport::Tcp };
            let accepted = self::stream(call.vm, socket, transport);
            drop(accepted.context.replace(stream.context.borrow().clone()));
            let method = stream.with(|source| source.as_socket().and_then(|socket| socket.method)).flatten();
            let accepted = match method {
                // The server side uses the method without the client's bit.
                Some(method) => encrypt(call.vm, accepted, method & !1)?.ok(),
                None => Some(accepted),
            };
            match accepted {
                Some(accepted) => Ok(resource(Rc::new(accepted)).into()),
                None => {
                    call.warning("Accept failed: Cannot enable crypto")?;
                    Ok(Val::FALSE)
                }
            }
        }
        Err(reason) => {
            call.warning(&format!("Accept failed: {reason}"))?;
            Ok(Val::FALSE)
        }
    }
}

/// An address as text.
fn shown(address: &SocketAddrAny) -> Vec<u8> {
    if let Ok(address) = SocketAddr::try_from(address.clone()) {
        return address.to_string().into_bytes();
    }
    match net::SocketAddrUnix::try_from(address.clone()) {
        Ok(unix) => match (unix.abstract_name(), unix.path()) {
            (Some(name), _) if !name.is_empty() => [&[0], name].concat(),
            (_, path) => path
                .and_then(|path| Some(path.to_bytes().split(|&byte| byte == 0).next()?.to_vec()))
                .unwrap_or_default(),
        },
        Err(_) => Vec::new(),
    }
}

fn stream_socket_get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = handles::stream(call, 0)?;
    let Some(file) = stream.duplicate_file().filter(|_| is_socket(&stream)) else { return Ok(Val::FALSE) };
    let address = if call.bool(1) { net::getpeername(&file).ok().flatten() } else { net::getsockname(&file).ok() };
    // A local socket may have no name, and names that are no paths are not shown.
    let name = address.map(|address| shown(&address)).filter(|name| name.first().is_some_and(|&byte| byte != 0));
    Ok(name.map_or(Val::FALSE, |name| Val::str(&name)))
}

fn stream_socket_recvfrom(call: &mut Call<'_>) -> PhpResult<Val> {
    let (stream, file) = socket_argument(call)?;
    if call.was_passed(3) {
        call.assign(3, Val::NULL)?;
    }
    let Some(length) = usize::try_from(call.int(1)).ok().filter(|&length| length > 0) else {
        return Err(call.value_error(1, "must be greater than 0"));
    };
    let flags = call.int(2);
    if stream.buffered() > 0 {
        let data = stream.read(call.vm, length)?.unwrap_or_default();
        return Ok(Val::str(&data));
    }
    let mut how = RecvFlags::empty();
    how.set(RecvFlags::PEEK, flags & PEEK != 0);
    how.set(RecvFlags::OOB, flags & OUT_OF_BAND != 0);
    let mut data = vec![0; length.min(1 << 24)];
    match net::recvfrom(&file, &mut data[..], how) {
        Ok((count, _, from)) => {
            if call.was_passed(3) {
                let from = from.map(|from| shown(&from)).unwrap_or_default();
                call.assign(3, Val::str(&from))?;
            }
            Ok(Val::str(&data[..count]))
        }
        Err(_) => Ok(Val::FALSE),
    }
}

fn stream_socket_sendto(call: &mut Call<'_>) -> PhpResult<Val> {
    let (stream, file) = socket_argument(call)?;
    let (data, address) = (call.str(1), call.str(3));
    let mut how = SendFlags::NOSIGNAL;
    how.set(SendFlags::OOB, call.int(2) & OUT_OF_BAND != 0);
    let sent = if address.is_empty() {
        net::send(&file, &data, how)
    } else if stream.kind() == "udg_socket" {
        match net::SocketAddrUnix::new(&address[..]) {
            Ok(unix) => net::sendto(&file, &data, how, &unix),
            Err(error) => Err(error),
        }
    } else {
        let target = host_and_port(&address).ok();
        let found = target.and_then(|(host, port)| (host.as_str(), port).to_socket_addrs().ok()?.next());
        let Some(found) = found else {
            let address = phlox_runtime::shown(&address).into_owned();
            call.warning(&format!("Failed to parse `{address}' into a valid network address"))?;
            return Ok(Val::FALSE);
        };
        net::sendto(&file, &data, how, &found)
    };
    match sent {
        Ok(count) => Ok(Val::int(count as i64)),
        Err(error) => {
            call.warning(&format!("{}\n", error_text(&error.into())))?;
            Ok(Val::int(-1))
        }
    }
}

fn stream_socket_shutdown(call: &mut Call<'_>) -> PhpResult<Val> {
    let how = match call.int(1) {
        0 => Shutdown::Read,
        1 => Shutdown::Write,
        2 => Shutdown::Both,
        _ => return Err(call.value_error(1, "must be one of STREAM_SHUT_RD, STREAM_SHUT_WR, or STREAM_SHUT_RDWR")),
    };
    let (_, file) = socket_argument(call)?;
    Ok(net::shutdown(&file, how).is_ok().into())
}

/// A stream of one end of a pair.
pub fn generic(vm: &Vm, socket: OwnedFd) -> Stream {
    stream(vm, socket, Transport::Generic)
}

fn stream_socket_pair(call: &mut Call<'_>) -> PhpResult<Val> {
    let family = net::AddressFamily::from_raw(call.int(0) as u16);
    let kind = net::SocketType::from_raw(call.int(1) as u32);
    let protocol = u32::try_from(call.int(2)).ok().and_then(std::num::NonZeroU32::new).map(net::Protocol::from_raw);
    match net::socketpair(family, kind, net::SocketFlags::CLOEXEC, protocol) {
        Ok((one, other)) => {
            let streams = [one, other].map(|socket| Val::from(resource(Rc::new(generic(call.vm, socket)))));
            Ok(PhpArr::from_vec(streams.into()).into())
        }
        Err(error) => {
            let (number, text) = (error.raw_os_error(), error_text(&error.into()));
            call.warning(&format!("Failed to create sockets: [{number}]: {text}"))?;
            Ok(Val::FALSE)
        }
    }
}
