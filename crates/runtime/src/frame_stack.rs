//! The stack of active frames, as traces and scopes see it.
//!
//! An engine pushes a [`Frame`] for every activation, or one [`Segment`] for all frames of one of its runs; the frames of a
//! segment are made on demand.

use crate::class::ClassRef;
use crate::frame::Frame;
use crate::func::Func;
use crate::symbols::SymbolTable;
use phlox_value::{Edges, Key, PhpArr, PhpObj, Val};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// A view of an activation for traces and for questions about callers, without a frame object.
pub struct Place<'a> {
    pub func: &'a Rc<Func>,
    /// The position in the function's code; meaningless for a builtin function.
    pub pc: u32,
    /// `$this`, if it is still alive.
    pub this: Option<&'a PhpObj>,
    /// Whether there is or was a `$this`.
    pub has_this: bool,
    pub include_kind: &'static str,
    pub from_native: bool,
    /// Number of arguments passed.
    pub arg_count: u32,
    /// The passed arguments of declared parameters; empty if the visit is without arguments.
    pub args: &'a [Val],
    /// The arguments beyond the declared parameters; empty if the visit is without arguments.
    pub extra: &'a [Val],
    /// The array of a variadic parameter, if the visit is with arguments.
    pub rest: Option<&'a Val>,
}

impl Place<'_> {
    /// Whether this is the activation of a builtin function.
    pub fn is_native(&self) -> bool {
        self.func.is_native()
    }

    /// The source line being executed; 0 for builtin functions.
    pub fn line(&self) -> u32 {
        if self.is_native() { 0 } else { self.func.code().line_at(self.pc) }
    }

    /// The class scope of the code.
    pub fn scope(&self) -> Option<&ClassRef> {
        self.func.scope.get()
    }

    /// The current values of the arguments, without those that a variadic parameter got by name.
    pub fn arguments(&self) -> PhpArr {
        let mut values = PhpArr::of_places(self.args, self.extra);
        if let Some(rest) = self.rest.and_then(Val::as_arr) {
            let positional = rest.iter().filter(|(key, _)| matches!(key, Key::Int(_)));
            for (_, value) in positional {
                let _ = values.push(value.deref());
            }
        }
        values
    }
}

/// Visits activations from the innermost one outwards, until it breaks.
pub type Visit<'a> = dyn FnMut(&Place<'_>) -> ControlFlow<()> + 'a;

/// Activations that an engine keeps in its own form.
pub trait Segment {
    /// The frame that is `from_top` steps outwards from the innermost one.
    fn frame(&self, from_top: usize) -> Option<Rc<Frame>>;
    /// Shows the activations from the innermost one outwards.
    fn visit(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()>;
    /// Tells the collector values that the frames of a suspended fiber hold (not necessarily all). Symbol tables in `seen` were
    /// told already.
    fn trace(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges);
}

/// One entry of the stack.
#[derive(Clone)]
pub enum Entry {
    Frame(Rc<Frame>),
    Segment(Rc<dyn Segment>),
}

impl Entry {
    /// Tells the collector values that the entry's frames hold; see [`Segment::trace`].
    pub fn trace(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges) {
        match self {
            Entry::Frame(frame) => frame.trace(seen, edges),
            Entry::Segment(segment) => segment.trace(seen, edges),
        }
    }

    fn visit(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()> {
        match self {
            Entry::Frame(frame) => frame.show(with_args, visit),
            Entry::Segment(segment) => segment.visit(with_args, visit),
        }
    }

    fn frame(&self, from_top: usize) -> Option<Rc<Frame>> {
        match self {
            Entry::Frame(frame) => (from_top == 0).then(|| frame.clone()),
            Entry::Segment(segment) => segment.frame(from_top),
        }
    }
}

/// The active frames of a request, or of the part of it that a fiber runs.
pub struct FrameStack {
    entries: RefCell<Vec<Entry>>,
    /// The address of the segment that is the innermost entry; null if that is no segment.
    innermost: Cell<*const ()>,
}

impl Default for FrameStack {
    fn default() -> FrameStack {
        FrameStack { entries: RefCell::default(), innermost: Cell::new(std::ptr::null()) }
    }
}

impl FrameStack {
    /// Pushes a frame.
    pub fn push(&self, frame: Rc<Frame>) {
        self.entries.borrow_mut().push(Entry::Frame(frame));
        self.innermost.set(std::ptr::null());
    }

