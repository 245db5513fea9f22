//! The lists in the crate's sources that the pages about the two forms show.

use std::fs;
use std::path::Path;

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The part of a text between two others.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("there is no {start:?}"));
    rest.split_once(end).unwrap_or_else(|| panic!("there is no {end:?} behind {start:?}")).0
}

/// Each structure with its fields in the order in which the binary form has them; `true`: the text form has the field, too.
pub fn records() -> Vec<(String, Vec<(String, bool)>)> {
    let records = source("records.rs");
    let mut rows: Vec<_> =
        between(&records, "        $callback! {\n", "\n        }\n").split(';').filter_map(record).collect();
    let fields = source("binary/fields.rs");
    let body = between(&fields, "record_binary! {\n", "}\n").trim().trim_end_matches(';').replace(" as Code", "");
    rows.extend(record(&body));
    rows.extend(between(&fields, "\nstruct_binary! {", "\n}\n").split(';').filter_map(record));
    rows
}

/// `Name { field, field as Form } rest { field }`
fn record(row: &str) -> Option<(String, Vec<(String, bool)>)> {
    let (name, fields) = row.trim().split_once('{')?;
    let (shown, rest) = fields.split_once('}').unwrap_or((fields, ""));
    let names = |list: &str, in_text: bool| -> Vec<(String, bool)> {
        let names = list.split(',').filter_map(|field| field.split_whitespace().next());
        names.map(|name| (name.to_owned(), in_text)).collect()
    };
    let mut fields = names(shown, true);
    fields.extend(names(rest.trim_start().trim_start_matches("rest").trim_matches([' ', '{', '}']), false));
    Some((name.trim().to_owned(), fields))
}

/// The type and the documentation of a field of a structure.
pub fn field(structure: &str, field: &str) -> (String, String) {
    let unit = source("unit.rs");
    let body = between(&unit, &format!("pub struct {structure} {{\n"), "\n}\n");
    let mut docs: Vec<&str> = Vec::new();
    for line in body.lines().map(str::trim) {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim());
        } else if let Some(ty) = line.strip_prefix(&format!("pub {field}: ")) {
            return (ty.trim_end_matches(',').to_owned(), docs.join(" "));
        } else {
            docs.clear();
        }
    }
    panic!("{structure} has no field {field}")
}

/// Each choice with the tag bytes of its variants and what follows each.
pub fn tags() -> Vec<(String, Vec<(u8, String)>)> {
    let fields = source("binary/fields.rs");
    let rows = between(&fields, "\nenum_binary! {", "\n}\n");
    let mut choices = Vec::new();
    for row in rows.split_inclusive(",\n    }").flat_map(|row| row.split_inclusive(", }\n")) {
        if let Some((name, variants)) = row.trim().split_once('{') {
            choices.push((name.trim().to_owned(), variants.split(" = ").collect::<Vec<_>>()));
        }
    }
    let variants = |parts: Vec<&str>| {
        let tag =
            |part: &str| part.trim().rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("").parse().unwrap_or(0);
        let text =
            |part: &str| part.trim_end_matches(|c: char| c.is_ascii_digit() || " ,}\n".contains(c)).trim().to_owned();
        let close = |text: String| if text.contains('{') { format!("{text} }}") } else { text };
        parts.windows(2).map(|pair| (tag(pair[0]), close(text(pair[1])))).collect()
    };
    choices.into_iter().map(|(name, parts)| (name, variants(parts))).collect()
}

/// The names of the sections in the order of their tags.
pub fn sections() -> Vec<String> {
    let binary = source("binary.rs");
    between(&binary, "const SECTIONS: [&str; 6] = [", "];")
        .split(", ")
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}
