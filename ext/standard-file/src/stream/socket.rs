//! Sockets as streams.

use super::plain::error_text;
use super::{Read, Source, StreamOption};
use phlox_runtime::{PhpResult, Vm};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{RecvFlags, SendFlags, recv, send};
use std::cell::Cell;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::time::Duration;

/// What a socket speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Tcp,
    Udp,
    Unix,
    UnixDatagram,
    /// Of a pair.
    Generic,
}

impl Transport {
    pub fn named(name: &[u8]) -> Option<Transport> {
        Some(match &name.to_ascii_lowercase()[..] {
            b"tcp" => Transport::Tcp,
            b"udp" => Transport::Udp,
            b"unix" => Transport::Unix,
            b"udg" => Transport::UnixDatagram,
            _ => return None,
        })
    }

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
}

impl SocketSource {
    pub fn new(socket: OwnedFd, transport: Transport, timeout: Option<Duration>) -> SocketSource {
        SocketSource { file: socket.into(), transport, timeout, blocking: true, timed_out: Cell::new(false) }
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
    fn read(&mut self, _vm: &Vm, size: usize) -> PhpResult<Read> {
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
                    let name = String::from_utf8_lossy(&name).into_owned();
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
        match recv(&self.file, &mut [0u8; 1][..], RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Ok((count, _)) => count > 0 || self.transport.is_datagram(),
            // A socket that listens has no other end.
            Err(error) => {
                matches!(error, Errno::AGAIN | Errno::MSGSIZE | Errno::INTR | Errno::NOTCONN | Errno::INVAL)
            }
        }
    }

    fn timed_out(&self) -> bool {
        self.timed_out.get()
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
