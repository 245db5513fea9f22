//! Comments that say nothing alone.

use super::finding::Finding;
use crate::comments::{Comment, Kind, comments};
use crate::workspace::{Crate, Workspace};
use std::collections::HashMap;

/// Shorter notes than this cannot name an invariant.
const MIN_NOTE: usize = 25;
/// A note that a crate repeats this often is a formula.
const MAX_REPEATS: usize = 4;

/// SAFETY notes that are short or that their crate repeats.
pub fn formulas(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for krate in &workspace.crates {
        let notes = notes(krate);
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (_, _, note) in &notes {
            *times.entry(note).or_default() += 1;
        }
        for (file, line, note) in &notes {
            let repeats = times[note.as_str()];
            if note.chars().count() < MIN_NOTE || repeats > MAX_REPEATS {
                found.push(Finding::new(&krate.files[*file], *line, format!("{note} ({repeats} times)")));
            }
        }
    }
    found
}

/// The SAFETY notes of a crate: file, line and text in one line.
fn notes(krate: &Crate) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    for (index, file) in krate.files.iter().enumerate() {
        for comment in comments(&file.text).into_iter().filter(|comment| comment.kind == Kind::Plain) {
            let Some(start) = comment.text.find("SAFETY:") else { continue };
            if !file.is_test(comment.line) {
                let words: Vec<&str> = comment.text[start + "SAFETY:".len()..].split_whitespace().collect();
                found.push((index, comment.line, words.join(" ")));
            }
        }
    }
    found
}

/// Comments whose first words make sense only with what stands before them.
pub fn back_references(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, file) in workspace.files() {
        let comments = comments(&file.text).into_iter();
        for comment in comments.filter(|comment| points_back(comment) && !file.is_test(comment.line)) {
            found.push(Finding::new(file, comment.line, comment.text.lines().next().unwrap_or_default()));
        }
    }
    found
}

fn points_back(comment: &Comment) -> bool {
    let text = comment.text.trim_start();
    let begins = |words: &str| {
        text.strip_prefix(words).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    let after_as = text.strip_prefix("As ").unwrap_or_default();
    let word = after_as.split([' ', '.', ',', ':', ';']).next().unwrap_or_default();
    ["The same", "Those", "They", "These"].into_iter().any(begins)
        || ["above", "here", "there", "says", "before"].contains(&word.to_lowercase().as_str())
        || after_as.starts_with(['[', '`'])
        || is_identifier(word)
}

/// Whether a word is a name of code rather than of English: it has an underscore, or capital letters after small ones.
fn is_identifier(word: &str) -> bool {
    let capital_inside = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    word.contains('_') || capital_inside || word.ends_with("()")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_back_is_told_from_what_begins_alike() {
        let points = |text: &str| points_back(&Comment { line: 1, kind: Kind::Doc, text: text.to_owned() });
        for text in
            ["The same for lists.", "As above.", "As [`grow`], twice.", "As CGetM for `??`.", "They are two.", "Those"]
        {
            assert!(points(text), "{text}");
        }
        for text in ["The sameness of both.", "As long as it runs.", "As PHP does.", "Theyre", "An assertion."] {
            assert!(!points(text), "{text}");
        }
    }
}
