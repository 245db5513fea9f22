//! A small set of imports whose removal makes a crate's largest cycle small.

use crate::graph::{Cycle, Graph};
use std::collections::{BTreeMap, BTreeSet};

type Import = (usize, usize);

/// One import to remove, in the order of what it gains.
pub struct Cut {
    pub import: Import,
    /// The largest cycle when this import and those before it are gone.
    pub left: Cycle,
}

/// Finds imports whose removal leaves no cycle with more than `percent` of the crate's lines.
///
/// An order of the files with few and light imports against it is found first. All imports against the order are taken out,
/// and the heaviest of them put back as long as the cycle stays small. The rest is sorted so that each next one shrinks the
/// cycle most.
pub fn suggest(graph: &Graph, percent: f64) -> Vec<Cut> {
    let cycle = graph.largest_cycle();
    let place: BTreeMap<usize, usize> =
        order(graph, &cycle).into_iter().enumerate().map(|(at, file)| (file, at)).collect();
    let inside = |&&(from, to): &&Import| place.contains_key(&from) && place.contains_key(&to);
    let mut removed: BTreeSet<Import> =
        graph.edges.keys().filter(inside).filter(|(from, to)| place[from] < place[to]).copied().collect();
    let mut by_weight: Vec<Import> = removed.iter().copied().collect();
    by_weight.sort_by_key(|import| std::cmp::Reverse(graph.edges[import].weight()));
    for import in by_weight {
        removed.remove(&import);
        if graph.share_of(&without(graph, &removed)) > percent {
            removed.insert(import);
        }
    }
    by_gain(graph, removed)
}

fn without(graph: &Graph, removed: &BTreeSet<Import>) -> Cycle {
    graph.largest_among(|edge| !removed.contains(edge))
}

fn by_gain(graph: &Graph, mut wanted: BTreeSet<Import>) -> Vec<Cut> {
    let (mut removed, mut cuts) = (BTreeSet::new(), Vec::new());
    while !wanted.is_empty() {
        let lines_without = |import: &Import| {
            let mut trial = removed.clone();
            trial.insert(*import);
            graph.lines_of(&without(graph, &trial))
        };
        let Some(best) =
            wanted.iter().copied().min_by_key(|import| (lines_without(import), graph.edges[import].weight()))
        else {
            break;
        };
        wanted.remove(&best);
        removed.insert(best);
        cuts.push(Cut { import: best, left: without(graph, &removed) });
    }
    cuts
}

/// An order of the cycle's files, what is used last, with few imports from an earlier file to a later one: the rule of Eades,
/// Lin and Smyth takes away files that import nothing, then those that nothing imports, then the one with the best balance.
fn order(graph: &Graph, cycle: &Cycle) -> Vec<usize> {
    let mut left: BTreeSet<usize> = cycle.iter().copied().collect();
    let (mut bottom, mut top) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let weights = |file: usize| {
            let edges = graph.edges.iter().filter(|((from, to), _)| left.contains(from) && left.contains(to));
            let mut sums = (0, 0);
            for (&(from, to), edge) in edges {
                sums.0 += if from == file { edge.weight() } else { 0 };
                sums.1 += if to == file { edge.weight() } else { 0 };
            }
            sums
        };
        let all: Vec<(usize, usize, usize)> = left
            .iter()
            .map(|&file| {
                let (out, into) = weights(file);
                (file, out, into)
            })
            .collect();
        if let Some(&(file, ..)) = all.iter().find(|row| row.1 == 0) {
            bottom.push(file);
            left.remove(&file);
        } else if let Some(&(file, ..)) = all.iter().find(|row| row.2 == 0) {
            top.push(file);
            left.remove(&file);
        } else if let Some(&(file, ..)) = all.iter().max_by_key(|row| row.2 as i64 - row.1 as i64) {
            bottom.push(file);
            left.remove(&file);
        }
    }
    top.reverse();
    bottom.extend(top);
    bottom
}
