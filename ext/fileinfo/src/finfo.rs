//! The functions, and the class `finfo`, which holds rules and flags.

use crate::identify::identify;
use crate::input::{Bytes, Input, Origin};
use crate::load::{self, Compiled};
use crate::output::{CHECK, MIME, MIME_TYPE, Output};
use crate::rule::Rules;
use phlox_ext_standard_file::stream::open::{self, Options, os};
use phlox_ext_standard_file::stream::{SEEK_SET, Stream};
use phlox_ext_standard_file::{context, handles};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Edges, FnDef, NativeClass, NativeData, PhpObj, PhpResult, Throw, Val, Vm, basedir, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("finfo_open(int $flags = FILEINFO_NONE, ?string $magic_database = null): finfo|false", finfo_open),
    FnDef::new("finfo_close(finfo $finfo): bool", |_| Ok(Val::TRUE)),
    FnDef::new("finfo_set_flags(finfo $finfo, int $flags): true", |call| set_flags(call, 1)),
    FnDef::new(
        "finfo_file(finfo $finfo, string $filename, int $flags = FILEINFO_NONE, $context = null): string|false",
        |call| file(call, 1),
    ),
    FnDef::new(
        "finfo_buffer(finfo $finfo, string $string, int $flags = FILEINFO_NONE, $context = null): string|false",
        |call| buffer(call, 1),
    ),
    FnDef::new("mime_content_type($filename): string|false", mime_content_type),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "finfo",
    decl: include_str!("../stubs/finfo.stub.php"),
    methods: &[
        ("__construct", construct),
        ("file", |call| file(call, 0)),
        ("buffer", |call| buffer(call, 0)),
        ("set_flags", |call| set_flags(call, 0)),
    ],
    hooks: NativeHooks { create: Some(create), no_clone: true, no_serialize: true, ..NativeHooks::NONE },
}];

/// The system's limit of paths, with the byte for their end.
const LONGEST_PATH: usize = 4096;

/// Bytes of a file that are looked at.
const MOST: usize = 7 * 1024 * 1024;

/// Rules, and what is wanted to be said.
#[derive(Clone)]
struct Magic {
    sets: Vec<Rc<Rules>>,
    flags: u32,
}

#[derive(Default)]
struct FinfoData {
    magic: RefCell<Option<Magic>>,
    /// The flags that functions return to after a call with flags of its own.
    flags: Cell<u32>,
}

impl NativeData for FinfoData {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}
}

/// Loads rules. Warnings are exceptions in the constructor.
struct Loader<'c, 'a> {
    call: &'c Call<'a>,
    throws: bool,
    flags: u32,
}

impl Loader<'_, '_> {
    fn complain(&self, message: &[u8]) -> PhpResult<()> {
        if self.throws {
            return Err(self.call.vm.throw_class(b"Exception", message, 0));
        }
        self.call.vm.warning(&self.call.vm.builtin_message(message))
    }

    fn warn(&self, text: &[u8]) -> PhpResult<()> {
        let name = self.call.func.display_name();
        self.complain(&[&name[..], b"(): ", text].concat())
    }

    fn read(&self, path: &[u8]) -> PhpResult<Option<Vec<u8>>> {
        let vm = self.call.vm;
        let options = Options { silent: self.throws, ..Options::default() };
        let Some(stream) = open::open(vm, path, "rb", &options)? else {
            if self.throws {
                let reason = match std::fs::File::open(os(path)) {
                    Err(error) if open::scheme(path).is_none() => {
                        phlox_ext_standard_file::stream::plain::error_text(&error)
                    }
                    _ => "operation failed".to_owned(),
                };
                let name = self.call.func.display_name();
                let text = [&name[..], b"(", path, b"): Failed to open stream: ", reason.as_bytes()].concat();
                self.complain(&text)?;
            }
            return Ok(None);
        };
        let data = stream.read_all(vm, None)?;
        stream.close(vm)?;
        Ok(Some(data))
    }

