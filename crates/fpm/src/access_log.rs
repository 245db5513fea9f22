//! The access log: a line for each request, in the form that `access.format` gives.

use crate::application::Answered;
use crate::request::FcgiRequest;
use crate::scoreboard::{Board, Worker, epoch};
use crate::{notice, warning};
use phlox_process::format_time;
use std::fs::File;
use std::io::Write;

/// The most bytes of a line.
const LINE_MAX: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Processor {
    Total,
    User,
    System,
}

/// A part of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(u8),
    Processor(Processor),
    /// Seconds, or thousandths or millionths of them.
    Duration(u32),
    Variable(String),
    Script,
    Length,
    Method,
    /// So many bytes are the unit.
    Memory(u64),
    Pool,
    Header(String),
    Process,
    Parent,
    Query,
    QueryMark,
    Uri,
    Client,
    Status,
    /// The time when the request was accepted (true), or now; the format of `strftime`.
    Time(bool, String),
    User,
}

/// A format of lines.
#[derive(Clone, Debug)]
pub struct Format(Vec<Part>);

const TIME: &str = "%d/%b/%Y:%H:%M:%S %z";

impl Format {
    /// Reads a format; `None` if it is wrong, which the log says.
    pub fn read(text: &str) -> Option<Format> {
        let mut parts = Vec::new();
        let mut bytes = text.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                parts.push(Part::Text(byte));
                continue;
            }
            let mut modifier = String::new();
            let mut token = bytes.next();
            while token == Some(b'{') {
                let inside: Vec<u8> = bytes.by_ref().take_while(|&byte| byte != b'}').collect();
                modifier = String::from_utf8_lossy(&inside).into_owned();
                token = bytes.next();
                if token.is_none() {
                    warning!("missing closing embrace in the access.format");
                    return None;
                }
            }
            let Some(token) = token else { break };
            parts.push(part(token, modifier)?);
        }
        Some(Format(parts))
    }
}

/// The part that a token with a modifier stands for.
fn part(token: u8, modifier: String) -> Option<Part> {
    let word = modifier.to_ascii_lowercase();
    let shown = char::from(token);
    let part = match token {
        b'C' => match &word[..] {
            "" | "total" => Part::Processor(Processor::Total),
            "user" => Part::Processor(Processor::User),
            "system" => Part::Processor(Processor::System),
            _ => {
                warning!("only 'total', 'user' or 'system' are allowed as a modifier for %{shown} ('{modifier}')");
                return None;
            }
        },
        b'd' => match &word[..] {
            "" | "seconds" => Part::Duration(1),
            "milliseconds" | "milli" | "miliseconds" | "mili" => Part::Duration(1000),
            "microseconds" | "micro" => Part::Duration(1_000_000),
            _ => {
                warning!(
                    "only 'seconds', 'milli', 'milliseconds', 'micro' or 'microseconds' are allowed as a modifier for \
                     %{shown} ('{modifier}')"
                );
                return None;
            }
        },
        b'M' => match &word[..] {
            "" | "bytes" => Part::Memory(1),
            "kilobytes" | "kilo" => Part::Memory(1024),
            "megabytes" | "mega" => Part::Memory(1024 * 1024),
            _ => {
                warning!(
                    "only 'bytes', 'kilo', 'kilobytes', 'mega' or 'megabytes' are allowed as a modifier for %{shown} \
                     ('{modifier}')"
                );
                return None;
            }
        },
        b'e' if modifier.is_empty() => {
            warning!("the name of the environment variable must be set between embraces for %{shown}");
            return None;
        }
        b'e' => Part::Variable(modifier),
        b'o' if modifier.is_empty() => {
            warning!("the name of the header must be set between embraces for %{shown}");
            return None;
        }
        b'o' => Part::Header(modifier),
        b't' | b'T' => {
            let format = if modifier.is_empty() { TIME.to_owned() } else { modifier };
            Part::Time(token == b't', format)
        }
        _ => {
            let Some(part) = plain(token) else {
                warning!("Invalid token in the access.format (%{shown})");
                return None;
            };
            if !modifier.is_empty() {
                warning!("embrace is not allowed for modifier %{shown}");
                return None;
            }
            part
        }
    };
    Some(part)
}

