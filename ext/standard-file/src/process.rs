//! Running other programs: `exec` and friends, `popen`, `proc_open`.

use crate::descriptors::Descriptors;
use crate::handles;
use crate::info;
use crate::stream::open::{self, os};
use crate::stream::plain::{FileSource, error_text};
use crate::stream::{Read, Source, Stream};
use command_fds::{CommandFdExt, FdMapping};
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpRes, PhpResult, Val, View, Vm, convert};
use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("exec(string $command, &$output = null, &$result_code = null): string|false", exec),
    FnDef::new("system(string $command, &$result_code = null): string|false", system),
    FnDef::new("passthru(string $command, &$result_code = null): false|null", passthru),
    FnDef::new("shell_exec(string $command): string|false|null", shell_exec),
    FnDef::new("popen(string $command, string $mode)", popen),
    FnDef::new("pclose($handle): int", pclose),
    FnDef::new(
        "proc_open(array|string $command, array $descriptor_spec, &$pipes, ?string $cwd = null, ?array $env_vars = null, ?array $options = null)",
        proc_open,
    ),
    FnDef::new("proc_close(#[resource] $process): int", proc_close),
    FnDef::new("proc_terminate(#[resource] $process, int $signal = 15): bool", proc_terminate),
    FnDef::new("proc_get_status(#[resource] $process): array", proc_get_status),
    FnDef::new("proc_nice(int $priority): bool", proc_nice),
];

/// `sh -c command` with the request's environment.
pub(crate) fn shell(vm: &Vm, command: &[u8]) -> Command {
    // Buffered output must come before what the child prints.
    vm.output.flush_raw();
    let mut child = Command::new("/bin/sh");
    child.arg("-c").arg(OsStr::from_bytes(command));
    set_environment(vm, &mut child);
    child
}

/// Bytes that a command line may have.
pub fn longest_command() -> usize {
    let limit = nix::unistd::sysconf(nix::unistd::SysconfVar::ARG_MAX).ok().flatten();
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(4096)
}

fn set_environment(vm: &Vm, child: &mut Command) {
    for (name, value) in info::environment(vm).changes.borrow().iter() {
        let name = OsStr::from_bytes(name);
        match value {
            Some(value) => child.env(name, OsStr::from_bytes(value)),
            None => child.env_remove(name),
        };
    }
}

/// The status that PHP reports: the exit code, or the system's raw status when a signal ended the program.
fn exit_code(status: ExitStatus) -> i64 {
    status.code().unwrap_or_else(|| status.into_raw()).into()
}

/// Runs a command and collects its output.
fn run(call: &Call<'_>) -> PhpResult<Option<(Vec<u8>, i64)>> {
    let command = call.str(0);
    if command.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if command.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    let output = shell(call.vm, &command).stdin(Stdio::inherit()).stderr(Stdio::inherit()).output();
    match output {
        Ok(output) => Ok(Some((output.stdout, exit_code(output.status)))),
        Err(_) => {
            call.warning(&format!("Unable to fork [{command}]"))?;
            Ok(None)
        }
    }
}

fn store_code(call: &Call<'_>, index: usize, code: i64) -> PhpResult<()> {
    if call.was_passed(index) { call.assign(index, Val::int(code)) } else { Ok(()) }
}

/// Lines without their trailing white space.
fn lines(output: &[u8]) -> Vec<Val> {
    let mut lines: Vec<&[u8]> = output.split(|&b| b == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.into_iter().map(|line| Val::str(line.trim_ascii_end())).collect()
}

fn exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((output, code)) = run(call)? else { return Ok(Val::FALSE) };
    let lines = lines(&output);
    let last = lines.last().cloned().unwrap_or_else(|| "".into());
    if call.was_passed(1) {
        let mut array = call.arg(1).into_arr().unwrap_or_default();
        for line in lines {
            let _ = array.push(line);
        }
        call.assign(1, array.into())?;
    }
    store_code(call, 2, code)?;
    Ok(last)
}

