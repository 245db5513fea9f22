//! What the arguments ask for.

use phlox_t3_vm::io::Access;

/// What `--help` shows.
pub const HELP: &str = "\
phlox-t3 [play] [OPTIONS] IMAGE [ARGUMENT...]   runs a program
phlox-t3 dis IMAGE                              shows what is in an image
phlox-t3 verify IMAGE                           checks an image's code
phlox-t3 asm SOURCE IMAGE                       assembles an image

  --seed TEXT      random numbers that are the same every time
  --no-seed        the generator's fixed initial state
  --script FILE    commands to read before the user's, a line each
  --log FILE       a transcript
  --restore FILE   starts from a saved game
  --safety N       files: 0 all, 1 read all and write here, 2 here only, 3 read here only, 4 none
  --plain          no line editing even on a terminal
  --linear         a terminal without status line, pages and styles, as screen readers like it
  --width N        columns
";

/// One of the commands.
pub enum Command {
    Help,
    Play(Play),
    Disassemble(String),
    Verify(String),
    Assemble { source: String, image: String },
}

/// How to run a program.
pub struct Play {
    pub image: String,
    pub arguments: Vec<String>,
    pub seed: Option<String>,
    pub script: Option<String>,
    pub log: Option<String>,
    pub restore: Option<String>,
    pub read: Access,
    pub write: Access,
    pub plain: bool,
    pub linear: bool,
    pub width: usize,
}

/// Understands the arguments behind the program's name.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments.peekable();
    let first = arguments.peek().cloned().ok_or("no image is given; see --help")?;
    let mut operand = |what: &str| {
        arguments.next();
        arguments.next().ok_or(format!("{what} is missing"))
    };
    match first.as_str() {
        "dis" => return operand("the image").map(Command::Disassemble),
        "verify" => return operand("the image").map(Command::Verify),
        "asm" => {
            let source = operand("the source")?;
            let image = arguments.next().ok_or("the image is missing")?;
            return Ok(Command::Assemble { source, image });
        }
        "play" => {
            arguments.next();
        }
        _ => {}
    }
    play(arguments)
}

fn play(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mut play = Play {
        image: String::new(),
        arguments: Vec::new(),
        seed: Some(format!("{}.{}", now.as_nanos(), std::process::id())),
        script: None,
        log: None,
        restore: None,
        read: Access::Folder,
        write: Access::Folder,
        plain: false,
        linear: false,
        width: 80,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "-h" | "--help" => return Ok(Command::Help),
            "--seed" => play.seed = Some(value()?),
            "--no-seed" => play.seed = None,
            "--script" => play.script = Some(value()?),
            "--log" => play.log = Some(value()?),
            "--restore" => play.restore = Some(value()?),
            "--plain" => play.plain = true,
            "--linear" => play.linear = true,
            "--width" => play.width = value()?.parse().map_err(|_| "--width needs a number")?,
            "--safety" => (play.read, play.write) = safety(&value()?)?,
            option if option.starts_with('-') => return Err(format!("{option} is no option; see --help")),
            _ => {
                play.image = argument;
                play.arguments = arguments.by_ref().collect();
            }
        }
    }
    if play.image.is_empty() {
        return Err("no image is given; see --help".to_owned());
    }
    Ok(Command::Play(play))
}

/// The reference's safety levels, for reading and writing.
fn safety(level: &str) -> Result<(Access, Access), String> {
    Ok(match level {
        "0" => (Access::Everything, Access::Everything),
        "1" => (Access::Everything, Access::Folder),
        "2" => (Access::Folder, Access::Folder),
        "3" => (Access::Folder, Access::Nothing),
        "4" => (Access::Nothing, Access::Nothing),
        _ => return Err("safety levels go from 0 to 4".to_owned()),
    })
}
