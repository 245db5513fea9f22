//! Methods that read files into an archive: by path, by a pattern of the shell, by a regular expression.

use crate::archive::{Source, source::TO_END, source::os};
use crate::object::{bits, data, require_some, text};
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_ext_standard_file::{glob, path, stat};
use phlox_runtime::{Call, PhpArr, PhpResult, Val, basedir, convert, until_nul};
use std::fs::File;

/// The system's limit of paths, with the byte for their end.
const LONGEST_PATH: usize = 4096;

/// The file is opened when it is added, not when the archive is written.
const OPEN_NOW: u32 = 1 << 30;
/// `ZipArchive::FL_OVERWRITE`.
const OVERWRITE: u32 = crate::archive::flags::OVERWRITE;

/// Where a file goes.
enum Target<'a> {
    /// To the entry with this name.
    Name(&'a [u8]),
    /// In place of the data of the entry with this index.
    Index(usize),
}

/// Adds a file, or replaces an entry by it. Did that succeed?
fn add(call: &Call<'_>, path: &[u8], target: Target<'_>, part: (i64, i64), flags: u32) -> PhpResult<bool> {
    if !basedir::allows(call.vm, path)? {
        return Ok(false);
    }
    let full = basedir::absolute(path, None);
    if stat::of(call, &full, false, true)?.is_none() {
        call.warning("No such file or directory")?;
        return Ok(false);
    }
    let opened = if flags & OPEN_NOW != 0 {
        match File::open(os(&full)) {
            Ok(file) => Some(file),
            Err(_) => return Ok(false),
        }
    } else {
        None
    };
    let (data, flags) = (data(call), flags & !OPEN_NOW);
    let mut archive = data.archive.borrow_mut();
    let Some(archive) = archive.as_mut() else { return Ok(false) };
    let source = Source::file(&full, opened, part.0, part.1);
    let Some(source) = archive.note(source) else { return Ok(false) };
    let done = match target {
        Target::Index(index) => archive.replace(index, source),
        Target::Name(name) => {
            let index = archive.add(name, source, flags);
            data.last_id.set(index.map_or(-1, |index| index as i64));
            index.map(drop)
        }
    };
    let is_done = archive.note(done).is_some();
    if is_done {
        archive.error = Default::default();
    }
    Ok(is_done)
}

/// `addFile()`.
pub fn add_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let (path, name) = (call.path(0)?, text(call, 1));
    require_some(call, 0, &path)?;
    let name = if call.str(1).is_empty() { &path } else { &name };
    let flags = if call.was_passed(4) { bits(call, 4) } else { OVERWRITE };
    add(call, &path, Target::Name(name), (call.int(2), call.int(3)), flags).map(Val::bool)
}

/// `replaceFile()`.
pub fn replace_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    require_some(call, 0, &path)?;
    let Ok(index) = usize::try_from(call.int(1)) else {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    };
    add(call, &path, Target::Index(index), (call.int(2), call.int(3)), bits(call, 4)).map(Val::bool)
}

/// The options of `addGlob()` and `addPattern()`.
#[derive(Default)]
struct Choices {
    removes_path: bool,
    removed: Vec<u8>,
    added: Vec<u8>,
    flags: u32,
    method: Option<(i32, u32)>,
    encryption: Option<(u16, Option<Vec<u8>>)>,
}

/// An option that should be an integer; others are warned about and converted.
fn number(call: &Call<'_>, options: &PhpArr, name: &str) -> PhpResult<Option<i64>> {
    let Some(value) = options.get_bytes(name.as_bytes()).map(Val::deref) else { return Ok(None) };
    if value.as_int().is_none() {
        call.warning(&format!("Option \"{name}\" must be of type int, {} given", convert::value_name(&value)))?;
    }
    convert::to_int(call.vm, &value).map(Some)
}

/// An option that must be a string.
fn string(call: &Call<'_>, options: &PhpArr, name: &str) -> PhpResult<Option<Vec<u8>>> {
    let Some(value) = options.get_bytes(name.as_bytes()).map(Val::deref) else { return Ok(None) };
    match value.as_str() {
        Some(text) => Ok(Some(text.to_vec())),
        None => Err(wrong_type(call, name, "string", &value)),
    }
}