fn system(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((output, code)) = run(call)? else { return Ok(Val::FALSE) };
    call.vm.echo(&output);
    store_code(call, 1, code)?;
    Ok(lines(&output).pop().unwrap_or_else(|| "".into()))
}

fn passthru(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((output, code)) = run(call)? else { return Ok(Val::FALSE) };
    call.vm.echo(&output);
    store_code(call, 1, code)?;
    Ok(Val::NULL)
}

fn shell_exec(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((output, _)) = run(call)? else { return Ok(Val::FALSE) };
    Ok(if output.is_empty() { Val::NULL } else { output.into() })
}

/// A pipe to or from a program of `popen`.
struct ProcessSource {
    pipe: Option<FileSource>,
    child: Option<Child>,
}

impl Source for ProcessSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        self.pipe.as_mut().map_or_else(|| Ok(Read::default()), |pipe| pipe.read(vm, size))
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        self.pipe.as_mut().map_or(Ok(None), |pipe| pipe.write(vm, data))
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        drop(self.pipe.take());
        if let Some(status) = self.child.take().and_then(|mut child| child.wait().ok()) {
            vm.data::<LastStatus>("last process status").code.set(exit_code(status));
        }
        Ok(())
    }

    fn file(&self) -> Option<&File> {
        self.pipe.as_ref().and_then(|pipe| pipe.file())
    }

    fn kind(&self) -> &'static str {
        "STDIO"
    }
}

/// How the process of the stream closed last ended.
struct LastStatus {
    code: std::cell::Cell<i64>,
}

impl Default for LastStatus {
    fn default() -> LastStatus {
        LastStatus { code: std::cell::Cell::new(-1) }
    }
}

fn popen(call: &mut Call<'_>) -> PhpResult<Val> {
    let (command, mode) = (call.str(0), call.str(1));
    let (reads, mode_text) = match mode.as_bytes() {
        b"r" => (true, "r"),
        b"rb" => (true, "rb"),
        b"w" => (false, "w"),
        b"wb" => (false, "wb"),
        _ => return Err(call.value_error(1, "must be one of \"r\", \"rb\", \"w\", or \"wb\"")),
    };
    let mut shell = shell(call.vm, &command);
    if reads {
        shell.stdout(Stdio::piped());
    } else {
        shell.stdin(Stdio::piped());
    }
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => {
            open::warn_about(call.vm, &[&command[..], b",", &mode].concat(), &error_text(&error))?;
            return Ok(Val::FALSE);
        }
    };
    let pipe = if reads { child.stdout.take().map(OwnedFd::from) } else { child.stdin.take().map(OwnedFd::from) };
    let pipe = pipe.map(|descriptor| FileSource::new(File::from(descriptor)));
    let stream = Stream::new(Box::new(ProcessSource { pipe, child: Some(child) }), mode_text);
    Ok(open::resource(Rc::new(stream)).into())
}

fn pclose(call: &mut Call<'_>) -> PhpResult<Val> {
    let (resource, stream) = handles::resource_argument(call, 0)?;
    let status = call.vm.data::<LastStatus>("last process status");
    status.code.set(-1);
    let data = resource.close();
    stream.close(call.vm)?;
    drop(data);
    Ok(Val::int(status.code.get()))
}

/// A process of `proc_open`.
struct Process {
    child: RefCell<Child>,
    command: Vec<u8>,
    pipes: RefCell<Vec<PhpRes>>,
    status: std::cell::Cell<Option<ExitStatus>>,
}

/// A process whose resource is released: its pipes are closed. Only `proc_close` waits for a process.
impl Drop for Process {
    fn drop(&mut self) {
        if let Some(vm) = Vm::current() {
            for pipe in self.pipes.get_mut().drain(..) {
                if let Some(stream) = open::stream_of(&pipe) {
                    // No call is running that an exception could be thrown from.
                    let _ = stream.close(vm);
                    drop(pipe.close());
                }
            }
        }
        if self.status.get().is_none() {
            // A process that has ended is reaped. The call fails in a forked process, whose child it is not.
            let _ = self.child.get_mut().try_wait();
        }
    }
}

