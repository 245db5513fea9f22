//! Programs with expected output: compiled ones in `tests/t3/programs`, assembled ones in `tests/t3/asm`. Runs of white
//! space count as one blank, since where lines break is the front end's business.

mod common;

use std::path::Path;

use phlox_t3_vm::Options;
use phlox_t3_vm::io::Access;

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All files in a folder of `tests/t3` with an extension.
fn files(folder: &str, extension: &str) -> Vec<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3").join(folder);
    let entries = std::fs::read_dir(&path).expect("the folder of tests");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    assert!(!files.is_empty(), "{} has no tests", path.display());
    files
}

fn compare(file: &Path, image: Vec<u8>) {
    let read = |extension: &str| std::fs::read_to_string(file.with_extension(extension));
    let expected = read("txt").expect("the expected output");
    let input = read("in").unwrap_or_default();
    // Files that the program writes go to a folder of its own.
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let folder = std::env::temp_dir().join(format!("phlox-t3-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the program's files");
    let options = Options {
        read: Access::Folder,
        write: Access::Folder,
        folder: folder.clone(),
        image_name: format!("{name}.t3"),
        ..Options::default()
    };
    let output = common::with_stack(move || common::run(image, &input, options));
    // A folder that stays is no failure of the program.
    let _ = std::fs::remove_dir_all(&folder);
    let output = output.unwrap_or_else(|message| message);
    assert_eq!(folded(&output), folded(&expected), "{}", file.display());
}

#[test]
fn compiled_programs_print_what_they_should() {
    for file in files("programs", "t3") {
        compare(&file, std::fs::read(&file).expect("the image"));
    }
}

#[test]
fn assembled_programs_print_what_they_should() {
    for file in files("asm", "t3s") {
        let source = std::fs::read_to_string(&file).expect("the source");
        let image =
            phlox_t3_image::asm::assemble(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let loaded = phlox_t3_image::Image::load(image.clone()).expect("what the assembler makes is an image");
        for offset in phlox_t3_image::dis::methods(&loaded).into_keys() {
            let problems = phlox_t3_image::verify::function(&loaded, offset);
            assert!(problems.is_empty(), "{}: {problems:?}", file.display());
        }
        compare(&file, image);
    }
}
