//! `mail()`, which hands messages to the program that `sendmail_path` names.

use crate::process::shell;
use phlox_runtime::ini::{IniAccess, IniBool, IniString};
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Throw, Val, Vm, convert};
use std::io::Write;
use std::process::Stdio;

pub static SENDMAIL_PATH: IniString = IniString::new("sendmail_path", "/usr/sbin/sendmail -t -i", IniAccess::System);
pub static LOG: IniString = IniString::unset("mail.log", IniAccess::PerDir);

/// Whether the script's name is added to the headers.
pub static ADD_X_HEADER: IniBool = IniBool::new("mail.add_x_header", "0", IniAccess::PerDir);

/// Whether header lines end with a newline only.
pub static MIXED_LF_AND_CRLF: IniBool = IniBool::new("mail.mixed_lf_and_crlf", "0", IniAccess::PerDir);

/// Parameters for the program that replace those of the script.
pub static FORCE_EXTRA_PARAMETERS: IniString = IniString::unset("mail.force_extra_parameters", IniAccess::PerDir)
    .on_change(|change| Ok(!change.text().contains(&0)));

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "mail(string $to, string $subject, string $message, array|string $additional_headers = [], string $additional_params = ''): bool",
    mail,
)];

/// A header's text on one line: control characters become spaces, but for folds.
pub fn one_line(text: &[u8]) -> Vec<u8> {
    let mut out = text.trim_ascii_end().to_vec();
    let mut at = 0;
    while at < out.len() {
        let folds = out[at..].starts_with(b"\r\n") && matches!(out.get(at + 2), Some(b' ' | b'\t'));
        if folds {
            at += 2;
            while matches!(out.get(at + 1), Some(b' ' | b'\t')) {
                at += 1;
            }
        } else if out[at].is_ascii_control() {
            out[at] = b' ';
        }
        at += 1;
    }
    out
}

/// What is wrong with a header's value.
fn fault(value: &[u8]) -> Option<&'static str> {
    let mut at = 0;
    while at < value.len() {
        let folds = |after: usize| matches!(value.get(after), Some(b' ' | b'\t'));
        match value[at] {
            b'\r' if value.get(at + 1) != Some(&b'\n') => {
                return Some("contains CR character that is not allowed in the header");
            }
            b'\r' if folds(at + 2) => at += 3,
            b'\r' => {
                return Some(
                    "contains CRLF characters that are used as a line separator and are not allowed in the header",
                );
            }
            b'\n' if folds(at + 1) => at += 2,
            b'\n' => return Some("contains LF character that is not allowed in the header"),
            0 => return Some("contains NULL character that is not allowed in the header"),
            _ => at += 1,
        }
    }
    None
}

fn add_header(vm: &Vm, out: &mut Vec<u8>, name: &[u8], value: &[u8]) -> Result<(), Throw> {
    if name.iter().any(|&byte| !(33..=126).contains(&byte) || byte == b':') {
        return Err(vm.throw_value_error(&[b"Header name \"", name, b"\" contains invalid characters"].concat()));
    }
    if let Some(fault) = fault(value) {
        return Err(vm.throw_value_error(&[b"Header \"", name, b"\" ", fault.as_bytes()].concat()));
    }
    out.extend([name, b": ", value, b"\r\n"].concat());
    Ok(())
}

/// The text of headers given as an array.
fn build_headers(vm: &Vm, headers: &PhpArr) -> PhpResult<Vec<u8>> {
    const SINGLE: [&[u8]; 9] =
        [b"orig-date", b"from", b"sender", b"reply-to", b"cc", b"bcc", b"message-id", b"references", b"in-reply-to"];
    let mut out = Vec::new();
    for (key, value) in headers {
        let value = value.deref();
        let name = match key {
            Key::Str(name) => name.to_vec(),
            Key::Int(number) => {
                return Err(vm.throw_type_error(format!("Header name cannot be numeric, {number} given").as_bytes()));
            }
        };
        let lower = name.to_ascii_lowercase();
        if lower == b"to" || lower == b"subject" {
            let shown: &[u8] = if lower == b"to" { b"To" } else { b"Subject" };
            let text = [b"The additional headers cannot contain the \"", shown, b"\" header"].concat();
            return Err(vm.throw_value_error(&text));
        }
        let fail = |text: String| vm.throw_type_error(&[b"Header \"", &name[..], b"\" ", text.as_bytes()].concat());
        if let Some(text) = value.as_str() {
            add_header(vm, &mut out, &name, text)?;
        } else if let Some(values) = value.as_arr() {
            if SINGLE.contains(&&lower[..]) {
                let text = [b"Header \"", &lower[..], b"\" must be of type string, array given"].concat();
                return Err(vm.throw_type_error(&text));
            }
            for (key, value) in values {
                let value = value.deref();
                if let Key::Str(key) = key {
                    let text = format!("must only contain numeric keys, \"{}\" found", phlox_runtime::shown(key));
                    return Err(fail(text));
                }
                let Some(text) = value.as_str() else {
                    let given = convert::value_name(&value);
                    return Err(fail(format!("must only contain values of type string, {given} found")));
                };
                add_header(vm, &mut out, &name, text)?;
            }
        } else {
            return Err(fail(format!("must be of type array|string, {} given", convert::value_name(&value))));
        }
    }
    out.truncate(out.len().saturating_sub(2));
    Ok(out)
}

