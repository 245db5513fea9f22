//! Tests that are PHP programs: `NAME.php` with the expected standard output in `NAME.out`.
//!
//! Directives are comment lines at the top of the program, from its second line on: `//: args a b`, `//: ini precision=5`,
//! `//: stdin text`, `//: exit 255`, `//: source-only`, `//: one-request REASON`,
//! `//: not-as-php REASON`. A program in assembly has `#:` in place of
//! `//:`. A test's own folder is written `{dir}` in the expectation.

use crate::process::{Finished, Run};
use crate::{Outcome, diff, reference_php};
use std::fs;
use std::path::{Path, PathBuf};

/// How a program gets to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// From its source.
    Source,
    /// Compiled to a unit file first, then run from that.
    Unit,
    /// Compiled, printed as assembly, assembled again, then run.
    Assembly,
    /// From its source, executed by the reference interpreter.
    Oracle,
    /// From its source, with every loop compiled to machine code when it is reached for the second time.
    Jit,
    /// From its source, three times in one process, which keeps what it has compiled as a web server's process does.
    Repeated,
    /// [`Form::Repeated`], with the compiler as in [`Form::Jit`].
    RepeatedJit,
}

/// How often [`Form::Repeated`] runs a program.
const REQUESTS: usize = 3;

impl Form {
    pub const ALL: [Form; 7] =
        [Form::Source, Form::Unit, Form::Assembly, Form::Oracle, Form::Jit, Form::Repeated, Form::RepeatedJit];

    /// The form's name in directives and test names.
    pub fn name(self) -> &'static str {
        match self {
            Form::Source => "source",
            Form::Unit => "unit",
            Form::Assembly => "assembly",
            Form::Oracle => "oracle",
            Form::Jit => "jit",
            Form::Repeated => "repeated",
            Form::RepeatedJit => "repeated-jit",
        }
    }

    /// Whether one process runs the program several times.
    fn is_repeated(self) -> bool {
        matches!(self, Form::Repeated | Form::RepeatedJit)
    }
}

/// One test program.
pub struct Script {
    file: PathBuf,
    directives: Directives,
}

#[derive(Default)]
struct Directives {
    args: Vec<String>,
    ini: Vec<String>,
    stdin: Vec<u8>,
    exit: i32,
    source_only: bool,
    one_request: bool,
    not_as_php: bool,
}

impl Script {
    /// Reads a test's directives, or says why they are wrong.
    pub fn load(file: &Path) -> Result<Script, String> {
        let source = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let file = fs::canonicalize(file).map_err(|error| error.to_string())?;
        Ok(Script { directives: directives(&source)?, file })
    }

    /// Is this way of running the program part of the test? `//: source-only` says no for programs about their
    /// own text, `//: one-request` for programs that change what lies outside of the request or end the process.
    pub fn has_form(&self, form: Form) -> bool {
        if form.is_repeated() {
            // All requests share the standard input.
            return !self.directives.one_request && self.directives.stdin.is_empty();
        }
        matches!(form, Form::Source | Form::Oracle | Form::Jit) || !self.directives.source_only
    }

    /// Is real PHP's output known to be another? (`//: not-as-php`, and the reason)
    pub fn differs_from_php(&self) -> bool {
        self.directives.not_as_php
    }

    /// Runs the program and compares; with `bless`, a differing expectation is replaced.
    pub fn check(&self, engine: &Path, form: Form, bless: bool) -> Result<Outcome, String> {
        let finished = self.run(engine, form)?;
        if finished.timed_out {
            return Ok(Outcome::Fail("timed out".to_owned()));
        }
        let folder = self.folder().to_string_lossy().into_owned();
        let output = replace(&finished.stdout, folder.as_bytes(), b"{dir}");
        let expectation = self.file.with_extension("out");
        let mut expected = fs::read(&expectation).ok();
        if let Some(once) = expected.take_if(|_| form.is_repeated()) {
            expected = Some(self.repeated(&once));
        }
        if expected.as_deref() != Some(&output) {
            if bless {
                fs::write(&expectation, &output).map_err(|error| error.to_string())?;
            } else {
                let difference = diff::lines(&expected.unwrap_or_default(), &output);
                return Ok(Outcome::Fail(format!("{difference}{}", String::from_utf8_lossy(&finished.stderr))));
            }
        }
        if finished.status != self.directives.exit {
            let (actual, wanted) = (finished.status, self.directives.exit);
            let stderr = String::from_utf8_lossy(&finished.stderr);
            return Ok(Outcome::Fail(format!("exit status {actual}, expected {wanted}\n{stderr}")));
        }
        Ok(Outcome::Pass)
    }

