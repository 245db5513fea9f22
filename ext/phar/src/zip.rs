//! Archives in zip's format.

use crate::archive::{Archive, COMPRESSED_BZ2, COMPRESSED_GZ, Content, Entry, Format, normal};
use crate::tar::take_in;
use std::rc::Rc;

const END: &[u8] = b"PK\x05\x06";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

fn short(data: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_le_bytes(data.get(at..at + 2)?.try_into().ok()?) as usize)
}

fn long(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

/// Seconds since 1970 of a time as DOS writes it, taken as universal time.
fn time_of(time: usize, date: usize) -> u32 {
    let (year, month, day) = ((date >> 9) as i64 + 1980, (date >> 5 & 15) as i64, (date & 31) as i64);
    let (shifted, month) = (if month <= 2 { year - 1 } else { year }, (month + 9) % 12);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days =
        shifted * 365 + shifted.div_euclid(4) - shifted.div_euclid(100) + shifted.div_euclid(400) + of_year - 719_468;
    let seconds = (time >> 11) as i64 * 3600 + (time >> 5 & 63) as i64 * 60 + (time & 31) as i64 * 2;
    (days * 86_400 + seconds).clamp(0, u32::MAX as i64) as u32
}

/// Reads an archive, or says in PHP's words what is wrong with it.
pub fn read(path: &[u8], data: &Rc<[u8]>) -> Result<Archive, String> {
    let shown = phlox_runtime::shown(path).into_owned();
    let broken = |why: &str| format!("phar error: {why} in zip-based phar \"{shown}\"");
    let end = data.windows(4).rposition(|window| window == END);
    let end = end.ok_or_else(|| broken("end of central directory not found"))?;
    let corrupt = || broken("corrupted central directory entry, no magic signature");
    let count = short(data, end + 10).ok_or_else(corrupt)?;
    let mut at = long(data, end + 16).ok_or_else(corrupt)? as usize;
    let mut archive = Archive::new(path, Format::Zip);
    for _ in 0..count {
        let entry = read_entry(data, &mut at, &shown).ok_or_else(corrupt)??;
        let (name, entry) = entry;
        let own = name.starts_with(b".phar/");
        let bytes = if own {
            let mut single = Archive::new(path, Format::Zip);
            single.data = data.clone();
            single.entries.insert(name.clone(), entry.clone());
            single.content(&name)?
        } else {
            Vec::new()
        };
        take_in(&mut archive, &name, entry, &bytes);
    }
    Ok(archive)
}

/// An entry of the central directory. The outer `None`: there is none; the error: it cannot be read.
fn read_entry(data: &[u8], at: &mut usize, shown: &str) -> Option<Result<(Vec<u8>, Entry), String>> {
    let start = *at;
    if data.get(start..start + 4)? != CENTRAL {
        return None;
    }
    let (method, time, date) = (short(data, start + 10)?, short(data, start + 12)?, short(data, start + 14)?);
    let (crc, stored, size) = (long(data, start + 16)?, long(data, start + 20)?, long(data, start + 24)?);
    let (name_size, extra, comment) = (short(data, start + 28)?, short(data, start + 30)?, short(data, start + 32)?);
    let local = long(data, start + 42)? as usize;
    let name = data.get(start + 46..start + 46 + name_size)?;
    let metadata = data.get(start + 46 + name_size + extra..start + 46 + name_size + extra + comment)?.to_vec();
    *at = start + 46 + name_size + extra + comment;
    if data.get(local..local.checked_add(4)?)? != LOCAL {
        return None;
    }
    let content = local + 30 + short(data, local + 26)? + short(data, local + 28)?;
    let flags = match method {
        0 => 0,
        8 => COMPRESSED_GZ,
        12 => COMPRESSED_BZ2,
        _ => return Some(Err(format!("phar error: unsupported compression method in zip-based phar \"{shown}\""))),
    };
    let is_dir = name.ends_with(b"/");
    let content = Content::Stored { start: content, size: stored as usize };
    let time = time_of(time, date);
    Some(Ok((normal(name), Entry { content, size, time, crc, flags: flags | 0o666, metadata, is_dir })))
}
