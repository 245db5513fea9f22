//! The methods of `Phar` and `PharData`.

use crate::archive::{Archive, COMPRESSED, COMPRESSED_BZ2, COMPRESSED_GZ, DIGESTS, Format, normal};
use crate::statics::{default_stub, format_of};
use crate::wrapper::{Opened, archives, canonical, is_allowed, is_read_only, now, save};
use crate::write::{Signing, ended};
use phlox_ext_standard::serialize::{serialize_value, unserialize_value};
use phlox_ext_standard_file::stream::open::{self as streams, Options, os, stream_of};
use phlox_runtime::{Call, Callee, ClassExt, PhpArr, PhpResult, PhpStr, Throw, Val, View, Vm, convert};
use std::rc::Rc;

const UNEXPECTED: &[u8] = b"UnexpectedValueException";
const BAD_CALL: &[u8] = b"BadMethodCallException";
const PHAR: &[u8] = b"PharException";

fn thrown(vm: &Vm, class: &[u8], message: &str) -> Throw {
    vm.throw_class(class, message.as_bytes(), 0)
}

fn lossy(bytes: &[u8]) -> String {
    phlox_runtime::shown(bytes).into_owned()
}

fn is_data(call: &Call<'_>) -> bool {
    let mut class = Some(call.this().class_header().clone());
    while let Some(header) = class {
        if header.class().name.as_bytes() == b"PharData" {
            return true;
        }
        class = header.class().parent.clone();
    }
    false
}

/// The archive of the object.
fn opened(call: &Call<'_>) -> PhpResult<Rc<Opened>> {
    let found = archives(call.vm).objects.borrow().get(&call.this().handle()).cloned();
    found.ok_or_else(|| thrown(call.vm, BAD_CALL, "Cannot call method on an uninitialized Phar object"))
}

/// The archive of the object, if it may change.
fn writable(call: &Call<'_>) -> PhpResult<Rc<Opened>> {
    let opened = opened(call)?;
    if is_read_only(call.vm) && !is_data(call) {
        let text = "Cannot write out phar archive, phar is read-only";
        return Err(thrown(call.vm, UNEXPECTED, text));
    }
    Ok(opened)
}

/// The archive of the object, if a file may be put into it.
fn growable(call: &Call<'_>, name: &[u8]) -> PhpResult<Rc<Opened>> {
    let opened = opened(call)?;
    if is_read_only(call.vm) && !is_data(call) {
        let (name, path) = (lossy(name), lossy(&opened.archive.borrow().path));
        let text = format!(
            "Entry {name} does not exist and cannot be created: phar error: file \"{name}\" in phar \"{path}\" cannot be \
             opened for writing, disabled by ini setting"
        );
        return Err(thrown(call.vm, BAD_CALL, &text));
    }
    Ok(opened)
}

/// Writes the archive after a change, unless changes are buffered.
fn finish(call: &Call<'_>, opened: &Opened) -> PhpResult<Val> {
    if !opened.buffers.get()
        && let Err(reason) = save(opened)
    {
        return Err(thrown(call.vm, PHAR, &reason));
    }
    Ok(Val::NULL)
}

