//! Restarts of the store: a script asks for one, and all units are forgotten before the next request begins.

use crate::vm::Vm;
use std::cell::Cell;
use std::time::SystemTime;

/// Restarts of a process's store.
#[derive(Default)]
pub struct Restarts {
    /// When the first request began.
    pub started: Cell<Option<SystemTime>>,
    /// Whether all units are forgotten before the next request. Until then no unit is added.
    pub is_pending: Cell<bool>,
    /// How many there were that scripts asked for.
    pub count: Cell<u64>,
    /// When the last one was.
    pub last: Cell<Option<SystemTime>>,
}

impl Vm {
    /// Has all units forgotten before the next request. False if that is so already.
    pub fn schedule_restart(&self) -> bool {
        !self.unit_store.restarts.is_pending.replace(true)
    }

    /// Begins a request: forgets all units, if a script has asked for that.
    pub fn restart_store_if_due(&self) {
        let store = &self.unit_store;
        let (restarts, now) = (&store.restarts, self.started.get());
        if restarts.started.get().is_none() {
            restarts.started.set(Some(now));
        }
        if !self.uses_store() || !restarts.is_pending.replace(false) {
            return;
        }
        self.forget_units();
        for counter in [&store.hits, &store.misses, &store.blacklist_misses] {
            counter.set(0);
        }
        store.wasted.set(0);
        store.is_full.set(false);
        restarts.count.set(restarts.count.get() + 1);
        restarts.last.set(Some(now));
    }
}
