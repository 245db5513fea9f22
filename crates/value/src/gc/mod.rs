//! The cycle collector: synchronous trial deletion over a buffer of possible roots.
//!
//! The collector never runs inside a release; the interpreter asks [`gc_should_run`] at safe points. Thresholds and what counts
//! as collected follow Zend, because `gc_status()` and return values are visible.

mod edges;
mod trial;
mod walk;

pub use self::edges::Edges;
pub(crate) use self::edges::show;

use self::trial::{Trial, collect_white};
use crate::header::*;
use crate::val::{COLLECTABLE, Kind, TI_ARR, TI_OBJ, TI_REF, Val};
use crate::{PhpArr, PhpObj, PhpRef, Slot};
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;

const THRESHOLD_DEFAULT: usize = 10_001;
const THRESHOLD_STEP: usize = 10_000;
/// A run that collects fewer nodes than this raises the threshold.
const THRESHOLD_TRIGGER: usize = 100;

/// The figures of `gc_status()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GcStatus {
    pub runs: usize,
    pub collected: usize,
    pub threshold: usize,
    pub roots: usize,
    pub running: bool,
}

struct Collector {
    /// Addresses of headers; a free entry is odd and holds the next free index plus one, or 0, above that bit.
    roots: RefCell<Vec<usize>>,
    /// The index of the root entry that was freed last, plus one; 0 if there is none.
    free_root: Cell<usize>,
    live_roots: Cell<usize>,
    threshold: Cell<usize>,
    runs: Cell<usize>,
    collected: Cell<usize>,
    running: Cell<bool>,
    /// Nodes are being traversed, and the collector uses their headers' words for itself.
    tracing: Cell<bool>,
    enabled: Cell<bool>,
    pending: Cell<bool>,
}

impl Collector {
    /// Asks the interpreter for a run at its next safe point.
    fn request(&self) {
        self.pending.set(true);
        crate::interrupt::raise(crate::interrupt::COLLECT);
    }
}

thread_local! {
    /// The thread's collector. It is never dropped, so that access needs no check whether it was.
    static GC: ManuallyDrop<Collector> = const {
        ManuallyDrop::new(Collector {
            roots: RefCell::new(Vec::new()),
            free_root: Cell::new(0),
            live_roots: Cell::new(0),
            threshold: Cell::new(THRESHOLD_DEFAULT),
            runs: Cell::new(0),
            collected: Cell::new(0),
            running: Cell::new(false),
            tracing: Cell::new(false),
            enabled: Cell::new(true),
            pending: Cell::new(false),
        })
    };
}

/// Registers a possible root: a reference was released and others remain, so the block may be garbage in a cycle.
pub(crate) fn possible_root(header: &Header) {
    if header.gc.get() & (FLAG_STATIC | FLAG_FREED) != 0 || header.root_index().is_some() {
        return;
    }
    GC.with(|gc| {
        if gc.tracing.get() {
            return;
        }
        // SAFETY: nothing else borrows the buffer while this runs, which calls no other code.
        let roots = unsafe { &mut *gc.roots.as_ptr() };
        let address = std::ptr::from_ref(header) as usize;
        let index = match gc.free_root.get().checked_sub(1) {
            Some(index) => {
                debug_assert!(index < roots.len());
                // SAFETY: `free_root` is 0 or one more than the index of a free entry of the buffer.
                let place = unsafe { roots.get_unchecked_mut(index) };
                gc.free_root.set(std::mem::replace(place, address) >> 1);
                index
            }
            None if roots.len() < MAX_ROOTS => {
                roots.push(address);
                roots.len() - 1
            }
            // A full buffer forgets the newest candidates; the run that is pending empties it.
            None => return gc.request(),
        };
        header.set_root_index(Some(index));
        header.set_color(COLOR_PURPLE);
        gc.live_roots.set(gc.live_roots.get() + 1);
        if gc.live_roots.get() >= gc.threshold.get() {
            gc.request();
        }
    });
}