/// `Phar::__construct()`
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (given, data) = (call.str(0), is_data(call));
    let archives = archives(call.vm);
    let mut inside = Vec::new();
    let found = if given.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"phar://")) {
        archives.resolve(&given).map(|(opened, name)| {
            inside = name;
            opened
        })
    } else if os(&given).is_file() && is_allowed(&canonical(&given)) {
        archives.load(&given)
    } else {
        create(call, &given, data)?
    };
    let opened = match found {
        Ok(opened) => opened,
        Err(reason) if reason.is_empty() => {
            let text =
                format!("internal corruption of phar \"{}\" (__HALT_COMPILER(); not found)", lossy(&canonical(&given)));
            return Err(thrown(call.vm, UNEXPECTED, &text));
        }
        Err(reason) => return Err(thrown(call.vm, UNEXPECTED, &reason)),
    };
    let path = opened.archive.borrow().path.clone();
    if !data
        && opened.archive.borrow().format != Format::Phar
        && opened.archive.borrow().stub.is_empty()
        && os(&path).is_file()
    {
        let text = format!(
            "'{}' is not a phar archive. Use PharData::__construct() for a standard zip or tar archive",
            lossy(&given)
        );
        return Err(thrown(call.vm, UNEXPECTED, &text));
    }
    if let Some(alias) = call.opt_str(2) {
        opened.archive.borrow_mut().alias = Some(alias.to_vec());
        archives.set_alias(&alias, &path);
    }
    archives.objects.borrow_mut().insert(call.this().handle(), opened);
    let slash: &[u8] = if inside.is_empty() { b"" } else { b"/" };
    let url = [b"phar://", &path[..], slash, &inside].concat();
    let parent = call.vm.require_class(b"RecursiveDirectoryIterator")?;
    if let Some(constructor) = parent.class().magic.construct.clone() {
        let args = vec![Val::str(&url), Val::int(call.int(1))];
        call.vm.call(&Callee::method(constructor, call.this().clone()), args)?;
    }
    call.vm.call_method(call.this(), b"setinfoclass", vec!["PharFileInfo".into()])?;
    Ok(Val::NULL)
}

/// An archive that does not exist yet.
fn create(call: &Call<'_>, given: &PhpStr, data: bool) -> PhpResult<Result<Rc<Opened>, String>> {
    let name = lossy(given);
    let format = match call.opt_int(3).filter(|format| *format != 0) {
        Some(2) => Some(Format::Tar),
        Some(3) => Some(Format::Zip),
        Some(_) => Some(Format::Phar),
        None => format_of(given, !data),
    };
    let format = format.filter(|_| is_allowed(&canonical(given)));
    let Some(format) = format else {
        let text = format!(
            "Cannot create phar '{name}', file extension (or combination) not recognised or the directory does not exist"
        );
        return Err(thrown(call.vm, UNEXPECTED, &text));
    };
    if is_read_only(call.vm) && !data {
        let text = format!("creating archive \"{name}\" disabled by the php.ini setting phar.readonly");
        return Err(thrown(call.vm, UNEXPECTED, &text));
    }
    let mut archive = Archive::new(&canonical(given), format);
    if !data {
        archive.stub = default_stub(b"index.php", b"index.php");
    }
    Ok(Ok(archives(call.vm).add(archive)))
}

/// `Phar::__destruct()`
pub fn destruct(call: &mut Call<'_>) -> PhpResult<Val> {
    archives(call.vm).objects.borrow_mut().remove(&call.this().handle());
    Ok(Val::NULL)
}

fn refuse_own(call: &Call<'_>, name: &[u8]) -> PhpResult<()> {
    if name == b".phar" || name.starts_with(b".phar/") {
        let text = "Cannot create any files in magic \".phar\" directory";
        return Err(thrown(call.vm, BAD_CALL, text));
    }
    Ok(())
}

/// `Phar::addFromString()`; the contents may come from a stream.
pub fn add_from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = normal(&convert::to_str(call.vm, &call.arg(0))?);
    let opened = growable(call, &name)?;
    refuse_own(call, &name)?;
    let value = call.arg(1);
    let bytes = match value.as_res().and_then(stream_of) {
        Some(stream) => stream.read_all(call.vm, None)?,
        None => convert::to_str(call.vm, &value)?.to_vec(),
    };
    opened.archive.borrow_mut().put(&name, &bytes, now());
    finish(call, &opened)
}

/// `Phar::addEmptyDir()`
pub fn add_empty_dir(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let name = normal(&call.str(0));
    refuse_own(call, &name)?;
    opened.archive.borrow_mut().put_dir(&name, now());
    finish(call, &opened)
}

