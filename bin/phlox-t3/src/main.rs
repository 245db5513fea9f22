//! The command line of the T3 machine.
#![forbid(unsafe_code)]

use std::io::{BufRead, Write};
use std::process::ExitCode;

use phlox_t3_image::Image;
use phlox_t3_vm::io::{Event, Io};
use phlox_t3_vm::{Options, Outcome, Vm};

/// Plain input and output.
struct Plain {
    out: std::io::BufWriter<std::io::Stdout>,
}

impl Io for Plain {
    fn write(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
    }

    fn flush(&mut self) {
        let _ = self.out.flush();
    }

    fn read_line(&mut self, _timeout: Option<u32>) -> Event {
        self.flush();
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => Event::End,
            Ok(_) => Event::Text(line.trim_end_matches(['\n', '\r']).to_owned()),
        }
    }

    fn read_key(&mut self, timeout: Option<u32>) -> Event {
        self.read_line(timeout)
    }
}

fn main() -> ExitCode {
    // The machine calls itself for callbacks, each time with a native frame.
    let run = std::thread::Builder::new().stack_size(512 << 20).spawn(run);
    match run.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        _ => ExitCode::from(2),
    }
}

fn run() -> ExitCode {
    let mut path = std::env::args().nth(1).unwrap_or_default();
    if path == "dis" {
        path = std::env::args().nth(2).unwrap_or_default();
        let image = Image::load(std::fs::read(&path).unwrap_or_default());
        match image {
            Ok(image) => print!("{}", phlox_t3_image::dis::image(&image)),
            Err(error) => eprintln!("{error}"),
        }
        return ExitCode::SUCCESS;
    }
    let image = match std::fs::read(&path).map_err(|error| error.to_string()) {
        Ok(bytes) => Image::load(bytes).map_err(|error| error.to_string()),
        Err(message) => Err(message),
    };
    let vm = image.and_then(|image| {
        let io = Plain { out: std::io::BufWriter::new(std::io::stdout()) };
        Vm::new(image, Options { image_name: path.clone(), ..Options::default() }, Box::new(io))
    });
    match vm {
        Ok(mut vm) => match vm.run_program() {
            Outcome::Finished => ExitCode::SUCCESS,
            Outcome::Unhandled(message) => {
                println!("{message}");
                ExitCode::from(254)
            }
            Outcome::Halted(halt) => {
                eprintln!("phlox-t3: {halt:?}");
                ExitCode::from(3)
            }
        },
        Err(message) => {
            eprintln!("phlox-t3: {path}: {message}");
            ExitCode::from(2)
        }
    }
}
