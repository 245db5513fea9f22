//! Response headers. On the command line they are collected and never sent.

mod status;

use phlox_runtime::ini::{IniAccess, IniBool};
use phlox_runtime::settings;
use phlox_runtime::{Call, Callee, FnDef, Key, PhpArr, PhpResult, PhpStr, Request, Thrown, Val, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub static EXPOSE_PHP: IniBool = IniBool::new("expose_php", "1", IniAccess::System);

/// Answers always have a status line. Only requests that a web server hands on have this setting and the next.
pub static CGI_NPH: IniBool = IniBool::new("cgi.nph", "0", IniAccess::All);

/// Status lines begin with the protocol.
pub static CGI_RFC2616_HEADERS: IniBool = IniBool::new("cgi.rfc2616_headers", "0", IniAccess::All);

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("header(string $header, bool $replace = true, int $response_code = 0): void", header),
    FnDef::new("header_remove(?string $name = null): void", header_remove),
    FnDef::new("headers_list(): array", headers_list),
    FnDef::new("headers_sent(&$filename = null, &$line = null): bool", headers_sent),
    FnDef::new(
        "setcookie(string $name, string $value = '', array|int $expires_or_options = 0, string $path = '', string $domain = '', bool $secure = false, bool $httponly = false): bool",
        |call| set_cookie(call, true),
    ),
    FnDef::new(
        "setrawcookie(string $name, string $value = '', array|int $expires_or_options = 0, string $path = '', string $domain = '', bool $secure = false, bool $httponly = false): bool",
        |call| set_cookie(call, false),
    ),
    FnDef::new("http_response_code(int $response_code = 0): int|bool", http_response_code),
    FnDef::new("header_register_callback(callable $callback): bool", header_register_callback),
];

#[derive(Default)]
struct Headers {
    list: RefCell<Vec<Vec<u8>>>,
    status: Cell<i64>,
    callback: RefCell<Option<Callee>>,
    /// The text of a status line, as the script gave it.
    status_text: RefCell<Vec<u8>>,
    /// The protocol of the script's status line.
    protocol: RefCell<Vec<u8>>,
    /// The script has removed or replaced the header by which PHP makes itself known.
    anonymous: Cell<bool>,
}

