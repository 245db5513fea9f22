//! The random number generators: ISAAC, a linear congruential one, and MT19937.

const SIZE: usize = 256;

/// Bob Jenkins' ISAAC. Results are handed out from the last to the first.
#[derive(Debug, Clone)]
pub struct Isaac {
    left: usize,
    results: [u32; SIZE],
    memory: [u32; SIZE],
    a: u32,
    b: u32,
    c: u32,
}

fn mix(s: &mut [u32; 8]) {
    const SHIFTS: [(bool, u32); 8] =
        [(true, 11), (false, 2), (true, 8), (false, 16), (true, 10), (false, 4), (true, 8), (false, 9)];
    for (i, (left, by)) in SHIFTS.into_iter().enumerate() {
        let next = s[(i + 1) % 8];
        s[i] ^= if left { next << by } else { next >> by };
        s[(i + 3) % 8] = s[(i + 3) % 8].wrapping_add(s[i]);
        s[(i + 1) % 8] = s[(i + 1) % 8].wrapping_add(s[(i + 2) % 8]);
    }
}

impl Isaac {
    /// A generator from seed bytes, or from the fixed initial state.
    pub fn new(seed: Option<&[u8]>) -> Isaac {
        let mut isaac = Isaac { left: 0, results: [0; SIZE], memory: [0; SIZE], a: 0, b: 0, c: 0 };
        if let Some(seed) = seed {
            for (word, bytes) in isaac.results.iter_mut().zip(seed.chunks(4)) {
                let mut padded = [0; 4];
                padded[..bytes.len()].copy_from_slice(bytes);
                *word = u32::from_le_bytes(padded);
            }
        }
        let mut s = [0x9e37_79b9; 8];
        (0..4).for_each(|_| mix(&mut s));
        if seed.is_some() {
            let results = isaac.results;
            isaac.absorb(&mut s, Some(&results));
            let memory = isaac.memory;
            isaac.absorb(&mut s, Some(&memory));
        } else {
            isaac.absorb(&mut s, None);
        }
        isaac.generate();
        isaac.left = SIZE;
        isaac
    }

    fn absorb(&mut self, s: &mut [u32; 8], source: Option<&[u32; SIZE]>) {
        for at in (0..SIZE).step_by(8) {
            if let Some(source) = source {
                for (word, add) in s.iter_mut().zip(&source[at..]) {
                    *word = word.wrapping_add(*add);
                }
            }
            mix(s);
            self.memory[at..at + 8].copy_from_slice(s);
        }
    }

    fn generate(&mut self) {
        self.c = self.c.wrapping_add(1);
        self.b = self.b.wrapping_add(self.c);
        for at in 0..SIZE {
            let x = self.memory[at];
            self.a ^= match at % 4 {
                0 => self.a << 13,
                1 => self.a >> 6,
                2 => self.a << 2,
                _ => self.a >> 16,
            };
            self.a = self.a.wrapping_add(self.memory[(at + SIZE / 2) % SIZE]);
            let y = self.memory[(x >> 2) as usize % SIZE].wrapping_add(self.a).wrapping_add(self.b);
            self.memory[at] = y;
            self.b = self.memory[(y >> 10) as usize % SIZE].wrapping_add(x);
            self.results[at] = self.b;
        }
    }

    fn next(&mut self) -> u32 {
        if self.left == 0 {
            self.generate();
            self.left = SIZE;
        }
        self.left -= 1;
        self.results[self.left]
    }

    /// The state as bytes.
    fn state(&self) -> Vec<u8> {
        let words = [self.left as u32, self.a, self.b, self.c];
        let all = words.iter().chain(&self.results).chain(&self.memory);
        all.flat_map(|word| word.to_le_bytes()).collect()
    }

    fn set_state(&mut self, bytes: &[u8]) {
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect();
        if let [left, a, b, c, rest @ ..] = &words[..]
            && rest.len() == 2 * SIZE
        {
            self.left = (*left as usize).min(SIZE);
            (self.a, self.b, self.c) = (*a, *b, *c);
            self.results.copy_from_slice(&rest[..SIZE]);
            self.memory.copy_from_slice(&rest[SIZE..]);
        }
    }
}

/// Matsumoto and Nishimura's Mersenne Twister.
#[derive(Debug, Clone)]
pub struct Mersenne {
    state: Vec<u32>,
    at: usize,
}

const MT_SIZE: usize = 624;

impl Mersenne {
    fn new(seed: u32) -> Mersenne {
        let mut state = vec![seed];
        for n in 1..MT_SIZE as u32 {
            let last = state[state.len() - 1];
            state.push(1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(n));
        }
        Mersenne { state, at: MT_SIZE }
    }

