//! The cache of compiled files: same output with it, whatever state its folder is in.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a program of more than the shortest size that is kept, and a folder for the cache.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("phlox-cache-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        let place = Place(fs::canonicalize(path).expect("a folder for the test"));
        place.write("main.php", &program("first"));
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }

    fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_phlox"));
        command.arg("-n").args(arguments).current_dir(&self.0).env("PHLOX_CACHE_DIR", self.cache());
        command
    }

    fn run(&self) -> String {
        text(self.command(&["main.php"]).output().expect("phlox starts"))
    }

    fn entries(&self) -> Vec<PathBuf> {
        let compilers = fs::read_dir(self.cache()).into_iter().flatten().flatten();
        let mut entries: Vec<PathBuf> = compilers
            .flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten())
            .map(|e| e.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "phbc"))
            .collect();
        entries.sort();
        entries
    }

    fn entry(&self) -> PathBuf {
        let entries = self.entries();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program that says what it is and gets a deprecation and a warning while it is compiled.
fn program(word: &str) -> String {
    let filler = "// A comment of some length, so that the program is worth keeping.\n".repeat(20);
    format!(
        "<?php\n{filler}function f($a = 1, $b) {{ return $a . $b; }}\nclass A {{ const B = [1, 'x' => 2.5]; }}\necho f('{word}', 2), A::B['x'], \"\\n\";\ntry {{ throw new Exception('e'); }} catch (Exception $e) {{ echo $e->getLine(), \"\\n\"; }}\n"
    )
}

fn text(output: Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Tells one version of a file from the next.
fn identity(file: &Path) -> (u64, Vec<u8>) {
    (fs::metadata(file).expect("the entry").ino(), fs::read(file).expect("the entry"))
}

#[test]
fn an_entry_is_made_once_and_says_the_same() {
    let place = Place::new("once");
    let uncached = text(place.command(&["main.php"]).env("PHLOX_CACHE_DIR", "").output().expect("phlox starts"));
    assert!(uncached.contains("Deprecated") && uncached.contains("first22.5"), "{uncached}");
    assert!(place.entries().is_empty());
    assert_eq!(place.run(), uncached);
    let first = identity(&place.entry());
    assert_eq!(place.run(), uncached);
    assert_eq!(identity(&place.entry()), first);
    assert_eq!(fs::metadata(place.cache()).expect("the cache").permissions().mode() & 0o777, 0o700);
}

#[test]
fn an_entry_is_what_runs() {
    let place = Place::new("used");
    place.run();
    let first = place.entry();
    let entry = fs::read(&first).expect("the entry");
    place.write("main.php", &program("other"));
    place.run();
    let second = place.entries().into_iter().find(|entry| *entry != first).expect("another entry");
    // The first program's unit under the second one's key.
    let mut exchanged = fs::read(&second).expect("the entry");
    exchanged.truncate(24);
    exchanged.extend_from_slice(&entry[24..]);
    fs::write(&second, exchanged).expect("the entry");
    assert!(place.run().contains("first2"));
}

#[test]
fn a_changed_source_is_compiled() {
    let place = Place::new("changed");
    assert!(place.run().contains("first2"));
    place.write("main.php", &program("other"));
    assert!(place.run().contains("other2"));
    place.write("main.php", &program("first"));
    assert!(place.run().contains("first2"));
    assert_eq!(place.entries().len(), 2);
}

#[test]
fn a_damaged_entry_is_made_anew() {
    let place = Place::new("damaged");
    let expected = place.run();
    let entry = place.entry();
    let good = fs::read(&entry).expect("the entry");
    let mut damages: Vec<Vec<u8>> =
        [0, 1, 23, 24, 30, good.len() / 2, good.len() - 1].map(|len| good[..len].to_vec()).into();
    damages.push([&good[..], b"more"].concat());
    for at in (0..good.len()).step_by(good.len() / 60 + 1) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x55;
        damages.push(damaged);
    }
    for damaged in damages {
        fs::write(&entry, &damaged).expect("the entry");
        assert_eq!(place.run(), expected);
        assert_eq!(fs::read(&entry).expect("the entry"), good, "rebuilt");
    }
}

#[test]
fn a_unit_that_the_verifier_refuses_is_made_anew() {
    let place = Place::new("refused");
    let expected = place.run();
    let entry = place.entry();
    let good = fs::read(&entry).expect("the entry");
    let mut unit = phlox_hhbc::binary::decode(&good[32..]).expect("a unit");
    for func in &mut unit.funcs {
        func.max_stack = 0;
    }
    let bytes = phlox_hhbc::binary::encode(&unit).expect("bytes");
    fs::write(&entry, [&good[..32], &bytes].concat()).expect("the entry");
    assert_eq!(place.run(), expected);
    assert_eq!(fs::read(&entry).expect("the entry"), good, "rebuilt");
}

#[test]
fn many_writers_at_once() {
    let place = Place::new("writers");
    let running: Vec<_> = (0..12)
        .map(|_| place.command(&["main.php"]).stdout(std::process::Stdio::piped()).spawn().expect("phlox starts"))
        .collect();
    for child in running {
        assert!(text(child.wait_with_output().expect("phlox ends")).contains("first2"));
    }
    place.entry();
}

#[test]
fn includes_are_kept_and_eval_is_not() {
    let place = Place::new("includes");
    place.write("part.php", &program("part"));
    place.write("main.php", "<?php include 'part.php'; eval(str_repeat(' ', 5000) . 'echo 1;');");
    place.run();
    place.run();
    place.entry();
}

/// A program of many files, none of which changed in the last seconds, and what it prints.
fn program_of_many_files(place: &Place) -> String {
    let filler = "// A comment of some length, so that the file is worth keeping.\n".repeat(20);
    let mut main = String::from("<?php\n");
    for number in 10..22 {
        let class = format!("class Part{number} {{ static function name($a = 1, $b) {{ return 'part{number}'; }} }}");
        let name = format!("part{number}.php");
        place.write(&name, &format!("<?php\n{filler}{class}\necho Part{number}::name(1, 2), ' ';\n"));
        main += &format!("require __DIR__ . '/{name}';\n");
    }
    place.write("main.php", &main);
    std::thread::sleep(std::time::Duration::from_millis(3_100));
    let first = place.run();
    assert!(first.contains("part10 ") && first.contains("part21 ") && first.contains("Deprecated"), "{first}");
    first
}

fn bundle(place: &Place) -> PathBuf {
    let folders = fs::read_dir(place.cache()).into_iter().flatten().flatten();
    let mut files =
        folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten()).map(|e| e.path());
    files.find(|path| path.extension().is_some_and(|extension| extension == "phbundle")).expect("a bundle")
}

