//! The terminal front end, on a pseudo terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A program on a pseudo terminal of 60 columns and 20 rows.
struct Session {
    terminal: File,
    child: Child,
    seen: String,
}

impl Session {
    fn start(arguments: &[&str], program: &str) -> Session {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
        grantpt(&master).expect("its rights");
        unlockpt(&master).expect("its other side");
        let name = ptsname(&master, Vec::new()).expect("its name");
        tcsetwinsize(&master, Winsize { ws_row: 20, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 }).expect("its size");
        let open =
            || File::options().read(true).write(true).open(name.to_str().expect("a name")).expect("the other side");
        let image = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3/programs").join(program);
        let child = Command::new(env!("CARGO_BIN_EXE_phlox-t3"))
            .arg("--no-seed")
            .args(arguments)
            .arg(image)
            .env("TERM", "xterm")
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::from(OwnedFd::from(open())))
            .stdout(Stdio::from(OwnedFd::from(open())))
            .stderr(Stdio::from(OwnedFd::from(open())))
            .spawn()
            .expect("the command");
        Session { terminal: File::from(master), child, seen: String::new() }
    }

    /// Waits until the program has written a text since the last one that was waited for.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        while !self.seen.contains(text) {
            assert!(Instant::now() < end, "waited for {text:?}, saw {:?}", self.seen);
            let limit = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            let ready = poll(&mut [PollFd::new(&self.terminal, PollFlags::IN)], Some(&limit));
            if !ready.is_ok_and(|count| count > 0) {
                continue;
            }
            let mut bytes = [0; 4096];
            let count = self.terminal.read(&mut bytes).unwrap_or(0);
            assert!(count > 0, "waited for {text:?}, saw the end of {:?}", self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        let at = self.seen.find(text).expect("the text") + text.len();
        self.seen.drain(..at);
    }

    fn send(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).expect("written keys");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn lines_are_edited_and_remembered() {
    let mut session = Session::start(&[], "p27_saved.t3");
    session.wait_for("main: 0 nil nil");
    session.wait_for(">");
    session.send("onx\x7fe\r");
    session.wait_for("one: 1 one one,1");
    session.wait_for(">");
    // The line before comes back.
    session.send("\x1b[A\r");
    session.wait_for("one: 2 one one,2");
}

#[test]
fn a_line_whose_time_is_up_goes_on_later() {
    let mut session = Session::start(&[], "p31_timed.t3");
    session.wait_for("First> ");
    session.send("ab");
    session.wait_for("[2, 'ab']");
    session.wait_for("Again> ");
    session.wait_for("ab");
    session.send("c\r");
    session.wait_for("[6, 'abc']");
    session.wait_for("Forgotten> ");
    session.send("xyz");
    session.wait_for("[2, 'xyz']");
    session.wait_for("Last> ");
    session.send("end\r");
    session.wait_for("[6, 'end']");
}

#[test]
fn the_screen_has_a_status_line_styles_and_pages() {
    let mut session = Session::start(&[], "p33_screen.t3");
    // The last row is set apart and shows the status line in reverse.
    session.wait_for("\x1b[1;19r");
    session.wait_for("\x1b[20;1H\x1b[0;7m Hall & stairs");
    session.wait_for("5/10");
    session.wait_for("a \x1b[0m\x1b[1mbold\x1b[0m, an \x1b[0m\x1b[3mitalic\x1b[0m and an");
    session.wait_for("line 10");
    session.wait_for("[More]");
    session.send(" ");
    session.wait_for("line 30");
    session.wait_for("Key> ");
    session.send("\x1b[B");
    session.wait_for("'[down]'");
    session.wait_for("Line> ");
    session.send("é\r");
    session.wait_for("'é'");
}

#[test]
fn the_linear_terminal_is_a_stream_of_text() {
    let mut session = Session::start(&["--linear"], "p33_screen.t3");
    // The status line is the window's title.
    session.wait_for("\x1b]0;Hall & stairs 5/10\x07");
    session.wait_for("a bold, an italic and an underlined word");
    session.wait_for("line 30\r\n");
    session.wait_for("Key> ");
}
