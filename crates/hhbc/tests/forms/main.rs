//! `docs/phas.md` and `docs/phbc.md`: their examples are units, and their tables are those of the code. A table stands
//! between `<!-- NAME -->` and `<!-- end -->`; `PHLOX_BLESS=1` rewrites it.

mod sources;

use phlox_hhbc::verify::verify;
use phlox_hhbc::*;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

type Table = (&'static str, fn(&str) -> String);

const TABLES: &[Table] = &[
    ("fields", |_| fields()),
    ("flags", |_| flags()),
    ("sections", |_| sections()),
    ("records", |_| records()),
    ("tags", |_| tags()),
    ("bytes", bytes),
];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)
}

fn read(page: &str) -> String {
    fs::read_to_string(path(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

#[test]
fn the_tables_are_those_of_the_code() {
    let mut used = Vec::new();
    for page in ["phas.md", "phbc.md"] {
        let found = read(page);
        let mut expected = String::new();
        let mut rest = found.as_str();
        while let Some((before, behind)) = rest.split_once("<!-- ") {
            let (name, behind) = behind.split_once(" -->\n").expect("a mark ends its line");
            let (_, after) = behind.split_once("<!-- end -->").unwrap_or_else(|| panic!("{name} does not end"));
            let (_, table) = TABLES.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("there is no {name}"));
            write!(expected, "{before}<!-- {name} -->\n{}<!-- end -->", table(&found)).unwrap();
            used.push(name.to_owned());
            rest = after;
        }
        expected.push_str(rest);
        if std::env::var_os("PHLOX_BLESS").is_some() {
            fs::write(path(page), &expected).unwrap();
        } else {
            assert!(expected == found, "docs/{page} is out of date: run with PHLOX_BLESS=1");
        }
    }
    assert_eq!(used.len(), TABLES.len(), "each table is in a page");
}

/// The blocks of a page that are units in text form.
fn examples(page: &str) -> Vec<String> {
    let blocks = page.split("\n```phas\n").skip(1);
    blocks.map(|block| block.split_once("\n```").expect("a block ends").0.to_owned()).collect()
}

#[test]
fn the_examples_are_units() {
    for page in ["phas.md", "phbc.md"] {
        let examples = examples(&read(page));
        assert!(!examples.is_empty());
        for example in examples {
            let unit = assemble(&example).unwrap_or_else(|error| panic!("{page}: {error} in\n{example}"));
            assert_eq!(assemble(&disassemble(&unit)).as_ref(), Ok(&unit), "{page}");
            assert_eq!(decode(&encode(&unit).unwrap()).as_ref(), Ok(&unit), "{page}");
            verify(unit).unwrap_or_else(|error| panic!("{page}: {error} in\n{example}"));
        }
    }
}

/// The page says that an instruction's byte is its place in the table.
#[test]
fn the_byte_of_an_instruction_is_its_place_in_the_table() {
    for (place, &opcode) in Opcode::ALL.iter().enumerate() {
        assert_eq!(opcode as usize, place);
    }
}

/// The structures whose fields the text form writes by name.
fn fields() -> String {
    let mut out = String::from("| structure | field | type | |\n|---|---|---|---|\n");
    for (structure, fields) in sources::records() {
        let is_table = ["Body", "ScalarArray", "MemberVector", "EhEntry", "FpiRegion"].contains(&structure.as_str());
        for (name, _) in fields.iter().filter(|field| field.1 && !is_table) {
            let (ty, doc) = sources::field(&structure, name);
            writeln!(out, "| {structure} | `{name}` | `{ty}` | {} |", doc.replace('|', "\\|")).unwrap();
        }
    }
    out
}

/// The names of flag bits, found by printing a unit that has one bit after the other.
fn flags() -> String {
    let mut out = String::from("| bit | `flags` of a function | `attrs` | `mask` of a type |\n|---|---|---|---|\n");
    for bit in 0..32 {
        let flags = 1 << bit;
        let mut unit = Unit { strings: [b"".as_slice()].into_iter().collect(), ..Unit::default() };
        unit.funcs.push(Func { flags: FuncFlags(flags), ..Func::default() });
        unit.classes.push(ClassDef { attrs: Attrs(flags), ..ClassDef::default() });
        unit.types.push(TypeConstraint { mask: flags, classes: Vec::new(), display: StrId(0) });
        let text = disassemble(&unit);
        let name = |field: &str| {
            let (_, value) = text.split_once(&format!(" {field}=")).expect("a field that is not at its default");
            let word = value.split_whitespace().next().unwrap_or_default();
            if word.starts_with(|first: char| first.is_ascii_digit()) { String::new() } else { format!("`{word}`") }
        };
        let names = [name("flags"), name("attrs"), name("mask")];
        if names.iter().any(|name| !name.is_empty()) {
            writeln!(out, "| {flags} | {} |", names.join(" | ")).unwrap();
        }
    }
    out
}

fn sections() -> String {
    let mut out = String::from("| tag | section |\n|---|---|\n");
    for (tag, name) in sources::sections().iter().enumerate() {
        writeln!(out, "| {tag} | {name} |").unwrap();
    }
    out
}

fn records() -> String {
    let mut out = String::from("| structure | fields in order |\n|---|---|\n");
    for (structure, fields) in sources::records() {
        let typed = |(name, _): &(String, bool)| {
            let ty = sources::field(&structure, name).0;
            format!("{name}: {}", ty.replace('<', "\\<"))
        };
        writeln!(out, "| {structure} | {} |", fields.iter().map(typed).collect::<Vec<_>>().join(", ")).unwrap();
    }
    out
}

fn tags() -> String {
    let mut out = String::from("| choice | tags |\n|---|---|\n");
    for (choice, variants) in sources::tags() {
        let variants: Vec<String> = variants.iter().map(|(tag, variant)| format!("{tag} = {variant}")).collect();
        writeln!(out, "| {choice} | {} |", variants.join(", ")).unwrap();
    }
    out
}

/// The bytes of the page's first example.
fn bytes(page: &str) -> String {
    let example = examples(page).into_iter().next().expect("an example");
    let bytes = encode(&assemble(&example).unwrap()).unwrap();
    let mut out = String::from("```text\n");
    for (row, chunk) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown: String =
            chunk.iter().map(|&byte| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { '.' }).collect();
        writeln!(out, "{:04x}  {:<47}  {shown}", row * 16, hex.join(" ")).unwrap();
    }
    out.push_str("```\n");
    out
}
