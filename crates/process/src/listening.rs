//! Listening sockets of servers whose workers are processes: taking over inherited ones, and stopping a worker between two requests.

use crate::last_error;
use std::mem::zeroed;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// The descriptors below this number that were taken over, one bit each.
const INHERITABLE: i32 = 4096;
static TAKEN_OVER: [AtomicU64; INHERITABLE as usize / 64] = [const { AtomicU64::new(0) }; INHERITABLE as usize / 64];

/// Takes over a listening socket that the program before `execve` has left open under this number; `None` if there is none. Each number
/// can be taken over once, and only before this program opens descriptors of its own beyond the standard ones and files that it closes
/// again.
pub fn inherited_listener(number: i32) -> Option<OwnedFd> {
    if !(3..INHERITABLE).contains(&number) || !is_listening(number) {
        return None;
    }
    let bit = 1u64 << (number % 64);
    if TAKEN_OVER[number as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
        return None;
    }
    // SAFETY: the descriptor is open, it is a listening socket, which this program has not made yet, and no second owner is made of the
    // same number (rule 10 of SAFETY.md).
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}

fn is_listening(number: i32) -> bool {
    let mut value: libc::c_int = 0;
    let mut size = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the call writes one number into this frame, and refuses descriptors that are no sockets (rule 3 of SAFETY.md).
    let done =
        unsafe { libc::getsockopt(number, libc::SOL_SOCKET, libc::SO_ACCEPTCONN, (&raw mut value).cast(), &mut size) };
    done == 0 && value != 0
}

/// How many connections wait at a listening TCP socket, and how many may; `None` for other sockets.
pub fn listening_queue(socket: BorrowedFd<'_>) -> Option<(u32, u32)> {
    // SAFETY: the structure is zeroed, lies in this frame, and is read only if the call has succeeded (rule 3 of SAFETY.md).
    unsafe {
        let mut info: libc::tcp_info = zeroed();
        let mut size = size_of::<libc::tcp_info>() as libc::socklen_t;
        let level = libc::IPPROTO_TCP;
        let done = libc::getsockopt(socket.as_raw_fd(), level, libc::TCP_INFO, (&raw mut info).cast(), &mut size) == 0;
        (done && info.tcpi_sacked != 0).then_some((info.tcpi_unacked, info.tcpi_sacked))
    }
}

static QUITTING: AtomicBool = AtomicBool::new(false);
/// The listening socket's number, and the number of a socket that listens to nothing; -1: there is none.
static SOCKET: AtomicI32 = AtomicI32::new(-1);
static SUBSTITUTE: AtomicI32 = AtomicI32::new(-1);
/// The thread that accepts connections.
static ACCEPTING: AtomicI32 = AtomicI32::new(0);

/// The listening socket of a worker which SIGQUIT stops between two requests: accepting fails from then on, also if it has begun.
pub struct QuitSocket {
    socket: OwnedFd,
    /// Kept open for the signal's handler.
    _substitute: OwnedFd,
}

impl QuitSocket {
    /// Makes this thread the one that accepts connections, and SIGQUIT the signal that ends that. `substitute` is a socket that is
    /// connected to nothing. The error is the system's number.
    pub fn new(socket: OwnedFd, substitute: OwnedFd) -> Result<QuitSocket, i32> {
        // SAFETY: the call has no arguments.
        ACCEPTING.store(unsafe { libc::gettid() }, Ordering::Relaxed);
        SUBSTITUTE.store(substitute.as_raw_fd(), Ordering::Relaxed);
        SOCKET.store(socket.as_raw_fd(), Ordering::Release);
        let this = QuitSocket { socket, _substitute: substitute };
        // SAFETY: the handler makes system calls only, which handlers may make (rule 2 of SAFETY.md); the structure is zeroed and lies
        // in this frame (rule 3).
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = quit as *const () as usize;
            action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
            if libc::sigaction(libc::SIGQUIT, &action, std::ptr::null_mut()) != 0 {
                return Err(last_error());
            }
        }
        Ok(this)
    }

    /// Whether the worker is to end.
    pub fn is_quitting() -> bool {
        QUITTING.load(Ordering::Acquire)
    }
}

impl AsFd for QuitSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for QuitSocket {
    fn drop(&mut self) {
        SOCKET.store(-1, Ordering::Release);
    }
}

/// The handler of SIGQUIT. Another thread passes the signal on, because only that of the thread which waits ends its waiting.
extern "C" fn quit(signal: libc::c_int) {
    let errno = last_error();
    QUITTING.store(true, Ordering::Release);
    let socket = SOCKET.load(Ordering::Acquire);
    // SAFETY: plain system calls with numbers; `dup2` gives the listening socket's number, which its owner keeps, to a socket that does
    // not listen (rule 10 of SAFETY.md).
    unsafe {
        if socket >= 0 {
            libc::dup2(SUBSTITUTE.load(Ordering::Relaxed), socket);
        }
        let accepting = ACCEPTING.load(Ordering::Relaxed);
        if libc::gettid() != accepting {
            libc::syscall(libc::SYS_tgkill, libc::getpid(), accepting, signal);
        }
        *libc::__errno_location() = errno;
    }
}
