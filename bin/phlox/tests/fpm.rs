//! `phlox fpm` as a whole: a pool at a Unix socket, its requests, signals and end.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// For so long something is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server in a folder of its own.
struct Server {
    folder: PathBuf,
    process: Child,
}

impl Server {
    /// Starts a pool with these lines in its section.
    fn start(name: &str, lines: &str) -> Server {
        let folder = std::env::temp_dir().join(format!("phlox-fpm-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let place = folder.display();
        let text = format!(
            "[global]\nerror_log = {place}/log\npid = {place}/pid\nprocess_control_timeout = 5\n[www]\nlisten = {place}/socket\n\
             catch_workers_output = yes\naccess.log = {place}/access\naccess.format = \"%m %r%Q%q %s\"\n\
             pm.status_path = /status\nping.path = /ping\n{lines}\n"
        );
        fs::write(folder.join("conf"), text).unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_phlox"))
            .args(["fpm", "-n", "-F", "-R", "-y"])
            .arg(folder.join("conf"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server { folder, process };
        server.expect("log", "ready to handle connections", 1);
        server
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    /// Waits until a file has a text so many times.
    fn expect(&self, file: &str, text: &str, count: usize) {
        let end = Instant::now() + PATIENCE;
        while self.read(file).matches(text).count() < count {
            assert!(Instant::now() < end, "no {text:?} in {file}:\n{}", self.read(file));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn script(&self, name: &str, code: &str) -> String {
        let path = self.folder.join(name);
        fs::write(&path, code).unwrap();
        path.display().to_string()
    }

    fn signal(&self, name: &str) {
        let process = self.read("pid");
        assert!(Command::new("kill").args([&format!("-{name}"), &process]).status().unwrap().success());
    }

    /// The answer to a request, and what came for the client's log.
    fn ask(&self, pairs: &[(&str, &str)], body: &[u8]) -> (String, String) {
        ask(&self.folder.join("socket"), pairs, body)
    }

    fn get(&self, script: &str) -> (String, String) {
        let pairs = [("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", script), ("SCRIPT_NAME", "/s.php")];
        self.ask(&pairs, b"")
    }

    /// Ends the server; gives its status.
    fn end(mut self, signal: &str) -> Option<i32> {
        self.signal(signal);
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After a failed test the server is still there.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = (content.len() as u16).to_be_bytes();
    [&[1, kind, 0, 1, high, low, 0, 0], content].concat()
}

fn ask(socket: &Path, pairs: &[(&str, &str)], body: &[u8]) -> (String, String) {
    let mut parameters = Vec::new();
    for (name, value) in pairs {
        parameters.push(name.len() as u8);
        parameters.extend(((value.len() as u32) | 0x8000_0000).to_be_bytes());
        parameters.extend_from_slice(name.as_bytes());
        parameters.extend_from_slice(value.as_bytes());
    }
    let mut request = [record(1, &[0, 1, 0, 0, 0, 0, 0, 0]), record(4, &parameters), record(4, b"")].concat();
    body.chunks(60_000).for_each(|part| request.extend(record(5, part)));
    request.extend(record(5, b""));
    let mut connection = UnixStream::connect(socket).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.write_all(&request).unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).unwrap();
    let (mut output, mut errors, mut has_ended) = (Vec::new(), Vec::new(), false);
    let mut rest = &answer[..];
    while let [_, kind, _, _, high, low, padding, _, after @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        match kind {
            6 => output.extend_from_slice(&after[..length]),
            7 => errors.extend_from_slice(&after[..length]),
            _ => has_ended = true,
        }
        rest = &after[length + usize::from(*padding)..];
    }
    assert!(has_ended, "the answer has no end");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output), text(errors))
}

#[test]
fn requests() {
    let server = Server::start(
        "requests",
        "pm = static\npm.max_children = 1\nenv[COLOUR] = red\nphp_admin_value[precision] = 3",
    );
    let script = server.script(
        "a.php",
        "<?php static $count = 0; $count++; echo php_sapi_name(), ' ', $count, ' ', getenv('COLOUR'), ' ', 1 / 3, ' ', \
         $_SERVER['PHP_SELF'], ' ', file_get_contents('php://input'); ini_set('precision', 17); echo ' ', 1 / 3; error_log('said');",
    );
    for _ in 0..2 {
        let (answer, errors) = server.get(&script);
        assert!(answer.ends_with("\r\n\r\nfpm-fcgi 1 red 0.333 /s.php  0.333"), "{answer}");
        assert_eq!(errors, "PHP message: said");
    }
    let pairs = [("REQUEST_METHOD", "PUT"), ("SCRIPT_FILENAME", &script), ("CONTENT_LENGTH", "200000")];
    let (answer, _) = server.ask(&pairs, &vec![b'x'; 200_000]);
    assert!(answer.contains(&"x".repeat(200_000)));
    assert!(server.get("/does/not/exist.php").0.starts_with("Status: 404 Not Found\r\n"));
    let secret = server.script("a.txt", "secret");
    assert!(server.get(&secret).0.ends_with("Access denied.\n"));
    let pairs =
        [("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", "x"), ("SCRIPT_NAME", "/status"), ("QUERY_STRING", "json")];
    assert!(server.ask(&pairs, b"").0.contains("\"accepted conn\":6,"));
    let log = server.read("log");
    assert!(log.contains("said into stderr: \"NOTICE: PHP message: said\""), "{log}");
    let access: Vec<String> = server.read("access").lines().map(str::to_owned).collect();
    assert_eq!(access[..2], ["GET /s.php 200", "GET /s.php 200"]);
    assert_eq!(access.last().map(String::as_str), Some("GET /status?json 200"));
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn the_answer_can_end_before_the_script() {
    let server = Server::start("finish", "pm = ondemand\npm.max_children = 2");
    let file = server.folder.join("after");
    let code = format!(
        "<?php echo 'early'; var_dump(fastcgi_finish_request()); echo 'late'; usleep(200000); \
         file_put_contents('{}', get_debug_type(fpm_get_status()));",
        file.display()
    );
    let script = server.script("a.php", &code);
    let (answer, _) = server.get(&script);
    assert!(answer.ends_with("\r\n\r\nearly"), "{answer}");
    assert!(!file.exists());
    server.expect("after", "array", 1);
    assert_eq!(server.end("QUIT"), Some(0));
}

#[test]
fn no_request_is_lost_while_the_server_starts_anew() {
    let server = Server::start("reload", "pm = static\npm.max_children = 2");
    let script = server.script("a.php", "<?php usleep(5000); echo 'done';");
    let socket = server.folder.join("socket");
    let clients: Vec<_> = (0..3)
        .map(|_| {
            let (socket, script) = (socket.clone(), script.clone());
            std::thread::spawn(move || {
                let pairs = [("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", &script[..])];
                (0..100).filter(|_| ask(&socket, &pairs, b"").0.ends_with("done")).count()
            })
        })
        .collect();
    for number in 2..4 {
        server.signal("USR2");
        server.expect("log", "ready to handle connections", number);
    }
    for client in clients {
        assert_eq!(client.join().unwrap(), 100);
    }
    assert!(server.read("log").contains("using inherited socket fd="));
    assert_eq!(server.end("QUIT"), Some(0));
}

#[test]
fn workers_end_and_are_replaced() {
    let lines = "pm = static\npm.max_children = 1\npm.max_requests = 2\nrequest_terminate_timeout = 1\nphp_admin_value[memory_limit] = 8M";
    let server = Server::start("replaced", lines);
    let script = server.script("a.php", "<?php echo getmypid();");
    let process = || server.get(&script).0.rsplit("\r\n\r\n").next().unwrap().to_owned();
    let (one, two, three) = (process(), process(), process());
    assert!(one == two && two != three, "{one} {two} {three}");
    let hungry = server.script("b.php", "<?php $a = []; while (true) $a[] = str_repeat('x', 100000);");
    assert!(server.get(&hungry).0.contains("Allowed memory size of 8388608 bytes exhausted"));
    assert_ne!(process(), three);
    let crash = server.script("c.php", "<?php posix_kill(getmypid(), 9);");
    let pairs = [("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", &crash[..])];
    assert!(std::panic::catch_unwind(|| ask(&server.folder.join("socket"), &pairs, b"")).is_err());
    server.expect("log", "exited on signal 9 (SIGKILL)", 1);
    let slow = server.script("d.php", "<?php while (true);");
    let pairs = [("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", &slow[..])];
    assert!(std::panic::catch_unwind(|| ask(&server.folder.join("socket"), &pairs, b"")).is_err());
    server.expect("log", "execution timed out (1.", 1);
    assert!(process().parse::<u32>().is_ok());
    assert_eq!(server.end("TERM"), Some(0));
}

#[test]
fn without_a_configuration_file() {
    let folder = std::env::temp_dir().join(format!("phlox-fpm-bind-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (socket, script) = (folder.join("socket"), folder.join("a.txt"));
    fs::write(&script, "<?php echo php_sapi_name(), ' ', getmypid(), ' ', getenv('COLOUR');").unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_phlox"))
        .args(["cgi", "-n", "-b"])
        .arg(&socket)
        .envs([("PHP_FCGI_CHILDREN", "1"), ("PHP_FCGI_MAX_REQUESTS", "1"), ("COLOUR", "red")])
        .spawn()
        .unwrap();
    let end = Instant::now() + PATIENCE;
    while UnixStream::connect(&socket).is_err() {
        assert!(Instant::now() < end, "the server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    let script = script.display().to_string();
    let answers: Vec<String> =
        (0..2).map(|_| ask(&socket, &[("REQUEST_METHOD", "GET"), ("SCRIPT_FILENAME", &script[..])], b"").0).collect();
    assert!(answers[0].contains("\r\n\r\ncgi-fcgi ") && answers[0].ends_with(" red"), "{}", answers[0]);
    assert_ne!(answers[0], answers[1], "each request has a process of its own");
    assert!(Command::new("kill").arg(process.id().to_string()).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
    assert!(!socket.exists());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_wrong_configuration_is_refused() {
    let folder = std::env::temp_dir().join(format!("phlox-fpm-wrong-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("conf"), "[www]\nlisten = 9000\npm = magic\n").unwrap();
    let run = |words: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_phlox")).arg("fpm").args(words).arg(folder.join("conf")).output().unwrap()
    };
    let output = run(&["-n", "-t", "-y"]);
    assert_eq!(output.status.code(), Some(78));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("unable to parse value for entry 'pm'") && text.ends_with("FPM initialization failed\n"),
        "{text}"
    );
    assert_eq!(run(&["--nothing"]).status.code(), Some(64));
    fs::remove_dir_all(&folder).unwrap();
}
