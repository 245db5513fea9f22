//! A request to this server, as the engine sees it.

use super::client::Client;
use super::http;
use phlox_engine::Request;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;

/// A request to this server.
pub struct Served {
    parameters: Vec<(Vec<u8>, Vec<u8>)>,
    body: Vec<u8>,
    /// How many bytes of the body have been read.
    read: Cell<usize>,
    client: RefCell<Client>,
    /// The first bytes of the answer, which have its status.
    start: RefCell<Vec<u8>>,
}

impl Served {
    /// A request with these variables of CGI and this body.
    pub fn new(parameters: Vec<(Vec<u8>, Vec<u8>)>, body: Vec<u8>, client: Client) -> Served {
        Served { parameters, body, read: Cell::new(0), client: RefCell::new(client), start: RefCell::default() }
    }

    /// Ends the request; gives the status of its answer.
    pub fn end(&self) -> u16 {
        if self.start.borrow().is_empty() {
            // The client may have gone away.
            let failure = b"HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\n";
            let _ = self.client.borrow_mut().write_all(failure);
        }
        http::status_of(&self.start.borrow()).unwrap_or(500)
    }
}

impl Request for Served {
    fn parameter(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn shown(&self, _name: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn parameters(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.body[self.read.get()..];
        let size = rest.len().min(buffer.len());
        buffer[..size].copy_from_slice(&rest[..size]);
        self.read.set(self.read.get() + size);
        Ok(size)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut start = self.start.borrow_mut();
        if start.len() < 64 {
            start.extend_from_slice(&bytes[..bytes.len().min(64)]);
        }
        self.client.borrow_mut().write(bytes)
    }
}