/// The bytes of a file outside.
fn read_file(call: &Call<'_>, path: &[u8]) -> PhpResult<Vec<u8>> {
    match streams::open(call.vm, path, "rb", &Options { silent: true, ..Options::default() })? {
        Some(stream) => stream.read_all(call.vm, None),
        None => {
            let text = format!("phar error: unable to open file \"{}\" to add to phar archive", lossy(path));
            Err(thrown(call.vm, b"RuntimeException", &text))
        }
    }
}

/// `Phar::addFile()`
pub fn add_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let path = call.path(0)?;
    let name = normal(&call.opt_str(1).unwrap_or_else(|| path.clone()));
    refuse_own(call, &name)?;
    let bytes = read_file(call, &path)?;
    opened.archive.borrow_mut().put(&name, &bytes, now());
    finish(call, &opened)
}

/// `Phar::buildFromDirectory()`
pub fn build_from_directory(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let (root, pattern) = (canonical(&call.path(0)?), call.str(1));
    let mut pending = vec![root.clone()];
    let mut added = PhpArr::new();
    while let Some(dir) = pending.pop() {
        let names = streams::list_directory(&dir).unwrap_or_default();
        for name in names.iter().filter(|name| !matches!(&name[..], b"." | b"..")) {
            let path = [&dir[..], b"/", name].concat();
            if os(&path).is_dir() {
                pending.push(path);
                continue;
            }
            if !pattern.is_empty() {
                let args = vec![(&pattern).into(), Val::str(&path)];
                let fits = call.vm.call_value(&"preg_match".into(), args)?;
                if fits.as_int() != Some(1) {
                    continue;
                }
            }
            let local = path[root.len()..].strip_prefix(b"/").unwrap_or(&path).to_vec();
            let bytes = read_file(call, &path)?;
            opened.archive.borrow_mut().put(&local, &bytes, now());
            added.set_bytes(&local, Val::str(&path));
        }
    }
    finish(call, &opened)?;
    Ok(added.into())
}

/// `Phar::buildFromIterator()`
pub fn build_from_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let base = call.opt_str(1).map(|base| canonical(&base));
    let pairs = call.vm.call_value(&"iterator_to_array".into(), vec![call.arg(0), Val::TRUE])?;
    let mut added = PhpArr::new();
    for (key, value) in &pairs.into_arr().unwrap_or_default() {
        let value = value.deref();
        let path = match value.view() {
            View::Obj(object) => {
                let path = call.vm.call_method(object, b"getpathname", Vec::new())?;
                convert::to_str(call.vm, &path)?
            }
            _ => convert::to_str(call.vm, &value)?,
        };
        if os(&path).is_dir() {
            continue;
        }
        let full = canonical(&path);
        let local = match &base {
            Some(base) => match full.strip_prefix(&base[..]) {
                Some(local) => normal(local),
                None => {
                    let text = format!(
                        "Iterator RecursiveIteratorIterator returned a path \"{}\" that is not in the base directory \"{}\"",
                        lossy(&path),
                        lossy(base)
                    );
                    return Err(thrown(call.vm, UNEXPECTED, &text));
                }
            },
            None => normal(&convert::to_str(call.vm, &key.to_val())?),
        };
        let bytes = match value.as_res().and_then(stream_of) {
            Some(stream) => stream.read_all(call.vm, None)?,
            None => read_file(call, &path)?,
        };
        opened.archive.borrow_mut().put(&local, &bytes, now());
        added.set_bytes(&local, (&path).into());
    }
    finish(call, &opened)?;
    Ok(added.into())
}

