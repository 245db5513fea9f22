//! Memory that builtins take from Rust's allocator: memory_limit is asked before, because an allocator that has nothing left would
//! end the process.

use phlox_value::heap;

/// More than any address space has.
const IMPOSSIBLE: usize = 1 << 47;

/// Ends the script as memory_limit does if there is no room for so many bytes now.
pub fn require_room(bytes: usize) {
    if bytes >= IMPOSSIBLE {
        // A string of this size asks for the same, and nothing can give it.
        drop(phlox_value::PhpStr::build(bytes.min(isize::MAX as usize), |_| {}));
    }
    heap::charge(bytes);
    heap::discharge(bytes);
}
