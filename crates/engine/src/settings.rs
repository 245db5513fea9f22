//! The sources of settings: defaults of the command line, php.ini, files beside it, `-d`. Also applies settings of the
//! engine as a whole before a script runs.

use crate::EXTENSIONS;
use crate::ini_file::{Context, parse};
use phlox_ext_standard_file::settings as about;
use phlox_interp::tier::{limits, perf_map, show};
use phlox_runtime::settings::MAX_ALLOWED_STACK_SIZE;
use phlox_runtime::time_limit::MAX_EXECUTION_TIME;
use phlox_runtime::{ConstValue, Vm};
use phlox_value::stress;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Where php.ini is looked for when nothing else says so.
pub const CONFIG_FILE_PATH: &str = "/etc/phlox";

/// A setting: name and value.
pub type Setting = (String, Vec<u8>);

/// What `php` itself sets for the command line before php.ini is read.
const COMMAND_LINE_DEFAULTS: &[(&str, &str)] = &[("display_errors", "1")];

/// What `php` itself sets for requests of a web server before php.ini is read, where it differs from the command line.
const SERVER_DEFAULTS: &[(&str, &str)] =
    &[("display_errors", "1"), ("html_errors", "1"), ("implicit_flush", "0"), ("max_execution_time", "30")];

/// What php.ini cannot change for the command line, but `-d` can.
const COMMAND_LINE_OVERRIDES: &[(&str, &str)] = &[
    ("html_errors", "0"),
    ("register_argc_argv", "1"),
    ("implicit_flush", "1"),
    ("output_buffering", "0"),
    ("max_execution_time", "0"),
    ("max_input_time", "-1"),
];

/// The settings, and the files that they were read from.
#[derive(Debug, Default)]
pub struct Configuration {
    /// All settings; later ones win.
    pub settings: Vec<Setting>,
    /// The php.ini that was read.
    pub loaded: Option<PathBuf>,
    /// `PHP_INI_SCAN_DIR`
    pub scan_path: Option<OsString>,
    /// Files that were read from the folders of `scan_path`.
    pub scanned: Vec<PathBuf>,
    /// Messages about files that cannot be parsed from some line on.
    pub problems: Vec<String>,
}

impl Configuration {
    /// Settings for the command line. `path`: `-c`; `ignore`: `-n`; `defines`: every `-d`.
    pub fn command_line(path: Option<&[u8]>, ignore: bool, defines: &[Vec<u8>]) -> Configuration {
        Configuration::read(path, ignore, defines, COMMAND_LINE_DEFAULTS, COMMAND_LINE_OVERRIDES)
    }

    /// Settings for requests of a web server. `path`: `-c`; `ignore`: `-n`; `defines`: every `-d`.
    pub fn server(path: Option<&[u8]>, ignore: bool, defines: &[Vec<u8>]) -> Configuration {
        Configuration::read(path, ignore, defines, SERVER_DEFAULTS, &[])
    }

    fn read(
        path: Option<&[u8]>,
        ignore: bool,
        defines: &[Vec<u8>],
        defaults: &[(&str, &str)],
        overrides: &[(&str, &str)],
    ) -> Configuration {
        let mut configuration = Configuration { settings: owned(defaults), ..Configuration::default() };
        if path.is_some() || !ignore {
            configuration.read_main(path);
        }
        if !ignore {
            configuration.read_scanned();
        }
        configuration.describe();
        configuration.settings.extend(owned(overrides));
        for define in defines {
            configuration.add(&define_line(define), None);
        }
        configuration
    }

    /// A setting that is on or off.
    pub fn is_on(&self, name: &str, default: bool) -> bool {
        let value = self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
        value
            .map_or(default, |value| !matches!(&value.to_ascii_lowercase()[..], b"" | b"0" | b"off" | b"no" | b"false"))
    }