    /// The regular files of a folder, by name.
    fn files_of(&self, folder: &[u8]) -> PhpResult<Vec<Vec<u8>>> {
        let mut paths: Vec<Vec<u8>> = Vec::new();
        for name in open::list_directory(folder).unwrap_or_default() {
            let path = [folder, b"/", &name].concat();
            if os(&path).is_file() {
                paths.push(path);
            }
        }
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            files.extend(self.read(&path)?);
        }
        Ok(files)
    }

    /// The rules of a file or a folder. `None`: they are wrong, which was warned about.
    fn load(&mut self, path: &[u8]) -> PhpResult<Option<Rules>> {
        const OLD_NAME: &[u8] = b".mime";
        if self.flags & MIME != 0 && os(&[path, b".mime.mgc"].concat()).exists() {
            self.flags &= MIME_TYPE;
        }
        if path.windows(OLD_NAME.len()).any(|part| part == OLD_NAME) {
            self.flags &= MIME_TYPE;
        }
        let data = self.read(path)?;
        if let Some(rules) = data.as_deref().and_then(load::read_compiled) {
            return Ok(Some(rules));
        }
        if self.flags & CHECK != 0 {
            self.warn(&[b"using regular magic file `", path, b"'"].concat())?;
        }
        self.flags |= CHECK;
        let files = match data {
            _ if os(path).is_dir() => self.files_of(path)?,
            // PHP opens the file once more, and says so if that fails.
            None => match self.read(path)? {
                Some(data) => vec![data],
                None => return Ok(None),
            },
            Some(data) => vec![data],
        };
        let Compiled { rules, warnings } = load::compile(&files);
        for warning in warnings {
            self.warn(&warning)?;
        }
        Ok(rules)
    }

    /// The rules of a list of files, which colons separate; at least one must be right.
    fn load_all(&mut self, paths: &[u8]) -> PhpResult<Option<Vec<Rc<Rules>>>> {
        let mut sets = Vec::new();
        for path in paths.split(|&byte| byte == b':').take_while(|path| !path.is_empty()) {
            sets.extend(self.load(path)?.map(Rc::new));
        }
        if sets.is_empty() {
            return Ok(None);
        }
        Ok(Some(sets))
    }
}

/// A path from the root, without `.` and `..`, which need not exist.
fn absolute(path: &[u8]) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let mut full = Vec::new();
    if !path.starts_with(b"/") {
        full.extend_from_slice(std::env::current_dir().unwrap_or_default().as_os_str().as_bytes());
        full.push(b'/');
    }
    full.extend_from_slice(path);
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in full.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    [b"/", &parts.join(&b'/')[..]].concat()
}

/// Loads what the arguments name. `None`: it failed, which was warned about.
fn open_magic(call: &Call<'_>, throws: bool) -> PhpResult<Option<Magic>> {
    let flags = call.int(0) as u32;
    let path = if call.is_null(1) { None } else { Some(call.path(1)?) };
    let mut loader = Loader { call, throws, flags };
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        let paths = std::env::var_os("MAGIC").map(|paths| std::os::unix::ffi::OsStringExt::into_vec(paths));
        let sets = match paths {
            None => Some(vec![load::built_in()]),
            Some(paths) => loader.load_all(&paths)?,
        };
        return match sets {
            Some(sets) => Ok(Some(Magic { sets, flags: loader.flags })),
            None => loader.warn(b"Failed to load magic database at \"(null)\"").map(|()| None),
        };
    };
    if !basedir::allows_quietly(call.vm, &path) {
        if path.len() >= LONGEST_PATH {
            let text = "File name is longer than the maximum allowed path length on this platform";
            loader.warn(&[format!("{text} ({LONGEST_PATH}): ").as_bytes(), &path].concat())?;
        } else {
            loader.complain(&basedir::complaint(call.vm, &path))?;
        }
        return Ok(None);
    }
    let path = absolute(&path);
    if path.len() >= LONGEST_PATH {
        if throws {
            loader.complain(b"Constructor failed")?;
        }
        return Ok(None);
    }
    match loader.load_all(&path)? {
        Some(sets) => Ok(Some(Magic { sets, flags: loader.flags })),
        None => {
            loader.warn(&[b"Failed to load magic database at \"", &path[..], b"\""].concat())?;
            Ok(None)
        }
    }
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(FinfoData::default()));
}

fn set_magic(object: &PhpObj, flags: u32, magic: Option<Magic>) {
    if let Some(data) = object.native::<FinfoData>() {
        data.flags.set(flags);
        data.magic.replace(magic);
    }
}

fn finfo_open(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(magic) = open_magic(call, false)? else { return Ok(Val::FALSE) };
    let object = call.vm.instantiate(&call.vm.require_class(b"finfo")?)?;
    set_magic(&object, call.int(0) as u32, Some(magic));
    Ok(object.into())
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(0) as u32;
    if !call.is_null(1) {
        call.path(1)?;
    }
    set_magic(call.this(), flags, None);
    let magic = open_magic(call, true)?;
    set_magic(call.this(), flags, magic);
    Ok(Val::NULL)
}

fn invalid(call: &Call<'_>) -> Throw {
    call.vm.throw_error(b"Invalid finfo object")
}

/// The object that a function or a method works on. `first`: the number of the argument behind it.
fn object(call: &Call<'_>, first: usize) -> PhpObj {
    match call.opt_obj(0).filter(|_| first == 1) {
        Some(object) => object,
        None => call.this().clone(),
    }
}

fn with_data<R>(call: &Call<'_>, first: usize, work: impl FnOnce(&FinfoData) -> R) -> PhpResult<R> {
    let object = object(call, first);
    let data = object.native::<FinfoData>().filter(|data| data.magic.borrow().is_some());
    data.map(|data| work(data)).ok_or_else(|| invalid(call))
}

fn set_flags(call: &mut Call<'_>, first: usize) -> PhpResult<Val> {
    let flags = call.int(first) as u32;
    with_data(call, first, |data| {
        data.flags.set(flags);
        if let Some(magic) = &mut *data.magic.borrow_mut() {
            magic.flags = flags;
        }
    })?;
    Ok(Val::TRUE)
}