/// `Phar::copy()`
pub fn copy(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let (from, to) = (normal(&call.str(0)), normal(&call.str(1)));
    let entry = opened.archive.borrow().entries.get(&from).cloned();
    let Some(entry) = entry else {
        let text = format!(
            "file \"{}\" cannot be copied to file \"{}\", file does not exist in {}",
            lossy(&from),
            lossy(&to),
            lossy(&opened.archive.borrow().path)
        );
        return Err(thrown(call.vm, UNEXPECTED, &text));
    };
    refuse_own(call, &to)?;
    opened.archive.borrow_mut().entries.insert(to, entry);
    finish(call, &opened)?;
    Ok(Val::TRUE)
}

/// `Phar::delete()` and `Phar::offsetUnset()`; only the former throws for an entry that does not exist.
pub fn delete(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let name = normal(&convert::to_str(call.vm, &call.arg(0))?);
    let removed = opened.archive.borrow_mut().entries.shift_remove(&name);
    if removed.is_none() && call.func.name.as_bytes() == b"delete" {
        let text = format!("Entry {} does not exist and cannot be deleted", lossy(&name));
        return Err(thrown(call.vm, BAD_CALL, &text));
    }
    finish(call, &opened)?;
    Ok(if call.func.name.as_bytes() == b"delete" { Val::TRUE } else { Val::NULL })
}

/// `Phar::count()`
pub fn count(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = opened(call)?;
    let archive = opened.archive.borrow();
    Ok(Val::int((archive.entries.len() + crate::write::own_count(&archive)) as i64))
}

/// `Phar::getAlias()`
pub fn get_alias(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = opened(call)?;
    let archive = opened.archive.borrow();
    Ok(archive.alias.as_ref().map_or(Val::NULL, |alias| Val::str(alias)))
}

/// `Phar::getPath()`
pub fn get_path(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&opened(call)?.archive.borrow().path))
}

/// `Phar::getMetadata()`
pub fn get_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    let metadata = opened(call)?.archive.borrow().metadata.clone();
    if metadata.is_empty() {
        return Ok(Val::NULL);
    }
    unserialize_value(call.vm, &metadata, &call.arr(0), "Phar::getMetadata")
}

/// `Phar::hasMetadata()`
pub fn has_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(!opened(call)?.archive.borrow().metadata.is_empty()))
}

/// `Phar::setMetadata()`
pub fn set_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let text = serialize_value(call.vm, &call.arg(0))?;
    opened.archive.borrow_mut().metadata = text;
    finish(call, &opened)
}

/// `Phar::delMetadata()`
pub fn del_metadata(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    opened.archive.borrow_mut().metadata.clear();
    finish(call, &opened)?;
    Ok(Val::TRUE)
}

/// `Phar::getModified()`: always false.
pub fn get_modified(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::FALSE)
}

/// `Phar::getSignature()`
pub fn get_signature(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = opened(call)?;
    let archive = opened.archive.borrow();
    let Some(signature) = &archive.signature else { return Ok(Val::FALSE) };
    let name = DIGESTS.iter().find(|(kind, _, _)| *kind == signature.kind).map_or("", |(_, name, _)| name);
    let hex: String = signature.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut shown = PhpArr::new();
    shown.set_bytes(b"hash", hex.into());
    shown.set_bytes(b"hash_type", name.into());
    Ok(shown.into())
}

/// `Phar::getStub()`
pub fn get_stub(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&opened(call)?.archive.borrow().stub))
}

/// `Phar::getVersion()`
pub fn get_version(call: &mut Call<'_>) -> PhpResult<Val> {
    let version = opened(call)?.archive.borrow().version;
    Ok(format!("{}.{}.{}", version >> 12, version >> 8 & 15, version >> 4 & 15).into())
}

/// `Phar::isBuffering()`
pub fn is_buffering(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(opened(call)?.buffers.get()))
}

/// `Phar::startBuffering()`
pub fn start_buffering(call: &mut Call<'_>) -> PhpResult<Val> {
    opened(call)?.buffers.set(true);
    Ok(Val::NULL)
}

/// `Phar::stopBuffering()`
pub fn stop_buffering(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    opened.buffers.set(false);
    finish(call, &opened)
}