    /// A setting's text.
    pub fn text(&self, name: &str) -> Option<&[u8]> {
        self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, value)| &value[..])
    }

    fn read_main(&mut self, path: Option<&[u8]>) {
        for file in main_candidates(path) {
            let Ok(text) = fs::read(&file) else { continue };
            self.add(&text, Some(&file));
            self.settings.push((about::LOADED_FILE.to_owned(), file.as_os_str().as_bytes().to_vec()));
            self.loaded = Some(file);
            return;
        }
    }

    fn read_scanned(&mut self) {
        let Some(path) = std::env::var_os("PHP_INI_SCAN_DIR").filter(|path| !path.is_empty()) else { return };
        for folder in std::env::split_paths(&path) {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut files: Vec<PathBuf> = entries.filter(|file| file.extension().is_some_and(|e| e == "ini")).collect();
            files.sort();
            for file in files {
                if let Ok(text) = fs::read(&file) {
                    self.add(&text, Some(&file));
                    self.scanned.push(file);
                }
            }
        }
        self.scan_path = Some(path);
    }

    /// What scripts and `phpinfo` can ask about the configuration.
    fn describe(&mut self) {
        let mut tell = |name: &str, value: Vec<u8>| self.settings.push((name.to_owned(), value));
        tell(about::CONFIG_PATH, CONFIG_FILE_PATH.into());
        if let Some(path) = &self.scan_path {
            tell(about::SCAN_PATH, path.as_bytes().to_vec());
            let files: Vec<&[u8]> = self.scanned.iter().map(|file| file.as_os_str().as_bytes()).collect();
            let text = if files.is_empty() { Vec::new() } else { [&files.join(&b",\n"[..])[..], b"\n"].concat() };
            tell(about::SCANNED_FILES, text);
        }
    }

    fn add(&mut self, text: &[u8], file: Option<&Path>) {
        let environment = |name: &str| std::env::var_os(name).map(OsString::into_vec);
        let (settings, error) = parse(text, &Context { constant: &constant, environment: &environment });
        self.settings.extend(settings);
        if let (Some(error), Some(file)) = (error, file) {
            self.problems.push(format!("syntax error in {} on line {}", file.display(), error.line));
        }
    }
}

fn owned(settings: &[(&str, &str)]) -> Vec<Setting> {
    settings.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect()
}

/// Files that may be the php.ini, in order.
fn main_candidates(path: Option<&[u8]>) -> Vec<PathBuf> {
    let as_path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
    let mut files = Vec::new();
    let mut folders = Vec::new();
    match path {
        Some(path) => {
            files.push(as_path(path));
            folders.push(as_path(path));
        }
        None => {
            if let Some(place) = std::env::var_os("PHPRC").filter(|place| !place.is_empty()) {
                files.push(PathBuf::from(&place));
                folders.extend(std::env::split_paths(&place));
            }
            folders.extend(std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_path_buf)));
            folders.push(PathBuf::from(CONFIG_FILE_PATH));
        }
    }
    for name in ["php-cli.ini", "php.ini"] {
        files.extend(folders.iter().map(|folder| folder.join(name)));
    }
    files.into_iter().filter(|file| file.is_file()).map(|file| fs::canonicalize(&file).unwrap_or(file)).collect()
}

/// The line of php.ini that `-d` stands for: without a value it means 1, and a value that starts with a sign is
/// quoted.
fn define_line(define: &[u8]) -> Vec<u8> {
    let Some(at) = define.iter().position(|b| *b == b'=') else { return [define, b"=1"].concat() };
    let (name, value) = (&define[..at], &define[at + 1..]);
    let plain = value.first().is_none_or(|first| first.is_ascii_alphanumeric() || matches!(first, b'"' | b'\''));
    if plain { define.to_vec() } else { [name, b"=\"", value, b"\""].concat() }
}

/// A builtin constant as a setting's value.
pub fn constant(name: &str) -> Option<Vec<u8>> {
    let rows = EXTENSIONS.iter().flat_map(|extension| extension.constants.iter().copied().flatten());
    let (_, value) = rows.into_iter().find(|(row, _)| *row == name)?;
    Some(match value {
        ConstValue::Null => Vec::new(),
        ConstValue::Bool(value) => {
            if *value {
                b"1".to_vec()
            } else {
                Vec::new()
            }
        }
        ConstValue::Int(value) => value.to_string().into_bytes(),
        ConstValue::Double(value) => value.to_string().into_bytes(),
        ConstValue::Str(value) => value.as_bytes().to_vec(),
        ConstValue::LibraryStr(text) => text().as_bytes().to_vec(),
        ConstValue::LibraryInt(number) => number().to_string().into_bytes(),
    })
}

/// Turns on what `PHLOX_STRESS` asks for.
pub fn apply_stress() {
    let Some(text) = std::env::var_os("PHLOX_STRESS") else { return };
    match stress::Modes::parse(&text.to_string_lossy()) {
        Ok(modes) => stress::start(modes),
        Err(unknown) => eprintln!("PHLOX_STRESS: there is no mode {unknown}"),
    }
}

