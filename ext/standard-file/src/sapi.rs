//! Who asked: the command line, or a web server through CGI. What came with the request, as other parts ask for it.

use phlox_runtime::Vm;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

/// The request from outside. On the command line it is empty.
#[derive(Default)]
pub struct Request {
    /// Answered by CGI: headers are sent before the output.
    pub is_cgi: Cell<bool>,
    /// What `php://input` reads.
    pub body: RefCell<Vec<u8>>,
    /// Files that were uploaded and are where they were put.
    pub uploads: RefCell<HashSet<Vec<u8>>>,
}

pub fn request(vm: &Vm) -> Rc<Request> {
    vm.data::<Request>("request")
}

/// As `php_sapi_name` says it.
pub fn name(vm: &Vm) -> &'static str {
    if request(vm).is_cgi.get() { "cgi-fcgi" } else { "cli" }
}

/// Removes the uploads that nobody moved.
pub fn clean_up(vm: &Vm) {
    for file in request(vm).uploads.take() {
        use std::os::unix::ffi::OsStrExt;
        // One that is gone already is as good as removed.
        let _ = std::fs::remove_file(std::ffi::OsStr::from_bytes(&file));
    }
}
