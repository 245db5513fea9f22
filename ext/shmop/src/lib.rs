//! The `shmop` extension: bytes of memory that processes share by a key.
#![forbid(unsafe_code)]

use phlox_ext_standard::about;
use phlox_process::ipc::{Segment, SharedMemory};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, Extension, FnDef, Level, NativeClass, NativeData, PhpResult, Throw, Val, Vm};
use std::rc::Rc;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("shmop_open(int $key, string $mode, int $permissions, int $size): Shmop|false", shmop_open),
    FnDef::new("shmop_read(Shmop $shmop, int $offset, int $size): string", shmop_read),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'as Shmop objects are freed automatically')] shmop_close(Shmop $shmop): void",
        |_| Ok(Val::NULL),
    ),
    FnDef::new("shmop_size(Shmop $shmop): int", shmop_size),
    FnDef::new("shmop_write(Shmop $shmop, string $data, int $offset): int", shmop_write),
    FnDef::new("shmop_delete(Shmop $shmop): bool", shmop_delete),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Shmop",
    decl: "final class Shmop {}",
    methods: &[],
    hooks: NativeHooks {
        no_new: Some("Cannot directly construct Shmop, use shmop_open() instead"),
        no_clone: true,
        no_serialize: true,
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    },
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "shmop",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| vec![("shmop support", "enabled".to_owned())]);
}

struct ShmopData {
    segment: Segment,
    memory: SharedMemory,
}

impl NativeData for ShmopData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

/// What the system calls an error.
fn text_of(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn refuse(call: &Call<'_>, text: &str) -> PhpResult<Val> {
    call.raise(Level::Warning, text.as_bytes())?;
    Ok(Val::FALSE)
}

fn shmop_open(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.str(1);
    let (creates, must_be_new, read_only) = match &mode[..] {
        b"a" => (false, false, true),
        b"c" => (true, false, false),
        b"n" => (true, true, false),
        b"w" => (false, false, false),
        _ => return Err(call.value_error(1, "must be a valid access mode")),
    };
    let size = if creates { call.int(3) } else { 0 };
    if creates && size < 1 {
        return Err(call.value_error(3, "must be greater than 0 for the \"c\" and \"n\" access modes"));
    }
    let (key, permissions) = (call.int(0) as i32, call.int(2) as i32);
    let segment = match Segment::open(key, size.unsigned_abs() as usize, permissions, creates, must_be_new) {
        Ok(segment) => segment,
        Err(number) => {
            let text = text_of(number);
            return refuse(call, &format!("Unable to attach or create shared memory segment \"{text}\""));
        }
    };
    if let Err(number) = segment.size() {
        let text = text_of(number);
        return refuse(call, &format!("Unable to get shared memory segment information \"{text}\""));
    }
    match segment.attach(read_only) {
        Ok(memory) => {
            let object = call.vm.instantiate_unchecked(&call.vm.require_class(b"Shmop")?)?;
            object.set_native(Rc::new(ShmopData { segment, memory }));
            Ok(object.into())
        }
        Err(number) => {
            let text = text_of(number);
            refuse(call, &format!("Unable to attach to shared memory segment \"{text}\""))
        }
    }
}

/// Works on the memory of the first argument.
fn with<R>(call: &Call<'_>, work: impl FnOnce(&ShmopData) -> Result<R, Throw>) -> PhpResult<R> {
    match call.opt_obj(0).as_ref().and_then(|object| object.native::<ShmopData>()) {
        Some(data) => work(data),
        None => Err(call.vm.throw_error(b"Shmop object is not initialized")),
    }
}

fn shmop_read(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |data| {
        let size = data.memory.size() as i64;
        let (offset, count) = (call.int(1), call.int(2));
        if !(0..=size).contains(&offset) {
            return Err(call.value_error(1, "must be between 0 and the segment size"));
        }
        if count < 0 || offset.checked_add(count).is_none_or(|end| end > size) {
            return Err(call.value_error(2, "is out of range"));
        }
        // A size of 0 asks for all that follows.
        let count = if count == 0 { size - offset } else { count };
        phlox_runtime::room::require_room(count as usize);
        Ok(data.memory.read(offset as usize, count as usize).into())
    })
}

fn shmop_size(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |data| Ok(Val::int(data.memory.size() as i64)))
}

fn shmop_write(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |data| {
        if data.memory.is_read_only() {
            return Err(call.vm.throw_error(b"Read-only segment cannot be written"));
        }
        let offset = call.int(2);
        if !(0..=data.memory.size() as i64).contains(&offset) {
            return Err(call.value_error(2, "is out of range"));
        }
        Ok(Val::int(data.memory.write(offset as usize, &call.str(1)) as i64))
    })
}

fn shmop_delete(call: &mut Call<'_>) -> PhpResult<Val> {
    if with(call, |data| Ok(data.segment.remove()))?.is_err() {
        return refuse(call, "Can't mark segment for deletion (are you the owner?)");
    }
    Ok(Val::TRUE)
}
