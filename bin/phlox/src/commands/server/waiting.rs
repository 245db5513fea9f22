//! How a process knows whether it has something to answer.

use std::sync::{Condvar, Mutex, PoisonError};

/// The requests that this process has read and not answered yet.
#[derive(Default)]
pub struct Waiting {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Waiting {
    /// Notes that there are so many more, or fewer.
    pub fn add(&self, change: isize) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count = count.saturating_add_signed(change);
        self.changed.notify_all();
    }

    /// Waits until there are none.
    pub fn wait(&self) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 {
            count = self.changed.wait(count).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) == 0
    }
}
