//! SplFileObject and SplTempFileObject: an open file.

use super::data::{OpenFile, data, file};
use super::reading::{READ_AHEAD, READ_CSV, read, read_line, read_next};
use super::{csv, promoting};
use phlox_ext_standard_file::context;
use phlox_ext_standard_file::csv::Format;
use phlox_ext_standard_file::stat;
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpObj, PhpResult, PhpStr, Slot, Val};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const FLAGS: i64 = 0xf;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SplFileObject",
        decl: include_str!("../../stubs/SplFileObject.stub.php"),
        methods: &[
            ("__construct", construct),
            ("rewind", rewind),
            ("eof", |call| Ok(file(call)?.at_end().into())),
            ("valid", valid),
            ("fgets", fgets),
            ("fread", fread),
            ("fgetcsv", csv::fgetcsv),
            ("fputcsv", csv::fputcsv),
            ("setCsvControl", csv::set_control),
            ("getCsvControl", csv::get_control),
            ("flock", flock),
            ("fflush", |call| Ok(file(call)?.stream.flush(call.vm, false)?.into())),
            ("ftell", |call| Ok(Val::int(file(call)?.stream.tell()))),
            ("fseek", fseek),
            ("fgetc", fgetc),
            ("fpassthru", fpassthru),
            ("fscanf", fscanf),
            ("fwrite", fwrite),
            ("fstat", fstat),
            ("ftruncate", ftruncate),
            ("current", current),
            ("key", |call| Ok(Val::int(data(call.this()).file.borrow().as_ref().map_or(0, |f| f.line_number.get())))),
            ("next", next),
            ("setFlags", |call| {
                data(call.this()).flags.set(call.int(0));
                Ok(Val::NULL)
            }),
            ("getFlags", |call| Ok(Val::int(data(call.this()).flags.get() & FLAGS))),
            ("setMaxLineLen", set_max_line),
            ("getMaxLineLen", |call| {
                Ok(Val::int(data(call.this()).file.borrow().as_ref().map_or(0, |file| file.max_line.get())))
            }),
            ("hasChildren", |_| Ok(Val::FALSE)),
            ("getChildren", |_| Ok(Val::NULL)),
            ("seek", seek),
            ("getCurrentLine", fgets),
            ("__toString", to_string),
        ],
        hooks: NativeHooks { no_clone: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "SplTempFileObject",
        decl: include_str!("../../stubs/SplTempFileObject.stub.php"),
        methods: &[("__construct", construct_temporary)],
        hooks: NativeHooks::NONE,
    },
];

/// Opens the file of an object; failure is an exception.
fn begin(call: &Call<'_>, object: &PhpObj, name: &PhpStr, mode: &PhpStr, options: &Options) -> PhpResult<()> {
    let (own, vm) = (data(object), call.vm);
    if own.file.borrow().is_some() {
        return Err(vm.throw_error(b"Cannot call constructor twice"));
    }
    if stat::of(call, name, false, true)?.is_some_and(|stat| stat.is_dir()) {
        return Err(vm.throw_class(b"LogicException", b"Cannot use SplFileObject with directories", 0));
    }
    let opened = promoting(vm, b"RuntimeException", || open::open(vm, name, &phlox_runtime::shown(mode), options))?;
    let Some(stream) = opened else {
        let text = [b"Cannot open file '", &name[..], b"'"].concat();
        return Err(vm.throw_class(b"RuntimeException", &text, 0));
    };
    let shown = if name.len() > 1 { name.strip_suffix(b"/").unwrap_or(name) } else { name };
    own.name.replace(Some(PhpStr::new(shown)));
    stream.unclosable.set(true);
    own.file.replace(Some(Rc::new(OpenFile {
        resource: open::resource(stream.clone()),
        from_include_path: options.use_include_path,
        stream,
        mode: mode.clone(),
        line: RefCell::new(None),
        record: Slot::new(Val::UNDEF),
        line_number: Cell::new(0),
        max_line: Cell::new(0),
        format: Cell::new(Format { separator: b',', enclosure: b'"', escape: Some(b'\\') }),
        escape_is_default: Cell::new(true),
    })));
    Ok(())
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, mode) = (call.str(0), call.str(1));
    let context = context::argument(call, 3)?;
    if name.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    if name.is_empty() {
        return Err(call.vm.throw_value_error(b"Path must not be empty"));
    }
    let options = Options { use_include_path: call.bool(2), context, ..Options::default() };
    open_as(call, call.this(), name, &mode, &options)?;
    Ok(Val::NULL)
}

/// Makes an object stand for the file of a name.
pub fn open_as(call: &Call<'_>, object: &PhpObj, name: PhpStr, mode: &PhpStr, options: &Options) -> PhpResult<()> {
    begin(call, object, &name, mode, options)?;
    let found = data(object).file.borrow().as_ref().and_then(|file| file.stream.uri.clone());
    let name = found.filter(|_| options.use_include_path).map_or(name, PhpStr::from);
    let end = name.strip_suffix(b"/").unwrap_or(&name).iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    data(object).path.replace(Some(PhpStr::new(&name[..end])));
    Ok(())
}

