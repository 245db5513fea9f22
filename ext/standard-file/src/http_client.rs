//! `http://` as a stream: the request by the context's options, the answer's headers, redirections.

use crate::base64;
use crate::context;
use crate::sockets;
use crate::stream::filter;
use crate::stream::open::{NativeWrapper, Options};
use crate::stream::{Read, Source, Stream, StreamOption};
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::{Call, FnDef, Level, PhpArr, PhpResult, PhpStr, Val, View, Vm, convert};
use std::cell::RefCell;
use std::time::Duration;

/// The header `From`, an e-mail address, unless the stream's context names another one.
pub static FROM: IniString = IniString::unset("from", IniAccess::All);

/// The header `User-Agent`, unless the stream's context names another one.
pub static USER_AGENT: IniString = IniString::unset("user_agent", IniAccess::All);

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("http_get_last_response_headers(): ?array", http_get_last_response_headers),
    FnDef::new("http_clear_last_response_headers(): void", http_clear_last_response_headers),
];

pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "http", is_url: true, open, stat: None, list: None, change: None };

/// The wrapper of `https`, which the extension that can encrypt registers.
pub const SECURE_WRAPPER: NativeWrapper =
    NativeWrapper { name: "http", is_url: true, open, stat: None, list: None, change: None };

const AUTH_REQUIRED: i64 = 3;
const MIME_TYPE_IS: i64 = 4;
const FILE_SIZE_IS: i64 = 5;
const REDIRECTED: i64 = 6;
const PROGRESS: i64 = 7;
const COMPLETED: i64 = 8;
const FAILURE: i64 = 9;
const AUTH_RESULT: i64 = 10;
/// Bytes that are kept of the status line.
const STATUS_MAX: usize = 126;
const CONNECTED: i64 = 2;

/// A header's line is cut here; a redirection's target may not be longer than its limit.
const LINE_MAX: usize = 1 << 16;
/// Most bytes of all headers of a response, as a limit for servers that never end them.
const HEAD_MAX: usize = 1 << 20;
const LOCATION_MAX: usize = 8182;
const REDIRECTS: i64 = 20;

/// The parts of a URL that a request is made of.
struct Target {
    secure: bool,
    user: Option<Vec<u8>>,
    host: Vec<u8>,
    port: u16,
    path: Vec<u8>,
}

impl Target {
    /// The port with a colon in front, if it has to be said.
    fn unusual_port(&self) -> String {
        let usual = if self.secure { 443 } else { 80 };
        if self.port == usual { String::new() } else { format!(":{}", self.port) }
    }

    fn is_same_server(&self, other: &Target) -> bool {
        self.secure == other.secure && self.port == other.port && self.host.eq_ignore_ascii_case(&other.host)
    }
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    text.iter().position(|&other| other == byte)
}

fn target_of(url: &[u8]) -> Option<Target> {
    let start = |scheme: &[u8]| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let secure = start(b"https://");
    let rest = if secure { &url[8..] } else { url.get(7..).filter(|_| start(b"http://"))? };
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = &path[..find(path, b'#').unwrap_or(path.len())];
    let (user, host) = match authority.iter().rposition(|&byte| byte == b'@') {
        Some(at) => (Some(authority[..at].to_vec()), &authority[at + 1..]),
        None => (None, authority),
    };
    let colon = host.iter().rposition(|&byte| byte == b':').filter(|_| host.last() != Some(&b']'));
    let (host, port) = match colon {
        Some(at) => (&host[..at], std::str::from_utf8(&host[at + 1..]).ok()?.parse().ok()?),
        None => (host, if secure { 443 } else { 80 }),
    };
    if host.is_empty() || url.iter().any(|&byte| byte <= b' ') {
        return None;
    }
    let path = if path.first() == Some(&b'/') { path.to_vec() } else { [b"/", path].concat() };
    Some(Target { secure, user, host: host.to_vec(), port, path })
}

fn option(context: &Val, name: &[u8]) -> Option<Val> {
    context::option(context, b"http", name).filter(|value| !value.is_null())
}

fn text_option(vm: &Vm, context: &Val, name: &[u8]) -> PhpResult<Option<PhpStr>> {
    option(context, name).map(|value| convert::to_str(vm, &value)).transpose()
}

fn flag(context: &Val, name: &[u8], default: bool) -> bool {
    option(context, name).map_or(default, |value| convert::to_bool(&value))
}

