//! Information about PHP, the process and the system; error log and last error.

use phlox_runtime::ob::IGNORE_USER_ABORT;
use phlox_runtime::version::PHP_VERSION;
use phlox_runtime::{Call, ConstValue, FnDef, PhpArr, PhpResult, PhpStr, Val, heap};
use std::cmp::Ordering;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("phpversion(?string $extension = null): string|false", phpversion),
    FnDef::new("php_sapi_name(): string|false", php_sapi_name),
    FnDef::new("php_uname(string $mode = \"a\"): string", php_uname),
    FnDef::new("memory_get_usage(bool $real_usage = false): int", memory_get_usage),
    FnDef::new("memory_get_peak_usage(bool $real_usage = false): int", memory_get_peak_usage),
    FnDef::new("memory_reset_peak_usage(): void", memory_reset_peak_usage),
    FnDef::new("getmypid(): int|false", getmypid),
    FnDef::new("getmyuid(): int|false", getmyuid),
    FnDef::new("getmygid(): int|false", getmygid),
    FnDef::new("getmyinode(): int|false", getmyinode),
    FnDef::new("getlastmod(): int|false", getlastmod),
    FnDef::new("get_current_user(): string", get_current_user),
    FnDef::new("gethostname(): string|false", gethostname),
    FnDef::new("sys_getloadavg(): array|false", sys_getloadavg),
    FnDef::new("getrusage(int $mode = 0): array|false", getrusage),
    FnDef::new("getenv(?string $name = null, bool $local_only = false): string|array|false", getenv),
    FnDef::new("putenv(string $assignment): bool", putenv),
    FnDef::new("getopt(string $short_options, array $long_options = [], &$rest_index = null): array|false", getopt),
    FnDef::new(
        "error_log(string $message, int $message_type = 0, ?string $destination = null, ?string $additional_headers = null): bool",
        error_log,
    ),
    FnDef::new("error_get_last(): ?array", error_get_last),
    FnDef::new("error_clear_last(): void", error_clear_last),
    FnDef::new("connection_aborted(): int", connection_aborted),
    FnDef::new("connection_status(): int", connection_aborted),
    FnDef::new("ignore_user_abort(?bool $enable = null): int", ignore_user_abort),
    FnDef::new(
        "version_compare(string $version1, string $version2, ?string $operator = null): int|bool",
        version_compare,
    ),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("CONNECTION_ABORTED", ConstValue::Int(1)),
    ("CONNECTION_NORMAL", ConstValue::Int(0)),
    ("CONNECTION_TIMEOUT", ConstValue::Int(2)),
];

fn phpversion(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(name) = call.opt_str(0) else { return Ok(PHP_VERSION.into()) };
    let known = call.vm.extensions.iter().any(|extension| extension.name.as_bytes().eq_ignore_ascii_case(&name));
    Ok(if known { PHP_VERSION.into() } else { Val::FALSE })
}

fn php_sapi_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(crate::sapi::name(call.vm).into())
}

fn php_uname(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = rustix::system::uname();
    let (system, node) = (name.sysname().to_bytes(), name.nodename().to_bytes());
    let (release, version, machine) = (name.release().to_bytes(), name.version().to_bytes(), name.machine().to_bytes());
    Ok(Val::str(match call.str(0).as_bytes() {
        b"s" => system,
        b"n" => node,
        b"r" => release,
        b"v" => version,
        b"m" => machine,
        b"a" => return Ok([system, node, release, version, machine].join(&b' ').into()),
        mode if mode.len() == 1 => {
            return Err(call.value_error(0, "must be one of \"a\", \"m\", \"n\", \"r\", \"s\", or \"v\""));
        }
        _ => return Err(call.value_error(0, "must be a single character")),
    }))
}

fn memory_get_usage(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(heap::bytes_used() as i64))
}

fn memory_get_peak_usage(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(heap::bytes_peak().0 as i64))
}

