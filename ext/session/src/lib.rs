//! The `session` extension with the files module and handlers in PHP.
#![forbid(unsafe_code)]

mod control;
mod files;
mod format;
mod functions;
mod handlers;
mod headers;
mod settings;
mod state;
mod storage;
mod upload;

use phlox_runtime::{ConstValue, Extension, Throw, Vm};
use state::{Module, Session, Status, Voice};

pub static EXTENSION: Extension = Extension {
    name: "session",
    functions: &[functions::FUNCTIONS, handlers::FUNCTIONS],
    classes: &[handlers::CLASSES],
    constants: &[&[
        ("PHP_SESSION_DISABLED", ConstValue::Int(0)),
        ("PHP_SESSION_NONE", ConstValue::Int(1)),
        ("PHP_SESSION_ACTIVE", ConstValue::Int(2)),
    ]],
    ini: settings::INI,
    startup: Some(startup),
    shutdown: Some(shutdown),
};

fn startup(vm: &Vm) {
    // Headers may still be sent after messages at start-up.
    vm.output.sent.set(false);
    vm.output.sent_at.borrow_mut().take();
    phlox_ext_standard::request::observe_uploads(vm, upload::observer);
    let session = Session::of(vm);
    let module = Module::find(&vm.ini.get(&settings::SAVE_HANDLER));
    session.module.set(module.unwrap_or(Module::Unknown));
    session.default_module.set(session.module.get());
    if module.is_none() || format::Format::find(&vm.ini.get(&settings::SERIALIZE_HANDLER)).is_none() {
        session.status.set(Status::Disabled);
    } else if vm.ini.get(&settings::AUTO_START) {
        let voice = Voice { vm, prefix: b"PHP Request Startup: ".to_vec() };
        report(vm, control::start(&voice).map(drop));
    }
}

fn shutdown(vm: &Vm) {
    let voice = Voice { vm, prefix: b"PHP Request Shutdown: ".to_vec() };
    let session = Session::of(vm);
    if session.is_active() {
        let saved = control::save(&voice);
        // After an exception without a caller PHP takes the handler for still running.
        session.in_handler.set(saved.is_err());
        report(vm, saved);
    }
    report(vm, control::flush(&voice, false).map(drop));
}

fn report(vm: &Vm, result: phlox_runtime::PhpResult<()>) {
    if let Err(Throw::Exception(thrown)) = result {
        let _ = vm.report_uncaught(&thrown);
    }
}
