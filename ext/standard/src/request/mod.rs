//! The variables of a request through CGI: `$_SERVER`, `$_GET`, `$_POST`, `$_COOKIE`, `$_FILES`, `$_REQUEST`.

mod arriving;
pub mod body;
pub mod multipart;

use crate::url::{decode, register_cookie, register_variable_within};
use phlox_ext_standard_file::{base64, sapi};
use phlox_runtime::ini::{IniAccess, IniBool, IniQuantity, IniString};
use phlox_runtime::settings;
use phlox_runtime::{Call, FnDef, Key, Level, PhpArr, PhpResult, PhpStr, Val, View, Vm};
use std::cell::{Cell, RefCell};

/// How many variables a query, a form or a header of cookies may have.
pub static MAX_INPUT_VARS: IniQuantity = IniQuantity::new("max_input_vars", "1000", IniAccess::PerDir).at_least(0);

/// How deep the arrays of a request's variable may nest.
pub static MAX_INPUT_NESTING_LEVEL: IniQuantity =
    IniQuantity::new("max_input_nesting_level", "64", IniAccess::PerDir).at_least(0);

/// The arrays that `$_REQUEST` is made of, if they are not those of `variables_order`.
pub static REQUEST_ORDER: IniString = IniString::unset("request_order", IniAccess::PerDir);
pub static REGISTER_ARGC_ARGV: IniBool = IniBool::new("register_argc_argv", "1", IniAccess::PerDir);

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("request_parse_body(?array $options = null): array", body::request_parse_body)];

/// Functions that exist only in requests of a web server.
const WEB_FUNCTIONS: &[FnDef] = &[
    FnDef::new("apache_request_headers(): array", request_headers),
    FnDef::new("getallheaders(): array", request_headers),
    FnDef::new("apache_response_headers(): array|bool", response_headers),
];

/// The client's headers, with names as far as they can be restored from CGI's variables.
fn request_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut headers = PhpArr::new();
    if sapi::request(call.vm).is_server.get() {
        for (name, value) in header_lines(call.vm) {
            headers.set_bytes(&name, Val::str(&value));
        }
        return Ok(headers.into());
    }
    let is_pool = sapi::request(call.vm).is_pool.get();
    for (key, value) in &global(call.vm, "_SERVER") {
        let Key::Str(variable) = key else { continue };
        let name = match &variable[..] {
            b"CONTENT_TYPE" | b"CONTENT_LENGTH" if is_pool || value.as_str().is_some_and(|value| !value.is_empty()) => {
                &variable[..]
            }
            name => match name.strip_prefix(b"HTTP_") {
                Some(name) => name,
                None => continue,
            },
        };
        let words = name.split(|&byte| byte == b'_').map(|word| {
            let mut word = word.to_ascii_lowercase();
            if let Some(first) = word.first_mut() {
                first.make_ascii_uppercase();
            }
            word
        });
        headers.set_bytes(&words.collect::<Vec<_>>().join(&b'-'), value.clone());
    }
    Ok(headers.into())
}

/// The headers of the answer by name.
fn response_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut headers = PhpArr::new();
    for line in phlox_ext_standard_file::http::lines(call.vm) {
        let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
        headers.set_bytes(&line[..colon], Val::str(line.get(colon + 1..).unwrap_or_default().trim_ascii()));
    }
    Ok(headers.into())
}

/// A parameter of the request; empty if there is none.
fn parameter(vm: &Vm, name: &str) -> Vec<u8> {
    vm.request.borrow().parameter(name.as_bytes()).unwrap_or_default()
}

fn set_global(vm: &Vm, name: &str, value: Val) {
    vm.globals.slot(&PhpStr::intern(name.as_bytes())).set(value);
}

fn global(vm: &Vm, name: &str) -> PhpArr {
    vm.globals.slot(&PhpStr::intern(name.as_bytes())).get().into_deref().into_arr().unwrap_or_default()
}

/// A warning about the request, which no script has begun to answer.
fn warn(vm: &Vm, message: &str) {
    let text = format!("PHP Request Startup: {message}");
    vm.report(Level::Warning, text.as_bytes(), &PhpStr::empty(), 0);
}

