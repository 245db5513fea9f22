//! Handlers in PHP: `session_set_save_handler` and the classes for it.

use crate::functions::{may_change, register_shutdown};
use crate::settings;
use crate::state::{CALLBACKS, Module, Voice};
use crate::storage;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, FnDef, Level, NativeClass, ObjExt, PhpArr, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "session_set_save_handler($open, $close = UNKNOWN, #[unchecked] callable $read = UNKNOWN, \
     #[unchecked] callable $write = UNKNOWN, #[unchecked] callable $destroy = UNKNOWN, #[unchecked] callable $gc = UNKNOWN, \
     #[unchecked] ?callable $create_sid = null, #[unchecked] ?callable $validate_sid = null, \
     #[unchecked] ?callable $update_timestamp = null): bool",
    session_set_save_handler,
)];

const fn interface(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    interface("SessionHandlerInterface", include_str!("../stubs/SessionHandlerInterface.stub.php")),
    interface("SessionIdInterface", include_str!("../stubs/SessionIdInterface.stub.php")),
    interface(
        "SessionUpdateTimestampHandlerInterface",
        include_str!("../stubs/SessionUpdateTimestampHandlerInterface.stub.php"),
    ),
    NativeClass {
        name: "SessionHandler",
        decl: include_str!("../stubs/SessionHandler.stub.php"),
        methods: &[
            ("open", open),
            ("close", close),
            ("read", read),
            ("write", write),
            ("destroy", destroy),
            ("gc", gc),
            ("create_sid", create_sid),
        ],
        hooks: NativeHooks::NONE,
    },
];

fn session_set_save_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let voice = Voice::of(call);
    if call.passed > 2 {
        voice.raise(
            Level::Deprecated,
            "Providing individual callbacks instead of an object implementing SessionHandlerInterface is deprecated",
        )?;
    }
    let session = voice.session();
    if call.passed <= 2 {
        let handler = call.arg(0);
        let interface = call.vm.require_class(b"SessionHandlerInterface")?;
        let Some(object) = handler.as_obj().filter(|object| object.class().is_a(&interface)) else {
            let given = phlox_runtime::convert::value_name(&handler);
            return Err(call.type_error(0, &format!("must be of type SessionHandlerInterface, {given} given")));
        };
        if !may_change(&voice, "Session save handler")? {
            return Ok(Val::FALSE);
        }
        let class = object.class();
        let mut callbacks: [Val; 9] = Default::default();
        for (callback, name) in callbacks.iter_mut().zip(CALLBACKS) {
            if class.method(&PhpStr::from(name.to_ascii_lowercase().as_str())).is_some() {
                let pair: PhpArr = [handler.clone(), name.into()].into_iter().collect();
                *callback = pair.into();
            }
        }
        drop(session.callbacks.replace(callbacks));
        drop(session.handler_class.replace(Some(PhpStr::from(&*class.name.to_string()))));
        if call.passed < 2 || phlox_runtime::convert::to_bool(&call.arg(1)) {
            register_shutdown(&voice)?;
        }
    } else {
        let mut callbacks = session.callbacks.borrow().clone();
        take_callbacks(call, &mut callbacks)?;
        if !may_change(&voice, "Session save handler")? {
            return Ok(Val::FALSE);
        }
        drop(session.callbacks.replace(callbacks));
        drop(session.handler_class.replace(None));
    }
    if session.module.get() != Module::User {
        session.sets_user.set(true);
        let changed = voice.set(&settings::SAVE_HANDLER, "user".into());
        session.sets_user.set(false);
        changed?;
    }
    Ok(Val::TRUE)
}

/// Replaces the callbacks by those that were given.
fn take_callbacks(call: &Call<'_>, callbacks: &mut [Val; 9]) -> PhpResult<()> {
    if call.passed < 6 {
        let text = format!("session_set_save_handler() expects at least 6 arguments, {} given", call.passed);
        return Err(call.vm.throw(phlox_runtime::Thrown::ArgumentCountError, text.as_bytes()));
    }
    for (index, callback) in callbacks.iter_mut().enumerate().take(call.passed) {
        let function = call.arg(index);
        if index > 5 && function.is_null() {
            continue;
        }
        if let Err(reason) = call.vm.resolve_callable(&function)? {
            let null = if index > 5 { " or null" } else { "" };
            return Err(call.type_error(index, &format!("must be a valid callback{null}, {reason}")));
        }
        *callback = function;
    }
    Ok(())
}

fn check_active(call: &Call<'_>) -> PhpResult<()> {
    if !Voice::of(call).session().is_active() {
        return Err(call.vm.throw_error(b"Session is not active"));
    }
    if Voice::of(call).session().default_module.get() == Module::Unknown {
        return Err(call.vm.throw_error(b"Cannot call default session handler"));
    }
    Ok(())
}

/// Runs a method if the module is open.
fn when_open(call: &Call<'_>, work: impl FnOnce(&Voice<'_>) -> PhpResult<Val>) -> PhpResult<Val> {
    check_active(call)?;
    let voice = Voice::of(call);
    if !voice.session().parent_open.get() {
        voice.warning("Parent session handler is not open")?;
        return Ok(Val::FALSE);
    }
    work(&voice)
}

fn open(call: &mut Call<'_>) -> PhpResult<Val> {
    check_active(call)?;
    let voice = Voice::of(call);
    let opened = storage::open_files(&voice, &call.str(0))?;
    voice.session().parent_open.set(opened);
    Ok(Val::bool(opened))
}

fn close(call: &mut Call<'_>) -> PhpResult<Val> {
    when_open(call, |voice| {
        let session = voice.session();
        session.parent_open.set(false);
        drop(session.files.replace(None));
        Ok(Val::TRUE)
    })
}

fn read(call: &mut Call<'_>) -> PhpResult<Val> {
    when_open(call, |voice| {
        let text = storage::with_files(voice, None, |files| files.read(voice, &call.str(0)))?;
        Ok(text.map_or(Val::FALSE, Val::from))
    })
}

fn write(call: &mut Call<'_>) -> PhpResult<Val> {
    when_open(call, |voice| {
        storage::with_files(voice, false, |files| files.write(voice, &call.str(0), &call.str(1))).map(Val::bool)
    })
}

fn destroy(call: &mut Call<'_>) -> PhpResult<Val> {
    when_open(call, |voice| storage::with_files(voice, false, |files| Ok(files.destroy(&call.str(0)))).map(Val::bool))
}

fn gc(call: &mut Call<'_>) -> PhpResult<Val> {
    when_open(call, |voice| {
        let count = storage::with_files(voice, -1, |files| files.collect(voice, call.int(0)))?;
        Ok(if count < 0 { Val::FALSE } else { Val::int(count) })
    })
}

fn create_sid(call: &mut Call<'_>) -> PhpResult<Val> {
    check_active(call)?;
    storage::create_file_id(&Voice::of(call)).map(Val::from)
}
