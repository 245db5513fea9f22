//! The command: options that a program's output cannot show.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for the files of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("phlox-t3-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file of the program")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays behind.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(folder: &Folder, arguments: &[&str], program: &str, input: &str) -> Output {
    let image = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3/programs").join(program);
    let mut child = Command::new(env!("CARGO_BIN_EXE_phlox-t3"))
        .args(arguments)
        .arg(image)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    child.stdin.take().expect("its input").write_all(input.as_bytes()).expect("written input");
    child.wait_with_output().expect("its output")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_saved_game_is_where_the_program_starts() {
    let folder = Folder::new("restore");
    run(&folder, &["--no-seed"], "p27_saved.t3", "one\nsave\ntwo\n");
    let output = run(&folder, &["--no-seed", "--restore", "saved.t3v"], "p27_saved.t3", "three\n");
    assert_eq!(words(&output.stdout), "main restore: 1 one one,1 >three: 2 three three,2 >");
}

#[test]
fn a_damaged_saved_game_is_an_error() {
    let folder = Folder::new("damaged");
    run(&folder, &["--no-seed"], "p27_saved.t3", "save\n");
    let path = folder.0.join("saved.t3v");
    let mut bytes = std::fs::read(&path).expect("the saved game");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).expect("the damaged game");
    let output = run(&folder, &["--no-seed", "--restore", "saved.t3v"], "p27_saved.t3", "");
    assert_eq!(output.status.code(), Some(254), "{}", words(&output.stdout));
}

#[test]
fn the_log_has_output_and_input() {
    let folder = Folder::new("log");
    let output = run(&folder, &["--no-seed", "--log", "log.txt"], "p27_saved.t3", "one\n");
    assert_eq!(words(&output.stdout), "main: 0 nil nil >one: 1 one one,1 >");
    assert_eq!(words(folder.read("log.txt").as_bytes()), "main: 0 nil nil >one one: 1 one one,1 >");
}

#[test]
fn a_script_is_read_before_the_input() {
    let folder = Folder::new("script");
    std::fs::write(folder.0.join("walk.txt"), ">first\ncomment\n>second\n").expect("the script");
    let output = run(&folder, &["--no-seed", "--script", "walk.txt"], "p27_saved.t3", "third\n");
    let text = words(&output.stdout);
    assert!(text.contains("second: 2 second second,2 >third: 3 third third,3"), "{text}");
}

#[test]
fn safety_levels_forbid_writing() {
    let folder = Folder::new("safety");
    let output = run(&folder, &["--no-seed", "--safety", "3"], "p27_saved.t3", "save\nquit\n");
    assert!(!folder.0.join("saved.t3v").exists());
    assert!(words(&output.stdout).ends_with("prohibited file access"), "{}", words(&output.stdout));
}

#[test]
fn what_is_no_image_is_refused_with_a_message() {
    let folder = Folder::new("refused");
    let output = run(&folder, &[], "p27_saved.t", "");
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output.stderr).starts_with("phlox-t3: "), "{}", words(&output.stderr));
}
