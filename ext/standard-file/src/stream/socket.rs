//! Sockets as streams.

use super::crypto::{Session, Step};
use super::plain::error_text;
use super::{Read, Source, StreamOption};
use phlox_runtime::{PhpArr, PhpResult, Vm};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// The protocol of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Tcp,
    Udp,
    Unix,
    UnixDatagram,
    /// One end of a socket pair.
    Generic,
}

impl Transport {
    /// The transport of a URL's scheme, in any case of letters.
    pub fn named(name: &[u8]) -> Option<Transport> {
        Some(match &name.to_ascii_lowercase()[..] {
            b"tcp" => Transport::Tcp,
            b"udp" => Transport::Udp,
            b"unix" => Transport::Unix,
            b"udg" => Transport::UnixDatagram,
            _ => return None,
        })
    }

    /// Whether each message is sent by itself.
    pub fn is_datagram(self) -> bool {
        matches!(self, Transport::Udp | Transport::UnixDatagram)
    }
}

/// A socket; the descriptor is kept as a file, which is what waiting and child processes take.
pub struct SocketSource {
    pub file: File,
    pub transport: Transport,
    /// How long a read waits; none: for ever.
    timeout: Option<Duration>,
    blocking: bool,
    timed_out: Cell<bool>,
    /// Encryption that is prepared.
    pub session: RefCell<Option<Box<dyn Session>>>,
    /// Is everything encrypted?
    pub encrypted: bool,
    /// The host of the address.
    pub name: Option<Vec<u8>>,
    /// The method that connections to a server are encrypted by from the start.
    pub method: Option<i64>,
}

impl SocketSource {
    /// A source that is this socket. `timeout` limits each wait; `None` waits for ever.
    pub fn new(socket: OwnedFd, transport: Transport, timeout: Option<Duration>) -> SocketSource {
        SocketSource {
            file: socket.into(),
            transport,
            timeout,
            blocking: true,
            timed_out: Cell::new(false),
            session: RefCell::new(None),
            encrypted: false,
            name: None,
            method: None,
        }
    }

    /// Whether reads and writes wait.
    pub fn is_blocking(&self) -> bool {
        self.blocking
    }

    /// How long reads and writes wait; `None` is without limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Repeats an operation of an encrypted connection until it is done, and waits if the socket is blocking. `None` if
    /// the time is over.
    fn repeat(&self, mut work: impl FnMut(&mut dyn Session) -> PhpResult<Step>) -> PhpResult<Option<Step>> {
        let Some(mut session) = self.session.borrow_mut().take() else { return Ok(Some(Step::Closed)) };
        let result = loop {
            let flags = match work(&mut *session) {
                Ok(Step::WantsRead) if self.blocking => PollFlags::IN,
                Ok(Step::WantsWrite) if self.blocking => PollFlags::OUT,
                other => break other.map(Some),
            };
            if !wait_for(&self.file, flags, self.timeout) {
                self.timed_out.set(true);
                break Ok(None);
            }
        };
        *self.session.borrow_mut() = Some(session);
        result
    }

    fn read_encrypted(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        let mut data = vec![0; size.min(1 << 16)];
        Ok(match self.repeat(|session| session.read(vm, &mut data))? {
            Some(Step::Done(count)) => {
                data.truncate(count);
                Read { data, eof: false, failed: false }
            }
            Some(Step::WantsRead | Step::WantsWrite) => Read::default(),
            Some(Step::Closed) => Read { eof: true, ..Read::default() },
            Some(Step::Failed) => Read { data: Vec::new(), eof: true, failed: true },
            None => Read { failed: true, ..Read::default() },
        })
    }

    fn write_encrypted(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        Ok(match self.repeat(|session| session.write(vm, data))? {
            Some(Step::Done(count)) => Some(count),
            Some(Step::Closed | Step::Failed) => None,
            _ => Some(0),
        })
    }

    /// Would a read find something, or the end, without waiting?
    pub fn is_ready(&self) -> bool {
        self.pending() > 0 || wait_for(&self.file, PollFlags::IN, Some(Duration::ZERO))
    }

    /// Waits until something can be read; false: the time is over.
    fn wait(&self) -> bool {
        let (Some(timeout), true) = (self.timeout, self.blocking) else { return true };
        let ready = wait_for(&self.file, PollFlags::IN, Some(timeout));
        self.timed_out.set(!ready);
        ready
    }
}