/// The rules and flags of a call: flags of its own hold for the call only.
fn magic_of(call: &Call<'_>, first: usize) -> PhpResult<Magic> {
    let flags = call.int(first + 1);
    with_data(call, first, |data| {
        let mut slot = data.magic.borrow_mut();
        let magic = slot.as_mut().map(|magic| {
            let mut used = magic.clone();
            if flags != 0 {
                used.flags = flags as u32;
                magic.flags = data.flags.get();
            }
            used
        });
        magic.unwrap_or(Magic { sets: Vec::new(), flags: 0 })
    })
}

/// What a test says; false after an error, which is warned about.
fn test(call: &Call<'_>, magic: &Magic, data: &[u8], origin: Origin<'_>) -> PhpResult<Val> {
    let mut out = Output::new(magic.flags);
    // An error is noted in the output.
    let done = identify(&mut out, &magic.sets, &Input::new(Bytes::Borrowed(data), origin)).is_ok();
    match out.result().filter(|_| done) {
        Some(text) => Ok(text.into()),
        None => fail(call, &out),
    }
}

fn fail(call: &Call<'_>, out: &Output) -> PhpResult<Val> {
    let (number, message) = out.failure();
    let text = [format!("Failed identify data {number}:").as_bytes(), message].concat();
    call.raise(phlox_runtime::Level::Warning, &text)?;
    Ok(Val::FALSE)
}

fn buffer(call: &mut Call<'_>, first: usize) -> PhpResult<Val> {
    context::argument(call, first + 2)?;
    let magic = magic_of(call, first)?;
    test(call, &magic, &call.str(first), Origin::default())
}

/// Tests what a stream gives from where it is.
fn test_stream(call: &Call<'_>, magic: &Magic, stream: &Stream) -> PhpResult<Val> {
    let vm = call.vm;
    let stat = stream.with(|source| source.stat(vm)).unwrap_or(Ok(None))?;
    let field = |name: &[u8]| stat.as_ref().and_then(|stat| stat.get_bytes(name)).and_then(|value| value.as_int());
    let (mode, size) = (field(b"mode").unwrap_or(0) as u32, field(b"size").unwrap_or(0).max(0) as u64);
    phlox_runtime::room::require_room(MOST);
    let Some(data) = stream.read(vm, MOST)? else {
        let mut out = Output::new(magic.flags);
        out.error(0, b"cannot read `(null)'");
        return fail(call, &out);
    };
    let file = stream.cast_file();
    test(call, magic, &data, Origin { file: file.as_ref(), mode, size })
}

/// Tests a file by its path or URL, which is argument `index`; messages name that one.
fn test_path(call: &Call<'_>, magic: &Magic, index: usize, label: usize, context: Val) -> PhpResult<Val> {
    const FORMAT: i64 = 0o170_000;
    const FOLDER: i64 = 0o040_000;
    let (vm, path) = (call.vm, call.str(index));
    if path.is_empty() {
        return Err(call.value_error(label, "must not be empty"));
    }
    if path.contains(&0) {
        return Err(call.type_error(label, "must not contain any null bytes"));
    }
    // PHP looks for the wrapper twice, and complains each time.
    open::locate(vm, &path, true)?;
    let options = Options { context, ..Options::default() };
    let Some(stream) = open::open(vm, &path, "rb", &options)? else { return Ok(Val::FALSE) };
    let stat = stream.with(|source| source.stat(vm)).unwrap_or(Ok(None))?;
    let mode = stat.as_ref().map(|stat| stat.get_bytes(b"mode").and_then(|value| value.as_int()).unwrap_or(0));
    let result = match mode {
        None => fail(call, &Output::default()),
        Some(mode) if mode & FORMAT == FOLDER => Ok("directory".into()),
        Some(_) => test_stream(call, magic, &stream),
    };
    stream.close_after(vm, result)
}

fn file(call: &mut Call<'_>, first: usize) -> PhpResult<Val> {
    let context = context::argument(call, first + 2)?;
    let magic = magic_of(call, first)?;
    // The argument has the number of the function, also in messages of the method.
    test_path(call, &magic, first, 1, context)
}

fn mime_content_type(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let magic = Magic { sets: vec![load::built_in()], flags: MIME_TYPE };
    if value.as_str().is_some() {
        return test_path(call, &magic, 0, 0, Val::NULL);
    }
    if value.as_res().is_none() {
        let text = format!("must be of type resource|string, {} given", convert::value_name(&value));
        return Err(call.type_error(0, &text));
    }
    let (_, stream) = handles::resource_argument(call, 0)?;
    if !stream.is_seekable() {
        return test_stream(call, &magic, &stream);
    }
    let position = stream.tell();
    stream.seek(call.vm, 0, SEEK_SET)?;
    let result = test_stream(call, &magic, &stream);
    stream.seek(call.vm, position, SEEK_SET)?;
    result
}