    /// What `phlox repeat` prints if each request has this output and leaves nothing behind.
    fn repeated(&self, output: &[u8]) -> Vec<u8> {
        let status = self.directives.exit;
        let line = |number| format!("\n-- request {number}: 0 objects left, exit status {status}\n");
        (1..=REQUESTS).flat_map(|number| [output, line(number).as_bytes()].concat()).collect()
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    fn run(&self, engine: &Path, form: Form) -> Result<Finished, String> {
        if matches!(form, Form::Unit | Form::Assembly) {
            let scratch = Scratch::new(&self.file, form)?;
            let unit = scratch.path("program.phbc");
            compile(engine, &self.file, &unit)?;
            if form == Form::Assembly {
                reassemble(engine, &unit, &scratch.path("program.phas"))?;
            }
            return self.start(engine, &unit, form);
        }
        self.start(engine, &self.file, form)
    }

    fn start(&self, engine: &Path, program: &Path, form: Form) -> Result<Finished, String> {
        let ini = self.directives.ini.iter().flat_map(|setting| ["-d".to_owned(), setting.clone()]);
        let mut run = Run::new(engine);
        if form == Form::Oracle {
            run.env.push(("PHLOX_ENGINE".into(), "oracle".into()));
        }
        if matches!(form, Form::Jit | Form::RepeatedJit) {
            run.env.push(("PHLOX_JIT".into(), "sync".into()));
            run.env.push(("PHLOX_JIT_HOT".into(), "2".into()));
        }
        if form.is_repeated() {
            run = run.args(["repeat".to_owned(), REQUESTS.to_string()]);
        }
        // Real PHP loads its shared extensions through the folder of settings, which `-n` would ignore.
        let settings: &[&str] = if reference_php().as_deref() == Some(engine) { &["-c", "/dev/null"] } else { &["-n"] };
        run.args(settings)
            .args(["-d", "log_errors=0"])
            .args(ini)
            .arg(program)
            .args(&self.directives.args)
            .stdin(self.directives.stdin.clone())
            .folder(self.folder())
            .run()
    }
}

fn compile(engine: &Path, source: &Path, unit: &Path) -> Result<(), String> {
    succeed(Run::new(engine).arg("compile").arg(source).arg("-o").arg(unit))
}

/// Unit to text and back, over itself: nothing may be lost on the way.
fn reassemble(engine: &Path, unit: &Path, text: &Path) -> Result<(), String> {
    let read = || fs::read(unit).map_err(|error| format!("{}: {error}", unit.display()));
    let before = read()?;
    succeed(Run::new(engine).arg("dis").arg(unit).arg("-o").arg(text))?;
    succeed(Run::new(engine).arg("asm").arg(text).arg("-o").arg(unit))?;
    if read()? == before { Ok(()) } else { Err("the unit is not what it was before it became text".to_owned()) }
}

fn succeed(run: Run) -> Result<(), String> {
    let finished = run.run()?;
    if finished.status == 0 && !finished.timed_out {
        return Ok(());
    }
    let output = [finished.stdout, finished.stderr].concat();
    Err(format!("{:?} failed ({}): {}", run.args, finished.status, String::from_utf8_lossy(&output)))
}

/// The `//: name value` or `#: name value` lines that follow the first line.
fn directives(source: &[u8]) -> Result<Directives, String> {
    let mut directives = Directives::default();
    let text = String::from_utf8_lossy(source);
    let directive = |line: &'_ str| line.strip_prefix("//: ").or_else(|| line.strip_prefix("#: ")).map(str::to_owned);
    for line in text.lines().skip(1).map_while(directive) {
        let (name, value) = line.split_once(' ').unwrap_or((&line, ""));
        match name {
            "args" => directives.args.extend(value.split(' ').map(str::to_owned)),
            "ini" => directives.ini.push(value.to_owned()),
            "stdin" => directives.stdin.extend_from_slice(value.replace("\\n", "\n").as_bytes()),
            "exit" => directives.exit = value.parse().map_err(|_| format!("not a number: {value}"))?,
            "source-only" => directives.source_only = true,
            "one-request" => directives.one_request = true,
            "not-as-php" => directives.not_as_php = true,
            _ => return Err(format!("unknown directive {name}")),
        }
    }
    Ok(directives)
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(from) {
            result.extend_from_slice(to);
            rest = after;
        } else {
            result.push(rest[0]);
            rest = &rest[1..];
        }
    }
    result
}

/// A folder for one run's files; removed afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(file: &Path, form: Form) -> Result<Scratch, String> {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let unique =
            format!("phlox-test-{}-{stem}-{}-{:?}", std::process::id(), form.name(), std::thread::current().id());
        let path = std::env::temp_dir().join(unique);
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Scratch(path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Files left in the temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
