//! Cycles of modules.

use super::finding::Finding;
use crate::graph::Graph;
use crate::workspace::Workspace;

/// Each crate with a cycle, the largest share of lines first.
pub fn cycles(workspace: &Workspace) -> Vec<Finding> {
    let mut found = Vec::new();
    for krate in &workspace.crates {
        let graph = Graph::of(krate);
        let cycle = graph.largest_cycle();
        if let Some(&first) = cycle.first() {
            let share = graph.share_of(&cycle);
            let text = format!(
                "{}: {} of {} files, {} lines, {share:.1} %",
                krate.name,
                cycle.len(),
                krate.files.len(),
                graph.lines_of(&cycle)
            );
            found.push((share, Finding::new(&krate.files[first], 1, text)));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().map(|(_, finding)| finding).collect()
}
