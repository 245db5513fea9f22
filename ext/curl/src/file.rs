//! `CURLFile` and `CURLStringFile`, and forms that contain them.

use crate::handle::Transfer;
use phlox_curl::{MimeContent, MimePart, MimeSource};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{
    Access, Call, NativeClass, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Val, Vm, basedir, convert, props,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The classes `CURLFile` and `CURLStringFile`.
pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "CURLFile",
        decl: include_str!("../stubs/CURLFile.stub.php"),
        methods: &[],
        hooks: NativeHooks { no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "CURLStringFile",
        decl: include_str!("../stubs/CURLStringFile.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];

/// `curl_file_create()`.
pub fn curl_file_create(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.require_class(b"CURLFile")?;
    call.path(0)?;
    let args = (0..call.args.len()).map(|index| call.arg(index)).collect();
    Ok(call.vm.new_object(&class, args)?.into())
}

/// A file from which a part is read. It is opened again if it was closed.
struct FileSource {
    name: Vec<u8>,
    stream: RefCell<Option<Rc<Stream>>>,
}

impl MimeSource for FileSource {
    fn read(&self, buffer: &mut [u8]) -> Option<usize> {
        let vm = Vm::current()?;
        let opened = self.stream.borrow().clone();
        let stream = match opened {
            Some(stream) => stream,
            None => {
                let stream = open::open(vm, &self.name, "rb", &Options::default()).ok().flatten()?;
                self.stream.replace(Some(stream.clone()));
                stream
            }
        };
        let data = stream.read(vm, buffer.len()).ok().flatten()?;
        buffer[..data.len()].copy_from_slice(&data);
        Some(data.len())
    }

    fn seek(&self, offset: i64, origin: i32) -> bool {
        let stream = self.stream.borrow().clone();
        match (Vm::current(), stream) {
            (Some(vm), Some(stream)) => stream.seek(vm, offset, origin as i64).unwrap_or(false),
            _ => false,
        }
    }
}

fn property(vm: &Vm, object: &PhpObj, name: &str) -> PhpResult<Val> {
    let access = Access { scope: None, strict: false };
    Ok(props::read(vm, object, &PhpStr::from(name), access, props::ReadMode::Warn)?.into_deref())
}

/// The part for a file. `Err`: `open_basedir` forbids it, which was reported. `None`: the object has no file name,
/// which was reported.
fn file_part(call: &Call<'_>, key: &[u8], object: &PhpObj) -> PhpResult<Result<Option<MimePart>, ()>> {
    let vm = call.vm;
    let Some(name) = property(vm, object, "name")?.into_str() else {
        call.warning(&format!("Invalid filename for key {}", phlox_runtime::shown(key)))?;
        return Ok(Ok(None));
    };
    if !basedir::allows(vm, &name)? {
        return Ok(Err(()));
    }
    let filled = |value: Val| value.into_str().filter(|text| !text.is_empty());
    let kind =
        filled(property(vm, object, "mime")?).map_or_else(|| b"application/octet-stream".to_vec(), |k| k.to_vec());
    let shown = filled(property(vm, object, "postname")?).unwrap_or_else(|| name.clone());
    let stream = open::open(vm, &name, "rb", &Options::default())?;
    let size = stream.as_ref().and_then(|stream| {
        let stat = stream.with(|source| source.stat(vm))?.ok().flatten()?;
        stat.get_bytes(b"size")?.as_int()
    });
    let seekable = stream.is_some();
    let source = Rc::new(FileSource { name: name.to_vec(), stream: RefCell::new(stream) });
    let content = MimeContent::Source { source, size: size.unwrap_or(-1), seekable };
    Ok(Ok(Some(MimePart::file(key.to_vec(), shown.to_vec(), kind, content))))
}

/// Sets the form that a transfer sends. False: it cannot be sent.
pub fn set_form(call: &Call<'_>, transfer: &Transfer, fields: &PhpArr) -> PhpResult<bool> {
    let vm = call.vm;
    let mut parts = Vec::new();
    let mut has_files = false;
    for (key, value) in fields {
        let (key, value) = (convert::to_str(vm, &key.to_val())?.to_vec(), value.deref());
        let object = value.as_obj().cloned();
        let is = |name: &[u8]| -> PhpResult<bool> {
            let class = vm.require_class(name)?;
            Ok(object.as_ref().is_some_and(|object| object.class().supertypes.contains(&class.id())))
        };
        if let Some(object) = object.as_ref().filter(|_| is(b"CURLFile").unwrap_or(false)) {
            has_files = true;
            match file_part(call, &key, object)? {
                Ok(part) => parts.extend(part),
                Err(()) => return Ok(false),
            }
        } else if let Some(object) = object.as_ref().filter(|_| is(b"CURLStringFile").unwrap_or(false)) {
            has_files = true;
            let text = |name: &str| -> PhpResult<Vec<u8>> {
                Ok(property(vm, object, name)?.into_str().map(|text| text.to_vec()).unwrap_or_default())
            };
            let (shown, kind, data) = (text("postname")?, text("mime")?, text("data")?);
            parts.push(MimePart::file(key, shown, kind, MimeContent::Bytes(data)));
        } else if let Some(list) = value.as_arr() {
            for value in list.values() {
                let text = convert::to_str(vm, &value.deref())?;
                parts.push(MimePart::field(key.clone(), text.to_vec()));
            }
        } else {
            let text = convert::to_str(vm, &value)?;
            parts.push(MimePart::field(key, text.to_vec()));
        }
    }
    if has_files {
        transfer.state.form.replace(Some(fields.clone()));
    }
    let code = transfer.easy.set_form(&parts);
    transfer.state.error.set(code);
    Ok(code == phlox_curl::OK)
}
