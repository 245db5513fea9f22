//! The options of php-fpm.

use crate::args::Word;
use phlox_fpm::Options;
use phlox_fpm::config::PREFIX;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Serve,
    Help,
    Version,
    Modules,
    Info,
}

/// A parsed command line.
#[derive(Debug)]
pub struct Parsed {
    pub command: Command,
    pub options: Options,
    /// `-c`
    pub ini_path: Option<Word>,
    /// `-n`
    pub ignore_ini: bool,
    /// Every `-d` in order.
    pub defines: Vec<Word>,
}

/// Letter, long name, whether there is a value.
const TABLE: &[(u8, &str, bool)] = &[
    (b'c', "php-ini", true),
    (b'd', "define", true),
    (b'e', "profile-info", false),
    (b'h', "help", false),
    (b'i', "info", false),
    (b'm', "modules", false),
    (b'n', "no-php-ini", false),
    (b'?', "usage", false),
    (b'v', "version", false),
    (b'y', "fpm-config", true),
    (b't', "test", false),
    (b'p', "prefix", true),
    (b'g', "pid", true),
    (b'R', "allow-to-run-as-root", false),
    (b'D', "daemonize", false),
    (b'F', "nodaemonize", false),
    (b'O', "force-stderr", false),
];

/// The words make no sense, of which php-fpm tells nothing but its usage.
#[derive(Debug)]
pub struct Wrong;

/// Reads the words behind the program's name.
///
/// # Errors
/// If there is no such option, or one lacks its value.
pub fn parse(words: &[Word]) -> Result<Parsed, Wrong> {
    let options = Options::default();
    let mut parsed =
        Parsed { command: Command::Serve, options, ini_path: None, ignore_ini: false, defines: Vec::new() };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut next = || rest.next().cloned();
        let is_over = match (word.strip_prefix(b"--"), word.strip_prefix(b"-")) {
            (Some(b""), _) => break,
            (Some(long), _) => parsed.long(long, &mut next)?,
            (None, Some(letters)) if !letters.is_empty() => parsed.letters(letters, &mut next)?,
            _ => return Err(Wrong),
        };
        // These answer at once; what follows them is not even looked at.
        if is_over {
            return Ok(parsed);
        }
    }
    match rest.next() {
        Some(_) => Err(Wrong),
        None => Ok(parsed),
    }
}

type Next<'a> = &'a mut dyn FnMut() -> Option<Word>;

impl Parsed {
    /// An option by its long name, with a value behind `=` or in the next word.
    fn long(&mut self, text: &[u8], next: Next<'_>) -> Result<bool, Wrong> {
        let at = text.iter().position(|&byte| byte == b'=');
        let (name, value) = (&text[..at.unwrap_or(text.len())], at.map(|at| text[at + 1..].to_vec()));
        let Some(&(letter, _, takes_value)) = TABLE.iter().find(|(_, long, _)| long.as_bytes() == name) else {
            return Err(Wrong);
        };
        let value = if takes_value { value.or_else(next) } else { None };
        self.take(letter, takes_value, value)
    }

    /// Options by their letters, of which the last may have a value.
    fn letters(&mut self, letters: &[u8], next: Next<'_>) -> Result<bool, Wrong> {
        for (at, &letter) in letters.iter().enumerate() {
            let Some(&(_, _, takes_value)) = TABLE.iter().find(|(known, ..)| *known == letter) else {
                return Err(Wrong);
            };
            if takes_value {
                let behind = &letters[at + 1..];
                let behind = behind.strip_prefix(b"=").unwrap_or(behind);
                let value = if behind.is_empty() { next() } else { Some(behind.to_vec()) };
                return self.take(letter, true, value);
            }
            if self.take(letter, false, None)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes an option; true if nothing that follows matters.
    fn take(&mut self, letter: u8, takes_value: bool, value: Option<Word>) -> Result<bool, Wrong> {
        if takes_value && value.is_none() {
            return Err(Wrong);
        }
        let value = value.unwrap_or_default();
        let text = || String::from_utf8_lossy(&value).into_owned();
        let options = &mut self.options;
        match letter {
            b'c' => self.ini_path = Some(value),
            b'd' => self.defines.push(value),
            b'n' => self.ignore_ini = true,
            b'y' => options.file = Some(text()),
            b'p' => options.prefix = Some(text()),
            b'g' => options.pid = Some(text()),
            b't' => options.tests += 1,
            b'R' => options.allows_root = true,
            b'D' => options.daemonizes = Some(true),
            b'F' => options.daemonizes = Some(false),
            b'O' => options.forces_stderr = true,
            b'i' => self.command = Command::Info,
            b'm' => self.command = Command::Modules,
            b'v' => self.command = Command::Version,
            b'h' | b'?' => self.command = Command::Help,
            // `-e` is for debuggers and profilers of Zend's, which do not exist here.
            _ => {}
        }
        // php-fpm reads on behind `-i`.
        Ok(matches!(letter, b'm' | b'v' | b'h' | b'?'))
    }
}

/// The help text.
pub fn help(command_line: &[Word]) -> String {
    let program = command_line.first().map(|program| String::from_utf8_lossy(program)).unwrap_or_default();
    let name = program.rsplit_once('/').map_or("php", |(_, name)| name);
    format!(
        "Usage: {name} [-n] [-e] [-h] [-i] [-m] [-v] [-t] [-p <prefix>] [-g <pid>] [-c <file>] [-d foo[=bar]] [-y <file>] \
         [-D] [-F [-O]]
  -c <path>|<file> Look for php.ini file in this directory
  -n               No php.ini file will be used
  -d foo[=bar]     Define INI entry foo with value 'bar'
  -e               Generate extended information for debugger/profiler
  -h               This help
  -i               PHP information
  -m               Show compiled in modules
  -v               Version number
  -p, --prefix <dir>
                   Specify alternative prefix path to FastCGI process manager (default: {PREFIX}).
  -g, --pid <file>
                   Specify the PID file location.
  -y, --fpm-config <file>
                   Specify alternative path to FastCGI process manager config file.
  -t, --test       Test FPM configuration and exit
  -D, --daemonize  force to run in background, and ignore daemonize option from config file
  -F, --nodaemonize
                   force to stay in foreground, and ignore daemonize option from config file
  -O, --force-stderr
                   force output to stderr in nodaemonize even if stderr is not a TTY
  -R, --allow-to-run-as-root
                   Allow pool to run as root (disabled by default)
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Parsed, Wrong> {
        parse(&line.split_ascii_whitespace().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn letters_and_names() {
        let parsed = read("-nF -O -tt -y a.conf --prefix=/p --pid x.pid -dfoo=bar -d one").unwrap();
        assert!(parsed.ignore_ini && parsed.options.forces_stderr);
        assert_eq!(parsed.options.daemonizes, Some(false));
        assert_eq!(parsed.options.tests, 2);
        assert_eq!(parsed.options.file.as_deref(), Some("a.conf"));
        assert_eq!(parsed.options.prefix.as_deref(), Some("/p"));
        assert_eq!(parsed.options.pid.as_deref(), Some("x.pid"));
        assert_eq!(parsed.defines, [b"foo=bar".to_vec(), b"one".to_vec()]);
    }

    #[test]
    fn wrong_words() {
        for line in ["-x", "--nothing", "-y", "script.php", "-F script.php"] {
            assert!(read(line).is_err(), "{line}");
        }
        assert_eq!(read("-v --nothing").unwrap().command, Command::Version);
    }
}
