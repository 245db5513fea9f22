//! php's command line: the flags, how they combine, and the mode that they ask for.

mod getopt;

use getopt::{Getopt, Opt};

/// A word of the command line.
pub type Word = Vec<u8>;

/// The mode that the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Run a file or standard input.
    Script,
    /// `-l`
    Lint,
    /// `-s`
    Highlight,
    /// `-w`
    Strip,
    /// `-r`
    Direct(Word),
    /// `-B -R -F -E`: code before, for and after each line of standard input.
    Lines { begin: Option<Word>, run: Option<Word>, end: Option<Word> },
    /// `-a`
    Interactive,
    /// `-i`
    Info,
    /// `-v`
    Version,
    /// `-m`
    Modules,
    /// `--ini`
    ShowIni,
    /// `--rf` and the others: PHP's Reflection prints itself.
    Reflect(Reflected, Word),
    /// `-S`: at this address.
    Server(Word),
}

/// The subject of a `--r` option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reflected {
    Function,
    Class,
    Extension,
    ExtensionInfo,
    ZendExtension,
}

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Invocation {
    pub mode: Mode,
    /// The script, from `-f`, `-F` or the first word that is no option.
    pub script: Option<Word>,
    /// The words that follow the script: `$argv` from 1 on.
    pub rest: Vec<Word>,
    /// `-c`
    pub ini_path: Option<Word>,
    /// `-n`
    pub ignore_ini: bool,
    /// `-q`: the answer to a request through CGI has no headers.
    pub no_headers: bool,
    /// Every `-d` in order.
    pub defines: Vec<Word>,
    /// `--stats`
    pub stats: bool,
    /// `-t`: the folder that `-S` serves.
    pub root: Option<Word>,
    /// `-z`: names of Zend extensions, which cannot be loaded.
    pub zend_extensions: Vec<Word>,
}

/// Why a command line is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `-h`
    Help,
    /// An option that does not exist or lacks its value: a message for standard error, then the help.
    Usage(String),
    /// Options that contradict each other: a message for standard output.
    Conflict(&'static str),
}

const MODE_CONFLICT: &str = "Either execute direct code, process stdin or use a file.\n";
const RUN_TWICE: &str = "You can use -R or -F only once.\n";

/// Reads the words after the program's name.
pub fn parse(words: &[Word]) -> Result<Invocation, Refusal> {
    let mut invocation = Invocation {
        mode: Mode::Script,
        script: None,
        rest: Vec::new(),
        ini_path: None,
        ignore_ini: false,
        no_headers: false,
        defines: Vec::new(),
        zend_extensions: Vec::new(),
        stats: false,
        root: None,
    };
    let mut conflict = None;
    let mut options = Getopt::new(words);
    for option in options.by_ref() {
        let option = option.map_err(Refusal::Usage)?;
        match option {
            Opt { letter: 'h' | '?', .. } => return Err(Refusal::Help),
            Opt { letter: 'c', value } => invocation.ini_path = Some(value),
            Opt { letter: getopt::STATS, .. } => invocation.stats = true,
            Opt { letter: 'n', .. } => invocation.ignore_ini = true,
            Opt { letter: 'q', .. } => invocation.no_headers = true,
            Opt { letter: 'd', value } => invocation.defines.push(value),
            Opt { letter: 'z', value } => invocation.zend_extensions.push(value),
            // `-i`, `-v` and `-m` answer at once; what follows them is not even looked at.
            Opt { letter: 'i', .. } => return Ok(Invocation { mode: Mode::Info, ..invocation }),
            Opt { letter: 'v', .. } => return Ok(Invocation { mode: Mode::Version, ..invocation }),
            Opt { letter: 'm', .. } => return Ok(Invocation { mode: Mode::Modules, ..invocation }),
            option => conflict = invocation.choose(option).err().or(conflict),
        }
    }
    if let Some(message) = conflict {
        return Err(Refusal::Conflict(message));
    }
    let mut rest = options.rest();
    let takes_script =
        matches!(invocation.mode, Mode::Script | Mode::Lint | Mode::Highlight | Mode::Strip | Mode::Server(_));
    if takes_script && invocation.script.is_none() && !options.ended_by_dashes() && !rest.is_empty() {
        invocation.script = Some(rest[0].clone());
        rest = &rest[1..];
    }
    // `--` after the script's name or the code only ends the options.
    invocation.rest = rest.to_vec();
    Ok(invocation)
}

