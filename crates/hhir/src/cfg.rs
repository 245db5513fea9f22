//! Control flow: orders of blocks, predecessors, dominators, loops.

use crate::ids::BlockId;
use crate::unit::Unit;

/// Blocks that can be reached, each before its successors but for back edges.
pub fn reverse_postorder(unit: &Unit) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(unit.blocks.len());
    let mut seen = vec![false; unit.blocks.len()];
    // The block that follows without a jump is visited last, which puts it next.
    let backwards = |block: BlockId| {
        let mut successors: Vec<BlockId> = unit.successors(block).collect();
        successors.reverse();
        successors
    };
    let mut stack = vec![(unit.entry, backwards(unit.entry))];
    seen[unit.entry.at()] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next.at()] => {
                seen[next.at()] = true;
                stack.push((next, backwards(next)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The order in which blocks are written down: likely ones as control runs, then the others.
pub fn layout(unit: &Unit) -> Vec<BlockId> {
    let mut order = reverse_postorder(unit);
    // The sort keeps the order of equals; the entry stays first whatever its hint.
    order.sort_by_key(|&block| (block != unit.entry, unit.block(block).hint >= crate::unit::Hint::Unlikely));
    order
}

const NONE: u32 = u32::MAX;

/// What passes ask about the shape of a unit. It is out of date once edges change.
#[derive(Debug)]
pub struct Cfg {
    /// Reverse postorder.
    pub order: Vec<BlockId>,
    /// Position in `order` by block; `u32::MAX` if it cannot be reached.
    position: Vec<u32>,
    preds: Vec<Vec<BlockId>>,
    idom: Vec<u32>,
    /// Entry and exit of each block in a walk over the tree of dominators.
    interval: Vec<(u32, u32)>,
}

impl Cfg {
    pub fn new(unit: &Unit) -> Cfg {
        let order = reverse_postorder(unit);
        let mut position = vec![NONE; unit.blocks.len()];
        let mut preds = vec![Vec::new(); unit.blocks.len()];
        for (at, &block) in order.iter().enumerate() {
            position[block.at()] = at as u32;
            for next in unit.successors(block) {
                preds[next.at()].push(block);
            }
        }
        let mut cfg = Cfg { order, position, preds, idom: Vec::new(), interval: Vec::new() };
        cfg.idom = cfg.dominators();
        cfg.interval = cfg.number_tree();
        cfg
    }

    #[inline]
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.at()] != NONE
    }

    #[inline]
    pub fn position(&self, block: BlockId) -> usize {
        self.position[block.at()] as usize
    }

    /// Predecessors, one for each edge.
    #[inline]
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.preds[block.at()]
    }

    /// The immediate dominator; the entry has none.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        let at = self.position(block);
        (at != 0).then(|| self.order[self.idom[at] as usize])
    }

    /// Whether every path to `below` runs through `above`; both can be reached.
    #[inline]
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let (above, below) = (self.interval[self.position(above)], self.interval[self.position(below)]);
        above.0 <= below.0 && below.1 <= above.1
    }

    /// Immediate dominators by position, as Cooper, Harvey and Kennedy find them.
    fn dominators(&self) -> Vec<u32> {
        let mut idom = vec![NONE; self.order.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..self.order.len() {
                let mut new = NONE;
                for &pred in self.preds(self.order[at]) {
                    let pred = self.position[pred.at()];
                    if idom[pred as usize] == NONE {
                        continue;
                    }
                    new = if new == NONE { pred } else { intersect(&idom, new, pred) };
                }
                if new != idom[at] {
                    idom[at] = new;
                    changed = true;
                }
            }
        }
        idom
    }

    fn number_tree(&self) -> Vec<(u32, u32)> {
        let mut children = vec![Vec::new(); self.order.len()];
        for at in 1..self.order.len() {
            children[self.idom[at] as usize].push(at as u32);
        }
        let mut interval = vec![(0, 0); self.order.len()];
        let (mut clock, mut stack) = (0, vec![(0_u32, 0_usize)]);
        while let Some((at, child)) = stack.last_mut() {
            if *child == 0 {
                interval[*at as usize].0 = clock;
                clock += 1;
            }
            match children[*at as usize].get(*child) {
                Some(&next) => {
                    *child += 1;
                    stack.push((next, 0));
                }
                None => {
                    interval[*at as usize].1 = clock;
                    clock += 1;
                    stack.pop();
                }
            }
        }
        interval
    }

    /// Natural loops, inner ones before those around them. Headers that do not dominate a back edge are left out.
    pub fn loops(&self, unit: &Unit) -> Vec<Loop> {
        let mut loops = Vec::new();
        for &header in self.order.iter().rev() {
            let latches: Vec<BlockId> =
                self.preds(header).iter().copied().filter(|&pred| self.dominates(header, pred)).collect();
            if !latches.is_empty() {
                loops.push(self.natural_loop(unit, header, latches));
            }
        }
        loops
    }

    fn natural_loop(&self, unit: &Unit, header: BlockId, latches: Vec<BlockId>) -> Loop {
        let mut contains = vec![false; unit.blocks.len()];
        contains[header.at()] = true;
        let mut work = latches.clone();
        while let Some(block) = work.pop() {
            if !std::mem::replace(&mut contains[block.at()], true) {
                work.extend(self.preds(block));
            }
        }
        let blocks = self.order.iter().copied().filter(|block| contains[block.at()]).collect();
        let mut outside = self.preds(header).iter().copied().filter(|pred| !contains[pred.at()]);
        // A preheader is the only way in, and goes nowhere else.
        let preheader = match (outside.next(), outside.next()) {
            (Some(pred), None) if unit.successors(pred).count() == 1 => Some(pred),
            _ => None,
        };
        Loop { header, latches, blocks, preheader, contains }
    }
}

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// A natural loop.
#[derive(Debug)]
pub struct Loop {
    pub header: BlockId,
    /// The blocks that jump back to the header.
    pub latches: Vec<BlockId>,
    /// In reverse postorder; the header is the first.
    pub blocks: Vec<BlockId>,
    pub preheader: Option<BlockId>,
    contains: Vec<bool>,
}

impl Loop {
    pub fn contains(&self, block: BlockId) -> bool {
        self.contains.get(block.at()).copied().unwrap_or(false)
    }
}
