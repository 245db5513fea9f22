//! The list of what is counted.

mod cycles;
mod docs;
mod finding;
mod functions;
mod notes;
mod opcodes;
mod settings;
mod sizes;

pub use finding::Finding;

use crate::workspace::Workspace;

/// One thing that is counted.
pub struct Measure {
    pub name: &'static str,
    /// What a finding is.
    pub text: &'static str,
    pub find: fn(&Workspace) -> Vec<Finding>,
}

/// All measures, in the order in which they are printed.
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "opcode-lists",
        text: "patterns outside of the opline table that name three opcodes or more",
        find: opcodes::lists,
    },
    Measure {
        name: "opcode-defaults",
        text: "matches over opcodes whose `_` arm is a bare true, false or None",
        find: opcodes::defaults,
    },
    Measure {
        name: "module-cycles",
        text: "crates with files that import each other in a cycle",
        find: cycles::cycles,
    },
    Measure {
        name: "functions-over-60",
        text: "functions of more than 60 lines",
        find: |all| functions::longer(all, 60),
    },
    Measure {
        name: "functions-over-120",
        text: "functions of more than 120 lines",
        find: |all| functions::longer(all, 120),
    },
    Measure { name: "undocumented", text: "public functions without documentation", find: docs::undocumented },
    Measure {
        name: "safety-formulas",
        text: "SAFETY notes of less than 25 characters, or that a crate repeats five times or more",
        find: notes::formulas,
    },
    Measure {
        name: "back-references",
        text: "comments that begin by pointing back: \"The same\", \"As above\", \"They\"",
        find: notes::back_references,
    },
    Measure { name: "ini-by-name", text: "reads of a setting by a name in a string", find: settings::by_name },
    Measure { name: "files-over-800", text: "files of more than 800 lines", find: |all| sizes::longer(all, 800) },
    Measure {
        name: "shared-names",
        text: "names that more than three types of the workspace have",
        find: sizes::shared_names,
    },
];
