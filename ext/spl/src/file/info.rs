//! SplFileInfo.

use super::data::{FileData, create, data, not_initialized};
use super::promoting;
use crate::members;
use phlox_ext_standard_file::context;
use phlox_ext_standard_file::path::{basename, canonical, dirname};
use phlox_ext_standard_file::stat::{self, Stat};
use phlox_ext_standard_file::stream::open::{Options, os};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, ClassExt, ClassRef, NativeClass, PhpArr, PhpObj, PhpResult, PhpStr, Val, Vm};
use std::cell::RefCell;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "SplFileInfo",
    decl: include_str!("../../stubs/SplFileInfo.stub.php"),
    methods: &[
        ("__construct", construct),
        ("getPath", |call| Ok(data(call.this()).directory_part().into())),
        ("getFilename", |call| Ok(file_name(call)?.into())),
        ("getExtension", extension),
        ("getBasename", |call| Ok(basename(&file_name(call)?, &call.str(0)).to_vec().into())),
        ("getPathname", pathname),
        ("getPerms", |call| field(call, false, |stat| Val::int(stat.mode.into()))),
        ("getInode", |call| field(call, false, |stat| Val::int(stat.ino as i64))),
        ("getSize", |call| field(call, false, |stat| Val::int(stat.size as i64))),
        ("getOwner", |call| field(call, false, |stat| Val::int(stat.uid.into()))),
        ("getGroup", |call| field(call, false, |stat| Val::int(stat.gid.into()))),
        ("getATime", |call| field(call, false, |stat| Val::int(stat.atime))),
        ("getMTime", |call| field(call, false, |stat| Val::int(stat.mtime))),
        ("getCTime", |call| field(call, false, |stat| Val::int(stat.ctime))),
        ("getType", |call| field(call, true, |stat| stat.type_name().into())),
        ("isWritable", |call| ask(call, "is_writable")),
        ("isReadable", |call| ask(call, "is_readable")),
        ("isExecutable", |call| ask(call, "is_executable")),
        ("isFile", |call| ask(call, "is_file")),
        ("isDir", |call| ask(call, "is_dir")),
        ("isLink", |call| ask(call, "is_link")),
        ("getLinkTarget", link_target),
        ("getRealPath", real_path),
        ("getFileInfo", file_info),
        ("getPathInfo", path_info),
        ("openFile", open_file),
        ("setFileClass", |call| set_class(call, "SplFileObject", |data| &data.file_class)),
        ("setInfoClass", |call| set_class(call, "SplFileInfo", |data| &data.info_class)),
        ("__toString", pathname),
        ("__debugInfo", debug_info),
        ("_bad_state_ex", |call| {
            let text = b"The parent constructor was not called: the object is in an invalid state";
            Err(call.vm.throw_error(text))
        }),
    ],
    hooks: NativeHooks { create: Some(create), no_serialize: true, ..NativeHooks::NONE },
}];

/// A path without the slashes at its end.
pub fn trimmed(path: &[u8]) -> &[u8] {
    let mut path = path;
    while path.len() > 1 && path.ends_with(b"/") {
        path = &path[..path.len() - 1];
    }
    path
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if name.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    data(call.this()).name.replace(Some(PhpStr::new(trimmed(&name))));
    Ok(Val::NULL)
}

/// The file's path, or the error about a constructor that has not run.
pub fn file_name(call: &Call<'_>) -> PhpResult<Vec<u8>> {
    data(call.this()).file_name().ok_or_else(|| not_initialized(call.vm))
}

fn extension(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = file_name(call)?;
    let name = basename(&name, b"");
    Ok(match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => Val::str(&name[dot + 1..]),
        None => "".into(),
    })
}

/// `SplFileInfo::getPathname()`
pub fn pathname(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(data(call.this()).pathname().unwrap_or_default().into())
}

/// The path of the file; throws when there is none.
fn required_path(call: &Call<'_>) -> PhpResult<Vec<u8>> {
    let own = data(call.this());
    if own.directory.borrow().is_some() {
        return Ok(own.pathname().unwrap_or_default());
    }
    own.pathname().ok_or_else(|| not_initialized(call.vm))
}

/// A field of the file's data; a missing file is a RuntimeException.
fn field(call: &Call<'_>, link: bool, get: fn(&Stat) -> Val) -> PhpResult<Val> {
    let path = required_path(call)?;
    promoting(call.vm, b"RuntimeException", || match stat::of(call, &path, link, false)? {
        Some(stat) => Ok(get(&stat)),
        None if path.is_empty() => Ok(Val::FALSE),
        None => {
            let kind = if link { "Lstat" } else { "stat" };
            call.warning(&format!("{kind} failed for {}", phlox_runtime::shown(&path)))?;
            Ok(Val::FALSE)
        }
    })
}

/// Asks a function about the file.
fn ask(call: &Call<'_>, function: &str) -> PhpResult<Val> {
    let path = required_path(call)?;
    Ok(call.vm.call_value(&function.into(), vec![path.into()])?.into_deref())
}

