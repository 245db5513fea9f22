//! The iteration over a statement. Each row is fetched when the one before it is left.

use crate::statement::fetch_next;
use phlox_ext_core::iterator::{self, Source};
use phlox_runtime::{Call, Edges, PhpObj, PhpResult, Val};
use std::cell::{Cell, RefCell};

struct Walk {
    statement: PhpObj,
    row: RefCell<Option<Val>>,
    index: Cell<i64>,
}

impl Walk {
    fn fetch(&self, call: &Call<'_>) -> PhpResult<()> {
        let former = self.row.take();
        drop(former);
        let row = fetch_next(call, &self.statement)?;
        drop(self.row.replace(row));
        Ok(())
    }
}

impl Source for Walk {
    fn rewind(&self) {}

    fn valid(&self) -> bool {
        self.row.borrow().is_some()
    }

    fn current(&self) -> Val {
        self.row.borrow().clone().unwrap_or_default()
    }

    fn key(&self) -> Val {
        if self.valid() { Val::int(self.index.get()) } else { Val::NULL }
    }

    fn advance(&self) {}

    fn step(&self, call: &Call<'_>) -> PhpResult<()> {
        self.index.set(self.index.get() + 1);
        self.fetch(call)
    }

    fn trace(&self, edges: &mut Edges) {
        edges.object(&self.statement);
        self.row.borrow().iter().for_each(|value| edges.value(value));
    }

    fn is_rewindable(&self) -> bool {
        false
    }
}

/// `PDOStatement::getIterator()`.
pub fn get_iterator(call: &mut Call<'_>) -> PhpResult<Val> {
    let walk = Walk { statement: call.this().clone(), row: RefCell::new(None), index: Cell::new(0) };
    walk.fetch(call)?;
    iterator::create(call, Box::new(walk))
}
