//! Streams over fields of rows.

use phlox_ext_standard_file::stream::open;
use phlox_ext_standard_file::stream::{Read, SEEK_CUR, SEEK_END, Source, Stream};
use phlox_runtime::{Call, PhpResult, Val, Vm};
use phlox_sqlite::{Blob, Connection, Failure};
use std::rc::Rc;

struct Field {
    blob: Blob,
    at: usize,
    writes: bool,
}

impl Source for Field {
    fn read(&mut self, _vm: &Vm, size: usize) -> PhpResult<Read> {
        let count = size.min(self.blob.len().saturating_sub(self.at));
        match self.blob.read(self.at, count) {
            Ok(data) => {
                self.at += count;
                Ok(Read { data, eof: self.at >= self.blob.len(), failed: false })
            }
            Err(_) => Ok(Read { data: Vec::new(), eof: false, failed: true }),
        }
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if !self.writes {
            open::warn(vm, b"Can't write to blob stream: is open as read only")?;
            return Ok(None);
        }
        if self.at + data.len() > self.blob.len() {
            open::warn(vm, b"It is not possible to increase the size of a BLOB")?;
            return Ok(None);
        }
        if self.blob.write(self.at, data).is_err() {
            return Ok(None);
        }
        self.at += data.len();
        Ok(Some(data.len()))
    }

    fn seek(&mut self, _vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let base = match whence {
            SEEK_CUR => self.at as i64,
            SEEK_END => self.blob.len() as i64,
            _ => 0,
        };
        let target = base.saturating_add(offset);
        let Some(at) = usize::try_from(target).ok().filter(|at| *at <= self.blob.len()) else { return Ok(None) };
        self.at = at;
        Ok(Some(target))
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn kind(&self) -> &'static str {
        "SQLite3"
    }
}

/// Opens a stream over the field that the arguments table, column and row name.
pub fn open(call: &Call<'_>, connection: &Rc<Connection>, database: &[u8], writes: bool) -> Result<Val, Failure> {
    let blob = Blob::open(connection, database, &call.str(0), &call.str(1), call.int(2), writes)?;
    let source = Field { blob, at: 0, writes };
    Ok(open::resource(Rc::new(Stream::new(Box::new(source), if writes { "r+b" } else { "rb" }))).into())
}
