//! `docs/hhir.md` is written from the tables; `PHLOX_BLESS=1` rewrites it.

use phlox_hhir::Op;
use phlox_hhir::ops::{ALIAS_NAMES, Alias, Dst, Effects, FLAG_NAMES, Imm, OpInfo, PURE, Src, SrcKind, USER};
use phlox_hhir::passes::{PASSES, PIPELINE};
use phlox_hhir::spec::{Fate, SECTIONS};
use phlox_hhir::types::Type;
use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const INTRODUCTION: &str = "\
# HHIR, the compiler's intermediate representation

This file is written from the instruction table (`crates/hhir/src/table/`), the list of passes
(`crates/hhir/src/passes.rs`) and `crates/hhir/src/spec.rs`: edit those and run
`PHLOX_BLESS=1 cargo test -p phlox-hhir --test docs`.

A unit is a region of a function, or a loop of it, with what has been inlined: blocks of instructions over values that
are defined once, before all their uses. A value has a type, which is a set of kinds with at most one refinement: a
range (`Int[0,9]`), a class (`Obj=#7` exactly, `Obj<=#7` or a subclass), a layout (`Arr=Packed<Int>`), a function, what
a pointer points to (`PtrToProp(Int)`), a constant. `Gen` is everything that a variable may hold, `Cell` is that without
references, `InitCell` without what is unset, `Uncounted` what has no reference count.

Blocks have parameters, which Jmp passes. A branch leaves to a block, or out of the unit with a **snapshot**: the frame
and opline at which the interpreter goes on, and the values of the slots that memory does not have. A slot that the
snapshot does not mention is right in memory; one that it mentions is overwritten, not released. `*` marks a value of
which the exit takes a reference itself. A snapshot of an inlined callee names that of its caller.

Instructions that may raise an error (Er) leave the same way, with the snapshot of the opline that throws. What they
consume they have consumed then.

A store moves a reference and does not release what was there; loading takes no reference. The verifier counts: at every
exit slots must hold exactly the references that there are.

The text form is described in `crates/hhir/src/print.rs`; `tests/hhir` has many examples.

## Flags

| flag | |
|---|---|
| Er | may raise an error: has an edge to a catch block or an exit |
| PRc | produces a value with a reference that must be consumed |
| CRc | consumes a reference of sources: those in *italics* |
| T | nothing comes after it |
| B | has a taken edge |
| P | the result is the first source, known better |
| MProp, MElem | may change its base, by properties or elements |
| Pinned | relies on checks before it, so it must not run earlier |

*Pure* instructions touch no memory. *User code* stands for helpers that may run PHP code: they read everything and
write everything but frames, whose variables they reach only through references.

";

#[test]
fn the_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hhir.md");
    let expected = reference();
    if std::env::var_os("PHLOX_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/hhir.md is out of date: run with PHLOX_BLESS=1");
}

fn reference() -> String {
    let mut out = String::from(INTRODUCTION);
    passes(&mut out);
    instructions(&mut out);
    specification(&mut out);
    out
}

fn passes(out: &mut String) {
    out.push_str("## Passes\n\nIn the order in which they run: ");
    out.push_str(&PIPELINE.join(", "));
    out.push_str(".\n\n| pass | |\n|---|---|\n");
    for pass in PASSES {
        writeln!(out, "| {} | {} |", pass.name, pass.doc).unwrap();
    }
    out.push('\n');
}

fn instructions(out: &mut String) {
    let status = Status::read();
    let count = |of: &HashSet<String>| Op::ALL.iter().filter(|op| of.contains(op.name())).count();
    writeln!(
        out,
        "## Instructions\n\n{} instructions are in the table: they can be printed, read, verified and passed over. Of these, {} are \
         built by the translation of oplines or by a pass, {} have a translation to machine code, and {} occur in a data test. The \
         column *status* says it of each: **B** built, **L** lowered to machine code, **T** tested; without a letter an instruction \
         is reserved, which means that nothing makes it.\n",
        Op::ALL.len(),
        count(&status.built),
        count(&status.lowered),
        count(&status.tested)
    )
    .unwrap();
    for (number, title, ops) in Op::SECTIONS {
        writeln!(
            out,
            "### {number}. {title}\n\n| instruction | status | sources | flags | memory | |\n|---|---|---|---|---|---|"
        )
        .unwrap();
        for op in *ops {
            let info = op.info();
            let doc = if info.doc.is_empty() {
                "\u{2033}".to_owned()
            } else {
                {
                    let lines: Vec<&str> = info.doc.iter().map(|line| line.trim()).collect();
                    lines.join(" ")
                }
            };
            let row = [head(info), status.of(op.name()), sources(*op, info), flags(info), memory(info.effects), doc];
            let row: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            writeln!(out, "| {} |", row.join(" | ")).unwrap();
        }
        out.push('\n');
    }
}

/// What the code does with each instruction, read off the sources and the data tests.
struct Status {
    built: HashSet<String>,
    lowered: HashSet<String>,
    tested: HashSet<String>,
}

impl Status {
    fn read() -> Status {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let all = |folders: &[&str], before: &[&str]| -> HashSet<String> {
            let files = folders.iter().flat_map(|folder| files(&root.join(folder)));
            files.flat_map(|file| names(&std::fs::read_to_string(file).unwrap_or_default(), before)).collect()
        };
        Status {
            // Passes name an instruction that they make as `op: Op::X` or as an argument; `(inst.op, Op::X)` and patterns ask for one.
            built: all(&["crates/jit/src/translate", "crates/hhir/src/builder.rs"], &["Op::"])
                .union(&all(&["crates/hhir/src/passes"], &["op: Op::", "inst, Op::", "place(Op::", "preheader, Op::"]))
                .cloned()
                .collect(),
            lowered: all(&["crates/jit/src/codegen"], &["Op::"]),
            tested: all(&["tests/hhir", "tests/jit"], &[" ", "= "]),
        }
    }

