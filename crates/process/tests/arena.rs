//! Blocks of the arena: large enough, aligned, apart from each other, and kept when they grow, whichever thread gives them back.

use phlox_process::Arena;
use std::alloc::{GlobalAlloc, Layout};

struct Block {
    at: *mut u8,
    layout: Layout,
    filled: u8,
}

// SAFETY: one thread at a time uses a block.
unsafe impl Send for Block {}

impl Block {
    fn new(bytes: usize, filled: u8) -> Block {
        let layout = Layout::from_size_align(bytes, 16).unwrap();
        // SAFETY: the size is not 0.
        let at = unsafe { Arena.alloc(layout) };
        assert!(!at.is_null() && (at as usize).is_multiple_of(16));
        // SAFETY: the block has so many bytes.
        unsafe { at.write_bytes(filled, bytes) };
        Block { at, layout, filled }
    }

    fn check(&self, bytes: usize) {
        // SAFETY: the block has at least so many, all written.
        let all = unsafe { std::slice::from_raw_parts(self.at, bytes) };
        assert!(all.iter().all(|&byte| byte == self.filled), "{} bytes of {:?}", bytes, self.layout);
    }

    fn resize(&mut self, bytes: usize) {
        let kept = bytes.min(self.layout.size());
        // SAFETY: the block is of this layout.
        self.at = unsafe { Arena.realloc(self.at, self.layout, bytes) };
        self.layout = Layout::from_size_align(bytes, 16).unwrap();
        self.check(kept);
        // SAFETY: the block has so many bytes.
        unsafe { self.at.write_bytes(self.filled, bytes) };
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.check(self.layout.size());
        // SAFETY: the block is of this layout, and nobody else has it.
        unsafe { Arena.dealloc(self.at, self.layout) };
    }
}

#[test]
fn blocks_are_kept_apart() {
    // These blocks come from the C library, before there is an arena; the owner may resize and free them.
    let mut before: Vec<Block> = (1..50).map(|at| Block::new(at * 37, 250)).collect();
    Arena::begin();
    before.iter_mut().for_each(|block| block.resize(block.layout.size() * 3));
    // Blocks of the arena lie one behind the other, without headers.
    let [first, second] = [1, 2].map(|filled| Block::new(1024, filled));
    assert_eq!(second.at as usize - first.at as usize, 1024);
    let mut random = 7_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % below
    };
    let mut blocks: Vec<Block> = Vec::new();
    // Miri takes ten thousand times as long, so it runs a part of the test.
    let (rounds, largest, most_large) = if cfg!(miri) { (100, 3_000, 1) } else { (20_000, 200_000, 20) };
    for round in 0..rounds {
        let bytes = match next(8) {
            0 => 1 + next(largest),
            1 => [1, 16, 17, 1024, 1025, 2048, 2049, 4096][next(8)],
            _ => 1 + next(1_500),
        };
        match next(3) {
            0 if !blocks.is_empty() => drop(blocks.swap_remove(next(blocks.len()))),
            1 if !blocks.is_empty() => {
                let at = next(blocks.len());
                blocks[at].resize(bytes);
            }
            _ if blocks.len() < 200 => blocks.push(Block::new(bytes, round as u8)),
            _ => {}
        }
    }
    // These blocks are more than the arena has room for, and the last one is larger than any class.
    let large = if cfg!(miri) { 4 << 10 } else { 4 << 20 };
    blocks.extend((0..most_large).map(|at| Block::new(large, at)));
    blocks.push(Block::new(large + 1, 99));
    // SAFETY: the block is of the layout.
    let zeros = unsafe { Arena.alloc_zeroed(Layout::from_size_align(1_000, 8).unwrap()) };
    // SAFETY: the block has 1,000 bytes.
    assert!(unsafe { std::slice::from_raw_parts(zeros, 1_000) }.iter().all(|&byte| byte == 0));
    std::thread::spawn(move || drop(blocks)).join().unwrap();
}