impl Headers {
    /// Has the script set the header with this name?
    fn has(&self, name: &str) -> bool {
        self.list.borrow().iter().any(|header| name_of(header).eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// The status line and the first headers, as a web server sends them.
fn server_head(vm: &Vm, code: i64, text: &[u8], dates_itself: bool) -> Vec<u8> {
    let code = if code == 0 { 200 } else { code };
    let line = match text {
        b"" => {
            let reason = status::reason(code);
            let reason = if reason.is_empty() { "Unknown Status Code" } else { reason };
            format!("{code} {reason}").into_bytes()
        }
        text => text.to_vec(),
    };
    // The response has the client's version of the protocol.
    let request = vm.request.borrow();
    let protocol = request.parameter(b"SERVER_PROTOCOL").filter(|protocol| protocol == b"HTTP/1.0");
    let protocol = protocol.unwrap_or_else(|| b"HTTP/1.1".to_vec());
    let mut out = [&protocol[..], b" ", &line[..], b"\r\n"].concat();
    if let Some(host) = request.parameter(b"HTTP_HOST") {
        out.extend([b"Host: ", &host[..], b"\r\n"].concat());
    }
    if !dates_itself {
        out.extend(format!("Date: {}\r\n", date(now(), true)).into_bytes());
    }
    out.extend_from_slice(b"Connection: close\r\n");
    out
}

/// Does the client want the headers only?
pub fn is_bodyless(request: &dyn Request) -> bool {
    request.parameter(b"REQUEST_METHOD").is_some_and(|method| method == b"HEAD")
}

/// A whole response that is not made by a script.
pub fn plain_answer(vm: &Vm, code: i64, kind: &str, body: &[u8]) -> Vec<u8> {
    let mut out = server_head(vm, code, b"", false);
    if let Some(line) = powered_by(vm).filter(|_| code >= 400) {
        out.extend([&line[..], b"\r\n"].concat());
    }
    out.extend(format!("Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes());
    if !is_bodyless(&**vm.request.borrow()) {
        out.extend_from_slice(body);
    }
    out
}

/// Longest line with the status that CGI sends.
const STATUS_MAX: usize = 1023;

/// The headers as CGI sends them, with the empty line behind them.
pub fn head(vm: &Vm) -> Vec<u8> {
    let headers = headers(vm);
    let mut out = Vec::new();
    let code = headers.status.get();
    let (text, protocol) = (headers.status_text.borrow(), headers.protocol.borrow());
    let always = vm.ini.get(&CGI_NPH);
    if crate::sapi::request(vm).is_server.get() {
        out.extend(server_head(vm, code, &text, headers.has("date")));
    } else if !text.is_empty() && !protocol.is_empty() && vm.ini.get(&CGI_RFC2616_HEADERS) {
        out.extend([&protocol[..], b" ", &text, b"\r\n"].concat());
    } else if !text.is_empty() {
        let line = [b"Status: ", &text[..]].concat();
        out.extend_from_slice(&line[..line.len().min(STATUS_MAX)]);
        out.extend_from_slice(b"\r\n");
    } else if always || (code != 0 && code != 200) {
        let code = if code == 0 { 200 } else { code };
        out.extend(format!("Status: {code} {}\r\n", status::reason(code)).into_bytes());
    }
    drop((text, protocol));
    for line in lines(vm) {
        out.extend_from_slice(&line);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// The header by which PHP makes itself known, if it may.
fn powered_by(vm: &Vm) -> Option<Vec<u8>> {
    let shown = vm.ini.get(&EXPOSE_PHP) && !headers(vm).anonymous.get();
    shown.then(|| format!("X-Powered-By: PHP/{}", phlox_runtime::version::PHP_VERSION).into_bytes())
}

fn is_powered_by(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"x-powered-by")
}

/// The headers of the answer but for the server's own, each without its end.
pub fn lines(vm: &Vm) -> Vec<Vec<u8>> {
    let headers = headers(vm);
    let mut lines = Vec::new();
    lines.extend(powered_by(vm));
    lines.extend(headers.list.borrow().iter().cloned());
    lines.extend(default_content_type(vm, &headers));
    lines
}

/// The type of content where the script gives none.
fn default_content_type(vm: &Vm, headers: &Headers) -> Option<Vec<u8>> {
    let kind = vm.ini.get(&settings::DEFAULT_MIMETYPE);
    if headers.has("content-type") || kind.is_empty() {
        return None;
    }
    let mut line = [b"Content-type: ", &kind[..]].concat();
    let charset = vm.ini.text(&settings::DEFAULT_CHARSET);
    if kind.starts_with(b"text/") && !charset.is_empty() {
        line.extend([b"; charset=", &charset[..]].concat());
    }
    Some(line)
}

/// The response's status.
pub fn status(vm: &Vm) -> i64 {
    let status = headers(vm).status.get();
    if status == 0 { 200 } else { status }
}

/// Gives a response that no script makes its status and headers.
pub fn begin_page(vm: &Vm, status: i64, lines: &[&str]) {
    let headers = headers(vm);
    headers.status.set(status);
    headers.list.borrow_mut().extend(lines.iter().map(|line| line.as_bytes().to_vec()));
}

/// Makes the response a server error, because the script failed and no error was displayed.
pub fn fail(vm: &Vm) {
    let headers = headers(vm);
    if !vm.output.sent.get() && headers.status.get() == 0 {
        headers.status.set(500);
    }
}

/// Applies the side effects of some headers and gives the header to send.
fn note_meaning(vm: &Vm, headers: &Headers, text: &[u8]) -> Vec<u8> {
    let value = text.get(name_of(text).len() + 1..).unwrap_or_default().trim_ascii();
    match &name_of(text).to_ascii_lowercase()[..] {
        b"location" if !(300..400).contains(&headers.status.get()) && headers.status.get() != 201 => {
            headers.status.set(302);
        }
        b"www-authenticate" => headers.status.set(401),
        b"content-type" => {
            let charset = vm.ini.text(&settings::DEFAULT_CHARSET);
            let lower = value.to_ascii_lowercase();
            let has_charset = lower.windows(8).any(|part| part == b"charset=");
            if lower.starts_with(b"text/") && !has_charset && !charset.is_empty() {
                return [b"Content-type: ", value, b";charset=", &charset[..]].concat();
            }
        }
        b"status" => {
            headers.status.set(
                std::str::from_utf8(value.get(..3).unwrap_or_default())
                    .ok()
                    .and_then(|code| code.parse().ok())
                    .unwrap_or(200),
            );
            *headers.status_text.borrow_mut() = value.to_vec();
            headers.protocol.borrow_mut().clear();
        }
        _ => {}
    }
    text.to_vec()
}

fn headers(vm: &Vm) -> Rc<Headers> {
    vm.data::<Headers>("headers")
}

/// The type of content that the script gave.
pub fn content_type(vm: &Vm) -> Option<Vec<u8>> {
    let headers = headers(vm);
    let list = headers.list.borrow();
    let line = list.iter().rfind(|line| name_of(line).eq_ignore_ascii_case(b"content-type"))?;
    Some(line.get(b"content-type:".len()..)?.trim_ascii().to_vec())
}

/// Gives a type of content, unless the headers are sent.
pub fn set_content_type(vm: &Vm, value: &[u8]) {
    if vm.output.sent.get() {
        return;
    }
    let headers = headers(vm);
    let mut list = headers.list.borrow_mut();
    list.retain(|line| !name_of(line).eq_ignore_ascii_case(b"content-type"));
    list.push([b"Content-Type: ", value].concat());
}

fn name_of(header: &[u8]) -> &[u8] {
    header.iter().position(|&b| b == b':').map_or(header, |colon| &header[..colon])
}

/// `Cannot modify header information - headers already sent`
fn check_not_sent(call: &Call<'_>) -> PhpResult<bool> {
    if !call.vm.output.sent.get() {
        return Ok(true);
    }
    let text = match call.vm.output.sent_at.borrow().as_ref() {
        Some((file, line)) => {
            format!("Cannot modify header information - headers already sent by (output started at {file}:{line})")
        }
        None => "Cannot modify header information - headers already sent".to_owned(),
    };
    call.vm.warning(text.as_bytes())?;
    Ok(false)
}

/// Sets the status if the text is a line with one; else false.
fn set_status_line(headers: &Headers, text: &[u8]) -> bool {
    if !text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) {
        return false;
    }
    let status = text.split(|&b| b == b' ').nth(1).and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
    headers.status.set(status.unwrap_or(200));
    let mut words = text.splitn(2, |&b| b == b' ');
    *headers.protocol.borrow_mut() = words.next().unwrap_or_default().to_vec();
    *headers.status_text.borrow_mut() = words.next().unwrap_or_default().to_vec();
    true
}

/// Sets a status line or a header after a script has failed, unless the headers are sent.
pub fn set_after_failure(vm: &Vm, text: &[u8]) {
    let headers = headers(vm);
    if !vm.output.sent.get() && !set_status_line(&headers, text) {
        headers.list.borrow_mut().push(text.to_vec());
    }
}

fn header(call: &mut Call<'_>) -> PhpResult<Val> {
    if !check_not_sent(call)? {
        return Ok(Val::NULL);
    }
    let (text, replace, code) = (call.str(0), call.bool(1), call.int(2));
    let text = text.trim_ascii_end();
    if text.iter().any(|b| matches!(b, b'\n' | b'\r')) {
        call.vm.warning(b"Header may not contain more than a single header, new line detected")?;
        return Ok(Val::NULL);
    }
    if text.contains(&0) {
        call.vm.warning(b"Header may not contain NUL bytes")?;
        return Ok(Val::NULL);
    }
    let headers = headers(call.vm);
    if set_status_line(&headers, text) {
        return Ok(Val::NULL);
    }
    if !text.contains(&b':') {
        if code != 0 {
            headers.status.set(code);
        }
        return Ok(Val::NULL);
    }
    let is_cgi = crate::sapi::request(call.vm).is_cgi.get();
    let line = if is_cgi { note_meaning(call.vm, &headers, text) } else { text.to_vec() };
    if code != 0 {
        headers.status.set(code);
        headers.status_text.borrow_mut().clear();
    }
    if is_cgi && name_of(text).eq_ignore_ascii_case(b"status") {
        return Ok(Val::NULL);
    }
    let mut list = headers.list.borrow_mut();
    if replace {
        headers.anonymous.set(headers.anonymous.get() || is_powered_by(name_of(text)));
        list.retain(|other| !name_of(other).eq_ignore_ascii_case(name_of(text)));
    }
    list.push(line);
    Ok(Val::NULL)
}

fn header_remove(call: &mut Call<'_>) -> PhpResult<Val> {
    if !check_not_sent(call)? {
        return Ok(Val::NULL);
    }
    let headers = headers(call.vm);
    let name = call.opt_str(0);
    if name.as_ref().is_none_or(|name| is_powered_by(name)) {
        headers.anonymous.set(true);
    }
    headers
        .list
        .borrow_mut()
        .retain(|header| name.as_ref().is_some_and(|name: &PhpStr| !name_of(header).eq_ignore_ascii_case(name)));
    Ok(Val::NULL)
}

fn headers_list(call: &mut Call<'_>) -> PhpResult<Val> {
    let headers = headers(call.vm);
    let list = headers.list.borrow();
    // The command line sends no headers, so that it has only those that the script gives.
    let own = powered_by(call.vm).filter(|_| crate::sapi::request(call.vm).is_cgi.get());
    let lines = own.into_iter().chain(list.iter().cloned());
    Ok(lines.map(|line| Val::str(&line)).collect::<PhpArr>().into())
}

fn headers_sent(call: &mut Call<'_>) -> PhpResult<Val> {
    let at = call.vm.output.sent_at.borrow().clone();
    let (file, line) = at.unwrap_or_else(|| (PhpStr::empty(), 0));
    if call.was_passed(0) {
        call.assign(0, file.into())?;
    }
    if call.was_passed(1) {
        call.assign(1, Val::int(line as i64))?;
    }
    Ok(Val::bool(call.vm.output.sent.get()))
}

fn http_response_code(call: &mut Call<'_>) -> PhpResult<Val> {
    let headers = headers(call.vm);
    // A request of a web server has a status from the start.
    let is_web = crate::sapi::request(call.vm).is_cgi.get();
    let (old, new) = (headers.status.get(), call.int(0));
    let old = if old == 0 && is_web { 200 } else { old };
    if new == 0 {
        return Ok(if old == 0 { Val::FALSE } else { Val::int(old) });
    }
    if call.vm.output.sent.get() {
        let at = call.vm.output.sent_at.borrow().clone();
        let place = at.map(|(file, line)| format!(" (output started at {file}:{line})")).unwrap_or_default();
        call.warning(&format!("Cannot set response code - headers already sent{place}"))?;
        return Ok(Val::FALSE);
    }
    headers.status.set(new);
    headers.status_text.borrow_mut().clear();
    Ok(if old == 0 { Val::TRUE } else { Val::int(old) })
}

/// The function is called when the headers are about to be sent.
fn header_register_callback(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(0))?;
    drop(headers(call.vm).callback.replace(Some(callee)));
    if !call.vm.output.sent.get() {
        call.vm.output.before_first.set(Some(about_to_send));
    }
    Ok(Val::TRUE)
}

fn about_to_send(vm: &Vm) {
    // The callback sees the default type of content among the headers.
    if crate::sapi::request(vm).is_cgi.get() {
        let headers = headers(vm);
        let line = default_content_type(vm, &headers);
        headers.list.borrow_mut().extend(line);
    }
    let Some(callee) = headers(vm).callback.take() else { return };
    if let Err(throw) = vm.call(&callee, Vec::new()) {
        vm.set_pending(throw);
    }
}

/// The present time in seconds since 1970.
pub fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// The time now, as a server's log shows it: `Sun Nov 22 10:24:23 2026`.
pub fn log_time() -> String {
    let text = date(now(), true);
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [weekday, day, month, year, clock, _] => format!("{weekday} {month} {day} {clock} {year}"),
        _ => text,
    }
}

/// A time in UTC, in the format of cookies or of logs.
pub fn date(timestamp: i64, cookie: bool) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let (days, seconds) = (timestamp.div_euclid(86400), timestamp.rem_euclid(86400));
    // In this computation years begin in March, so that a leap day is the last day of a year.
    let shifted = days + 719468;
    let (era, of_era) = (shifted.div_euclid(146097), shifted.rem_euclid(146097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12;
    let year = year_of_era + era * 400 + i64::from(month < 2);
    let (month, weekday) = (MONTHS[month as usize], DAYS[days.rem_euclid(7) as usize]);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if cookie {
        format!("{weekday}, {day:02} {month} {year:04} {clock} GMT")
    } else {
        format!("{day:02}-{month}-{year:04} {clock} UTC")
    }
}

#[derive(Default)]
struct CookieOptions {
    expires: i64,
    path: Vec<u8>,
    domain: Vec<u8>,
    secure: bool,
    http_only: bool,
    same_site: Vec<u8>,
}

impl CookieOptions {
    fn of(call: &Call<'_>) -> PhpResult<CookieOptions> {
        let given = call.arg(2);
        let Some(array) = given.as_arr() else {
            return Ok(CookieOptions {
                expires: call.int(2),
                path: call.str(3).to_vec(),
                domain: call.str(4).to_vec(),
                secure: call.bool(5),
                http_only: call.bool(6),
                same_site: Vec::new(),
            });
        };
        let function = phlox_runtime::shown(&call.func.display_name()).into_owned();
        if (3..7).any(|index| call.was_passed(index)) {
            let text = "(): Expects exactly 3 arguments when argument #3 ($expires_or_options) is an array";
            return Err(call.vm.throw(Thrown::ArgumentCountError, format!("{function}{text}").as_bytes()));
        }
        let mut options = CookieOptions::default();
        for (key, value) in array {
            let value = value.deref();
            let Key::Str(key) = key else {
                let text = format!("{function}(): option array cannot have numeric keys");
                return Err(call.vm.throw_value_error(text.as_bytes()));
            };
            match &key.to_ascii_lowercase()[..] {
                b"expires" => options.expires = convert::to_int(call.vm, &value)?,
                b"path" => options.path = convert::to_str(call.vm, &value)?.to_vec(),
                b"domain" => options.domain = convert::to_str(call.vm, &value)?.to_vec(),
                b"secure" => options.secure = convert::to_bool(&value),
                b"httponly" => options.http_only = convert::to_bool(&value),
                b"samesite" => options.same_site = convert::to_str(call.vm, &value)?.to_vec(),
                _ => {
                    let text = [function.as_bytes(), b"(): option \"", &key[..], b"\" is invalid"].concat();
                    return Err(call.vm.throw_value_error(&text));
                }
            }
        }
        Ok(options)
    }
}

fn set_cookie(call: &mut Call<'_>, encodes: bool) -> PhpResult<Val> {
    const ILLEGAL: &str = "\",\", \";\", \" \", \"\\t\", \"\\r\", \"\\n\", \"\\013\", or \"\\014\"";
    let is_illegal = |byte: &u8| b",; \t\r\n\x0b\x0c".contains(byte);
    let (name, value) = (call.str(0), call.str(1));
    let options = CookieOptions::of(call)?;
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if name.iter().any(|byte| *byte == b'=' || is_illegal(byte)) {
        return Err(call.value_error(0, &format!("cannot contain \"=\", {ILLEGAL}")));
    }
    if !encodes && value.iter().any(is_illegal) {
        return Err(call.value_error(1, &format!("cannot contain {ILLEGAL}")));
    }
    let function = phlox_runtime::shown(&call.func.display_name()).into_owned();
    for (option, text) in [("path", &options.path), ("domain", &options.domain)] {
        if text.iter().any(is_illegal) {
            let text = format!("{function}(): \"{option}\" option cannot contain {ILLEGAL}");
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
    }
    if options.expires >= 253402300800 {
        let text = format!("{function}(): \"expires\" option cannot have a year greater than 9999");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    let mut line = [b"Set-Cookie: ", &name[..], b"="].concat();
    if value.is_empty() {
        line.extend_from_slice(format!("deleted; expires={}; Max-Age=0", date(1, true)).as_bytes());
    } else {
        for &byte in value.iter() {
            if !encodes || byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                line.push(byte);
            } else {
                line.extend_from_slice(format!("%{byte:02X}").as_bytes());
            }
        }
        if options.expires > 0 {
            let age = (options.expires - now()).max(0);
            line.extend_from_slice(format!("; expires={}; Max-Age={age}", date(options.expires, true)).as_bytes());
        }
    }
    for (label, text) in [(&b"; path="[..], &options.path), (b"; domain=", &options.domain)] {
        if !text.is_empty() {
            line.extend([label, &text[..]].concat());
        }
    }
    if options.secure {
        line.extend_from_slice(b"; secure");
    }
    if options.http_only {
        line.extend_from_slice(b"; HttpOnly");
    }
    if !options.same_site.is_empty() {
        line.extend([b"; SameSite=", &options.same_site[..]].concat());
    }
    if !check_not_sent(call)? {
        return Ok(Val::FALSE);
    }
    headers(call.vm).list.borrow_mut().push(line);
    Ok(Val::TRUE)
}