/// The program and its arguments.
fn command_of(call: &Call<'_>) -> PhpResult<(Command, Vec<u8>)> {
    let value = call.arg(0);
    let View::Arr(parts) = value.view() else {
        // The shell gets a C string.
        let command = call.str(0).split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
        return Ok((shell(call.vm, &command), command));
    };
    call.vm.output.flush_raw();
    let mut words = Vec::new();
    for part in parts.values() {
        let word = convert::to_str(call.vm, &part.deref())?;
        if words.is_empty() && word.is_empty() {
            return Err(call.vm.throw_value_error(b"First element must contain a non-empty program name"));
        }
        if word.contains(&0) {
            let text = format!("Command array element {} contains a null byte", words.len() + 1);
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
        words.push(word);
    }
    let Some(program) = words.first() else {
        return Err(call.value_error(0, "must have at least one element"));
    };
    let mut command = Command::new(OsStr::from_bytes(program));
    command.args(words[1..].iter().map(|word| OsStr::from_bytes(word)));
    set_environment(call.vm, &mut command);
    Ok((command, program.to_vec()))
}

fn proc_open(call: &mut Call<'_>) -> PhpResult<Val> {
    let (mut command, text) = command_of(call)?;
    let specs = call.arr(1);
    let mut descriptors = Descriptors::default();
    for (key, spec) in &specs {
        let Key::Int(number) = key else {
            return Err(call.value_error(1, "must be an integer indexed array"));
        };
        if !descriptors.add(call, number as i32, &spec.deref())? {
            return Ok(Val::FALSE);
        }
    }
    let mut others = Vec::new();
    for (number, theirs) in descriptors.theirs {
        match number {
            0 => drop(command.stdin(theirs)),
            1 => drop(command.stdout(theirs)),
            2 => drop(command.stderr(theirs)),
            child_fd => others.push(FdMapping { parent_fd: theirs, child_fd }),
        }
    }
    // The numbers are array keys, so none occurs twice.
    let _ = command.fd_mappings(others);
    if let Some(directory) = call.opt_str(3) {
        command.current_dir(os(&directory));
    }
    if let Some(environment) = call.opt_arr(4) {
        command.env_clear();
        for (name, value) in &environment {
            let value = convert::to_str(call.vm, &value.deref())?;
            if value.is_empty() {
                continue;
            }
            let whole = match name.to_owned() {
                ArrKey::Str(name) if !name.is_empty() => [&name[..], b"=", &value].concat(),
                _ => value.to_vec(),
            };
            // A variable without a name cannot be passed to a process.
            if let Some(at) = whole.iter().skip(1).position(|&byte| byte == b'=') {
                command.env(OsStr::from_bytes(&whole[..=at]), OsStr::from_bytes(&whole[at + 2..]));
            }
        }
    }
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            call.warning(&format!("posix_spawn() failed: {}", error_text(&error)))?;
            return Ok(Val::FALSE);
        }
    };
    // The command holds the child's ends of the pipes: without closing them a reader would never see the end.
    drop(command);
    let mut pipes = PhpArr::new();
    let mut resources = Vec::new();
    for (number, resource) in descriptors.ours {
        resources.push(resource.clone());
        pipes.insert(Key::Int(number.into()), resource.into());
    }
    call.assign(2, pipes.into())?;
    let process = Process {
        child: RefCell::new(child),
        command: text,
        pipes: RefCell::new(resources),
        status: std::cell::Cell::new(None),
    };
    Ok(PhpRes::new("process", Box::new(Rc::new(process))).into())
}

