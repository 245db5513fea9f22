//! The stack of activations, as traces and scopes see it.
//!
//! An engine either pushes a [`Frame`] for every activation, or one [`Segment`] for all that one of its runs
//! holds; a segment's frames are made when somebody asks for them.

use crate::class::ClassRef;
use crate::frame::Frame;
use crate::func::Func;
use crate::symbols::SymbolTable;
use phlox_value::{Edges, Key, PhpArr, PhpObj, Val};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// What traces, and questions about who calls, want to know of an activation: no frame object is made for it.
pub struct Place<'a> {
    pub func: &'a Rc<Func>,
    /// The position in the function's code; means nothing for a builtin function.
    pub pc: u32,
    /// `$this`, if somebody still has it.
    pub this: Option<&'a PhpObj>,
    /// Is, or was, there a `$this`?
    pub has_this: bool,
    pub include_kind: &'static str,
    pub from_native: bool,
    /// Number of arguments passed.
    pub arg_count: u32,
    /// If they were asked for: the places of the declared parameters that were passed.
    pub args: &'a [Val],
    /// As `args`: the arguments beyond the declared parameters.
    pub extra: &'a [Val],
    /// As `args`: the array of a variadic parameter.
    pub rest: Option<&'a Val>,
}

impl Place<'_> {
    /// Is it a builtin function's?
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

    /// The arguments as they are now, without those that a variadic parameter got by name.
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

/// Sees activations from the innermost one out, until it breaks.
pub type Visit<'a> = dyn FnMut(&Place<'_>) -> ControlFlow<()> + 'a;

/// Activations that an engine keeps in a form of its own.
pub trait Segment {
    /// The frame `from_top` steps out from the innermost one.
    fn frame(&self, from_top: usize) -> Option<Rc<Frame>>;
    /// Shows its activations from the innermost one out.
    fn visit(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()>;
    /// For the collector, while the frames belong to a suspended fiber: shows values that they hold (not necessarily
    /// all). Symbol tables in `seen` were shown already.
    fn trace(&self, seen: &mut Vec<*const SymbolTable>, edges: &mut Edges);
}

/// One entry of the stack.
#[derive(Clone)]
pub enum Entry {
    Frame(Rc<Frame>),
    Segment(Rc<dyn Segment>),
}

impl Entry {
    /// As [`Segment::trace`].
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

/// The activations of a request, or of the part of it that a fiber runs.
pub struct FrameStack {
    entries: RefCell<Vec<Entry>>,
    /// Where the segment is that is the innermost entry; null: that is none.
    innermost: Cell<*const ()>,
}

impl Default for FrameStack {
    fn default() -> FrameStack {
        FrameStack { entries: RefCell::default(), innermost: Cell::new(std::ptr::null()) }
    }
}

impl FrameStack {
    pub fn push(&self, frame: Rc<Frame>) {
        self.entries.borrow_mut().push(Entry::Frame(frame));
        self.innermost.set(std::ptr::null());
    }

    #[inline]
    pub fn push_segment(&self, segment: Rc<dyn Segment>) {
        self.innermost.set(Rc::as_ptr(&segment).cast());
        self.entries.borrow_mut().push(Entry::Segment(segment));
    }

    /// Is the segment at this address the innermost entry?
    #[inline]
    pub fn ends_with_segment(&self, address: *const ()) -> bool {
        std::ptr::eq(self.innermost.get(), address)
    }

    /// Finds the innermost entry anew.
    fn note_innermost(&self) {
        let innermost = match self.entries.borrow().last() {
            Some(Entry::Segment(segment)) => Rc::as_ptr(segment).cast(),
            _ => std::ptr::null(),
        };
        self.innermost.set(innermost);
    }

    /// Takes the innermost entry off.
    #[inline]
    pub fn pop(&self) {
        let entry = self.entries.borrow_mut().pop();
        self.note_innermost();
        drop(entry);
    }

    /// Entries, not frames.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.borrow().is_empty()
    }

    pub fn clear(&self) {
        let entries = std::mem::take(&mut *self.entries.borrow_mut());
        self.note_innermost();
        drop(entries);
    }

    /// Takes all entries from position `base` on.
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

    /// The frames from the innermost one out.
    pub fn from_top(&self) -> FromTop<'_> {
        FromTop { stack: self, below: self.len(), inner: 0 }
    }

    /// Shows the activations from the innermost one out, until `visit` breaks.
    pub fn visit(&self, with_args: bool, visit: &mut Visit<'_>) {
        for below in (0..self.len()).rev() {
            // The borrow ends before anything is shown.
            let Some(entry) = self.entries.borrow().get(below).cloned() else { continue };
            if entry.visit(with_args, visit).is_break() {
                return;
            }
        }
    }

    /// What `pick` makes of the innermost activation that it takes.
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

/// The frames of entries that were taken off a stack, outermost first.
pub fn frames_of(entries: &[Entry]) -> Vec<Rc<Frame>> {
    let mut frames = Vec::new();
    for entry in entries.iter().rev() {
        frames.extend((0..).map_while(|from_top| entry.frame(from_top)));
    }
    frames.reverse();
    frames
}

/// Iterates over frames from the innermost one out.
pub struct FromTop<'a> {
    stack: &'a FrameStack,
    /// Entries that are not visited yet; the last of them is being visited.
    below: usize,
    /// Frames visited of that entry.
    inner: usize,
}

impl Iterator for FromTop<'_> {
    type Item = Rc<Frame>;

    fn next(&mut self) -> Option<Rc<Frame>> {
        while self.below > 0 {
            // The borrow ends before the frame is made: that may look at other frames.
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
