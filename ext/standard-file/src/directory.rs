//! Directories: handles, listings, the working directory, the class `Directory`.

use crate::context;
use crate::handles;
use crate::stream::Stream;
use crate::stream::open::{self, Options, os};
use crate::stream::plain::error_text;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, FnDef, NativeClass, PhpArr, PhpRes, PhpResult, Val, Vm, convert};
use std::cell::RefCell;
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("opendir(string $directory, $context = null)", opendir),
    FnDef::new("dir(string $directory, $context = null): Directory|false", dir),
    FnDef::new("closedir($dir_handle = null): void", closedir),
    FnDef::new("readdir($dir_handle = null): string|false", readdir),
    FnDef::new("rewinddir($dir_handle = null): void", rewinddir),
    FnDef::new(
        "scandir(string $directory, int $sorting_order = SCANDIR_SORT_ASCENDING, $context = null): array|false",
        scandir,
    ),
    FnDef::new("chdir(string $directory): bool", chdir),
    FnDef::new("getcwd(): string|false", getcwd),
];

const HANDLE_SLOT: usize = 1;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Directory",
    decl: include_str!("../stubs/Directory.stub.php"),
    methods: &[("close", method_close), ("rewind", method_rewind), ("read", method_read)],
    hooks: NativeHooks::NONE,
}];

/// The directory opened last, which handle functions use without an argument.
#[derive(Default)]
struct Last {
    handle: RefCell<Option<PhpRes>>,
}

fn last(vm: &Vm) -> Rc<Last> {
    vm.data::<Last>("last directory")
}

fn open_handle(call: &Call<'_>) -> PhpResult<Option<PhpRes>> {
    let options = Options { context: context::argument(call, 1)?, ..Options::default() };
    let path = call.path(0)?;
    if path.is_empty() {
        return Ok(None);
    }
    let Some(stream) = open::open_directory(call.vm, &path, &options)? else { return Ok(None) };
    let resource = open::resource(stream);
    drop(last(call.vm).handle.replace(Some(resource.clone())));
    Ok(Some(resource))
}

fn opendir(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(open_handle(call)?.map_or(Val::FALSE, Val::from))
}

fn dir(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(handle) = open_handle(call)? else { return Ok(Val::FALSE) };
    let class = call.vm.require_class(b"Directory")?;
    let object = call.vm.instantiate(&class)?;
    object.slots()[0].set(call.str(0).into());
    object.slots()[HANDLE_SLOT].set(handle.into());
    Ok(object.into())
}

fn not_a_directory(call: &Call<'_>) -> phlox_runtime::Throw {
    let name = call.func.display_name();
    let text = [&name[..], b"(): supplied resource is not a valid Directory resource"].concat();
    call.vm.throw_type_error(&text)
}

/// The directory of parameter 0, or the one opened last.
fn directory(call: &Call<'_>) -> PhpResult<(PhpRes, Rc<Stream>)> {
    let (resource, stream) = if call.is_null(0) {
        let handle = last(call.vm).handle.borrow().clone();
        let Some(handle) = handle else { return Err(call.vm.throw_type_error(b"No resource supplied")) };
        match open::stream_of(&handle) {
            Some(stream) => (handle, stream),
            None => return Err(not_a_directory(call)),
        }
    } else {
        let value = call.arg(0);
        if value.as_res().is_none() {
            let given = convert::value_name(&value);
            return Err(call.type_error(0, &format!("must be of type resource or null, {given} given")));
        }
        match handles::resource_argument(call, 0) {
            Err(_) if call.arg(0).as_res().is_some() => return Err(not_a_directory(call)),
            other => other?,
        }
    };
    if !stream.is_directory {
        return Err(call.type_error(0, "must be a valid Directory resource"));
    }
    Ok((resource, stream))
}

