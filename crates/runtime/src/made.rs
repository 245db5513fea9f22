//! What a request makes of declarations that live as long as the process: values that it computes or changes. In a process of
//! several requests they are noted, so that the request's end can take them back.

use crate::class::{Class, ClassConst, ClassExt, ClassRef, StaticProp};
use crate::func::Func;
use crate::vm::Vm;
use phlox_value::Val;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A place that a request has filled.
pub(crate) enum Made {
    /// The static variables of a function.
    Statics(Rc<Func>),
    /// The value of a class constant or the object of an enum case.
    Constant(Rc<ClassConst>),
    /// A static property.
    StaticProp(Rc<StaticProp>),
    /// The default values of a class's properties.
    Defaults(ClassRef),
    /// The mark that a class's constants and static properties are evaluated.
    Members(ClassRef),
    /// The table of an enum's backing values.
    EnumIndex(ClassRef),
}

/// The places that the running request has filled.
#[derive(Default)]
pub(crate) struct MadeLog {
    /// Whether anything is noted: the process answers several requests.
    pub is_kept: Cell<bool>,
    places: RefCell<Vec<Made>>,
}

impl MadeLog {
    /// Notes a place that was filled.
    pub fn note(&self, place: Made) {
        if self.is_kept.get() {
            self.places.borrow_mut().push(place);
        }
    }

    /// Empties all places that were noted. No destructors may run any more.
    pub fn take_back(&self) {
        for place in self.places.take() {
            place.empty();
        }
    }
}

impl Made {
    /// Notes a place where the engine is not at hand.
    pub fn note_current(place: Made) {
        if let Some(vm) = Vm::current() {
            vm.made.note(place);
        }
    }

    fn empty(&self) {
        let empty_class = |class: &ClassRef, empty: fn(&Class)| empty(class.class());
        match self {
            Made::Statics(func) => drop(func.statics.take()),
            Made::Constant(constant) => {
                constant.value.set(Val::UNDEF);
                constant.evaluating.set(false);
            }
            Made::StaticProp(property) => {
                property.slot.set(Val::UNDEF);
                property.slot.set_mark(0);
                property.initialized.set(false);
            }
            Made::Defaults(class) => empty_class(class, |class| drop(class.defaults.take())),
            Made::Members(class) => empty_class(class, |class| {
                class.evaluated.set(false);
                class.evaluating.set(false);
            }),
            Made::EnumIndex(class) => empty_class(class, |class| drop(class.enum_index.take())),
        }
    }
}
