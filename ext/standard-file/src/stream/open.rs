//! Opening by URL: which wrapper serves it, and the wrappers' tables.

use super::filter;
use super::memory::{DirectorySource, MemorySource, OutputSource};
use super::plain::{FileSource, error_text, standard};
use super::user::{UserSource, call_wrapper, out_argument};
use super::{Source, Stream};
use crate::stat::Stat;
use crate::{context, path, user_filters};
use phlox_process::Standard;
use phlox_runtime::ini::{IniAccess, IniBool};
use phlox_runtime::{ClassExt, ClassRef, ObjExt, PhpObj, PhpRes, PhpResult, Throw, Val, Vm, convert};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

/// Whether URLs of other machines may be opened as streams.
pub static ALLOW_URL_FOPEN: IniBool = IniBool::new("allow_url_fopen", "1", IniAccess::System);

/// Whether code of other machines may be included.
pub static ALLOW_URL_INCLUDE: IniBool = IniBool::new("allow_url_include", "0", IniAccess::System);

pub static AUTO_DETECT_LINE_ENDINGS: IniBool =
    IniBool::new("auto_detect_line_endings", "0", IniAccess::All).on_change(|change| {
        if change.truth() {
            change.vm.deprecated(b"auto_detect_line_endings is deprecated")?;
        }
        Ok(true)
    });

/// A scheme's handler.
#[derive(Clone)]
pub enum Wrapper {
    Plain,
    Php,
    Data,
    Glob,
    User {
        class: ClassRef,
        is_url: bool,
    },
    /// A wrapper of another extension.
    Native(NativeWrapper),
}

/// A scheme that another extension serves.
#[derive(Clone, Copy)]
pub struct NativeWrapper {
    /// The name in the meta data of its streams.
    pub name: &'static str,
    /// Do its URLs name other machines?
    pub is_url: bool,
    /// Opens a URL; an error says why not, an empty one has been reported.
    pub open: fn(&Vm, &[u8], &str, &Options) -> PhpResult<Result<Stream, String>>,
    /// What `stat` shows, where there are files.
    pub stat: Option<fn(&Vm, &[u8]) -> PhpResult<Option<Stat>>>,
    /// The names in a directory, where there are directories.
    pub list: Option<fn(&Vm, &[u8]) -> PhpResult<Result<Vec<Vec<u8>>, String>>>,
    /// Creates, renames or removes names; an error says why not.
    pub change: Option<fn(&Vm, &[u8], Change<'_>) -> PhpResult<Result<(), String>>>,
}

/// A change of the names in a file system.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    Unlink,
    Rename(&'a [u8]),
    MakeDir,
    RemoveDir,
}

impl Wrapper {
    /// The wrapper's name as `wrapper_type` in meta data.
    pub fn name(&self) -> &'static str {
        match self {
            Wrapper::Plain => "plainfile",
            Wrapper::Php => "PHP",
            Wrapper::Data => "RFC2397",
            Wrapper::Glob => "glob",
            Wrapper::User { .. } => "user-space",
            Wrapper::Native(native) => native.name,
        }
    }

    /// Whether the wrapper's URLs count as local files, which `allow_url_fopen` does not concern.
    pub fn is_local(&self) -> bool {
        match self {
            Wrapper::Data | Wrapper::User { is_url: true, .. } => false,
            Wrapper::Native(native) => !native.is_url,
            _ => true,
        }
    }
}

/// The schemes of the request.
pub struct Wrappers {
    pub table: RefCell<Vec<(Vec<u8>, Wrapper)>>,
}

pub const BUILTIN: [(&str, Wrapper); 4] =
    [("php", Wrapper::Php), ("file", Wrapper::Plain), ("glob", Wrapper::Glob), ("data", Wrapper::Data)];

impl Default for Wrappers {
    fn default() -> Wrappers {
        let table = BUILTIN.iter().map(|(name, wrapper)| (name.as_bytes().to_vec(), wrapper.clone())).collect();
        Wrappers { table: RefCell::new(table) }
    }
}

/// The wrappers of the request.
pub fn wrappers(vm: &Vm) -> Rc<Wrappers> {
    vm.data::<Wrappers>("stream wrappers")
}

/// A path's bytes as the system takes them.
pub fn os(path: &[u8]) -> &std::path::Path {
    std::path::Path::new(OsStr::from_bytes(path))
}

