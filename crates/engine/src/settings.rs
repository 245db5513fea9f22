//! Settings of the engine as a whole, before any script runs.

use phlox_runtime::{Vm, heap};

/// Applies `memory_limit` and `max_execution_time`.
pub fn apply_limits(vm: &Vm) {
    let limit = vm.ini.quantity("memory_limit");
    heap::set_memory_limit(usize::try_from(limit).ok().filter(|&bytes| bytes > 0).unwrap_or(usize::MAX));
    let seconds = vm.ini.int("max_execution_time");
    if seconds > 0 {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(seconds as u64);
        vm.deadline.set(Some(deadline));
    }
}