fn link_target(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = required_path(call)?;
    if path.is_empty() {
        return Err(call.vm.throw_value_error(b"Filename must not be empty"));
    }
    match std::fs::read_link(os(&path)) {
        Ok(target) => Ok(target.into_os_string().into_encoded_bytes().into()),
        Err(error) => {
            let reason = phlox_ext_standard_file::stream::plain::error_text(&error);
            let text = [b"Unable to read link ", &path[..], b", error: ", reason.as_bytes()].concat();
            Err(call.vm.throw_class(b"RuntimeException", &text, 0))
        }
    }
}

fn real_path(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    // The open file may have been found in the include path.
    let found = own.file.borrow().as_ref().filter(|file| file.from_include_path).and_then(|f| f.stream.uri.clone());
    let Some(path) = found.or_else(|| own.pathname()) else { return Ok(Val::FALSE) };
    let path = if path.is_empty() { b".".to_vec() } else { path };
    Ok(canonical(&path).map_or(Val::FALSE, Val::from))
}

/// The class that an argument names, otherwise the one that was set before.
fn class_for(call: &Call<'_>, index: usize, base: &str, set: &RefCell<Option<ClassRef>>) -> PhpResult<ClassRef> {
    let base_class = call.vm.require_class(base.as_bytes())?;
    let Some(name) = call.opt_str(index) else {
        return Ok(set.borrow().clone().unwrap_or(base_class));
    };
    match call.vm.find_class(&name)? {
        Some(class) if class.class().is_a(&base_class) => Ok(class),
        _ => {
            let text = format!("must be a class name derived from {base} or null, {name} given");
            Err(call.type_error(index, &text))
        }
    }
}

/// A new SplFileInfo of a path, of the class that is set.
pub fn new_info(vm: &Vm, owner: &FileData, class: &ClassRef, path: Vec<u8>) -> PhpResult<PhpObj> {
    let info = match &class.class().magic.construct {
        Some(constructor) if constructor.is_native() => {
            let info = vm.instantiate(class)?;
            data(&info).name.replace(Some(PhpStr::new(&path)));
            info
        }
        _ => vm.new_object(class, vec![path.into()])?,
    };
    data(&info).info_class.replace(owner.info_class.borrow().clone());
    data(&info).file_class.replace(owner.file_class.borrow().clone());
    Ok(info)
}

fn file_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let class = class_for(call, 0, "SplFileInfo", &own.info_class)?;
    let path = required_path(call)?;
    Ok(new_info(call.vm, own, &class, path)?.into())
}

fn path_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let class = class_for(call, 0, "SplFileInfo", &own.info_class)?;
    match own.pathname().filter(|path| !path.is_empty()) {
        Some(path) => Ok(new_info(call.vm, own, &class, dirname(&path).to_vec())?.into()),
        None => Ok(Val::NULL),
    }
}

fn open_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let class = match own.file_class.borrow().clone() {
        Some(class) => class,
        None => call.vm.require_class(b"SplFileObject")?,
    };
    let path = required_path(call)?;
    if !call.is_null(2) && call.arg(2).as_res().is_none() {
        let given = phlox_runtime::convert::value_name(&call.arg(2)).into_owned();
        return Err(call.type_error(2, &format!("must be of type resource or null, {given} given")));
    }
    let constructor = class.class().magic.construct.clone();
    let temporary = call.vm.require_class(b"SplTempFileObject")?;
    if constructor.is_some_and(|constructor| constructor.is_native()) && !class.class().is_a(&temporary) {
        // The file is opened without a call of the constructor, which messages would name otherwise.
        let options =
            Options { use_include_path: call.bool(1), context: context::argument(call, 2)?, ..Options::default() };
        let object = call.vm.instantiate(&class)?;
        super::object::open_as(call, &object, PhpStr::from(path), &call.str(0), &options)?;
        return Ok(object.into());
    }
    Ok(call.vm.new_object(&class, vec![path.into(), call.arg(0)])?.into())
}

fn set_class(call: &Call<'_>, base: &str, place: fn(&FileData) -> &RefCell<Option<ClassRef>>) -> PhpResult<Val> {
    let (name, base_class) = (call.str(0), call.vm.require_class(base.as_bytes())?);
    match call.vm.find_class(&name)? {
        Some(class) if class.class().is_a(&base_class) => {
            place(data(call.this())).replace(Some(class));
            Ok(Val::NULL)
        }
        _ => Err(call.type_error(0, &format!("must be a class name derived from {base}, {name} given"))),
    }
}

fn debug_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let mut rows = vec![("SplFileInfo", "pathName", Val::from(own.pathname().unwrap_or_default()))];
    if let Some(name) = own.pathname().and(own.file_name()) {
        rows.push(("SplFileInfo", "fileName", name.into()));
    }
    if let Some(directory) = &*own.directory.borrow() {
        let glob = directory.glob.as_ref().map_or(Val::FALSE, |pattern| pattern.clone().into());
        rows.push(("DirectoryIterator", "glob", glob));
        rows.push(("RecursiveDirectoryIterator", "subPathName", directory.sub_path.clone().into()));
    }
    if let Some(file) = &*own.file.borrow() {
        let format = file.format.get();
        rows.push(("SplFileObject", "openMode", (&file.mode).into()));
        rows.push(("SplFileObject", "delimiter", Val::str(&[format.separator])));
        rows.push(("SplFileObject", "enclosure", Val::str(&[format.enclosure])));
    }
    let shown: PhpArr = members::with_private(call.this(), &rows);
    Ok(shown.into())
}
