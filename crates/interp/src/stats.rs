//! What `--stats` says about the interpreter.
//!
//! Lowered functions are always counted, side exits if the compiler reports statistics. Counting oplines costs as much as executing
//! many of them, so only builds with the feature `count-oplines` do it, in the loop backend: how often each opcode ran, how often
//! its handler took its slow path, which opcode followed which, and in which functions and at which oplines that was. For an opcode
//! with an inline cache, the executions without the slow path are the cache's hits; a slow path for another reason (a builtin
//! function's argument to convert, say) counts as a miss, so the true rate is never lower.

use phlox_lower::Lowered;
use std::cell::Cell;
use std::fmt::Write;

thread_local! {
    static FUNCTIONS: Cell<u64> = const { Cell::new(0) };
    static OPLINES: Cell<u64> = const { Cell::new(0) };
    static SITES: Cell<u64> = const { Cell::new(0) };
}

/// Counts a lowered function.
pub(crate) fn note_lowered(lowered: &Lowered) {
    FUNCTIONS.set(FUNCTIONS.get() + 1);
    OPLINES.set(OPLINES.get() + lowered.ops.len() as u64);
    SITES.set(SITES.get() + u64::from(lowered.sites));
}

/// The statistics, as lines of names and figures.
pub fn report() -> String {
    let mut text = String::new();
    for (name, counter) in
        [("functions lowered", &FUNCTIONS), ("oplines made", &OPLINES), ("inline caches made", &SITES)]
    {
        let _ = writeln!(text, "{name:<24} {}", counter.get());
    }
    text.push_str(&crate::tier::left_for());
    #[cfg(feature = "count-oplines")]
    counts::report(&mut text);
    text
}

/// Counts of executed oplines and slow paths.
#[cfg(feature = "count-oplines")]
pub(crate) mod counts {
    use crate::code::FuncCode;
    use phlox_lower::OpCode;
    use std::cell::{Cell, RefCell};
    use std::collections::HashMap;
    use std::fmt::Write;

    const OPCODES: usize = OpCode::ALL.len();

    /// What was counted of one opcode.
    #[derive(Clone, Copy)]
    struct Count {
        executed: u64,
        slow: u64,
        has_site: bool,
    }

    thread_local! {
        static COUNTS: [Cell<Count>; OPCODES] =
            const { [const { Cell::new(Count { executed: 0, slow: 0, has_site: false }) }; OPCODES] };
    }

    fn change(op: OpCode, change: impl FnOnce(&mut Count)) {
        COUNTS.with(|counts| {
            let mut count = counts[op as usize].get();
            change(&mut count);
            counts[op as usize].set(count);
        });
    }

    /// Counts an opline that is executed.
    pub fn executed(op: OpCode, has_site: bool) {
        change(op, |count| {
            count.executed += 1;
            count.has_site |= has_site;
        });
    }

    thread_local! {
        /// How often one opcode followed another, by both.
        static PAIRS: RefCell<Vec<u64>> = RefCell::new(vec![0; OPCODES * OPCODES]);
        /// The opcode that was executed last.
        static LAST: Cell<OpCode> = const { Cell::new(OpCode::Nop) };
    }

    /// The number of pairs of opcodes that are shown, the most frequent first.
    const SHOWN_PAIRS: usize = 24;

    /// Counts an opline that is executed after the last one.
    pub fn follows(op: OpCode) {
        let at = LAST.replace(op) as usize * OPCODES + op as usize;
        PAIRS.with(|pairs| pairs.borrow_mut()[at] += 1);
    }

    fn report_pairs(text: &mut String, all: u64) {
        let pairs = PAIRS.with(RefCell::take);
        let mut rows: Vec<(usize, u64)> = pairs.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let _ = writeln!(text, "\n{:<40} {:>14} {:>9}", "opcode and the next", "executed", "of all");
        for (at, count) in rows.into_iter().take(SHOWN_PAIRS) {
            let names = format!("{} {}", OpCode::ALL[at / OPCODES].name(), OpCode::ALL[at % OPCODES].name());
            let _ = writeln!(text, "{names:<40} {count:>14} {:>7.2} %", percent(count, all));
        }
    }

    /// Counts that an opline takes its slow path.
    pub fn slow(op: OpCode) {
        change(op, |count| count.slow += 1);
        let (key, opline) = CURRENT.get();
        FUNCTIONS.with_borrow_mut(|functions| {
            if let Some(function) = functions.get_mut(&key) {
                function.slow.entry(opline).or_insert((op, 0)).1 += 1;
            }
        });
    }

    /// What was counted of one function.
    struct Function {
        name: String,
        executed: u64,
        /// How often the slow path was taken, by opline.
        slow: HashMap<u32, (OpCode, u64)>,
    }

