//! The native data of objects about files.

use phlox_ext_standard_file::csv::Format;
use phlox_ext_standard_file::stream::Stream;
use phlox_runtime::{Call, ClassRef, Edges, NativeData, PhpObj, PhpRes, PhpResult, PhpStr, Slot, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The native part of SplFileInfo and its subclasses.
#[derive(Default)]
pub struct FileData {
    /// The path as given, without slashes at its end. `None`: not constructed.
    pub name: RefCell<Option<PhpStr>>,
    /// The directory part, where it is not simply what comes before the last slash.
    pub path: RefCell<Option<PhpStr>>,
    pub info_class: RefCell<Option<ClassRef>>,
    pub file_class: RefCell<Option<ClassRef>>,
    pub flags: Cell<i64>,
    pub directory: RefCell<Option<Directory>>,
    pub file: RefCell<Option<Rc<OpenFile>>>,
}

/// A directory that is being iterated over.
#[derive(Clone, Default)]
pub struct Directory {
    pub path: PhpText,
    pub entries: Rc<Vec<Vec<u8>>>,
    /// The current entry; behind the last one at the end.
    pub at: usize,
    pub index: i64,
    pub sub_path: PhpText,
    /// The pattern of a GlobIterator.
    pub glob: Option<PhpText>,
}

/// Owned bytes.
pub type PhpText = Vec<u8>;

/// An open file.
pub struct OpenFile {
    pub stream: Rc<Stream>,
    /// Keeps the resource's number taken.
    pub resource: PhpRes,
    pub mode: PhpStr,
    /// The file was searched in the include path.
    pub from_include_path: bool,
    pub line: RefCell<Option<PhpStr>>,
    /// The current record, when records are read.
    pub record: Slot,
    pub line_number: Cell<i64>,
    pub max_line: Cell<i64>,
    pub format: Cell<Format>,
    /// The escape character is the default, which was not chosen explicitly.
    pub escape_is_default: Cell<bool>,
}

impl NativeData for FileData {
    fn trace(&self, edges: &mut Edges) {
        if let Some(file) = &*self.file.borrow() {
            file.record.trace(edges);
        }
    }

    fn clear(&self) {
        if let Some(file) = &*self.file.borrow() {
            file.record.set(Val::UNDEF);
        }
    }

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(FileData {
            name: self.name.clone(),
            path: self.path.clone(),
            info_class: self.info_class.clone(),
            file_class: self.file_class.clone(),
            flags: self.flags.clone(),
            directory: self.directory.clone(),
            file: RefCell::default(),
        }))
    }
}

/// Gives a new object about a file its native data.
pub fn create(_: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(FileData::default()));
}

/// The native data of an object about a file.
pub fn data(object: &PhpObj) -> &FileData {
    object.native().unwrap_or_else(|| unreachable!("every file object is made with its data"))
}

/// The error about an object whose constructor has not run.
pub fn not_initialized(vm: &Vm) -> Throw {
    vm.throw_error(b"Object not initialized")
}

/// The open file of `$this`.
pub fn file(call: &Call<'_>) -> PhpResult<Rc<OpenFile>> {
    let file = data(call.this()).file.borrow().clone();
    file.ok_or_else(|| not_initialized(call.vm))
}

impl Directory {
    /// The current entry's name; empty at the end.
    pub fn entry(&self) -> &[u8] {
        self.entries.get(self.at).map_or(b"", |name| name)
    }

    /// Whether the current entry is `.` or `..`.
    pub fn is_dot(&self) -> bool {
        matches!(self.entry(), b"." | b"..")
    }

    /// The path of the current entry.
    pub fn pathname(&self) -> Vec<u8> {
        if self.path.is_empty() { self.entry().to_vec() } else { [&self.path[..], b"/", self.entry()].concat() }
    }
}

impl FileData {
    /// The path with the name; `None` before construction, or at the end of a directory.
    pub fn pathname(&self) -> Option<Vec<u8>> {
        if let Some(directory) = &*self.directory.borrow() {
            return (!directory.entry().is_empty()).then(|| directory.pathname());
        }
        self.name.borrow().as_ref().map(|name| name.to_vec())
    }

    /// The directory part; empty when there is none.
    pub fn directory_part(&self) -> Vec<u8> {
        if let Some(directory) = &*self.directory.borrow() {
            return directory.path.clone();
        }
        if let Some(path) = &*self.path.borrow() {
            return path.to_vec();
        }
        let name = self.name.borrow();
        let Some(name) = &*name else { return Vec::new() };
        name.iter().rposition(|&byte| byte == b'/').map_or(Vec::new(), |end| name[..end].to_vec())
    }

    /// The name without the directory part.
    pub fn file_name(&self) -> Option<Vec<u8>> {
        if let Some(directory) = &*self.directory.borrow() {
            return Some(directory.entry().to_vec());
        }
        let path = self.directory_part();
        let name = self.name.borrow().clone()?;
        let short = !path.is_empty() && path.len() < name.len();
        Some(if short { name[path.len() + 1..].to_vec() } else { name.to_vec() })
    }
}
