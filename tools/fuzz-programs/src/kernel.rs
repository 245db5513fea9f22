//! Functions with loops that run long enough to be compiled, over numbers, lists, tables, strings and properties: what the
//! compiler's passes on ranges, bounds, lists in registers and counts have most to do with.

use crate::program::Gen;

/// Whole numbers that the statements below change.
const INTS: &[&str] = &["$i", "$j", "$k"];
const FLOATS: &[&str] = &["$x", "$y"];

impl Gen {
    /// A function with such loops, and how it is called: with the numbers that it expects, and with something else.
    pub fn kernel(&mut self) -> String {
        let name = self.unique("k");
        let types = self.rng.pick(&[
            "int $i, float $x, array $l",
            "$i, $x, $l",
            "int $i, $x, array &$l",
            "?int $i, float|int $x, $l",
        ]);
        let steps = 12 + self.rng.below(40);
        let body = self.kernel_block(3, &mut vec!["$n".to_owned()]);
        let closure = match self.rng.chance(40) {
            true => "function (int $z) use (&$k, $j): int { $k += $z & 3; return ($z ^ $j) & 1023; }",
            false => "static fn(int $z): int => ($z * 5 + 1) & 1023",
        };
        let function = format!(
            "function {name}({types}) {{\n$j = 3; $k = -7; $y = 0.25; $t = 'text'; $h = ['k0' => 1, 4 => 2]; $g = [[1, 2, 3], [4, 5], [6]];\n\
             $o = new \\Cell(); $p = [new \\Cell(), new \\Cell(2)]; $f = {closure};\n\
             for ($n = 0; $n < {steps}; $n++) {body}\n\
             out($i, $j, $k, $x, $y, $l, $h, $t, $o, $p);\nreturn $k;\n}}\n"
        );
        let third = self.rng.pick(&[
            "'12', 2, [7, 'a' => 1]",
            "PHP_INT_MAX, -0.0, [[1], 2.5, 'x']",
            "null, 1e300, [1.5, true]",
            "-9, 3, []",
        ]);
        let calls: String = ["5, 1.5, [1, 2, 3, 4, 5, 6, 7, 8]", "40, 2.5, [9, 8, 7, 6]", third, "6, 0.5, [1, 2, 3, 4, 5, 6, 7, 8]"]
            .iter()
            .map(|arguments| {
                let (scalars, list) = arguments.split_at(arguments.find('[').unwrap_or(0));
                format!(
                    "$a0 = {list};\ntry {{ out({name}({scalars}$a0)); }} catch (\\Throwable $e) {{ out(get_class($e), $e->getMessage()); }}\nout($a0);\n"
                )
            })
            .collect();
        format!("{function}function run{name}() {{\n{calls}}}\n")
    }

    fn kernel_block(&mut self, depth: usize, counters: &mut Vec<String>) -> String {
        let count = 2 + self.rng.below(4);
        let statements: Vec<String> = (0..count).map(|_| self.kernel_statement(depth, counters)).collect();
        format!("{{\n{}}}", statements.concat())
    }