/// The scheme of a URL, if it has one.
pub fn scheme(url: &[u8]) -> Option<&[u8]> {
    let end = url.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    // PHP takes a single letter for a drive and not for a scheme.
    if end < 2 || url[end] != b':' {
        return None;
    }
    let is_url = url[end..].starts_with(b"://") || url[..end].eq_ignore_ascii_case(b"data");
    is_url.then_some(&url[..end])
}

/// The wrapper for a path or URL, and the path that it gets.
pub fn locate<'a>(vm: &Vm, url: &'a [u8], report: bool) -> PhpResult<Option<(Wrapper, &'a [u8])>> {
    let Some(name) = scheme(url) else {
        let plain = find(vm, b"file");
        return Ok(Some((plain.filter(|w| matches!(w, Wrapper::User { .. })).unwrap_or(Wrapper::Plain), url)));
    };
    let Some(wrapper) = find(vm, &name.to_ascii_lowercase()) else {
        if report {
            let text =
                [b"Unable to find the wrapper \"", name, b"\" - did you forget to enable it when you configured PHP?"];
            warn(vm, &text.concat())?;
        }
        return Ok(Some((Wrapper::Plain, url)));
    };
    if matches!(wrapper, Wrapper::Plain) {
        let rest = &url[name.len() + 3..];
        let rest = rest.strip_prefix(b"localhost").filter(|rest| rest.starts_with(b"/")).unwrap_or(rest);
        if !rest.starts_with(b"/") {
            if report {
                let text = [b"Remote host file access not supported, ", url].concat();
                warn(vm, &text)?;
            }
            return Ok(None);
        }
        return Ok(Some((Wrapper::Plain, rest)));
    }
    if let Some(setting) = forbids(vm, &wrapper) {
        if report {
            let text = [name, b":// wrapper is disabled in the server configuration by ", setting.as_bytes(), b"=0"];
            warn(vm, &text.concat())?;
        }
        return Ok(None);
    }
    Ok(Some((wrapper, url)))
}

/// The setting that forbids a wrapper of other machines, if one does.
fn forbids(vm: &Vm, wrapper: &Wrapper) -> Option<&'static str> {
    if wrapper.is_local() {
        return None;
    }
    if !vm.ini.get(&ALLOW_URL_FOPEN) {
        return Some(ALLOW_URL_FOPEN.name);
    }
    let includes = vm.data::<Construct>("stream construct").name.get().is_some();
    (includes && !vm.ini.get(&ALLOW_URL_INCLUDE)).then_some(ALLOW_URL_INCLUDE.name)
}

fn find(vm: &Vm, name: &[u8]) -> Option<Wrapper> {
    let wrappers = wrappers(vm);
    let table = wrappers.table.borrow();
    table.iter().find(|(scheme, _)| scheme == name).map(|(_, wrapper)| wrapper.clone())
}

/// The language construct that opens a stream (`include`), when it is no function.
#[derive(Default)]
struct Construct {
    name: std::cell::Cell<Option<&'static str>>,
}

/// The operation that messages name: a function, or `include` and the like.
pub fn operation(vm: &Vm) -> Vec<u8> {
    let frame = vm.frame();
    let function = || frame.as_ref().map(|frame| frame.func.display_name()).unwrap_or_default();
    match vm.data::<Construct>("stream construct").name.get() {
        // Messages name a builtin function that user code calls while the construct opens.
        Some(name) if frame.as_ref().is_none_or(|frame| !frame.is_native()) => name.as_bytes().to_vec(),
        _ => function(),
    }
}

/// Reads a source for `include` and the like. `None`: it failed and was reported.
pub fn read_included(vm: &Vm, path: &[u8], kind: &'static str) -> PhpResult<Option<Vec<u8>>> {
    let construct = vm.data::<Construct>("stream construct");
    let before = construct.name.replace(Some(kind));
    let result = read_source(vm, path);
    construct.name.set(before);
    result
}

fn read_source(vm: &Vm, path: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    let options = Options { for_include: true, ..Options::default() };
    let Some(stream) = open(vm, path, "rb", &options)? else { return Ok(None) };
    stream.close_after(vm, stream.source_text(vm))
}

/// A warning in the name of the function that runs, as PHP words it: `fopen(): text`.
pub fn warn(vm: &Vm, text: &[u8]) -> PhpResult<()> {
    let name = operation(vm);
    vm.warning(&vm.builtin_message(&[&name[..], b"(): ", text].concat()))
}