/// Removes a block that is freed from the possible roots.
pub(crate) fn forget_root(header: &Header) {
    let Some(index) = header.root_index() else { return };
    header.set_root_index(None);
    header.set_color(COLOR_BLACK);
    GC.with(|gc| {
        // SAFETY: nothing else borrows the buffer while this runs, which calls no other code.
        let roots = unsafe { &mut *gc.roots.as_ptr() };
        // During a traversal the word may hold a count of references instead of an index.
        let Some(place) = roots.get_mut(index).filter(|place| **place == std::ptr::from_ref(header) as usize) else {
            return;
        };
        *place = gc.free_root.replace(index + 1) << 1 | 1;
        gc.live_roots.set(gc.live_roots.get() - 1);
    });
}

/// Whether a run is due. Safe points call this, so it is cheap.
pub fn gc_should_run() -> bool {
    GC.with(|gc| (gc.pending.get() || crate::stress::collection_due()) && gc.enabled.get() && !gc.running.get())
}

/// Whether the collector may run by itself (`gc_enable()`).
pub fn gc_enabled() -> bool {
    GC.with(|gc| gc.enabled.get())
}

/// Lets the collector run by itself or not (`gc_enable()`, `gc_disable()`).
pub fn set_gc_enabled(on: bool) {
    GC.with(|gc| gc.enabled.set(on));
}

/// The figures of `gc_status()`.
pub fn gc_status() -> GcStatus {
    GC.with(|gc| GcStatus {
        runs: gc.runs.get(),
        collected: gc.collected.get(),
        threshold: gc.threshold.get(),
        roots: gc.live_roots.get(),
        running: gc.running.get(),
    })
}

/// A node of the heap graph that owns no count.
type Node = ManuallyDrop<Val>;

fn node_of(header: *const Header) -> Option<Node> {
    // SAFETY: headers in the buffer are live: freeing a block removes it from the buffer.
    let ti = match unsafe { (*header).kind() } {
        KIND_ARR => TI_ARR,
        KIND_OBJ => TI_OBJ,
        KIND_REF => TI_REF,
        _ => return None,
    };
    Some(ManuallyDrop::new(Val::from_raw(header.cast(), ti)))
}

fn collectable(value: &Val) -> Option<&Header> {
    if value.ti & COLLECTABLE == 0 { None } else { value.header() }
}

/// Calls `visit` with every value that a node holds and that may be collectable.
#[inline(always)]
fn trace(node: &Val, visit: &mut impl FnMut(&Val)) {
    match node.kind() {
        Kind::Arr => {
            if let Some(array) = node.as_arr() {
                array.edges().for_each(visit);
            }
        }
        Kind::Obj => {
            if let Some(object) = node.as_obj() {
                object.trace(visit);
            }
        }
        Kind::Ref => {
            if let Some(reference) = node.as_ref() {
                visit(reference.slot().peek());
            }
        }
        _ => {}
    }
}

fn copy(value: &Val) -> Node {
    ManuallyDrop::new(Val::from_raw(value.val.pointer(), value.ti))
}

/// Runs the collector at a safe point. If the threshold asked for the run and little is found, the threshold rises.
pub fn collect_when_due() {
    let asked_for = GC.with(|gc| gc.pending.get());
    let collected = collect_cycles();
    if !asked_for {
        return;
    }
    GC.with(|gc| {
        let threshold = gc.threshold.get();
        if collected < THRESHOLD_TRIGGER || gc.live_roots.get() >= threshold {
            // Little was garbage, or destructors filled the buffer again.
            gc.threshold.set((threshold + THRESHOLD_STEP).min(MAX_ROOTS));
        } else if threshold > THRESHOLD_DEFAULT {
            gc.threshold.set(threshold - THRESHOLD_STEP);
        }
    });
}

/// Runs the collector; returns what `gc_collect_cycles()` returns.
pub fn collect_cycles() -> usize {
    let started = GC.with(|gc| !gc.running.replace(true));
    if !started {
        return 0;
    }
    let mut total = 0;
    // Destructors may make more garbage; Zend runs one more time, too, and no more often.
    for _ in 0..2 {
        GC.with(|gc| gc.runs.set(gc.runs.get() + usize::from(gc.live_roots.get() > 0)));
        let (collected, destructors_ran) = collect_once();
        total += collected;
        if !destructors_ran {
            break;
        }
    }
    GC.with(|gc| {
        gc.running.set(false);
        gc.pending.set(false);
        gc.collected.set(gc.collected.get() + total);
    });
    total
}

