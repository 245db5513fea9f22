//! Memory for machine code: one reserved range, mapped twice, so that no page is ever both writable and executable.
//!
//! With a map for `perf` there is only one mapping, because `perf` finds no names for memory that is mapped twice.
//!
//! Code is never freed. When the range is full, nothing more is compiled.

use crate::backend::perf_map;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous};

/// The size of the range. Reserving addresses costs nothing: the system provides pages when they are touched.
const RESERVE: usize = 64 << 20;
const ALIGNMENT: usize = 64;

/// The range and how much of it is in use; see the module.
pub struct CodeMemory {
    writable: *mut u8,
    executable: *const u8,
    used: usize,
    limit: usize,
}

// SAFETY: the mappings are never unmapped and belong to no thread; writing takes the exclusive reference.
unsafe impl Send for CodeMemory {}

impl CodeMemory {
    /// Reserves memory for at most `limit` bytes of code. `None`: the system provides no such memory.
    pub fn new(limit: usize) -> Option<CodeMemory> {
        let limit = limit.min(RESERVE);
        if perf_map::is_on() {
            let all = ProtFlags::READ | ProtFlags::WRITE | ProtFlags::EXEC;
            // SAFETY: a fresh mapping at an address that the system chooses; it is never unmapped.
            let block = unsafe { mmap_anonymous(std::ptr::null_mut(), limit, all, MapFlags::PRIVATE) }.ok()?;
            return Some(CodeMemory { writable: block.cast(), executable: block.cast(), used: 0, limit });
        }
        let file = memfd_create("phlox-jit", MemfdFlags::CLOEXEC).ok()?;
        ftruncate(&file, limit as u64).ok()?;
        let map = |protection| {
            // SAFETY: a fresh mapping at an address that the system chooses; it is never unmapped.
            unsafe { mmap(std::ptr::null_mut(), limit, protection, MapFlags::SHARED, &file, 0) }.ok()
        };
        let writable = map(ProtFlags::READ | ProtFlags::WRITE)?.cast();
        let executable = map(ProtFlags::READ | ProtFlags::EXEC)?.cast_const().cast();
        Some(CodeMemory { writable, executable, used: 0, limit })
    }

    /// Copies code into the memory and gives its address. `None`: there is no room.
    pub fn add(&mut self, code: &[u8]) -> Option<*const u8> {
        let start = self.used.next_multiple_of(ALIGNMENT);
        let end = start.checked_add(code.len()).filter(|&end| end <= self.limit)?;
        // SAFETY: the range is inside of both mappings, behind all code that has been handed out.
        let address = unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), self.writable.add(start), code.len());
            self.executable.add(start)
        };
        self.used = end;
        Some(address)
    }

    /// The number of bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }
}
