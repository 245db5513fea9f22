//! The `sysvshm` extension: variables in memory that processes share by a key.
//!
//! The memory has the form of PHP's, so that its programs and these understand each other: a head, then the variables, each serialised
//! and with its own length in front.
#![forbid(unsafe_code)]

use phlox_ext_standard::about;
use phlox_ext_standard::serialize::{Sequence, serialize_value};
use phlox_process::ipc::{Segment, SharedMemory};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Call, Edges, Extension, FnDef, Level, NativeClass, NativeData, PhpResult, Throw, Val, Vm, convert,
};
use std::cell::RefCell;
use std::rc::Rc;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("shm_attach(int $key, ?int $size = null, int $permissions = 0666): SysvSharedMemory|false", shm_attach),
    FnDef::new("shm_detach(SysvSharedMemory $shm): bool", shm_detach),
    FnDef::new("shm_has_var(SysvSharedMemory $shm, int $key): bool", shm_has_var),
    FnDef::new("shm_remove(SysvSharedMemory $shm): bool", shm_remove),
    FnDef::new("shm_put_var(SysvSharedMemory $shm, int $key, mixed $value): bool", shm_put_var),
    FnDef::new("shm_get_var(SysvSharedMemory $shm, int $key): mixed", shm_get_var),
    FnDef::new("shm_remove_var(SysvSharedMemory $shm, int $key): bool", shm_remove_var),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SysvSharedMemory",
    decl: "final class SysvSharedMemory {}",
    methods: &[],
    hooks: NativeHooks {
        no_new: Some("Cannot directly construct SysvSharedMemory, use shm_attach() instead"),
        no_clone: true,
        no_serialize: true,
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    },
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "sysvshm",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| vec![("sysvshm support", "enabled".to_owned())]);
}

struct MemoryData {
    key: i64,
    segment: Segment,
    memory: RefCell<Option<Rc<SharedMemory>>>,
}

impl NativeData for MemoryData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

const MAGIC: &[u8; 8] = b"PHP_SM\0\0";
/// Offsets in the head: where the variables start and end, how many bytes are free and how many there are.
const START: usize = 8;
const END: usize = 16;
const FREE: usize = 24;
const TOTAL: usize = 32;
const HEAD: usize = 40;
/// Offsets in a variable: key, length, and the way to the next one.
const LENGTH: usize = 8;
const NEXT: usize = 16;
const CONTENTS: usize = 24;
/// The size of a variable without contents, as the C compiler has it.
const SMALLEST: usize = 32;

fn number_at(memory: &SharedMemory, offset: usize) -> i64 {
    i64::from_ne_bytes(memory.read(offset, 8).try_into().unwrap_or_default())
}

fn set_number(memory: &SharedMemory, offset: usize, number: i64) {
    memory.write(offset, &number.to_ne_bytes());
}

/// Where the variable of a key is.
fn find(memory: &SharedMemory, key: i64) -> Option<usize> {
    let (start, end) = (number_at(memory, START), number_at(memory, END));
    let mut position = start;
    while position < end {
        let offset = usize::try_from(position).ok().filter(|offset| offset + CONTENTS <= memory.size())?;
        if number_at(memory, offset) == key {
            return Some(offset);
        }
        let next = number_at(memory, offset + NEXT);
        position = position.checked_add(next).filter(|_| next > 0)?;
    }
    None
}

fn remove(memory: &SharedMemory, offset: usize) {
    let size = number_at(memory, offset + NEXT);
    let end = number_at(memory, END);
    let behind = offset as i64 + size;
    if size <= 0 || behind > end {
        return;
    }
    let rest = memory.read(behind as usize, (end - behind) as usize);
    set_number(memory, FREE, number_at(memory, FREE) + size);
    set_number(memory, END, end - size);
    memory.write(offset, &rest);
}