fn plain(token: u8) -> Option<Part> {
    Some(match token {
        b'%' => Part::Text(b'%'),
        b'f' => Part::Script,
        b'l' => Part::Length,
        b'm' => Part::Method,
        b'n' => Part::Pool,
        b'p' => Part::Process,
        b'P' => Part::Parent,
        b'q' => Part::Query,
        b'Q' => Part::QueryMark,
        b'r' => Part::Uri,
        b'R' => Part::Client,
        b's' => Part::Status,
        b'u' => Part::User,
        _ => return None,
    })
}

/// A pool's access log.
pub struct AccessLog {
    format: Format,
    /// Requests for these paths are not logged if nothing is remarkable about them.
    suppressed: Vec<String>,
    file: File,
}

/// What a line tells of.
pub struct Entry<'a> {
    pub request: &'a FcgiRequest,
    pub worker: &'a Worker,
    pub board: &'a Board,
    pub answered: &'a Answered,
}

fn or_dash(text: &[u8]) -> &[u8] {
    if text.is_empty() { b"-" } else { text }
}

impl AccessLog {
    /// The log in this file.
    pub fn new(format: Format, suppressed: Vec<String>, file: File) -> AccessLog {
        AccessLog { format, suppressed, file }
    }

    /// Writes the line of a request.
    pub fn write(&mut self, entry: &Entry<'_>) {
        if self.is_suppressed(entry) {
            return;
        }
        let mut line = Vec::new();
        for part in &self.format.0 {
            add(&mut line, part, entry);
            if line.len() >= LINE_MAX {
                notice!("the log buffer is full ({LINE_MAX}). The access log request has been truncated.");
                line.truncate(LINE_MAX);
                break;
            }
        }
        if !line.is_empty() {
            line.push(b'\n');
            // There is nobody to tell that the log cannot be written.
            let _ = self.file.write_all(&line);
        }
    }

    fn is_suppressed(&self, entry: &Entry<'_>) -> bool {
        let worker = entry.worker;
        worker.query.is_empty()
            && matches!(&worker.method[..], b"GET" | b"HEAD")
            && (200..300).contains(&entry.answered.status)
            && worker.content_length == 0
            && self.suppressed.iter().any(|path| path.as_bytes() == worker.uri)
    }
}

fn add(line: &mut Vec<u8>, part: &Part, entry: &Entry<'_>) {
    let worker = entry.worker;
    let text = match part {
        Part::Text(byte) => {
            line.push(*byte);
            return;
        }
        Part::Processor(which) => {
            let time = match which {
                Processor::Total => worker.user_time + worker.system_time,
                Processor::User => worker.user_time,
                Processor::System => worker.system_time,
            };
            format!("{:.2}", worker.processor_share(time)).into_bytes()
        }
        Part::Duration(1_000_000) => worker.duration.to_string().into_bytes(),
        Part::Duration(parts) => format!("{:.3}", worker.duration as f64 / 1e6 * f64::from(*parts)).into_bytes(),
        Part::Variable(name) => entry.request.own_parameter(name).unwrap_or_else(|| b"-".to_vec()),
        Part::Script => or_dash(&worker.script).to_vec(),
        Part::Length => worker.content_length.to_string().into_bytes(),
        Part::Method => or_dash(&worker.method).to_vec(),
        Part::Memory(unit) => (worker.memory / unit).to_string().into_bytes(),
        Part::Pool => or_dash(entry.board.totals().pool.as_bytes()).to_vec(),
        Part::Header(name) => header(&entry.answered.headers, name),
        Part::Process => std::process::id().to_string().into_bytes(),
        Part::Parent => std::os::unix::process::parent_id().to_string().into_bytes(),
        Part::Query => worker.query.clone(),
        Part::QueryMark => if worker.query.is_empty() { &b""[..] } else { b"?" }.to_vec(),
        Part::Uri => worker.uri.clone(),
        Part::Client => entry.request.client().unwrap_or("-").as_bytes().to_vec(),
        Part::Status => entry.answered.status.to_string().into_bytes(),
        Part::Time(is_start, format) => {
            let time = if *is_start { worker.accepted_epoch } else { epoch() };
            format_time(format, time as i64).into_bytes()
        }
        Part::User => worker.user.clone(),
    };
    line.extend_from_slice(&text);
}

fn header(lines: &[Vec<u8>], name: &str) -> Vec<u8> {
    let value = |line: &Vec<u8>| line.strip_prefix(name.as_bytes())?.strip_prefix(b": ").map(<[u8]>::to_vec);
    lines.iter().find_map(value).filter(|value| !value.is_empty()).unwrap_or_else(|| b"-".to_vec())
}