/// `fopen(path): Failed to open stream: reason`
pub fn warn_about(vm: &Vm, path: &[u8], text: &str) -> PhpResult<()> {
    let name = operation(vm);
    vm.warning(&vm.builtin_message(&[&name[..], b"(", path, b"): ", text.as_bytes()].concat()))
}

/// Options of opening a stream.
#[derive(Clone, Default)]
pub struct Options {
    pub use_include_path: bool,
    pub silent: bool,
    /// The stream is for `include` and the like.
    pub for_include: bool,
    /// The context resource, or null.
    pub context: Val,
}

/// Opens a stream. `None`: it failed, which was reported unless asked to be silent.
pub fn open(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Option<Rc<Stream>>> {
    if url.is_empty() {
        return Err(vm.throw_value_error(b"Path must not be empty"));
    }
    let resolved;
    let mut url = url;
    if options.use_include_path {
        if let Some(found) = path::resolve_include(vm, url) {
            resolved = found;
            url = &resolved;
        }
    }
    let Some((wrapper, target)) = locate(vm, url, !options.silent)? else {
        return failed(vm, url, options, "no suitable wrapper could be found");
    };
    let opened = match &wrapper {
        Wrapper::Plain if !phlox_runtime::basedir::allows(vm, target)? => Err("Operation not permitted".into()),
        Wrapper::Plain => open_plain(target, mode),
        Wrapper::Php => open_php(vm, target, mode, options)?,
        Wrapper::Data => open_data(target, mode),
        Wrapper::Glob => Err("wrapper does not support stream open".into()),
        Wrapper::User { class, .. } => open_user(vm, class, target, mode, options)?,
        Wrapper::Native(native) => (native.open)(vm, target, mode, options)?,
    };
    match opened {
        Ok(mut stream) => {
            stream.uri = Some(url.to_vec());
            stream.wrapper_type.get_or_insert(wrapper.name());
            drop(stream.context.replace(options.context.clone()));
            if vm.ini.get(&AUTO_DETECT_LINE_ENDINGS) {
                stream.line_ends.set(super::LineEnds::Unknown);
            }
            Ok(Some(Rc::new(stream)))
        }
        Err(reason) if reason.is_empty() => Ok(None),
        Err(reason) => failed(vm, url, options, &reason),
    }
}

/// A URL as messages show it: dots, three at most, stand for what is before an `@`.
fn without_user(url: &[u8]) -> Cow<'_, [u8]> {
    let start = url.windows(3).position(|part| part == b"://").map_or(url.len(), |at| at + 3);
    match url[start..].iter().position(|&byte| byte == b'@') {
        Some(length) => [&url[..start], &b"..."[..length.min(3)], &url[start + length..]].concat().into(),
        None => url.into(),
    }
}

fn failed(vm: &Vm, url: &[u8], options: &Options, reason: &str) -> PhpResult<Option<Rc<Stream>>> {
    if !options.silent {
        warn_about(vm, &without_user(url), &format!("Failed to open stream: {reason}"))?;
    }
    Ok(None)
}

/// An open stream, or why not (empty: already reported).
type Opened = Result<Stream, String>;

fn open_plain(path: &[u8], mode: &str) -> Opened {
    let mut how = std::fs::OpenOptions::new();
    let plus = mode.contains('+');
    match mode.as_bytes().first() {
        Some(b'r') => how.read(true).write(plus),
        Some(b'w') => how.write(true).create(true).truncate(true).read(plus),
        Some(b'a') => how.append(true).create(true).read(plus),
        Some(b'x') => how.write(true).create_new(true).read(plus),
        Some(b'c') => how.write(true).create(true).truncate(false).read(plus),
        _ => return Err(format!("`{mode}' is not a valid mode for fopen")),
    };
    if path.contains(&0) {
        return Err("No such file or directory".into());
    }
    match how.open(os(path)) {
        Ok(file) => {
            let is_standard = take_standard_place(&file);
            let mut source = FileSource::new(file);
            source.joins_output |= is_standard;
            source.append = mode.starts_with('a');
            Ok(Stream::new(Box::new(source), mode))
        }
        Err(error) => Err(error_text(&error)),
    }
}

/// Has the file the number of a standard descriptor that the script closed? Then processes that the script starts
/// inherit it.
fn take_standard_place(file: &std::fs::File) -> bool {
    let is_standard = file.as_raw_fd() <= Standard::Error as i32;
    if is_standard {
        // The call cannot fail: the descriptor is open, and the flag is valid for any.
        let _ = rustix::io::fcntl_setfd(file, rustix::io::FdFlags::empty());
    }
    is_standard
}