fn process(call: &Call<'_>) -> PhpResult<(PhpRes, Rc<Process>)> {
    let value = call.arg(0);
    let Some(resource) = value.as_res() else {
        let text = format!("must be of type resource, {} given", convert::value_name(&value));
        return Err(call.type_error(0, &text));
    };
    let process = resource.data::<Rc<Process>>().map(|process| process.clone());
    match process {
        Some(process) => Ok((resource.clone(), process)),
        None => {
            let name = call.func.display_name();
            let text = [&name[..], b"(): supplied resource is not a valid process resource"].concat();
            Err(call.vm.throw_type_error(&text))
        }
    }
}

impl Process {
    /// The exit status, if the process has ended.
    fn poll(&self) -> Option<ExitStatus> {
        if self.status.get().is_none() {
            self.status.set(self.child.borrow_mut().try_wait().ok().flatten());
        }
        self.status.get()
    }
}

fn proc_close(call: &mut Call<'_>) -> PhpResult<Val> {
    let (resource, process) = process(call)?;
    call.vm.output.before_waiting();
    // Open pipes to the child are closed first, or it may wait for input forever.
    for pipe in process.pipes.take() {
        if let Some(stream) = open::stream_of(&pipe) {
            stream.close(call.vm)?;
            drop(pipe.close());
        }
    }
    let status = match process.status.get() {
        // The end by a signal is reported only once.
        Some(status) => Some(status).filter(|status| status.code().is_some()),
        None => process.child.borrow_mut().wait().ok(),
    };
    drop(resource.close());
    Ok(Val::int(status.map_or(-1, exit_code)))
}

fn proc_terminate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, process) = process(call)?;
    let pid = rustix::process::Pid::from_raw(process.child.borrow().id() as i32);
    let signal = rustix::process::Signal::from_named_raw(call.int(1) as i32);
    let sent = match (pid, signal) {
        (Some(pid), None) if call.int(1) == 0 => rustix::process::test_kill_process(pid).is_ok(),
        (Some(pid), Some(signal)) => rustix::process::kill_process(pid, signal).is_ok(),
        _ => false,
    };
    Ok(Val::bool(sent))
}

fn proc_get_status(call: &mut Call<'_>) -> PhpResult<Val> {
    let (_, process) = process(call)?;
    let status = process.poll();
    let mut array = PhpArr::with_capacity(0);
    array.set_bytes(b"command", Val::str(&process.command));
    array.set_bytes(b"pid", Val::int(process.child.borrow().id() as i64));
    // Only the status of a process that exited by itself is kept.
    array.set_bytes(b"cached", Val::bool(status.is_some_and(|status| status.code().is_some())));
    array.set_bytes(b"running", Val::bool(status.is_none()));
    array.set_bytes(b"signaled", Val::bool(status.is_some_and(|status| status.signal().is_some())));
    array.set_bytes(b"stopped", Val::FALSE);
    array.set_bytes(b"exitcode", Val::int(status.and_then(|status| status.code()).map_or(-1, i64::from)));
    array.set_bytes(b"termsig", Val::int(status.and_then(|status| status.signal()).unwrap_or(0) as i64));
    array.set_bytes(b"stopsig", Val::int(0));
    Ok(array.into())
}

/// Sets the priority of all threads of the process; false if the system refuses.
fn set_priority(priority: i32) -> bool {
    phlox_process::threads().into_iter().all(|thread| {
        let thread = rustix::process::Pid::from_raw(thread as i32);
        thread.is_none_or(|thread| rustix::process::setpriority_process(Some(thread), priority).is_ok())
    })
}

fn proc_nice(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.before_change("priority", || {
        let before = rustix::process::getpriority_process(None);
        // Only a privileged process may raise its priority again.
        Box::new(move || _ = before.map(set_priority))
    });
    let done = match rustix::process::nice(call.int(0) as i32) {
        // The call has changed the thread that runs the script; the other threads of the process get the priority here.
        Ok(priority) => set_priority(priority),
        Err(_) => false,
    };
    if !done {
        call.warning("Only a super user may attempt to increase the priority of a process")?;
    }
    Ok(Val::bool(done))
}
