//! The instruction part of `docs/t3.md`, made from the table.

use std::fmt::Write;

use crate::ops::{Slots, TABLE};

/// What stands above and below the generated part.
pub const BEGIN: &str = "<!-- instructions: generated from the table -->\n";
/// See [`BEGIN`].
pub const END: &str = "<!-- end of the generated part -->\n";

/// The table of instructions as Markdown.
pub fn instructions() -> String {
    let mut out = String::from("| code | name | operands | stack | effect |\n|---|---|---|---|---|\n");
    for row in TABLE {
        let operands: Vec<String> = row.operands.iter().map(|operand| format!("{operand:?}")).collect();
        let _ = writeln!(
            out,
            "| {:02X} | `{}` | {} | {} → {} | {} |",
            row.op as u8,
            row.name,
            operands.join(", "),
            slots(row.pops),
            slots(row.pushes),
            row.meaning,
        );
    }
    out
}

fn slots(slots: Slots) -> String {
    match slots {
        Slots { argc: true, fixed: 0, .. } => "argc".to_owned(),
        Slots { argc: true, fixed, .. } => format!("argc + {fixed}"),
        Slots { dynamic: true, fixed: 0, .. } => "n".to_owned(),
        Slots { dynamic: true, fixed, .. } => format!("n + {fixed}"),
        Slots { fixed, .. } => fixed.to_string(),
    }
}

/// A document with the generated part replaced.
pub fn renew(document: &str) -> Option<String> {
    let begin = document.find(BEGIN)? + BEGIN.len();
    let end = document.find(END)?;
    let mut out = document.get(..begin)?.to_owned();
    out.push_str(&instructions());
    out.push_str(document.get(end..)?);
    Some(out)
}