fn construct_temporary(call: &mut Call<'_>) -> PhpResult<Val> {
    let memory = call.int(0);
    let name = match memory {
        i64::MIN..=-1 => "php://memory".into(),
        _ if call.passed > 0 => format!("php://temp/maxmemory:{memory}"),
        _ => "php://temp".to_string(),
    };
    begin(call, call.this(), &PhpStr::from(name.as_str()), &PhpStr::intern(b"wb"), &Options::default())?;
    data(call.this()).path.replace(Some(PhpStr::empty()));
    Ok(Val::NULL)
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    if !file.stream.seek(call.vm, 0, 0)? {
        let name = data(&this).name.borrow().clone().unwrap_or_else(PhpStr::empty);
        let text = [b"Cannot rewind file ", &name[..]].concat();
        return Err(call.vm.throw_class(b"RuntimeException", &text, 0));
    }
    file.free_line();
    file.line_number.set(0);
    if data(&this).flags.get() & READ_AHEAD != 0 {
        read_line(call.vm, &this, &file, true)?;
    }
    Ok(Val::NULL)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    let own = data(call.this());
    let file = own.file.borrow().clone();
    let Some(file) = file else { return Ok(Val::FALSE) };
    let ahead = own.flags.get() & READ_AHEAD != 0;
    Ok(if ahead { file.has_line() } else { !file.at_end() }.into())
}

fn line_value(file: &OpenFile) -> Val {
    file.line.borrow().as_ref().map_or(Val::FALSE, Val::from)
}

fn fgets(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    read(call.vm, &this, &file, false, 1, false)?;
    Ok(line_value(&file))
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    if !file.has_line() {
        read_line(call.vm, &this, &file, true)?;
    }
    let by_record = data(&this).flags.get() & READ_CSV != 0 || file.line.borrow().is_none();
    if by_record && !file.record.is_undef() {
        return Ok(file.record.get());
    }
    Ok(line_value(&file))
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    if file.line.borrow().is_none() {
        read_line(call.vm, &this, &file, false)?;
    }
    let line = file.line.borrow().clone();
    Ok(line.unwrap_or_else(PhpStr::empty).into())
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    file.free_line();
    if data(&this).flags.get() & READ_AHEAD != 0 {
        read_line(call.vm, &this, &file, true)?;
    }
    file.line_number.set(file.line_number.get() + 1);
    Ok(Val::NULL)
}

fn seek(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this, wanted) = (file(call)?, call.this().clone(), call.int(0));
    if wanted < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    rewind(call)?;
    for _ in 0..wanted {
        if !read_line(call.vm, &this, &file, true)? {
            return Ok(Val::NULL);
        }
    }
    if wanted > 0 && data(&this).flags.get() & READ_AHEAD == 0 {
        file.line_number.set(file.line_number.get() + 1);
        file.free_line();
    }
    Ok(Val::NULL)
}

fn fread(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = file(call)?;
    let Some(length) = usize::try_from(call.int(0)).ok().filter(|&length| length > 0) else {
        return Err(call.value_error(0, "must be greater than 0"));
    };
    Ok(file.stream.read(call.vm, length)?.map_or(Val::FALSE, Val::from))
}

fn fgetc(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = file(call)?;
    file.free_line();
    let read = file.stream.read(call.vm, 1)?.filter(|read| !read.is_empty());
    if read.as_deref() == Some(b"\n") {
        file.line_number.set(file.line_number.get() + 1);
    }
    Ok(read.map_or(Val::FALSE, Val::from))
}

fn fseek(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = file(call)?;
    file.free_line();
    let done = file.stream.seek(call.vm, call.int(0), call.int(1))?;
    Ok(Val::int(if done { 0 } else { -1 }))
}

fn fpassthru(call: &mut Call<'_>) -> PhpResult<Val> {
    let rest = file(call)?.stream.read_all(call.vm, None)?;
    call.vm.echo(&rest);
    Ok(Val::int(rest.len() as i64))
}

fn fscanf(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, this) = (file(call)?, call.this().clone());
    read_next(call.vm, &this, &file, false, false)?;
    let mut args = vec![line_value(&file), call.arg(0)];
    args.extend(call.rest(1).iter().cloned());
    let callee = call.vm.require_callable(&"sscanf".into())?;
    Ok(call.vm.call_prepared(callee, args.into())?.into_deref())
}

fn fwrite(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, text) = (file(call)?, call.str(0));
    let limit = if call.was_passed(1) { usize::try_from(call.int(1)).unwrap_or(0) } else { text.len() };
    let written = file.stream.write(call.vm, &text[..text.len().min(limit)])?;
    Ok(written.map_or(Val::FALSE, |count| Val::int(count as i64)))
}

fn fstat(call: &mut Call<'_>) -> PhpResult<Val> {
    let resource = Val::from(file(call)?.resource.clone());
    Ok(call.vm.call_value(&"fstat".into(), vec![resource])?.into_deref())
}

fn flock(call: &mut Call<'_>) -> PhpResult<Val> {
    let resource = Val::from(file(call)?.resource.clone());
    // The lowest two bits are the operation.
    if call.int(0) & 3 == 0 {
        return Err(call.value_error(0, "must be one of LOCK_SH, LOCK_EX, or LOCK_UN"));
    }
    let mut args = vec![resource, call.arg(0)];
    if call.was_passed(1) {
        args.push(call.reference(1).into());
    }
    let callee = call.vm.require_callable(&"flock".into())?;
    Ok(call.vm.call_prepared(callee, args.into())?.into_deref())
}

fn ftruncate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, size) = (file(call)?, call.int(0));
    let Ok(size) = u64::try_from(size) else {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    };
    match file.stream.with(|source| source.truncate(call.vm, size)).unwrap_or(Ok(None))? {
        Some(done) => Ok(done.into()),
        None => {
            let name = data(call.this()).name.borrow().clone().unwrap_or_else(PhpStr::empty);
            let text = [b"Can't truncate file ", &name[..]].concat();
            Err(call.vm.throw_class(b"LogicException", &text, 0))
        }
    }
}

fn set_max_line(call: &mut Call<'_>) -> PhpResult<Val> {
    let max = call.int(0);
    if max < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    if let Some(file) = &*data(call.this()).file.borrow() {
        file.max_line.set(max);
    }
    Ok(Val::NULL)
}