#[test]
fn a_bundle_has_the_files_of_a_program() {
    let place = Place::new("bundle");
    let first = program_of_many_files(&place);
    for entry in place.entries() {
        fs::remove_file(entry).expect("the entry");
    }
    let known = identity(&bundle(&place));
    let second = text(place.command(&["--stats", "main.php"]).output().expect("phlox starts"));
    assert!(second.starts_with(&first) && second.contains("units from the cache     12"), "{second}");
    assert!(place.entries().is_empty() && identity(&bundle(&place)) == known);
}

#[test]
fn a_file_of_a_bundle_that_changed_is_compiled() {
    let place = Place::new("bundle-changed");
    let first = program_of_many_files(&place);
    // The file has the length and the modification time that it had before.
    let path = place.0.join("part13.php");
    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("the file");
    let source = fs::read_to_string(&path).expect("the file").replace("'part13'", "'PART13'");
    fs::write(&path, source).expect("the file");
    fs::File::options().write(true).open(&path).and_then(|file| file.set_modified(modified)).expect("the file");
    let changed = first.replace("part13 ", "PART13 ");
    assert_ne!(first, changed);
    assert_eq!(place.run(), changed);
    assert_eq!(place.run(), changed);
    fs::remove_file(&path).expect("the file");
    assert!(place.run().contains("part13.php): Failed to open stream"));
}

#[test]
fn a_damaged_bundle_is_made_anew() {
    let place = Place::new("bundle-damaged");
    let first = program_of_many_files(&place);
    let bundle = bundle(&place);
    let whole = fs::read(&bundle).expect("the bundle");
    let mut damaged = vec![Vec::new(), whole[..20].to_vec(), whole[..whole.len() / 2].to_vec()];
    for at in [0, 9, 17, 40, 130, 200, whole.len() - 400] {
        let mut other = whole.clone();
        other[at] ^= 0x55;
        damaged.push(other);
    }
    for bytes in damaged {
        fs::write(&bundle, bytes).expect("the bundle");
        assert_eq!(place.run(), first);
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_no_cache() {
    let place = Place::new("unusable");
    fs::write(place.cache(), "a file").expect("a file");
    assert!(place.run().contains("first2"));
    fs::remove_file(place.cache()).expect("the file goes");
    // Other users could write to the folder.
    fs::create_dir(place.cache()).expect("a folder");
    fs::set_permissions(place.cache(), fs::Permissions::from_mode(0o777)).expect("permissions");
    assert!(place.run().contains("first2"));
    assert!(place.entries().is_empty());
}

#[test]
fn the_setting_comes_before_the_environment() {
    let place = Place::new("setting");
    let off = place.command(&["-d", "phlox.cache_dir=", "main.php"]).output().expect("phlox starts");
    assert!(text(off).contains("first2"));
    assert!(place.entries().is_empty());
    let other = format!("phlox.cache_dir={}", place.0.join("elsewhere").display());
    place.command(&["-d", &other, "main.php"]).output().expect("phlox starts");
    assert!(place.entries().is_empty() && place.0.join("elsewhere").is_dir());
    // Without setting and variable the cache is in the user's folder for caches.
    let mut users = place.command(&["main.php"]);
    users.env_remove("PHLOX_CACHE_DIR").env("XDG_CACHE_HOME", place.0.join("xdg")).output().expect("phlox starts");
    assert!(place.0.join("xdg/phlox").is_dir());
}
