//! DirectoryIterator.

use super::data::{Directory, data, not_initialized};
use super::info::trimmed;
use super::promoting;
use phlox_ext_standard_file::glob;
use phlox_ext_standard_file::path::dirname;
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpObj, PhpResult, Val};
use std::rc::Rc;

pub const SKIP_DOTS: i64 = 0x1000;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "DirectoryIterator",
    decl: include_str!("../../stubs/DirectoryIterator.stub.php"),
    methods: &[
        ("__construct", |call| begin(call, 0, false)),
        ("getFilename", |call| with(call, |directory| directory.entry().into())),
        ("getExtension", extension),
        ("getBasename", base_name),
        ("isDot", |call| with(call, |directory| directory.is_dot().into())),
        ("rewind", rewind),
        ("valid", |call| with(call, |directory| (!directory.entry().is_empty()).into())),
        ("key", |call| with(call, |directory| Val::int(directory.index))),
        ("current", |call| with(call, |_| Val::NULL).map(|_| call.this().into())),
        ("next", next),
        ("seek", seek),
        ("__toString", |call| with(call, |directory| directory.entry().into())),
    ],
    hooks: NativeHooks::NONE,
}];

/// Opens the directory (or the pattern) of the first argument.
pub fn begin(call: &mut Call<'_>, flags: i64, is_pattern: bool) -> PhpResult<Val> {
    let given = call.str(0);
    if given.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if given.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    let own = data(call.this());
    if own.directory.borrow().is_some() {
        return Err(call.vm.throw_error(b"Directory object is already initialized"));
    }
    let pattern = given.strip_prefix(b"glob://").or(is_pattern.then_some(&given[..]));
    let directory = match pattern {
        Some(pattern) => {
            let mut found = glob::matches(pattern, 0);
            found.retain(|path| phlox_runtime::basedir::allows_quietly(call.vm, path));
            let path = found.first().map_or(dirname(pattern), |path| dirname(path)).to_vec();
            let entries = found.iter().map(|path| phlox_ext_standard_file::path::basename(path, b"").to_vec());
            let entries = Rc::new(entries.collect());
            Directory { path, entries, glob: Some([b"glob://", pattern].concat()), ..Directory::default() }
        }
        None => Directory {
            path: trimmed(&given).to_vec(),
            entries: Rc::new(read_entries(call, &given)?),
            ..Directory::default()
        },
    };
    own.flags.set(flags);
    own.directory.replace(Some(directory));
    start(call.this());
    Ok(Val::NULL)
}

/// The names in a directory; failure is an UnexpectedValueException.
fn read_entries(call: &Call<'_>, path: &[u8]) -> PhpResult<Vec<Vec<u8>>> {
    let vm = call.vm;
    let opened = promoting(vm, b"UnexpectedValueException", || {
        let opened = open::open_directory(vm, path, &Options::default())?;
        if opened.is_none() {
            let text = [b"Failed to open directory \"", path, b"\""].concat();
            return Err(vm.throw_class(b"UnexpectedValueException", &text, 0));
        }
        Ok(opened)
    })?;
    let mut names = Vec::new();
    if let Some(stream) = opened {
        while let Some(name) = stream.with(|source| source.read_entry(vm)).unwrap_or(Ok(None))? {
            names.push(name);
        }
        stream.close(vm)?;
    }
    Ok(names)
}

/// Applies `look` to the directory of `$this`.
pub fn with(call: &Call<'_>, look: impl FnOnce(&Directory) -> Val) -> PhpResult<Val> {
    match &*data(call.this()).directory.borrow() {
        Some(directory) => Ok(look(directory)),
        None => Err(not_initialized(call.vm)),
    }
}

/// Skips `.` and `..` if the flags say so.
fn skip_dots(object: &PhpObj) {
    let own = data(object);
    let skips = own.flags.get() & SKIP_DOTS != 0;
    if let Some(directory) = &mut *own.directory.borrow_mut() {
        while skips && directory.is_dot() {
            directory.at += 1;
        }
    }
}

fn start(object: &PhpObj) {
    if let Some(directory) = &mut *data(object).directory.borrow_mut() {
        (directory.at, directory.index) = (0, 0);
    }
    skip_dots(object);
}

fn advance(object: &PhpObj) {
    if let Some(directory) = &mut *data(object).directory.borrow_mut() {
        directory.at = (directory.at + 1).min(directory.entries.len());
        directory.index += 1;
    }
    skip_dots(object);
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |_| Val::NULL)?;
    start(call.this());
    Ok(Val::NULL)
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |_| Val::NULL)?;
    advance(call.this());
    Ok(Val::NULL)
}

fn seek(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |_| Val::NULL)?;
    let (this, wanted) = (call.this().clone(), call.int(0));
    let index = || data(&this).directory.borrow().as_ref().map_or(0, |directory| directory.index);
    if index() > wanted {
        call.vm.call_method(&this, b"rewind", Vec::new())?;
    }
    while index() < wanted {
        let valid = call.vm.call_method(&this, b"valid", Vec::new())?;
        if !phlox_runtime::convert::to_bool(&valid) {
            let text = format!("Seek position {wanted} is out of range");
            return Err(call.vm.throw_class(b"OutOfBoundsException", text.as_bytes(), 0));
        }
        call.vm.call_method(&this, b"next", Vec::new())?;
    }
    Ok(Val::NULL)
}

fn extension(call: &mut Call<'_>) -> PhpResult<Val> {
    with(call, |directory| {
        let name = directory.entry();
        match name.iter().rposition(|&byte| byte == b'.') {
            Some(dot) => Val::str(&name[dot + 1..]),
            None => "".into(),
        }
    })
}

fn base_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let suffix = call.str(0);
    with(call, |directory| phlox_ext_standard_file::path::basename(directory.entry(), &suffix).into())
}
