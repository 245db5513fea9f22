//! Functions whose variables are references: global and static ones, parameters and captured variables by reference, results by
//! reference. What they hold changes its kind now and then, also between calls.
//!
//! They have random numbers of their own, so that the rest of a program stays what it was for a seed.

use crate::program::Gen;
use crate::rng::Rng;

/// Variables of such a function, the first ones bound.
const VARIABLES: &[&str] = &["$ga", "$gb", "$sa", "$sb", "$q", "$v", "$p"];
const VALUES: &[&str] = &["0", "7", "-3", "2.5", "'x'", "'12'", "null", "true", "[1, 2]", "PHP_INT_MAX", "1e9"];

impl Gen {
    /// Functions that take an integer and a reference, and one that calls them often.
    pub fn bound_functions(&mut self) -> (String, String) {
        let own = Rng::new(self.namespace() ^ 0x5bd1_e995_2545_f491);
        let (others, counter) = (std::mem::replace(&mut self.rng, own), self.counter);
        let made = if self.rng.chance(40) { self.bound_program() } else { (String::new(), String::new()) };
        (self.rng, self.counter) = (others, counter);
        made
    }

    fn bound_program(&mut self) -> (String, String) {
        let count = 1 + self.rng.below(3);
        let functions: Vec<String> = (0..count).map(|number| self.bound_function(number)).collect();
        let mut trip = String::new();
        for number in 0..count {
            let mark = if self.rng.chance(30) { "&" } else { "" };
            trip += &format!("$r = {mark}bound{number}($n, $q);\n");
            if mark.is_empty() && self.rng.chance(30) {
                trip += "out($r);\n";
            } else if !mark.is_empty() {
                trip += &format!("$r = {}; unset($r);\n", self.rng.pick(&["$n", "$n / 2", "'r'"]));
            }
        }
        if self.rng.chance(60) {
            let every = 5 + self.rng.below(30);
            let target = self.rng.pick(&["$ga", "$gb", "$q", "$GLOBALS['ga']"]);
            trip += &format!("if ($n % {every} == 2) {target} = {};\n", self.rng.pick(VALUES));
        }
        if self.rng.chance(20) {
            trip += "if ($n == 31) unset($GLOBALS['gb']);\n";
        }
        let closure = if self.rng.chance(60) { self.bound_closure() } else { String::new() };
        if !closure.is_empty() {
            trip += match self.rng.below(3) {
                0 => "array_map($closure, [$n, 3, $n + 1]);\n",
                1 => "out(array_filter([$n, $n * 2, 7], $closure));\n",
                _ => "$list = [$n, 5, 2]; array_walk($list, $closure);\n",
            };
        }
        let (first, second, third) = (self.rng.pick(VALUES), self.rng.pick(VALUES), self.rng.pick(VALUES));
        let driver = format!(
            "$ga = {first}; $gb = {second}; $q = {third};\n{closure}\
             for ($n = 0; $n < {}; $n++) {{\ntry {{\n{trip}}} catch (\\Throwable $e) {{ out(get_class($e), $e->getMessage()); $ga = 1; $gb = 2; $q = 3; }}\n}}\n\
             out($ga, $gb, $q);\n",
            20 + self.rng.below(60),
        );
        // Outside of functions the globals are the loop's own variables.
        match self.rng.chance(40) {
            true => (functions.concat() + &driver, String::new()),
            false => {
                let driver = format!("function run_bound() {{\nglobal $ga, $gb; {driver}}}\n");
                (functions.concat() + &driver, "run_bound();\n".to_owned())
            }
        }
    }

