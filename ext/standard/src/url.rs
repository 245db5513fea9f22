//! URLs: escaping, taking apart, query strings.

use crate::request::{MAX_INPUT_NESTING_LEVEL, MAX_INPUT_VARS, too_many};
use phlox_runtime::class::{ClassExt, ObjExt};
use phlox_runtime::settings;
use phlox_runtime::{
    ArrKey, Call, ConstValue, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, View, convert, enums, props,
};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("urlencode(string $string): string", urlencode).fast_path(|args| encode_quick(args, false)),
    FnDef::new("urldecode(string $string): string", urldecode),
    FnDef::new("rawurlencode(string $string): string", rawurlencode).fast_path(|args| encode_quick(args, true)),
    FnDef::new("rawurldecode(string $string): string", rawurldecode),
    FnDef::new("parse_url(string $url, int $component = -1): int|string|array|null|false", parse_url),
    FnDef::new(
        "http_build_query(array|object $data, string $numeric_prefix = \"\", ?string $arg_separator = null, int $encoding_type = PHP_QUERY_RFC1738): string",
        http_build_query,
    ),
    FnDef::new("parse_str(string $string, &$result): void", parse_str),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("PHP_URL_SCHEME", ConstValue::Int(0)),
    ("PHP_URL_HOST", ConstValue::Int(1)),
    ("PHP_URL_PORT", ConstValue::Int(2)),
    ("PHP_URL_USER", ConstValue::Int(3)),
    ("PHP_URL_PASS", ConstValue::Int(4)),
    ("PHP_URL_PATH", ConstValue::Int(5)),
    ("PHP_URL_QUERY", ConstValue::Int(6)),
    ("PHP_URL_FRAGMENT", ConstValue::Int(7)),
    ("PHP_QUERY_RFC1738", ConstValue::Int(1)),
    ("PHP_QUERY_RFC3986", ConstValue::Int(2)),
];

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Percent-encodes; `raw` follows RFC 3986, otherwise a space becomes `+` and `~` is escaped.
pub fn encode(text: &[u8], raw: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => out.push(byte),
            b'~' if raw => out.push(byte),
            b' ' if !raw => out.push(b'+'),
            _ => out.extend_from_slice(&[b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
        }
    }
    out
}

fn encode_quick(args: &[Val], raw: bool) -> Option<Val> {
    let [text] = args else { return None };
    Some(Val::str(&encode(text.as_str()?, raw)))
}

/// Undoes [`encode`].
pub fn decode(text: &[u8], raw: bool) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|&b| (b as char).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 2;
            }
            (b'+', _, _) if !raw => out.push(b' '),
            (byte, _, _) => out.push(byte),
        }
        at += 1;
    }
    out
}

fn urlencode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(encode(&call.str(0), false).into())
}

fn urldecode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(decode(&call.str(0), false).into())
}

fn rawurlencode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(encode(&call.str(0), true).into())
}

fn rawurldecode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(decode(&call.str(0), true).into())
}

/// The parts of a URL that are there.
#[derive(Default)]
pub struct Url<'a> {
    pub scheme: Option<&'a [u8]>,
    pub host: Option<&'a [u8]>,
    pub port: Option<u16>,
    pub user: Option<&'a [u8]>,
    pub pass: Option<&'a [u8]>,
    pub path: Option<&'a [u8]>,
    pub query: Option<&'a [u8]>,
    pub fragment: Option<&'a [u8]>,
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    memchr::memchr(byte, text)
}

/// What follows the scheme.
enum Rest<'a> {
    /// `user:pass@host:port` and a path.
    Authority(&'a [u8]),
    Path(&'a [u8]),
}

/// The digits at the start as C's `strtol` reads them, if they make a port.
fn port_number(text: &[u8]) -> Option<u16> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

/// Takes a URL apart. `None`: it is malformed.
pub fn parse(text: &[u8]) -> Option<Url<'_>> {
    let mut url = Url::default();
    match split_scheme(text, &mut url)? {
        // A scheme alone does not even have an empty path.
        Rest::Path(b"") if url.scheme.is_some() => {}
        Rest::Path(path) => split_path(&mut url, path),
        Rest::Authority(rest) => {
            let end = rest.iter().position(|b| matches!(b, b'/' | b'?' | b'#')).unwrap_or(rest.len());
            split_authority(&mut url, &rest[..end])?;
            if end < rest.len() {
                split_path(&mut url, &rest[end..]);
            }
        }
    }
    Some(url)
}

