//! Entries as streams, and the wrapper `zip://`, whose URLs are a path, `#`, and the name of an entry.

use crate::archive::{Archive, Content, flags};
use phlox_ext_standard_file::context;
use phlox_ext_standard_file::stat::{self, Stat};
use phlox_ext_standard_file::stream::open::{self, NativeWrapper, Options};
use phlox_ext_standard_file::stream::{Read, Source, Stream};
use phlox_runtime::{PhpArr, PhpResult, Vm, basedir, until_nul};

/// The wrapper `zip://`.
pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "zip wrapper", is_url: false, open: open_url, stat: None, list: None, change: None };

/// The system's limit of paths, with the byte for their end.
const LONGEST_PATH: usize = 4096;

/// The data of an entry as a stream.
struct EntrySource {
    content: Content,
    /// What the data of the stream's file is looked up by.
    url: Vec<u8>,
    /// The archive of a URL, which is open as long as the stream is.
    archive: Option<Archive>,
}

impl Source for EntrySource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        // A large request is served by several reads, so that no memory is taken for what is not there.
        let mut data = vec![0; size.min(1 << 20)];
        match self.content.read(&mut data) {
            Ok(count) => {
                // An error that stopped this read comes with the next one.
                let eof = count < data.len() && self.content.read(&mut [0]).is_ok();
                data.truncate(count);
                Ok(Read { data, eof, failed: false })
            }
            Err(error) => {
                open::warn(vm, format!("Zip stream error: {}", error.message()).as_bytes())?;
                Ok(Read { data: Vec::new(), eof: true, failed: true })
            }
        }
    }

    fn write(&mut self, _vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        Ok(Some(data.len()))
    }

    fn seek(&mut self, _vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        Ok(self.content.seek(offset, whence).ok().map(|place| place as i64))
    }

    fn is_seekable(&self) -> bool {
        self.content.is_seekable()
    }

    fn close(&mut self, _vm: &Vm) -> PhpResult<()> {
        self.archive = None;
        Ok(())
    }

    fn stat(&mut self, vm: &Vm) -> PhpResult<Option<PhpArr>> {
        Ok(stat_of(vm, &self.url)?.map(|stat| stat::to_array(&stat)))
    }

    fn kind(&self) -> &'static str {
        "zip"
    }
}

/// The entry as a stream; its archive belongs to somebody else.
pub fn of_entry(content: Content, name: &[u8]) -> Stream {
    let source = EntrySource { content, url: name.to_vec(), archive: None };
    let mut stream = Stream::new(Box::new(source), "rb");
    stream.uri = Some(name.to_vec());
    stream
}

/// The path and the name of a URL.
fn parts(url: &[u8]) -> Option<(&[u8], &[u8])> {
    const SCHEME: &[u8] = b"zip://";
    let has_scheme = url.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME));
    let rest = until_nul(if has_scheme { &url[SCHEME.len()..] } else { url });
    let at = rest.iter().position(|&byte| byte == b'#')?;
    (rest.len() < LONGEST_PATH).then_some((&rest[..at], &rest[at + 1..]))
}

fn open_url(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Result<Stream, String>> {
    let failed = || Ok(Err("operation failed".to_owned()));
    let Some((path, name)) = parts(url).filter(|_| mode.starts_with('r')) else { return failed() };
    if !basedir::allows(vm, path)? {
        return failed();
    }
    let Ok(mut archive) = Archive::open(path, i64::from(flags::open::CREATE)) else { return failed() };
    if let Some(password) = context::option(&options.context, b"zip", b"password") {
        match password.as_str() {
            Some(password) => archive.set_password(until_nul(password)),
            None => open::warn(vm, b"Can't set zip password")?,
        }
    }
    let content = archive.locate(name, 0).and_then(|index| archive.content(index, 0).ok());
    let Some(content) = content else { return failed() };
    let source = EntrySource { content, url: url.to_vec(), archive: Some(archive) };
    Ok(Ok(Stream::new(Box::new(source), mode)))
}

/// What `fstat` shows: the archive is opened again.
fn stat_of(vm: &Vm, url: &[u8]) -> PhpResult<Option<Stat>> {
    const FILE: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    let Some((path, name)) = parts(url) else { return Ok(None) };
    if !basedir::allows(vm, path)? {
        return Ok(None);
    }
    let Ok(mut archive) = Archive::open(path, i64::from(flags::open::CREATE)) else { return Ok(Some(Stat::default())) };
    let found = archive.locate(name, flags::NOCASE).and_then(|index| archive.stat(index, flags::NOCASE).ok());
    Ok(found.map(|entry| {
        let is_folder = name.ends_with(b"/");
        let (mode, size) = if is_folder { (FOLDER, 0) } else { (FILE, entry.size) };
        let (mtime, atime, ctime) = (entry.time, entry.time, entry.time);
        let unknown = Stat { ino: u64::MAX, rdev: -1, blksize: -1, blocks: -1, ..Stat::default() };
        Stat { mode, size, mtime, atime, ctime, nlink: 1, ..unknown }
    }))
}
