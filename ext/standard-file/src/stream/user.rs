//! Streams of user wrappers: every operation is a method call on the wrapper object.

use super::{Read, Source, Stream, StreamOption};
use crate::stat;
use phlox_runtime::{ByBytes, Callee, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, Val, Vm, convert};
use std::cell::Cell;
use std::rc::Rc;

pub struct UserSource {
    pub object: PhpObj,
    pub directory: bool,
    /// Has a call shown that the class cannot seek?
    lacks_seek: Cell<bool>,
}

/// Calls a wrapper method. `None`: the class does not have it.
pub fn call_wrapper(vm: &Vm, object: &PhpObj, name: &str, args: Vec<Val>) -> PhpResult<Option<Val>> {
    let lower = name.to_ascii_lowercase();
    let class = object.class();
    if let Some(func) = class.methods.get(&ByBytes(lower.as_bytes())).cloned() {
        return vm.call(&Callee::method(func, object.clone()), args).map(Some);
    }
    if let Some(magic) = class.magic.call.clone() {
        let mut callee = Callee::method(magic, object.clone());
        callee.magic_name = Some(name.into());
        return vm.call(&callee, args).map(Some);
    }
    Ok(None)
}

impl UserSource {
    /// A source whose operations are methods of `object`; `directory` says which of them.
    pub fn new(object: PhpObj, directory: bool) -> UserSource {
        UserSource { object, directory, lacks_seek: Cell::new(false) }
    }

    fn call(&self, vm: &Vm, name: &str, args: Vec<Val>) -> PhpResult<Option<Val>> {
        call_wrapper(vm, &self.object, name, args)
    }

    /// `fread(): C::stream_read is not implemented!`
    fn warn(&self, vm: &Vm, method: &str, rest: &str) -> PhpResult<()> {
        let name = super::open::operation(vm);
        let class = self.object.class_name();
        vm.warning(&[&name[..], b"(): ", &class[..], b"::", method.as_bytes(), rest.as_bytes()].concat())
    }
}

/// Reports that the file below a stream cannot be used because of the stream's filters.
pub fn warn_of_filters(vm: &Vm) -> PhpResult<()> {
    let name = super::open::operation(vm);
    vm.warning(&[&name[..], b"(): Cannot cast a filtered stream on this system"].concat())
}

/// The file below a stream, for waiting; a class says by `stream_cast` which other stream's it is. Reports why there is none.
pub fn selectable_file(vm: &Vm, stream: &Rc<Stream>) -> PhpResult<Option<std::fs::File>> {
    /// `STREAM_CAST_FOR_SELECT`
    const FOR_SELECT: i64 = 3;
    if stream.is_filtered() {
        warn_of_filters(vm)?;
        return Ok(None);
    }
    let file = match stream.user_object() {
        // PHP moves the memory into a file, which is always ready.
        None if stream.kind() == "TEMP" => std::fs::File::open("/dev/null").ok(),
        None => stream.duplicate_file(),
        Some(object) => {
            let source = UserSource::new(object, false);
            match source.call(vm, "stream_cast", vec![Val::int(FOR_SELECT)])?.map(Val::into_deref) {
                None => {
                    source.warn(vm, "stream_cast", " is not implemented!")?;
                    None
                }
                Some(answer) if !convert::to_bool(&answer) => None,
                Some(answer) => match answer.as_res().and_then(super::open::stream_of) {
                    None => {
                        source.warn(vm, "stream_cast", " must return a stream resource")?;
                        None
                    }
                    Some(other) if Rc::ptr_eq(&other, stream) => {
                        source.warn(vm, "stream_cast", " must not return itself")?;
                        None
                    }
                    Some(other) => selectable_file(vm, &other)?,
                },
            }
        }
    };
    if file.is_none() {
        let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        let text = format!("(): Cannot represent a stream of type {} as a select()able descriptor", stream.kind());
        vm.warning(&[&name[..], text.as_bytes()].concat())?;
    }
    Ok(file)
}

