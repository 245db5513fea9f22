//! Requests as they come over the wire (RFC 9112).

use std::io::{self, Read, Write};

/// The longest head that is read.
const HEAD_MAX: usize = 64 << 10;
/// The longest body that is kept of requests that are no forms (`PUT`, ..), to which `post_max_size` does not apply.
const BODY_MAX: u64 = 1 << 28;

pub struct Head {
    pub method: String,
    pub uri: Vec<u8>,
    pub protocol: String,
    headers: Vec<(String, Vec<u8>)>,
}

pub struct Message {
    pub head: Head,
    /// The body; empty if it is longer than the limit.
    pub body: Vec<u8>,
    /// The body's length as it was sent.
    pub length: u64,
}

fn malformed() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

/// Where the last line of a head ends, and where the body begins. Lines may end without a carriage return, as for php.
fn head_end(bytes: &[u8]) -> Option<(usize, usize)> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at);
    for end in ends {
        let rest = &bytes[end + 1..];
        let blank = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        if blank > 0 {
            let line_end = if bytes[..end].ends_with(b"\r") { end - 1 } else { end };
            return Some((line_end, end + 1 + blank));
        }
    }
    None
}

impl Message {
    /// Reads a request, and its body if a form's has no more than `post_max` bytes. `None`: the client closes without one.
    pub fn read(connection: &mut (impl Read + Write), post_max: u64) -> io::Result<Option<Message>> {
        let mut bytes = Vec::new();
        let mut buffer = [0; 8192];
        let (end, body_start) = loop {
            if let Some(found) = head_end(&bytes) {
                break found;
            }
            let size = connection.read(&mut buffer)?;
            match size {
                0 if bytes.is_empty() => return Ok(None),
                0 => return Err(malformed()),
                _ if bytes.len() > HEAD_MAX => return Err(malformed()),
                _ => bytes.extend_from_slice(&buffer[..size]),
            }
        };
        let head = Head::parse(&bytes[..end]).ok_or_else(malformed)?;
        let mut rest = bytes.split_off(body_start);
        let body_max = if head.method == "POST" { post_max } else { BODY_MAX };
        if head.get("expect").is_some_and(|expected| expected.eq_ignore_ascii_case(b"100-continue")) && rest.is_empty()
        {
            connection.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        if head.get("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked")) {
            let (body, length) = read_chunks(&mut rest.chain(connection), body_max)?;
            return Ok(Some(Message { head, body, length }));
        }
        let length = match head.get("content-length") {
            Some(text) => {
                std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()).ok_or_else(malformed)?
            }
            None => 0u64,
        };
        let missing = length.saturating_sub(rest.len() as u64);
        if length > body_max {
            let skipped = io::copy(&mut connection.take(missing), &mut io::sink())?;
            return if skipped < missing {
                Err(malformed())
            } else {
                Ok(Some(Message { head, body: Vec::new(), length }))
            };
        }
        connection.take(missing).read_to_end(&mut rest)?;
        if (rest.len() as u64) < length {
            return Err(malformed());
        }
        rest.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(Some(Message { head, body: rest, length }))
    }
}

trait Chained {
    fn chain<R: Read>(&self, next: R) -> io::Chain<&[u8], R>;
}

impl Chained for Vec<u8> {
    fn chain<R: Read>(&self, next: R) -> io::Chain<&[u8], R> {
        Read::chain(&self[..], next)
    }
}

fn read_line(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < HEAD_MAX {
        source.read_exact(&mut byte)?;
        if byte[0] == b'\n' {
            return Ok(line.trim_ascii_end().to_vec());
        }
        line.push(byte[0]);
    }
    Err(malformed())
}

/// A body in chunks, or nothing of one that is too long, and its length.
fn read_chunks(source: &mut impl Read, body_max: u64) -> io::Result<(Vec<u8>, u64)> {
    let (mut body, mut length) = (Vec::new(), 0u64);
    loop {
        let line = read_line(source)?;
        let digits = line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        let digits = std::str::from_utf8(digits).map_err(|_| malformed())?;
        let size = u32::from_str_radix(digits, 16).map_err(|_| malformed())?;
        if size == 0 {
            // Trailers are passed over.
            while !read_line(source)?.is_empty() {}
            return Ok((body, length));
        }
        length = length.saturating_add(size.into());
        let mut chunk = source.by_ref().take(size.into());
        if length > body_max {
            body = Vec::new();
            io::copy(&mut chunk, &mut io::sink())?;
        } else {
            chunk.read_to_end(&mut body)?;
        }
        read_line(source)?;
    }
}

