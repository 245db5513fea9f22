//! Damaged archives: nothing panics, nothing takes long, and no more is read than there can be.

use super::flags;
use super::header::{encryption, method};
use super::{Archive, Progress, Source};
use std::path::PathBuf;

/// The generator xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// Changes, cuts, doubles or removes a few places.
    fn damage(&mut self, data: &[u8]) -> Vec<u8> {
        let mut data = data.to_vec();
        for _ in 0..1 + self.below(4) {
            // Headers are at the end, so that is where most of the damage is done.
            let from = if self.below(3) == 0 { 0 } else { data.len() / 2 };
            let at = from + self.below(data.len() - from);
            match self.below(6) {
                0 | 1 if !data.is_empty() => data[at] = self.below(256) as u8,
                2 if !data.is_empty() => data[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
                3 => data.truncate(at),
                4 => {
                    let end = data.len().min(at + self.below(64));
                    data.extend_from_within(at..end);
                }
                _ => drop(data.drain(at..data.len().min(at + self.below(8)))),
            }
        }
        data
    }
}

struct Silent;

impl Progress for Silent {
    fn tell(&mut self, _state: f64) {}

    fn is_cancelled(&mut self) -> bool {
        false
    }

    fn precision(&self) -> f64 {
        0.0
    }
}

/// A file that goes away.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("phlox-zip-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Temporary(path)
    }

    fn path(&self) -> &[u8] {
        self.0.as_os_str().as_encoded_bytes()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const METHODS: [i32; 7] =
    [method::DEFAULT, method::STORE, method::DEFLATE, method::BZIP2, method::LZMA, method::XZ, method::ZSTD];
const CIPHERS: [u16; 5] =
    [encryption::NONE, encryption::PKWARE, encryption::AES_128, encryption::AES_192, encryption::AES_256];

fn content(number: usize) -> Vec<u8> {
    b"a text that shrinks, and shrinks, and shrinks. ".repeat(number * 37 % 11)
}

/// An archive with all methods of compression and encryption.
fn sample(file: &Temporary, torrentzip: bool) -> Vec<u8> {
    let mut archive = Archive::open(file.path(), i64::from(flags::open::CREATE)).expect("a new archive");
    archive.set_password(b"secret");
    for (number, compression) in METHODS.into_iter().enumerate() {
        for cipher in CIPHERS {
            let name = format!("folder/{compression} {cipher} ä");
            let index = archive.add(name.as_bytes(), Source::memory(&content(number)), 0).expect("a free name");
            if !torrentzip {
                archive.set_method(index, compression, 0).expect("a known method");
                archive.set_encryption(index, cipher, None).expect("a known cipher");
                archive.set_entry_comment(index, b"a comment").expect("a comment");
            }
        }
    }
    archive.add_folder(b"empty", 0).expect("a folder");
    if torrentzip {
        archive.set_flag(flags::archive::WANT_TORRENTZIP, true).expect("a flag");
    } else {
        archive.set_comment(b"of the archive").expect("a comment");
    }
    archive.close(&mut Silent).expect("written");
    std::fs::read(&file.0).expect("the archive")
}

/// Reads all that there is; gives how much data was read.
fn read_all(file: &Temporary, opening: u32) -> usize {
    let Ok(mut archive) = Archive::open(file.path(), i64::from(opening)) else { return 0 };
    archive.set_password(b"secret");
    let mut total = 0;
    for index in 0..archive.len() {
        for flags in [0, flags::COMPRESSED, flags::ENCRYPTED, flags::UNCHANGED | flags::ENC_STRICT] {
            // Errors are what damage leads to; that there is no panic is the test.
            let _ = (archive.stat(index, flags), archive.entry_comment(index, flags), archive.attributes(index, flags));
            let Ok(mut content) = archive.content(index, flags) else { continue };
            let mut piece = vec![0; 4096];
            while let Ok(count @ 1..) = content.read(&mut piece) {
                total += count;
            }
        }
        let name = archive.name(index, 0).map(|name| name.into_owned());
        let _ = name.map(|name| archive.locate(&name, flags::NOCASE | flags::NODIR));
    }
    total
}

#[test]
fn everything_comes_back() {
    let file = Temporary::new("whole");
    sample(&file, false);
    for opening in [0, flags::open::CHECKCONS, flags::open::RDONLY] {
        let mut archive = Archive::open(file.path(), i64::from(opening)).expect("an archive");
        archive.set_password(b"secret");
        for (number, compression) in METHODS.into_iter().enumerate() {
            for cipher in CIPHERS {
                let name = format!("folder/{compression} {cipher} ä");
                let index = archive.locate(name.as_bytes(), 0).expect("an entry");
                let mut data = vec![0; 4096];
                let mut entry = archive.content(index, 0).expect("content");
                let count = entry.read(&mut data).expect("data");
                assert_eq!(&data[..count], content(number), "{name}");
                assert_eq!(entry.read(&mut data), Ok(0), "{name}");
            }
        }
    }
}

#[test]
fn torrentzip_is_known_again() {
    let file = Temporary::new("torrentzip");
    sample(&file, true);
    let archive = Archive::open(file.path(), 0).expect("an archive");
    assert!(archive.flag(flags::archive::IS_TORRENTZIP, 0));
}

#[test]
fn damaged_archives_are_read_without_harm() {
    let file = Temporary::new("damaged");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for data in [sample(&file, false), sample(&Temporary::new("damaged-torrentzip"), true)] {
        for round in 0..400 {
            let damaged = random.damage(&data);
            std::fs::write(&file.0, &damaged).expect("a file");
            let opening = if round % 3 == 0 { flags::open::CHECKCONS } else { 0 };
            let total = read_all(&file, opening);
            assert!(total < 64 << 20, "{total} bytes came out of {}", damaged.len());
        }
    }
}

#[test]
fn damaged_archives_are_changed_without_harm() {
    let file = Temporary::new("changed");
    let data = sample(&file, false);
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..100 {
        std::fs::write(&file.0, random.damage(&data)).expect("a file");
        let Ok(mut archive) = Archive::open(file.path(), 0) else { continue };
        archive.set_password(b"secret");
        for index in 0..archive.len() {
            // What the damage does not allow fails.
            let _ = match random.below(6) {
                0 => archive.delete(index),
                1 => archive.rename(index, format!("new {index}").as_bytes()),
                2 => archive.set_method(index, METHODS[random.below(METHODS.len())], 1),
                3 => archive.set_encryption(index, CIPHERS[random.below(CIPHERS.len())], Some(b"other")),
                4 => archive.replace(index, Source::memory(b"new")),
                _ => archive.revert(index),
            };
        }
        if archive.close(&mut Silent).is_ok() {
            drop(archive);
            read_all(&file, 0);
        }
    }
}
