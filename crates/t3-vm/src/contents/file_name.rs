//! Names of files: joined, and allowed or refused.

use std::path::{Component, Path, PathBuf};

use crate::error::{self, Run, fail};
use crate::io::Access;
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// A FileName object.
pub fn new_name(vm: &mut Vm, name: String) -> Value {
    Value::Obj(vm.heap.alloc(Obj::FileName(name)))
}

/// A name in a folder.
pub fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() || name.starts_with('/') {
        name.to_owned()
    } else if folder.ends_with('/') {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}

impl Vm {
    /// The name that an argument is: a FileName or a text.
    pub fn name_arg(&self, value: Value) -> Run<String> {
        self.name_of(value).map_err(|_| error::error(error::BAD_TYPE_BIF))
    }

    /// The name that a string, FileName or TemporaryFile stands for.
    pub fn name_of(&self, value: Value) -> Run<String> {
        if let Some(text) = self.heap.text(value) {
            return Ok(text.to_string());
        }
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::FileName(name) | Obj::TempFile(name) => Ok(name.clone()),
                _ => fail(error::STRING_VAL_REQD),
            },
            _ => fail(error::STRING_VAL_REQD),
        }
    }

    /// FileName + string.
    pub fn join_names(&mut self, a: Value, b: Value) -> Run<Value> {
        let Ok(name) = self.name_of(b) else { return fail(error::BAD_TYPE_ADD) };
        let name = joined(&self.name_of(a)?, &name);
        Ok(new_name(self, name))
    }

    /// The path of a file that the program may read, or write.
    pub fn file_path(&mut self, value: Value, write: bool) -> Run<PathBuf> {
        let name = self.name_of(value)?;
        let is_temporary = matches!(value, Value::Obj(id) if matches!(self.heap.get(id), Obj::TempFile(_)));
        let path = self.options.folder.join(&name);
        let allowed = if write { self.options.write } else { self.options.read };
        let inside = Path::new(&name)
            .components()
            .try_fold(0i32, |depth, part| match part {
                Component::Normal(_) => Some(depth + 1),
                Component::CurDir => Some(depth),
                Component::ParentDir if depth > 0 => Some(depth - 1),
                _ => None,
            })
            .is_some();
        let fine = is_temporary
            || allowed == Access::Everything
            || allowed == Access::Folder && inside
            || self.state.granted.contains(&name);
        if fine {
            return Ok(path);
        }
        self.throw_class("File.FileSafetyException", error::FILE_NOT_FOUND, &[])
    }
}
