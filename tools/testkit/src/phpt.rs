//! Runs tests in PHP's own format, with the rules of PHP's `run-tests.php`.
//!
//! Generated programs lie beside the test, because tests use `__DIR__`. Tests that need a web server's request
//! (`GET`, `POST`, ...) or a debugger are skipped.

use crate::expect::{Expectation, normalize};
use crate::process::{Finished, Run};
use crate::sections::Sections;
use crate::{Outcome, diff};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Settings of every test.
const SETTINGS: &[&str] = &[
    "output_handler=",
    "open_basedir=",
    "disable_functions=",
    "output_buffering=Off",
    "error_reporting=30719",
    "display_errors=1",
    "display_startup_errors=1",
    "log_errors=0",
    "html_errors=0",
    "report_memleaks=1",
    "docref_root=",
    "docref_ext=.html",
    "error_prepend_string=",
    "error_append_string=",
    "auto_prepend_file=",
    "auto_append_file=",
    "ignore_repeated_errors=0",
    "precision=14",
    "serialize_precision=-1",
    "memory_limit=128M",
    "zend.assertions=1",
    "zend.exception_ignore_args=0",
    "zend.exception_string_param_max_len=15",
    "short_open_tag=0",
    "date.timezone=UTC",
];

/// Sections that need more than a command-line program.
const OTHER_SERVER: &[&str] =
    &["GET", "POST", "POST_RAW", "PUT", "GZIP_POST", "DEFLATE_POST", "COOKIE", "CGI", "EXPECTHEADERS", "PHPDBG"];

/// An engine with its list of extensions.
pub struct Engine {
    pub program: PathBuf,
    /// Lower-case names of the engine's extensions.
    pub extensions: Vec<String>,
    pub timeout: Duration,
}

impl Engine {
    /// Asks the engine for its extensions.
    pub fn new(program: PathBuf, timeout: Duration) -> Result<Engine, String> {
        let code = "echo implode(',', get_loaded_extensions());";
        let finished = Run::new(&program).args(["-n", "-r", code]).timeout(timeout).run()?;
        let names = String::from_utf8_lossy(&finished.stdout).to_lowercase();
        Ok(Engine { program, extensions: names.split(',').map(str::to_owned).collect(), timeout })
    }

    /// A shell command, because `ARGS` and engines with options are written for a shell.
    fn shell(&self, settings: &[String], rest: &str, test: &Phpt, stdin: &[u8]) -> Result<Finished, String> {
        let mut command = quote(&self.program.to_string_lossy());
        for setting in settings {
            command.push_str(" -d ");
            command.push_str(&quote(setting));
        }
        command.push(' ');
        command.push_str(rest);
        let mut run = Run::new("/bin/sh").arg("-c").arg(command).folder(&test.folder).timeout(self.timeout);
        run.stdin = stdin.to_vec();
        run.env = test.env.clone();
        run.env.push(("TEST_PHP_EXECUTABLE".into(), self.program.clone().into()));
        run.env.push(("TEST_PHP_EXECUTABLE_ESCAPED".into(), quote(&self.program.to_string_lossy()).into()));
        run.run()
    }
}

/// One test.
pub struct Phpt {
    file: PathBuf,
    folder: PathBuf,
    sections: Sections,
    env: Vec<(OsString, OsString)>,
}

