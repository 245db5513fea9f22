//! Control flow: orders of blocks, predecessors, dominators, loops.

use crate::ids::BlockId;
use crate::unit::Unit;
use std::cell::OnceCell;

/// The reachable blocks, each before its successors except along back edges.
pub fn reverse_postorder(unit: &Unit) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(unit.blocks.len());
    let mut seen = vec![false; unit.blocks.len()];
    // Blocks to enter, and (with the flag) blocks whose successors are all done.
    let mut stack = Vec::with_capacity(unit.blocks.len());
    stack.push((unit.entry, false));
    while let Some((block, done)) = stack.pop() {
        if done {
            order.push(block);
        } else if !std::mem::replace(&mut seen[block.at()], true) {
            stack.push((block, true));
            // The block that follows without a jump is visited last, so it comes next in the order.
            stack.extend(unit.successors(block).rev().map(|next| (next, false)));
        }
    }
    order.reverse();
    order
}

/// The order in which blocks are printed: likely ones in the order of control, then the others.
pub fn layout(unit: &Unit) -> Vec<BlockId> {
    let mut order = reverse_postorder(unit);
    // The sort is stable, and the entry stays first whatever its hint.
    order.sort_by_key(|&block| (block != unit.entry, unit.block(block).hint >= crate::unit::Hint::Unlikely));
    order
}

const NONE: u32 = u32::MAX;

/// The shape of a unit's control flow, for passes. It is out of date once edges change.
#[derive(Debug)]
pub struct Cfg {
    /// The edges of the unit, as target and source, in the order of the sources.
    edges: Vec<(BlockId, BlockId)>,
    /// The blocks in reverse postorder.
    pub order: Vec<BlockId>,
    /// The index in `order` of each block; `u32::MAX` if the block is unreachable.
    position: Vec<u32>,
    preds: Rows,
    idom: Vec<u32>,
    /// The blocks that each block dominates immediately.
    children: Rows,
    /// When each block is entered and left in a walk over the tree of dominators.
    interval: Vec<(u32, u32)>,
    loops: OnceCell<Vec<Loop>>,
}

/// A list of blocks for each block, all in one vector.
#[derive(Debug, Default)]
struct Rows {
    starts: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Rows {
    /// Makes the lists from pairs of a block and an item of its list.
    fn new(count: usize, pairs: &[(BlockId, BlockId)]) -> Rows {
        let mut starts = vec![0_u32; count + 1];
        pairs.iter().for_each(|pair| starts[pair.0.at() + 1] += 1);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let (mut ends, mut blocks) = (starts.clone(), vec![BlockId(0); pairs.len()]);
        for (block, item) in pairs {
            let end = &mut ends[block.at()];
            blocks[*end as usize] = *item;
            *end += 1;
        }
        Rows { starts, blocks }
    }

    #[inline]
    fn of(&self, block: BlockId) -> &[BlockId] {
        &self.blocks[self.starts[block.at()] as usize..self.starts[block.at() + 1] as usize]
    }
}

impl Cfg {
    /// Analyses the control flow of a unit.
    pub fn new(unit: &Unit) -> Cfg {
        let order = reverse_postorder(unit);
        let mut position = vec![NONE; unit.blocks.len()];
        let mut edges = Vec::with_capacity(2 * order.len());
        for (at, &block) in order.iter().enumerate() {
            position[block.at()] = at as u32;
            edges.extend(unit.successors(block).map(|next| (next, block)));
        }
        let preds = Rows::new(unit.blocks.len(), &edges);
        let mut cfg = Cfg {
            edges,
            order,
            position,
            preds,
            idom: Vec::new(),
            children: Rows::default(),
            interval: Vec::new(),
            loops: OnceCell::new(),
        };
        cfg.idom = cfg.dominators();
        let below: Vec<_> = cfg.order.iter().filter_map(|&block| Some((cfg.idom(block)?, block))).collect();
        cfg.children = Rows::new(unit.blocks.len(), &below);
        cfg.interval = cfg.number_tree();
        cfg
    }

    /// Whether the unit's edges are still those that were analysed.
    pub fn holds(&self, unit: &Unit) -> bool {
        let all = self.order.iter().flat_map(|&block| unit.successors(block).map(move |next| (next, block)));
        self.position.len() == unit.blocks.len() && self.order[0] == unit.entry && all.eq(self.edges.iter().copied())
    }

    /// Whether a block is reachable.
    #[inline]
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.at()] != NONE
    }

    /// The index of a reachable block in `order`.
    #[inline]
    pub fn position(&self, block: BlockId) -> usize {
        self.position[block.at()] as usize
    }

    /// The predecessors of a block, one for each edge.
    #[inline]
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        self.preds.of(block)
    }

    /// The immediate dominator of a block; the entry has none.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        let at = self.position(block);
        (at != 0).then(|| self.order[self.idom[at] as usize])
    }

    /// The blocks that a block dominates immediately, in order.
    #[inline]
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        self.children.of(block)
    }

    /// Whether every path to `below` runs through `above`. Both must be reachable.
    #[inline]
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let (above, below) = (self.interval[self.position(above)], self.interval[self.position(below)]);
        above.0 <= below.0 && below.1 <= above.1
    }

    /// Computes the immediate dominators, by index, with the algorithm of Cooper, Harvey and Kennedy.
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
        let mut interval = vec![(0, 0); self.order.len()];
        let mut clock = 0;
        let mut stack = vec![(self.order[0], false)];
        while let Some((block, done)) = stack.pop() {
            let at = self.position(block);
            if done {
                interval[at].1 = clock;
            } else {
                interval[at].0 = clock;
                stack.push((block, true));
                stack.extend(self.children(block).iter().map(|&child| (child, false)));
            }
            clock += 1;
        }
        interval
    }

    /// The natural loops, inner ones before outer ones. A header that does not dominate its back edge makes no natural loop.
    pub fn loops(&self, unit: &Unit) -> &[Loop] {
        self.loops.get_or_init(|| self.find_loops(unit))
    }

    fn find_loops(&self, unit: &Unit) -> Vec<Loop> {
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
        // A preheader is the only block that enters the loop, and goes nowhere else.
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
    /// The only entry of the loop.
    pub header: BlockId,
    /// The blocks that jump back to the header.
    pub latches: Vec<BlockId>,
    /// The loop's blocks in reverse postorder, beginning with the header.
    pub blocks: Vec<BlockId>,
    /// The only block that enters the loop from outside, if that block goes nowhere else.
    pub preheader: Option<BlockId>,
    contains: Vec<bool>,
}

impl Loop {
    /// Whether a block is part of the loop.
    pub fn contains(&self, block: BlockId) -> bool {
        self.contains.get(block.at()).copied().unwrap_or(false)
    }
}