/// Sets the collector's figures to those of a new process.
pub(crate) fn reset() {
    GC.with(|gc| {
        gc.threshold.set(THRESHOLD_DEFAULT);
        gc.runs.set(0);
        gc.collected.set(0);
        gc.enabled.set(true);
        gc.pending.set(false);
    });
}

/// Forgets all possible roots: blocks that were made before the script runs are no garbage.
pub fn forget_roots() {
    for root in take_roots() {
        if let Some(header) = collectable(&root) {
            header.set_color(COLOR_BLACK);
        }
    }
}

fn take_roots() -> Vec<Node> {
    GC.with(|gc| {
        let roots = std::mem::take(&mut *gc.roots.borrow_mut());
        gc.free_root.set(0);
        gc.live_roots.set(0);
        let mut live = Vec::with_capacity(roots.len());
        for (at, &root) in roots.iter().enumerate() {
            if let Some(&later) = roots.get(at + walk::AHEAD) {
                walk::ask_for(later);
            }
            let Some(node) = Some(root as *const Header).filter(|_| root & 1 == 0).and_then(node_of) else { continue };
            if let Some(header) = collectable(&node) {
                header.set_root_index(None);
            }
            live.push(node);
        }
        live
    })
}

/// An entry of a weak map: its value is reachable while both the map and the key are. The nodes own no counts.
pub struct Ephemeron {
    /// The map; `None` for a map that is always reachable.
    map: Option<Node>,
    key: Node,
    value: Node,
    /// Whether the entry's reference to the value is counted as one between nodes that may be garbage.
    subtracted: Cell<bool>,
}

impl Ephemeron {
    /// An entry of a map; `None` if the value cannot be part of a cycle.
    pub fn new(map: Option<&PhpObj>, key: &PhpObj, value: &Slot) -> Option<Ephemeron> {
        let value = value.peek();
        collectable(value)?;
        let node = |object: &PhpObj| copy(&object.borrowed_val());
        Some(Ephemeron { map: map.map(node), key: node(key), value: copy(value), subtracted: Cell::new(false) })
    }

    fn any_end(&self, test: impl Fn(&Node) -> bool) -> bool {
        test(&self.key) || self.map.as_ref().is_some_and(test)
    }
}

fn has_color(node: &Val, color: u32) -> bool {
    collectable(node).is_some_and(|header| header.color() == color)
}

/// Counts the references of entries whose map or key may be garbage, and marks what their values reach.
fn mark_ephemerons(ephemerons: &[Ephemeron], trial: &mut Trial) {
    loop {
        let mut changed = false;
        for entry in ephemerons.iter().filter(|entry| !entry.subtracted.get()) {
            if !entry.any_end(|node| has_color(node, COLOR_GREY)) {
                continue;
            }
            entry.subtracted.set(true);
            changed = true;
            let Some(header) = collectable(&entry.value) else { continue };
            trial.note_reference(header);
            if header.color() != COLOR_GREY {
                trial.mark_grey(&entry.value);
            }
        }
        if !changed {
            return;
        }
    }
}

/// Revives the values of entries whose map and key turned out to be reachable, and what these values reach.
fn revive_ephemerons(ephemerons: &[Ephemeron], trial: &mut Trial) {
    for entry in ephemerons.iter().filter(|entry| entry.subtracted.get()) {
        trial.scan(&entry.value);
    }
    loop {
        let mut changed = false;
        for entry in ephemerons.iter().filter(|entry| entry.subtracted.get()) {
            if entry.any_end(|node| has_color(node, COLOR_WHITE)) {
                continue;
            }
            entry.subtracted.set(false);
            changed = true;
            let Some(header) = collectable(&entry.value) else { continue };
            if header.color() != COLOR_BLACK {
                trial.revive(&entry.value);
            }
        }
        if !changed {
            return;
        }
    }
}

/// Runs one pass. Returns the number of collected nodes, and whether destructors ran, so that another pass is due.
fn collect_once() -> (usize, bool) {
    let ephemerons = crate::object::ephemerons();
    let tracing = Tracing::begin();
    let garbage = find_garbage(&ephemerons);
    let wants_destructor = garbage.iter().filter_map(|node| node.as_obj()).any(PhpObj::wants_destructor);
    let (garbage, waiting) = if wants_destructor { set_aside(garbage, &ephemerons) } else { (garbage, Vec::new()) };
    // Handles of all garbage are kept from here on, so that no node is freed while others are still in use.
    let count = countable(&garbage);
    let held: Vec<Val> = garbage.iter().map(|node| Val::clone(node)).collect();
    drop(tracing);
    let freed = run_destructors(&waiting);
    (free_all(held, count) + freed, wants_destructor)
}