/// `Phar::isCompressed()`
pub fn is_compressed(call: &mut Call<'_>) -> PhpResult<Val> {
    let compression = opened(call)?.archive.borrow().compression;
    Ok(if compression == 0 { Val::FALSE } else { Val::int(compression as i64) })
}

/// `Phar::isFileFormat()`
pub fn is_file_format(call: &mut Call<'_>) -> PhpResult<Val> {
    let format = opened(call)?.archive.borrow().format;
    match call.int(0) {
        1 => Ok(Val::bool(format == Format::Phar)),
        2 => Ok(Val::bool(format == Format::Tar)),
        3 => Ok(Val::bool(format == Format::Zip)),
        _ => Err(thrown(call.vm, PHAR, "Unknown file format specified")),
    }
}

/// `Phar::isWritable()`
pub fn is_writable(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = opened(call)?;
    let path = opened.archive.borrow().path.clone();
    let writable = std::fs::metadata(os(&path)).map_or(true, |meta| !meta.permissions().readonly());
    Ok(Val::bool(writable && (is_data(call) || !is_read_only(call.vm))))
}

/// `Phar::offsetExists()`; names in `.phar` never exist.
pub fn offset_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = normal(&convert::to_str(call.vm, &call.arg(0))?);
    let opened = opened(call)?;
    let archive = opened.archive.borrow();
    Ok(Val::bool(
        !name.starts_with(b".phar")
            && (archive.entries.contains_key(&name) || !name.is_empty() && archive.is_dir(&name)),
    ))
}

/// `Phar::offsetGet()`
pub fn offset_get(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = normal(&convert::to_str(call.vm, &call.arg(0))?);
    let opened = opened(call)?;
    let archive = opened.archive.borrow();
    if !archive.entries.contains_key(&name) && (name.is_empty() || !archive.is_dir(&name)) {
        return Err(thrown(call.vm, BAD_CALL, &format!("Entry {} does not exist", lossy(&name))));
    }
    let url = [b"phar://", &archive.path[..], b"/", &name].concat();
    drop(archive);
    let class = call.vm.require_class(b"PharFileInfo")?;
    Ok(call.vm.new_object(&class, vec![Val::str(&url)])?.into())
}

/// `Phar::setAlias()`
pub fn set_alias(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let alias = call.str(0);
    if alias.iter().any(|byte| b"/\\:;".contains(byte)) {
        let text = format!(
            "Invalid alias \"{}\" specified for phar \"{}\"",
            lossy(&alias),
            lossy(&opened.archive.borrow().path)
        );
        return Err(thrown(call.vm, UNEXPECTED, &text));
    }
    let path = opened.archive.borrow().path.clone();
    opened.archive.borrow_mut().alias = Some(alias.to_vec());
    archives(call.vm).set_alias(&alias, &path);
    finish(call, &opened)?;
    Ok(Val::TRUE)
}

/// `Phar::setStub()`; the stub may come from a stream.
pub fn set_stub(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let value = call.arg(0);
    let text = match value.as_res().and_then(stream_of) {
        Some(stream) => {
            let limit = usize::try_from(call.int(1)).ok();
            stream.read_all(call.vm, limit)?
        }
        None => convert::to_str(call.vm, &value)?.to_vec(),
    };
    let Some(stub) = ended(&text) else {
        let path = lossy(&opened.archive.borrow().path);
        return Err(thrown(
            call.vm,
            PHAR,
            &format!("illegal stub for phar \"{path}\" (__HALT_COMPILER(); is missing)"),
        ));
    };
    opened.archive.borrow_mut().stub = stub;
    finish(call, &opened)?;
    Ok(Val::TRUE)
}

