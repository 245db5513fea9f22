//! What PHP is asked to answer: the parameters of a request, its body, and where the answer goes.

use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A request from outside, as the program that serves it hands it over. Of one request all three parts are used in turn, so
/// they share one connection.
pub trait Request {
    /// A parameter by name: a variable of CGI (RFC 3875), or one of the process's environment.
    fn parameter(&self, name: &[u8]) -> Option<Vec<u8>>;

    /// A parameter as `getenv()` shows it.
    fn shown(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.parameter(name)
    }

    /// All variables of the environment that scripts see, in their order: the process's, and the parameters that are shown.
    fn parameters(&self) -> Vec<(Vec<u8>, Vec<u8>)>;

    /// Reads the next bytes of the body; 0 at its end.
    ///
    /// # Errors
    /// If the connection breaks.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Writes bytes of the answer; gives how many.
    ///
    /// # Errors
    /// If the client has gone away.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;

    /// Sends what is written so far.
    ///
    /// # Errors
    /// If the client has gone away.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }

    /// Sends what the script has written, at its end: a server that completes the answer by itself may wait until then.
    ///
    /// # Errors
    /// If the client has gone away.
    fn flush_last(&self) -> io::Result<()> {
        self.flush()
    }

    /// Completes the answer while the script goes on (`fastcgi_finish_request`); false if that is not possible.
    fn finish(&self) -> bool {
        false
    }

    /// Passes a message on to the server's log; false if the server takes none.
    fn log(&self, message: &[u8]) -> bool {
        let _ = message;
        false
    }
}

/// The body of a request as a reader.
pub struct Body<'a>(pub &'a dyn Request);

impl Read for Body<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// The request that a process is started for: its environment, standard input and output. The command line's and CGI's.
#[derive(Default)]
pub struct ProcessRequest;

/// The parameter with this name in the process's environment.
pub fn environment(name: &[u8]) -> Option<Vec<u8>> {
    let name = std::ffi::OsStr::from_bytes(name);
    // The standard library does not accept other names.
    let valid = !name.is_empty() && !name.as_bytes().iter().any(|b| matches!(b, b'=' | 0));
    valid.then(|| std::env::var_os(name)).flatten().map(OsStringExt::into_vec)
}

impl Request for ProcessRequest {
    fn parameter(&self, name: &[u8]) -> Option<Vec<u8>> {
        environment(name)
    }

    fn parameters(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(buffer)
    }

    // The standard library's handle is not used because it reports success when a script has closed the descriptor.
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(rustix::stdio::stdout(), bytes)?)
    }
}
