//! Methods about entries: looking them up, reading them, changing what is said of them.

use crate::archive::{Archive, Content, Result, Source, Stat, flags};
use crate::object::{attempt, bits, change, data, require_open, require_some, text, with_archive};
use crate::stream;
use phlox_ext_standard_file::stream::open;
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, PhpArr, PhpResult, Val, until_nul};
use std::rc::Rc;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// The index of an argument; negative ones are those of no entry.
fn index(call: &Call<'_>, argument: usize) -> usize {
    usize::try_from(call.int(argument)).unwrap_or(usize::MAX)
}

/// The index of the entry with the name that an argument has; `None`: there is none, which the archive notes.
fn located(call: &Call<'_>, argument: usize, flags: u32) -> PhpResult<Option<usize>> {
    let name = text(call, argument);
    with_archive(call, |archive| archive.locate(&name, flags))
}

/// The entry with the name that the first argument has, which must not be empty.
fn named(call: &Call<'_>, flags: u32) -> PhpResult<Option<usize>> {
    require_open(call)?;
    require_some(call, 0, &call.str(0))?;
    located(call, 0, flags)
}

/// Works on the entry with the name that the first argument has.
fn with_named(call: &Call<'_>, work: impl FnOnce(usize) -> PhpResult<Val>) -> PhpResult<Val> {
    named(call, 0)?.map_or(Ok(Val::FALSE), work)
}

/// Works on the entry with the index that the first argument has, if there is one.
fn with_indexed(call: &Call<'_>, work: impl FnOnce(usize) -> PhpResult<Val>) -> PhpResult<Val> {
    let index = index(call, 0);
    match attempt(call, |archive| archive.stat(index, 0))? {
        Some(_) => work(index),
        None => Ok(Val::FALSE),
    }
}

fn described(stat: Option<Stat>) -> Val {
    let Some(stat) = stat else { return Val::FALSE };
    let mut table = PhpArr::new();
    table.set_bytes(b"name", Val::str(until_nul(&stat.name)));
    let numbers: [(&[u8], i64); 7] = [
        (b"index", stat.index as i64),
        (b"crc", i64::from(stat.crc)),
        (b"size", stat.size as i64),
        (b"mtime", stat.time),
        (b"comp_size", stat.stored_size as i64),
        (b"comp_method", i64::from(stat.method)),
        (b"encryption_method", i64::from(stat.encryption)),
    ];
    numbers.iter().for_each(|(name, number)| table.set_bytes(name, Val::int(*number)));
    table.into()
}

/// What is known of the entry with the name that the first argument, a path, has.
fn stat_of_path(call: &Call<'_>, flags: u32) -> PhpResult<Option<Stat>> {
    let name = call.path(0)?;
    require_open(call)?;
    require_some(call, 0, &name)?;
    match located(call, 0, flags)? {
        Some(index) => attempt(call, |archive| archive.stat(index, flags)),
        None => Ok(None),
    }
}

/// `statName()`.
pub fn stat_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(described(stat_of_path(call, bits(call, 1))?))
}

/// `statIndex()`.
pub fn stat_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let (index, flags) = (index(call, 0), bits(call, 1));
    Ok(described(attempt(call, |archive| archive.stat(index, flags))?))
}

/// `locateName()`.
pub fn locate_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.path(0)?;
    require_open(call)?;
    if name.is_empty() {
        return Ok(Val::FALSE);
    }
    Ok(located(call, 0, bits(call, 1))?.map_or(Val::FALSE, |index| Val::int(index as i64)))
}

/// `getNameIndex()`.
pub fn name_index(call: &mut Call<'_>) -> PhpResult<Val> {
    // PHP cuts the index to 32 bits.
    let (index, flags) = (usize::try_from(call.int(0) as i32).unwrap_or(usize::MAX), bits(call, 1));
    let name = attempt(call, |archive| archive.name(index, flags).map(|name| Val::str(until_nul(&name))))?;
    Ok(name.unwrap_or(Val::FALSE))
}

/// Reads up to `size` bytes of an entry; what is there before an error counts.
fn read(call: &Call<'_>, content: Option<Content>, size: i64) -> PhpResult<Val> {
    let Some(mut content) = content else { return Ok(Val::FALSE) };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    // PHP makes room for as much as is asked for, which ends the script where memory_limit is lower.
    require_room(size);
    let mut result = Vec::new();
    while result.len() < size {
        let (start, wanted) = (result.len(), PIECE.min(size - result.len()));
        require_room(start + wanted);
        result.resize(start + wanted, 0);
        let count = content.read(&mut result[start..]).unwrap_or(0);
        result.truncate(start + count);
        if count < wanted {
            break;
        }
    }
    // Whether the data is whole shows when its end is read.
    if let Err(error) = content.read(&mut [0]) {
        call.warning(&format!("Cannot read entry: {}", error.message()))?;
        return Ok(Val::FALSE);
    }
    Ok(result.into())
}

