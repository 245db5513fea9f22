//! The `sysvmsg` extension: queues of messages that processes share by a key.
#![forbid(unsafe_code)]

use phlox_ext_standard::about;
use phlox_ext_standard::serialize::{Sequence, serialize_value};
use phlox_process::ipc::{self, MessageQueue};
use phlox_runtime::ConstValue::Int;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::room::require_room;
use phlox_runtime::{
    Call, ConstValue, Edges, Extension, FnDef, Level, NativeClass, NativeData, PhpArr, PhpResult, Val, View, Vm,
    convert,
};
use std::rc::Rc;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("msg_get_queue(int $key, int $permissions = 0666): SysvMessageQueue|false", msg_get_queue),
    FnDef::new(
        "msg_send(SysvMessageQueue $queue, int $message_type, $message, bool $serialize = true, \
         bool $blocking = true, &$error_code = null): bool",
        msg_send,
    ),
    FnDef::new(
        "msg_receive(SysvMessageQueue $queue, int $desired_message_type, &$received_message_type, \
         int $max_message_size, mixed &$message, bool $unserialize = true, int $flags = 0, &$error_code = null): bool",
        msg_receive,
    ),
    FnDef::new("msg_remove_queue(SysvMessageQueue $queue): bool", |call| Ok(Val::bool(queue(call)?.remove().is_ok()))),
    FnDef::new("msg_stat_queue(SysvMessageQueue $queue): array|false", msg_stat_queue),
    FnDef::new("msg_set_queue(SysvMessageQueue $queue, array $data): bool", msg_set_queue),
    FnDef::new("msg_queue_exists(int $key): bool", |call| {
        Ok(Val::bool(MessageQueue::find(call.int(0) as i32).is_ok()))
    }),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SysvMessageQueue",
    decl: "final class SysvMessageQueue {}",
    methods: &[],
    hooks: NativeHooks {
        no_new: Some("Cannot directly construct SysvMessageQueue, use msg_get_queue() instead"),
        no_clone: true,
        no_serialize: true,
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    },
}];

/// Flags of `msg_receive()`.
const NO_WAIT: i64 = 1;
const NO_ERROR: i64 = 2;
const EXCEPT: i64 = 4;

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("MSG_IPC_NOWAIT", Int(NO_WAIT)),
    ("MSG_EAGAIN", Int(ipc::TRY_AGAIN as i64)),
    ("MSG_ENOMSG", Int(ipc::NO_MESSAGE as i64)),
    ("MSG_NOERROR", Int(NO_ERROR)),
    ("MSG_EXCEPT", Int(EXCEPT)),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "sysvmsg",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| vec![("sysvmsg support", "enabled".to_owned())]);
}

struct QueueData(MessageQueue);

impl NativeData for QueueData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

/// The queue of the first argument.
fn queue(call: &Call<'_>) -> PhpResult<MessageQueue> {
    let object = call.opt_obj(0);
    let data = object.as_ref().and_then(|object| object.native::<QueueData>());
    data.map(|data| data.0).ok_or_else(|| call.vm.throw_error(b"SysvMessageQueue object is not initialized"))
}

