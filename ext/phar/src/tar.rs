//! Archives in tar's format.

use crate::archive::{Archive, Content, Entry, Format, Signature, normal};
use std::rc::Rc;

const BLOCK: usize = 512;

fn number(field: &[u8]) -> Option<u64> {
    let digits = field.iter().skip_while(|&&byte| byte == b' ').take_while(|byte| (b'0'..=b'7').contains(byte));
    digits.copied().try_fold(0u64, |number, digit| number.checked_mul(8)?.checked_add(u64::from(digit - b'0')))
}

fn text(field: &[u8]) -> &[u8] {
    &field[..field.iter().position(|&byte| byte == 0).unwrap_or(field.len())]
}

/// The sum of a header's bytes, its own field as blanks.
fn checksum(header: &[u8]) -> u64 {
    header.iter().enumerate().map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u64::from(byte) }).sum()
}

/// Whether the data begins with a tar header whose checksum is right.
pub fn is_tar(data: &[u8]) -> bool {
    data.get(..BLOCK).is_some_and(|header| header[0] != 0 && number(&header[148..156]) == Some(checksum(header)))
}

/// Reads an archive, or says in PHP's words what is wrong with it.
pub fn read(path: &[u8], data: &Rc<[u8]>) -> Result<Archive, String> {
    let shown = phlox_runtime::shown(path).into_owned();
    let mut archive = Archive::new(path, Format::Tar);
    let (mut at, mut long_name) = (0, None::<Vec<u8>>);
    let mut links = Vec::new();
    while let Some(header) = data.get(at..at + BLOCK) {
        if header.iter().all(|&byte| byte == 0) {
            break;
        }
        if number(&header[148..156]) != Some(checksum(header)) {
            let name = phlox_runtime::shown(text(&header[..100])).into_owned();
            return Err(format!(
                "phar error: \"{shown}\" is a corrupted tar file (checksum mismatch of file \"{name}\")"
            ));
        }
        let truncated = || format!("phar error: \"{shown}\" is a corrupted tar file (truncated)");
        let size = usize::try_from(number(&header[124..136]).unwrap_or(0)).map_err(|_| truncated())?;
        let start = at + BLOCK;
        let end = start.checked_add(size).filter(|&end| end <= data.len()).ok_or_else(truncated)?;
        at = end.div_ceil(BLOCK) * BLOCK;
        let kind = header[156];
        if kind == b'L' {
            long_name = Some(text(&data[start..end]).to_vec());
            continue;
        }
        let prefix = if &header[257..262] == b"ustar" { text(&header[345..500]) } else { b"" };
        let own = text(&header[..100]);
        let name = long_name
            .take()
            .unwrap_or_else(|| if prefix.is_empty() { own.to_vec() } else { [prefix, b"/", own].concat() });
        let is_dir = kind == b'5' || kind != b'L' && name.ends_with(b"/");
        if matches!(kind, b'1' | b'2') {
            links.push((normal(&name), text(&header[157..257]).to_vec()));
        } else if !matches!(kind, 0 | b'0' | b'5' | b'7') {
            continue;
        }
        let flags = (number(&header[100..108]).unwrap_or(0o644) & 0o777) as u32;
        let time = number(&header[136..148]).unwrap_or(0) as u32;
        let entry = Entry {
            content: Content::Stored { start, size },
            size: size as u32,
            time,
            crc: 0,
            flags,
            metadata: Vec::new(),
            is_dir,
        };
        take_in(&mut archive, &normal(&name), entry, &data[start..end]);
    }
    follow(&mut archive, &links);
    Ok(archive)
}

/// Gives links the contents of their targets: names in the archive, or names relative to the link's folder.
fn follow(archive: &mut Archive, links: &[(Vec<u8>, Vec<u8>)]) {
    // A link may lead to another link; more rounds than there are links would mean a cycle.
    for _ in 0..links.len() {
        for (name, link) in links {
            let folder = name.iter().rposition(|&byte| byte == b'/').map_or(&b""[..], |at| &name[..at]);
            let beside = match link.strip_prefix(b"/") {
                Some(rest) => normal(rest),
                None => normal(&[folder, b"/", link].concat()),
            };
            let names = [normal(link), beside];
            let target = names.iter().filter(|target| *target != name).find_map(|target| archive.entries.get(target));
            let target = target.filter(|target| !target.is_dir).map(|target| (target.content.clone(), target.size));
            if let (Some((content, size)), Some(entry)) = (target, archive.entries.get_mut(name)) {
                (entry.content, entry.size) = (content, size);
            }
        }
    }
}

/// Files of the archive's own are its stub, alias, metadata and signature.
pub fn take_in(archive: &mut Archive, name: &[u8], entry: Entry, bytes: &[u8]) {
    match name {
        b".phar/stub.php" => archive.stub = bytes.to_vec(),
        b".phar/alias.txt" => archive.alias = Some(bytes.to_vec()),
        b".phar/.metadata.bin" => archive.metadata = bytes.to_vec(),
        b".phar/signature.bin" => {
            if let (Some(kind), Some(rest)) = (bytes.first_chunk::<4>(), bytes.get(8..)) {
                archive.signature = Some(Signature { kind: u32::from_le_bytes(*kind), bytes: rest.to_vec() });
            }
        }
        b"" => {}
        name => {
            if let Some(of) =
                name.strip_prefix(b".phar/.metadata/").and_then(|rest| rest.strip_suffix(b"/.metadata.bin"))
            {
                if let Some(entry) = archive.entries.get_mut(of) {
                    entry.metadata = bytes.to_vec();
                }
                return;
            }
            archive.entries.insert(name.to_vec(), entry);
        }
    }
}