impl Phpt {
    /// Reads a test, or says why the file is none.
    pub fn load(file: &Path) -> Result<Phpt, String> {
        let file = fs::canonicalize(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let sections = Sections::parse(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new("/")).to_path_buf();
        let mut test = Phpt { file, folder, sections, env: Vec::new() };
        test.env = test
            .sections
            .lines("ENV")
            .iter()
            .filter_map(|line| line.split_once('='))
            .map(|(name, value)| (name.trim().into(), value.into()))
            .collect();
        Ok(test)
    }

    /// The title in the `TEST` section.
    pub fn title(&self) -> String {
        self.sections.text("TEST").unwrap_or_default()
    }

    /// Runs the test, or says why it is skipped.
    pub fn check(&self, engine: &Engine) -> Result<Outcome, String> {
        if let Some(name) = OTHER_SERVER.iter().find(|name| self.sections.has(name)) {
            return Ok(Outcome::Skip(format!("section {name} needs a server")));
        }
        if self.sections.has("REDIRECTTEST") {
            return Ok(Outcome::Skip("a redirection to other tests".to_owned()));
        }
        if let Some(name) = self.missing_extension(engine) {
            return Ok(Outcome::Skip(format!("extension {name} is not there")));
        }
        let settings = self.settings();
        let mut expected_failure = self.sections.has("XFAIL");
        match self.skip_reason(engine, &settings)? {
            Some(text) if text.to_lowercase().starts_with("skip") => return Ok(Outcome::Skip(text)),
            Some(text) if text.to_lowercase().starts_with("xfail") => expected_failure = true,
            Some(text) if ["info", "warn", "flaky", "xleak"].iter().any(|w| text.to_lowercase().starts_with(w)) => {}
            Some(text) => return Ok(Outcome::Fail(format!("SKIPIF printed: {text}"))),
            None => {}
        }
        let outcome = self.run(engine, &settings);
        self.clean(engine, &settings)?;
        match outcome? {
            Outcome::Fail(_) if expected_failure => Ok(Outcome::Skip("expected to fail".to_owned())),
            outcome => Ok(outcome),
        }
    }

    fn missing_extension(&self, engine: &Engine) -> Option<String> {
        let wanted = self.sections.lines("EXTENSIONS");
        wanted.into_iter().find(|name| !engine.extensions.contains(&name.trim().to_lowercase()))
    }

    fn settings(&self) -> Vec<String> {
        let folder = self.folder.to_string_lossy();
        let temporary = std::env::temp_dir();
        let own = self.sections.lines("INI").into_iter();
        let own = own.map(|line| line.replace("{PWD}", &folder).replace("{TMP}", &temporary.to_string_lossy()));
        let own = own.map(|line| match line.split_once('=') {
            Some((name, value)) => format!("{}={}", name.trim(), value.trim()),
            None => line,
        });
        SETTINGS.iter().map(|setting| (*setting).to_owned()).chain(own).collect()
    }

    fn skip_reason(&self, engine: &Engine, settings: &[String]) -> Result<Option<String>, String> {
        let Some(code) = self.sections.get("SKIPIF") else { return Ok(None) };
        let program = Generated::new(self.file.with_extension("skip.php"), code)?;
        let finished = engine.shell(settings, &format!("-f {} 2>&1", program.quoted()), self, b"")?;
        let output = String::from_utf8_lossy(&normalize(&finished.stdout)).into_owned();
        Ok((!output.is_empty()).then_some(output))
    }

    fn run(&self, engine: &Engine, settings: &[String]) -> Result<Outcome, String> {
        let program = Generated::new(self.file.with_extension("php"), &self.program()?)?;
        let args = self.sections.text("ARGS").map(|args| format!("-- {args}")).unwrap_or_default();
        let redirect = match self.sections.text("CAPTURE_STDIO") {
            None => "2>&1",
            Some(streams) if streams.contains("STDERR") && streams.contains("STDOUT") => "2>&1",
            Some(streams) if streams.contains("STDERR") => "2>&1 >/dev/null",
            Some(_) => "2>/dev/null",
        };
        let stdin = self.sections.get("STDIN").unwrap_or_default();
        let command = format!("-f {} {args} {redirect}", program.quoted());
        let finished = engine.shell(settings, &command, self, stdin)?;
        if finished.timed_out {
            return Ok(Outcome::Fail("timed out".to_owned()));
        }
        let expected = self.expectation()?;
        if expected.matches(&finished.stdout)? {
            return Ok(Outcome::Pass);
        }
        let crash = if finished.crashed() { format!("ended with status {}\n", finished.status) } else { String::new() };
        let lines = diff::lines(&normalize(expected.text()), &normalize(&finished.stdout));
        Ok(Outcome::Fail(crash + &lines))
    }

    fn program(&self) -> Result<Vec<u8>, String> {
        if let Some(code) = self.sections.get("FILE") {
            return Ok(code.to_vec());
        }
        if let Some(code) = self.sections.get("FILEEOF") {
            let end = code.iter().rposition(|b| !matches!(b, b'\r' | b'\n')).map_or(0, |at| at + 1);
            return Ok(code[..end].to_vec());
        }
        self.external("FILE_EXTERNAL")?.ok_or_else(|| "no FILE section".to_owned())
    }

    fn external(&self, section: &str) -> Result<Option<Vec<u8>>, String> {
        let Some(name) = self.sections.text(section) else { return Ok(None) };
        // A test cannot reach outside its folder, as in PHP's runner.
        let path = self.folder.join(name.replace("..", ""));
        fs::read(&path).map(Some).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn expectation(&self) -> Result<Expectation, String> {
        type Kind = fn(Vec<u8>) -> Expectation;
        let kinds: [(&str, Kind); 3] =
            [("EXPECT", Expectation::Exact), ("EXPECTF", Expectation::Format), ("EXPECTREGEX", Expectation::Regex)];
        for (name, kind) in kinds {
            if let Some(text) = self.sections.get(name) {
                return Ok(kind(text.to_vec()));
            }
            if let Some(text) = self.external(&format!("{name}_EXTERNAL"))? {
                return Ok(kind(text));
            }
        }
        Err("no EXPECT section".to_owned())
    }

    fn clean(&self, engine: &Engine, settings: &[String]) -> Result<(), String> {
        if let Some(code) = self.sections.get("CLEAN") {
            let program = Generated::new(self.file.with_extension("clean.php"), code)?;
            engine.shell(settings, &format!("-f {} 2>&1", program.quoted()), self, b"")?;
        }
        Ok(())
    }
}

/// A word for the shell.
fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A program written beside its test; removed afterwards.
struct Generated(PathBuf);

impl Generated {
    fn new(path: PathBuf, code: &[u8]) -> Result<Generated, String> {
        fs::write(&path, code).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Generated(path))
    }

    fn quoted(&self) -> String {
        quote(&self.0.to_string_lossy())
    }
}

impl Drop for Generated {
    fn drop(&mut self) {
        // The test may have removed the program itself.
        let _ = fs::remove_file(&self.0);
    }
}