/// While a value of this type lives, nodes are being traversed.
struct Tracing;

impl Tracing {
    fn begin() -> Tracing {
        GC.with(|gc| gc.tracing.set(true));
        Tracing
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        GC.with(|gc| gc.tracing.set(false));
        edges::drop_made();
    }
}

/// The nodes that are held by each other only.
fn find_garbage(ephemerons: &[Ephemeron]) -> Vec<Node> {
    let roots = take_roots();
    let mut trial = Trial::new();
    trial.mark_roots(&roots);
    mark_ephemerons(ephemerons, &mut trial);
    trial.scan_roots(&roots);
    revive_ephemerons(ephemerons, &mut trial);
    let mut garbage = Vec::new();
    if trial.found_any() {
        roots.iter().for_each(|root| collect_white(root, &mut garbage));
    }
    for entry in ephemerons.iter().filter(|entry| entry.subtracted.get()) {
        collect_white(&entry.value, &mut garbage);
    }
    garbage
}

/// The number of nodes that `gc_status()` counts: references and the tables of dynamic properties do not count, as in Zend.
fn countable(garbage: &[Node]) -> usize {
    let tables = garbage.iter().filter_map(|node| node.as_obj()).filter(|object| object.owns_dynamic()).count();
    let pending: usize = garbage.iter().filter_map(|node| node.as_obj()).map(PhpObj::pending_arrays).sum();
    pending + garbage.iter().filter(|node| node.kind() != Kind::Ref).count().saturating_sub(tables)
}

/// Splits the garbage. What objects with destructors cannot reach is returned first and can be freed at once. Objects with
/// destructors (as handle and address) and what they reach must wait, because the destructors may make them reachable again.
fn set_aside(garbage: Vec<Node>, ephemerons: &[Ephemeron]) -> (Vec<Node>, Vec<(u32, usize)>) {
    let mut reached: std::collections::HashSet<u64> = std::collections::HashSet::new();
    let mut waiting = Vec::new();
    let mut work = Vec::new();
    for node in &garbage {
        if let Some(object) = node.as_obj().filter(|object| object.wants_destructor()) {
            waiting.push((object.handle(), object.address()));
            if reached.insert(node.val.bits()) {
                work.push(copy(node));
            }
        }
    }
    while let Some(node) = work.pop() {
        trace(&node, &mut |child| {
            if collectable(child).is_some() && reached.insert(child.val.bits()) {
                work.push(copy(child));
            }
        });
        for entry in ephemerons.iter().filter(|entry| entry.any_end(|end| end.val.bits() == node.val.bits())) {
            if reached.insert(entry.value.val.bits()) {
                work.push(copy(&entry.value));
            }
        }
    }
    let spared = garbage.into_iter().filter(|node| !reached.contains(&node.val.bits())).collect();
    (spared, waiting)
}

/// Runs the destructors of objects that still exist; returns how many of these objects nothing else holds afterwards.
fn run_destructors(waiting: &[(u32, usize)]) -> usize {
    let mut freed = 0;
    let mut rest = waiting;
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        let Some(object) = crate::object::object_by_handle(first.0).filter(|object| object.address() == first.1) else {
            continue;
        };
        object.run_destructor_of_garbage();
        if object.refcount() == 1 {
            freed += 1;
        }
    }
    freed
}

fn free_all(held: Vec<Val>, count: usize) -> usize {
    for node in &held {
        match node.kind() {
            Kind::Arr => {
                if let Some(array) = node.as_arr() {
                    PhpArr::clear_contents(array);
                }
            }
            Kind::Obj => {
                if let Some(object) = node.as_obj() {
                    object.mark_destructed();
                    object.tell_weak_holders();
                    object.clear_contents();
                }
            }
            Kind::Ref => {
                if let Some(reference) = node.as_ref() {
                    PhpRef::set(reference, Val::NULL);
                }
            }
            _ => {}
        }
    }
    drop(held);
    count
}
