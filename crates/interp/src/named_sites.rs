//! Inline caches that are filled by a name: of a function, a class, a constant. Their content holds for a request only, because the
//! next one may declare something else under the name, or nothing yet. In a process of several requests they are noted when they
//! are filled, and emptied when the request ends. Compiled code that outlives the request compares them with what they held when
//! it was compiled ([`words`]).

use crate::code::Site;
use phlox_value::raw;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// What an inline cache that was filled by a name holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Addresses of what lives longer than the request.
    Addresses,
    /// A value with a count, for both entries of the opline: payload in `value`, tag in the low half of `key`.
    Value,
}

thread_local! {
    static KEEPS: Cell<bool> = const { Cell::new(false) };
    static FILLED: RefCell<Vec<(*mut Site, Held)>> = const { RefCell::new(Vec::new()) };
    /// The caches among the first so many of `FILLED`, for looking them up.
    static INDEX: RefCell<(usize, HashSet<*mut Site>)> = RefCell::default();
}

/// Starts noting, because functions with their inline caches are kept for other requests.
pub fn keep() {
    KEEPS.set(true);
}

/// Whether functions are kept for other requests.
pub fn are_kept() -> bool {
    KEEPS.get()
}

/// Notes that the first entry of an opline's inline cache is filled by a name.
///
/// # Safety
/// `site` is the first of a pair of inline caches, and is filled with what `held` says.
#[cold]
#[inline(never)]
pub unsafe fn note(site: *mut Site, held: Held) {
    if KEEPS.get() {
        FILLED.with_borrow_mut(|filled| filled.push((site, held)));
    }
}

/// Whether a cache was filled by a name in this request.
fn is_noted(site: *mut Site) -> bool {
    INDEX.with_borrow_mut(|(indexed, known)| {
        FILLED.with_borrow(|filled| {
            known.extend(filled[*indexed..].iter().map(|filled| filled.0));
            *indexed = filled.len();
        });
        known.contains(&site)
    })
}

/// The words that are not 0 of a pair of inline caches that was filled by a name in this request, each with its address. Empty for
/// other caches.
///
/// # Safety
/// `site` is the first of a pair of inline caches.
pub unsafe fn words(site: *mut Site) -> Vec<(u64, u64)> {
    if !KEEPS.get() || !is_noted(site) {
        return Vec::new();
    }
    let words = site.cast::<u64>();
    // SAFETY: the caller says that there are two caches, which consist of words.
    let all = (0..2 * size_of::<Site>() / size_of::<u64>()).map(|at| unsafe { (words.add(at) as u64, *words.add(at)) });
    all.filter(|word| word.1 != 0).collect()
}

/// Empties the caches that were noted.
///
/// # Safety
/// No function is running.
pub unsafe fn empty() {
    drop(INDEX.take());
    for (site, held) in FILLED.take() {
        // SAFETY: a noted cache is the first of a pair, in a block of code that lives as long as the process; nothing runs that uses
        // the caches.
        let pair = unsafe { [site, site.add(1)] };
        for entry in pair {
            // SAFETY: as above; a cache of a constant owns a count of its value.
            unsafe {
                if held == Held::Value && (*entry).key & VALUE != 0 {
                    drop(raw::value((*entry).value, (*entry).key as u32));
                }
                *entry = Site::default();
            }
        }
    }
}

/// In the key of a cache that holds a value: the low half is the value's tag, and the cache's value is its payload, with a count
/// that is released when the request ends.
pub const VALUE: u64 = 1 << 32;