    /// Pushes a segment.
    #[inline]
    pub fn push_segment(&self, segment: Rc<dyn Segment>) {
        self.innermost.set(Rc::as_ptr(&segment).cast());
        self.entries.borrow_mut().push(Entry::Segment(segment));
    }

    /// Whether the segment at this address is the innermost entry.
    #[inline]
    pub fn ends_with_segment(&self, address: *const ()) -> bool {
        std::ptr::eq(self.innermost.get(), address)
    }

    /// Updates `innermost`.
    fn note_innermost(&self) {
        let innermost = match self.entries.borrow().last() {
            Some(Entry::Segment(segment)) => Rc::as_ptr(segment).cast(),
            _ => std::ptr::null(),
        };
        self.innermost.set(innermost);
    }

    /// Removes the innermost entry.
    #[inline]
    pub fn pop(&self) {
        let entry = self.entries.borrow_mut().pop();
        self.note_innermost();
        drop(entry);
    }

    /// The number of entries, which is not that of frames.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.borrow().is_empty()
    }

    /// Removes all entries.
    pub fn clear(&self) {
        let entries = std::mem::take(&mut *self.entries.borrow_mut());
        self.note_innermost();
        drop(entries);
    }

    /// Removes and returns all entries from position `base` on.
    pub fn split_off(&self, base: usize) -> Vec<Entry> {
        let taken = self.entries.borrow_mut().split_off(base);
        self.note_innermost();
        taken
    }

    /// Puts back what [`FrameStack::split_off`] took.
    pub fn extend(&self, entries: Vec<Entry>) {
        self.entries.borrow_mut().extend(entries);
        self.note_innermost();
    }

    /// The innermost frame.
    pub fn last(&self) -> Option<Rc<Frame>> {
        self.from_top().next()
    }

    /// The frames from the innermost one outwards.
    pub fn from_top(&self) -> FromTop<'_> {
        FromTop { stack: self, below: self.len(), inner: 0 }
    }

    /// Shows the activations from the innermost one outwards, until `visit` breaks.
    pub fn visit(&self, with_args: bool, visit: &mut Visit<'_>) {
        for below in (0..self.len()).rev() {
            // The borrow ends before anything is shown, because a visitor may run code that pushes frames.
            let Some(entry) = self.entries.borrow().get(below).cloned() else { continue };
            if entry.visit(with_args, visit).is_break() {
                return;
            }
        }
    }

    /// The first result of `pick` over the activations from the innermost one outwards.
    pub fn find_map<T>(&self, mut pick: impl FnMut(&Place<'_>) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.visit(false, &mut |place| {
            found = pick(place);
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// All frames, outermost first.
    pub fn all(&self) -> Vec<Rc<Frame>> {
        self.all_from(0)
    }

    /// The frames of the entries from position `base` on, outermost first.
    pub fn all_from(&self, base: usize) -> Vec<Rc<Frame>> {
        let entries = self.entries.borrow().get(base..).unwrap_or(&[]).to_vec();
        frames_of(&entries)
    }
}

/// The frames of entries that were removed from a stack, outermost first.
pub fn frames_of(entries: &[Entry]) -> Vec<Rc<Frame>> {
    let mut frames = Vec::new();
    for entry in entries.iter().rev() {
        frames.extend((0..).map_while(|from_top| entry.frame(from_top)));
    }
    frames.reverse();
    frames
}

/// An iterator over frames from the innermost one outwards.
pub struct FromTop<'a> {
    stack: &'a FrameStack,
    /// Number of entries that are not finished yet; the last of them is being visited.
    below: usize,
    /// Number of frames of that entry that were visited.
    inner: usize,
}

impl Iterator for FromTop<'_> {
    type Item = Rc<Frame>;

    fn next(&mut self) -> Option<Rc<Frame>> {
        while self.below > 0 {
            // The borrow ends before the frame is made, which may look at other frames.
            let entry = self.stack.entries.borrow().get(self.below - 1).cloned()?;
            if let Some(frame) = entry.frame(self.inner) {
                self.inner += 1;
                return Some(frame);
            }
            self.below -= 1;
            self.inner = 0;
        }
        None
    }
}