fn close(call: &Call<'_>, resource: &PhpRes, stream: &Stream) -> PhpResult<()> {
    let holder = last(call.vm);
    let is_last = holder.handle.borrow().as_ref().is_some_and(|handle| handle.ptr_eq(resource));
    if is_last {
        drop(holder.handle.borrow_mut().take());
    }
    let data = resource.close();
    let result = stream.close(call.vm);
    drop(data);
    result
}

fn next_entry(call: &Call<'_>, stream: &Stream) -> PhpResult<Val> {
    let entry = stream.with(|source| source.read_entry(call.vm)).unwrap_or(Ok(None))?;
    Ok(handles::string_or_false(entry))
}

fn closedir(call: &mut Call<'_>) -> PhpResult<Val> {
    let (resource, stream) = directory(call)?;
    close(call, &resource, &stream).map(|()| Val::NULL)
}

fn readdir(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, stream) = directory(call)?;
    next_entry(call, &stream)
}

fn rewinddir(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, stream) = directory(call)?;
    stream.with(|source| source.rewind_entries(call.vm)).unwrap_or(Ok(()))?;
    Ok(Val::NULL)
}

/// The open directory of a `Directory` object.
fn handle_of(call: &Call<'_>) -> PhpResult<(PhpRes, Rc<Stream>)> {
    let handle = call.this().slots().get(HANDLE_SLOT).map_or(Val::NULL, |slot| slot.get_deref());
    let Some(resource) = handle.as_res() else {
        return Err(call.vm.throw_error(b"Unable to find my handle property"));
    };
    match open::stream_of(resource) {
        Some(stream) => Ok((resource.clone(), stream)),
        None => Err(not_a_directory(call)),
    }
}

fn method_close(call: &mut Call<'_>) -> PhpResult<Val> {
    let (resource, stream) = handle_of(call)?;
    close(call, &resource, &stream).map(|()| Val::NULL)
}

fn method_rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, stream) = handle_of(call)?;
    stream.with(|source| source.rewind_entries(call.vm)).unwrap_or(Ok(()))?;
    Ok(Val::NULL)
}

fn method_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, stream) = handle_of(call)?;
    next_entry(call, &stream)
}

fn scandir(call: &mut Call<'_>) -> PhpResult<Val> {
    const ASCENDING: i64 = 0;
    const NONE: i64 = 2;
    let path = call.path(0)?;
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let options = Options { context: context::argument(call, 2)?, ..Options::default() };
    let Some(stream) = open::open_directory(call.vm, &path, &options)? else {
        let missing = std::fs::read_dir(os(&path)).err();
        let (number, text) = match &missing {
            Some(error) => (error.raw_os_error().unwrap_or(0), error_text(error)),
            None => (0, "Success".to_owned()),
        };
        call.warning(&format!("(errno {number}): {text}"))?;
        return Ok(Val::FALSE);
    };
    let mut names = Vec::new();
    while let Some(name) = stream.with(|source| source.read_entry(call.vm)).unwrap_or(Ok(None))? {
        names.push(name);
    }
    match call.int(1) {
        ASCENDING => names.sort(),
        NONE => {}
        _ => names.sort_by(|a, b| b.cmp(a)),
    }
    Ok(PhpArr::from_vec(names.into_iter().map(Val::from).collect()).into())
}

fn chdir(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if !phlox_runtime::basedir::allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    call.vm.before_change("working folder", || {
        let before = std::env::current_dir();
        // A folder that has been removed meanwhile cannot be put back.
        Box::new(move || drop(before.and_then(std::env::set_current_dir)))
    });
    match std::env::set_current_dir(os(&path)) {
        Ok(()) => Ok(Val::TRUE),
        Err(error) => {
            let number = error.raw_os_error().unwrap_or(0);
            call.warning(&format!("{} (errno {number})", error_text(&error)))?;
            Ok(Val::FALSE)
        }
    }
}

fn getcwd(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(crate::path::working_directory().map_or(Val::FALSE, Val::from))
}
