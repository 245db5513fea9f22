//! Stress modes: what is rare and hides mistakes happens all the time.
//!
//! `PHLOX_STRESS` is a list of modes, parted by commas. They are looked at where the program is slow anyway: the
//! collector and interrupts through the word that running code looks at, memory through a heap whose free lists are
//! never filled, copy-on-write through a bit in the header of every array and string.

use crate::Val;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Freed blocks of one size class that wait before they are used again, so that a stale pointer meets the poison.
const DELAYED: usize = 64;
const POISON: u8 = 0xa5;

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
    /// `fail:N`: the Nth block that is asked for hits memory_limit.
    pub fail_at: u64,
    /// `interrupt`: something wants attention at every safe point.
    pub interrupt: bool,
    /// `unboxed`: short lists are stored without tags, too.
    pub unboxed: bool,
}

impl Modes {
    /// Reads a list of modes; the error is the one that does not exist.
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

    /// Does the heap take part?
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

/// What new headers of arrays and strings have set besides their kind.
static HEADER_FLAGS: AtomicU32 = AtomicU32::new(0);

/// Results of builtin functions are to be stored without tags.
static UNBOXES: AtomicBool = AtomicBool::new(false);

/// Turns modes on for this thread; those about arrays and strings for the process.
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

#[inline]
pub(crate) fn header_flags() -> u32 {
    HEADER_FLAGS.load(Ordering::Relaxed)
}

/// At a safe point: is it one where the collector has to run?
pub(crate) fn collection_due() -> bool {
    let every = MODES.get().collect_every;
    if every == 0 {
        return false;
    }
    SAFE_POINTS.set(SAFE_POINTS.get() + 1);
    SAFE_POINTS.get().is_multiple_of(every)
}

pub(crate) fn always_moves() -> bool {
    MODES.get().always_move
}

/// Stores what a builtin function returns without tags, if the mode for that is on and it is a list that can be.
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

/// Elements from which on lists are to be stored without tags, if that is another number than usual.
pub(crate) fn unboxed_min() -> Option<usize> {
    MODES.get().unboxed.then_some(1)
}

/// Counts a block that is asked for; true if it must not be had.
pub(crate) fn allocation_fails() -> bool {
    BLOCKS.set(BLOCKS.get() + 1);
    BLOCKS.get() == MODES.get().fail_at
}

/// The block that must not be had was refused without a word: it is asked for again.
pub(crate) fn allocation_was_refused() {
    if MODES.get().fail_at != 0 && BLOCKS.get() >= MODES.get().fail_at {
        BLOCKS.set(MODES.get().fail_at - 1);
    }
}

/// Takes a freed block of a size class.
///
/// # Safety
/// The block is not used again until [`reuse`] gives it back.
pub(crate) unsafe fn retire(block: *mut u8, class: usize, bytes: usize) {
    if MODES.get().poison {
        // SAFETY: by the caller.
        unsafe { std::ptr::write_bytes(block, POISON, bytes) };
    }
    FREED.with_borrow_mut(|freed| {
        freed.resize_with(freed.len().max(class + 1), VecDeque::new);
        freed[class].push_back(block);
    });
}

/// A block of a size class that was freed long ago.
pub(crate) fn reuse(class: usize, bytes: usize) -> Option<*mut u8> {
    let block = FREED.with_borrow_mut(|freed| {
        let waiting = freed.get_mut(class).filter(|waiting| waiting.len() > DELAYED)?;
        waiting.pop_front()
    })?;
    if MODES.get().poison {
        // SAFETY: a retired block is this module's.
        let contents = unsafe { std::slice::from_raw_parts(block, bytes) };
        assert!(contents.iter().all(|&byte| byte == POISON), "a freed block of {bytes} bytes was written to");
    }
    Some(block)
}

/// A large block is about to be freed.
///
/// # Safety
/// As [`retire`].
pub(crate) unsafe fn retire_large(block: *mut u8, bytes: usize) {
    if MODES.get().poison {
        // SAFETY: by the caller.
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