fn wrong_type(call: &Call<'_>, name: &str, wanted: &str, value: &Val) -> phlox_runtime::Throw {
    let text = format!("Option \"{name}\" must be of type {wanted}, {} given", convert::value_name(value));
    call.vm.throw_type_error(text.as_bytes())
}

/// An option that is a part of a path.
fn part(call: &Call<'_>, options: &PhpArr, name: &str) -> PhpResult<Vec<u8>> {
    let Some(text) = string(call, options, name)? else { return Ok(Vec::new()) };
    let problem = match text.len() {
        0 => "not be empty".to_owned(),
        length if length >= LONGEST_PATH => format!("be less than {} bytes", LONGEST_PATH - 1),
        _ => return Ok(text),
    };
    Err(call.vm.throw_value_error(format!("Option \"{name}\" must {problem}").as_bytes()))
}

fn choices(call: &Call<'_>, options: &PhpArr) -> PhpResult<Choices> {
    if options.is_empty() {
        return Ok(Choices::default());
    }
    let mut choices = Choices { flags: OVERWRITE, ..Choices::default() };
    if let Some(value) = options.get_bytes(b"remove_all_path").map(Val::deref) {
        if value.as_bool().is_none() {
            let name = convert::value_name(&value);
            call.warning(&format!("Option \"remove_all_path\" must be of type bool, {name} given"))?;
        }
        choices.removes_path = convert::to_int(call.vm, &value)? != 0;
    }
    if let Some(method) = number(call, options, "comp_method")? {
        let level = number(call, options, "comp_flags")?.unwrap_or(0);
        choices.method = Some((method as i32, level as u32)).filter(|(method, _)| *method >= 0);
    }
    if let Some(method) = number(call, options, "enc_method")? {
        let password = string(call, options, "enc_password")?;
        let method = method as i16;
        choices.encryption = (method >= 0).then_some((method as u16, password));
    }
    choices.removed = part(call, options, "remove_path")?;
    choices.added = part(call, options, "add_path")?;
    if let Some(value) = options.get_bytes(b"flags").map(Val::deref) {
        match value.as_int() {
            Some(flags) => choices.flags = flags as u32,
            None => return Err(wrong_type(call, "flags", "int", &value)),
        }
    }
    Ok(choices)
}

impl Choices {
    /// The name of a file's entry, before anything is added to it.
    fn stripped<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        if self.removes_path {
            return path::basename(file, b"");
        }
        let rest = file.strip_prefix(&self.removed[..]).filter(|rest| !self.removed.is_empty() && !rest.is_empty());
        rest.map_or(file, |rest| rest.strip_prefix(b"/").unwrap_or(rest))
    }

    /// Adds a file that was found. Did that succeed?
    fn add(&self, call: &Call<'_>, file: &[u8]) -> PhpResult<bool> {
        let stripped = self.stripped(file);
        let size = self.added.len() + stripped.len();
        if !self.added.is_empty() && size > LONGEST_PATH {
            call.warning(&format!("Entry name too long (max: {}, {size} given)", LONGEST_PATH - 1))?;
            return Ok(false);
        }
        let mut name = [until_nul(&self.added), stripped].concat();
        name.truncate(LONGEST_PATH - 1);
        if !add(call, file, Target::Name(&name), (0, TO_END), self.flags)? {
            return Ok(false);
        }
        let data = data(call);
        let Ok(index) = usize::try_from(data.last_id.get()) else { return Ok(false) };
        let mut archive = data.archive.borrow_mut();
        let Some(archive) = archive.as_mut() else { return Ok(false) };
        let mut done = Ok(());
        if let Some((method, level)) = self.method {
            done = archive.set_method(index, method, level);
        }
        if let Some((method, password)) = self.encryption.as_ref().filter(|_| done.is_ok()) {
            done = archive.set_encryption(index, 0, None);
            done = done.and_then(|()| archive.set_encryption(index, *method, password.as_deref().map(until_nul)));
        }
        Ok(archive.note(done).is_some())
    }
}

/// Adds the files that were found; gives their list, or false after an error.
fn add_all(call: &Call<'_>, choices: &Choices, found: Option<Vec<Vec<u8>>>) -> PhpResult<Val> {
    let Some(files) = found else { return Ok(Val::FALSE) };
    for file in &files {
        if !choices.add(call, file)? {
            return Ok(Val::FALSE);
        }
    }
    Ok(PhpArr::from_vec(files.into_iter().map(Val::from).collect()).into())
}

