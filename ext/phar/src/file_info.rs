//! `PharFileInfo`: a file of an archive.

use crate::archive::{COMPRESSED, COMPRESSED_BZ2, COMPRESSED_GZ, Content, Entry, PERMISSIONS};
use crate::wrapper::{Opened, archives, is_read_only, save};
use phlox_ext_standard::serialize::{serialize_value, unserialize_value};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Callee, ClassExt, NativeClass, PhpResult, Throw, Val, Vm, convert};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "PharFileInfo",
    decl: include_str!("../stubs/PharFileInfo.stub.php"),
    methods: &[
        ("__construct", construct),
        ("__destruct", |_| Ok(Val::NULL)),
        ("chmod", chmod),
        ("compress", compress),
        ("decompress", decompress),
        ("delMetadata", del_metadata),
        ("getCompressedSize", get_compressed_size),
        ("getCRC32", get_crc32),
        ("getContent", get_content),
        ("getMetadata", get_metadata),
        ("getPharFlags", |_| Ok(Val::int(0))),
        ("hasMetadata", has_metadata),
        ("isCompressed", is_compressed),
        ("isCRCChecked", |_| Ok(Val::TRUE)),
        ("setMetadata", set_metadata),
    ],
    hooks: NativeHooks { no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

fn thrown(vm: &Vm, class: &[u8], message: &str) -> Throw {
    vm.throw_class(class, message.as_bytes(), 0)
}

const BAD_CALL: &[u8] = b"BadMethodCallException";

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let url = call.str(0);
    let shown = phlox_runtime::shown(&url).into_owned();
    if !url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"phar://")) {
        let text = format!("'{shown}' is not a valid phar archive URL (must have at least phar://filename.phar)");
        return Err(thrown(call.vm, b"RuntimeException", &text));
    }
    if let Err(reason) = archives(call.vm).resolve(&url) {
        let text = format!("Cannot open phar file '{shown}': {reason}");
        return Err(thrown(call.vm, b"RuntimeException", &text));
    }
    let parent = call.vm.require_class(b"SplFileInfo")?;
    if let Some(constructor) = parent.class().magic.construct.clone() {
        call.vm.call(&Callee::method(constructor, call.this().clone()), vec![(&url).into()])?;
    }
    Ok(Val::NULL)
}

/// The file's archive and its name.
fn place(call: &Call<'_>) -> PhpResult<(Rc<Opened>, Vec<u8>)> {
    let url = call.vm.call_method(call.this(), b"getpathname", Vec::new())?;
    let url = convert::to_str(call.vm, &url)?;
    archives(call.vm).resolve(&url).map_err(|reason| thrown(call.vm, BAD_CALL, &reason))
}

/// Applies `ask` to the entry; a directory that exists only because of files below it has none.
fn of_entry<T>(call: &Call<'_>, ask: impl FnOnce(Option<&Entry>) -> T) -> PhpResult<T> {
    let (opened, name) = place(call)?;
    let archive = opened.archive.borrow();
    Ok(ask(archive.entries.get(&name)))
}

/// Changes the entry and writes the archive.
fn change(call: &Call<'_>, work: impl FnOnce(&mut Entry, Vec<u8>)) -> PhpResult<()> {
    let (opened, name) = place(call)?;
    if is_read_only(call.vm) && opened.archive.borrow().format == crate::archive::Format::Phar {
        return Err(thrown(
            call.vm,
            b"PharException",
            "Write operations disabled by the php.ini setting phar.readonly",
        ));
    }
    let content = opened.archive.borrow().content(&name).unwrap_or_default();
    if let Some(entry) = opened.archive.borrow_mut().entries.get_mut(&name) {
        work(entry, content);
    }
    if !opened.buffers.get() {
        save(&opened).map_err(|reason| thrown(call.vm, b"PharException", &reason))?;
    }
    Ok(())
}

fn chmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let permissions = call.int(0) as u32 & PERMISSIONS;
    change(call, |entry, _| entry.flags = entry.flags & !PERMISSIONS | permissions)?;
    Ok(Val::NULL)
}

fn set_compression(call: &Call<'_>, bits: u32) -> PhpResult<Val> {
    change(call, |entry, content| {
        entry.content = Content::New(Rc::from(content));
        entry.flags = entry.flags & !COMPRESSED | bits;
    })?;
    Ok(Val::TRUE)
}

fn compress(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.int(0) as u32 {
        COMPRESSED_GZ => set_compression(call, COMPRESSED_GZ),
        COMPRESSED_BZ2 => {
            Err(thrown(call.vm, BAD_CALL, "Cannot compress with bzip2 compression, bz2 extension is not enabled"))
        }
        _ => Err(thrown(call.vm, BAD_CALL, "Unknown compression type specified")),
    }
}

fn decompress(call: &mut Call<'_>) -> PhpResult<Val> {
    set_compression(call, 0)
}

fn get_compressed_size(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = of_entry(call, |entry| {
        entry.map_or(0, |entry| match &entry.content {
            Content::Stored { size, .. } => *size,
            Content::New(bytes) => bytes.len(),
        })
    })?;
    Ok(Val::int(size as i64))
}

fn get_crc32(call: &mut Call<'_>) -> PhpResult<Val> {
    match of_entry(call, |entry| entry.filter(|entry| !entry.is_dir).map(|entry| entry.crc))? {
        Some(crc) => Ok(Val::int(crc as i64)),
        None => Err(thrown(call.vm, BAD_CALL, "Phar entry is a directory, does not have a CRC")),
    }
}

fn get_content(call: &mut Call<'_>) -> PhpResult<Val> {
    let (opened, name) = place(call)?;
    let archive = opened.archive.borrow();
    match archive.content(&name) {
        Ok(bytes) => Ok(Val::str(&bytes)),
        Err(reason) => {
            let (name, path) = (phlox_runtime::shown(&name), phlox_runtime::shown(&archive.path));
            let text = format!("phar error: Cannot retrieve contents, \"{name}\" in phar \"{path}\" is a directory");
            Err(thrown(call.vm, BAD_CALL, if reason.is_empty() { &text } else { &reason }))
        }
    }
}

fn get_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    let metadata = of_entry(call, |entry| entry.map(|entry| entry.metadata.clone()).unwrap_or_default())?;
    if metadata.is_empty() {
        return Ok(Val::NULL);
    }
    unserialize_value(call.vm, &metadata, &call.arr(0), "PharFileInfo::getMetadata")
}

fn has_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(of_entry(call, |entry| entry.is_some_and(|entry| !entry.metadata.is_empty()))?))
}

fn set_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = serialize_value(call.vm, &call.arg(0))?;
    change(call, |entry, _| entry.metadata = text)?;
    Ok(Val::NULL)
}

fn del_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    change(call, |entry, _| entry.metadata.clear())?;
    Ok(Val::TRUE)
}

fn is_compressed(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = of_entry(call, |entry| entry.map_or(0, |entry| entry.flags & COMPRESSED))?;
    Ok(Val::bool(match call.opt_int(0) {
        None => flags != 0,
        Some(wanted) => flags != 0 && i64::from(flags) == wanted,
    }))
}
