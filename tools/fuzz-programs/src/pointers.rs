//! Programs about the internal pointers of arrays: what moves them, and what becomes of them when the array changes, is
//! copied, shared or passed on.

use crate::rng::Rng;

/// Helpers that a batch of these starts with.
pub const PRELUDE: &str = include_str!("pointers.php");

/// Where arrays are.
const PLACES: &[&str] = &["$a", "$b", "$c", "$r", "$o->p", "$o->q", "S::$p", "$n['in']", "$n[3]"];

const KEYS: &[&str] = &["0", "1", "2", "3", "4", "7", "9", "-2", "'a'", "'b'", "'c'", "'d'", "'e'", "'new'"];

const MOVES: &[&str] = &["next", "next", "next", "prev", "prev", "reset", "end", "current", "key"];

struct Writer {
    rng: Rng,
    counter: usize,
}

/// One program, to stand behind the prelude.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { rng: Rng::new(seed ^ 0x706f_696e_7465_7200), counter: 0 };
    let setup: String = PLACES.iter().map(|place| format!("{place} = {};\n", writer.array())).collect();
    let count = 6 + writer.rng.below(18);
    let body: String = (0..count).map(|_| writer.statement(2)).collect();
    let shown: String = PLACES.iter().map(|place| format!("show({place});\n")).collect();
    format!(
        "echo \"\\n#{seed}\\n\";\nfunction p{seed}() {{\n$o = new O;\n$n = [];\n{setup}{body}{shown}}}\n\
         try {{ p{seed}(); }} catch (\\Throwable $e) {{ echo get_class($e), ': ', $e->getMessage(), \"\\n\"; }}\n"
    )
}

impl Writer {
    fn place(&mut self) -> &'static str {
        // Most of what happens should happen to the same arrays.
        match self.rng.chance(65) {
            true => PLACES[self.rng.below(3)],
            false => PLACES[self.rng.below(PLACES.len())],
        }
    }

    fn key(&mut self) -> &'static str {
        KEYS[self.rng.below(KEYS.len())]
    }

    /// A new array.
    fn array(&mut self) -> String {
        let length = self.rng.below(7);
        match self.rng.below(9) {
            0 => "[]".to_owned(),
            1 | 2 => format!("[{}]", (0..length).map(|at| (at + 10).to_string()).collect::<Vec<_>>().join(", ")),
            3 => format!("range(1, {})", 1 + length),
            4 => {
                let all = "['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4, 'e' => 5]";
                format!("array_slice({all}, 0, {})", 1 + length)
            }
            5 => {
                let rows = (0..length).map(|at| format!("{} => {at}", self.key())).collect::<Vec<_>>().join(", ");
                format!("[{rows}]")
            }
            6 => "['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4]".to_owned(),
            7 => "array_merge(['a' => 1, 5 => 2, 'c' => 3], [])".to_owned(),
            _ => format!("make({length})"),
        }
    }

    /// An array made of what is in a place; often it is the same one.
    fn derived(&mut self) -> String {
        let place = self.place();
        match self.rng.below(16) {
            0..=5 => place.to_owned(),
            6 => format!("array_values({place})"),
            7 => format!("array_merge(cut({place}), cut({}))", self.place()),
            8 => format!("{place} + {}", self.place()),
            9 => format!("array_filter({place}, fn($v) => $v !== 2)"),
            10 => format!("array_slice({place}, 0)"),
            11 => format!("(array) {place}"),
            12 => format!("[...{place}]"),
            13 => format!("same({place})"),
            14 => format!("array_reverse({place})"),
            _ => {
                format!("array_{}({place}, {})", self.rng.pick(&["replace", "diff_key", "intersect_key"]), self.place())
            }
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let place = self.place();
        match self.rng.below(if depth > 0 { 42 } else { 34 }) {
            0..=8 => format!("o({}({place}));\n", MOVES[self.rng.below(MOVES.len())]),
            9 => format!("{}({place});\n", MOVES[self.rng.below(MOVES.len())]),
            10 | 11 => format!("o(key({place}), current({place}));\n"),
            12 | 13 => format!("unset({place}[{}]);\n", self.key()),
            14..=16 => format!("unset({place}[key({place}) ?? 'none']);\n"),
            17 | 18 => format!("{place}[] = {};\n", 20 + self.rng.below(9)),
            19 => format!("{place}[{}] = {};\n", self.key(), 30 + self.rng.below(9)),
            20 => format!("if (key({place}) !== null) {place}[key({place})] = 'w';\n"),
            21..=24 => format!("{place} = {};\n", self.derived()),
            25 => format!("{place} = {};\n", self.array()),
            26 => {
                let sort = self.rng.pick(&[
                    "sort",
                    "rsort",
                    "asort",
                    "arsort",
                    "ksort",
                    "krsort",
                    "natsort",
                    "array_multisort",
                ]);
                format!("{sort}({place});\n")
            }
            27 => format!("{}({place}, fn($x, $y) => $x <=> $y);\n", self.rng.pick(&["usort", "uasort", "uksort"])),
            28 => format!("o({}({place}));\n", self.rng.pick(&["array_pop", "array_shift"])),
            29 => format!("o({}({place}, 'p', 'q'));\n", self.rng.pick(&["array_push", "array_unshift"])),
            30 => {
                let (offset, length) = (self.rng.below(4), self.rng.below(3));
                format!("o(array_splice({place}, {offset}, {length}, ['s', 't']));\n")
            }
            31 => {
                let function = self.rng.pick(&["byValue", "byRef", "byValueGiven", "byRefGiven"]);
                format!("o({function}({place}, {}));\n", self.rng.below(8))
            }
            32 => match self.rng.below(4) {
                0 => format!("$r = &{place};\n"),
                1 => "unset($r); $r = [5, 6, 7];\n".to_owned(),
                2 => format!("array_walk({place}, function (&$v, $k) {{ $v = $k; }});\n"),
                _ => format!("[{place}, {}] = [{}, {place}];\n", "$b", "$b"),
            },
            33 => "$o2 = clone $o; o(next($o2->p), key($o->p));\n".to_owned(),
            34 | 35 => {
                let (inside, value) = (self.statement(depth - 1), self.unique());
                format!("foreach ({place} as $k => {value}) {{ {inside} }}\no(key({place}));\n")
            }
            36 | 37 => {
                let (inside, value, limit) = (self.statement(depth - 1), self.unique(), self.unique());
                format!(
                    "{limit} = 0;\nforeach ({place} as $k => &{value}) {{ if ({limit}++ > 6) break; o($k); {inside} }}\nunset({value});\no(key({place}));\n"
                )
            }
            38 | 39 => {
                let (inside, limit) = (self.statement(depth - 1), self.unique());
                format!(
                    "for ({limit} = 0; key({place}) !== null && {limit} < 9; {limit}++) {{ o(current({place})); {inside} next({place}); }}\n"
                )
            }
            40 => {
                let inside = self.statement(depth - 1);
                format!("(function () use ($a, &$b, $o, $n) {{ $c = $r = $a; {inside} show($a); }})();\n")
            }
            _ => {
                let (inside, more) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("for ($i = 0; $i < 3; $i++) {{ {inside}{more} }}\n")
            }
        }
    }

    fn unique(&mut self) -> String {
        self.counter += 1;
        format!("$v{}", self.counter)
    }
}