impl Head {
    fn parse(text: &[u8]) -> Option<Head> {
        let mut lines = text.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut words = lines.next()?.split(|&byte| byte == b' ');
        let method = String::from_utf8(words.next()?.to_vec()).ok()?;
        let uri = words.next()?.to_vec();
        let protocol = String::from_utf8(words.next()?.to_vec()).ok()?;
        let is_method = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
        if !is_method || !protocol.starts_with("HTTP/") || words.next().is_some() {
            return None;
        }
        let mut headers: Vec<(String, Vec<u8>)> = Vec::new();
        for line in lines {
            let colon = line.iter().position(|&byte| byte == b':')?;
            let name = String::from_utf8(line[..colon].to_vec()).ok()?;
            let value = line[colon + 1..].trim_ascii();
            // A repeated header becomes one list.
            match headers.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                Some((_, known)) => known.extend([b", ", value].concat()),
                None => headers.push((name, value.to_vec())),
            }
        }
        Some(Head { method, uri, protocol, headers })
    }

    /// Is the method one that a script may be asked for with?
    pub fn is_known_method(&self) -> bool {
        const METHODS: [&str; 26] = [
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "CONNECT",
            "TRACE",
            "COPY",
            "LOCK",
            "MKCOL",
            "MOVE",
            "MKCALENDAR",
            "PROPFIND",
            "PROPPATCH",
            "SEARCH",
            "UNLOCK",
            "REPORT",
            "MKACTIVITY",
            "CHECKOUT",
            "MERGE",
            "M-SEARCH",
            "NOTIFY",
            "SUBSCRIBE",
            "UNSUBSCRIBE",
        ];
        METHODS.contains(&self.method.as_str())
    }

    fn get(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &value[..])
    }

    /// The part of the URI in front of the query, without escapes.
    pub fn path(&self) -> Vec<u8> {
        // A proxy's client gives the whole URL.
        let uri = match self.uri.windows(3).position(|window| window == b"://").filter(|_| !self.uri.starts_with(b"/"))
        {
            Some(at) => {
                let rest = &self.uri[at + 3..];
                &rest[rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len())..]
            }
            None => &self.uri[..],
        };
        let end = uri.iter().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(uri.len());
        let digit = |at: usize| uri[..end].get(at).and_then(|&byte| (byte as char).to_digit(16));
        let mut path = Vec::new();
        let mut at = 0;
        while at < end {
            match (uri[at], digit(at + 1), digit(at + 2)) {
                (b'%', Some(high), Some(low)) => {
                    path.push((high << 4 | low) as u8);
                    at += 2;
                }
                (byte, ..) => path.push(byte),
            }
            at += 1;
        }
        path
    }

    /// The query string of the request's URI, without `?` and without a fragment; empty if there is none.
    pub fn query(&self) -> &[u8] {
        let start = self.uri.iter().position(|&byte| byte == b'?').map_or(self.uri.len(), |at| at + 1);
        let rest = &self.uri[start..];
        &rest[..rest.iter().position(|&byte| byte == b'#').unwrap_or(rest.len())]
    }

    /// The headers as they came, a line each.
    pub fn lines(&self) -> Vec<u8> {
        let lines = self.headers.iter().map(|(name, value)| [name.as_bytes(), b":", value].concat());
        lines.collect::<Vec<_>>().join(&b'\n')
    }

    /// The headers as CGI's variables.
    pub fn variables(&self) -> Vec<(String, &[u8])> {
        let mut variables = Vec::new();
        for (name, value) in &self.headers {
            let upper = name.to_ascii_uppercase().replace('-', "_");
            if upper == "CONTENT_TYPE" {
                variables.push((upper.clone(), &value[..]));
            }
            // Programs would take a variable with this name for a setting (httpoxy).
            if upper != "PROXY" && upper.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                variables.push((format!("HTTP_{upper}"), &value[..]));
            }
        }
        variables
    }
}

/// The status that an answer begins with.
pub fn status_of(start: &[u8]) -> Option<u16> {
    std::str::from_utf8(start.get(9..12)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<Option<Message>> {
        Message::read(&mut io::Cursor::new(text.as_bytes().to_vec()), 8)
    }

    #[test]
    fn requests() {
        let message =
            read("POST /a%20b/c?d=e#f HTTP/1.1\r\nHost: x\r\nA: 1\r\na: 2\r\nContent-Length: 3\r\n\r\nxyzrest");
        let message = message.expect("fine").expect("a request");
        assert_eq!(message.body, b"xyz");
        assert_eq!((message.head.path(), message.head.query()), (b"/a b/c".to_vec(), &b"d=e"[..]));
        assert_eq!(message.head.get("a"), Some(&b"1, 2"[..]));
        let chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\n\r\n";
        assert_eq!(read(chunked).expect("fine").expect("a request").body, b"abcde");
        let plain_lines = read("POST / HTTP/1.1\nContent-Length: 3\n\nxyz").expect("fine").expect("a request");
        assert_eq!((plain_lines.body, plain_lines.head.protocol.as_str()), (b"xyz".to_vec(), "HTTP/1.1"));
        assert!(read("").expect("closed").is_none());
        for long in [
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n123456789",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n5\r\nefghi\r\n0\r\n\r\n",
        ] {
            let message = read(long).expect("fine").expect("a request");
            assert_eq!((message.body.len(), message.length), (0, 9), "{long}");
        }
        for wrong in [
            "GET",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "get / HTTP/1.1\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nxy",
            "POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\nxy",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
