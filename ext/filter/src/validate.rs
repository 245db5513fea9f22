//! Filters that accept or refuse. Functions give the value; `None`: it is refused.

use crate::flags::*;
use crate::network;
use crate::options::Options;
use crate::sanitize;
use phlox_runtime::{Args, Call, Callee, Func, PhpResult, PhpStr, Val, number};
use std::rc::Rc;

/// Without the white space around; `None`: nothing else is there.
fn trimmed(text: &[u8]) -> Option<&[u8]> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | b'\n');
    let start = text.iter().position(|byte| !is_space(byte))?;
    let end = text.iter().rposition(|byte| !is_space(byte))?;
    Some(&text[start..=end])
}

fn decimal(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let canonical = digits == b"0" || digits.first().is_some_and(|digit| (b'1'..=b'9').contains(digit));
    if !canonical || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn radix(digits: &[u8], radix: u32) -> Option<i64> {
    if digits.is_empty() {
        return Some(0);
    }
    let valid = digits.iter().all(|&digit| (digit as char).is_digit(radix));
    let digits = std::str::from_utf8(digits).ok().filter(|_| valid)?;
    u64::from_str_radix(digits, radix).ok().map(|value| value as i64)
}

pub fn int(text: &[u8], flags: i64, options: &Options<'_>) -> PhpResult<Option<Val>> {
    let (least, most) = (options.int("min_range")?, options.int("max_range")?);
    let Some(text) = trimmed(text) else { return Ok(None) };
    let value = match text {
        [b'0', b'x' | b'X', digits @ ..] if flags & ALLOW_HEX != 0 => {
            if digits.is_empty() {
                None
            } else {
                radix(digits, 16)
            }
        }
        [b'0', b'o' | b'O', digits @ ..] if flags & ALLOW_OCTAL != 0 => {
            if digits.is_empty() {
                None
            } else {
                radix(digits, 8)
            }
        }
        [b'0', digits @ ..] if flags & ALLOW_OCTAL != 0 => radix(digits, 8),
        _ => decimal(text),
    };
    let in_range = |value: &i64| least.is_none_or(|least| *value >= least) && most.is_none_or(|most| *value <= most);
    Ok(value.filter(in_range).map(Val::int))
}

pub fn boolean(text: &[u8]) -> Option<Val> {
    let Some(text) = trimmed(text) else { return Some(Val::FALSE) };
    match &text.to_ascii_lowercase()[..] {
        b"1" | b"true" | b"on" | b"yes" => Some(Val::TRUE),
        b"0" | b"false" | b"off" | b"no" => Some(Val::FALSE),
        _ => None,
    }
}

/// A float's text in PHP's own form, without separators of thousands.
fn plain_float(text: &[u8], point: u8, separators: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = text;
    if let [sign @ (b'+' | b'-'), tail @ ..] = rest {
        out.push(*sign);
        rest = tail;
    }
    let digits = |rest: &mut &[u8], out: &mut Vec<u8>| {
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        out.extend_from_slice(&rest[..count]);
        *rest = &rest[count..];
        count
    };
    let mut first = true;
    loop {
        let count = digits(&mut rest, &mut out);
        match rest {
            [byte, tail @ ..] if *byte != point && !matches!(byte, b'e' | b'E') => {
                let fits = if first { (1..=3).contains(&count) } else { count == 3 };
                if !fits || !separators.is_some_and(|separators| separators.contains(byte)) {
                    return None;
                }
                first = false;
                rest = tail;
            }
            _ if !first && count != 3 => return None,
            _ => break,
        }
    }
    if let [byte, tail @ ..] = rest
        && *byte == point
    {
        out.push(b'.');
        rest = tail;
        digits(&mut rest, &mut out);
    }
    if let [exponent @ (b'e' | b'E'), tail @ ..] = rest {
        out.push(*exponent);
        rest = tail;
        if let [sign @ (b'+' | b'-'), tail @ ..] = rest {
            out.push(*sign);
            rest = tail;
        }
        digits(&mut rest, &mut out);
    }
    rest.is_empty().then_some(out)
}

pub fn float(call: &Call<'_>, text: &[u8], flags: i64, options: &Options<'_>) -> PhpResult<Option<Val>> {
    let Some(text) = trimmed(text) else { return Ok(None) };
    let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
    let point = match options.text("decimal").as_ref().map(|text| text.as_bytes()) {
        None => b'.',
        Some([byte]) => *byte,
        Some(_) => {
            let text = format!("{name}(): \"decimal\" option must be one character long");
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
    };
    let separators = options.text("thousand");
    if separators.as_ref().is_some_and(|separators| separators.is_empty()) {
        let text = format!("{name}(): \"thousand\" option must not be empty");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    let (least, most) = (options.float("min_range")?, options.float("max_range")?);
    let separators = separators.as_ref().map_or(&b"',."[..], |separators| separators.as_bytes());
    let allowed = (flags & ALLOW_THOUSAND != 0).then_some(separators);
    let Some(plain) = plain_float(text, point, allowed) else { return Ok(None) };
    let Some(value) = number::numeric(&plain).map(|number| number.as_f64()) else { return Ok(None) };
    let underflows = value == 0.0
        && plain.iter().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| (b'1'..=b'9').contains(byte));
    let in_range = least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most);
    Ok((value.is_finite() && !underflows && in_range).then(|| Val::double(value)))
}

pub fn regexp(call: &Call<'_>, text: &PhpStr, options: &Options<'_>) -> PhpResult<bool> {
    let Some(pattern) = options.text("regexp") else {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let text = format!("{name}(): \"regexp\" option is missing");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    };
    let Some(preg_match) = call.vm.find_function(b"preg_match") else { return Ok(false) };
    // What is wrong with the pattern is reported as of the function that was called.
    let mut own: Func = preg_match.with_scope(None);
    own.name = call.func.name.clone();
    let args = Args { positional: vec![pattern.into(), text.into()], named: Vec::new() };
    Ok(call.vm.call(&Callee::function(Rc::new(own)), args)?.as_int() == Some(1))
}

pub fn mac(call: &Call<'_>, text: &[u8], options: &Options<'_>) -> PhpResult<bool> {
    let wanted = options.text("separator");
    if wanted.as_ref().is_some_and(|separator| separator.len() != 1) {
        let name = phlox_runtime::shown(&call.func.display_name()).into_owned();
        let text = format!("{name}(): \"separator\" option must be one character long");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    let found = network::mac_separator(text);
    Ok(found.is_some_and(|found| wanted.is_none_or(|wanted| wanted[0] == found)))
}

fn is_userinfo(text: &[u8]) -> bool {
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail) {
            (b'%', [high, low, tail @ ..]) if high.is_ascii_digit() && low.is_ascii_hexdigit() => tail,
            _ if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(byte) => tail,
            _ => return false,
        };
    }
    true
}

pub fn url(call: &Call<'_>, text: &PhpStr, flags: i64) -> PhpResult<bool> {
    if sanitize::url(text).len() != text.len() {
        return Ok(false);
    }
    let parts = call.vm.call_value(&"parse_url".into(), vec![text.into()])?;
    let Some(parts) = parts.into_arr() else { return Ok(false) };
    let part = |name: &str| parts.get_bytes(name.as_bytes()).and_then(|value| value.deref().into_str());
    let (Some(scheme), host) = (part("scheme"), part("host")) else { return Ok(false) };
    let is_web = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    let host_is_valid = match &host {
        None => matches!(&scheme[..], b"mailto" | b"news" | b"file"),
        Some(host) if is_web => {
            let literal = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            literal.is_some_and(|address| network::ipv6(address).is_some()) || network::is_domain(host, true)
        }
        Some(_) => true,
    };
    Ok(host_is_valid
        && (flags & PATH_REQUIRED == 0 || part("path").is_some())
        && (flags & QUERY_REQUIRED == 0 || part("query").is_some())
        && part("user").is_none_or(|user| is_userinfo(&user))
        && part("pass").is_none_or(|pass| is_userinfo(&pass)))
}