/// `Phar::setDefaultStub()`
pub fn set_default_stub(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let index = call.opt_str(0).unwrap_or_else(|| PhpStr::from("index.php"));
    let web = call.opt_str(1).unwrap_or_else(|| index.clone());
    opened.archive.borrow_mut().stub = default_stub(&index, &web);
    finish(call, &opened)?;
    Ok(Val::TRUE)
}

/// `Phar::setSignatureAlgorithm()`
pub fn set_signature_algorithm(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = writable(call)?;
    let kind = u32::try_from(call.int(0)).ok().filter(|kind| DIGESTS.iter().any(|(known, _, _)| known == kind));
    let Some(kind) = kind else {
        return Err(thrown(call.vm, UNEXPECTED, "Unknown signature algorithm specified"));
    };
    let key = match call.opt_str(1) {
        Some(pem) if kind >= 0x10 => {
            let read = phlox_openssl::Bio::reader(&pem).and_then(|bio| phlox_openssl::Key::read_private(&bio, None));
            Some(read.map_err(|_| thrown(call.vm, PHAR, "unable to process private key"))?)
        }
        _ => None,
    };
    opened.signing.replace(Signing { kind, key });
    finish(call, &opened)
}

/// Sets the compression of every file.
fn compress_all(call: &Call<'_>, bits: u32) -> PhpResult<()> {
    let opened = writable(call)?;
    let mut archive = opened.archive.borrow_mut();
    let names: Vec<Vec<u8>> = archive.entries.keys().cloned().collect();
    for name in names {
        let content = archive.content(&name).map_err(|reason| thrown(call.vm, PHAR, &reason))?;
        if let Some(entry) = archive.entries.get_mut(&name).filter(|entry| !entry.is_dir) {
            entry.content = crate::archive::Content::New(Rc::from(content));
            entry.flags = entry.flags & !COMPRESSED | bits;
        }
    }
    drop(archive);
    finish(call, &opened).map(drop)
}

/// `Phar::compressFiles()`
pub fn compress_files(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.int(0) as u32 {
        COMPRESSED_GZ => compress_all(call, COMPRESSED_GZ)?,
        COMPRESSED_BZ2 => {
            let text = "Cannot compress files within archive with bzip2, enable ext/bz2 in php.ini";
            return Err(thrown(call.vm, BAD_CALL, text));
        }
        _ => {
            let text = "Unknown compression specified, please pass one of Phar::GZ or Phar::BZ2";
            return Err(thrown(call.vm, BAD_CALL, text));
        }
    }
    Ok(Val::NULL)
}

/// `Phar::decompressFiles()`
pub fn decompress_files(call: &mut Call<'_>) -> PhpResult<Val> {
    compress_all(call, 0)?;
    Ok(Val::TRUE)
}