/// The caller's header lines.
fn user_headers(vm: &Vm, context: &Val) -> PhpResult<Vec<Vec<u8>>> {
    let given = option(context, b"header").unwrap_or(Val::NULL);
    let text = match given.view() {
        View::Arr(lines) => {
            let lines = lines.values().map(|line| Ok(convert::to_str(vm, &line.deref())?.to_vec()));
            lines.collect::<PhpResult<Vec<Vec<u8>>>>()?.join(&b"\r\n"[..])
        }
        View::Str(text) => text.to_vec(),
        _ => Vec::new(),
    };
    // Line ends are kept unchanged: a lone newline inside a value must not become the end of a header.
    let mut lines: Vec<Vec<u8>> =
        text.trim_ascii().split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if let Some(last) = lines.last_mut() {
        last.extend_from_slice(b"\r\n");
    }
    Ok(lines)
}

/// How redirections have changed the request.
#[derive(Default, Clone, Copy)]
struct Redirected {
    /// The request is made without the method and content of the first one.
    anew: bool,
    /// A redirection has led to another server, which must not see the credentials for the first one.
    elsewhere: bool,
}

impl Redirected {
    /// Whether a header line of the caller's is sent all the same.
    fn keeps(self, line: &[u8]) -> bool {
        let name = line[..find(line, b':').unwrap_or(line.len())].trim_ascii();
        let is_one_of = |names: &[&[u8]]| names.iter().any(|other| name.eq_ignore_ascii_case(other));
        !(self.anew && is_one_of(&[b"content-length", b"content-type"])
            || self.elsewhere && is_one_of(&[b"authorization", b"cookie", b"proxy-authorization"]))
    }
}

/// The text of a request.
fn request(vm: &Vm, target: &Target, uri: &[u8], context: &Val, redirected: Redirected) -> PhpResult<Vec<u8>> {
    let anew = redirected.anew;
    let method = text_option(vm, context, b"method")?.filter(|method| !method.is_empty());
    let mut method = method.map_or_else(|| b"GET".to_vec(), |method| method.to_vec());
    if anew && !matches!(&method[..], b"GET" | b"HEAD") {
        method = b"GET".to_vec();
    }
    let version = match option(context, b"protocol_version") {
        Some(version) => format!("{:.1}", convert::to_double(vm, &version)?),
        None => "1.1".to_owned(),
    };
    let mut lines = user_headers(vm, context)?;
    lines.retain(|line| redirected.keeps(line));
    let given = |name: &str| {
        lines.iter().any(|line| {
            line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
                && line.get(name.len()) == Some(&b':')
        })
    };
    let mut out = [&method[..], b" ", uri, b" HTTP/", version.as_bytes(), b"\r\n"].concat();
    if let Some(user) = target.user.as_ref().filter(|_| !given("authorization")) {
        let token = base64::encode(user);
        context::notify(vm, context, AUTH_REQUIRED, b"", 0, 0)?;
        out.extend([&b"Authorization: Basic "[..], &token, b"\r\n"].concat());
    }
    let from = vm.ini.get(&FROM);
    if !from.is_empty() && !given("from") {
        out.extend([&b"From: "[..], &from, b"\r\n"].concat());
    }
    if !given("host") {
        out.extend([&b"Host: "[..], &target.host, target.unusual_port().as_bytes(), b"\r\n"].concat());
    }
    if !given("connection") {
        out.extend_from_slice(b"Connection: close\r\n");
    }
    let agent = text_option(vm, context, b"user_agent")?.unwrap_or_else(|| vm.ini.get(&USER_AGENT));
    if !agent.is_empty() && !given("user-agent") {
        out.extend([&b"User-Agent: "[..], &agent, b"\r\n"].concat());
    }
    let content = text_option(vm, context, b"content")?.filter(|content| !content.is_empty() && !anew);
    if let Some(content) = content.as_ref().filter(|_| !given("content-length")) {
        out.extend_from_slice(format!("Content-Length: {}\r\n", content.len()).as_bytes());
    }
    for line in &lines {
        out.extend_from_slice(line);
    }
    if content.is_some() {
        if !given("content-type") {
            let name = crate::stream::open::operation(vm);
            let text = b"(): Content-type not specified assuming application/x-www-form-urlencoded";
            vm.raise(Level::Notice, &[&name[..], text].concat())?;
            out.extend_from_slice(b"Content-Type: application/x-www-form-urlencoded\r\n");
        }
    }
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(content.as_deref().unwrap_or_default());
    Ok(out)
}