fn memory_reset_peak_usage(_: &mut Call<'_>) -> PhpResult<Val> {
    heap::reset_peak();
    Ok(Val::NULL)
}

fn getmypid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(std::process::id() as i64))
}

/// The main script's file data.
fn script(call: &Call<'_>) -> Option<std::fs::Metadata> {
    std::fs::metadata(crate::stream::open::os(&call.vm.script.borrow())).ok()
}

fn script_field(call: &Call<'_>, field: fn(&std::fs::Metadata) -> i64) -> PhpResult<Val> {
    Ok(script(call).map_or(Val::FALSE, |meta| Val::int(field(&meta))))
}

fn getmyuid(call: &mut Call<'_>) -> PhpResult<Val> {
    script_field(call, |meta| std::os::unix::fs::MetadataExt::uid(meta) as i64)
}

fn getmygid(call: &mut Call<'_>) -> PhpResult<Val> {
    script_field(call, |meta| std::os::unix::fs::MetadataExt::gid(meta) as i64)
}

fn getmyinode(call: &mut Call<'_>) -> PhpResult<Val> {
    script_field(call, |meta| std::os::unix::fs::MetadataExt::ino(meta) as i64)
}

fn getlastmod(call: &mut Call<'_>) -> PhpResult<Val> {
    script_field(call, std::os::unix::fs::MetadataExt::mtime)
}

fn get_current_user(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(meta) = script(call) else { return Ok("".into()) };
    let uid = std::os::unix::fs::MetadataExt::uid(&meta).to_string();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    });
    Ok(name.unwrap_or_default().into())
}

fn gethostname(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(rustix::system::uname().nodename().to_bytes()))
}

fn sys_getloadavg(_: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(text) = std::fs::read_to_string("/proc/loadavg") else { return Ok(Val::FALSE) };
    let loads = text.split(' ').take(3).map(|load| Val::double(load.parse().unwrap_or(0.0)));
    Ok(loads.collect::<PhpArr>().into())
}

/// Times and counts of the process (1: of its children), from the system's own accounting.
fn getrusage(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(counts) = phlox_process::usage(call.int(0) == 1) else { return Ok(Val::FALSE) };
    let mut usage = PhpArr::with_capacity(counts.len());
    for (name, count) in counts {
        usage.set_bytes(name.as_bytes(), Val::int(count));
    }
    Ok(usage.into())
}

/// Variables that `putenv` set (or, as `None`, removed). The process's own environment is left alone, because
/// changing it while other threads read it is not safe; child processes get the changes.
#[derive(Default)]
pub struct Environment {
    pub changes: std::cell::RefCell<Vec<(Vec<u8>, Option<Vec<u8>>)>>,
}

/// The environment variables that the request has changed.
pub fn environment(vm: &phlox_runtime::Vm) -> std::rc::Rc<Environment> {
    vm.data::<Environment>("environment")
}

impl Environment {
    /// A variable as `getenv()` gives it: as the script changed it, otherwise a parameter of the request or a variable of the
    /// process.
    pub fn get(&self, vm: &phlox_runtime::Vm, name: &[u8]) -> Option<Vec<u8>> {
        let changes = self.changes.borrow();
        match changes.iter().rev().find(|(changed, _)| changed == name) {
            Some((_, value)) => value.clone(),
            None => vm.request.borrow().shown(name).or_else(|| phlox_runtime::request::environment(name)),
        }
    }

    /// The whole environment: the process's variables, the request's parameters, and the changes.
    pub fn all(&self, vm: &phlox_runtime::Vm) -> Vec<(Vec<u8>, Vec<u8>)> {
        let changes = self.changes.borrow();
        let changed = |name: &[u8]| changes.iter().any(|(other, _)| other == name);
        let inherited = vm.request.borrow().parameters();
        let mut all: Vec<_> = inherited.into_iter().filter(|(name, _)| !changed(name)).collect();
        all.extend(changes.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?))));
        all
    }
}

