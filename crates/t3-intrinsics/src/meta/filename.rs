//! filename and tempfile: names of files, folders and what is in them.

use std::path::Path;

use phlox_t3_vm::contents::date::new_date;
use phlox_t3_vm::contents::file_name::{joined, new_name};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    getName 0 0 => get_name,
    getBaseName 0 0 => get_base_name,
    getPath 0 0 => get_path,
    fromUniversal 1 1 => from_universal,
    toUniversal 0 0 => get_name,
    addToPath 1 1 => add_to_path,
    isAbsolute 0 0 => is_absolute,
    getAbsolutePath 0 0 => get_absolute_path,
    getRootDirs 0 0 => get_root_dirs,
    getFileType 0 0 => get_file_type,
    getFileInfo 0 0 => get_file_info,
    deleteFile 0 0 => delete_file,
    renameFile 1 1 => rename_file,
    listDir 0 0 => list_dir,
    forEachFile 1 2 => for_each_file,
    createDirectory 0 1 => create_directory,
    removeDirectory 0 1 => remove_directory,
};

pub(crate) static TEMPORARY_METHODS: &[Method] = methods! {
    getFilename 0 0 => temporary_name,
    deleteFile 0 0 => delete_temporary,
};

/// A folder.
const TYPE_FOLDER: i32 = 2;
/// The folder itself, in a listing.
const TYPE_SELF: i32 = 0x80;
/// The folder above.
const TYPE_PARENT: i32 = 0x100;

/// Files that have numbers in programs: the settings of the library and of the Web interface.
const SPECIAL_FILES: [&str; 2] = ["settings.txt", "webprefs.txt"];

/// `new FileName(name)` or `new FileName(folder, name)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = match args.count {
        0 => ".".to_owned(),
        1 => match args.get(vm, 0) {
            value if vm.as_big(value).is_some() => {
                match SPECIAL_FILES.get((vm.number_of(value)? as usize).wrapping_sub(1)) {
                    Some(name) => (*name).to_owned(),
                    None => return fail(error::BAD_VAL_BIF),
                }
            }
            value => vm.text_arg(value)?.to_string(),
        },
        2 => joined(&vm.name_arg(args.get(vm, 0))?, &vm.name_arg(args.get(vm, 1))?),
        _ => return fail(error::WRONG_NUM_OF_ARGS),
    };
    Ok(new_name(vm, name))
}

/// From an image or a saved game: the number of a special file, or 0 and the universal name.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let special = loader.data.u32()? as usize;
    if special == 0 {
        return Ok(Obj::FileName(loader.data.long_name()?));
    }
    let name = SPECIAL_FILES.get(special - 1).copied().unwrap_or_default();
    Ok(Obj::FileName(name.to_owned()))
}

fn this(vm: &Vm, args: Args) -> Run<String> {
    vm.name_of(args.this)
}

fn get_name(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = this(vm, args)?;
    Ok(vm.heap.new_text(name))
}

fn get_base_name(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = this(vm, args)?;
    match name.rsplit('/').next() {
        None | Some("") => Ok(Value::Nil),
        Some(base) => {
            let base = base.to_owned();
            Ok(vm.heap.new_text(base))
        }
    }
}

fn get_path(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = this(vm, args)?;
    Ok(match name.rsplit_once('/') {
        Some((path, _)) => new_name(vm, path.to_owned()),
        None => Value::Nil,
    })
}

fn from_universal(vm: &mut Vm, args: Args) -> Run<Value> {
    let Some(name) = vm.heap.text(args.get(vm, 0)).map(|name| name.to_string()) else {
        return fail(error::BAD_VAL_BIF);
    };
    Ok(new_name(vm, name))
}

fn add_to_path(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = vm.name_arg(args.get(vm, 0))?;
    let folder = this(vm, args)?;
    Ok(new_name(vm, if name.is_empty() { folder } else { joined(&folder, &name) }))
}

fn is_absolute(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::truth(this(vm, args)?.starts_with('/')))
}

fn get_absolute_path(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.options.folder.join(this(vm, args)?);
    let path = std::path::absolute(&path).unwrap_or(path);
    let path = path.to_string_lossy();
    let path = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(&path).to_owned();
    Ok(vm.heap.new_text(path))
}

fn get_root_dirs(vm: &mut Vm, _: Args) -> Run<Value> {
    let root = new_name(vm, "/".to_owned());
    Ok(vm.heap.new_list(vec![root]))
}

/// The kinds of files in Unix' file modes, with the bits that stand for them in programs.
const KINDS: [(u32, i32); 7] = [
    (0o100_000, 0x01),
    (0o040_000, TYPE_FOLDER),
    (0o020_000, 0x04),
    (0o060_000, 0x08),
    (0o010_000, 0x10),
    (0o140_000, 0x20),
    (0o120_000, 0x40),
];

/// What kind of file it is. The reference takes the numbers of Unix' kinds for single bits, so that a kind brings
/// others with it that share bits, and programs have only ever seen the result.
fn kind(metadata: &std::fs::Metadata) -> i32 {
    #[cfg(unix)]
    let mode = std::os::unix::fs::MetadataExt::mode(metadata);
    #[cfg(not(unix))]
    let mode = if metadata.is_dir() { 0o040_000 } else { 0o100_000 };
    KINDS.iter().filter(|row| mode & row.0 & 0o170_000 != 0).fold(0, |sum, row| sum | row.1)
}

/// What a name says about its place: the folder itself, or the one above.
fn special_kind(name: &str) -> i32 {
    match name.rsplit('/').next() {
        Some(".") => TYPE_SELF,
        Some("..") => TYPE_PARENT,
        _ => 0,
    }
}

