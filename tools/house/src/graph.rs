//! Which files of a crate import which, and the largest cycle among them.

use crate::modules::{Modules, name_of};
use crate::workspace::Crate;
use std::collections::BTreeMap;

/// The files of a crate and the imports between them.
pub struct Graph {
    /// The names of the modules, by file.
    pub names: Vec<String>,
    /// The lines of each file.
    pub lines: Vec<usize>,
    pub edges: BTreeMap<(usize, usize), Edge>,
}

/// What one file takes from another.
#[derive(Default)]
pub struct Edge {
    /// The paths, each with the lines where it is written.
    pub uses: BTreeMap<String, Vec<usize>>,
}

impl Edge {
    /// How many places would have to change for the import to go.
    pub fn weight(&self) -> usize {
        self.uses.values().map(Vec::len).sum()
    }
}

/// A set of files that reach each other.
pub type Cycle = Vec<usize>;

impl Graph {
    /// The graph of a crate's files outside of tests.
    pub fn of(krate: &Crate) -> Graph {
        let modules = Modules::of(krate);
        let mut edges: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
        let mut add = |from: usize, to: usize, path: String, line: usize| {
            if from != to {
                edges.entry((from, to)).or_default().uses.entry(path).or_default().push(line);
            }
        };
        for (index, module) in modules.all.iter().enumerate() {
            for reference in &module.references {
                let target = modules.resolve(index, &reference.path);
                // An import of a module alone uses nothing of it; each use through it is counted as a path.
                if let Some(target) = target.filter(|target| !target.is_module) {
                    add(module.file, modules.all[target.module].file, reference.path.join("::"), reference.line);
                }
            }
            for (name, &line) in &module.names {
                if let Some(target) = modules.resolve_by_glob(index, name) {
                    add(module.file, modules.all[target.module].file, name.clone(), line);
                }
            }
        }
        Graph {
            names: krate.files.iter().map(name_of).collect(),
            lines: krate.files.iter().map(|file| file.lines()).collect(),
            edges,
        }
    }

    /// The largest cycle by lines; it is empty if no two files reach each other.
    pub fn largest_cycle(&self) -> Cycle {
        self.largest_among(|_| true)
    }

    /// The largest cycle that the wanted edges make.
    pub fn largest_among(&self, wanted: impl Fn(&(usize, usize)) -> bool) -> Cycle {
        let mut next = vec![Vec::new(); self.names.len()];
        for &(from, to) in self.edges.keys().filter(|edge| wanted(edge)) {
            next[from].push(to);
        }
        let cycles = components(&next).into_iter().filter(|component| component.len() > 1);
        cycles.max_by_key(|cycle| self.lines_of(cycle)).unwrap_or_default()
    }

    /// The lines of some files.
    pub fn lines_of(&self, files: &[usize]) -> usize {
        files.iter().map(|&file| self.lines[file]).sum()
    }

    /// The share of the crate's lines that some files have, in percent.
    pub fn share_of(&self, files: &[usize]) -> f64 {
        let all: usize = self.lines.iter().sum();
        100.0 * self.lines_of(files) as f64 / all.max(1) as f64
    }
}

/// The strongly connected components of a graph, by Tarjan's algorithm.
fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        next,
        order: vec![usize::MAX; next.len()],
        low: vec![0; next.len()],
        on_stack: vec![false; next.len()],
        stack: Vec::new(),
        visited: 0,
        found: Vec::new(),
    };
    for node in 0..next.len() {
        if search.order[node] == usize::MAX {
            search.visit(node);
        }
    }
    search.found
}

struct Search<'g> {
    next: &'g [Vec<usize>],
    order: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    visited: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, node: usize) {
        self.order[node] = self.visited;
        self.low[node] = self.visited;
        self.visited += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
        for &next in &self.next[node] {
            if self.order[next] == usize::MAX {
                self.visit(next);
                self.low[node] = self.low[node].min(self.low[next]);
            } else if self.on_stack[next] {
                self.low[node] = self.low[node].min(self.order[next]);
            }
        }
        if self.low[node] == self.order[node] {
            let start = self.stack.iter().rposition(|&other| other == node).unwrap_or(0);
            let mut component = self.stack.split_off(start);
            component.iter().for_each(|&member| self.on_stack[member] = false);
            component.sort_unstable();
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::SourceFile;
    use std::path::PathBuf;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let parse = |(name, text): &(&str, &str)| {
            SourceFile::parse(PathBuf::from(format!("crates/x/src/{name}.rs")), (*text).to_owned()).unwrap()
        };
        Graph::of(&Crate { name: "x".to_owned(), files: files.iter().map(parse).collect() })
    }

    fn edges(graph: &Graph) -> Vec<String> {
        graph.edges.keys().map(|&(from, to)| format!("{} -> {}", graph.names[from], graph.names[to])).collect()
    }

    #[test]
    fn a_path_leads_to_the_file_that_declares_its_item() {
        let graph = graph(&[
            ("lib", "mod a; mod b; pub use a::Deep; pub fn top(x: Deep) {}"),
            ("a/mod", "pub mod inner; pub use inner::Deep;"),
            ("a/inner", "pub struct Deep; pub fn f() { super::super::top() }"),
            ("b", "use crate::a; fn g() -> a::Deep { m!(crate::Deep); a::inner::f() }"),
        ]);
        let expected = ["lib -> a/inner", "a/inner -> lib", "b -> a/inner"];
        assert_eq!(edges(&graph), expected);
        assert_eq!(graph.largest_cycle(), [0, 2]);
    }

    #[test]
    fn names_that_a_glob_brings_lead_to_where_they_are_declared() {
        let graph = graph(&[
            ("lib", "mod a; mod b; mod c; use a::*; fn f() -> B { A }"),
            ("a", "pub use crate::b::*; pub struct A;"),
            ("b", "pub struct B;"),
            ("c", "use std::fmt::*; use other::A; struct Own; fn f(x: Own) -> A { x.B() }"),
        ]);
        assert_eq!(edges(&graph), ["lib -> a", "lib -> b"]);
    }

    #[test]
    fn code_of_tests_makes_no_cycle() {
        let graph = graph(&[
            ("lib", "mod a; mod b;"),
            ("a", "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }"),
            ("b", "pub struct B(crate::a::A);"),
        ]);
        assert!(graph.largest_cycle().is_empty());
    }

    #[test]
    fn the_lightest_import_is_cut() {
        let graph = graph(&[
            ("lib", "mod a; mod b; mod c;"),
            ("a", "pub struct A; pub struct A2; fn f(x: crate::c::C) {}"),
            ("b", "pub struct B(crate::a::A, crate::a::A2);"),
            ("c", "pub struct C(crate::b::B); fn f(x: crate::b::B) {}"),
        ]);
        let cuts = crate::cut::suggest(&graph, 20.0);
        assert_eq!(cuts.iter().map(|cut| cut.import).collect::<Vec<_>>(), [(1, 3)]);
        assert!(cuts[0].left.is_empty());
    }
}
