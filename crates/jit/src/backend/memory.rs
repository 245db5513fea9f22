//! Memory for machine code: one reserve, mapped twice, so that no page is ever writable and executable at once.
//!
//! (Unless it is to have names in `perf`, which knows none of memory that is mapped twice.)
//!
//! Code is never freed; when the reserve is full, nothing more is compiled.

use crate::backend::perf_map;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous};

/// Addresses are free; the system gives pages when they are touched.
const RESERVE: usize = 64 << 20;
const ALIGNMENT: usize = 64;

/// See the module.
pub struct CodeMemory {
    writable: *mut u8,
    executable: *const u8,
    used: usize,
    limit: usize,
}

// SAFETY: the mappings stay for ever and belong to no thread; writing needs the exclusive reference.
unsafe impl Send for CodeMemory {}

impl CodeMemory {
    /// `None`: the system gives no such memory.
    pub fn new(limit: usize) -> Option<CodeMemory> {
        let limit = limit.min(RESERVE);
        if perf_map::is_on() {
            let all = ProtFlags::READ | ProtFlags::WRITE | ProtFlags::EXEC;
            // SAFETY: as below.
            let block = unsafe { mmap_anonymous(std::ptr::null_mut(), limit, all, MapFlags::PRIVATE) }.ok()?;
            return Some(CodeMemory { writable: block.cast(), executable: block.cast(), used: 0, limit });
        }
        let file = memfd_create("phlox-jit", MemfdFlags::CLOEXEC).ok()?;
        ftruncate(&file, limit as u64).ok()?;
        let map = |protection| {
            // SAFETY: fresh mappings at addresses that the system chooses; they stay for ever.
            unsafe { mmap(std::ptr::null_mut(), limit, protection, MapFlags::SHARED, &file, 0) }.ok()
        };
        let writable = map(ProtFlags::READ | ProtFlags::WRITE)?.cast();
        let executable = map(ProtFlags::READ | ProtFlags::EXEC)?.cast_const().cast();
        Some(CodeMemory { writable, executable, used: 0, limit })
    }

    /// Copies code in; its address. `None`: there is no room.
    pub fn add(&mut self, code: &[u8]) -> Option<*const u8> {
        let start = self.used.next_multiple_of(ALIGNMENT);
        let end = start.checked_add(code.len()).filter(|&end| end <= self.limit)?;
        // SAFETY: the range is inside of both mappings and holds no code yet.
        let address = unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), self.writable.add(start), code.len());
            self.executable.add(start)
        };
        self.used = end;
        Some(address)
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }
}
