//! What the tests share: a front end in memory, and running an image from its bytes.

use std::cell::RefCell;
use std::rc::Rc;

use phlox_t3_image::Image;
use phlox_t3_intrinsics::machine;
use phlox_t3_vm::io::{Event, Io};
use phlox_t3_vm::{Options, Outcome};

/// Output that outlives the machine, and lines to read.
struct Memory {
    output: Rc<RefCell<String>>,
    input: Vec<String>,
}

impl Io for Memory {
    fn write(&mut self, text: &str) {
        self.output.borrow_mut().push_str(text);
    }

    fn flush(&mut self) {}

    fn read_line(&mut self, _timeout: Option<u32>) -> Event {
        self.input.pop().map_or(Event::End, Event::Text)
    }

    fn read_key(&mut self, timeout: Option<u32>) -> Event {
        self.read_line(timeout)
    }

    fn delay(&mut self, _milliseconds: u32) {}
}

/// Runs an image; its output, with the message of what was not caught.
pub fn run(bytes: Vec<u8>, input: &str, options: Options) -> Result<String, String> {
    let image = Image::load(bytes).map_err(|error| error.to_string())?;
    let output = Rc::new(RefCell::new(String::new()));
    let input = input.lines().rev().map(str::to_owned).collect();
    let memory = Memory { output: output.clone(), input };
    let mut vm = machine(image, options, Box::new(memory))?;
    let outcome = vm.run_program();
    let mut text = output.borrow().clone();
    if let Outcome::Unhandled(message) = outcome {
        text.push_str(&message);
    }
    Ok(text)
}

/// Runs something with native stack enough for programs that call themselves through callbacks.
pub fn with_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread");
    match thread.join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