fn split_scheme<'a>(text: &'a [u8], url: &mut Url<'a>) -> Option<Rest<'a>> {
    let without_scheme = || match text.strip_prefix(b"//") {
        Some(rest) => Rest::Authority(rest),
        None => Rest::Path(text),
    };
    let Some(colon) = find(text, b':') else { return Some(without_scheme()) };
    if colon == 0 {
        return leading_port(text, colon, url);
    }
    let (scheme, behind) = (&text[..colon], &text[colon + 1..]);
    if !scheme.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')) {
        let before_query = text.iter().position(|b| matches!(b, b'?' | b'#')).is_none_or(|end| colon < end);
        if !behind.is_empty() && before_query {
            return leading_port(text, colon, url);
        }
        return Some(without_scheme());
    }
    if !behind.is_empty() && behind[0] != b'/' {
        // "host:80" and "host:80/path" have a port, not a scheme.
        let digits = behind.iter().take_while(|b| b.is_ascii_digit()).count();
        if matches!(behind.get(digits), None | Some(b'/')) && digits < 6 {
            return leading_port(text, colon, url);
        }
    }
    url.scheme = Some(scheme);
    let Some(rest) = behind.strip_prefix(b"//") else { return Some(Rest::Path(behind)) };
    if scheme.eq_ignore_ascii_case(b"file") && rest.starts_with(b"/") {
        // file:///c:/path names a drive.
        return Some(Rest::Path(if rest.get(2) == Some(&b':') { &rest[1..] } else { rest }));
    }
    Some(Rest::Authority(rest))
}

/// A colon that ends no scheme may stand before a port.
fn leading_port<'a>(text: &'a [u8], colon: usize, url: &mut Url<'a>) -> Option<Rest<'a>> {
    let behind = &text[colon + 1..];
    let digits = behind.iter().take(6).take_while(|b| b.is_ascii_digit()).count();
    let network_path = text.strip_prefix(b"//");
    if (1..6).contains(&digits) && matches!(behind.get(digits), None | Some(b'/')) {
        url.port = Some(port_number(behind)?);
        return Some(Rest::Authority(network_path.unwrap_or(text)));
    }
    if behind.is_empty() {
        return None;
    }
    Some(network_path.map_or(Rest::Path(text), Rest::Authority))
}

fn split_authority<'a>(url: &mut Url<'a>, authority: &'a [u8]) -> Option<()> {
    let mut host = authority;
    if let Some(at) = authority.iter().rposition(|&b| b == b'@') {
        let login = &authority[..at];
        match find(login, b':') {
            Some(colon) => {
                url.user = Some(&login[..colon]);
                url.pass = Some(&login[colon + 1..]);
            }
            None => url.user = Some(login),
        }
        host = &authority[at + 1..];
    }
    let bracketed = host.starts_with(b"[") && host.ends_with(b"]");
    if let Some(colon) = host.iter().rposition(|&b| b == b':').filter(|_| !bracketed) {
        let port = &host[colon + 1..];
        if url.port.is_none_or(|port| port == 0) && !port.is_empty() {
            url.port = Some(port_number(port).filter(|_| port.len() <= 5)?);
        }
        host = &host[..colon];
    }
    if host.is_empty() {
        return None;
    }
    url.host = Some(host);
    Some(())
}

fn split_path<'a>(url: &mut Url<'a>, text: &'a [u8]) {
    let was_empty = text.is_empty();
    let (text, fragment) = match find(text, b'#') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (path, query) = match find(text, b'?') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    url.fragment = fragment;
    url.query = query;
    url.path = (!path.is_empty() || was_empty).then_some(path);
}

/// Control characters in a part become underscores.
fn clean(part: Option<&[u8]>) -> Option<Val> {
    let replace = |b: &u8| if b.is_ascii_control() { b'_' } else { *b };
    part.map(|part| part.iter().map(replace).collect::<Vec<u8>>().into())
}

fn parse_url(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let component = call.int(1);
    let Some(url) = parse(&text) else { return Ok(Val::FALSE) };
    let port = url.port.map(|port| Val::int(port.into()));
    let parts = [
        ("scheme", clean(url.scheme)),
        ("host", clean(url.host)),
        ("port", port),
        ("user", clean(url.user)),
        ("pass", clean(url.pass)),
        ("path", clean(url.path)),
        ("query", clean(url.query)),
        ("fragment", clean(url.fragment)),
    ];
    if component >= 0 {
        return match parts.into_iter().nth(component as usize) {
            Some((_, part)) => Ok(part.unwrap_or(Val::NULL)),
            None => {
                let text = format!("must be a valid URL component identifier, {component} given");
                Err(call.value_error(1, &text))
            }
        };
    }
    let mut table = PhpArr::new();
    for (name, part) in parts {
        if let Some(part) = part {
            table.set_bytes(name.as_bytes(), part);
        }
    }
    Ok(table.into())
}

