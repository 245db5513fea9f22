//! The beginning and the end of a request in a process's engine.

use crate::class::ClassExt;
use crate::errors::{self, Phase};
use crate::request::{ProcessRequest, Request};
use crate::vm::Vm;
use phlox_value::PhpStr;
use std::io::Write;
use std::rc::Rc;
use std::time::SystemTime;

impl Vm {
    /// Begins a request with output that goes to `sink`: as in a new process, but for what is kept of units and builtin
    /// declarations. The caller sets `errors.phase` while the configuration is read, and when the script runs.
    pub fn begin_request(&self, request: Rc<dyn Request>, sink: Box<dyn Write>) {
        phlox_value::begin_request();
        self.request_number.set(self.request_number.get() + 1);
        *self.request.borrow_mut() = request;
        self.output.begin(sink);
        self.started.set(SystemTime::now());
        self.errors.reporting.set(self.ini.get(&errors::ERROR_REPORTING));
        self.errors.phase.set(Phase::Configuring);
        // What concerns the configuration is said once in a process.
        if self.request_number.get() == 1 {
            for name in &self.not_disabled {
                let _ = self.warning(&[b"Cannot disable function ", &name[..], b"()"].concat());
            }
        }
        for extension in self.extensions {
            if self.request_number.get() == 1 {
                self.ini.start(self, extension.ini);
            }
            if let Some(startup) = extension.startup {
                startup(self);
            }
        }
    }

    /// Notes what a request makes of declarations, so that [`Vm::end_request`] takes it back.
    pub fn keep_made(&self) {
        self.made.is_kept.set(true);
    }

    /// Ends a request after its shutdown: drops everything that belongs to it. Declarations of builtin functions and classes stay.
    /// No destructor runs. Returns how many objects could not be freed.
    pub fn end_request(&self) -> usize {
        phlox_value::set_shutdown(true);
        self.is_clearing.set(true);
        self.limit_time(0);
        self.put_process_back();
        self.frames.clear();
        drop(self.output.buffers.take());
        drop((self.errors.handlers.take(), self.errors.exception_handlers.take(), self.errors.last.take()));
        self.errors.promote.set(None);
        self.globals.clear();
        self.guards.clear();
        drop((self.autoloaders.take(), self.autoloading.take(), self.linking.take(), self.shutdown_functions.take()));
        drop(self.dependencies.take());
        drop((self.pending.take(), self.failed.take(), self.destroying.take(), self.fault_position.take()));
        drop((self.constants.take(), self.written_constants.take(), self.included.take()));
        *self.script.borrow_mut() = PhpStr::empty();
        for flag in [&self.has_pending, &self.pending_exit, &self.shutting_down, &self.in_native_default] {
            flag.set(false);
        }
        self.exit_status.set(0);
        self.switching_blocked.set(0);
        self.depth.set(0);
        self.signal_hook.set(None);
        self.executor().end_request();
        self.forget_declarations();
        self.made.take_back();
        // Data of extensions is dropped one by one, because dropping it can ask for other data.
        loop {
            let named = self.extension_data.take();
            let keyed = self.keyed_data.take();
            if named.is_empty() && keyed.is_empty() {
                break;
            }
            drop((named, keyed));
        }
        drop(self.weak.take());
        crate::unit::end_request();
        self.let_go_of_request();
        let left = phlox_value::end_request();
        self.is_clearing.set(false);
        left
    }

    /// Lets go of the request, whose connection is closed as soon as the server does that, too.
    pub fn let_go_of_request(&self) {
        self.output.end();
        *self.request.borrow_mut() = Rc::new(ProcessRequest);
    }

    /// Removes the functions and classes of scripts from the tables.
    fn forget_declarations(&self) {
        self.spellings.forget();
        self.instances.forget();
        let mut functions = self.functions.borrow_mut();
        let mut classes = self.classes.borrow_mut();
        let (known_functions, known_classes) = self.lasting.get();
        if functions.len() > known_functions {
            let preloaded = self.preloaded.functions.borrow();
            functions.retain(|name, func| func.unit.internal || preloaded.contains(name));
        }
        if classes.len() > known_classes {
            let preloaded = self.preloaded.classes.borrow();
            classes.retain(|name, class| {
                let class = class.class();
                let is_builtin = class.is_internal()
                    && (*name == class.lower_name || self.native_classes.contains_key(name.as_bytes()));
                is_builtin || preloaded.contains(name)
            });
        }
        self.lasting.set((functions.len(), classes.len()));
    }
}
