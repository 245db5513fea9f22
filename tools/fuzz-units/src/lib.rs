//! Mutants of units: the text of a unit with some lines changed, such that the verifier still accepts it. A unit like that may raise any
//! error that PHP has, and nothing else may happen, whatever engine runs it.
#![forbid(unsafe_code)]

pub mod run;

use phlox_fuzz_programs::Rng;
use phlox_hhbc::verify::verify;
use phlox_hhbc::{Opcode, Slot, assemble};

/// Changes to a unit at most.
const MOST_CHANGES: usize = 3;
/// How often the verifier may refuse a mutant before the seed is given up.
const ATTEMPTS: usize = 60;
/// How the lines of instructions begin.
const INDENT: &str = "        ";

/// A mutant of a unit in text form that the verifier accepts. `None`: none was found for this seed.
pub fn mutant(text: &str, seed: u64) -> Option<String> {
    let mut rng = Rng::new(seed);
    (0..ATTEMPTS).find_map(|_| {
        let mut lines: Vec<String> = text.lines().map(roomy).collect();
        for _ in 0..1 + rng.below(MOST_CHANGES) {
            change(&mut lines, &mut rng);
        }
        let changed = lines.join("\n") + "\n";
        let unit = assemble(&changed).ok()?;
        verify(unit).is_ok().then_some(changed)
    })
}

/// A function's header with room for more values on its stack.
fn roomy(line: &str) -> String {
    let Some((before, after)) = line.split_once("max_stack=").filter(|_| line.starts_with('.')) else {
        return line.to_owned();
    };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let room: usize = after[..digits].parse().unwrap_or(0);
    format!("{before}max_stack={}{}", room + 8, &after[digits..])
}

/// The numbers of the lines that are instructions.
fn instructions(lines: &[String]) -> Vec<usize> {
    (0..lines.len()).filter(|&at| lines[at].starts_with(INDENT) && !lines[at].trim_start().starts_with('.')).collect()
}

fn change(lines: &mut Vec<String>, rng: &mut Rng) {
    let places = instructions(lines);
    if places.is_empty() {
        return;
    }
    let at = places[rng.below(places.len())];
    let other = places[rng.below(places.len())];
    let (own, another) = (lines[at].clone(), lines[other].clone());
    match rng.below(12) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, own),
        2 => {
            let next = (at + 1).min(lines.len() - 1);
            lines.swap(at, next);
        }
        3 => lines[at] = another,
        4 => lines.insert(at, another),
        5 | 6 => change_number(&mut lines[at], rng),
        7 => change_header(lines, rng),
        8 => replace_with_plain(lines, at, rng),
        _ => insert_plain(lines, at, rng),
    }
}

const VALUES: [&str; 9] =
    ["Int 7", "Int -1", "Int 9223372036854775807", "Null", "True", "False", "Double 1.5", "NewArray", "This"];

/// Instructions without immediates that take and give so many cells.
fn plain(takes: usize, gives: usize) -> Vec<&'static str> {
    let all_cells = |slots: &[Slot], count: usize| slots.len() == count && slots.iter().all(|slot| *slot == Slot::C);
    let infos = Opcode::ALL.iter().map(|op| op.info()).filter(|info| info.immediates.is_empty());
    infos.filter(|info| all_cells(info.pops, takes) && all_cells(info.pushes, gives)).map(|info| info.name).collect()
}

/// Inserts instructions that leave the stack as high as it was.
fn insert_plain(lines: &mut Vec<String>, at: usize, rng: &mut Rng) {
    let takes = 1 + rng.below(3);
    let ops = plain(takes, 1);
    if ops.is_empty() {
        return;
    }
    let mut inserted: Vec<&str> = (1..takes).map(|_| rng.pick(&VALUES)).collect();
    inserted.push(rng.pick(&ops));
    for (offset, op) in inserted.into_iter().enumerate() {
        lines.insert(at + offset, format!("{INDENT}{op}"));
    }
}

/// Another instruction with the same effect on the stack.
fn replace_with_plain(lines: &mut [String], at: usize, rng: &mut Rng) {
    let name = lines[at].split_whitespace().next().unwrap_or_default().to_owned();
    let Some(info) = Opcode::ALL.iter().map(|op| op.info()).find(|info| info.name == name) else { return };
    let ops = plain(info.pops.len(), info.pushes.len());
    if !ops.is_empty() {
        lines[at] = format!("{INDENT}{}", rng.pick(&ops));
    }
}

/// Another number, local, literal or flag in an instruction.
fn change_number(line: &mut String, rng: &mut Rng) {
    let words: Vec<&str> = line.split(' ').collect();
    let is_word = |at: &usize| words[*at].bytes().any(|byte| byte.is_ascii_digit());
    let numbers: Vec<usize> = (0..words.len()).filter(is_word).collect();
    let Some(&at) = numbers.get(rng.below(numbers.len())) else { return };
    let start = words[at].find(|c: char| c.is_ascii_digit() || c == '-').unwrap_or(0);
    let end =
        words[at][start..].find(|c: char| !c.is_ascii_digit() && c != '-').map_or(words[at].len(), |end| start + end);
    let new = rng.pick(&["0", "1", "2", "3", "-1", "5", "63", "255", "9223372036854775807", "-9223372036854775808"]);
    let changed = format!("{}{new}{}", &words[at][..start], &words[at][end..]);
    let words: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(index, word)| if index == at { changed.clone() } else { (*word).to_owned() })
        .collect();
    *line = words.join(" ");
}

/// Flags and parameters of a function.
fn change_header(lines: &mut [String], rng: &mut Rng) {
    let headers: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].trim_start().starts_with(".function")).collect();
    let Some(&at) = headers.get(rng.below(headers.len())) else { return };
    const CHANGES: [(&str, &str); 9] = [
        ("flags=", "flags=variadic|"),
        ("flags=", "flags=by_ref_return|"),
        ("flags=", "flags=generator|"),
        ("flags=", "flags=static|"),
        ("flags=", "flags=dynamic_vars|"),
        ("variadic=true", ""),
        ("{name=", "{by_ref=true name="),
        (" locals=", " flags=variadic locals="),
        ("static", "public"),
    ];
    let (from, to) = CHANGES[rng.below(CHANGES.len())];
    lines[at] = lines[at].replacen(from, to, 1);
}