/// Waits until a descriptor is ready; false: the time is over.
pub fn wait_for(file: &File, flags: PollFlags, timeout: Option<Duration>) -> bool {
    let timeout = timeout.map(|timeout| rustix::event::Timespec {
        tv_sec: timeout.as_secs().min(i64::MAX as u64) as i64,
        tv_nsec: timeout.subsec_nanos().into(),
    });
    let mut fds = [PollFd::new(file, flags)];
    !matches!(poll(&mut fds, timeout.as_ref()), Ok(0))
}

impl Source for SocketSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        if self.encrypted {
            return self.read_encrypted(vm, size);
        }
        if !self.wait() {
            return Ok(Read { failed: true, ..Read::default() });
        }
        let mut data = vec![0; size.min(1 << 16)];
        match recv(&self.file, &mut data[..], RecvFlags::empty()) {
            Ok((count, _)) => {
                data.truncate(count);
                let eof = count == 0 && !self.transport.is_datagram();
                Ok(Read { data, eof, failed: false })
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(Read::default()),
            Err(_) => Ok(Read { data: Vec::new(), eof: true, failed: true }),
        }
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if self.encrypted {
            return self.write_encrypted(vm, data);
        }
        loop {
            match send(&self.file, data, SendFlags::NOSIGNAL) {
                Ok(count) => return Ok(Some(count)),
                Err(rustix::io::Errno::AGAIN) if !self.blocking => return Ok(Some(0)),
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {
                    if !wait_for(&self.file, PollFlags::OUT, self.timeout) {
                        self.timed_out.set(true);
                        return Ok(Some(0));
                    }
                }
                Err(error) => {
                    let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
                    let name = phlox_runtime::shown(&name).into_owned();
                    let (length, number) = (data.len(), error.raw_os_error());
                    let text = error_text(&error.into());
                    vm.notice(
                        format!("{name}(): Send of {length} bytes failed with errno={number} {text}").as_bytes(),
                    )?;
                    return Ok(None);
                }
            }
        }
    }

    fn set_option(&mut self, _vm: &Vm, option: StreamOption) -> PhpResult<Option<bool>> {
        Ok(match option {
            StreamOption::Blocking(on) => {
                self.blocking = on;
                Some(rustix::io::ioctl_fionbio(&self.file, !on).is_ok())
            }
            StreamOption::Timeout { seconds, microseconds } => {
                let length =
                    Duration::from_secs(seconds.max(0) as u64) + Duration::from_micros(microseconds.max(0) as u64);
                self.timeout = (seconds >= 0).then_some(length);
                self.timed_out.set(false);
                Some(true)
            }
            _ => None,
        })
    }

    fn is_alive(&self) -> bool {
        use rustix::io::Errno;
        if self.encrypted {
            return self.session.borrow_mut().as_mut().is_some_and(|session| session.is_alive());
        }
        match recv(&self.file, &mut [0u8; 1][..], RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Ok((count, _)) => count > 0 || self.transport.is_datagram(),
            // Peeking fails for a listening socket, which has no peer and is alive.
            Err(error) => {
                matches!(error, Errno::AGAIN | Errno::MSGSIZE | Errno::INTR | Errno::NOTCONN | Errno::INVAL)
            }
        }
    }

    fn timed_out(&self) -> bool {
        self.timed_out.get()
    }

    fn as_socket(&mut self) -> Option<&mut SocketSource> {
        Some(self)
    }

    fn pending(&self) -> usize {
        self.session.borrow().as_ref().filter(|_| self.encrypted).map_or(0, |session| session.pending())
    }

    fn encryption(&self) -> Option<PhpArr> {
        self.session.borrow().as_ref().filter(|_| self.encrypted).map(|session| session.meta())
    }

    fn close(&mut self, _vm: &Vm) -> PhpResult<()> {
        if let Some(mut session) = self.session.borrow_mut().take().filter(|_| self.encrypted) {
            session.shut_down();
        }
        Ok(())
    }

    fn file(&self) -> Option<&File> {
        Some(&self.file)
    }

    fn kind(&self) -> &'static str {
        match self.transport {
            Transport::Tcp => "tcp_socket/ssl",
            Transport::Udp => "udp_socket",
            Transport::Unix => "unix_socket",
            Transport::UnixDatagram => "udg_socket",
            Transport::Generic => "generic_socket",
        }
    }
}