/// Are there empty lines, or half ends of lines?
fn has_bad_lines(headers: &[u8]) -> bool {
    if !headers.first().is_none_or(|&byte| (33..=126).contains(&byte) && byte != b':') {
        return true;
    }
    let mut at = 0;
    while at < headers.len() {
        let ends = |at: usize| matches!(headers.get(at), None | Some(b'\r' | b'\n'));
        match headers[at] {
            b'\r' => {
                let next = headers.get(at + 1);
                if matches!(next, None | Some(b'\r')) || (next == Some(&b'\n') && ends(at + 2)) {
                    return true;
                }
                at += 2;
            }
            b'\n' => {
                if ends(at + 1) {
                    return true;
                }
                at += 2;
            }
            _ => at += 1,
        }
    }
    false
}

fn log(vm: &Vm, to: &[u8], subject: &[u8], headers: &[u8]) {
    let target = vm.ini.get(&LOG);
    if target.is_empty() {
        return;
    }
    let (file, line) = vm.position();
    let mut text = [b"mail() on [", &file[..], format!(":{line}]: To: ").as_bytes(), to, b" -- Headers: "].concat();
    text.extend([headers, b" -- Subject: ", subject].concat());
    for byte in &mut text {
        if matches!(byte, b'\r' | b'\n') {
            *byte = b' ';
        }
    }
    if target.eq_ignore_ascii_case(b"syslog") {
        return crate::syslog::note(vm, &text);
    }
    let stamp = crate::http::date(crate::http::now(), false);
    let log = std::fs::OpenOptions::new().append(true).create(true).open(crate::stream::open::os(&target));
    if let Ok(mut log) = log {
        let _ = log.write_all(&[b"[", stamp.as_bytes(), b"] ", &text[..], b"\n"].concat());
    }
}

/// `escapeshellcmd` without its balance of quotes.
fn escaped(parameters: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in parameters {
        if b"#&;`|*?~<>^()[]{}$\\\n\xff'\"".contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// The headers of a call, as text without an end of line behind the last.
pub fn headers_argument(call: &Call<'_>, index: usize) -> PhpResult<Vec<u8>> {
    let given = call.arg(index);
    if let Some(headers) = given.as_arr() {
        return build_headers(call.vm, headers);
    }
    let headers = call.str(index);
    if headers.contains(&0) {
        return Err(call.value_error(index, "must not contain any null bytes"));
    }
    let end = headers.iter().rposition(|byte| !b" \t\n\r\0\x0b".contains(byte)).map_or(0, |last| last + 1);
    Ok(headers[..end].to_vec())
}

/// What ends the lines of headers.
pub fn line_end(vm: &Vm) -> &'static [u8] {
    if vm.ini.get(&MIXED_LF_AND_CRLF) { b"\n" } else { b"\r\n" }
}

fn mail(call: &mut Call<'_>) -> PhpResult<Val> {
    let (to, subject, message) = (one_line(&call.path(0)?), one_line(&call.path(1)?), call.path(2)?);
    let headers = headers_argument(call, 3)?;
    let extra = call.path(4)?;
    send(call, &to, &subject, &message, headers, extra)
}

/// Hands a message to the program that sends it.
pub fn send(
    call: &Call<'_>,
    to: &[u8],
    subject: &[u8],
    message: &[u8],
    mut headers: Vec<u8>,
    extra: PhpStr,
) -> PhpResult<Val> {
    log(call.vm, to, subject, &headers);
    let line_end = line_end(call.vm);
    if call.vm.ini.get(&ADD_X_HEADER) {
        let (file, _) = call.vm.position();
        let name = file.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let user = rustix::process::getuid().as_raw();
        let mut with = [format!("X-PHP-Originating-Script: {user}:").as_bytes(), name].concat();
        if !headers.is_empty() {
            with.extend([line_end, &headers[..]].concat());
        }
        headers = with;
    }
    if has_bad_lines(&headers) {
        call.warning("Multiple or malformed newlines found in additional_header")?;
        return Ok(Val::FALSE);
    }
    let mut command = call.vm.ini.get(&SENDMAIL_PATH).to_vec();
    if command.is_empty() {
        return Ok(Val::FALSE);
    }
    let forced = call.vm.ini.get(&FORCE_EXTRA_PARAMETERS);
    let extra = if forced.is_empty() { extra } else { forced };
    if !extra.is_empty() {
        command.extend([b" ", &escaped(&extra)[..]].concat());
    }
    let Ok(mut child) = shell(call.vm, &command).stdin(Stdio::piped()).spawn() else {
        let text = format!("Could not execute mail delivery program '{}'", phlox_runtime::shown(&command));
        call.warning(&text)?;
        return Ok(Val::FALSE);
    };
    let mut text = [b"To: ", to, line_end, b"Subject: ", subject, line_end].concat();
    if !headers.is_empty() {
        text.extend([&headers[..], line_end].concat());
    }
    text.extend([line_end, message, line_end].concat());
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(&text);
    }
    // Status 75 means that the message waits in a queue.
    let sent = child.wait().is_ok_and(|status| matches!(status.code(), Some(0 | 75)));
    Ok(Val::bool(sent))
}
