//! The `sysvsem` extension: semaphores that processes share by a key.
//!
//! Each is a set of three, by which PHP's programs and these know each other: the semaphore itself, the number of its users, and a
//! lock for setting it when it is used first.
#![forbid(unsafe_code)]

use phlox_ext_standard::about;
use phlox_process::ipc::{INTERRUPTED, Semaphores, TRY_AGAIN};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, Extension, FnDef, Level, NativeClass, NativeData, PhpResult, Val, Vm};
use std::cell::Cell;
use std::rc::Rc;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "sem_get(int $key, int $max_acquire = 1, int $permissions = 0666, bool $auto_release = true): SysvSemaphore|false",
        sem_get,
    ),
    FnDef::new("sem_acquire(SysvSemaphore $semaphore, bool $non_blocking = false): bool", |call| {
        let waits = !call.bool(1);
        change(call, -1, waits)
    }),
    FnDef::new("sem_release(SysvSemaphore $semaphore): bool", |call| change(call, 1, true)),
    FnDef::new("sem_remove(SysvSemaphore $semaphore): bool", sem_remove),
];

const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SysvSemaphore",
    decl: "final class SysvSemaphore {}",
    methods: &[],
    hooks: NativeHooks {
        no_new: Some("Cannot directly construct SysvSemaphore, use sem_get() instead"),
        no_clone: true,
        no_serialize: true,
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    },
}];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "sysvsem",
    functions: &[FUNCTIONS],
    classes: &[CLASSES],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| vec![("sysvsem support", "enabled".to_owned())]);
}

/// The places in the set.
const SEMAPHORE: u16 = 0;
const USAGE: u16 = 1;
const SETTING: u16 = 2;

struct SemaphoreData {
    set: Semaphores,
    key: i64,
    /// How often the script holds the semaphore.
    held: Cell<i64>,
    /// The set was removed.
    removed: Cell<bool>,
    releases: bool,
}

impl NativeData for SemaphoreData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

impl Drop for SemaphoreData {
    fn drop(&mut self) {
        if self.removed.get() || !self.releases {
            return;
        }
        let held = i16::try_from(self.held.get()).unwrap_or(i16::MAX);
        let steps = [(USAGE, -1, true), (SEMAPHORE, held, true)];
        // Nobody is there to be told of an error.
        let _ = self.set.change(if held == 0 { &steps[..1] } else { &steps }, true);
    }
}

/// What the system calls an error.
fn text_of(number: i32) -> String {
    let text = std::io::Error::from_raw_os_error(number).to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

fn warn(call: &Call<'_>, what: &str, key: i64, number: i32) -> PhpResult<()> {
    call.raise(Level::Warning, format!("{what} for key 0x{key:x}: {}", text_of(number)).as_bytes())
}

/// Changes semaphores, and goes on waiting after signals.
fn change_all(set: Semaphores, steps: &[(u16, i16, bool)]) -> Result<(), i32> {
    loop {
        match set.change(steps, true) {
            Err(INTERRUPTED) => {}
            result => return result,
        }
    }
}

fn sem_get(call: &mut Call<'_>) -> PhpResult<Val> {
    const PLACES: i32 = 3;
    let (key, most, permissions) = (call.int(0), call.int(1), call.int(2));
    let set = match Semaphores::open(key as i32, PLACES, permissions as i32) {
        Ok(set) => set,
        Err(number) => {
            warn(call, "Failed", key, number)?;
            return Ok(Val::FALSE);
        }
    };
    if let Err(number) = change_all(set, &[(SETTING, 0, false), (SETTING, 1, true), (USAGE, 1, true)]) {
        warn(call, "Failed acquiring SYSVSEM_SETVAL", key, number)?;
    }
    match set.value(i32::from(USAGE)) {
        // The first user sets the semaphore.
        Ok(1) => {
            if let Err(number) = set.set_value(i32::from(SEMAPHORE), most as i32) {
                warn(call, "Failed", key, number)?;
            }
        }
        Ok(_) => {}
        Err(number) => warn(call, "Failed", key, number)?,
    }
    if let Err(number) = change_all(set, &[(SETTING, -1, true)]) {
        warn(call, "Failed releasing SYSVSEM_SETVAL", key, number)?;
    }
    let object = call.vm.instantiate_unchecked(&call.vm.require_class(b"SysvSemaphore")?)?;
    let (held, removed) = (Cell::new(0), Cell::new(false));
    object.set_native(Rc::new(SemaphoreData { set, key, held, removed, releases: call.bool(3) }));
    Ok(object.into())
}

fn change(call: &mut Call<'_>, by: i16, waits: bool) -> PhpResult<Val> {
    let object = call.opt_obj(0);
    let Some(data) = object.as_ref().and_then(|object| object.native::<SemaphoreData>()) else {
        return Err(call.vm.throw_error(b"SysvSemaphore object is not initialized"));
    };
    let key = data.key as i32;
    if by > 0 && data.held.get() == 0 && !data.removed.get() {
        let text = format!("SysV semaphore for key 0x{key:x} is not currently acquired");
        call.raise(Level::Warning, text.as_bytes())?;
        return Ok(Val::FALSE);
    }
    let result = loop {
        call.vm.output.before_waiting();
        match data.set.change(&[(SEMAPHORE, by, true)], waits) {
            Err(INTERRUPTED) => {}
            result => break result,
        }
    };
    if let Err(number) = result {
        if number != TRY_AGAIN {
            let what = if by < 0 { "acquire" } else { "release" };
            let text = format!("Failed to {what} key 0x{key:x}: {}", text_of(number));
            call.raise(Level::Warning, text.as_bytes())?;
        }
        return Ok(Val::FALSE);
    }
    data.held.set(data.held.get() - i64::from(by));
    Ok(Val::TRUE)
}

fn sem_remove(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.opt_obj(0);
    let Some(data) = object.as_ref().and_then(|object| object.native::<SemaphoreData>()) else {
        return Err(call.vm.throw_error(b"SysvSemaphore object is not initialized"));
    };
    let key = data.key as i32;
    if !data.set.exists() {
        let text = format!("SysV semaphore for key 0x{key:x} does not (any longer) exist");
        call.raise(Level::Warning, text.as_bytes())?;
        return Ok(Val::FALSE);
    }
    if let Err(number) = data.set.remove() {
        let text = format!("Failed for SysV semaphore for key 0x{key:x}: {}", text_of(number));
        call.raise(Level::Warning, text.as_bytes())?;
        return Ok(Val::FALSE);
    }
    data.removed.set(true);
    Ok(Val::TRUE)
}
