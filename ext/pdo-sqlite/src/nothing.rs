//! The statement of a text that contains only blanks and comments.

use phlox_ext_pdo::driver::{Bound, DbError, DbResult, Fail, NO_ERROR, Place, Prepared};
use phlox_runtime::{PhpArr, Val, Vm};

/// A statement that can be prepared but not executed, which is no error either.
pub struct Nothing;

fn refuse<T>() -> DbResult<T> {
    Err(Fail::Db(DbError { state: NO_ERROR, native: None, hint: None }))
}

impl Prepared for Nothing {
    fn parameter_number(&self, _: &Place) -> i64 {
        -1
    }

    fn bind(&self, _: &Place, _: &Bound) -> DbResult<()> {
        refuse()
    }

    fn clear(&self) {}

    fn execute(&self, _: &Vm) -> DbResult<()> {
        refuse()
    }

    fn fetch(&self, _: &Vm) -> DbResult<bool> {
        Ok(false)
    }

    fn column_count(&self) -> usize {
        0
    }

    fn column_name(&self, _: usize) -> Vec<u8> {
        Vec::new()
    }

    fn column(&self, _: usize) -> Val {
        Val::NULL
    }

    fn column_meta(&self, _: usize) -> DbResult<Option<PhpArr>> {
        refuse()
    }

    fn row_count(&self) -> i64 {
        0
    }

    fn close_cursor(&self) {}

    fn attribute(&self, _: i64) -> Option<Val> {
        None
    }
}
