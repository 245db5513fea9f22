//! The request that is being served: whether it comes from the command line or from a web server through CGI, its body
//! and its uploads.

use crate::filesystem::create_unique;
use crate::stream::memory::MemorySource;
use crate::stream::open::os;
use crate::stream::{Read, SEEK_CUR, SEEK_END, Source};
use phlox_runtime::{PhpResult, Vm};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::rc::Rc;

/// Longest body that is kept in memory; a longer one goes to a file without a name.
const IN_MEMORY: u64 = 2 << 20;

/// What came after the headers of a request.
pub enum Body {
    Memory(Vec<u8>),
    File { file: Rc<File>, size: u64 },
}

impl Default for Body {
    fn default() -> Body {
        Body::Memory(Vec::new())
    }
}

impl Body {
    /// Reads a body of at most `length` bytes. If the connection breaks, the bytes that have arrived are the body.
    pub fn receive(reader: impl io::Read, length: u64) -> Body {
        let mut reader = reader.take(length);
        let mut start = Vec::new();
        let _ = reader.by_ref().take(IN_MEMORY).read_to_end(&mut start);
        if (start.len() as u64) < IN_MEMORY {
            return Body::Memory(start);
        }
        let Some((mut file, path)) = create_unique(&std::env::temp_dir(), b"php") else { return Body::Memory(start) };
        let _ = std::fs::remove_file(path);
        let written = file.write_all(&start).and_then(|()| io::copy(&mut reader, &mut file));
        let size = start.len() as u64 + written.unwrap_or(0);
        Body::File { file: Rc::new(file), size }
    }

    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Body::Memory(bytes) => bytes.len() as u64,
            Body::File { size, .. } => *size,
        }
    }

    /// Whether the request has no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of it at once.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Body::Memory(bytes) => bytes.clone(),
            Body::File { file, .. } => {
                let (mut file, mut bytes) = (&**file, Vec::new());
                let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
                bytes
            }
        }
    }

    /// What `php://input` reads, from the beginning.
    pub fn source(&self) -> Box<dyn Source> {
        match self {
            Body::Memory(bytes) => Box::new(MemorySource::new(bytes.clone(), "Input", "rb")),
            Body::File { file, size } => Box::new(SpooledSource { file: file.clone(), size: *size, position: 0 }),
        }
    }
}

/// A long body, of which every reader has a place of its own.
struct SpooledSource {
    file: Rc<File>,
    size: u64,
    position: u64,
}

impl Source for SpooledSource {
    fn read(&mut self, _vm: &Vm, size: usize) -> PhpResult<Read> {
        use std::os::unix::fs::FileExt;
        let mut data = vec![0; size.min(1 << 20)];
        let count = self.file.read_at(&mut data, self.position).unwrap_or(0);
        data.truncate(count);
        self.position += count as u64;
        Ok(Read { eof: count == 0, data, failed: false })
    }

    fn write(&mut self, _vm: &Vm, _data: &[u8]) -> PhpResult<Option<usize>> {
        Ok(None)
    }

    fn seek(&mut self, _vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let base = match whence {
            SEEK_CUR => self.position as i64,
            SEEK_END => self.size as i64,
            _ => 0,
        };
        let target = u64::try_from(base.saturating_add(offset)).ok();
        self.position = target.unwrap_or(self.position);
        Ok(target.map(|target| target as i64))
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn kind(&self) -> &'static str {
        "Input"
    }

    fn reads_greedily(&self) -> bool {
        true
    }
}

/// The request from outside. On the command line it is empty.
#[derive(Default)]
pub struct Request {
    /// The request is answered through CGI: headers are sent before the output.
    pub is_cgi: Cell<bool>,
    /// The program is the web server itself (`-S`).
    pub is_server: Cell<bool>,
    /// The process is one of a pool that a web server passes requests on to (`fpm`).
    pub is_pool: Cell<bool>,
    /// What `php://input` reads.
    pub body: RefCell<Body>,
    /// Paths of uploaded files that were not moved.
    pub uploads: RefCell<HashSet<Vec<u8>>>,
}

/// What is known of the request that is being served.
pub fn request(vm: &Vm) -> Rc<Request> {
    vm.data::<Request>("request")
}

/// The name that `php_sapi_name()` gives.
pub fn name(vm: &Vm) -> &'static str {
    let request = request(vm);
    match (request.is_server.get(), request.is_cgi.get()) {
        (true, _) => "cli-server",
        _ if request.is_pool.get() => "fpm-fcgi",
        (_, true) => "cgi-fcgi",
        _ => "cli",
    }
}

/// Removes the uploads that nobody moved.
pub fn clean_up(vm: &Vm) {
    for file in request(vm).uploads.take() {
        // The file may be gone already.
        let _ = std::fs::remove_file(os(&file));
    }
}
