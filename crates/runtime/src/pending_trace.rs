//! The trace of a throwable before it is read: a copy of the activations. Most throwables are caught and dropped without a look
//! at their traces.

use crate::frame_stack::{Place, Visit};
use crate::func::Func;
use crate::trace;
use crate::vm::Vm;
use phlox_hhbc::FuncFlags;
use phlox_value::{Edges, NativeData, PhpArr, PhpStr, Val};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The activations at the time when a throwable was made, from the innermost one outwards.
pub struct PendingTrace {
    activations: RefCell<Activations>,
    /// Whether the trace contains arguments (`zend.exception_ignore_args` is off).
    with_args: bool,
}

#[derive(Default)]
struct Activations {
    places: Vec<Activation>,
    /// The arguments of all activations, one activation after the other.
    args: Vec<Val>,
}

/// A copy of a [`Place`], without `$this`, which a trace does not hold.
struct Activation {
    func: Rc<Func>,
    pc: u32,
    arg_count: u32,
    /// How many of [`Activations::args`] are the activation's parameters; `extra` counts the arguments beyond them, and
    /// `has_rest` the array of a variadic parameter.
    args: u32,
    extra: u32,
    has_rest: bool,
    has_this: bool,
    from_native: bool,
    include_kind: &'static str,
}

/// The circumstances of a new throwable.
pub struct Made {
    pub trace: Rc<PendingTrace>,
    /// File and line of the innermost PHP code.
    pub position: Option<(PhpStr, u32)>,
    /// Whether the array must be made at once, because making it creates objects.
    pub is_due: bool,
}

thread_local! {
    /// The buffers of a dropped trace, for reuse by the next one.
    static SPARE: Cell<Option<Activations>> = const { Cell::new(None) };
}

/// Buffers for more activations or arguments than this are not kept.
const SPARE_MAX: usize = 256;

/// Captures the active frames.
pub fn capture(vm: &Vm) -> Made {
    let with_args = !vm.ini.get(&crate::settings::EXCEPTION_IGNORE_ARGS);
    // The trace is filled in its final location, because moving freshly written values costs more than writing them.
    let activations = RefCell::new(SPARE.take().unwrap_or_default());
    let trace = Rc::new(PendingTrace { activations, with_args });
    let (mut position, mut is_due) = (None, false);
    {
        let mut activations = trace.activations.borrow_mut();
        vm.frames.visit(with_args, &mut |place| {
            if position.is_none() && !place.is_native() {
                position = Some((place.func.unit.filename.clone(), place.line()));
            }
            is_due |= place.func.has_marked_params;
            activations.keep(place);
            ControlFlow::Continue(())
        });
    }
    Made { trace, position, is_due }
}

impl Activations {
    fn keep(&mut self, place: &Place<'_>) {
        self.copy(place.args);
        self.copy(place.extra);
        self.copy(place.rest.map_or(&[], std::slice::from_ref));
        // Unlike `push`, `extend` constructs the value in its final location.
        self.places.extend(std::iter::once_with(|| Activation {
            func: place.func.clone(),
            pc: place.pc,
            arg_count: place.arg_count,
            args: place.args.len() as u32,
            extra: place.extra.len() as u32,
            has_rest: place.rest.is_some(),
            has_this: place.has_this,
            from_native: place.from_native,
            include_kind: place.include_kind,
        }));
    }

    /// Drops the contents and keeps the buffers for the next trace.
    fn recycle(mut self) {
        self.places.clear();
        self.args.clear();
        if (1..=SPARE_MAX).contains(&self.places.capacity().max(self.args.capacity())) {
            // At the end of a thread the thread-local variable may be destroyed.
            let _ = SPARE.try_with(|spare| spare.set(Some(self)));
        }
    }

    fn copy(&mut self, values: &[Val]) {
        self.args.reserve(values.len());
        for value in values {
            self.args.push(value.deref().or_null());
        }
    }

    fn visit(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let mut rest_of_args = &self.args[..];
        for kept in &self.places {
            let (args, others) = rest_of_args.split_at(kept.args as usize);
            let (extra, others) = others.split_at(kept.extra as usize);
            let (rest, others) = others.split_at(kept.has_rest.into());
            rest_of_args = others;
            visit(&Place {
                func: &kept.func,
                pc: kept.pc,
                this: None,
                has_this: kept.has_this,
                include_kind: kept.include_kind,
                from_native: kept.from_native,
                arg_count: kept.arg_count,
                args,
                extra,
                rest: rest.first(),
            })?;
        }
        ControlFlow::Continue(())
    }
}

impl PendingTrace {
    /// Builds the trace's array; can be called once.
    pub fn take(&self) -> PhpArr {
        let activations = self.activations.take();
        trace::of_activations(self.with_args, &|visit| {
            let _ = activations.visit(visit);
        })
    }
}

impl NativeData for PendingTrace {
    fn trace(&self, edges: &mut Edges) {
        self.activations.borrow().args.iter().for_each(|value| edges.value(value));
    }

    fn pending_arrays(&self) -> usize {
        let activations = self.activations.borrow();
        let is_row = |kept: &&Activation| !kept.func.has(FuncFlags::PSEUDO_MAIN) || !kept.include_kind.is_empty();
        let rows = activations.places.iter().filter(is_row);
        1 + rows.map(|kept| 1 + usize::from(kept.args + kept.extra > 0)).sum::<usize>()
    }

    fn clear(&self) {
        self.activations.take().recycle();
    }
}

impl Drop for PendingTrace {
    fn drop(&mut self) {
        self.activations.take().recycle();
    }
}
