//! How the server ends or starts anew: first workers are asked to end, then they are made to.

use super::state::{Control, Master, State};
use crate::config::Refused;
use crate::config::check::open_log;
use crate::log::{self, Place};
use crate::{debug, error, notice, system_error, warning};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::ffi::CString;
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, Instant};

impl Master {
    /// Changes what the server is about. A more urgent state is not given up for a less urgent one.
    pub fn set_state(&mut self, state: State) {
        if self.control.state == state {
            return;
        }
        if state < self.control.state {
            debug!(
                "not switching to '{}' state, because already in '{}' state",
                state.name(),
                self.control.state.name()
            );
            return;
        }
        self.control = Control { state, sent: None };
        debug!("switching to '{}' state", state.name());
        self.go_on();
    }

    /// The workers have had their time.
    pub fn on_control_timeout(&mut self) {
        self.go_on();
    }

    /// A worker has ended.
    pub fn on_child_exit(&mut self) {
        if !self.is_normal() && self.running == 0 {
            self.end();
        }
    }

    /// Sends the workers the next signal.
    fn go_on(&mut self) {
        if self.running == 0 {
            self.end();
        }
        let (signal, seconds) = match self.control.sent {
            None => {
                let is_urgent = self.control.state == State::Terminating;
                let signal = if is_urgent { Signal::SIGTERM } else { Signal::SIGQUIT };
                (signal, self.configuration.global.process_control_timeout.0)
            }
            Some(Signal::SIGQUIT) => (Signal::SIGTERM, 1),
            Some(_) => (Signal::SIGKILL, 1),
        };
        self.kill_all(signal);
        self.control.sent = Some(signal);
        let span = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        self.timers.control = Some(Instant::now() + span);
    }

    /// Sends a signal to all workers.
    pub fn kill_all(&self, signal: Signal) {
        let mut alive = 0;
        for pool in &self.pools {
            let name = &self.configuration.pools[pool.number].name;
            for child in &pool.children {
                let result = kill(Pid::from_raw(child.process), signal);
                debug!("[pool {name}] sending signal {} {signal} to child {}", signal as i32, child.process);
                alive += u32::from(result.is_ok());
            }
        }
        if alive > 0 {
            debug!("{alive} child(ren) still alive");
        }
    }

    /// All workers have ended.
    fn end(&mut self) -> ! {
        if self.control.state == State::Reloading { self.execute_anew() } else { self.exit() }
    }

    fn exit(&self) -> ! {
        notice!("exiting, bye-bye!");
        if let Some(path) = &self.configuration.global.pid {
            if let Err(failure) = std::fs::remove_file(path) {
                system_error!(failure, "Unable to remove the PID file ({path}).");
            }
        }
        self.sockets.remove_files();
        std::process::exit(0)
    }

    /// Executes the program anew, with the listening sockets. Clients that have connected wait for the new workers.
    fn execute_anew(&self) -> ! {
        let shown = |argument: &Vec<u8>| format!("\"{}\"", String::from_utf8_lossy(argument));
        let shown: Vec<_> = self.arguments.iter().take(11).map(shown).collect();
        notice!("reloading: execvp({}, {{{}}})", shown.first().map_or("", |name| name), shown.join(", "));
        let variables = self.sockets.variables();
        let mut environment: Vec<Vec<u8>> = std::env::vars_os()
            .map(|(name, value)| (name.into_vec(), value.into_vec()))
            .filter(|(name, _)| !variables.iter().any(|(known, _)| known.as_bytes() == name))
            .map(|(name, value)| [&name[..], b"=", &value[..]].concat())
            .collect();
        let sockets = variables.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?).into_bytes()));
        environment.extend(sockets);
        // None of them has a zero inside: they come from the system.
        let texts = |list: &[Vec<u8>]| -> Vec<CString> {
            list.iter().filter_map(|text| CString::new(text.clone()).ok()).collect()
        };
        let (arguments, environment) = (texts(&self.arguments), texts(&environment));
        if let Some(original) = &self.original_stderr {
            if let Err(failure) = rustix::stdio::dup2_stderr(original) {
                system_error!(
                    failure,
                    "failed to restore original STDERR fd, access.log records may appear in error_log: dup2()"
                );
            }
        }
        if let Some(program) = arguments.first() {
            let Err(failure) = nix::unistd::execvpe(program, &arguments, &environment);
            system_error!(failure, "failed to reload: execvp() failed");
        }
        std::process::exit(crate::worker::EXIT_SOFTWARE)
    }

    /// Opens the logs anew, because somebody has moved them away.
    pub fn reopen_logs(&mut self) {
        // The place may be standard error, which has been tied to the log since the start.
        if let Some(original) = &self.original_stderr {
            let _ = rustix::stdio::dup2_stderr(original);
        }
        match self.configuration.error_log() {
            Ok(place) => {
                self.use_error_log(place);
                notice!("error log file re-opened");
            }
            Err(Refused) => error!("unable to re-opened error log file"),
        }
        match self.reopen_access_logs() {
            Some(Ok(())) => notice!("access log file re-opened"),
            Some(Err(Refused)) => error!("unable to re-opened access log file"),
            None => {}
        }
        // Workers have the logs of slow requests open.
        if self.configuration.pools.iter().any(|pool| pool.request_slowlog_timeout.0 > 0) {
            self.kill_all(Signal::SIGQUIT);
        }
        self.tie_standard_error();
    }

    /// Opens the access logs anew, if there are any. Workers have the old files: others replace them.
    fn reopen_access_logs(&mut self) -> Option<Result<(), Refused>> {
        let mut result = None;
        for number in 0..self.pools.len() {
            let config = &self.configuration.pools[self.pools[number].number];
            let Some(path) = config.access_log.as_deref() else { continue };
            match open_log(path) {
                Ok(file) => {
                    debug!("open access log ({path})");
                    self.pools[number].access_log = Some(file);
                    self.kill_all(Signal::SIGQUIT);
                    result = Some(Ok(()));
                }
                Err(failure) => {
                    system_error!(failure, "failed to open access log ({path})");
                    return Some(Err(Refused));
                }
            }
        }
        result
    }

    /// Makes a place the log's, unless somebody looks at the terminal.
    pub fn use_error_log(&mut self, place: Place) {
        if self.uses_error_log() {
            log::set_place(place);
        }
    }

    /// Whether messages go to the log's place: always in the background, and in the foreground if standard error is no terminal.
    pub fn uses_error_log(&self) -> bool {
        self.options.uses_error_log(self.configuration.global.daemonize)
    }

    /// Makes standard error the log, so that what other parts of the program say is in it, too.
    pub fn tie_standard_error(&self) {
        if self.uses_error_log() && log::tie_standard_error().is_err() {
            warning!("failed to tie stderr fd with error_log fd: dup2()");
        }
    }
}
