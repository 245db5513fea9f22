//! Encryption of sockets, which another extension provides: its interface, and how a socket uses it.

use super::Stream;
use super::open::warn;
use super::socket::{SocketSource, wait_for};
use phlox_runtime::{PhpArr, PhpResult, Val, Vm};
use rustix::event::PollFlags;
use std::cell::Cell;
use std::fs::File;
use std::time::{Duration, Instant};

/// The bit of `STREAM_CRYPTO_METHOD_*` that tells a client.
const CLIENT: i64 = 1;
/// All versions of TLS, as a client.
pub const ANY_CLIENT: i64 = 121;

/// How a connection is to be encrypted.
pub struct Setup {
    pub client: bool,
    /// The bits of the versions that are allowed.
    pub method: i64,
    pub context: Val,
    /// The host that the other side's certificate has to be for.
    pub name: Option<Vec<u8>>,
}

/// The outcome of an operation that does not wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The operation is done, with this number of bytes.
    Done(usize),
    WantsRead,
    WantsWrite,
    Closed,
    /// The operation failed, which was reported.
    Failed,
}

/// An encrypted connection. No method waits.
pub trait Session {
    fn handshake(&mut self, vm: &Vm) -> PhpResult<Step>;
    fn read(&mut self, vm: &Vm, buffer: &mut [u8]) -> PhpResult<Step>;
    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Step>;
    fn is_alive(&mut self) -> bool;
    /// Bytes that are there without asking the socket.
    fn pending(&self) -> usize;
    fn shut_down(&mut self);
    /// What `stream_get_meta_data` shows.
    fn meta(&self) -> PhpArr;
}

/// Prepares encryption; `None` if that failed, which was reported.
pub type Provider = fn(&Vm, File, &Setup) -> PhpResult<Option<Box<dyn Session>>>;

#[derive(Default)]
struct Provided(Cell<Option<Provider>>);

/// Registers the extension that provides encryption.
pub fn provide(vm: &Vm, provider: Provider) {
    vm.data::<Provided>("stream encryption").0.set(Some(provider));
}

/// The method of a transport that is encrypted.
pub fn method_of(name: &[u8]) -> Option<i64> {
    Some(match &name.to_ascii_lowercase()[..] {
        b"ssl" | b"tls" => ANY_CLIENT,
        b"tlsv1.0" => 1 << 3 | CLIENT,
        b"tlsv1.1" => 1 << 4 | CLIENT,
        b"tlsv1.2" => 1 << 5 | CLIENT,
        b"tlsv1.3" => 1 << 6 | CLIENT,
        _ => return None,
    })
}

/// The host of an address, without dots at its end.
pub fn host_of(address: &[u8]) -> Option<Vec<u8>> {
    let end = address.iter().rposition(|&byte| byte == b':').unwrap_or(address.len());
    let host = &address[..end];
    let dots = host.iter().rev().take_while(|&&byte| byte == b'.').count();
    Some(host[..host.len() - dots].to_vec()).filter(|host| !host.is_empty())
}

/// The outcome of turning encryption on or off, with the numbers of `stream_socket_enable_crypto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    Yes,
    /// Encryption is not set up yet, because the socket does not wait.
    Later,
    No,
}

/// Prepares a socket for encryption; false if that failed.
pub fn prepare(vm: &Vm, stream: &Stream, method: i64) -> PhpResult<bool> {
    let Some(provider) = vm.data::<Provided>("stream encryption").0.get() else { return Ok(false) };
    let context = stream.context.borrow().clone();
    let prepared = stream.with(|source| {
        let Some(socket) = source.as_socket() else { return Ok(false) };
        if socket.session.borrow().is_some() {
            if socket.is_blocking() {
                warn(vm, b"SSL/TLS already set-up for this stream")?;
            }
            return Ok(!socket.is_blocking());
        }
        let Ok(file) = socket.file.try_clone() else { return Ok(false) };
        let client = method & CLIENT != 0;
        let setup = Setup { client, method: method & !CLIENT, context, name: socket.name.clone() };
        let session = provider(vm, file, &setup)?;
        let made = session.is_some();
        *socket.session.borrow_mut() = session;
        Ok(made)
    });
    prepared.unwrap_or(Ok(false))
}

/// Turns encryption on or off.
pub fn enable(vm: &Vm, stream: &Stream, on: bool) -> PhpResult<Enabled> {
    stream
        .with(|source| source.as_socket().map_or(Ok(Enabled::No), |socket| switch(vm, socket, on)))
        .unwrap_or(Ok(Enabled::No))
}

fn switch(vm: &Vm, socket: &mut SocketSource, on: bool) -> PhpResult<Enabled> {
    let Some(mut session) = socket.session.borrow_mut().take() else { return Ok(Enabled::No) };
    let result = if on && !socket.encrypted {
        shake_hands(vm, socket, &mut *session)
    } else {
        if !on && socket.encrypted {
            session.shut_down();
            socket.encrypted = false;
        }
        Ok(Enabled::No)
    };
    *socket.session.borrow_mut() = Some(session);
    let result = result?;
    if result == Enabled::Yes {
        socket.encrypted = true;
    }
    Ok(result)
}

fn shake_hands(vm: &Vm, socket: &SocketSource, session: &mut dyn Session) -> PhpResult<Enabled> {
    let limit = socket.timeout().filter(|limit| !limit.is_zero());
    let started = Instant::now();
    loop {
        let flags = match session.handshake(vm)? {
            Step::Done(_) => return Ok(Enabled::Yes),
            Step::WantsRead => PollFlags::IN,
            Step::WantsWrite => PollFlags::OUT,
            Step::Closed | Step::Failed => return Ok(Enabled::No),
        };
        if !socket.is_blocking() {
            return Ok(Enabled::Later);
        }
        let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
        if left == Some(Duration::ZERO) || !wait_for(&socket.file, flags, left) {
            warn(vm, b"SSL: Handshake timed out")?;
            return Ok(Enabled::No);
        }
    }
}