/// Stores a variable; false: there is no room for it.
fn put(memory: &SharedMemory, key: i64, contents: &[u8]) -> bool {
    let size = (contents.len() + SMALLEST - 1) / 8 * 8 + 8;
    if let Some(offset) = find(memory, key) {
        remove(memory, offset);
    }
    let (free, end) = (number_at(memory, FREE), number_at(memory, END));
    let Ok(offset) = usize::try_from(end) else { return false };
    if free < size as i64 || offset.saturating_add(size) > memory.size() {
        return false;
    }
    set_number(memory, offset, key);
    set_number(memory, offset + LENGTH, contents.len() as i64);
    set_number(memory, offset + NEXT, size as i64);
    memory.write(offset + CONTENTS, contents);
    set_number(memory, END, end + size as i64);
    set_number(memory, FREE, free - size as i64);
    true
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

/// The size of memory that none is given for.
const DEFAULT_SIZE: i64 = 10000;

fn shm_attach(call: &mut Call<'_>) -> PhpResult<Val> {
    let configured = call.vm.ini.configured("sysvshm.init_mem").map(|text| convert::to_int(call.vm, &text.into()));
    let size = match call.opt_int(1) {
        Some(size) => size,
        None => configured.transpose()?.unwrap_or(DEFAULT_SIZE),
    };
    if size < 1 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    let (key, permissions) = (call.int(0), call.int(2) as i32);
    let segment = match Segment::open(key as i32, 0, 0, false, false) {
        Ok(segment) => Ok(segment),
        Err(_) if size < HEAD as i64 => {
            return refuse(call, &format!("Failed for key 0x{key:x}: memorysize too small"));
        }
        Err(_) => Segment::open(key as i32, size as usize, permissions, true, true),
    };
    let attached = segment.and_then(|segment| segment.attach(false).map(|memory| (segment, memory)));
    let (segment, memory) = match attached {
        Ok(attached) => attached,
        Err(number) => return refuse(call, &format!("Failed for key 0x{key:x}: {}", text_of(number))),
    };
    if !memory.read(0, MAGIC.len()).starts_with(b"PHP_SM\0") {
        memory.write(0, MAGIC);
        for (offset, number) in [(START, HEAD as i64), (END, HEAD as i64), (TOTAL, size), (FREE, size - HEAD as i64)] {
            set_number(&memory, offset, number);
        }
    }
    let object = call.vm.instantiate_unchecked(&call.vm.require_class(b"SysvSharedMemory")?)?;
    object.set_native(Rc::new(MemoryData { key, segment, memory: RefCell::new(Some(Rc::new(memory))) }));
    Ok(object.into())
}

fn destroyed(vm: &Vm) -> Throw {
    vm.throw_error(b"Shared memory block has already been destroyed")
}

/// Works on the first argument, whose memory must be attached.
fn with<R>(call: &Call<'_>, work: impl FnOnce(&MemoryData, &SharedMemory) -> PhpResult<R>) -> PhpResult<R> {
    let object = call.opt_obj(0);
    let data = object.as_ref().and_then(|object| object.native::<MemoryData>()).ok_or_else(|| destroyed(call.vm))?;
    let memory = data.memory.borrow().clone().ok_or_else(|| destroyed(call.vm))?;
    work(data, &memory)
}

fn shm_detach(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |data, _| Ok(drop(data.memory.take())))?;
    Ok(Val::TRUE)
}

fn shm_has_var(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |_, memory| Ok(Val::bool(find(memory, call.int(1)).is_some())))
}

fn shm_remove(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |data, _| match data.segment.remove() {
        Ok(()) => Ok(Val::TRUE),
        Err(number) => {
            let (key, id) = (data.key as i32, data.segment.id());
            refuse(call, &format!("Failed for key 0x{key:x}, id {id}: {}", text_of(number)))
        }
    })
}

fn shm_put_var(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |_, _| Ok(()))?;
    let text = serialize_value(call.vm, &call.arg(2))?;
    let is_attached = with(call, |_, _| Ok(())).is_ok();
    if !is_attached {
        return Err(call.vm.throw_error(b"Shared memory block has been destroyed by the serialization function"));
    }
    match with(call, |_, memory| Ok(put(memory, call.int(1), &text)))? {
        true => Ok(Val::TRUE),
        false => refuse(call, "Not enough shared memory left"),
    }
}

fn shm_get_var(call: &mut Call<'_>) -> PhpResult<Val> {
    let contents = with(call, |_, memory| {
        Ok(find(memory, call.int(1)).map(|offset| {
            let length = usize::try_from(number_at(memory, offset + LENGTH)).unwrap_or(0);
            memory.read(offset + CONTENTS, length)
        }))
    })?;
    let Some(contents) = contents else {
        return refuse(call, &format!("Variable key {} doesn't exist", call.int(1)));
    };
    let mut texts = Sequence::new(call.vm, &contents, "shm_get_var");
    let value = texts.next(0)?;
    texts.finish()?;
    match value {
        Some((value, _)) => Ok(value.into_deref()),
        None => refuse(call, "Variable data in shared memory is corrupted"),
    }
}

fn shm_remove_var(call: &mut Call<'_>) -> PhpResult<Val> {
    let key = call.int(1);
    let found = with(call, |_, memory| Ok(find(memory, key).map(|offset| remove(memory, offset))))?;
    match found {
        Some(()) => Ok(Val::TRUE),
        None => refuse(call, &format!("Variable key {key} doesn't exist")),
    }
}