/// Writes a copy of the archive in another format or compression beside it, and gives it as an object of a class.
fn convert(
    call: &Call<'_>,
    format: Format,
    compression: u32,
    extension: Option<PhpStr>,
    class: &str,
) -> PhpResult<Val> {
    let opened = opened(call)?;
    let mut archive = opened.archive.borrow().clone();
    let names: Vec<Vec<u8>> = archive.entries.keys().cloned().collect();
    for name in names {
        let content = archive.content(&name).map_err(|reason| thrown(call.vm, PHAR, &reason))?;
        if let Some(entry) = archive.entries.get_mut(&name).filter(|entry| !entry.is_dir) {
            entry.crc = crc32fast::hash(&content);
            entry.content = crate::archive::Content::New(Rc::from(content));
        }
    }
    let inner = match format {
        Format::Phar => "phar",
        Format::Tar if class == "Phar" => "phar.tar",
        Format::Zip if class == "Phar" => "phar.zip",
        Format::Tar => "tar",
        Format::Zip => "zip",
    };
    let usual = if compression == 0 { inner.to_owned() } else { format!("{inner}.gz") };
    let extension = extension.map_or(usual, |given| lossy(given.strip_prefix(b".").unwrap_or(&given)));
    let path = lossy(&archive.path);
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", &path));
    let base = file.split('.').next().unwrap_or(file);
    archive.path = format!("{dir}/{base}.{extension}").into_bytes();
    archive.format = format;
    archive.compression = compression;
    archive.alias = None;
    if class == "Phar" && archive.stub.is_empty() {
        archive.stub = default_stub(b"index.php", b"index.php");
    } else if class != "Phar" {
        archive.stub.clear();
    }
    let new_path = archive.path.clone();
    if (class == "Phar") != crate::wrapper::is_executable(&new_path) {
        let kind = if class == "Phar" { "phar" } else { "data phar" };
        let text = format!("{kind} \"{}\" has invalid extension {extension}", lossy(&new_path));
        return Err(thrown(call.vm, BAD_CALL, &text));
    }
    // An empty archive may replace itself.
    let takes_place = archive.entries.is_empty() && opened.archive.borrow().path == new_path;
    if !takes_place && archives(call.vm).is_held(&new_path) {
        let path = lossy(&new_path);
        let text = format!(
            "Unable to add newly converted phar \"{path}\" to the list of phars, a phar with that name already exists"
        );
        return Err(thrown(call.vm, BAD_CALL, &text));
    }
    if os(&new_path).exists() {
        let text = format!(
            "Unable to add newly converted phar \"{}\" to the list of phars, a phar with that name already exists",
            lossy(&new_path)
        );
        return Err(thrown(call.vm, BAD_CALL, &text));
    }
    let added = archives(call.vm).add(archive);
    save(&added).map_err(|reason| thrown(call.vm, PHAR, &reason))?;
    let class = call.vm.require_class(class.as_bytes())?;
    Ok(call.vm.new_object(&class, vec![Val::str(&new_path)])?.into())
}

fn compression_of(call: &Call<'_>, index: usize) -> PhpResult<Option<u32>> {
    match call.opt_int(index) {
        None => Ok(None),
        Some(0) => Ok(Some(0)),
        Some(number) if number == i64::from(COMPRESSED_GZ) => Ok(Some(COMPRESSED_GZ)),
        Some(number) if number == i64::from(COMPRESSED_BZ2) => {
            Err(thrown(call.vm, BAD_CALL, "Cannot compress entire archive with bzip2, enable ext/bz2 in php.ini"))
        }
        Some(_) => {
            Err(thrown(call.vm, BAD_CALL, "Unknown compression specified, please pass one of Phar::GZ or Phar::BZ2"))
        }
    }
}

fn own_class(call: &Call<'_>) -> &'static str {
    if is_data(call) { "PharData" } else { "Phar" }
}

/// `Phar::compress()`
pub fn compress(call: &mut Call<'_>) -> PhpResult<Val> {
    writable(call)?;
    let compression = compression_of(call, 0)?.unwrap_or(0);
    let format = opened(call)?.archive.borrow().format;
    if format == Format::Zip {
        return Err(thrown(call.vm, UNEXPECTED, "Cannot compress zip-based archives with whole-archive compression"));
    }
    convert(call, format, compression, call.opt_str(1), own_class(call))
}

/// `Phar::decompress()`
pub fn decompress(call: &mut Call<'_>) -> PhpResult<Val> {
    writable(call)?;
    let format = opened(call)?.archive.borrow().format;
    convert(call, format, 0, call.opt_str(0), own_class(call))
}

fn format_argument(call: &Call<'_>, otherwise: Format) -> PhpResult<Format> {
    match call.opt_int(0) {
        None => Ok(otherwise),
        Some(1) => Ok(Format::Phar),
        Some(2) => Ok(Format::Tar),
        Some(3) => Ok(Format::Zip),
        Some(_) => Err(thrown(
            call.vm,
            BAD_CALL,
            "Unknown file format specified, please pass one of Phar::PHAR, Phar::TAR or Phar::ZIP",
        )),
    }
}

/// `Phar::convertToData()`
pub fn convert_to_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = opened(call)?.archive.borrow().format;
    let format = format_argument(call, own)?;
    if format == Format::Phar {
        return Err(thrown(call.vm, UNEXPECTED, "Cannot write out data phar archive, use Phar::TAR or Phar::ZIP"));
    }
    let compression = compression_of(call, 1)?.unwrap_or(0);
    convert(call, format, compression, call.opt_str(2), "PharData")
}

