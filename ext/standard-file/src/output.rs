//! The `ob_*` functions.

use phlox_runtime::{Call, FnDef, Level, PhpArr, PhpResult, Val, ob};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "ob_start($callback = null, int $chunk_size = 0, int $flags = PHP_OUTPUT_HANDLER_STDFLAGS): bool",
        ob_start,
    ),
    FnDef::new("ob_flush(): bool", ob_flush),
    FnDef::new("ob_clean(): bool", ob_clean),
    FnDef::new("ob_end_flush(): bool", ob_end_flush),
    FnDef::new("ob_end_clean(): bool", ob_end_clean),
    FnDef::new("ob_get_flush(): string|false", ob_get_flush),
    FnDef::new("ob_get_clean(): string|false", ob_get_clean),
    FnDef::new("ob_get_contents(): string|false", ob_get_contents),
    FnDef::new("ob_get_level(): int", ob_get_level),
    FnDef::new("ob_get_length(): int|false", ob_get_length),
    FnDef::new("ob_list_handlers(): array", ob_list_handlers),
    FnDef::new("ob_get_status(bool $full_status = false): array", ob_get_status),
    FnDef::new("ob_implicit_flush(bool $enable = true): void", ob_implicit_flush),
    FnDef::new("flush(): void", flush),
];

fn notice(call: &Call<'_>, text: &str) -> PhpResult<Val> {
    call.raise(Level::Notice, text.as_bytes())?;
    Ok(Val::FALSE)
}

/// `Failed to VERB buffer of NAME (LEVEL)`
fn refused(call: &Call<'_>, verb: &str) -> PhpResult<Val> {
    let Some((_, name, level)) = ob::active(call.vm) else { return Ok(Val::FALSE) };
    notice(call, &format!("Failed to {verb} buffer of {} ({level})", phlox_runtime::shown(&name)))
}

fn ob_start(call: &mut Call<'_>) -> PhpResult<Val> {
    let callback = call.arg(0);
    let chunk_size = usize::try_from(call.int(1)).unwrap_or(0);
    let mut name = ob::DEFAULT_NAME.to_vec();
    if let Some(named) = callback.as_str()
        && ob::start_named(call.vm, named, chunk_size, call.int(2))?
    {
        return Ok(Val::TRUE);
    }
    if !callback.is_null() {
        match call.vm.resolve_callable(&callback)? {
            Ok(callee) => name = crate::calling::callable_name(&callback, &callee),
            Err(reason) => {
                call.warning(&reason)?;
                return notice(call, "Failed to create buffer");
            }
        }
    }
    ob::start(call.vm, callback, name, chunk_size, call.int(2))?;
    Ok(Val::TRUE)
}

fn has_buffer(call: &Call<'_>) -> bool {
    call.vm.output.level() > 0
}

fn ob_flush(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return notice(call, "Failed to flush buffer. No buffer to flush");
    }
    if ob::flush(call.vm)? { Ok(Val::TRUE) } else { refused(call, "flush") }
}

fn ob_clean(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return notice(call, "Failed to delete buffer. No buffer to delete");
    }
    if ob::clean(call.vm)? { Ok(Val::TRUE) } else { refused(call, "delete") }
}

fn ob_end_flush(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return notice(call, "Failed to delete and flush buffer. No buffer to delete or flush");
    }
    if ob::end(call.vm, true, false)? { Ok(Val::TRUE) } else { refused(call, "send") }
}

fn ob_end_clean(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return notice(call, "Failed to delete buffer. No buffer to delete");
    }
    if ob::end(call.vm, false, false)? { Ok(Val::TRUE) } else { refused(call, "discard") }
}

fn contents(call: &Call<'_>) -> Val {
    call.vm.output.buffers.borrow().last().map_or(Val::FALSE, |buffer| Val::str(&buffer.data))
}

fn ob_get_flush(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return notice(call, "Failed to delete and flush buffer. No buffer to delete or flush");
    }
    let contents = contents(call);
    if !ob::end(call.vm, true, false)? {
        refused(call, "send")?;
        refused(call, "delete")?;
    }
    Ok(contents)
}

fn ob_get_clean(call: &mut Call<'_>) -> PhpResult<Val> {
    if !has_buffer(call) {
        return Ok(Val::FALSE);
    }
    let contents = contents(call);
    if !ob::end(call.vm, false, false)? {
        refused(call, "discard")?;
        refused(call, "delete")?;
    }
    Ok(contents)
}

fn ob_get_contents(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(contents(call))
}

fn ob_get_level(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.vm.output.level() as i64))
}

fn ob_get_length(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.output.buffers.borrow().last().map_or(Val::FALSE, |buffer| Val::int(buffer.data.len() as i64)))
}

fn ob_list_handlers(call: &mut Call<'_>) -> PhpResult<Val> {
    let buffers = call.vm.output.buffers.borrow();
    Ok(buffers.iter().map(|buffer| Val::str(&buffer.name)).collect::<PhpArr>().into())
}

fn ob_get_status(call: &mut Call<'_>) -> PhpResult<Val> {
    const TYPE_MASK: i64 = 0xf;
    let buffers = call.vm.output.buffers.borrow();
    let mut all = Vec::new();
    for (level, buffer) in buffers.iter().enumerate() {
        let mut status = PhpArr::new();
        status.set_bytes(b"name", Val::str(&buffer.name));
        status.set_bytes(b"type", Val::int(buffer.flags & TYPE_MASK));
        status.set_bytes(b"flags", Val::int(buffer.flags));
        status.set_bytes(b"level", Val::int(level as i64));
        status.set_bytes(b"chunk_size", Val::int(buffer.chunk_size as i64));
        status.set_bytes(b"buffer_size", Val::int(buffer.size as i64));
        status.set_bytes(b"buffer_used", Val::int(buffer.data.len() as i64));
        all.push(Val::from(status));
    }
    if call.bool(0) {
        return Ok(PhpArr::from_vec(all).into());
    }
    Ok(all.pop().unwrap_or_else(|| PhpArr::new().into()))
}

fn ob_implicit_flush(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.output.implicit_flush.set(call.bool(0));
    Ok(Val::NULL)
}

fn flush(call: &mut Call<'_>) -> PhpResult<Val> {
    let output = &call.vm.output;
    // The web server of this program, and a pool, send the headers on a flush without output; other servers wait for output.
    let request = crate::sapi::request(call.vm);
    if (request.is_server.get() || request.is_pool.get()) && !output.sent.get() {
        if let Some(hook) = output.before_first.take() {
            hook(call.vm);
        }
        output.sent.set(true);
    }
    output.flush_raw();
    ob::notice_lost(call.vm);
    Ok(Val::NULL)
}
