//! Response headers. On the command line they are collected and never sent.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("header(string $header, bool $replace = true, int $response_code = 0): void", header),
    FnDef::new("header_remove(?string $name = null): void", header_remove),
    FnDef::new("headers_list(): array", headers_list),
    FnDef::new("headers_sent(&$filename = null, &$line = null): bool", headers_sent),
    FnDef::new("http_response_code(int $response_code = 0): int|bool", http_response_code),
    FnDef::new("header_register_callback(callable $callback): bool", header_register_callback),
];

#[derive(Default)]
struct Headers {
    list: RefCell<Vec<Vec<u8>>>,
    status: Cell<i64>,
}

fn headers(vm: &Vm) -> Rc<Headers> {
    vm.data::<Headers>("headers")
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
    if code != 0 {
        headers.status.set(code);
    }
    if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) {
        let status = text.split(|&b| b == b' ').nth(1).and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
        headers.status.set(status.unwrap_or(200));
        return Ok(Val::NULL);
    }
    if !text.contains(&b':') {
        return Ok(Val::NULL);
    }
    let mut list = headers.list.borrow_mut();
    if replace {
        list.retain(|other| !name_of(other).eq_ignore_ascii_case(name_of(text)));
    }
    list.push(text.to_vec());
    Ok(Val::NULL)
}

fn header_remove(call: &mut Call<'_>) -> PhpResult<Val> {
    if !check_not_sent(call)? {
        return Ok(Val::NULL);
    }
    let headers = headers(call.vm);
    let name = call.opt_str(0);
    headers
        .list
        .borrow_mut()
        .retain(|header| name.as_ref().is_some_and(|name: &PhpStr| !name_of(header).eq_ignore_ascii_case(name)));
    Ok(Val::NULL)
}

fn headers_list(call: &mut Call<'_>) -> PhpResult<Val> {
    let headers = headers(call.vm);
    let own = [Val::from(format!("X-Powered-By: PHP/{}", crate::info::PHP_VERSION))];
    let list = headers.list.borrow();
    Ok(own.into_iter().chain(list.iter().map(|header| Val::str(header))).collect::<PhpArr>().into())
}

fn headers_sent(call: &mut Call<'_>) -> PhpResult<Val> {
    let at = call.vm.output.sent_at.borrow().clone();
    let (file, line) = at.unwrap_or_else(|| (PhpStr::empty(), 0));
    if call.was_passed(0) {
        call.give_back(0, file.into());
    }
    if call.was_passed(1) {
        call.give_back(1, Val::int(line as i64));
    }
    Ok(Val::bool(call.vm.output.sent.get()))
}

fn http_response_code(call: &mut Call<'_>) -> PhpResult<Val> {
    let headers = headers(call.vm);
    let (old, new) = (headers.status.get(), call.int(0));
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
    Ok(if old == 0 { Val::TRUE } else { Val::int(old) })
}

fn header_register_callback(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::TRUE)
}
