//! A request through CGI: its variables before the script, its headers before the output.

use crate::request::{Ending, Options, Program, session_to};
use phlox_ext_standard::request;
use phlox_ext_standard_file::http;
use phlox_runtime::Vm;
use std::cell::OnceCell;
use std::io::{Stdout, Write, stdin, stdout};
use std::rc::Rc;

/// Standard output, with the headers before the first byte.
struct Answer {
    out: Stdout,
    vm: Rc<OnceCell<&'static Vm>>,
    head_sent: bool,
}

impl Answer {
    fn send_head(&mut self) -> std::io::Result<()> {
        if let (false, Some(vm)) = (self.head_sent, self.vm.get()) {
            self.head_sent = true;
            self.out.write_all(&http::head(vm))?;
        }
        Ok(())
    }
}

impl Write for Answer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.send_head()?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.send_head()?;
        self.out.flush()
    }
}

/// Runs a program as the answer to the request in the environment; gives the exit status.
pub fn answer_cgi(program: &Program, options: &Options) -> i32 {
    let known = Rc::new(OnceCell::new());
    let answer = Answer { out: stdout(), vm: known.clone(), head_sent: false };
    session_to(Box::new(answer), options, |session| {
        let vm = session.vm();
        // The session is the only one that sets it.
        let _ = known.set(vm);
        request::populate(vm, stdin());
        if session.execute(program) == Ending::Failure && !vm.ini.bool("display_errors") {
            http::fail(vm);
        }
    })
}