/// The part of a response that was read.
#[derive(Default)]
struct Answer {
    headers: Vec<Vec<u8>>,
    status: u32,
    location: Option<Vec<u8>>,
    chunked: bool,
    size: i64,
}

/// Reads the status and the headers; an error says why they are malformed.
fn read_answer(vm: &Vm, stream: &Stream, context: &Val, answer: &mut Answer) -> PhpResult<Result<(), String>> {
    let mut left = HEAD_MAX;
    let mut line = |vm: &Vm| -> PhpResult<Option<Vec<u8>>> {
        if left == 0 {
            return Ok(None);
        }
        let line = stream.line(vm, Some(LINE_MAX.min(left)))?;
        left -= line.as_ref().map_or(0, Vec::len).min(left);
        Ok(line)
    };
    loop {
        let Some(status) = line(vm)? else { return Ok(Err("HTTP request failed!".into())) };
        let mut status = status.strip_suffix(b"\n").unwrap_or(&status).to_vec();
        status.truncate(STATUS_MAX);
        if status.ends_with(b"\r") {
            status.pop();
        }
        let raw = status.clone();
        let number =
            status.split(|&byte| byte == b' ').nth(1).and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
        answer.status = number.unwrap_or(0);
        if !(100..200).contains(&answer.status) || answer.status == 101 {
            if !(200..400).contains(&answer.status) {
                let code = if answer.status == 403 { AUTH_RESULT } else { FAILURE };
                context::notify_failure(vm, context, code, &[&raw[..], b"\r\n"].concat(), answer.status.into())?;
            }
            answer.headers.push(status);
            break;
        }
        // An interim response (1xx): another response follows its empty line.
        while line(vm)?.is_some_and(|header| !header.trim_ascii().is_empty()) {}
    }
    let mut ahead = line(vm)?;
    while let Some(raw) = ahead {
        if raw.trim_ascii().is_empty() && !raw.starts_with(b"\r\r") {
            break;
        }
        let mut header = raw.trim_ascii_end().to_vec();
        ahead = line(vm)?;
        // The incomplete line at the end of the connection is no header.
        if ahead.is_none() {
            break;
        }
        // A line that begins with a blank goes on with the one before.
        while let Some(more) = ahead.as_ref().filter(|more| matches!(more.first(), Some(b' ' | b'\t'))) {
            if !more.trim_ascii().is_empty() {
                header.push(b' ');
                header.extend_from_slice(more.trim_ascii());
            }
            ahead = line(vm)?;
        }
        match header.first() {
            Some(b'\r') => return Ok(Err("HTTP invalid header name (cannot start with CR character)!".into())),
            Some(b' ' | b'\t') => return Ok(Err("HTTP invalid response format (folding header at the start)!".into())),
            _ => {}
        }
        let Some(colon) = find(&header, b':') else {
            return Ok(Err("HTTP invalid response format (no colon in header line)!".into()));
        };
        let name = header[..colon].to_ascii_lowercase();
        if name.iter().any(|byte| matches!(byte, b' ' | b'\t')) {
            return Ok(Err("HTTP invalid response format (space in header name)!".into()));
        }
        let value = header[colon + 1..].trim_ascii().to_vec();
        if name == b"location" && value.len() > LOCATION_MAX {
            return Ok(Err(format!("HTTP Location header size is over the limit of {LOCATION_MAX} bytes")));
        }
        if name == b"transfer-encoding" && value.eq_ignore_ascii_case(b"chunked") {
            // The encoding is undone below, so the header is not shown to the script.
            answer.chunked = true;
            continue;
        }
        answer.headers.push(header);
        match &name[..] {
            b"location" => answer.location = Some(value),
            b"content-type" => context::notify(vm, context, MIME_TYPE_IS, &value, 0, 0)?,
            b"content-length" => {
                let size = std::str::from_utf8(&value).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
                answer.size = size;
                context::notify(vm, context, FILE_SIZE_IS, &answer.headers[answer.headers.len() - 1], 0, size)?;
            }
            _ => {}
        }
    }
    if left == 0 {
        return Ok(Err(format!("HTTP response headers are over the limit of {HEAD_MAX} bytes")));
    }
    Ok(Ok(()))
}

/// The headers of the last answer.
#[derive(Default)]
struct LastHeaders(RefCell<Option<PhpArr>>);

