//! The output of `--stats`: counters of the parts that a request used.

use phlox_value::{gc_status, heap};
use std::cell::Cell;
use std::fmt::Write;

thread_local! {
    static COMPILED: Cell<u64> = const { Cell::new(0) };
    static LOADED: Cell<u64> = const { Cell::new(0) };
}

/// A source was compiled.
pub fn note_compiled() {
    COMPILED.set(COMPILED.get() + 1);
}

/// A compiled file came from the cache.
pub fn note_loaded() {
    LOADED.set(LOADED.get() + 1);
}

/// Lines of names and figures.
pub fn report() -> String {
    let collector = gc_status();
    let (peak_used, peak_reserved) = heap::bytes_peak();
    let mut text = String::new();
    for (name, value) in [
        ("sources compiled", COMPILED.get()),
        ("units from the cache", LOADED.get()),
        ("collector runs", collector.runs as u64),
        ("values collected", collector.collected as u64),
        ("peak bytes in use", peak_used as u64),
        ("peak bytes reserved", peak_reserved as u64),
    ] {
        let _ = writeln!(text, "{name:<24} {value}");
    }
    text.push_str(&phlox_interp::stats::report());
    text
}
