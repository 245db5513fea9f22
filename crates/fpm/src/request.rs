//! A request as PHP sees it.

use crate::log;
use crate::protocol::record::kind;
use crate::protocol::{Connection, Parameters};
use phlox_runtime::Request;
use std::cell::{Cell, RefCell};
use std::io;
use std::os::unix::ffi::OsStringExt;

/// A request that came over FastCGI.
pub struct FcgiRequest {
    connection: RefCell<Option<Connection>>,
    number: u16,
    keeps: Cell<bool>,
    parameters: RefCell<Parameters>,
    /// The client's address, for the access log.
    client: Option<String>,
    has_ended: Cell<bool>,
    /// Whether messages go to the client, too (`fastcgi.logging`).
    logs: Cell<bool>,
    /// Whether a message has gone to the client.
    has_logged: Cell<bool>,
    /// The file that holds the body, which some servers have already stored (the parameter `REQUEST_BODY_FILE`).
    body_file: RefCell<Option<Option<std::fs::File>>>,
    /// Bytes of the body that have come over the connection.
    body_read: Cell<u64>,
}

impl FcgiRequest {
    /// The request with this number and these parameters, whose body comes over the connection.
    pub fn new(
        connection: Connection,
        number: u16,
        keeps: bool,
        parameters: Parameters,
        client: Option<String>,
    ) -> FcgiRequest {
        FcgiRequest {
            connection: RefCell::new(Some(connection)),
            number,
            keeps: Cell::new(keeps),
            parameters: RefCell::new(parameters),
            client,
            has_ended: Cell::new(false),
            logs: Cell::new(true),
            has_logged: Cell::new(false),
            body_file: RefCell::new(None),
            body_read: Cell::new(0),
        }
    }

    /// A parameter that came with the request; not one of the process's environment.
    pub fn own_parameter(&self, name: &str) -> Option<Vec<u8>> {
        self.parameters.borrow().get(name.as_bytes()).map(<[u8]>::to_vec)
    }

    /// Changes a parameter; `None` removes it.
    pub fn set_parameter(&self, name: &str, value: Option<&[u8]>) {
        let mut parameters = self.parameters.borrow_mut();
        match value {
            Some(value) => parameters.set(name.as_bytes(), value),
            None => parameters.remove(name.as_bytes()),
        }
    }

    /// The address of the client that has connected; `None` for a Unix socket.
    pub fn client(&self) -> Option<&str> {
        self.client.as_deref()
    }

    /// Sets whether messages go to the client, too (`fastcgi.logging`).
    pub fn set_logging(&self, on: bool) {
        self.logs.set(on);
    }

    /// Does not keep the connection after this request.
    pub fn set_last(&self) {
        self.keeps.set(false);
    }

    /// Writes a message for the client's log.
    pub fn write_error(&self, message: &[u8]) {
        if !self.logs.get() || message.is_empty() || self.has_ended.get() {
            return;
        }
        let mut connection = self.connection.borrow_mut();
        let Some(connection) = connection.as_mut() else { return };
        // A client that has gone away is noticed when it is to get something.
        if self.has_logged.replace(true) {
            let _ = connection.write(self.number, kind::STDERR, b"; ");
        }
        let _ = connection.write(self.number, kind::STDERR, message);
    }

    /// Completes the answer, and gives the connection back if the client keeps it.
    pub fn conclude(&self) -> Option<Connection> {
        self.end();
        let connection = self.connection.take()?;
        if self.keeps.get() && !connection.is_broken {
            return self.pass_over_body(connection);
        }
        connection.close();
        None
    }

    /// The length that the body is said to have.
    pub fn content_length(&self) -> u64 {
        let text = self.own_parameter("CONTENT_LENGTH").unwrap_or_default();
        std::str::from_utf8(text.trim_ascii()).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// What the script has not read of the body precedes the next request.
    fn pass_over_body(&self, mut connection: Connection) -> Option<Connection> {
        let mut buffer = [0; 4096];
        let mut left = self.content_length().saturating_sub(self.body_read.get());
        while left > 0 {
            match connection.read_body(&mut buffer) {
                Ok(0) => break,
                Ok(count) => left = left.saturating_sub(count as u64),
                Err(_) => return None,
            }
        }
        Some(connection)
    }

    fn end(&self) -> bool {
        if self.has_ended.replace(true) {
            return false;
        }
        if let Some(connection) = self.connection.borrow_mut().as_mut() {
            // A client that has gone away needs no end.
            let _ = connection.end(self.number);
        }
        true
    }

    fn read_connection(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.connection.borrow_mut().as_mut() {
            Some(connection) => {
                let result = connection.read_body(buffer).inspect_err(|_| self.keeps.set(false));
                self.body_read.set(self.body_read.get() + *result.as_ref().unwrap_or(&0) as u64);
                result
            }
            None => Ok(0),
        }
    }
}

/// Whether a parameter is the client's header `Proxy`, which programs would take for the variable that names a proxy (CVE-2016-5385).
fn is_proxy(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"HTTP_PROXY")
}

impl Request for FcgiRequest {
    fn parameter(&self, name: &[u8]) -> Option<Vec<u8>> {
        let own = self.parameters.borrow().get(name).filter(|_| !is_proxy(name)).map(<[u8]>::to_vec);
        own.or_else(|| phlox_runtime::request::environment(name))
    }

    /// The process's environment, then what came with the request.
    fn parameters(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let parameters = self.parameters.borrow();
        let environment = std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec()));
        let mut all: Vec<_> = environment.filter(|(name, _)| parameters.get(name).is_none()).collect();
        all.extend(parameters.listed().filter(|(name, _)| !is_proxy(name)).cloned());
        all
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.body_file.borrow_mut();
        let file = file.get_or_insert_with(|| {
            let path = self.own_parameter("REQUEST_BODY_FILE").filter(|path| !path.is_empty())?;
            std::fs::File::open(std::ffi::OsString::from_vec(path)).ok()
        });
        match file {
            Some(file) => io::Read::read(file, buffer),
            None => self.read_connection(buffer),
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_ended.get() {
            return Ok(bytes.len());
        }
        match self.connection.borrow_mut().as_mut() {
            Some(connection) => connection.write(self.number, kind::STDOUT, bytes).map(|()| bytes.len()),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&self) -> io::Result<()> {
        if self.has_ended.get() {
            return Ok(());
        }
        match self.connection.borrow_mut().as_mut() {
            Some(connection) => connection.flush(self.number),
            None => Ok(()),
        }
    }

    /// The end of the answer follows at once, and is sent with it.
    fn flush_last(&self) -> io::Result<()> {
        Ok(())
    }

    fn finish(&self) -> bool {
        if !self.end() {
            return false;
        }
        // Without the connection's end many servers do not believe that the answer is complete.
        if !self.keeps.get() {
            if let Some(connection) = self.connection.take() {
                connection.close();
            }
        }
        true
    }

    fn log(&self, message: &[u8]) -> bool {
        log::write_php_message(message);
        true
    }
}