fn getenv(call: &mut Call<'_>) -> PhpResult<Val> {
    let environment = environment(call.vm);
    match call.opt_str(0) {
        Some(name) => Ok(environment.get(call.vm, &name).map_or(Val::FALSE, Val::from)),
        None => {
            let mut array = PhpArr::with_capacity(0);
            for (name, value) in environment.all(call.vm) {
                array.set_bytes(&name, value.into());
            }
            Ok(array.into())
        }
    }
}

fn putenv(call: &mut Call<'_>) -> PhpResult<Val> {
    let assignment = call.str(0);
    if assignment.is_empty() || assignment[0] == b'=' {
        return Err(call.value_error(0, "must have a valid syntax"));
    }
    let (name, value) = match assignment.iter().position(|&b| b == b'=') {
        Some(at) => (assignment[..at].to_vec(), Some(assignment[at + 1..].to_vec())),
        None => (assignment.to_vec(), None),
    };
    let environment = environment(call.vm);
    let mut changes = environment.changes.borrow_mut();
    changes.retain(|(other, _)| *other != name);
    changes.push((name, value));
    Ok(Val::TRUE)
}

/// An option's name and whether it takes a value (`:`) or may (`::`).
fn option_spec(spec: &[u8]) -> (Vec<u8>, usize) {
    let name: Vec<u8> = spec.iter().copied().take_while(|&b| b != b':').collect();
    let colons = spec.len() - name.len();
    (name, colons.min(2))
}

fn getopt(call: &mut Call<'_>) -> PhpResult<Val> {
    let argv = call.vm.globals.find(&PhpStr::from("argv")).and_then(|slot| slot.get_deref().into_arr());
    let Some(argv) = argv else { return Ok(Val::FALSE) };
    let argv: Vec<PhpStr> = argv.values().filter_map(|value| value.deref().into_str()).collect();
    let short = call.str(0);
    let mut short_options: Vec<(u8, usize)> = Vec::new();
    for &byte in short.iter() {
        match (byte, short_options.last_mut()) {
            (b':', Some((_, colons))) => *colons += 1,
            _ => short_options.push((byte, 0)),
        }
    }
    let long: Vec<(Vec<u8>, usize)> =
        call.arr(1).values().filter_map(|v| v.deref().into_str()).map(|spec| option_spec(&spec)).collect();
    let mut found = PhpArr::with_capacity(0);
    let mut at = 1;
    let mut add = |name: &[u8], value: Option<Vec<u8>>| {
        let value = value.map_or(Val::FALSE, Val::from);
        let key = phlox_runtime::ArrKey::from_bytes(name);
        let (place, existed) = found.entry(key.as_key());
        if !existed {
            place.set(value);
            return;
        }
        let earlier = place.take();
        let mut list = match earlier.as_arr() {
            Some(list) => list.clone(),
            None => PhpArr::from_vec(vec![earlier]),
        };
        let _ = list.push(value);
        place.set(list.into());
    };
    while let Some(arg) = argv.get(at) {
        if arg.as_bytes() == b"--" {
            at += 1;
            break;
        }
        if let Some(body) = arg.strip_prefix(b"--") {
            let (name, mut value) = match body.iter().position(|&b| b == b'=') {
                Some(equals) => (&body[..equals], Some(body[equals + 1..].to_vec())),
                None => (body, None),
            };
            at += 1;
            let Some((_, colons)) = long.iter().find(|(known, _)| known == name) else { continue };
            if *colons == 1 && value.is_none() {
                let Some(next) = argv.get(at) else { continue };
                value = Some(next.to_vec());
                at += 1;
            }
            add(name, if *colons == 0 { None } else { value });
        } else if arg.len() > 1 && arg[0] == b'-' {
            let mut position = 1;
            at += 1;
            while let Some(&letter) = arg.get(position) {
                position += 1;
                let Some(&(_, colons)) = short_options.iter().find(|(known, _)| *known == letter) else { continue };
                if colons == 0 {
                    add(&[letter], None);
                    continue;
                }
                let rest = &arg[position..];
                let rest = rest.strip_prefix(b"=").unwrap_or(rest);
                if !rest.is_empty() {
                    add(&[letter], Some(rest.to_vec()));
                } else if colons == 1 {
                    if let Some(next) = argv.get(at) {
                        add(&[letter], Some(next.to_vec()));
                        at += 1;
                    }
                } else {
                    add(&[letter], None);
                }
                break;
            }
        } else {
            break;
        }
    }
    if call.was_passed(2) {
        call.assign(2, Val::int(at as i64))?;
    }
    Ok(found.into())
}