impl Invocation {
    /// Takes an option that says what to do; an error if it contradicts an earlier one.
    fn choose(&mut self, option: Opt) -> Result<(), &'static str> {
        let Opt { letter, value } = option;
        match letter {
            'f' => match self.mode {
                Mode::Direct(_) | Mode::Lines { .. } => return Err(MODE_CONFLICT),
                _ if self.script.is_some() => return Err("You can use -f only once.\n"),
                _ => self.script = Some(value),
            },
            'r' => match self.mode {
                Mode::Script => self.mode = Mode::Direct(value),
                Mode::Direct(_) => return Err("You can use -r only once.\n"),
                _ => return Err(MODE_CONFLICT),
            },
            'B' | 'R' | 'F' | 'E' => self.lines_option(letter, value)?,
            'a' => match self.mode {
                Mode::Script | Mode::Interactive => self.mode = Mode::Interactive,
                _ => return Err(MODE_CONFLICT),
            },
            'l' if self.mode == Mode::Script => self.mode = Mode::Lint,
            's' | 'w' => match self.mode {
                Mode::Direct(_) | Mode::Lines { .. } if letter == 's' => {
                    return Err("Source highlighting only works for files.\n");
                }
                Mode::Direct(_) | Mode::Lines { .. } => return Err("Source stripping only works for files.\n"),
                _ => self.mode = if letter == 's' { Mode::Highlight } else { Mode::Strip },
            },
            getopt::FUNCTION => self.mode = Mode::Reflect(Reflected::Function, value),
            getopt::CLASS => self.mode = Mode::Reflect(Reflected::Class, value),
            getopt::EXTENSION => self.mode = Mode::Reflect(Reflected::Extension, value),
            getopt::ZEND_EXTENSION => self.mode = Mode::Reflect(Reflected::ZendExtension, value),
            getopt::EXTENSION_INFO => self.mode = Mode::Reflect(Reflected::ExtensionInfo, value),
            getopt::INI => self.mode = Mode::ShowIni,
            'S' => self.mode = Mode::Server(value),
            't' => self.root = Some(value),
            // -C, -e, -q and -H are accepted and change nothing; most of them change nothing in php either.
            _ => {}
        }
        Ok(())
    }

    fn lines_option(&mut self, letter: char, value: Word) -> Result<(), &'static str> {
        if self.mode == Mode::Script {
            self.mode = Mode::Lines { begin: None, run: None, end: None };
        }
        let Mode::Lines { begin, run, end } = &mut self.mode else { return Err(MODE_CONFLICT) };
        match letter {
            'B' if begin.is_some() => return Err("You can use -B only once.\n"),
            'B' => *begin = Some(value),
            'E' if end.is_some() => return Err("You can use -E only once.\n"),
            'E' => *end = Some(value),
            _ if run.is_some() || self.script.is_some() => return Err(RUN_TWICE),
            'R' => *run = Some(value),
            _ => self.script = Some(value),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Invocation, Refusal> {
        let words: Vec<Word> = line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect();
        parse(&words)
    }

    #[test]
    fn scripts_and_their_arguments() {
        let invocation = read("-n -d a=1 x.php -d b").expect("fine");
        assert_eq!(invocation.script.as_deref(), Some(&b"x.php"[..]));
        assert_eq!(invocation.rest, [b"-d".to_vec(), b"b".to_vec()]);
        assert_eq!(invocation.defines, [b"a=1".to_vec()]);
        let stdin = read("-- a b").expect("fine");
        assert_eq!((stdin.script, stdin.rest.len()), (None, 2));
        let direct = read("-r 1; -- -x").expect("fine");
        assert_eq!((direct.mode, direct.rest), (Mode::Direct(b"1;".to_vec()), vec![b"-x".to_vec()]));
    }

    #[test]
    fn flags_combine() {
        let invocation = read("-nl a.php b.php").expect("fine");
        assert!(invocation.ignore_ini && invocation.mode == Mode::Lint && invocation.rest.len() == 1);
        assert_eq!(
            read("-nd").err(),
            Some(Refusal::Usage("Error in argument 1, char 3: no argument for option d".into()))
        );
        assert_eq!(read("-r x -f y").err(), Some(Refusal::Conflict(MODE_CONFLICT)));
        assert_eq!(read("-R x -F y").err(), Some(Refusal::Conflict(RUN_TWICE)));
    }
}
