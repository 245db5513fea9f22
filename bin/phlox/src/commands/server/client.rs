//! The connection of a client.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a client may take for a request, and for taking a piece of the answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Each time this many bytes have passed, the client gets another second.
const SLOWEST: u64 = 1 << 10;

/// A client, who has to send its request in time: one that sends byte after byte would hold the server.
pub struct Client {
    connection: TcpStream,
    since: Instant,
    received: u64,
}

impl Client {
    /// A client whose time begins now.
    pub fn new(connection: TcpStream) -> Client {
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