/// `Phar::convertToExecutable()`
pub fn convert_to_executable(call: &mut Call<'_>) -> PhpResult<Val> {
    if is_read_only(call.vm) {
        return Err(thrown(call.vm, UNEXPECTED, "Cannot write out executable phar archive, phar is read-only"));
    }
    let own = opened(call)?.archive.borrow().format;
    let format = format_argument(call, own)?;
    let compression = compression_of(call, 1)?.unwrap_or(0);
    convert(call, format, compression, call.opt_str(2), "Phar")
}

/// `Phar::extractTo()`
pub fn extract_to(call: &mut Call<'_>) -> PhpResult<Val> {
    let opened = opened(call)?;
    let (target, overwrite) = (call.str(0), call.bool(2));
    if target.is_empty() {
        return Err(thrown(
            call.vm,
            b"InvalidArgumentException",
            "Invalid argument, extraction path must be non-zero length",
        ));
    }
    let target = phlox_runtime::basedir::absolute(&target, None);
    if !phlox_runtime::basedir::allows(call.vm, &target)? {
        return Ok(Val::FALSE);
    }
    let wanted: Option<Vec<Vec<u8>>> = match call.arg(1).view() {
        View::Null => None,
        View::Arr(list) => {
            let names = list.values().map(|value| Ok(normal(&convert::to_str(call.vm, &value.deref())?)));
            Some(names.collect::<PhpResult<_>>()?)
        }
        _ => Some(vec![normal(&call.str(1))]),
    };
    let archive = opened.archive.borrow();
    let chosen: Vec<&Vec<u8>> = archive
        .entries
        .keys()
        .filter(|name| {
            wanted.as_ref().is_none_or(|wanted| {
                wanted.iter().any(|one| {
                    name.strip_prefix(&one[..]).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
                })
            })
        })
        .collect();
    let shown = lossy(&archive.path);
    if let Some(wanted) = &wanted
        && chosen.is_empty()
    {
        let name = lossy(wanted.first().map_or(&b""[..], |name| name));
        let text =
            format!("phar error: attempted to extract non-existent file or directory \"{name}\" from phar \"{shown}\"");
        return Err(thrown(call.vm, PHAR, &text));
    }
    for name in chosen {
        let Some(entry) = archive.entries.get(name) else { continue };
        // Names were normalised when they were read, so none leads out of the target folder.
        let path = [&target[..], b"/", name].concat();
        let failed = |why: &str| {
            let text = format!("Extraction from phar \"{shown}\" failed: Cannot extract \"{}\"{why}", lossy(name));
            thrown(call.vm, PHAR, &text)
        };
        if entry.is_dir {
            std::fs::create_dir_all(os(&path)).map_err(|_| failed(", could not create directory"))?;
            continue;
        }
        if !overwrite && os(&path).exists() {
            return Err(failed(&format!(" to \"{}\", path already exists", lossy(&path))));
        }
        if let Some(parent) = os(&path).parent() {
            std::fs::create_dir_all(parent).map_err(|_| failed(", could not create directory"))?;
        }
        let bytes = archive.content(name).map_err(|reason| thrown(call.vm, PHAR, &reason))?;
        std::fs::write(os(&path), bytes).map_err(|_| failed(", could not open for writing"))?;
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(entry.flags & crate::archive::PERMISSIONS);
        let _ = std::fs::set_permissions(os(&path), permissions);
    }
    Ok(Val::TRUE)
}