/// Makes the observer of a form that is about to arrive, of so many bytes; `None` if it is not to be observed.
pub type MakeObserver = fn(&Vm, u64) -> Option<Box<dyn multipart::Observer>>;

#[derive(Default)]
struct Uploads(Cell<Option<MakeObserver>>);

/// Lets an extension observe the forms that arrive.
pub fn observe_uploads(vm: &Vm, make: MakeObserver) {
    vm.data::<Uploads>("upload observers").0.set(Some(make));
}

/// Converts a string of a request's input to the value that scripts see.
pub type InputFilter = fn(&Vm, &PhpStr) -> Val;

/// The filter of the input, and the input before filtering.
#[derive(Default)]
struct Input {
    filter: Cell<Option<InputFilter>>,
    raw: RefCell<Vec<(&'static str, PhpArr)>>,
}

const INPUT: &str = "input of the request";

/// Lets an extension change the texts that scripts see of a request.
pub fn filter_input_with(vm: &Vm, filter: InputFilter) {
    vm.data::<Input>(INPUT).filter.set(Some(filter));
}

/// `_GET`, `_POST` or `_COOKIE` as the request brought it; `None`: there is no request.
pub fn arrived(vm: &Vm, name: &str) -> Option<PhpArr> {
    let input = vm.data::<Input>(INPUT);
    let raw = input.raw.borrow();
    raw.iter().find(|(known, _)| *known == name).map(|(_, array)| array.clone())
}

/// Stores the variables that arrived, and gives scripts the filtered ones.
fn take_input(vm: &Vm) {
    let input = vm.data::<Input>(INPUT);
    for name in ["_GET", "_POST", "_COOKIE"] {
        let array = global(vm, name);
        if let Some(filter) = input.filter.get() {
            set_global(vm, name, filtered(vm, &array, filter));
        }
        input.raw.borrow_mut().push((name, array));
    }
    if let Some(filter) = input.filter.get() {
        set_global(vm, "_SERVER", filtered(vm, &global(vm, "_SERVER"), filter));
    }
}

fn filtered(vm: &Vm, array: &PhpArr, filter: InputFilter) -> Val {
    let element = |value: &Val| match value.deref().view() {
        View::Str(text) => filter(vm, &text.clone()),
        View::Arr(inner) => filtered(vm, inner, filter),
        _ => value.clone(),
    };
    let mut shown = PhpArr::with_room_for(array);
    for (key, value) in array {
        shown.insert(key, element(value));
    }
    shown.into()
}

/// Elements of `$_SERVER` that differ from the environment; those with `None` are left out.
pub type Changes = [(&'static str, Option<Vec<u8>>)];

/// Reads the request and makes its variables.
pub fn populate(vm: &Vm, changes: &Changes) {
    sapi::request(vm).is_cgi.set(true);
    vm.constants.borrow_mut().insert(PhpStr::intern(b"PHP_SAPI"), sapi::name(vm).into());
    set_server(vm, changes);
    for def in WEB_FUNCTIONS {
        vm.declare_native(def, "standard");
    }
    let separators = vm.ini.get(&settings::ARG_SEPARATOR_INPUT);
    let query = parameter(vm, "QUERY_STRING");
    set_global(vm, "_GET", pairs(vm, &query, if separators.is_empty() { b"&" } else { &separators }));
    set_global(vm, "_COOKIE", cookies(vm, &parameter(vm, "HTTP_COOKIE")));
    body::read(vm);
    take_input(vm);
    let order = match &vm.ini.get(&REQUEST_ORDER)[..] {
        b"" => vm.ini.get(&settings::VARIABLES_ORDER).to_vec(),
        order => order.to_vec(),
    };
    let mut all = PhpArr::new();
    for letter in order {
        let name = match letter.to_ascii_uppercase() {
            b'G' => "_GET",
            b'P' => "_POST",
            b'C' => "_COOKIE",
            _ => continue,
        };
        for (key, value) in &global(vm, name) {
            all.insert(key, value.clone());
        }
    }
    set_global(vm, "_REQUEST", all.into());
}

/// The elements of `$_SERVER` that the header `Authorization` provides.
pub fn credentials(header: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let blank = header.iter().position(|&byte| byte == b' ').unwrap_or(header.len());
    let (scheme, rest) = (&header[..blank], header[blank..].trim_ascii());
    if scheme.eq_ignore_ascii_case(b"digest") {
        return vec![("PHP_AUTH_DIGEST", rest.to_vec())];
    }
    let pair = scheme.eq_ignore_ascii_case(b"basic").then(|| base64::decode(rest, false)).flatten();
    let pair = pair.as_deref().unwrap_or_default();
    match pair.iter().position(|&byte| byte == b':') {
        Some(colon) => {
            vec![("PHP_AUTH_USER", pair[..colon].to_vec()), ("PHP_AUTH_PW", pair[colon + 1..].to_vec())]
        }
        None => Vec::new(),
    }
}

/// Elements of `$_SERVER` under this program's web server, in PHP's order; the client's headers and the time follow.
const OF_SERVER: [&str; 14] = [
    "DOCUMENT_ROOT",
    "REMOTE_ADDR",
    "REMOTE_PORT",
    "SERVER_SOFTWARE",
    "SERVER_PROTOCOL",
    "SERVER_NAME",
    "SERVER_PORT",
    "REQUEST_URI",
    "REQUEST_METHOD",
    "SCRIPT_NAME",
    "SCRIPT_FILENAME",
    "PATH_INFO",
    "PHP_SELF",
    "QUERY_STRING",
];

/// The variable with the client's headers as they came, a line each: CGI's variables know neither their order nor their case.
pub const HEADERS: &str = "PHLOX_SERVER_HEADERS";

fn header_lines(vm: &Vm) -> Vec<(Vec<u8>, Vec<u8>)> {
    let text = parameter(vm, HEADERS);
    let lines = text.split(|&byte| byte == b'\n').filter_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        Some((line[..colon].to_vec(), line[colon + 1..].to_vec()))
    });
    lines.collect()
}

/// `$_SERVER` of a script of the server itself; its environment stays out of it.
fn variables_of_server(vm: &Vm) -> PhpArr {
    let before = global(vm, "_SERVER");
    let mut server = PhpArr::new();
    for name in OF_SERVER {
        let value = match name {
            "PHP_SELF" => [parameter(vm, "SCRIPT_NAME"), parameter(vm, "PATH_INFO")].concat(),
            name => parameter(vm, name),
        };
        if !value.is_empty() {
            server.set_bytes(name.as_bytes(), Val::str(&value));
        }
    }
    for (name, value) in header_lines(vm) {
        let upper = String::from_utf8_lossy(&name).to_ascii_uppercase().replace('-', "_");
        if matches!(upper.as_str(), "CONTENT_TYPE" | "CONTENT_LENGTH") {
            server.set_bytes(upper.as_bytes(), Val::str(&value));
        }
        server.set_bytes(format!("HTTP_{upper}").as_bytes(), Val::str(&value));
    }
    for (name, value) in credentials(&parameter(vm, "HTTP_AUTHORIZATION")) {
        server.set_bytes(name.as_bytes(), Val::str(&value));
    }
    for name in [b"REQUEST_TIME_FLOAT".as_slice(), b"REQUEST_TIME"] {
        if let Some(time) = before.get_bytes(name) {
            server.set_bytes(name, time.clone());
        }
    }
    server
}

/// Sets the elements of `$_SERVER` that differ from those of the command line.
fn set_server(vm: &Vm, changes: &Changes) {
    if sapi::request(vm).is_server.get() {
        return set_arguments(vm, variables_of_server(vm));
    }
    let mut server = global(vm, "_SERVER");
    let mut set = |name: &str, value: Option<&[u8]>| match value {
        Some(value) => server.set_bytes(name.as_bytes(), Val::str(value)),
        None => drop(server.remove(phlox_runtime::Key::Str(&PhpStr::new(name.as_bytes())))),
    };
    // The paths that the server gives replace those of the command line.
    let paths = ["SCRIPT_FILENAME", "PATH_TRANSLATED"].map(|name| (name, parameter(vm, name)));
    if paths.iter().any(|(_, value)| !value.is_empty()) {
        for (name, value) in &paths {
            set(name, Some(&value[..]).filter(|value| !value.is_empty()));
        }
    }
    for (name, value) in changes {
        set(name, value.as_deref());
    }
    for (name, value) in credentials(&parameter(vm, "HTTP_AUTHORIZATION")) {
        set(name, Some(&value));
    }
    let changed = |name: &str| match changes.iter().rev().find(|(changed, _)| *changed == name) {
        Some((_, value)) => value.clone().unwrap_or_default(),
        None => parameter(vm, name),
    };
    let given = changes.iter().find(|(name, _)| *name == "PHP_SELF").and_then(|(_, value)| value.clone());
    let own = given.unwrap_or_else(|| [changed("SCRIPT_NAME"), changed("PATH_INFO")].concat());
    if !own.is_empty() {
        server.set_bytes(b"PHP_SELF", Val::str(&own));
    }
    for name in ["SCRIPT_NAME", "DOCUMENT_ROOT"] {
        server.set_bytes(name.as_bytes(), Val::str(&changed(name)));
    }
    set_arguments(vm, server);
}

/// Completes `$_SERVER` by the words of the query, which stand for those of a command line.
fn set_arguments(vm: &Vm, mut server: PhpArr) {
    let arguments: Vec<Val> = match parameter(vm, "QUERY_STRING") {
        query if query.is_empty() => Vec::new(),
        query => query.split(|&byte| byte == b'+').map(Val::str).collect(),
    };
    if vm.ini.get(&REGISTER_ARGC_ARGV) {
        let (count, list) = (Val::int(arguments.len() as i64), PhpArr::from_vec(arguments));
        for (name, value) in [("argv", Val::from(list)), ("argc", count)] {
            server.set_bytes(name.as_bytes(), value.clone());
            set_global(vm, name, value);
        }
    } else {
        for name in ["argv", "argc"] {
            server.remove(phlox_runtime::Key::Str(&PhpStr::new(name.as_bytes())));
            vm.globals.slot(&PhpStr::intern(name.as_bytes())).set(Val::UNDEF);
        }
    }
    set_global(vm, "_SERVER", server.into());
}

/// `a=1&b[]=2`, up to the limit that the settings give.
fn pairs(vm: &Vm, text: &[u8], separators: &[u8]) -> Val {
    let mut target = Val::from(PhpArr::new());
    let limit = vm.ini.get(&MAX_INPUT_VARS);
    let depth = usize::try_from(vm.ini.get(&MAX_INPUT_NESTING_LEVEL)).unwrap_or(0);
    let parts = text.split(|byte| separators.contains(byte)).filter(|pair| !pair.is_empty());
    for (count, pair) in parts.enumerate() {
        if count as i64 >= limit {
            warn(vm, &too_many(limit));
            break;
        }
        let at = pair.iter().position(|&byte| byte == b'=').unwrap_or(pair.len());
        let value = decode(pair.get(at + 1..).unwrap_or_default(), false);
        register_variable_within(depth, &mut target, &decode(&pair[..at], false), value.into());
    }
    target
}

/// The warning about variables beyond `max_input_vars`.
pub fn too_many(limit: i64) -> String {
    format!("Input variables exceeded {limit}. To increase the limit change max_input_vars in php.ini.")
}

/// The first cookie of a name counts; values are encoded, names are not.
fn cookies(vm: &Vm, text: &[u8]) -> Val {
    let mut target = Val::from(PhpArr::new());
    let limit = vm.ini.get(&MAX_INPUT_VARS);
    let parts = text.split(|&byte| byte == b';').map(<[u8]>::trim_ascii_start).filter(|pair| !pair.is_empty());
    for (count, pair) in parts.enumerate() {
        if count as i64 >= limit {
            warn(vm, &too_many(limit));
            break;
        }
        let at = pair.iter().position(|&byte| byte == b'=').unwrap_or(pair.len());
        let name = &pair[..at];
        let value = decode(pair.get(at + 1..).unwrap_or_default(), true);
        register_cookie(&mut target, name, value.into());
    }
    target
}