fn parse_str(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut result = Val::from(PhpArr::new());
    let separators = call.vm.ini.get(&settings::ARG_SEPARATOR_INPUT);
    let separators: &[u8] = if separators.is_empty() { b"&" } else { &separators };
    let most = call.vm.ini.get(&MAX_INPUT_VARS);
    let depth = usize::try_from(call.vm.ini.get(&MAX_INPUT_NESTING_LEVEL)).unwrap_or(0);
    let pairs = text.split(|byte| separators.contains(byte)).filter(|pair| !pair.is_empty());
    for (count, pair) in pairs.enumerate() {
        if count as i64 >= most {
            call.warning(&too_many(most))?;
            break;
        }
        let (name, value) = match find(pair, b'=') {
            Some(at) => (&pair[..at], &pair[at + 1..]),
            None => (pair, &[][..]),
        };
        register_variable_within(depth, &mut result, &decode(name, false), decode(value, false).into());
    }
    call.assign(1, result)?;
    Ok(Val::NULL)
}

/// Stores a request variable: `a[b][]` in the name makes nested arrays.
pub fn register_variable(target: &mut Val, name: &[u8], value: Val) {
    register_variable_within(DEPTH_MAX, target, name, value);
}

/// The default of `max_input_nesting_level`.
const DEPTH_MAX: usize = 64;

/// Stores a request variable, unless its name nests deeper than `depth`.
pub fn register_variable_within(depth: usize, target: &mut Val, name: &[u8], value: Val) {
    register(depth, target, name, value, false);
}

/// Stores a cookie; of several with a name the first one counts.
pub fn register_cookie(target: &mut Val, name: &[u8], value: Val) {
    register(DEPTH_MAX, target, name, value, true);
}

/// Names of cookies that only some servers can set. A name that is none of them but would become one in PHP could be set by
/// anybody, so it is left out, wherever it stands.
fn is_forged(key: &[u8], name: &[u8]) -> bool {
    [&b"__Host-"[..], b"__Secure-"].iter().any(|prefix| key.starts_with(prefix) && !name.starts_with(prefix))
}

fn register(depth: usize, target: &mut Val, name: &[u8], value: Val, first_counts: bool) {
    let name = &name[name.iter().take_while(|&&b| b == b' ').count()..];
    let name = &name[..find(name, 0).unwrap_or(name.len())];
    let bracket = find(name, b'[').unwrap_or(name.len());
    let mut base: Vec<u8> = name[..bracket].iter().map(|&b| if matches!(b, b' ' | b'.') { b'_' } else { b }).collect();
    let mut keys: Vec<Option<&[u8]>> = Vec::new();
    let mut rest = &name[bracket..];
    while let [b'[', tail @ ..] = rest {
        let Some(end) = find(tail, b']') else {
            // An unclosed bracket is part of the name.
            if keys.is_empty() {
                base.push(b'_');
                base.extend(tail.iter().map(|&b| if matches!(b, b' ' | b'.' | b'[') { b'_' } else { b }));
            }
            break;
        };
        let key = &tail[..end];
        let is_new = matches!(key, [] | [b' ' | b'\t'..=b'\r']);
        keys.push((!is_new).then_some(key));
        rest = &tail[end + 1..];
    }
    if bracket == 0 || base.is_empty() || keys.len() > depth {
        return;
    }
    let is_known =
        |target: &Val| target.as_arr().is_some_and(|array| array.get(ArrKey::from_bytes(&base).as_key()).is_some());
    if first_counts && keys.is_empty() && is_known(target) {
        return;
    }
    let mut path = vec![Some(&base[..])];
    path.extend(keys);
    store_at(target, &path, name, value);
}

fn store_at(place: &mut Val, path: &[Option<&[u8]>], name: &[u8], value: Val) {
    let Some((key, rest)) = path.split_first() else {
        place.set(value);
        return;
    };
    if place.as_arr().is_none() {
        place.set(PhpArr::new().into());
    }
    let Some(array) = place.as_arr_mut() else { return };
    let inner = match key {
        None => match array.push_place() {
            Ok(inner) => inner,
            Err(_) => return,
        },
        Some(key) if is_forged(key, name) => return,
        Some(key) => array.entry(ArrKey::from_bytes(key).as_key()).0,
    };
    store_at(inner, rest, name, value);
}

