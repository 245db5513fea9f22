//! A client's connection: reads requests and their bodies, collects what is answered.

use super::parameters::{Parameters, encode};
use super::record::{CONTENT_MAX, HEADER_BYTES, Header, KEEP_CONNECTION, SENT_MAX, kind, record};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown};
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const READ_BYTES: usize = 16 << 10;
/// So many bytes of an answer are collected before they are sent.
const COLLECTED: usize = 8 << 10;
/// For so long the rest of what a client sends is taken after the answer, so that the answer is not lost.
const LINGER: Duration = Duration::from_secs(2);

/// What has come over a connection.
#[derive(Debug)]
pub enum Arrival {
    /// A request, without its body.
    Request { number: u16, keeps: bool, parameters: Parameters },
    /// A question about the server, which is answered already.
    Question,
    /// Nothing more, or nothing that makes sense.
    End,
}

/// A connection.
pub struct Connection {
    socket: OwnedFd,
    input: Vec<u8>,
    /// How much of `input` has been used.
    used: usize,
    /// Bytes of the body and of padding that the current record still has.
    body: usize,
    padding: usize,
    /// Whether the record that ends the body has been read.
    is_body_over: bool,
    output: Vec<u8>,
    /// Where the record that is being collected begins in `output`, and its kind.
    open: Option<(usize, u8)>,
    /// Sending has failed: what follows is dropped.
    pub is_broken: bool,
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) }
}

impl Connection {
    /// A connection that has just been accepted.
    pub fn new(socket: OwnedFd) -> Connection {
        let (input, output) = (Vec::new(), Vec::with_capacity(COLLECTED + READ_BYTES));
        Connection {
            socket,
            input,
            used: 0,
            body: 0,
            padding: 0,
            is_body_over: false,
            output,
            open: None,
            is_broken: false,
        }
    }

    /// Waits until something can be read: false if nothing has come in this time, or a signal has.
    pub fn wait(&mut self, time: Duration) -> bool {
        // Most clients have sent their request by now, so that it is there without waiting.
        if self.used < self.input.len() || self.take_arrived() {
            return true;
        }
        let mut descriptors = [PollFd::new(&self.socket, PollFlags::IN)];
        matches!(poll(&mut descriptors, Some(&timespec(time))), Ok(1))
    }

    /// Fills the buffer, which is empty, with what has arrived, if anything has.
    fn take_arrived(&mut self) -> bool {
        self.input.resize(READ_BYTES, 0);
        self.used = 0;
        // An error comes again when somebody reads.
        let count = rustix::net::recv(&self.socket, &mut self.input[..], RecvFlags::DONTWAIT).map_or(0, |read| read.0);
        self.input.truncate(count);
        count > 0
    }

    /// Whether the client has sent its whole request and nothing else: the record that ends the body is the last one that came.
    fn has_sent_all(&self) -> bool {
        let rest = &self.input[self.used..];
        if self.is_body_over {
            return rest.is_empty();
        }
        let Some(Some(header)) = rest.first_chunk::<HEADER_BYTES>().map(|bytes| Header::decode(*bytes)) else {
            return false;
        };
        self.body == 0
            && self.padding == 0
            && header.kind == kind::STDIN
            && header.length == 0
            && rest.len() == HEADER_BYTES + header.padding
    }

    /// Fills the buffer, which is empty; false at the end of the connection.
    fn fill(&mut self) -> io::Result<bool> {
        self.input.resize(READ_BYTES, 0);
        self.used = 0;
        let count = loop {
            match rustix::io::read(&self.socket, &mut self.input[..]) {
                Err(Errno::INTR) => {}
                result => break result,
            }
        };
        self.input.truncate(*count.as_ref().unwrap_or(&0));
        Ok(count? > 0)
    }

    /// Up to so many bytes that have arrived or arrive next; none at the end of the connection.
    fn take(&mut self, most: usize) -> io::Result<&[u8]> {
        if self.used == self.input.len() && !self.fill()? {
            return Ok(&[]);
        }
        let start = self.used;
        self.used = self.input.len().min(start + most);
        Ok(&self.input[start..self.used])
    }

    /// Exactly so many bytes; `None` if the connection ends or breaks before.
    fn take_all(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(count);
        while bytes.len() < count {
            let part = self.take(count - bytes.len()).ok()?;
            if part.is_empty() {
                return None;
            }
            bytes.extend_from_slice(part);
        }
        Some(bytes)
    }

    fn header(&mut self) -> Option<Header> {
        let bytes = self.take_all(HEADER_BYTES)?;
        Header::decode(bytes.try_into().ok()?)
    }

    /// The content of a record, whose padding is passed over.
    fn content(&mut self, header: &Header) -> Option<Vec<u8>> {
        if header.length + header.padding > CONTENT_MAX {
            return None;
        }
        let mut bytes = self.take_all(header.length + header.padding)?;
        bytes.truncate(header.length);
        Some(bytes)
    }

    /// Reads the next request up to its body.
    pub fn next(&mut self) -> Arrival {
        self.output.clear();
        self.open = None;
        self.is_body_over = false;
        // What is left of the record before belongs to no request.
        let left = std::mem::take(&mut self.body) + std::mem::take(&mut self.padding);
        if self.take_all(left).is_none() {
            return Arrival::End;
        }
        self.read_request().unwrap_or(Arrival::End)
    }