/// What the system calls an error.
fn text_of(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn msg_get_queue(call: &mut Call<'_>) -> PhpResult<Val> {
    let (key, permissions) = (call.int(0), call.int(1) as i32);
    let found = MessageQueue::find(key as i32).or_else(|_| MessageQueue::create(key as i32, permissions));
    match found {
        Ok(queue) => {
            let object = call.vm.instantiate_unchecked(&call.vm.require_class(b"SysvMessageQueue")?)?;
            object.set_native(Rc::new(QueueData(queue)));
            Ok(object.into())
        }
        Err(number) => {
            let text = format!("Failed for key 0x{key:x}: {}", text_of(number));
            call.raise(Level::Warning, text.as_bytes())?;
            Ok(Val::FALSE)
        }
    }
}

/// A message that is sent as it is.
fn plain(call: &Call<'_>) -> PhpResult<Vec<u8>> {
    let value = call.arg(2).deref();
    Ok(match value.view() {
        View::Str(text) => text.to_vec(),
        View::Int(number) => number.to_string().into_bytes(),
        View::Bool(truth) => if truth { b"1" } else { b"0" }.to_vec(),
        View::Double(number) => format!("{number:.6}").into_bytes(),
        _ => {
            let text = format!("must be of type string|int|float|bool, {} given", convert::value_name(&value));
            return Err(call.type_error(2, &text));
        }
    })
}

fn msg_send(call: &mut Call<'_>) -> PhpResult<Val> {
    let queue = queue(call)?;
    let message = if call.bool(3) { serialize_value(call.vm, &call.arg(2))?.to_vec() } else { plain(call)? };
    let flags = if call.bool(4) { 0 } else { ipc::NO_WAIT };
    call.vm.output.before_waiting();
    let Err(number) = queue.send(call.int(1), &message, flags) else { return Ok(Val::TRUE) };
    call.raise(Level::Warning, format!("msgsnd failed: {}", text_of(number)).as_bytes())?;
    if call.was_passed(5) {
        call.assign(5, Val::int(number.into()))?;
    }
    Ok(Val::FALSE)
}

fn msg_receive(call: &mut Call<'_>) -> PhpResult<Val> {
    let queue = queue(call)?;
    let Some(most) = usize::try_from(call.int(3)).ok().filter(|most| *most > 0) else {
        return Err(call.value_error(3, "must be greater than 0"));
    };
    let names = [(EXCEPT, ipc::EXCEPT), (NO_ERROR, ipc::CUT), (NO_WAIT, ipc::NO_WAIT)];
    let wanted = call.int(6);
    let flags = names.iter().filter(|(name, _)| wanted & name != 0).fold(0, |flags, (_, flag)| flags | flag);
    require_room(most);
    call.vm.output.before_waiting();
    let (kind, message) = match queue.receive(call.int(1), most, flags) {
        Ok(received) => received,
        Err(number) => {
            call.assign(2, Val::int(0))?;
            call.assign(4, Val::FALSE)?;
            if call.was_passed(7) {
                call.assign(7, Val::int(number.into()))?;
            }
            return Ok(Val::FALSE);
        }
    };
    call.assign(2, Val::int(kind))?;
    if call.was_passed(7) {
        call.assign(7, Val::int(0))?;
    }
    if !call.bool(5) {
        call.assign(4, message.into())?;
        return Ok(Val::TRUE);
    }
    let mut texts = Sequence::new(call.vm, &message, "msg_receive");
    let value = texts.next(0)?;
    texts.finish()?;
    match value {
        Some((value, _)) => {
            call.assign(4, value.into_deref())?;
            Ok(Val::TRUE)
        }
        None => {
            call.raise(Level::Warning, b"Message corrupted")?;
            call.assign(4, Val::FALSE)?;
            Ok(Val::FALSE)
        }
    }
}

fn msg_stat_queue(call: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(status) = queue(call)?.status() else { return Ok(Val::FALSE) };
    let mut table = PhpArr::new();
    let rows = [
        ("msg_perm.uid", i64::from(status.owner)),
        ("msg_perm.gid", i64::from(status.group)),
        ("msg_perm.mode", i64::from(status.mode)),
        ("msg_stime", status.sent),
        ("msg_rtime", status.received),
        ("msg_ctime", status.changed),
        ("msg_qnum", status.messages as i64),
        ("msg_qbytes", status.capacity as i64),
        ("msg_lspid", i64::from(status.last_sender)),
        ("msg_lrpid", i64::from(status.last_receiver)),
    ];
    for (name, number) in rows {
        table.set_bytes(name.as_bytes(), Val::int(number));
    }
    Ok(table.into())
}

fn msg_set_queue(call: &mut Call<'_>) -> PhpResult<Val> {
    let (queue, data) = (queue(call)?, call.arr(1));
    let Ok(mut status) = queue.status() else { return Ok(Val::FALSE) };
    let number =
        |name: &str| data.get_bytes(name.as_bytes()).map(|value| convert::to_int(call.vm, &value.deref())).transpose();
    if let Some(owner) = number("msg_perm.uid")? {
        status.owner = owner as u32;
    }
    if let Some(group) = number("msg_perm.gid")? {
        status.group = group as u32;
    }
    if let Some(mode) = number("msg_perm.mode")? {
        status.mode = mode as u32;
    }
    if let Some(capacity) = number("msg_qbytes")? {
        status.capacity = capacity as u64;
    }
    Ok(Val::bool(queue.change(&status).is_ok()))
}