fn get_file_type(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.this, false)?;
    let special = special_kind(&this(vm, args)?);
    Ok(std::fs::metadata(path).map_or(Value::Nil, |metadata| Value::Int(kind(&metadata) | special)))
}

fn get_file_info(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.this, false)?;
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(Value::Nil) };
    let Some(class) = vm.predef.object("File.FileInfo") else { return Ok(Value::Nil) };
    let [created, modified, accessed] = [metadata.created(), metadata.modified(), metadata.accessed()].map(|time| {
        let since = time.ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(since.as_secs() as i64 * 1000)
    });
    // Unix has no time of creation; the reference gives that of the last change of the file's description.
    #[cfg(unix)]
    let created = created.map(|_| std::os::unix::fs::MetadataExt::ctime(&metadata).saturating_mul(1000));
    let [created, modified, accessed] = [created, modified, accessed].map(|time| match time {
        Some(milliseconds) => {
            let date = new_date(vm, milliseconds);
            vm.rooted.push(date);
            date
        }
        None => Value::Nil,
    });
    let arguments = [
        Value::Obj(class),
        Value::Int(kind(&metadata) | special_kind(&this(vm, args)?)),
        Value::Int(metadata.len().min(i32::MAX as u64) as i32),
        created,
        modified,
        accessed,
        Value::Nil,
        Value::Int(4 | if metadata.permissions().readonly() { 0 } else { 8 }),
    ];
    vm.nested(&arguments, |vm| vm.create_tads(arguments.len(), false))
}

fn delete_file(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.this, true)?;
    match std::fs::remove_file(path) {
        Ok(()) => Ok(Value::Nil),
        Err(_) => fail(error::DELETE_FILE),
    }
}

fn rename_file(vm: &mut Vm, args: Args) -> Run<Value> {
    let from = vm.file_path(args.this, true)?;
    let to = vm.file_path(args.get(vm, 0), true)?;
    match std::fs::rename(from, to) {
        Ok(()) => Ok(Value::Nil),
        Err(_) => fail(error::RENAME_FILE),
    }
}

/// Names in a folder with their types, the folder itself and the one above first.
fn entries(path: &Path) -> Option<Vec<(String, i32)>> {
    let mut out = vec![(".".to_owned(), TYPE_FOLDER | TYPE_SELF), ("..".to_owned(), TYPE_FOLDER | TYPE_PARENT)];
    let mut names: Vec<(String, i32)> = std::fs::read_dir(path)
        .ok()?
        .flatten()
        .map(|entry| {
            let kind = entry.metadata().map_or(0, |metadata| kind(&metadata));
            (entry.file_name().to_string_lossy().into_owned(), kind)
        })
        .collect();
    names.sort();
    out.extend(names);
    Some(out)
}

fn list_dir(vm: &mut Vm, args: Args) -> Run<Value> {
    let folder = this(vm, args)?;
    let path = vm.file_path(args.this, false)?;
    let Some(names) = entries(&path) else { return cannot_read(vm) };
    let items = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        for (name, _) in names {
            let name = new_name(vm, joined(&folder, &name));
            vm.rooted.push(name);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}

/// The folder does not exist or is none.
fn cannot_read<T>(vm: &mut Vm) -> Run<T> {
    vm.throw_class("File.FileOpenException", error::READ_FILE, &[])
}

fn for_each_file(vm: &mut Vm, args: Args) -> Run<Value> {
    let function = args.get(vm, 0);
    let recursive = match args.get(vm, 1) {
        Value::Nil => false,
        Value::True => true,
        _ => return fail(error::BAD_TYPE_BIF),
    };
    let path = vm.file_path(args.this, false)?;
    if entries(&path).is_none() {
        return cannot_read(vm);
    }
    let mut folders = vec![this(vm, args)?];
    while let Some(folder) = folders.pop() {
        let Some(names) = entries(&vm.options.folder.join(&folder)) else { continue };
        for (name, kind) in names {
            let full = joined(&folder, &name);
            if recursive && kind & TYPE_FOLDER != 0 && special_kind(&name) == 0 {
                folders.push(full.clone());
            }
            let name = new_name(vm, full);
            vm.call_value(function, &[name])?;
        }
    }
    Ok(vm.r0)
}

fn create_directory(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.this, true)?;
    let parents = args.get(vm, 0) != Value::Nil;
    let result = if parents { std::fs::create_dir_all(path) } else { std::fs::create_dir(path) };
    match result {
        Ok(()) => Ok(Value::Nil),
        Err(_) => fail(error::CREATE_FILE),
    }
}

fn remove_directory(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.this, true)?;
    let contents = args.get(vm, 0) != Value::Nil;
    let result = if contents { std::fs::remove_dir_all(path) } else { std::fs::remove_dir(path) };
    match result {
        Ok(()) => Ok(Value::Nil),
        Err(_) => fail(error::DELETE_FILE),
    }
}

// ---- temporary files

/// `new TemporaryFile()`.
pub(crate) fn create_temporary(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 0 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let (seconds, nanoseconds) = vm.io.now();
    let name = format!("t3-{}-{seconds}-{nanoseconds}-{}.tmp", std::process::id(), vm.heap.slots.len());
    let path = std::env::temp_dir().join(name).to_string_lossy().into_owned();
    let id = vm.heap.alloc(Obj::TempFile(path));
    // Nothing of it is saved.
    if let Some(flags) = vm.heap.flags_mut(id) {
        flags.transient = true;
    }
    Ok(Value::Obj(id))
}

fn temporary_name(vm: &mut Vm, args: Args) -> Run<Value> {
    get_name(vm, args)
}

fn delete_temporary(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = this(vm, args)?;
    // Without effect if nothing was ever written.
    let _ = std::fs::remove_file(path);
    Ok(Value::Nil)
}
