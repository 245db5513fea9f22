//! `php://memory`, `php://temp`, `data:` and `php://output`.

use super::{Read, SEEK_CUR, SEEK_END, Source, StreamOption};
use crate::stat;
use phlox_runtime::{PhpArr, PhpResult, Val, Vm, heap};

/// Bytes in memory.
pub struct MemorySource {
    pub data: Vec<u8>,
    position: usize,
    kind: &'static str,
    append: bool,
    read_only: bool,
    /// Bytes that count against memory_limit.
    counted: usize,
}

/// Bytes of a `php://temp` that count against memory_limit; PHP would keep more than this in a file.
const TEMP_IN_MEMORY: usize = 2 << 20;

impl MemorySource {
    /// A source in memory with this content. `kind` is the stream's type in its meta data; `mode` says what is allowed.
    pub fn new(data: Vec<u8>, kind: &'static str, mode: &str) -> MemorySource {
        let append = mode.contains('a');
        let read_only = !append && !mode.contains(['+', 'w']);
        MemorySource { data, position: 0, kind, append, read_only, counted: 0 }
    }

    /// Counts the memory against memory_limit; if that is exceeded, the request ends here.
    fn count(&mut self, bytes: usize) {
        // PHP keeps the bytes in a string, whose header counts, too.
        let bytes = bytes.saturating_add(32) & !7;
        if bytes > self.counted {
            heap::charge(bytes - self.counted);
            self.counted = bytes;
        }
    }
}

impl Drop for MemorySource {
    fn drop(&mut self) {
        heap::discharge(self.counted);
    }
}

impl Source for MemorySource {
    fn read(&mut self, _vm: &Vm, size: usize) -> PhpResult<Read> {
        if self.position >= self.data.len() {
            return Ok(Read { data: Vec::new(), eof: true, failed: false });
        }
        let wanted = self.position.saturating_add(size);
        let end = self.data.len().min(wanted);
        let data = self.data[self.position..end].to_vec();
        self.position = end;
        // PHP's temporary streams read on until they have as much as was asked for, and so notice the end.
        Ok(Read { data, eof: self.kind == "TEMP" && end < wanted, failed: false })
    }

    fn write(&mut self, _vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if self.read_only {
            return Ok(None);
        }
        if self.append {
            self.position = self.data.len();
        }
        let end = self.position.saturating_add(data.len());
        if self.data.len() < end {
            let continues = self.position <= self.data.len();
            self.count(if self.kind == "TEMP" && continues { end.min(TEMP_IN_MEMORY) } else { end });
            self.data.resize(end, 0);
        }
        self.data[self.position..end].copy_from_slice(data);
        self.position = end;
        Ok(Some(data.len()))
    }

    fn seek(&mut self, _vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let base = match whence {
            SEEK_CUR => self.position as i64,
            SEEK_END => self.data.len() as i64,
            0 => 0,
            _ => return Ok(None),
        };
        let target = base.saturating_add(offset);
        match usize::try_from(target) {
            Ok(position) => {
                self.position = position;
                Ok(Some(target))
            }
            Err(_) => {
                self.position = 0;
                Ok(None)
            }
        }
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn stat(&mut self, _vm: &Vm) -> PhpResult<Option<PhpArr>> {
        // The body of a request has no file data.
        if self.kind == "Input" {
            return Ok(None);
        }
        const REGULAR: u32 = 0o100_000;
        let mode = REGULAR | if self.read_only { 0o444 } else { 0o666 };
        // PHP's values for fields that memory does not have.
        let size = self.data.len() as u64;
        let stat =
            stat::Stat { dev: 12, mode, nlink: 1, rdev: -1, size, blksize: -1, blocks: -1, ..stat::Stat::default() };
        Ok(Some(stat::to_array(&stat)))
    }

    fn truncate(&mut self, _vm: &Vm, size: u64) -> PhpResult<Option<bool>> {
        if self.read_only {
            return Ok(Some(false));
        }
        self.count(size as usize);
        self.data.resize(size as usize, 0);
        self.position = self.position.min(self.data.len());
        Ok(Some(true))
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn reads_greedily(&self) -> bool {
        true
    }
}

/// `php://output`: writes into the output buffers.
pub struct OutputSource;

impl Source for OutputSource {
    fn read(&mut self, _vm: &Vm, _size: usize) -> PhpResult<Read> {
        Ok(Read { data: Vec::new(), eof: true, failed: true })
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        vm.echo(data);
        Ok(Some(data.len()))
    }

    fn flush(&mut self, _vm: &Vm) -> PhpResult<bool> {
        Ok(true)
    }

    fn set_option(&mut self, _vm: &Vm, _option: StreamOption) -> PhpResult<Option<bool>> {
        Ok(None)
    }

    fn kind(&self) -> &'static str {
        "Output"
    }
}

/// The names in a directory, `.` and `..` included.
pub struct DirectorySource {
    entries: Vec<Vec<u8>>,
    next: usize,
    kind: &'static str,
}

impl DirectorySource {
    /// A directory with these entries.
    pub fn new(entries: Vec<Vec<u8>>, kind: &'static str) -> DirectorySource {
        DirectorySource { entries, next: 0, kind }
    }
}

impl Source for DirectorySource {
    fn read(&mut self, _vm: &Vm, _size: usize) -> PhpResult<Read> {
        Ok(Read { data: Vec::new(), eof: true, failed: false })
    }

    fn write(&mut self, _vm: &Vm, _data: &[u8]) -> PhpResult<Option<usize>> {
        Ok(None)
    }

    fn read_entry(&mut self, _vm: &Vm) -> PhpResult<Option<Vec<u8>>> {
        let entry = self.entries.get(self.next).cloned();
        self.next += entry.is_some() as usize;
        Ok(entry)
    }

    fn rewind_entries(&mut self, _vm: &Vm) -> PhpResult<()> {
        self.next = 0;
        Ok(())
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn wrapper_data(&self) -> Option<Val> {
        None
    }
}