    thread_local! {
        /// The functions, by the addresses of their code.
        static FUNCTIONS: RefCell<HashMap<usize, Function>> = RefCell::default();
        /// The function and the opline that are executed.
        static CURRENT: Cell<(usize, u32)> = const { Cell::new((0, 0)) };
    }

    /// The numbers of functions and of oplines that are shown.
    const SHOWN_PLACES: usize = 30;

    /// Counts an opline of a function that is executed.
    pub fn executed_at(code: &FuncCode, opline: u32) {
        let key = std::ptr::from_ref(code) as usize;
        CURRENT.set((key, opline));
        FUNCTIONS.with_borrow_mut(|functions| {
            let new = || Function {
                name: String::from_utf8_lossy(&code.func().display_name()).into_owned(),
                executed: 0,
                slow: HashMap::new(),
            };
            functions.entry(key).or_insert_with(new).executed += 1;
        });
    }

    thread_local! {
        /// How often compiled code had the interpreter make a call, by the callee and by how it was executed.
        static NESTED: RefCell<HashMap<(String, &'static str), u64>> = RefCell::default();
    }

    /// Counts a call that compiled code has the interpreter make; `how` it is executed.
    pub fn nested(code: Option<&FuncCode>, how: &'static str) {
        let name =
            code.map_or_else(String::new, |code| String::from_utf8_lossy(&code.func().display_name()).into_owned());
        NESTED.with_borrow_mut(|calls| *calls.entry((name, how)).or_default() += 1);
    }

    fn report_nested(text: &mut String) {
        let mut calls: Vec<_> = NESTED.take().into_iter().collect();
        calls.sort_by_key(|call| std::cmp::Reverse(call.1));
        let _ = writeln!(
            text,
            "\n{:<90} {:<20} {:>9}",
            "called from compiled code by way of the interpreter", "how", "times"
        );
        for ((name, how), times) in calls.into_iter().take(SHOWN_PLACES) {
            let _ = writeln!(text, "{name:<90} {how:<20} {times:>9}");
        }
    }

    fn report_functions(text: &mut String, all: u64) {
        let mut functions: Vec<Function> = FUNCTIONS.take().into_values().collect();
        functions.sort_by_key(|function| std::cmp::Reverse(function.executed));
        let _ = writeln!(text, "\n{:<90} {:>14} {:>9}", "function", "executed", "of all");
        for function in functions.iter().take(SHOWN_PLACES) {
            let part = percent(function.executed, all);
            let _ = writeln!(text, "{:<90} {:>14} {part:>7.2} %", function.name, function.executed);
        }
        let places = functions.iter().flat_map(|function| {
            function.slow.iter().map(|(at, (op, count))| (&function.name, *at, op.name(), *count))
        });
        let mut places: Vec<_> = places.collect();
        places.sort_by_key(|place| std::cmp::Reverse(place.3));
        let _ = writeln!(text, "\n{:<110} {:>9}", "slow path of", "taken");
        for (name, at, op, count) in places.into_iter().take(SHOWN_PLACES) {
            let place = format!("{op} at {at} of {name}()");
            let _ = writeln!(text, "{place:<110} {count:>9}");
        }
    }

    /// Appends the counts to `text`.
    pub fn report(text: &mut String) {
        let mut rows: Vec<(&str, Count)> =
            COUNTS.with(|counts| OpCode::ALL.iter().map(|&op| (op.name(), counts[op as usize].get())).collect());
        rows.retain(|(_, count)| count.executed > 0);
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.executed));
        let sum = |pick: &dyn Fn(&Count) -> u64| rows.iter().map(|(_, count)| pick(count)).sum::<u64>();
        let all = sum(&|count| count.executed);
        let cached = sum(&|count| if count.has_site { count.executed } else { 0 });
        let missed = sum(&|count| if count.has_site { count.slow } else { 0 });
        let _ = writeln!(text, "{:<24} {}", "oplines executed", all);
        let _ = writeln!(text, "{:<24} {cached}", "inline cache look-ups");
        let _ = writeln!(text, "{:<24} {:.2} %", "inline cache hits", percent(cached - missed.min(cached), cached));
        let _ = writeln!(text, "\n{:<24} {:>14} {:>14} {:>9}", "opcode", "executed", "slow path", "fast");
        for (name, count) in rows {
            let fast = percent(count.executed - count.slow.min(count.executed), count.executed);
            let cache = if count.has_site { " cache" } else { "" };
            let _ = writeln!(text, "{name:<24} {:>14} {:>14} {fast:>7.2} %{cache}", count.executed, count.slow);
        }
        report_pairs(text, all);
        report_functions(text, all);
        report_nested(text);
    }

    fn percent(part: u64, whole: u64) -> f64 {
        if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
    }
}
