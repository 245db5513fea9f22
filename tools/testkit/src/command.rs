//! Tests of the command line: `NAME.cli` files of sections.
//!
//! `ARGS` (one argument a line; `\n` and `\\` are escapes), `STDIN`, `ENV` (`NAME=value` lines), `FILE name`
//! (a file in the run's folder, any number), `EXPECT` or `EXPECTF`, `STDERR` (an `EXPECTF` pattern), `EXIT`,
//! and `PHLOX` for behaviour that has no counterpart in php.

use crate::diff;
use crate::expect::{Expectation, normalize};
use crate::process::{Finished, Run};
use crate::sections::Sections;
use crate::{Outcome, walk};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One test of the command line.
pub struct Command {
    name: String,
    sections: Sections,
}

impl Command {
    /// Reads a test, or says why the file is none.
    pub fn load(file: &Path) -> Result<Command, String> {
        let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let sections = Sections::parse(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let known = ["TEST", "ARGS", "STDIN", "ENV", "EXPECT", "EXPECTF", "STDERR", "EXIT", "PHLOX"];
        if let Some(name) = sections.names().find(|name| !known.contains(name) && !name.starts_with("FILE ")) {
            return Err(format!("{}: unknown section {name}", file.display()));
        }
        Ok(Command { name: walk::name(file.parent().unwrap_or(file), file), sections })
    }

    /// Does real PHP have the behaviour that the test is about?
    pub fn is_php(&self) -> bool {
        !self.sections.has("PHLOX")
    }

    /// Runs the test and compares its output.
    pub fn check(&self, engine: &Path) -> Result<Outcome, String> {
        let folder = Folder::new(&self.name, &self.sections)?;
        let finished = self.run(engine, &folder.0)?;
        if finished.timed_out {
            return Ok(Outcome::Fail("timed out".to_owned()));
        }
        let mut problems = String::new();
        let place = folder.0.to_string_lossy().into_owned();
        let stdout = String::from_utf8_lossy(&finished.stdout).replace(&place, "{dir}").into_bytes();
        let stderr = String::from_utf8_lossy(&finished.stderr).replace(&place, "{dir}").into_bytes();
        problems.push_str(&difference("output", self.output(), &stdout)?);
        if let Some(pattern) = self.sections.get("STDERR") {
            problems.push_str(&difference("error output", Expectation::Format(pattern.to_vec()), &stderr)?);
        }
        let exit = self.sections.text("EXIT").map_or(Ok(0), |text| text.parse::<i32>());
        let exit = exit.map_err(|_| "EXIT is not a number".to_owned())?;
        if finished.status != exit {
            problems.push_str(&format!("exit status {}, expected {exit}\n", finished.status));
        }
        if problems.is_empty() {
            return Ok(Outcome::Pass);
        }
        problems.push_str(&String::from_utf8_lossy(&stderr));
        Ok(Outcome::Fail(problems))
    }

    fn output(&self) -> Expectation {
        match self.sections.get("EXPECTF") {
            Some(pattern) => Expectation::Format(pattern.to_vec()),
            None => Expectation::Exact(self.sections.get("EXPECT").unwrap_or_default().to_vec()),
        }
    }

    fn run(&self, engine: &Path, folder: &Path) -> Result<Finished, String> {
        let args = self.sections.get("ARGS").unwrap_or_default();
        let args = String::from_utf8_lossy(args);
        let mut run = Run::new(engine)
            .args(args.lines().map(|line| unescape(line).replace("{dir}", &folder.to_string_lossy())))
            .stdin(self.sections.get("STDIN").unwrap_or_default())
            .folder(folder)
            .timeout(Duration::from_secs(20));
        for line in self.sections.lines("ENV") {
            let (name, value) = line.split_once('=').unwrap_or((&line, ""));
            run.env.push((name.into(), value.into()));
        }
        run.run()
    }
}

fn difference(what: &str, expected: Expectation, actual: &[u8]) -> Result<String, String> {
    if expected.matches(actual)? {
        return Ok(String::new());
    }
    let lines = diff::lines(&normalize(expected.text()), &normalize(actual));
    Ok(format!("{what}:\n{lines}"))
}

fn unescape(line: &str) -> String {
    line.replace("\\\\", "\u{1}").replace("\\n", "\n").replace('\u{1}', "\\")
}

/// The folder a command runs in, with the test's files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, sections: &Sections) -> Result<Folder, String> {
        let unique = format!("phlox-cli-{}-{name}-{:?}", std::process::id(), std::thread::current().id());
        let create = || -> std::io::Result<Folder> {
            let path = std::env::temp_dir().join(unique);
            fs::create_dir_all(&path)?;
            let path = fs::canonicalize(path)?;
            for (section, body) in sections.iter() {
                if let Some(file) = section.strip_prefix("FILE ") {
                    fs::write(path.join(file), body)?;
                }
            }
            Ok(Folder(path))
        };
        create().map_err(|error| error.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files left in the temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
