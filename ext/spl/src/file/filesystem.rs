//! FilesystemIterator, RecursiveDirectoryIterator and GlobIterator.

use super::data::{data, not_initialized};
use super::directory::{begin, with};
use super::info::new_info;
use phlox_ext_standard_file::stat;
use phlox_ext_standard_file::stream::open::{self, os};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpResult, Val};

const CURRENT_MODE_MASK: i64 = 0xf0;
const CURRENT_AS_SELF: i64 = 16;
const CURRENT_AS_PATHNAME: i64 = 32;
const KEY_MODE_MASK: i64 = 0xf00;
const KEY_AS_FILENAME: i64 = 256;
const FOLLOW_SYMLINKS: i64 = 0x4000;
const OTHER_MODE_MASK: i64 = 0x7000;
const ALL_MASKS: i64 = CURRENT_MODE_MASK | KEY_MODE_MASK | OTHER_MODE_MASK;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "FilesystemIterator",
        decl: include_str!("../../stubs/FilesystemIterator.stub.php"),
        methods: &[
            ("__construct", |call| begin(call, call.int(1), false)),
            ("rewind", rewind),
            ("key", key),
            ("current", current),
            ("getFlags", |call| Ok(Val::int(data(call.this()).flags.get() & ALL_MASKS))),
            ("setFlags", set_flags),
        ],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "RecursiveDirectoryIterator",
        decl: include_str!("../../stubs/RecursiveDirectoryIterator.stub.php"),
        methods: &[
            ("__construct", |call| begin(call, call.int(1), false)),
            ("hasChildren", has_children),
            ("getChildren", get_children),
            ("getSubPath", |call| with(call, |directory| directory.sub_path.clone().into())),
            ("getSubPathname", |call| with(call, |directory| joined(&directory.sub_path, directory.entry()).into())),
        ],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "GlobIterator",
        decl: include_str!("../../stubs/GlobIterator.stub.php"),
        methods: &[
            ("__construct", |call| begin(call, call.int(1), true)),
            ("count", |call| with(call, |directory| Val::int(directory.entries.len() as i64))),
        ],
        hooks: NativeHooks { no_clone: true, ..NativeHooks::NONE },
    },
];

fn joined(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() }
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let parent = call.vm.require_class(b"DirectoryIterator")?;
    let method = phlox_runtime::ClassExt::class(&*parent).methods.get(&phlox_runtime::ByBytes(b"rewind")).cloned();
    // Without an open directory this does nothing, without an error.
    let is_open = data(call.this()).directory.borrow().is_some();
    if let Some(method) = method.filter(|_| is_open) {
        let this = call.this().clone();
        call.vm.call(&phlox_runtime::Callee::method(method, this), Vec::new())?;
    }
    Ok(Val::NULL)
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    let by_name = data(call.this()).flags.get() & KEY_AS_FILENAME != 0;
    with(call, |directory| if by_name { directory.entry().into() } else { directory.pathname().into() })
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let path = match &*own.directory.borrow() {
        Some(directory) => directory.pathname(),
        None => return Err(not_initialized(call.vm)),
    };
    let flags = own.flags.get();
    if flags & CURRENT_AS_PATHNAME != 0 {
        return Ok(path.into());
    }
    if flags & CURRENT_AS_SELF != 0 {
        return Ok(call.this().into());
    }
    let class = match own.info_class.borrow().clone() {
        Some(class) => class,
        None => call.vm.require_class(b"SplFileInfo")?,
    };
    Ok(new_info(call.vm, own, &class, path)?.into())
}

fn set_flags(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = &data(call.this()).flags;
    flags.set(flags.get() & !ALL_MASKS | call.int(0) & ALL_MASKS);
    Ok(Val::NULL)
}

fn has_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let follows = call.bool(0) || own.flags.get() & FOLLOW_SYMLINKS != 0;
    let mut inside = None;
    let plain = with(call, |directory| {
        if directory.entry().is_empty() || directory.is_dot() {
            return Val::FALSE;
        }
        let path = directory.pathname();
        if open::scheme(&path).is_some() {
            inside = Some(path);
            return Val::FALSE;
        }
        let is_link = os(&path).is_symlink();
        ((follows || !is_link) && os(&path).is_dir()).into()
    })?;
    match inside {
        Some(url) => Ok(Val::bool(stat::of(call, &url, false, true)?.is_some_and(|stat| stat.is_dir()))),
        None => Ok(plain),
    }
}

fn get_children(call: &mut Call<'_>) -> PhpResult<Val> {
    let this = call.this().clone();
    let own = data(&this);
    let (path, sub_path) = match &*own.directory.borrow() {
        Some(directory) => (directory.pathname(), joined(&directory.sub_path, directory.entry())),
        None => return Err(not_initialized(call.vm)),
    };
    let flags = Val::int(own.flags.get());
    let child = call.vm.new_object(this.class_header(), vec![path.into(), flags])?;
    if let Some(directory) = &mut *data(&child).directory.borrow_mut() {
        directory.sub_path = sub_path;
    }
    data(&child).info_class.replace(own.info_class.borrow().clone());
    data(&child).file_class.replace(own.file_class.borrow().clone());
    Ok(child.into())
}
