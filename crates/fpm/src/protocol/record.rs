//! Records, the units of the protocol: a header of eight bytes, the content, and padding.

/// The protocol's version.
pub const VERSION: u8 = 1;
/// Bytes of a header.
pub const HEADER_BYTES: usize = 8;
/// The most bytes of a record's content and padding together that a request may begin with.
pub const CONTENT_MAX: usize = 0xffff;
/// The most bytes of content that a record is sent with: they need no padding.
pub const SENT_MAX: usize = 0xfff8;
/// The flag by which a client keeps the connection.
pub const KEEP_CONNECTION: u8 = 1;

/// What a record holds.
pub mod kind {
    pub const BEGIN_REQUEST: u8 = 1;
    pub const ABORT_REQUEST: u8 = 2;
    pub const END_REQUEST: u8 = 3;
    pub const PARAMS: u8 = 4;
    pub const STDIN: u8 = 5;
    pub const STDOUT: u8 = 6;
    pub const STDERR: u8 = 7;
    pub const GET_VALUES: u8 = 9;
    pub const GET_VALUES_RESULT: u8 = 10;
}

/// What precedes the content of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: u8,
    /// The request's number.
    pub request: u16,
    pub length: usize,
    pub padding: usize,
}

impl Header {
    /// The header in these bytes; `None` if the version is none that exists.
    pub fn decode(bytes: [u8; HEADER_BYTES]) -> Option<Header> {
        let [version, kind, id_high, id_low, length_high, length_low, padding, _] = bytes;
        (version >= VERSION).then(|| Header {
            kind,
            request: u16::from_be_bytes([id_high, id_low]),
            length: usize::from(u16::from_be_bytes([length_high, length_low])),
            padding: usize::from(padding),
        })
    }

    /// The header of a record with this content, which is padded to a multiple of eight bytes.
    pub fn new(kind: u8, request: u16, length: usize) -> Header {
        Header { kind, request, length, padding: length.next_multiple_of(8) - length }
    }

    /// The header's bytes.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let [id_high, id_low] = self.request.to_be_bytes();
        let [length_high, length_low] = (self.length as u16).to_be_bytes();
        [VERSION, self.kind, id_high, id_low, length_high, length_low, self.padding as u8, 0]
    }
}

/// A whole record.
pub fn record(kind: u8, request: u16, content: &[u8]) -> Vec<u8> {
    let header = Header::new(kind, request, content.len());
    let mut record = [&header.encode()[..], content].concat();
    record.resize(record.len() + header.padding, 0);
    record
}