fn http_get_last_response_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let last = call.vm.data::<LastHeaders>("http client").0.borrow().clone();
    Ok(last.map_or(Val::NULL, Val::from))
}

fn http_clear_last_response_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.data::<LastHeaders>("http client").0.take();
    Ok(Val::NULL)
}

/// The headers, for `$http_response_header` in the calling function.
fn publish(vm: &Vm, headers: &[Vec<u8>]) -> PhpArr {
    let list: PhpArr = headers.iter().map(|header| Val::str(header)).collect();
    *vm.data::<LastHeaders>("http client").0.borrow_mut() = Some(list.clone());
    if let Some(frame) = vm.user_frame() {
        let name = PhpStr::from("http_response_header");
        let locals = &frame.func.code().locals;
        let local = locals.iter().position(|local| local.is_some_and(|local| *frame.func.unit.str(local) == name));
        match local.filter(|&index| index < frame.local_count()) {
            Some(index) => frame.local(index).set((&list).into()),
            None => frame.symbols.get_or_init(Default::default).slot(&name).set((&list).into()),
        }
    }
    list
}

/// The URL of a redirection, which may be relative to the redirecting URL. Its user and password are left out.
fn redirected_to(target: &Target, location: &[u8]) -> Vec<u8> {
    let starts_with =
        |scheme: &&[u8]| location.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    if location.len() >= 8 && [&b"http://"[..], b"https://", b"ftp://", b"ftps://"].iter().any(starts_with) {
        return location.to_vec();
    }
    let scheme: &[u8] = if target.secure { b"https://" } else { b"http://" };
    let port = target.unusual_port();
    let path = &target.path[..find(&target.path, b'?').unwrap_or(target.path.len())];
    let folder = &path[..path.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1)];
    // PHP adds a slash although the folder ends with one, and treats a name of one byte as empty.
    let (folder, slash): (&[u8], &[u8]) = match location {
        [b'/', ..] => (b"", b""),
        [] | [_] => (b"", b"/"),
        _ if folder == b"/" => (folder, b""),
        _ => (folder, b"/"),
    };
    [scheme, &target.host, port.as_bytes(), folder, slash, location].concat()
}