fn error_log(call: &mut Call<'_>) -> PhpResult<Val> {
    const MAIL: i64 = 1;
    const TCP: i64 = 2;
    const FILE: i64 = 3;
    const SAPI: i64 = 4;
    let message = call.str(0);
    match call.int(1) {
        MAIL => Ok(Val::FALSE),
        TCP => Err(call.vm.throw_value_error(b"TCP/IP option is not available for error logging")),
        FILE => {
            let options = crate::stream::open::Options::default();
            let path = call.opt_str(2).unwrap_or_else(PhpStr::empty);
            let Some(stream) = crate::stream::open::open(call.vm, &path, "a", &options)? else { return Ok(Val::FALSE) };
            let written = stream.write(call.vm, &message)?;
            stream.close(call.vm)?;
            Ok(Val::bool(written == Some(message.len())))
        }
        SAPI => {
            if !call.vm.request.borrow().log(&message) {
                eprintln!("{message}");
            }
            Ok(Val::TRUE)
        }
        _ => {
            call.vm.log_error(&message);
            Ok(Val::TRUE)
        }
    }
}

fn error_get_last(call: &mut Call<'_>) -> PhpResult<Val> {
    let last = call.vm.errors.last.borrow().clone();
    let Some(last) = last else { return Ok(Val::NULL) };
    let mut array = PhpArr::with_capacity(0);
    array.set_bytes(b"type", Val::int(last.level));
    array.set_bytes(b"message", last.message.into());
    array.set_bytes(b"file", last.file.into());
    array.set_bytes(b"line", Val::int(last.line as i64));
    Ok(array.into())
}

fn error_clear_last(call: &mut Call<'_>) -> PhpResult<Val> {
    *call.vm.errors.last.borrow_mut() = None;
    Ok(Val::NULL)
}

/// `connection_aborted()`: whether the reader of the output has gone.
fn connection_aborted(call: &mut Call<'_>) -> PhpResult<Val> {
    // Buffered output is written first, which may detect that the reader has gone.
    call.vm.output.before_waiting();
    phlox_runtime::ob::notice_lost(call.vm);
    Ok(Val::int(call.vm.output.lost.get().into()))
}

fn ignore_user_abort(call: &mut Call<'_>) -> PhpResult<Val> {
    let old = call.vm.ini.get(&IGNORE_USER_ABORT);
    if let Some(on) = call.opt_bool(0) {
        call.vm.ini.put(&IGNORE_USER_ABORT, if on { "1" } else { "0" }.into());
    }
    Ok(Val::int(old as i64))
}

/// A version with points for separators, and between digits and letters; none at the end.
fn canonical_version(version: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(2 * version.len());
    let Some((&first, rest)) = version.split_first() else { return text };
    text.push(first);
    let mut last = first;
    for &byte in rest {
        let changes = last != b'.' && byte != b'.' && last.is_ascii_digit() != byte.is_ascii_digit();
        let is_sign = matches!(byte, b'-' | b'_' | b'+');
        if (changes || is_sign || !byte.is_ascii_alphanumeric()) && text.last() != Some(&b'.') {
            text.push(b'.');
        }
        if !is_sign && (changes || byte.is_ascii_alphanumeric()) {
            text.push(byte);
        }
        last = byte;
    }
    if text.last() == Some(&b'.') {
        text.pop();
    }
    text
}

