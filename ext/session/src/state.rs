//! The session of the request.

use crate::files::Files;
use phlox_runtime::ini::IniDef;
use phlox_runtime::{Call, Level, PhpArr, PhpRef, PhpResult, PhpStr, Val, View, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// A setting names a module or format that does not exist.
    Disabled,
    #[default]
    None,
    Active,
}

/// The module that stores the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Module {
    #[default]
    Files,
    User,
    /// The setting names no module.
    Unknown,
}

impl Module {
    /// The module with this name in `session.save_handler`, in any case of letters.
    pub fn find(name: &[u8]) -> Option<Module> {
        match name {
            name if name.eq_ignore_ascii_case(b"files") => Some(Module::Files),
            name if name.eq_ignore_ascii_case(b"user") => Some(Module::User),
            _ => None,
        }
    }

    /// The module's name in `session.save_handler`.
    pub fn name(self) -> &'static str {
        match self {
            Module::Files => "files",
            Module::User => "user",
            Module::Unknown => "",
        }
    }
}

/// The functions of a save handler in the order of `session_set_save_handler`.
pub const CALLBACKS: [&str; 9] =
    ["open", "close", "read", "write", "destroy", "gc", "create_sid", "validateId", "updateTimestamp"];

#[derive(Default)]
pub struct Session {
    pub status: Cell<Status>,
    pub id: RefCell<Option<PhpStr>>,
    /// The reference that `$_SESSION` was set to.
    pub vars: RefCell<Option<PhpRef>>,
    /// The text that was read, by which changes are detected.
    pub old: RefCell<Option<PhpStr>>,
    pub module: Cell<Module>,
    /// The module before the user's handler.
    pub default_module: Cell<Module>,
    /// The open data of the files module.
    pub files: RefCell<Option<Files>>,
    pub callbacks: RefCell<[Val; 9]>,
    /// Class of the object that handles, for messages.
    pub handler_class: RefCell<Option<PhpStr>>,
    /// The user's handler is open.
    pub user_open: Cell<bool>,
    /// A `SessionHandler` opened the files module.
    pub parent_open: Cell<bool>,
    pub in_handler: Cell<bool>,
    /// The setting `session.save_handler` may become `user` now.
    pub sets_user: Cell<bool>,
    pub send_cookie: Cell<bool>,
    pub define_sid: Cell<bool>,
    /// Where the session was started.
    pub started_at: RefCell<Option<(PhpStr, u32)>>,
}

impl Session {
    /// The session of the request.
    pub fn of(vm: &Vm) -> Rc<Session> {
        vm.data::<Session>("session")
    }

    /// Whether a session has been started and not ended.
    pub fn is_active(&self) -> bool {
        self.status.get() == Status::Active
    }

    /// The variables, if `$_SESSION` is an array.
    pub fn variables(&self) -> Option<PhpArr> {
        let vars = self.vars.borrow().as_ref()?.get();
        vars.as_arr().cloned()
    }

    /// Empties `$_SESSION`, if it is an array.
    pub fn clear_variables(&self) {
        if self.variables().is_some()
            && let Some(vars) = &*self.vars.borrow()
        {
            vars.set(PhpArr::new().into());
        }
    }

    /// Makes `$_SESSION` a new array.
    pub fn track(&self, vm: &Vm, variables: PhpArr) {
        let name = PhpStr::intern(b"_SESSION");
        vm.globals.unset(&name);
        let vars = PhpRef::new(variables.into());
        vm.globals.slot(&name).set(vars.clone().into());
        drop(self.vars.replace(Some(vars)));
    }

    /// Is there anything that must be closed?
    pub fn is_open(&self) -> bool {
        self.user_open.get() || self.files.borrow().is_some()
    }
}

/// The origin of messages, whose name they begin with.
#[derive(Clone)]
pub struct Voice<'a> {
    pub vm: &'a Vm,
    pub prefix: Vec<u8>,
}

impl<'a> Voice<'a> {
    /// Messages begin with the name of the function that is called.
    pub fn of(call: &Call<'a>) -> Voice<'a> {
        let mut prefix = call.func.display_name();
        prefix.extend_from_slice(b"(): ");
        Voice { vm: call.vm, prefix }
    }

    /// Raises a diagnostic whose text begins with the prefix.
    pub fn raise(&self, level: Level, message: &str) -> PhpResult<()> {
        self.vm.raise(level, &[&self.prefix[..], message.as_bytes()].concat())
    }

    /// Raises a warning whose text begins with the prefix.
    pub fn warning(&self, message: &str) -> PhpResult<()> {
        self.raise(Level::Warning, message)
    }

    /// The session of the request.
    pub fn session(&self) -> Rc<Session> {
        Session::of(self.vm)
    }

    /// Changes a setting, as `ini_set` would.
    pub fn set(&self, setting: &IniDef, value: PhpStr) -> PhpResult<bool> {
        self.vm.ini.change(self.vm, setting, &String::from_utf8_lossy(&self.prefix), value)
    }
}

/// A superglobal's entry of a name as text.
pub fn request_value(vm: &Vm, global: &str, name: &[u8]) -> Option<PhpStr> {
    let values = vm.globals.find(&PhpStr::new(global.as_bytes()))?.get().deref();
    let value = values.as_arr()?.get_bytes(name)?.deref();
    match value.view() {
        View::Str(text) => Some(text.clone()),
        _ => None,
    }
}