/// `getFromName()`.
pub fn from_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = bits(call, 2);
    let Some(stat) = stat_of_path(call, flags)? else { return Ok(Val::FALSE) };
    from_entry(call, &stat, flags)
}

/// `getFromIndex()`.
pub fn from_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let (index, flags) = (index(call, 0), bits(call, 2));
    match attempt(call, |archive| archive.stat(index, flags))? {
        Some(stat) => from_entry(call, &stat, flags),
        None => Ok(Val::FALSE),
    }
}

fn from_entry(call: &Call<'_>, stat: &Stat, flags: u32) -> PhpResult<Val> {
    let length = if call.int(1) < 1 { stat.size as i64 } else { call.int(1) };
    let content = attempt(call, |archive| archive.content(stat.index, flags))?;
    read(call, content, length)
}

fn stream(call: &Call<'_>, stat: Option<Stat>, flags: u32) -> PhpResult<Val> {
    let Some(stat) = stat else { return Ok(Val::FALSE) };
    let content = attempt(call, |archive| archive.content(stat.index, flags))?;
    Ok(match content {
        Some(content) => open::resource(Rc::new(stream::of_entry(content, &stat.name))).into(),
        None => Val::FALSE,
    })
}

/// `getStreamName()`, and `getStream()`, which has no flags.
pub fn stream_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = bits(call, 1);
    let stat = stat_of_path(call, flags)?;
    stream(call, stat, flags)
}

/// `getStreamIndex()`.
pub fn stream_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let (index, flags) = (index(call, 0), bits(call, 1));
    let stat = attempt(call, |archive| archive.stat(index, flags))?;
    stream(call, stat, flags)
}

/// Keeps the index of a new entry; true, or false after an error.
fn added(call: &Call<'_>, work: impl FnOnce(&mut Archive) -> Result<usize>) -> PhpResult<Val> {
    let index = with_archive(call, |archive| {
        let result = work(archive);
        let index = archive.note(result);
        if index.is_some() {
            archive.error = Default::default();
        }
        index
    })?;
    data(call).last_id.set(index.map_or(-1, |index| index as i64));
    Ok(Val::bool(index.is_some()))
}

/// `addEmptyDir()`.
pub fn add_empty_dir(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, flags) = (call.str(0), bits(call, 1));
    require_open(call)?;
    if name.is_empty() {
        return Ok(Val::FALSE);
    }
    added(call, |archive| archive.add_folder(until_nul(&name), flags))
}

/// `addFromString()`.
pub fn add_from_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, content, flags) = (text(call, 0), call.str(1), bits(call, 2));
    added(call, |archive| archive.add(&name, Source::memory(&content), flags))
}

/// `deleteIndex()`.
pub fn delete_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index(call, 0);
    require_open(call)?;
    if call.int(0) < 0 {
        return Ok(Val::FALSE);
    }
    change(call, |archive| archive.delete(index))
}

/// `deleteName()`.
pub fn delete_name(call: &mut Call<'_>) -> PhpResult<Val> {
    by_name(call, Archive::delete)
}

/// Changes the entry with the name that the first argument has; nothing has the empty name.
fn by_name(call: &Call<'_>, work: impl FnOnce(&mut Archive, usize) -> Result<()>) -> PhpResult<Val> {
    require_open(call)?;
    if call.str(0).is_empty() {
        return Ok(Val::FALSE);
    }
    match located(call, 0, 0)? {
        Some(index) => change(call, |archive| {
            archive.stat(index, 0)?;
            work(archive, index)
        }),
        None => Ok(Val::FALSE),
    }
}

/// `renameIndex()`.
pub fn rename_index(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.int(0) < 0 {
        return Ok(Val::FALSE);
    }
    let (index, name) = (index(call, 0), text(call, 1));
    require_open(call)?;
    require_some(call, 1, &call.str(1))?;
    change(call, |archive| archive.rename(index, &name))
}

/// `renameName()`.
pub fn rename_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = text(call, 1);
    require_open(call)?;
    require_some(call, 1, &call.str(1))?;
    require_some(call, 0, &call.str(0))?;
    by_name(call, |archive, index| archive.rename(index, &name))
}

/// `unchangeIndex()`.
pub fn revert_index(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = index(call, 0);
    require_open(call)?;
    if call.int(0) < 0 {
        return Ok(Val::FALSE);
    }
    change(call, |archive| archive.revert(index))
}

