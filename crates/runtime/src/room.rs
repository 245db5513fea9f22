//! Checks for memory that builtin functions take from Rust's allocator: memory_limit is checked before, because a failing
//! allocation would end the process.

use phlox_value::heap;

/// A size that no address space has room for.
const IMPOSSIBLE: usize = 1 << 47;

/// Ends the script, as memory_limit does, if there is no room for this many bytes.
pub fn require_room(bytes: usize) {
    if bytes >= IMPOSSIBLE {
        // A string of this size cannot be allocated, so building it ends the script.
        drop(phlox_value::PhpStr::build(bytes.min(isize::MAX as usize), |_| {}));
    }
    heap::charge(bytes);
    heap::discharge(bytes);
}