/// Tells the engine how large the native stack is: `zend.max_allowed_stack_size`, or the limit of the process.
pub(crate) fn apply_stack_size(vm: &Vm, floor: usize) {
    const USUAL: usize = 8 << 20;
    let configured = usize::try_from(vm.ini.get(&MAX_ALLOWED_STACK_SIZE)).ok().filter(|&bytes| bytes > 0);
    let allowed = || rustix::process::getrlimit(rustix::process::Resource::Stack).current.map(|bytes| bytes as usize);
    let bytes = configured.or_else(allowed).unwrap_or(USUAL);
    vm.replace_native_stack((floor, bytes.saturating_sub(vm.reserved_stack_bytes())));
}

/// Applies `memory_limit` and `max_execution_time`.
pub fn apply_limits(vm: &Vm) {
    crate::startup::apply_memory_limit(vm);
    vm.limit_time(vm.ini.get(&MAX_EXECUTION_TIME));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defines_are_lines_of_php_ini() {
        for (define, line) in [
            ("foo", "foo=1"),
            ("foo=bar", "foo=bar"),
            ("include_path=.:/x", "include_path=\".:/x\""),
            ("a='q r'", "a='q r'"),
            ("a=", "a="),
        ] {
            assert_eq!(define_line(define.as_bytes()), line.as_bytes());
        }
    }
}

/// The interpreter: the one of oplines, or with `PHLOX_ENGINE=oracle` the reference interpreter.
pub fn executor(ini: &[(String, Vec<u8>)], is_worker: bool) -> Box<dyn phlox_runtime::Executor> {
    configure_jit(ini, is_worker);
    match std::env::var_os("PHLOX_ENGINE") {
        Some(engine) if engine == "oracle" => Box::new(phlox_oracle::Oracle),
        _ => Box::new(phlox_interp::Interpreter),
    }
}

/// The compiler of hot code is off with the setting `phlox.jit=0` or with `PHLOX_JIT=0`; a process that answers several requests
/// (`is_worker`) has it only if the setting or the variable asks for it, because the code of a page that computes little is slower
/// than the interpreter (docs/decisions/0054-names-in-compiled-code.md). `PHLOX_JIT=sync` makes scripts
/// wait for the code, `PHLOX_JIT_HOT` is how often a loop runs before it is compiled, and `PHLOX_JIT_STATS=1` prints
/// statistics of what was compiled (2: also the code). `PHLOX_JIT_SHOW` prints another form of the code: `hhir`,
/// `hhir=PASS`, `clif`, `asm`. With `PHLOX_JIT_FAIL=N` every Nth guard of compiled code fails although what it assumes
/// holds. `PHLOX_JIT_ONLY=PART` compiles only functions whose names contain PART, `PHLOX_JIT_PASSES=N` runs only the
/// first N passes, and `PHLOX_JIT_CODE=N` limits the code to N bytes. `PHLOX_JIT_PERF=1` gives code names in `perf`.
fn configure_jit(ini: &[(String, Vec<u8>)], is_worker: bool) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    let setting = ini.iter().rev().find(|(name, _)| name == "phlox.jit").map(|(_, value)| value.as_slice());
    let variable = std::env::var("PHLOX_JIT").ok();
    let mut settings = phlox_interp::tier::Settings::default();
    settings.stats = number("PHLOX_JIT_STATS").unwrap_or(0);
    settings.fails_every = number("PHLOX_JIT_FAIL").unwrap_or(0);
    settings.only = std::env::var("PHLOX_JIT_ONLY").ok().map(|only| &*only.leak());
    if let Some(count) = number("PHLOX_JIT_PASSES") {
        limits::set_passes(count as usize);
    }
    if number("PHLOX_JIT_PERF").is_some_and(|wanted| wanted != 0) {
        perf_map::turn_on();
    }
    if let Some(bytes) = number("PHLOX_JIT_CODE") {
        limits::set_code_bytes(bytes as usize);
    }
    settings.waits = variable.as_deref() == Some("sync");
    // Synchronous compilation is for tests, which need code to be compiled soon.
    let usual = if settings.waits { settings.threshold / 8 } else { settings.threshold };
    settings.threshold = number("PHLOX_JIT_HOT").unwrap_or(usual).max(1);
    let is_off = setting.is_some_and(|value| matches!(value, b"" | b"0")) || variable.as_deref() == Some("0");
    if is_off || is_worker && setting.is_none() && variable.is_none() {
        settings.threshold = 0;
    }
    phlox_interp::tier::configure(settings);
    match std::env::var("PHLOX_JIT_SHOW").ok().map(|text| show::Stage::parse(&text)) {
        Some(Ok(stage)) => show::show(stage),
        Some(Err(message)) => eprintln!("PHLOX_JIT_SHOW: {message}"),
        None => {}
    }
}