    fn kernel_statement(&mut self, depth: usize, counters: &mut Vec<String>) -> String {
        if depth > 0 && self.rng.chance(45) {
            return self.kernel_loop(depth - 1, counters);
        }
        let (int, float) = (self.rng.pick(INTS), self.rng.pick(FLOATS));
        let (a, b) = (self.whole(2, counters), self.whole(1, counters));
        match self.rng.below(34) {
            0..=3 => format!("{int} = ({a}) & {};\n", self.rng.pick(&["255", "0xffff", "0x7fffffff", "-1", "63"])),
            4 | 5 => format!("{int} {} ({a}) & 1023;\n", self.rng.pick(&["+=", "-=", "^=", "|=", "*="])),
            6 => format!("{int} = {a};\n"),
            7 => format!("{int}{};\n", self.rng.pick(&["++", "--", " <<= 1", " >>= 2", " %= 1000"])),
            8 | 9 => format!("$l[({a}) & 7] = ({b}) & 0xffff;\n"),
            10 => format!("$l[] = ({a}) & 255;\nif (count($l) > 24) $l = array_slice($l, 12);\n"),
            11 => format!("if (count($l) > 1) {int} += array_pop($l) <=> ({a});\n"),
            12 => format!("$g[({a}) & 3][({b}) & 3] = {int};\n"),
            13 => format!("$g[({a}) & 1][({b}) & 1] += {} & 7;\n", int),
            14 => format!("[$l[({a}) & 3], $l[({b}) & 3]] = [$l[1] ?? 0, $l[2] ?? {int}];\n"),
            15 => format!("$h['k' . (({a}) & 7)] = ({b}) & 255;\n"),
            16 => format!("$h[({a}) & 15] ??= {int};\n"),
            17 => format!("$t .= chr(65 + (({a}) & 15));\nif (strlen($t) > 30) $t = substr($t, 9);\n"),
            18 => format!("$t[({a}) & 3] = 'q';\n"),
            19 => format!("{float} = {float} * 0.5 + {};\n", self.rng.pick(&["$i", "$y", "1.5", "$k / 3", "$n"])),
            20 => format!(
                "{float} {} {};\n",
                self.rng.pick(&["+=", "-=", "*="]),
                self.rng.pick(&["$x", "0.125", "$j", "sqrt(abs($y))"])
            ),
            21 => format!("$o->n += ({a}) & 15;\n"),
            22 => format!("$o->a[({a}) & 3] = ({b}) & 255;\n"),
            23 => format!(
                "$p[({a}) & 1]->{};\n",
                self.rng.pick(&["n++", "f *= 0.5", "a[] = $n & 3", "n = $k & 77", "mixed = $y"])
            ),
            24 => format!("{int} = $p[$n & 1]->bump(({a}) & 31);\n"),
            25 => format!("{int} = $f(({a}) & 255);\n"),
            26 => format!(
                "if ($n === {}) {int} = {};\n",
                11 + self.rng.below(20),
                self.rng.pick(&["'17'", "2.5", "null", "true", "PHP_INT_MAX", "[1]"])
            ),
            27 => format!("$r = &$l[({a}) & 7];\n$r = ({b}) & 127;\nunset($r);\n"),
            28 => format!(
                "try {{ if ((({a}) & 31) === 7) throw new \\LogicException('t' . {int}); $o->n = {int}; }} catch (\\LogicException $e) {{ $k += strlen($e->getMessage()); }}{}\n",
                self.rng.pick(&["", " finally { $j++; }"])
            ),
            29 => format!("$copy = $l;\n$copy[({a}) & 3] = {int};\n{int} = count($copy) + ($l[0] ?? 3);\n"),
            31 => format!("$o[({a}) & 3] = ({b}) & 255;\n"),
            32 => format!("$k ^= ($o[({a}) & 3] ?? 4);\nunset($o[({b}) & 7]);\n"),
            30 => format!("$o = {};\n", self.rng.pick(&["clone $o", "new \\Cell($n)", "$p[$n & 1]", "$o->same()"])),
            _ => format!("{int} = match (true) {{ {a} > {b} => 1, {int} === 5 => {b}, default => {a} & 7 }};\n"),
        }
    }

