//! Stress modes, which make rare events frequent, so that mistakes show in tests.
//!
//! `PHLOX_STRESS` is a list of modes, separated by commas. The modes are checked on slow paths only: collector and interrupts
//! through the interrupt word, memory through a heap whose free lists are never filled, copy-on-write through a bit in the header
//! of every array and string.

use crate::Val;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Number of freed blocks of a size class that wait before they are reused, so that a stale pointer finds the poison.
const DELAYED: usize = 64;
const POISON: u8 = 0xa5;

/// The stress modes that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    /// `gc:N`: the cycle collector runs at every Nth safe point.
    pub collect_every: u64,
    /// `poison`: freed blocks are overwritten, and checked when they are used again.
    pub poison: bool,
    /// `cow`: arrays and strings are copied before every change, shared or not.
    pub copy_always: bool,
    /// `realloc`: a block that grows always moves.
    pub always_move: bool,
    /// `fail:N`: the Nth allocation hits memory_limit.
    pub fail_at: u64,
    /// `interrupt`: the slow path is taken at every safe point.
    pub interrupt: bool,
    /// `unboxed`: lists of any length are stored without tags.
    pub unboxed: bool,
}

impl Modes {
    /// Parses a list of modes; the error is the word that is no mode.
    pub fn parse(text: &str) -> Result<Modes, String> {
        let mut modes = Modes::default();
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let (name, number) = word.split_once(':').unwrap_or((word, "1"));
            let number: u64 = number.parse().ok().filter(|&number| number > 0).ok_or_else(|| word.to_owned())?;
            match name {
                "gc" => modes.collect_every = number,
                "poison" => modes.poison = true,
                "cow" => modes.copy_always = true,
                "realloc" => modes.always_move = true,
                "fail" => modes.fail_at = number,
                "interrupt" => modes.interrupt = true,
                "unboxed" => modes.unboxed = true,
                _ => return Err(word.to_owned()),
            }
        }
        Ok(modes)
    }

    /// Whether some mode is about the heap.
    fn use_heap(self) -> bool {
        self.poison || self.always_move || self.fail_at > 0
    }
}

thread_local! {
    static MODES: Cell<Modes> = const { Cell::new(Modes {
        collect_every: 0, poison: false, copy_always: false, always_move: false, fail_at: 0, interrupt: false,
        unboxed: false,
    }) };
    static SAFE_POINTS: Cell<u64> = const { Cell::new(0) };
    static BLOCKS: Cell<u64> = const { Cell::new(0) };
    static FREED: RefCell<Vec<VecDeque<*mut u8>>> = const { RefCell::new(Vec::new()) };
}

/// Flags that new headers of arrays and strings get besides their kind.
static HEADER_FLAGS: AtomicU32 = AtomicU32::new(0);

/// Whether results of builtin functions become unboxed lists.
static UNBOXES: AtomicBool = AtomicBool::new(false);

/// Turns modes on for this thread; modes about arrays and strings are on for the whole process.
pub fn start(modes: Modes) {
    MODES.set(modes);
    crate::heap::set_stressed(modes.use_heap());
    if modes.copy_always {
        HEADER_FLAGS.store(crate::header::FLAG_COPY_ALWAYS, Ordering::Relaxed);
    }
    if modes.unboxed {
        UNBOXES.store(true, Ordering::Relaxed);
    }
    if modes.interrupt || modes.collect_every > 0 {
        crate::interrupt::set_lasting(crate::interrupt::STRESS);
    }
}

/// Flags that new headers of arrays and strings get.
#[inline]
pub(crate) fn header_flags() -> u32 {
    HEADER_FLAGS.load(Ordering::Relaxed)
}

/// Counts a safe point; true if the collector has to run at it.
pub(crate) fn collection_due() -> bool {
    let every = MODES.get().collect_every;
    if every == 0 {
        return false;
    }
    SAFE_POINTS.set(SAFE_POINTS.get() + 1);
    SAFE_POINTS.get().is_multiple_of(every)
}

/// Whether a block that grows must move.
pub(crate) fn always_moves() -> bool {
    MODES.get().always_move
}

/// Makes an unboxed list of the result of a builtin function, if the mode is on and the result can be one.
#[inline]
pub fn unbox_result(result: &mut Val) {
    if UNBOXES.load(Ordering::Relaxed) {
        unbox(result);
    }
}

#[cold]
fn unbox(result: &mut Val) {
    if result.as_arr().is_some_and(crate::PhpArr::is_unique)
        && let Some(list) = result.as_arr_mut()
    {
        list.unbox();
    }
}

/// The number of elements from which on lists are stored without tags, if the mode changes it.
pub(crate) fn unboxed_min() -> Option<usize> {
    MODES.get().unboxed.then_some(1)
}

/// Counts an allocation; true if it has to fail.
pub(crate) fn allocation_fails() -> bool {
    BLOCKS.set(BLOCKS.get() + 1);
    BLOCKS.get() == MODES.get().fail_at
}

/// Undoes the count of an allocation that failed without a report: the next attempt fails again.
pub(crate) fn allocation_was_refused() {
    if MODES.get().fail_at != 0 && BLOCKS.get() >= MODES.get().fail_at {
        BLOCKS.set(MODES.get().fail_at - 1);
    }
}

/// Takes over a freed block of a size class.
///
/// # Safety
/// `block` has `bytes` bytes and is not used again until [`reuse`] returns it.
pub(crate) unsafe fn retire(block: *mut u8, class: usize, bytes: usize) {
    if MODES.get().poison {
        // SAFETY: the block has `bytes` bytes, which nothing uses.
        unsafe { std::ptr::write_bytes(block, POISON, bytes) };
    }
    FREED.with_borrow_mut(|freed| {
        freed.resize_with(freed.len().max(class + 1), VecDeque::new);
        freed[class].push_back(block);
    });
}

/// A block of a size class that was freed long enough ago.
pub(crate) fn reuse(class: usize, bytes: usize) -> Option<*mut u8> {
    let block = FREED.with_borrow_mut(|freed| {
        let waiting = freed.get_mut(class).filter(|waiting| waiting.len() > DELAYED)?;
        waiting.pop_front()
    })?;
    if MODES.get().poison {
        // SAFETY: the block was retired, has `bytes` bytes, and belongs to this module.
        let contents = unsafe { std::slice::from_raw_parts(block, bytes) };
        assert!(contents.iter().all(|&byte| byte == POISON), "a freed block of {bytes} bytes was written to");
    }
    Some(block)
}

/// Poisons a large block that is about to be freed.
///
/// # Safety
/// `block` has `bytes` bytes, which are not used again.
pub(crate) unsafe fn retire_large(block: *mut u8, bytes: usize) {
    if MODES.get().poison {
        // SAFETY: the block has `bytes` bytes, which nothing uses.
        unsafe { std::ptr::write_bytes(block, POISON, bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_modes() {
        let modes = Modes::parse("gc:3,poison,,fail:10").expect("fine");
        assert_eq!(modes, Modes { collect_every: 3, poison: true, fail_at: 10, ..Modes::default() });
        assert_eq!(Modes::parse("gc,cow,realloc,interrupt").expect("fine").collect_every, 1);
        assert_eq!(Modes::parse("poison,nothing"), Err("nothing".to_owned()));
        assert_eq!(Modes::parse("gc:0"), Err("gc:0".to_owned()));
    }
}