    /// From any number of bytes, as its authors' `init_by_array` with the bytes as little-endian words, and one
    /// batch of numbers discarded.
    fn from_bytes(seed: &[u8]) -> Mersenne {
        let words: Vec<u32> =
            seed.chunks(4).map(|part| part.iter().rev().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte))).collect();
        let mut out = Mersenne::new(19_650_218);
        let state = &mut out.state;
        let (mut i, mut j) = (1, 0);
        let step = |state: &mut Vec<u32>, i: &mut usize| {
            *i += 1;
            if *i >= MT_SIZE {
                state[0] = state[MT_SIZE - 1];
                *i = 1;
            }
        };
        let mixed = |state: &[u32], i: usize, by: u32| {
            let last = state[i - 1];
            state[i] ^ (last ^ last >> 30).wrapping_mul(by)
        };
        for _ in 0..MT_SIZE.max(words.len()) {
            let word = words.get(j).copied().unwrap_or(0);
            state[i] = mixed(state, i, 1_664_525).wrapping_add(word).wrapping_add(j as u32);
            step(state, &mut i);
            j = if j + 1 >= words.len() { 0 } else { j + 1 };
        }
        for _ in 1..MT_SIZE {
            state[i] = mixed(state, i, 1_566_083_941).wrapping_sub(i as u32);
            step(state, &mut i);
        }
        state[0] = 0x8000_0000;
        out.at = 0;
        (0..=MT_SIZE).for_each(|_| {
            out.next();
        });
        out
    }

    fn next(&mut self) -> u32 {
        if self.at >= MT_SIZE {
            for n in 0..MT_SIZE {
                let y = self.state[n] & 0x8000_0000 | self.state[(n + 1) % MT_SIZE] & 0x7fff_ffff;
                let twist = if y & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[n] = self.state[(n + 397) % MT_SIZE] ^ (y >> 1) ^ twist;
            }
            self.at = 0;
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}

/// The generator's number as programs name it.
pub const ISAAC: i32 = 1;
/// Linear congruential.
pub const LCG: i32 = 2;
/// The linear congruential generator's number before any seed.
const LCG_START: u32 = 0o24_136_543_305;
/// Mersenne twister.
pub const MT19937: i32 = 3;

/// The generators and which of them is in use.
#[derive(Debug, Clone)]
pub struct Random {
    /// The one in use.
    pub which: i32,
    isaac: Isaac,
    lcg: u32,
    mersenne: Mersenne,
}

impl Random {
    /// Generators in their initial state, ISAAC in use.
    pub fn new(seed: Option<&str>) -> Random {
        let isaac = Isaac::new(seed.map(str::as_bytes));
        Random { which: ISAAC, isaac, lcg: LCG_START, mersenne: Mersenne::new(5489) }
    }

    /// The next 32 bits.
    pub fn next(&mut self) -> u32 {
        match self.which {
            LCG => {
                self.lcg = self.lcg.wrapping_mul(1_664_525).wrapping_add(1);
                self.lcg
            }
            MT19937 => self.mersenne.next(),
            _ => self.isaac.next(),
        }
    }

    /// A number below `range`.
    pub fn below(&mut self, range: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(range)) >> 32) as u32
    }

    /// Starts a generator from bytes.
    pub fn seed(&mut self, which: i32, seed: &[u8]) {
        match which {
            LCG => self.lcg = crate::checksum::checksum(seed),
            MT19937 => self.mersenne = Mersenne::from_bytes(seed),
            _ => self.isaac = Isaac::new(Some(seed)),
        }
    }

    /// Starts a generator from a number.
    pub fn seed_number(&mut self, which: i32, number: u32) {
        match which {
            LCG => self.lcg = number,
            MT19937 => {
                // The reference lets the first few numbers pass.
                self.mersenne = Mersenne::new(number);
                (0..37).for_each(|_| {
                    self.mersenne.next();
                });
            }
            _ => {
                // The number's bytes and its digits.
                let mut seed = number.to_le_bytes().to_vec();
                seed.extend((number as i32).to_string().into_bytes());
                self.isaac = Isaac::new(Some(&seed));
            }
        }
    }

    /// The state of the generator in use.
    pub fn state(&self) -> Vec<u8> {
        match self.which {
            LCG => self.lcg.to_le_bytes().to_vec(),
            MT19937 => {
                let words = self.mersenne.state.iter().copied().chain([self.mersenne.at as u32]);
                words.flat_map(u32::to_le_bytes).collect()
            }
            _ => self.isaac.state(),
        }
    }

    /// Puts a state back and uses its generator.
    pub fn set_state(&mut self, which: i32, bytes: &[u8]) {
        self.which = which;
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        match which {
            LCG if bytes.len() == 4 => self.lcg = word(bytes),
            MT19937 if bytes.len() == 4 * (MT_SIZE + 1) => {
                let words: Vec<u32> = bytes.chunks_exact(4).map(word).collect();
                self.mersenne = Mersenne { at: words[MT_SIZE] as usize, state: words[..MT_SIZE].to_vec() };
            }
            ISAAC => self.isaac.set_state(bytes),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_agrees_with_its_authors_list() {
        let mut random = Mersenne::new(5489);
        assert_eq!(random.next(), 3_499_211_612);
        assert_eq!(random.next(), 581_869_302);
    }
}