    /// A closure that captures by reference and by value.
    fn bound_closure(&mut self) -> String {
        let count = 1 + self.rng.below(4);
        let statements: Vec<String> = (0..count).map(|_| self.bound_statement(1)).collect();
        let (result, first, second) = (self.bound_value(), self.rng.pick(VALUES), self.rng.pick(VALUES));
        let captured = self.rng.pick(&[
            "&$ga, &$q, &$sa, $gb",
            "$gb, &$sa, &$q, $ga",
            "&$ga, $gb, $q, $sa",
            "&$gb, &$ga, &$sa, &$q",
        ]);
        format!(
            "$sa = {first};\n$closure = function (int $p) use ({captured}) {{\nstatic $sb = {second}; $v = $p & 7;\n{}return {result};\n}};\n",
            statements.concat()
        )
    }

    fn bound_function(&mut self, number: usize) -> String {
        let by_reference = if self.rng.chance(25) { "&" } else { "" };
        let count = 2 + self.rng.below(5);
        let statements: Vec<String> = (0..count).map(|_| self.bound_statement(2)).collect();
        let result = match by_reference {
            "" => self.bound_value(),
            _ => self.rng.pick(VARIABLES).to_owned(),
        };
        let (first, second) = (self.rng.pick(VALUES), self.rng.pick(VALUES));
        format!(
            "function {by_reference}bound{number}(int $p, &$q) {{\nglobal $ga, $gb; static $sa = {first}, $sb = {second}; $v = $p & 7;\n{}return {result};\n}}\n",
            statements.concat()
        )
    }

    fn bound_statement(&mut self, depth: usize) -> String {
        let target = self.rng.pick(VARIABLES);
        let (a, b) = (self.bound_value(), self.bound_value());
        match self.rng.below(16) {
            0..=3 => format!("{target} = {a};\n"),
            4 => match self.rng.pick(&["+=", "-=", "*=", "&=", "??=", ".="]) {
                // Strings that join themselves take all memory.
                ".=" => format!("{target} .= (int)({a}) & 255;\n"),
                operator => format!("{target} {operator} {a};\n"),
            },
            5 => format!("{target}{};\n", self.rng.pick(&["++", "--"])),
            6 => format!("{} = {target}{};\n", self.rng.pick(VARIABLES), self.rng.pick(&["++", "--"])),
            7 => format!("{target} = {a} / 7;\n"),
            8 => format!("{target} = {} = {a};\n", self.rng.pick(VARIABLES)),
            9 => format!("if (is_array({target}) && count({target}) < 9) {target}[] = {a};\n"),
            10 => format!("if (is_array({target})) {target}[{b} % 5] = {a};\n"),
            11 => format!("if (is_string({target}) && strlen({target}) > 20) {target} = 'cut';\n"),
            12 if depth > 0 => {
                let (one, other) = (self.bound_statement(depth - 1), self.bound_statement(depth - 1));
                format!(
                    "if ({a} {} {b}) {{\n{one}}} else {{\n{other}}}\n",
                    self.rng.pick(&["<", ">", "==", "===", "!="])
                )
            }
            13 if depth > 0 => {
                let inner = self.bound_statement(depth - 1);
                let counter = self.unique("$c");
                format!("for ({counter} = 0; {counter} < {}; {counter}++) {{\n{inner}}}\n", 1 + self.rng.below(5))
            }
            14 => format!("{target} = &{};\n", self.rng.pick(VARIABLES)),
            15 => format!("unset({target});\n{target} = {a};\n"),
            _ => format!("{target} = {a};\n"),
        }
    }

    fn bound_value(&mut self) -> String {
        let (one, other) = (self.rng.pick(VARIABLES), self.rng.pick(VARIABLES));
        match self.rng.below(12) {
            0..=2 => one.to_owned(),
            3 => self.rng.pick(VALUES).to_owned(),
            4 | 5 => format!("(int)({one}) & 255"),
            6 => format!("((int)({one}) + (int)({other})) % 1000"),
            7 => format!("({one} <=> {other})"),
            8 => format!("(is_int({one}) ? {one} & 1023 : 5)"),
            9 => "$p * 3".to_owned(),
            10 => format!("({one} ?? {other})"),
            _ => format!("gettype({one})"),
        }
    }
}