struct QueryBuilder<'a, 'c> {
    call: &'a Call<'c>,
    separator: PhpStr,
    prefix: PhpStr,
    raw: bool,
    out: Vec<u8>,
}

fn http_build_query(call: &mut Call<'_>) -> PhpResult<Val> {
    let separator = match call.opt_str(2) {
        Some(separator) => separator,
        None => match call.vm.ini.get(&settings::ARG_SEPARATOR_OUTPUT) {
            empty if empty.is_empty() => PhpStr::new(b"&"),
            setting => setting,
        },
    };
    let data = call.arg(0);
    let mut builder = QueryBuilder { call, separator, prefix: call.str(1), raw: call.int(3) == 2, out: Vec::new() };
    let mut path = Vec::new();
    builder.container(&data, &mut path, true)?;
    Ok(builder.out.into())
}

impl QueryBuilder<'_, '_> {
    /// All members of an array or object; `path` is the encoded name of the container, and comes back as it was.
    fn container(&mut self, value: &Val, path: &mut Vec<u8>, outermost: bool) -> PhpResult<()> {
        match value.view() {
            View::Arr(array) => {
                if !array.protect() {
                    return Ok(());
                }
                let array = array.clone();
                if self.call.vm.native_stack_is_low() {
                    array.unprotect();
                    return Err(self.call.vm.throw_error(b"Maximum call stack size reached."));
                }
                let result = array.iter().try_for_each(|(key, value)| self.member(key, value, path, outermost));
                array.unprotect();
                result
            }
            View::Obj(object) => {
                if object.class().is_enum() {
                    let given = phlox_runtime::shown(&object.class().name).into_owned();
                    return Err(self.call.type_error(0, &format!("must not be an enum, {given} given")));
                }
                if !object.protect() {
                    return Ok(());
                }
                let scope = self.call.vm.scope();
                let shown = convert::object_properties(object);
                let result = shown.iter().try_for_each(|(key, value)| {
                    let name = convert::property_name(key);
                    let (owner, plain) = convert::unmangle_name(&name);
                    let plain = PhpStr::new(plain);
                    // A dynamic property that only has the name of a declared one is visible.
                    let declared = object.class().props.get(&plain).filter(|info| !info.is_static());
                    let visible = owner.is_none()
                        || declared.is_none()
                        || object.class().props.get(&plain).is_some_and(|info| props::is_visible(info, scope.as_ref()));
                    if visible { self.member(ArrKey::from_str(plain).as_key(), value, path, outermost) } else { Ok(()) }
                });
                object.unprotect();
                result
            }
            _ => Ok(()),
        }
    }

    fn member(&mut self, key: Key<'_>, value: &Val, path: &mut Vec<u8>, outermost: bool) -> PhpResult<()> {
        let value = value.deref();
        if value.is_null() || value.as_res().is_some() {
            return Ok(());
        }
        let key_text = match key {
            Key::Int(i) => i.to_string().into_bytes(),
            Key::Str(s) => encode(s, self.raw),
        };
        let length = path.len();
        let parts: [&[u8]; 3] = match key {
            _ if !outermost => [b"%5B", &key_text, b"%5D"],
            Key::Int(_) => [&self.prefix, &key_text, b""],
            Key::Str(_) => [b"", &key_text, b""],
        };
        path.extend(parts.into_iter().flatten());
        let result = self.named(&value, path);
        path.truncate(length);
        result
    }

    /// A value whose whole name is known.
    fn named(&mut self, value: &Val, path: &mut Vec<u8>) -> PhpResult<()> {
        if value.as_arr().is_some() {
            return self.container(value, path, false);
        }
        if let Some(object) = value.as_obj() {
            if !object.class().is_enum() {
                return self.container(value, path, false);
            }
            let Some(backing) = enums::case_value(object) else {
                let class = &object.class_header().class().name;
                let text = format!("Unbacked enum {class} cannot be converted to a string");
                return Err(self.call.vm.throw_value_error(text.as_bytes()));
            };
            return self.pair(path, &backing);
        }
        self.pair(path, value)
    }

    fn pair(&mut self, name: &[u8], value: &Val) -> PhpResult<()> {
        let text = match value.view() {
            View::Bool(b) => PhpStr::from(if b { "1" } else { "0" }),
            _ => convert::to_str(self.call.vm, value)?,
        };
        if !self.out.is_empty() {
            self.out.extend_from_slice(&self.separator);
        }
        self.out.extend_from_slice(name);
        self.out.push(b'=');
        self.out.extend_from_slice(&encode(&text, self.raw));
        Ok(())
    }
}