/// Words below and above plain numbers: dev < alpha < beta < RC < (number) < pl.
fn form_rank(part: &[u8]) -> i32 {
    const FORMS: [(&[u8], i32); 10] = [
        (b"dev", 0),
        (b"alpha", 1),
        (b"a", 1),
        (b"beta", 2),
        (b"b", 2),
        (b"RC", 3),
        (b"rc", 3),
        (b"#", 4),
        (b"pl", 5),
        (b"p", 5),
    ];
    FORMS.iter().find(|(form, _)| part.starts_with(form)).map_or(-1, |(_, rank)| *rank)
}

/// Stands for a number where a version has none.
const NUMBER: &[u8] = b"#N#";

fn compare_versions(a: &[u8], b: &[u8]) -> Ordering {
    let c_text = |text: &'_ [u8]| text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let (a, b) = (&a[..c_text(a)], &b[..c_text(b)]);
    if a.is_empty() || b.is_empty() {
        return a.len().min(1).cmp(&b.len().min(1));
    }
    let prepared = |text: &[u8]| if text[0] == b'#' { text.to_vec() } else { canonical_version(text) };
    let (left, right) = (prepared(a), prepared(b));
    let is_number = |part: &[u8]| part.first().is_some_and(u8::is_ascii_digit);
    let value = |part: &[u8]| {
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')))
    };
    let split = |text: &mut &'_ [u8]| -> (usize, bool) {
        let end = text.iter().position(|&byte| byte == b'.');
        (end.unwrap_or(text.len()), end.is_some())
    };
    let (mut a, mut b) = (&left[..], &right[..]);
    let (mut a_goes_on, mut b_goes_on) = (true, true);
    while !a.is_empty() && !b.is_empty() && a_goes_on && b_goes_on {
        let ((a_end, a_more), (b_end, b_more)) = (split(&mut a), split(&mut b));
        (a_goes_on, b_goes_on) = (a_more, b_more);
        let (one, other) = (&a[..a_end], &b[..b_end]);
        let order = match (is_number(one), is_number(other)) {
            (true, true) => value(one).cmp(&value(other)),
            (false, false) => form_rank(one).cmp(&form_rank(other)),
            (true, false) => form_rank(NUMBER).cmp(&form_rank(other)),
            (false, true) => form_rank(one).cmp(&form_rank(NUMBER)),
        };
        if order != Ordering::Equal {
            return order;
        }
        a = if a_more { &a[a_end + 1..] } else { a };
        b = if b_more { &b[b_end + 1..] } else { b };
    }
    match (a_goes_on, b_goes_on) {
        (true, _) if is_number(a) => Ordering::Greater,
        (true, _) => compare_versions(a, NUMBER),
        (false, true) if is_number(b) => Ordering::Less,
        (false, true) => compare_versions(NUMBER, b),
        (false, false) => Ordering::Equal,
    }
}

fn version_compare(call: &mut Call<'_>) -> PhpResult<Val> {
    let order = compare_versions(&call.str(0), &call.str(1));
    let Some(operator) = call.opt_str(2) else { return Ok(Val::int(order as i64)) };
    let holds = match operator.as_bytes() {
        b"<" | b"lt" => order.is_lt(),
        b"<=" | b"le" => order.is_le(),
        b">" | b"gt" => order.is_gt(),
        b">=" | b"ge" => order.is_ge(),
        b"=" | b"==" | b"eq" => order.is_eq(),
        b"!=" | b"<>" | b"ne" => order.is_ne(),
        _ => return Err(call.value_error(2, "must be a valid comparison operator")),
    };
    Ok(Val::bool(holds))
}
