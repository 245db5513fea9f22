//! `phlox-house`: prints the measures of the code base, the places behind one, or what a crate's cycle of modules is made of.

#![forbid(unsafe_code)]

use phlox_house::cut;
use phlox_house::graph::Graph;
use phlox_house::measures::{Finding, MEASURES};
use phlox_house::workspace::{Crate, Workspace};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: phlox-house [--root FOLDER] [WHAT]
  (nothing)               a table of all measures
  --list MEASURE          each place that a measure counts
  --cycle CRATE           the imports inside the crate's largest cycle of modules
  --simulate CRATE [N]    imports whose removal leaves no cycle of more than N percent of the crate's lines (15)";

/// The share of a crate's lines that `--simulate` may leave in a cycle, in percent.
const DEFAULT_PERCENT: f64 = 15.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(text) => print(&text),
        Err(message) => {
            eprintln!("phlox-house: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a text. A reader that closes the pipe early is no failure.
fn print(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn run(arguments: &[&str]) -> Result<String, String> {
    let (root, arguments) = match arguments {
        ["--root", root, rest @ ..] => (PathBuf::from(root), rest),
        _ => (workspace_root()?, arguments),
    };
    let load = || Workspace::load(&root).map_err(|error| error.to_string());
    match arguments {
        [] => Ok(table(&load()?)),
        ["--list", measure] => list(&load()?, measure),
        ["--cycle", name] => Ok(cycle(find(&load()?, name)?)),
        ["--simulate", name] => Ok(simulate(find(&load()?, name)?, DEFAULT_PERCENT)),
        ["--simulate", name, percent] => {
            let percent = percent.parse().map_err(|_| format!("{percent} is no number"))?;
            Ok(simulate(find(&load()?, name)?, percent))
        }
        _ => Err(format!("unknown arguments\n{USAGE}")),
    }
}

/// The folder with `layers.toml`, above the current one.
fn workspace_root() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let root = here.ancestors().find(|folder| folder.join("layers.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| "no layers.toml in this folder or above it".to_owned())
}

fn find<'w>(workspace: &'w Workspace, name: &str) -> Result<&'w Crate, String> {
    workspace.find(name).ok_or_else(|| format!("there is no crate {name}"))
}

fn table(workspace: &Workspace) -> String {
    let files = workspace.files().count();
    let lines: usize = workspace.crates.iter().map(Crate::lines).sum();
    let mut out = format!("{} crates, {files} files, {lines} lines\n\n", workspace.crates.len());
    for measure in MEASURES {
        let count = (measure.find)(workspace).len();
        out += &format!("{:<20}{count:>6}   {}\n", measure.name, measure.text);
    }
    out
}

fn list(workspace: &Workspace, name: &str) -> Result<String, String> {
    let names: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
    let measure = MEASURES.iter().find(|measure| measure.name == name);
    let measure = measure.ok_or_else(|| format!("there is no measure {name}, but: {}", names.join(", ")))?;
    let line = |finding: Finding| format!("{}:{}: {}\n", finding.path.display(), finding.line, finding.text);
    Ok((measure.find)(workspace).into_iter().map(line).collect())
}

fn cycle(krate: &Crate) -> String {
    let graph = Graph::of(krate);
    let cycle = graph.largest_cycle();
    let share = graph.share_of(&cycle);
    let (name, files) = (&krate.name, krate.files.len());
    let mut out = format!("{name}: {} of {files} files, {share:.1} % of the lines\n", cycle.len());
    for &import in graph.edges.keys() {
        if cycle.contains(&import.0) && cycle.contains(&import.1) {
            out += &describe(krate, &graph, import);
        }
    }
    out
}

fn simulate(krate: &Crate, percent: f64) -> String {
    let graph = Graph::of(krate);
    let cycle = graph.largest_cycle();
    let share = graph.share_of(&cycle);
    let mut out = format!("{}: {} files, {share:.1} % of the lines\n", krate.name, cycle.len());
    for cut in cut::suggest(&graph, percent) {
        let left = graph.share_of(&cut.left);
        out += &format!("leaves {} files, {left:.1} %: {}", cut.left.len(), describe(krate, &graph, cut.import));
    }
    out
}

fn describe(krate: &Crate, graph: &Graph, import: (usize, usize)) -> String {
    let (from, to) = import;
    let edge = &graph.edges[&import];
    let path = krate.files[from].path.display();
    let uses: Vec<String> = edge.uses.iter().map(|(name, lines)| format!("{name} ({path}:{})", lines[0])).collect();
    format!("{} -> {}, {} places: {}\n", graph.names[from], graph.names[to], edge.weight(), uses.join(", "))
}