    fn kernel_loop(&mut self, depth: usize, counters: &mut Vec<String>) -> String {
        let (counter, limit) = (self.unique("$c"), 2 + self.rng.below(7));
        match self.rng.below(10) {
            0..=2 => {
                counters.push(counter.clone());
                let body = self.kernel_block(depth, counters);
                counters.pop();
                let head = match self.rng.below(4) {
                    0 => format!("for ({counter} = {limit}; {counter} > 0; {counter}--)"),
                    1 => format!("for ({counter} = $n & 3; {counter} < {limit}; {counter} += 2)"),
                    2 => format!("for ({counter} = 0; {counter} < count($l) && {counter} < {limit}; ++{counter})"),
                    _ => format!("for ({counter} = 0; {counter} < {limit}; {counter}++)"),
                };
                format!("{head} {body}\n")
            }
            3 => {
                counters.push(counter.clone());
                let body = self.kernel_block(depth, counters);
                counters.pop();
                format!("{counter} = {limit};\nwhile ({counter}-- > 0) {body}\n")
            }
            4 => {
                let (value, body) = (self.rng.pick(&["$v", "$i", "$j"]), self.kernel_block(depth, counters));
                let walked = self.rng.pick(&["array_slice($l, 0, 6)", "array_slice($l, 1, 3)", "$o", "clone $o"]);
                format!("{counter} = 0;\nforeach ({walked} as {value}) {{ if ({counter}++ > 6) break;\n{body} }}\n")
            }
            5 => {
                let body = self.kernel_block(depth, counters);
                format!(
                    "{counter} = 0;\nforeach ($h as $key => $v) {{ if ({counter}++ > 4) break;\n$k ^= (int)$v;\n{body} }}\n"
                )
            }
            6 => {
                let end = self.rng.pick(&["continue", "break"]);
                format!("if ({}) {};\n", self.condition(counters), if counters.len() > 1 { end } else { "continue" })
            }
            7 => {
                let (a, cases) = (self.whole(1, counters), self.kernel_block(0, counters));
                format!(
                    "switch (({a}) & 3) {{ case 0: $i++; break; case 1: {cases} case 2: $k--; break; default: $j ^= 1; }}\n"
                )
            }
            _ => {
                let (condition, then) = (self.condition(counters), self.kernel_block(depth, counters));
                match self.rng.chance(50) {
                    true => format!("if ({condition}) {then} else {}\n", self.kernel_block(depth, counters)),
                    false => format!("if ({condition}) {then}\n"),
                }
            }
        }
    }

    fn condition(&mut self, counters: &[String]) -> String {
        let (a, b) = (self.whole(1, counters), self.whole(1, counters));
        match self.rng.below(8) {
            0 => format!("isset($l[({a}) & 15])"),
            1 => format!("isset($h['k' . (({a}) & 7)])"),
            2 => format!("$x {} $y", self.rng.pick(&["<", ">=", "==", "!="])),
            3 => format!("(({a}) & 3) === 0 && {b} > 2"),
            4 => "$o instanceof \\Cell && $o->n > 20".to_owned(),
            _ => format!("({a}) {} ({b})", self.rng.pick(&["<", "<=", ">", ">=", "===", "!==", "=="])),
        }
    }

    /// A whole number, mostly.
    fn whole(&mut self, depth: usize, counters: &[String]) -> String {
        if depth == 0 || self.rng.chance(25) {
            return match self.rng.below(6) {
                0 => self.rng.pick(&["0", "1", "2", "7", "100", "-3", "4096", "0x7fffffff"]).to_owned(),
                1 | 2 => counters[self.rng.below(counters.len())].clone(),
                _ => self.rng.pick(INTS).to_owned(),
            };
        }
        let (a, b) = (self.whole(depth - 1, counters), self.whole(depth - 1, counters));
        match self.rng.below(22) {
            0..=4 => format!("({a} {} {b})", self.rng.pick(&["+", "-", "*", "+", "-"])),
            5 | 6 => format!("({a} {} {b})", self.rng.pick(&["&", "|", "^"])),
            7 => format!("({a} {} ({b} & 15))", self.rng.pick(&["<<", ">>"])),
            8 => format!("({a} % ({b} | 1))"),
            9 => format!("intdiv({a}, ({b}) | 1)"),
            10 => format!("{}({a}, {b})", self.rng.pick(&["min", "max"])),
            11 => {
                self.rng.pick(&["count($l)", "strlen($t)", "(int)$x", "abs($k)", "-$j", "~$i", "count($h)"]).to_owned()
            }
            12 | 13 => format!("$l[({a}) & {}]", self.rng.pick(&["3", "7"])),
            14 => format!("$g[({a}) & 1][({b}) & 1]"),
            15 => format!("($h['k' . (({a}) & 7)] ?? {b})"),
            16 => format!("ord($t[({a}) & 3])"),
            17 => self.rng.pick(&["$o->n", "$p[$n & 1]->n", "($o->a[$n & 3] ?? 6)", "$o->n++"]).to_owned(),
            18 => format!("({a} <=> {b})"),
            19 => format!("(({a}) > ({b}) ? {a} : 5)"),
            20 => "$o->sum()".to_owned(),
            _ => format!("(int)(({a}) / 3)"),
        }
    }
}