/// `addGlob()`.
pub fn add_glob(call: &mut Call<'_>) -> PhpResult<Val> {
    let pattern = call.path(0)?;
    require_some(call, 0, &pattern)?;
    let choices = choices(call, &call.arr(2))?;
    if pattern.len() >= LONGEST_PATH {
        call.warning(&format!("Pattern exceeds the maximum allowed length of {LONGEST_PATH} characters"))?;
        return Ok(Val::FALSE);
    }
    let found = glob_files(call, &pattern)?;
    add_all(call, &choices, found)
}

/// The files of a pattern of the shell; `None` after a warning.
fn glob_files(call: &Call<'_>, pattern: &[u8]) -> PhpResult<Option<Vec<Vec<u8>>>> {
    let known = glob_flags();
    let flags = call.int(1);
    if flags & known != flags {
        call.warning("At least one of the passed flags is invalid or not supported on this platform")?;
        return Ok(None);
    }
    let found = glob::matches(pattern, flags);
    if let Some(first) = found.first()
        && !basedir::allows(call.vm, first)?
    {
        return Ok(None);
    }
    Ok(Some(found))
}

/// The flags that `glob()` knows: those of PHP's constants.
fn glob_flags() -> i64 {
    const MARK: i64 = 2;
    const NOSORT: i64 = 4;
    const NOCHECK: i64 = 16;
    const NOESCAPE: i64 = 64;
    const ERR: i64 = 1;
    const BRACE: i64 = 1024;
    const ONLYDIR: i64 = 1 << 30;
    MARK | NOSORT | NOCHECK | NOESCAPE | ERR | BRACE | ONLYDIR
}

/// `addPattern()`.
pub fn add_pattern(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pattern, folder) = (call.path(0)?, text(call, 1));
    require_some(call, 0, &pattern)?;
    let choices = choices(call, &call.arr(2))?;
    let found = pattern_files(call, &folder)?;
    add_all(call, &choices, found)
}

/// The files of a folder whose names match the regular expression of the first argument; `None` after a warning.
fn pattern_files(call: &Call<'_>, folder: &[u8]) -> PhpResult<Option<Vec<Vec<u8>>>> {
    if !basedir::allows(call.vm, folder)? {
        return Ok(None);
    }
    let Some(stream) = open::open_directory(call.vm, folder, &Options::default())? else { return Ok(None) };
    let mut names = Vec::new();
    while let Some(name) = stream.with(|source| source.read_entry(call.vm)).unwrap_or(Ok(None))? {
        names.push(name);
    }
    stream.close(call.vm)?;
    names.sort();
    let mut files = Vec::new();
    for name in names {
        if name == b"." || name == b".." {
            continue;
        }
        let size = folder.len() + name.len() + 1;
        if size >= LONGEST_PATH {
            call.warning(&format!("add_path string too long (max: {}, {size} given)", LONGEST_PATH - 1))?;
            break;
        }
        let Some(matches) = matches(call, &name)? else {
            call.warning("Invalid expression")?;
            return Ok(None);
        };
        if !matches {
            continue;
        }
        let file = [folder, b"/", &name].concat();
        match std::fs::metadata(os(&file)) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => files.push(file),
            Err(_) => call.warning(&format!("Cannot read <{}>", phlox_runtime::shown(&file)))?,
        }
    }
    Ok(Some(files))
}

/// Does a name match the regular expression of the first argument? `None`: that is none, which was warned about in the name of the
/// method.
fn matches(call: &Call<'_>, name: &[u8]) -> PhpResult<Option<bool>> {
    let rows = phlox_ext_pcre::EXTENSION.functions.iter().flat_map(|rows| rows.iter());
    let Some(row) = rows.into_iter().find(|row| row.name() == "preg_match") else { return Ok(None) };
    let args = [call.arg(0), Val::str(name)];
    let mut inner =
        Call { vm: call.vm, func: call.func, object: None, static_class: None, args: &args, passed: 2, unusual: None };
    Ok((row.body)(&mut inner)?.as_int().map(|count| count > 0))
}
