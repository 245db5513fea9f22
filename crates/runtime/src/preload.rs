//! Preloading: functions and classes that a script declares before the first request, and that all requests then have.
//!
//! The script runs as a request of its own. What it has declared stays in the tables when that request ends; everything else of it goes,
//! as with any request. Its units are kept whatever happens to their files.

use crate::strmap::lower_str;
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::{ClassId, FuncId};
use phlox_value::PhpStr;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

/// What a process has preloaded.
#[derive(Default)]
pub struct Preloaded {
    /// Whether the script runs.
    pub(crate) is_running: Cell<bool>,
    pub(crate) functions: RefCell<HashSet<PhpStr>>,
    pub(crate) classes: RefCell<HashSet<PhpStr>>,
    scripts: RefCell<Vec<Vec<u8>>>,
}

impl Vm {
    /// Says that what runs next is the script of preloading.
    pub fn begin_preloading(&self) {
        self.preloaded.is_running.set(true);
    }

    /// Keeps the functions and classes that are declared now. The caller ends the request.
    pub fn keep_preloaded(&self) {
        let preloaded = &self.preloaded;
        preloaded.is_running.set(false);
        let functions = self.functions.borrow();
        let own = functions.iter().filter(|(_, func)| !func.unit.internal && func.unit.is_kept.get());
        preloaded.functions.replace(own.map(|(name, _)| name.clone()).collect());
        let classes = self.classes.borrow();
        let own = classes.iter().filter(|(_, class)| {
            let class = crate::class::ClassExt::class(&***class);
            !class.is_internal() && class.unit.is_kept.get()
        });
        preloaded.classes.replace(own.map(|(name, _)| name.clone()).collect());
        preloaded.scripts.replace(self.stored_units().into_iter().map(|row| row.0).collect());
    }

    /// The names of the preloaded functions, of the preloaded classes, and the files that they come from. Empty if nothing was
    /// preloaded.
    pub fn preloaded_names(&self) -> [Vec<PhpStr>; 3] {
        let (functions, classes) = (self.functions.borrow(), self.classes.borrow());
        let is_function = |row: &(&PhpStr, &Rc<crate::Func>)| self.preloaded.functions.borrow().contains(row.0);
        let is_class = |row: &(&PhpStr, &crate::ClassRef)| self.preloaded.classes.borrow().contains(row.0);
        [
            functions.iter().filter(is_function).map(|(_, func)| func.name.clone()).collect(),
            classes
                .iter()
                .filter(is_class)
                .map(|(name, class)| {
                    let class = crate::class::ClassExt::class(&**class);
                    if *name == class.lower_name { class.name.clone() } else { name.clone() }
                })
                .collect(),
            self.preloaded.scripts.borrow().iter().map(|path| PhpStr::new(path)).collect(),
        ]
    }

    /// Whether a function of a unit is a preloaded one, so that including its file declares nothing.
    pub fn is_preloaded_function(&self, unit: &Rc<LinkedUnit>, id: FuncId) -> bool {
        if self.preloaded.functions.borrow().is_empty() {
            return false;
        }
        let func = unit.func(id);
        self.preloaded.functions.borrow().contains(func.key())
            && self.functions.borrow().get(func.key()).is_some_and(|known| Rc::ptr_eq(known, &func))
    }

    /// Whether a class of a unit has the name of a preloaded one.
    pub fn is_preloaded_class(&self, unit: &LinkedUnit, id: ClassId) -> bool {
        let name = unit.str(unit.unit.classes[id.index()].name);
        self.preloaded.classes.borrow().contains(&lower_str(name))
    }
}
