//! The functions `zip_*`, which are deprecated: an archive is a resource, and reading it gives one entry after the other.

use crate::archive::{Archive, Content, Stat};
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, FnDef, PhpRes, PhpResult, Val, basedir, live_resources, until_nul};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The functions, in the order of PHP's declarations.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::open() instead')] zip_open(string $filename)",
        zip_open,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::close() instead')] zip_close(#[resource] $zip): void",
        zip_close,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::statIndex() instead')] zip_read(#[resource] $zip)",
        zip_read,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0')] zip_entry_open(#[resource] $zip_dp, #[resource] $zip_entry, string $mode = \"rb\"): bool",
        zip_entry_open,
    ),
    FnDef::new("#[\\Deprecated(since: '8.0')] zip_entry_close(#[resource] $zip_entry): bool", zip_entry_close),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::getFromIndex() instead')] zip_entry_read(#[resource] $zip_entry, int $len = 1024): string|false",
        zip_entry_read,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::statIndex() instead')] zip_entry_name(#[resource] $zip_entry): string|false",
        |call| told(call, |stat| Val::str(until_nul(&stat.name))),
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::statIndex() instead')] zip_entry_compressedsize(#[resource] $zip_entry): int|false",
        |call| told(call, |stat| Val::int(stat.stored_size as i64)),
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::statIndex() instead')] zip_entry_filesize(#[resource] $zip_entry): int|false",
        |call| told(call, |stat| Val::int(stat.size as i64)),
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.0', message: 'use ZipArchive::statIndex() instead')] zip_entry_compressionmethod(#[resource] $zip_entry): string|false",
        |call| told(call, method_name),
    ),
];

const DIRECTORY: &str = "Zip Directory";
const ENTRY: &str = "Zip Entry";

/// An archive that is read from its first entry to its last one.
struct Directory {
    archive: RefCell<Archive>,
    next: Cell<usize>,
}

/// An entry that was read.
struct Entry {
    content: RefCell<Content>,
    stat: Stat,
    /// The number of the archive's resource, which is not kept alive: what is known of the entry is told as long as that is open.
    directory: i64,
}

/// The data of a resource argument of one kind.
fn resource<T: 'static>(call: &Call<'_>, index: usize, kind: &str) -> PhpResult<Rc<T>> {
    let found = call.opt_res(index).and_then(|resource| resource.data::<Rc<T>>().map(|data| data.clone()));
    found.ok_or_else(|| {
        let text = format!("(): supplied resource is not a valid {kind} resource");
        call.vm.throw_type_error(&[&call.func.display_name()[..], text.as_bytes()].concat())
    })
}

fn zip_open(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !basedir::allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    Ok(match Archive::open(&basedir::absolute(&path, None), 0) {
        Ok(archive) => {
            let directory = Directory { archive: RefCell::new(archive), next: Cell::new(0) };
            PhpRes::new(DIRECTORY, Box::new(Rc::new(directory))).into()
        }
        Err(error) => Val::int(error.number()),
    })
}

/// Closes the resource of the first argument.
fn close(call: &Call<'_>) {
    let data = call.opt_res(0).and_then(|resource| resource.close());
    drop(data);
}

fn zip_close(call: &mut Call<'_>) -> PhpResult<Val> {
    resource::<Directory>(call, 0, DIRECTORY)?;
    close(call);
    Ok(Val::NULL)
}

fn zip_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let directory = resource::<Directory>(call, 0, DIRECTORY)?;
    let mut archive = directory.archive.borrow_mut();
    let index = directory.next.get();
    if index >= archive.len() {
        return Ok(Val::FALSE);
    }
    let opened = archive.stat(index, 0).and_then(|stat| Ok((archive.content(index, 0)?, stat)));
    let (Some((content, stat)), Some(resource)) = (archive.note(opened), call.opt_res(0)) else {
        return Ok(Val::FALSE);
    };
    directory.next.set(index + 1);
    let entry = Entry { content: RefCell::new(content), stat, directory: resource.id() };
    Ok(PhpRes::new(ENTRY, Box::new(Rc::new(entry))).into())
}

fn zip_entry_open(call: &mut Call<'_>) -> PhpResult<Val> {
    resource::<Entry>(call, 1, ENTRY)?;
    resource::<Directory>(call, 0, DIRECTORY)?;
    Ok(Val::TRUE)
}

fn zip_entry_close(call: &mut Call<'_>) -> PhpResult<Val> {
    resource::<Entry>(call, 0, ENTRY)?;
    close(call);
    Ok(Val::TRUE)
}

fn zip_entry_read(call: &mut Call<'_>) -> PhpResult<Val> {
    const DEFAULT: usize = 1024;
    let entry = resource::<Entry>(call, 0, ENTRY)?;
    let length = usize::try_from(call.int(1)).ok().filter(|&length| length > 0).unwrap_or(DEFAULT);
    // PHP makes room for as much as is asked for; here only what is there is taken.
    require_room(length);
    let (mut result, mut content) = (Vec::new(), entry.content.borrow_mut());
    while result.len() < length {
        let (start, wanted) = (result.len(), (length - result.len()).min(1 << 16));
        result.resize(start + wanted, 0);
        let count = content.read(&mut result[start..]).unwrap_or(0);
        result.truncate(start + count);
        if count < wanted {
            break;
        }
    }
    Ok(result.into())
}

/// Something that is known of an entry, as long as its archive is open.
fn told(call: &Call<'_>, read: fn(&Stat) -> Val) -> PhpResult<Val> {
    let entry = resource::<Entry>(call, 0, ENTRY)?;
    let is_open = |resource: &PhpRes| resource.id() == entry.directory && !resource.is_closed();
    Ok(if live_resources().iter().any(is_open) { read(&entry.stat) } else { Val::FALSE })
}

fn method_name(stat: &Stat) -> Val {
    let name = match stat.method {
        0 => "stored",
        1 => "shrunk",
        2..=5 => "reduced",
        6 => "imploded",
        7 => "tokenized",
        8 => "deflated",
        9 => "deflatedX",
        10 => "implodedX",
        _ => return Val::FALSE,
    };
    name.into()
}