    fn read_request(&mut self) -> Option<Arrival> {
        let mut header = self.header()?;
        // The body of the request before may end only now.
        while header.kind == kind::STDIN && header.length == 0 {
            header = self.header()?;
        }
        let content = match header.kind {
            kind::BEGIN_REQUEST if header.length == 8 => self.content(&header)?,
            kind::GET_VALUES => return self.answer_question(&header),
            _ => return None,
        };
        let role = match u16::from_be_bytes([content[0], content[1]]) {
            1 => "RESPONDER",
            2 => "AUTHORIZER",
            3 => "FILTER",
            _ => return None,
        };
        let mut parameters = Parameters::default();
        parameters.set(b"FCGI_ROLE", role.as_bytes());
        let mut next = self.header()?;
        while next.kind == kind::PARAMS && next.length > 0 {
            let content = self.content(&next)?;
            if !parameters.decode(&content) {
                return None;
            }
            next = self.header()?;
        }
        let keeps = content[2] & KEEP_CONNECTION != 0;
        Some(Arrival::Request { number: header.request, keeps, parameters })
    }

    /// Answers what a client wants to know of the server: it takes one request at a time.
    fn answer_question(&mut self, header: &Header) -> Option<Arrival> {
        let content = self.content(header)?;
        let mut names = Parameters::default();
        if !names.decode(&content) {
            return None;
        }
        let known = names.get(b"FCGI_MPXS_CONNS").is_some();
        let answer = if known { encode(b"FCGI_MPXS_CONNS", b"0") } else { Vec::new() };
        self.output.extend_from_slice(&record(kind::GET_VALUES_RESULT, 0, &answer));
        self.send().ok()?;
        Some(Arrival::Question)
    }

    /// Reads the next bytes of the request's body; 0 at its end. A client that sends something else, such as that it does not want the
    /// answer any more, or goes away, ends the body.
    ///
    /// # Errors
    /// If the connection breaks.
    pub fn read_body(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.body == 0 {
            let padding = std::mem::take(&mut self.padding);
            let next = if self.take_all(padding).is_some() { self.header() } else { None };
            let Some(header) = next.filter(|header| header.kind == kind::STDIN) else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            (self.body, self.padding) = (header.length, header.padding);
            if header.length == 0 {
                self.is_body_over = true;
                return Ok(0);
            }
        }
        let most = self.body.min(buffer.len());
        let part = self.take(most)?;
        let count = part.len();
        buffer[..count].copy_from_slice(part);
        self.body -= count;
        if count == 0 {
            self.body = 0;
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }

    /// Ends the record that is being collected.
    fn close_record(&mut self, request: u16) {
        let Some((start, kind)) = self.open.take() else { return };
        let header = Header::new(kind, request, self.output.len() - start - HEADER_BYTES);
        self.output[start..start + HEADER_BYTES].copy_from_slice(&header.encode());
        self.output.resize(self.output.len() + header.padding, 0);
    }

    /// Adds to the answer.
    ///
    /// # Errors
    /// If the client has gone away.
    pub fn write(&mut self, request: u16, kind: u8, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.open.is_some_and(|(_, open)| open != kind) {
                self.close_record(request);
            }
            let start = match self.open {
                Some((start, _)) => start,
                None => {
                    let start = self.output.len();
                    self.output.extend_from_slice(&[0; HEADER_BYTES]);
                    self.open = Some((start, kind));
                    start
                }
            };
            let room = SENT_MAX - (self.output.len() - start - HEADER_BYTES);
            let (now, later) = rest.split_at(rest.len().min(room));
            self.output.extend_from_slice(now);
            rest = later;
            if self.output.len() >= COLLECTED {
                self.flush(request)?;
            }
        }
        Ok(())
    }

    /// Sends what has been collected.
    ///
    /// # Errors
    /// If the client has gone away.
    pub fn flush(&mut self, request: u16) -> io::Result<()> {
        self.close_record(request);
        self.send()
    }

    /// Completes the answer.
    ///
    /// # Errors
    /// If the client has gone away.
    pub fn end(&mut self, request: u16) -> io::Result<()> {
        self.close_record(request);
        // The status of the program is 0, and so is that of the protocol: the request is complete.
        self.output.extend_from_slice(&record(kind::END_REQUEST, request, &[0; 8]));
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        if self.is_broken {
            self.output.clear();
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let mut sent = 0;
        while sent < self.output.len() {
            match rustix::io::write(&self.socket, &self.output[sent..]) {
                Ok(count) => sent += count,
                Err(Errno::INTR) => {}
                Err(error) => {
                    self.is_broken = true;
                    self.output.clear();
                    return Err(error.into());
                }
            }
        }
        self.output.clear();
        Ok(())
    }

    /// Closes the connection when the client has got everything: closing while there is something to read would discard what is under
    /// way to it.
    pub fn close(mut self) {
        if self.has_sent_all() || shutdown(&self.socket, Shutdown::Write).is_err() {
            return;
        }
        let end = Instant::now() + LINGER;
        loop {
            self.used = self.input.len();
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.wait(left) || !self.fill().unwrap_or(false) {
                return;
            }
        }
    }
}
