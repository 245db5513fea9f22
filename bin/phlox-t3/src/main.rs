//! The command line of the T3 machine: plays games and looks inside image files.
#![forbid(unsafe_code)]

mod keys;
mod line;
mod options;
mod plain;
mod terminal;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use phlox_t3_image::{Image, asm, dis, verify};
use phlox_t3_intrinsics::machine;
use phlox_t3_vm::io::{Io, Script};
use phlox_t3_vm::{Options, Outcome};

use options::{Command, Play};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Native stack for programs that call themselves through callbacks.
const STACK: usize = 512 << 20;

/// The exit status for wrong arguments and unusable files.
const UNUSABLE: u8 = 2;
/// The exit status after an exception that nobody caught, as the reference has it.
const UNHANDLED: u8 = 254;

fn main() -> ExitCode {
    let command = match options::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => return complain(&message),
    };
    match command {
        Command::Help => {
            print!("{}", options::HELP);
            ExitCode::SUCCESS
        }
        Command::Disassemble(path) => with_image(&path, |image| {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            // A reader that has seen enough closes the pipe.
            let _ = dis::write(&image, &mut out).and_then(|()| out.flush());
            ExitCode::SUCCESS
        }),
        Command::Verify(path) => with_image(&path, |image| check(&image)),
        Command::Assemble { source, image } => assemble(&source, &image),
        Command::Play(play) => {
            // The machine calls itself for callbacks, each time with a native frame.
            let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(play));
            match thread.map(std::thread::JoinHandle::join) {
                Ok(Ok(code)) => code,
                _ => complain("the machine failed"),
            }
        }
    }
}

fn complain(message: &str) -> ExitCode {
    eprintln!("phlox-t3: {message}");
    ExitCode::from(UNUSABLE)
}

fn with_image(path: &str, act: impl FnOnce(Image) -> ExitCode) -> ExitCode {
    match std::fs::read(path) {
        Ok(bytes) => match Image::load(bytes) {
            Ok(image) => act(image),
            Err(error) => complain(&format!("{path}: {error}")),
        },
        Err(error) => complain(&format!("{path}: {error}")),
    }
}

fn check(image: &Image) -> ExitCode {
    let problems = verify::image(image);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for problem in &problems {
        // A reader that has seen enough closes the pipe.
        if writeln!(out, "{problem}").is_err() {
            break;
        }
    }
    // The verdict is the same whether anybody reads to the end.
    let _ = out.flush();
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn assemble(source: &str, image: &str) -> ExitCode {
    let text = match std::fs::read_to_string(source) {
        Ok(text) => text,
        Err(error) => return complain(&format!("{source}: {error}")),
    };
    match asm::assemble(&text) {
        Ok(bytes) => match std::fs::write(image, bytes) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => complain(&format!("{image}: {error}")),
        },
        Err(error) => complain(&format!("{source}: {error}")),
    }
}

fn run(play: Play) -> ExitCode {
    let path = play.image.clone();
    with_image(&path, |image| {
        let interactive = !play.plain && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let script = match play.script.as_deref().map(std::fs::read_to_string) {
            Some(Ok(text)) => Script::parse(&text),
            Some(Err(error)) => return complain(&format!("script: {error}")),
            None => Script::default(),
        };
        let io: Box<dyn Io> = if interactive {
            match terminal::Terminal::new(script, play.linear) {
                Ok(terminal) => Box::new(terminal),
                Err(message) => return complain(&message),
            }
        } else {
            Box::new(plain::Plain::new(script, play.width))
        };
        let options = Options {
            seed: play.seed,
            read: play.read,
            write: play.write,
            restore: play.restore.map(Into::into),
            log: play.log.map(Into::into),
            folder: ".".into(),
            image_name: Path::new(&path).to_string_lossy().into_owned(),
            arguments: play.arguments,
            ..Options::default()
        };
        match machine(image, options, io) {
            Ok(mut vm) => finish(vm.run_program()),
            Err(message) => complain(&format!("{path}: {message}")),
        }
    })
}

fn finish(outcome: Outcome) -> ExitCode {
    match outcome {
        Outcome::Finished => ExitCode::SUCCESS,
        Outcome::Unhandled(message) => {
            println!("{message}");
            ExitCode::from(UNHANDLED)
        }
        Outcome::Halted(halt) => {
            eprintln!("phlox-t3: ended: {halt:?}");
            ExitCode::from(3)
        }
    }
}