    fn of(&self, name: &str) -> String {
        let letters = [(&self.built, "B"), (&self.lowered, "L"), (&self.tested, "T")];
        let letters = letters.into_iter().filter(|(set, _)| set.contains(name)).map(|(_, letter)| letter);
        letters.collect::<Vec<_>>().join(" ")
    }
}

/// A file, or all files in a folder and those below.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    entries.flat_map(|entry| files(&entry.unwrap().path())).collect()
}

/// The words of a text that stand behind one of these.
fn names(text: &str, before: &[&str]) -> Vec<String> {
    let word = |from: &str| from.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
    let behind = |before: &&str| {
        text.match_indices(*before).map(|(at, found)| word(&text[at + found.len()..])).collect::<Vec<_>>()
    };
    before.iter().flat_map(behind).collect()
}

fn head(info: &OpInfo) -> String {
    let imms: Vec<String> = info.imms.iter().map(|imm| format!("{imm:?}")).collect();
    let imms = if imms.is_empty() { String::new() } else { format!("<{}>", imms.join(",")) };
    let dst = result(info.dst);
    let dst = if dst.is_empty() { dst } else { format!(": {dst}") };
    assert!(info.imms.iter().filter(|imm| **imm != Imm::T).count() <= 3);
    format!("`{}{imms}`{dst}", info.name)
}

fn result(dst: Dst) -> String {
    match dst {
        Dst::ND => String::new(),
        Dst::D(bits) => Type::of(bits).to_string(),
        Dst::DArr(kind) => Type::arr(kind).to_string(),
        Dst::DRefineArr(at) => format!("S{at} laid out so"),
        Dst::DofS(at) => format!("as S{at}"),
        Dst::DRefineS(at) => format!("S{at} ∩ T"),
        Dst::DParam(bits) => format!("T ⊆ {}", Type::of(bits)),
        Dst::DSubtract(at, bits) => format!("S{at} − {}", Type::of(bits)),
        Dst::DUnion(one, other) => format!("S{one} ∪ S{other}"),
        Dst::DArrElem(at) => format!("an element of S{at}"),
        Dst::DParamPtr(place) => format!("{}(T)", Type::of(place)),
        Dst::DAllocObj(at) => format!("an object of S{at}"),
        Dst::DLoadCls(at) => format!("the class of S{at}"),
    }
}

fn sources(op: Op, info: &OpInfo) -> String {
    let consumed = op.consumes();
    let source = |(at, src): (usize, &Src)| {
        let ty = Type::of(src.bits).to_string();
        let ty = match src.kind {
            SrcKind::One => ty,
            SrcKind::Const => format!("constant {ty}"),
            SrcKind::Many => format!("{ty}..."),
        };
        if consumed & (1 << at.min(31)) != 0 { format!("*{ty}*") } else { ty }
    };
    info.srcs.iter().enumerate().map(source).collect::<Vec<_>>().join(", ")
}

fn flags(info: &OpInfo) -> String {
    let flags = FLAG_NAMES.iter().filter(|row| info.flags & row.1 != 0).map(|row| row.0);
    flags.collect::<Vec<_>>().join(" ")
}

fn memory(effects: Effects) -> String {
    let names = |set: Alias| {
        if set & phlox_hhir::ops::ALL == phlox_hhir::ops::ALL {
            return "everything".to_owned();
        }
        let names = ALIAS_NAMES.iter().filter(|row| set & row.1 != 0).map(|row| row.0);
        names.collect::<Vec<_>>().join(", ")
    };
    match effects {
        PURE => "pure".to_owned(),
        USER => "user code".to_owned(),
        Effects { reads, writes: 0 } => format!("reads {}", names(reads)),
        Effects { reads: 0, writes } => format!("writes {}", names(writes)),
        Effects { reads, writes } => format!("reads {}; writes {}", names(reads), names(writes)),
    }
}

fn specification(out: &mut String) {
    out.push_str(
        "## The specification\n\nWhat became of each instruction of the specification's twenty sections. One that is\n\
         *in the table* can be printed, read and verified; its status above says whether anything builds it.\n\n",
    );
    for (title, rows) in SECTIONS {
        writeln!(out, "### {title}\n\n| instruction | | |\n|---|---|---|").unwrap();
        for (names, fate) in *rows {
            for name in names.split_whitespace() {
                match fate {
                    Fate::Kept => writeln!(out, "| `{name}` | in the table | |"),
                    Fate::Superseded { by, why } => writeln!(out, "| `{name}` | superseded by {} | {why} |", by.name()),
                    Fate::NotApplicable { why } => writeln!(out, "| `{name}` | not applicable | {why} |"),
                }
                .unwrap();
            }
        }
        out.push('\n');
    }
}

#[test]
fn the_list_of_the_specification_agrees_with_the_table() {
    let table: HashSet<&str> = Op::ALL.iter().map(|op| op.name()).collect();
    let mut seen = HashSet::new();
    for (names, fate) in SECTIONS.iter().flat_map(|section| section.1) {
        for name in names.split_whitespace() {
            assert!(seen.insert(name), "{name} is listed twice");
            assert_eq!(table.contains(name), matches!(fate, Fate::Kept), "{name}");
        }
    }
    assert!(seen.len() > 640, "the specification has more than 640 instructions");
    let own = Op::SECTIONS.last().unwrap();
    for &op in Op::ALL {
        assert_eq!(own.2.contains(&op), !seen.contains(op.name()), "{}", op.name());
    }
}