/// `unchangeName()`.
pub fn revert_name(call: &mut Call<'_>) -> PhpResult<Val> {
    by_name(call, Archive::revert)
}

/// A comment for an entry, which must not be too long.
fn new_comment(call: &Call<'_>) -> PhpResult<phlox_runtime::PhpStr> {
    let comment = call.str(1);
    if comment.len() > usize::from(u16::MAX) {
        return Err(call.value_error(1, "must be less than 65535 bytes"));
    }
    Ok(comment)
}

fn set_comment(call: &Call<'_>, index: usize, comment: &[u8]) -> PhpResult<Val> {
    change(call, |archive| {
        if archive.entry_comment(index, flags::ENC_RAW).is_ok_and(|known| !comment.is_empty() && *known == *comment) {
            return Ok(());
        }
        archive.set_entry_comment(index, comment)
    })
}

/// `setCommentName()`.
pub fn set_comment_name(call: &mut Call<'_>) -> PhpResult<Val> {
    require_some(call, 0, &call.str(0))?;
    require_open(call)?;
    let comment = new_comment(call)?;
    with_named(call, |index| set_comment(call, index, &comment))
}

/// `setCommentIndex()`.
pub fn set_comment_index(call: &mut Call<'_>) -> PhpResult<Val> {
    require_open(call)?;
    let comment = new_comment(call)?;
    with_indexed(call, |index| set_comment(call, index, &comment))
}

fn comment(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let flags = bits(call, 1);
    let comment = attempt(call, |archive| archive.entry_comment(index, flags).map(|comment| Val::str(&comment)))?;
    Ok(comment.unwrap_or_else(|| Val::str(b"")))
}

/// `getCommentName()`.
pub fn comment_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| comment(call, index))
}

/// `getCommentIndex()`.
pub fn comment_index(call: &mut Call<'_>) -> PhpResult<Val> {
    with_indexed(call, |index| comment(call, index))
}

fn set_attributes(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let (system, attributes) = (call.int(1) as u8, call.int(2) as u32);
    change(call, |archive| archive.set_attributes(index, system, attributes))
}

/// `setExternalAttributesName()`.
pub fn set_attributes_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| set_attributes(call, index))
}

/// `setExternalAttributesIndex()`.
pub fn set_attributes_index(call: &mut Call<'_>) -> PhpResult<Val> {
    with_indexed(call, |index| set_attributes(call, index))
}

fn attributes(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let flags = bits(call, 3);
    let Some((system, attributes)) = attempt(call, |archive| archive.attributes(index, flags))? else {
        return Ok(Val::FALSE);
    };
    call.assign(1, Val::int(i64::from(system)))?;
    call.assign(2, Val::int(i64::from(attributes)))?;
    Ok(Val::TRUE)
}

/// `getExternalAttributesName()`.
pub fn attributes_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| attributes(call, index))
}

/// `getExternalAttributesIndex()`.
pub fn attributes_index(call: &mut Call<'_>) -> PhpResult<Val> {
    with_indexed(call, |index| attributes(call, index))
}

fn set_method(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let (method, level) = (call.int(1) as i32, bits(call, 2));
    change(call, |archive| archive.set_method(index, method, level))
}

/// `setCompressionName()`.
pub fn set_method_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| set_method(call, index))
}

/// `setCompressionIndex()`.
pub fn set_method_index(call: &mut Call<'_>) -> PhpResult<Val> {
    set_method(call, index(call, 0))
}

fn set_encryption(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let (method, password) = (call.int(1) as u16, call.opt_str(2));
    if attempt(call, |archive| archive.set_encryption(index, 0, None))?.is_none() {
        call.warning("password reset failed")?;
        return Ok(Val::FALSE);
    }
    change(call, |archive| archive.set_encryption(index, method, password.as_ref().map(|text| until_nul(text))))
}

/// `setEncryptionName()`.
pub fn set_encryption_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| set_encryption(call, index))
}

/// `setEncryptionIndex()`.
pub fn set_encryption_index(call: &mut Call<'_>) -> PhpResult<Val> {
    require_open(call)?;
    set_encryption(call, index(call, 0))
}

fn set_time(call: &Call<'_>, index: usize) -> PhpResult<Val> {
    let seconds = call.int(1);
    change(call, |archive| archive.set_time(index, seconds))
}

/// `setMtimeName()`.
pub fn set_time_name(call: &mut Call<'_>) -> PhpResult<Val> {
    with_named(call, |index| set_time(call, index))
}

/// `setMtimeIndex()`.
pub fn set_time_index(call: &mut Call<'_>) -> PhpResult<Val> {
    set_time(call, index(call, 0))
}