impl Source for UserSource {
    fn user_object(&self) -> Option<PhpObj> {
        Some(self.object.clone())
    }

    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        let Some(result) = self.call(vm, "stream_read", vec![Val::int(size as i64)])? else {
            self.warn(vm, "stream_read", " is not implemented!")?;
            return Ok(Read { failed: true, ..Read::default() });
        };
        if result.as_bool() == Some(false) {
            return Ok(Read { failed: true, ..Read::default() });
        }
        let mut data = convert::to_str(vm, &result)?.to_vec();
        if data.len() > size {
            let excess = data.len() - size;
            let text = format!(
                " - read {excess} bytes more data than requested ({} read, {size} max) - excess data will be lost",
                data.len()
            );
            self.warn(vm, "stream_read", &text)?;
            data.truncate(size);
        }
        let eof = match self.call(vm, "stream_eof", Vec::new())? {
            Some(answer) => convert::to_bool(&answer),
            None => {
                self.warn(vm, "stream_eof", " is not implemented! Assuming EOF")?;
                true
            }
        };
        Ok(Read { data, eof, failed: false })
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        let Some(result) = self.call(vm, "stream_write", vec![Val::str(data)])? else {
            self.warn(vm, "stream_write", " is not implemented!")?;
            return Ok(None);
        };
        if result.as_bool() == Some(false) {
            return Ok(None);
        }
        let written = convert::to_int(vm, &result)?.max(0) as usize;
        if written > data.len() {
            let text = format!(
                " wrote {} bytes more data than requested ({written} written, {} max)",
                written - data.len(),
                data.len()
            );
            self.warn(vm, "stream_write", &text)?;
            return Ok(Some(data.len()));
        }
        Ok(Some(written))
    }

    fn seek(&mut self, vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let Some(result) = self.call(vm, "stream_seek", vec![Val::int(offset), Val::int(whence)])? else {
            self.lacks_seek.set(true);
            return Ok(None);
        };
        if !convert::to_bool(&result) {
            return Ok(None);
        }
        match self.call(vm, "stream_tell", Vec::new())? {
            Some(position) => Ok(position.as_int()),
            None => {
                self.warn(vm, "stream_tell", " is not implemented!")?;
                Ok(None)
            }
        }
    }

    fn is_seekable(&self) -> bool {
        !self.directory && !self.lacks_seek.get()
    }

    fn flush(&mut self, vm: &Vm) -> PhpResult<bool> {
        if self.directory {
            return Ok(true);
        }
        let result = self.call(vm, "stream_flush", Vec::new())?;
        Ok(result.is_some_and(|value| convert::to_bool(&value)))
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        self.call(vm, if self.directory { "dir_closedir" } else { "stream_close" }, Vec::new()).map(drop)
    }

    fn stat(&mut self, vm: &Vm) -> PhpResult<Option<PhpArr>> {
        match self.call(vm, "stream_stat", Vec::new())? {
            Some(result) => Ok(result.as_arr().map(|array| stat::to_array(&stat::Stat::from_user(array)))),
            None => {
                self.warn(vm, "stream_stat", " is not implemented!")?;
                Ok(None)
            }
        }
    }

    fn truncate(&mut self, vm: &Vm, size: u64) -> PhpResult<Option<bool>> {
        match self.call(vm, "stream_truncate", vec![Val::int(size as i64)])? {
            Some(result) => match result.as_bool() {
                Some(answer) => Ok(Some(answer)),
                None => {
                    self.warn(vm, "stream_truncate", " did not return a boolean!")?;
                    Ok(Some(false))
                }
            },
            None => Ok(None),
        }
    }

    fn lock(&mut self, vm: &Vm, operation: i64) -> PhpResult<Option<(bool, bool)>> {
        match self.call(vm, "stream_lock", vec![Val::int(operation)])? {
            Some(result) => Ok(Some((convert::to_bool(&result), false))),
            None => {
                self.warn(vm, "stream_lock", " is not implemented!")?;
                Ok(None)
            }
        }
    }

    fn supports_lock(&self) -> bool {
        self.object.class().methods.get(&ByBytes(b"stream_lock")).is_some()
    }

    fn set_option(&mut self, vm: &Vm, option: StreamOption) -> PhpResult<Option<bool>> {
        const BLOCKING: i64 = 1;
        const READ_BUFFER: i64 = 2;
        const WRITE_BUFFER: i64 = 3;
        const READ_TIMEOUT: i64 = 4;
        let (number, first, second) = match option {
            StreamOption::Blocking(on) => (BLOCKING, on as i64, Val::NULL),
            StreamOption::Timeout { seconds, microseconds } => (READ_TIMEOUT, seconds, Val::int(microseconds)),
            StreamOption::WriteBuffer(0) => (WRITE_BUFFER, 0, Val::int(super::CHUNK as i64)),
            StreamOption::WriteBuffer(size) => (WRITE_BUFFER, 2, Val::int(size)),
            StreamOption::ForInclude | StreamOption::ReadBuffer(0) => (READ_BUFFER, 0, Val::int(super::CHUNK as i64)),
            StreamOption::ReadBuffer(size) => (READ_BUFFER, 2, Val::int(size)),
        };
        let args = vec![Val::int(number), Val::int(first), second];
        match self.call(vm, "stream_set_option", args)? {
            Some(result) => Ok(Some(convert::to_bool(&result))),
            None => {
                self.warn(vm, "stream_set_option", " is not implemented!")?;
                Ok(None)
            }
        }
    }

    fn is_alive(&self) -> bool {
        let Some(vm) = Vm::current().filter(|_| !self.directory) else { return true };
        let answer = self.call(vm, "stream_eof", Vec::new()).unwrap_or_else(|throw| {
            vm.set_pending(throw);
            None
        });
        let warned = match answer {
            Some(answer) => return answer.as_bool() != Some(true),
            None => self.warn(vm, "stream_eof", " is not implemented! Assuming EOF"),
        };
        if let Err(throw) = warned {
            vm.set_pending(throw);
        }
        false
    }

    fn kind(&self) -> &'static str {
        if self.directory { "user-space-dir" } else { "user-space" }
    }

    fn wrapper_data(&self) -> Option<Val> {
        Some((&self.object).into())
    }

    fn read_entry(&mut self, vm: &Vm) -> PhpResult<Option<Vec<u8>>> {
        match self.call(vm, "dir_readdir", Vec::new())? {
            Some(result) if result.as_bool() != Some(false) => Ok(Some(convert::to_str(vm, &result)?.to_vec())),
            Some(_) => Ok(None),
            None => {
                self.warn(vm, "dir_readdir", " is not implemented!")?;
                Ok(None)
            }
        }
    }

    fn rewind_entries(&mut self, vm: &Vm) -> PhpResult<()> {
        self.call(vm, "dir_rewinddir", Vec::new()).map(drop)
    }
}

/// An argument that a wrapper method may write to.
pub fn out_argument() -> (PhpRef, Val) {
    let reference = PhpRef::new(Val::NULL);
    (reference.clone(), reference.into())
}
