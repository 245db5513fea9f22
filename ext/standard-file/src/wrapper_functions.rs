//! `stream_wrapper_register` and the other functions on the table of wrappers.

use crate::stream::open::{self, BUILTIN, Wrapper};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, Vm};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("stream_wrapper_register(string $protocol, string $class, int $flags = 0): bool", register),
    FnDef::new("stream_register_wrapper(string $protocol, string $class, int $flags = 0): bool", register),
    FnDef::new("stream_wrapper_unregister(string $protocol): bool", unregister),
    FnDef::new("stream_wrapper_restore(string $protocol): bool", restore),
    FnDef::new("stream_get_wrappers(): array", stream_get_wrappers),
    FnDef::new("stream_get_transports(): array", stream_get_transports),
];

fn register(call: &mut Call<'_>) -> PhpResult<Val> {
    const STREAM_IS_URL: i64 = 1;
    // Streams of the class call its methods when they are released.
    phlox_runtime::note_destructors();
    let (protocol, class_name) = (call.str(0), call.str(1));
    let Some(class) = call.vm.find_class(&class_name)? else {
        let class_name = phlox_runtime::shown(phlox_runtime::until_nul(&class_name));
        let text = format!("must be a valid class name, {class_name} given");
        return Err(call.type_error(1, &text));
    };
    let key = protocol.to_ascii_lowercase();
    let valid = !key.is_empty() && key.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    if !valid {
        let class = &phlox_runtime::ClassExt::class(&*class).name;
        let protocol = phlox_runtime::shown(phlox_runtime::until_nul(&protocol));
        let text =
            format!("Invalid protocol scheme specified. Unable to register wrapper class {class} to {protocol}://");
        call.warning(&text)?;
        return Ok(Val::FALSE);
    }
    let wrappers = open::wrappers(call.vm);
    if wrappers.table.borrow().iter().any(|(known, _)| *known == key) {
        call.warning(&format!("Protocol {protocol}:// is already defined."))?;
        return Ok(Val::FALSE);
    }
    let is_url = call.int(2) & STREAM_IS_URL != 0;
    wrappers.table.borrow_mut().push((key, Wrapper::User { class, is_url }));
    Ok(Val::TRUE)
}

fn unregister(call: &mut Call<'_>) -> PhpResult<Val> {
    let protocol = call.str(0);
    let wrappers = open::wrappers(call.vm);
    let position = wrappers.table.borrow().iter().position(|(known, _)| known == protocol.as_bytes());
    match position {
        Some(position) => {
            drop(wrappers.table.borrow_mut().remove(position));
            Ok(Val::TRUE)
        }
        None => {
            call.warning(&format!("Unable to unregister protocol {protocol}://"))?;
            Ok(Val::FALSE)
        }
    }
}

fn restore(call: &mut Call<'_>) -> PhpResult<Val> {
    let protocol = call.str(0);
    // A wrapper of another extension is either still registered or was removed and cannot be restored.
    let is_known = open::wrappers(call.vm)
        .table
        .borrow()
        .iter()
        .any(|(known, wrapper)| known == protocol.as_bytes() && !matches!(wrapper, Wrapper::User { .. }));
    if is_known {
        let text = format!("{protocol}:// was never changed, nothing to restore");
        call.raise(phlox_runtime::Level::Notice, text.as_bytes())?;
        return Ok(Val::TRUE);
    }
    let Some((name, wrapper)) = BUILTIN.iter().find(|(name, _)| name.as_bytes() == protocol.as_bytes()) else {
        call.warning(&format!("{protocol}:// never existed, nothing to restore"))?;
        return Ok(Val::FALSE);
    };
    let wrappers = open::wrappers(call.vm);
    let position = wrappers.table.borrow().iter().position(|(known, _)| known == name.as_bytes());
    if let Some(position) = position {
        drop(wrappers.table.borrow_mut().remove(position));
    }
    wrappers.table.borrow_mut().push((name.as_bytes().to_vec(), wrapper.clone()));
    Ok(Val::TRUE)
}

/// The names of all wrappers.
pub fn names(vm: &Vm) -> Vec<Vec<u8>> {
    open::wrappers(vm).table.borrow().iter().map(|(name, _)| name.clone()).collect()
}

/// Kinds of sockets.
pub const TRANSPORTS: [&str; 10] =
    ["tcp", "udp", "unix", "udg", "ssl", "tls", "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3"];

fn stream_get_wrappers(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(names(call.vm).into_iter().map(Val::from).collect::<PhpArr>().into())
}

fn stream_get_transports(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(TRANSPORTS.into_iter().map(Val::from).collect::<PhpArr>().into())
}