fn open(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Result<Stream, String>> {
    // PHP does not check for `c`, so `touch` opens the URL for reading.
    if mode.contains(['a', 'w', '+', 'x']) {
        return Ok(Err("HTTP wrapper does not support writeable connections".into()));
    }
    let context = context::or_default(vm, &options.context);
    let most = match option(&context, b"max_redirects") {
        Some(most) => convert::to_int(vm, &most)?,
        None => REDIRECTS,
    };
    let follows = option(&context, b"follow_location").map(|follows| convert::to_bool(&follows));
    let timeout = match option(&context, b"timeout") {
        Some(seconds) => convert::to_double(vm, &seconds)?,
        None => vm.ini.get(&sockets::DEFAULT_SOCKET_TIMEOUT) as f64,
    };
    const LONGEST: u64 = u64::MAX / 1_000_000;
    if timeout > LONGEST as f64 {
        return Ok(Err(format!("timeout must be lower than {LONGEST}")));
    }
    let timeout = Duration::try_from_secs_f64(timeout).ok();
    let proxy = text_option(vm, &context, b"proxy")?.filter(|proxy| !proxy.is_empty());
    let full_uri = flag(&context, b"request_fulluri", false);
    if full_uri && url.iter().any(|byte| matches!(byte, b'\r' | b'\n')) {
        return Ok(Err("HTTP wrapper full URI path does not allow CR or LF characters".into()));
    }
    let mut url = url.to_vec();
    let mut headers = Vec::new();
    let mut redirected = Redirected::default();
    let mut sizes = Vec::new();
    for turn in 0.. {
        let Some(target) = target_of(&url) else { return Ok(Err("operation failed".into())) };
        let transport: &[u8] = if target.secure { b"ssl://" } else { b"tcp://" };
        let address = match &proxy {
            Some(proxy) => proxy.to_vec(),
            None => [transport, &target.host[..], b":", target.port.to_string().as_bytes()].concat(),
        };
        let wanted = if full_uri { &url } else { &target.path };
        let stream = match sockets::connect(vm, &address, timeout, &context)? {
            Ok(stream) => stream,
            Err(failure) if failure.message.is_empty() => return Ok(Err("operation failed".into())),
            Err(failure) => return Ok(Err(failure.message)),
        };
        context::notify(vm, &context, CONNECTED, b"", 0, 0)?;
        stream.write(vm, &request(vm, &target, wanted, &context, redirected)?)?;
        let mut answer = Answer::default();
        let read = read_answer(vm, &stream, &context, &mut answer)?;
        let status_line = answer.headers.first().map(|line| phlox_runtime::shown(line).into_owned());
        let status_line = status_line.unwrap_or_default();
        headers.append(&mut answer.headers);
        let list = publish(vm, &headers);
        if let Err(reason) = read {
            return Ok(Err(reason));
        }
        // Unless the context says otherwise, only these statuses are followed.
        let follows = follows.unwrap_or(matches!(answer.status, 300..=303 | 307 | 308));
        let stays = answer.location.is_some() && !follows;
        if let Some(location) = answer.location.filter(|_| follows) {
            if turn + 1 >= most {
                return Ok(Err("Redirection limit reached, aborting".into()));
            }
            context::notify(vm, &context, REDIRECTED, &location, 0, 0)?;
            // The sizes of redirecting responses are reported once more when the last response is there.
            sizes.push(answer.size);
            redirected.anew = !matches!(answer.status, 307 | 308);
            url = redirected_to(&target, &location);
            redirected.elsewhere |= target_of(&url).is_some_and(|next| !next.is_same_server(&target));
            continue;
        }
        if answer.status >= 400 && !stays && !flag(&context, b"ignore_errors", false) {
            return Ok(Err(format!("HTTP request failed! {status_line}\r\n")));
        }
        let mut source = HttpSource {
            file: stream.duplicate_file(),
            body_at: stream.tell(),
            inner: stream,
            headers: list,
            context: context.clone(),
            size: answer.size,
            done: 0,
            told: false,
        };
        for size in [answer.size].into_iter().chain(sizes.into_iter().rev()) {
            context::notify(vm, &context, PROGRESS, b"", 0, size)?;
            (source.size, source.done) = (size, 0);
            // The first bytes of the body may have arrived with the headers.
            source.tell_progress(vm)?;
        }
        let stream = Stream::new(Box::new(source), mode);
        if answer.chunked
            && let Some(dechunk) = filter::builtin("dechunk", &Val::NULL)
        {
            stream.read_filters.borrow_mut().push(filter::FilterEntry::new(dechunk));
        }
        return Ok(Ok(stream));
    }
    Ok(Err("operation failed".into()))
}

/// The body of an answer.
struct HttpSource {
    inner: Stream,
    /// The connection, for waiting on it.
    file: Option<std::fs::File>,
    /// Where the body begins in the connection.
    body_at: i64,
    headers: PhpArr,
    context: Val,
    /// The body's size by the headers, and how much has arrived.
    size: i64,
    done: i64,
    /// The end was reported.
    told: bool,
}

impl HttpSource {
    fn tell_progress(&mut self, vm: &Vm) -> PhpResult<()> {
        let arrived = self.inner.tell() + self.inner.buffered() as i64 - self.body_at;
        if arrived > self.done {
            self.done = arrived;
            context::notify(vm, &self.context, PROGRESS, b"", arrived, self.size)?;
        }
        Ok(())
    }
}

impl Source for HttpSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        let data = self.inner.read(vm, size)?;
        let failed = data.is_none();
        let data = data.unwrap_or_default();
        self.tell_progress(vm)?;
        let eof = self.inner.at_end();
        if eof && !std::mem::replace(&mut self.told, eof) {
            context::notify(vm, &self.context, COMPLETED, b"", self.done, self.size)?;
        }
        Ok(Read { data, eof, failed })
    }

    fn write(&mut self, _vm: &Vm, _data: &[u8]) -> PhpResult<Option<usize>> {
        Ok(None)
    }

    fn file(&self) -> Option<&std::fs::File> {
        self.file.as_ref()
    }

    fn pending(&self) -> usize {
        self.inner.buffered() + self.inner.pending()
    }

    fn encryption(&self) -> Option<PhpArr> {
        self.inner.encryption()
    }

    fn set_option(&mut self, vm: &Vm, option: StreamOption) -> PhpResult<Option<bool>> {
        self.inner.with(|source| source.set_option(vm, option)).unwrap_or(Ok(None))
    }

    fn timed_out(&self) -> bool {
        self.inner.timed_out()
    }

    fn kind(&self) -> &'static str {
        "tcp_socket/ssl"
    }

    fn wrapper_data(&self) -> Option<Val> {
        Some((&self.headers).into())
    }
}