fn file_stream(file: Option<std::fs::File>, mode: &str) -> Opened {
    match file {
        Some(file) => {
            let source = FileSource { joins_output: true, ..FileSource::new(file) };
            Ok(Stream::new(Box::new(source), mode))
        }
        None => Err("operation failed".into()),
    }
}

fn open_php(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Opened> {
    let target = url.get(b"php://".len()..).unwrap_or_default();
    let lower = target.to_ascii_lowercase();
    let text = phlox_runtime::shown(&lower).into_owned();
    Ok(match text.as_str() {
        "stdin" => file_stream(standard(Standard::Input), mode),
        "stdout" => file_stream(standard(Standard::Output), mode),
        "stderr" => file_stream(standard(Standard::Error), mode),
        "output" => Ok(Stream::new(Box::new(OutputSource), "wb")),
        "input" => Ok(Stream::new(crate::sapi::request(vm).body.borrow().source(), "rb")),
        "memory" => Ok(Stream::new(Box::new(MemorySource::new(Vec::new(), "MEMORY", mode)), &memory_mode(mode))),
        // PHP compares only the beginning: programs use `php://temp,`.
        name if name.starts_with("temp") => {
            if let Some(limit) = name.strip_prefix("temp/maxmemory:") {
                if limit.trim_start().starts_with('-') {
                    return Err(negative_memory(vm));
                }
            }
            Ok(Stream::new(Box::new(MemorySource::new(Vec::new(), "TEMP", mode)), &memory_mode(mode)))
        }
        name if name.starts_with("fd/") => open_descriptor(&text[3..], mode),
        name if name.starts_with("filter/") => return open_filtered(vm, target, mode, options),
        _ => {
            warn(vm, b"Invalid php:// URL specified")?;
            Err("operation failed".into())
        }
    })
}

/// The error about a negative memory limit. PHP names the second argument of the running function, whatever that is.
fn negative_memory(vm: &Vm) -> Throw {
    let frame = vm.frame();
    let name = frame.as_ref().and_then(|frame| frame.func.params.get(1)).map(|param| &param.name[..]);
    let label = [b"(): Argument #2 ($", name.unwrap_or_default(), b") must be greater than or equal to 0"].concat();
    vm.throw_value_error(&[&operation(vm)[..], &label].concat())
}

fn memory_mode(mode: &str) -> String {
    match mode {
        _ if mode.contains('a') => "a+b".to_owned(),
        _ if !mode.contains(['+', 'w']) => "rb".to_owned(),
        _ => "w+b".to_owned(),
    }
}

fn open_descriptor(number: &str, mode: &str) -> Opened {
    let Ok(number) = number.trim_ascii_start().parse::<i64>() else {
        return Err("php://fd/ stream must be specified in the form php://fd/<orig fd>".into());
    };
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
    if u64::try_from(number).map_or(true, |number| number >= limit) {
        return Err(format!("The file descriptors must be non-negative numbers smaller than {limit}"));
    }
    let how = if mode.starts_with('r') && !mode.contains('+') { (true, false) } else { (mode.contains('+'), true) };
    let link = format!("/proc/self/fd/{number}");
    match std::fs::OpenOptions::new().read(how.0).write(how.1).open(link) {
        Ok(file) => file_stream(Some(file), mode),
        Err(_) => {
            let text = error_text(&std::io::Error::from_raw_os_error(9));
            Err(format!("Error duping file descriptor {number}; possibly it doesn't exist: [9]: {text}"))
        }
    }
}

/// `php://filter/read=a|b/write=c/resource=url`
fn open_filtered(vm: &Vm, target: &[u8], mode: &str, options: &Options) -> PhpResult<Opened> {
    let Some(at) = target.windows(10).position(|part| part == b"/resource=") else {
        return Err(vm.throw_error(b"No URL resource specified"));
    };
    let (specs, url) = (&target[b"filter".len()..at], &target[at + 10..]);
    // A failure is reported for the whole URL only.
    locate(vm, url, true)?;
    let Some(stream) = open(vm, url, mode, &Options { silent: true, ..options.clone() })? else {
        return Ok(Err("operation failed".into()));
    };
    for spec in specs.split(|&b| b == b'/').filter(|spec| !spec.is_empty()) {
        let (read, write, list) = match spec {
            _ if spec.starts_with(b"read=") => (true, false, &spec[5..]),
            _ if spec.starts_with(b"write=") => (false, true, &spec[6..]),
            _ => (mode.contains('r') || mode.contains('+'), !mode.starts_with('r') || mode.contains('+'), spec),
        };
        for name in list.split(|&b| b == b'|') {
            let name = crate::path::url_decode(name);
            for (wanted, direction) in [(read, filter::Direction::Read), (write, filter::Direction::Write)] {
                if !wanted {
                    continue;
                }
                match user_filters::create(vm, &name, &Val::NULL, true)? {
                    Some((_, Some(thrown))) => return Err(thrown),
                    Some((entry, None)) => stream.filters(direction).borrow_mut().push(entry),
                    None => {
                        let text = [b"Unable to create filter (", &name[..], b")"].concat();
                        warn(vm, &text)?;
                    }
                }
            }
        }
    }
    match Rc::try_unwrap(stream) {
        Ok(stream) => Ok(Ok(stream)),
        Err(_) => Ok(Err("operation failed".into())),
    }
}

/// `data:text/plain;base64,...`
fn open_data(url: &[u8], mode: &str) -> Opened {
    let rest = &url[b"data:".len()..];
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    let Some(comma) = rest.iter().position(|&b| b == b',') else {
        return Err("rfc2397: no comma in URL".into());
    };
    let (meta, data) = (&rest[..comma], &rest[comma + 1..]);
    let mut parts = meta.split(|&b| b == b';');
    let media = parts.next().unwrap_or_default();
    let mut extra = Vec::new();
    if media.contains(&b'/') {
        extra.push((b"mediatype".to_vec(), Val::str(media)));
    } else if !matches!(meta, b"" | b";base64") {
        return Err("rfc2397: illegal media type".into());
    }
    let mut base64 = false;
    for part in parts {
        match part.iter().position(|&b| b == b'=') {
            // `base64` must be the last parameter.
            _ if base64 => return Err("rfc2397: illegal parameter".into()),
            None if part == b"base64" => base64 = true,
            None => return Err("rfc2397: illegal parameter".into()),
            Some(equals) if &part[..equals] == b"mediatype" => {}
            Some(equals) => extra.push((part[..equals].to_vec(), Val::str(&part[equals + 1..]))),
        }
    }
    extra.push((b"base64".to_vec(), Val::bool(base64)));
    let bytes = if base64 {
        match crate::base64::decode(data, true) {
            Some(bytes) => bytes,
            None => {
                return Err("rfc2397: unable to decode".into());
            }
        }
    } else {
        crate::path::url_decode_plus(data)
    };
    let stream = Stream::new(Box::new(MemorySource::new(bytes, "RFC2397", "rb")), mode);
    *stream.extra_meta.borrow_mut() = extra;
    Ok(stream)
}

/// A wrapper object with its `context` property set.
pub fn wrapper_object(vm: &Vm, class: &ClassRef, context: &Val) -> PhpResult<PhpObj> {
    let object = vm.instantiate(class)?;
    let name: phlox_runtime::PhpStr = "context".into();
    if let Some(slot) = object.class().props.get(&name).and_then(|info| object.slots().get(info.slot)) {
        match object.class().props.get(&name).is_some_and(|info| info.ty.is_some()) {
            true => {
                let access = phlox_runtime::props::Access { scope: Some(class), strict: false };
                phlox_runtime::props::write(vm, &object, &name, context.clone(), access)?;
            }
            false => slot.set(context.clone()),
        }
    } else if !context.is_null() {
        object.update_dynamic(|table| table.set_bytes(b"context", context.clone()));
    }
    if let Some(constructor) = class_of(&object).magic.construct.clone() {
        vm.call(&phlox_runtime::Callee::method(constructor, object.clone()), Vec::new())?;
    }
    Ok(object)
}

fn class_of(object: &PhpObj) -> &phlox_runtime::Class {
    object.class()
}

fn open_user(vm: &Vm, class: &ClassRef, url: &[u8], mode: &str, options: &Options) -> PhpResult<Opened> {
    const USE_PATH: i64 = 1;
    const FOR_INCLUDE: i64 = 0x80;
    const FOR_SOURCE: i64 = 0x10000;
    let context = context::or_default(vm, &options.context);
    if class.class().is_abstract() || class.class().is_interface() || class.class().is_trait() {
        return Ok(Err("operation failed".into()));
    }
    let object = wrapper_object(vm, class, &context)?;
    let flags = match (options.for_include, options.use_include_path) {
        (true, _) => FOR_SOURCE | FOR_INCLUDE | USE_PATH,
        (false, true) => USE_PATH,
        (false, false) => 0,
    };
    let (_, opened_path) = out_argument();
    let args = vec![Val::str(url), mode.into(), Val::int(flags), opened_path];
    let name = object.class_name().clone();
    match call_wrapper(vm, &object, "stream_open", args)? {
        Some(result) if convert::to_bool(&result) => {
            let stream = Stream::new(Box::new(UserSource::new(object, false)), mode);
            if mode.contains('a') {
                let moved = stream.with(|source| source.seek(vm, 0, super::SEEK_CUR)).unwrap_or(Ok(None))?;
                stream.set_position(moved.unwrap_or(0));
            }
            Ok(Ok(stream))
        }
        _ => Ok(Err(format!("\"{name}::stream_open\" call failed"))),
    }
}

/// Opens a directory. `None`: it failed and was reported.
pub fn open_directory(vm: &Vm, url: &[u8], options: &Options) -> PhpResult<Option<Rc<Stream>>> {
    let Some((wrapper, target)) = locate(vm, url, true)? else { return Ok(None) };
    let opened: Result<(Box<dyn Source>, &'static str), String> = match &wrapper {
        Wrapper::Plain if !phlox_runtime::basedir::allows(vm, target)? => Err("Operation not permitted".into()),
        Wrapper::Plain => {
            list_directory(target).map(|entries| (DirectorySource::new(entries, "dir"), "plainfile")).map(boxed)
        }
        Wrapper::Glob => {
            let pattern = target.strip_prefix(b"glob://").unwrap_or(target);
            let names = crate::glob::matches(pattern, 0).into_iter();
            // Paths that open_basedir forbids are left out.
            let names = names.filter(|path| phlox_runtime::basedir::allows_quietly(vm, path));
            let names = names.map(|path| path::basename(&path, b"").to_vec()).collect();
            Ok((Box::new(DirectorySource::new(names, "glob")), "glob"))
        }
        Wrapper::User { class, .. } => {
            let context = context::or_default(vm, &options.context);
            let object = wrapper_object(vm, class, &context)?;
            let name = object.class_name().clone();
            match call_wrapper(vm, &object, "dir_opendir", vec![Val::str(url), Val::int(0)])? {
                Some(result) if convert::to_bool(&result) => {
                    Ok((Box::new(UserSource::new(object, true)) as Box<dyn Source>, "user-space-dir"))
                }
                _ => Err(format!("\"{name}::dir_opendir\" call failed")),
            }
        }
        Wrapper::Native(NativeWrapper { list: Some(list), name, .. }) => {
            let name = *name;
            list(vm, target)?.map(|names| (Box::new(DirectorySource::new(names, "dir")) as Box<dyn Source>, name))
        }
        Wrapper::Php | Wrapper::Data | Wrapper::Native(_) => Err("not implemented".into()),
    };
    match opened {
        Ok((source, wrapper_type)) => {
            let mut stream = Stream::new(source, "r");
            stream.is_directory = true;
            stream.unclosable.set(true);
            stream.wrapper_type = Some(wrapper_type);
            Ok(Some(Rc::new(stream)))
        }
        Err(reason) => {
            if !options.silent {
                warn_about(vm, &without_user(url), &format!("Failed to open directory: {reason}"))?;
            }
            Ok(None)
        }
    }
}

fn boxed((source, name): (DirectorySource, &'static str)) -> (Box<dyn Source>, &'static str) {
    (Box::new(source), name)
}

/// A directory's names in the system's order, `.` and `..` first.
pub fn list_directory(path: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    if path.contains(&0) {
        return Err("No such file or directory".into());
    }
    let reader = std::fs::read_dir(os(path)).map_err(|error| error_text(&error))?;
    let mut names = vec![b".".to_vec(), b"..".to_vec()];
    names.extend(reader.flatten().map(|entry| entry.file_name().as_bytes().to_vec()));
    Ok(names)
}

/// A stream as a resource.
pub fn resource(stream: Rc<Stream>) -> PhpRes {
    PhpRes::new("stream", Box::new(stream))
}

/// The stream of a resource, if it is one and open.
pub fn stream_of(resource: &PhpRes) -> Option<Rc<Stream>> {
    resource.data::<Rc<Stream>>().map(|stream| stream.clone())
}
