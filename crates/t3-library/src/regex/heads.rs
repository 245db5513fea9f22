//! The characters that a match can begin with, so that a search passes over all other places at once.

use super::program::{Heads, Node, Regex};
use super::search;

impl Regex {
    /// The characters that a match begins with; `None` if it can be empty.
    pub(super) fn heads(&self, folding: bool) -> Option<Heads> {
        *self.heads[usize::from(folding)].get_or_init(|| self.find_heads(folding))
    }

    fn find_heads(&self, folding: bool) -> Option<Heads> {
        let mut heads = 0;
        let mut seen = vec![false; self.nodes.len()];
        let mut work = vec![self.start];
        while let Some(state) = work.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            let next = self.next[state as usize];
            match self.nodes[state as usize] {
                Node::Split { first, second, .. } => work.extend([first, second]),
                Node::Accept | Node::BackRef(_) => return None,
                node @ (Node::Char(_) | Node::Any | Node::Class(_) | Node::Kind(..) | Node::WordChar(_)) => {
                    let takes = |byte: &u8| search::takes(self, node, char::from(*byte), folding);
                    heads |= (0..128u8).filter(takes).fold(0, |bits, byte| bits | 1u128 << byte);
                }
                // What takes no character: the next one must still fit what follows.
                _ => work.push(next),
            }
        }
        Some(Heads(heads))
    }
}
