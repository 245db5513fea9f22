//! Expressions.

use crate::program::{Callable, Gen, LOCALS, Ty};

const INTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "63",
    "64",
    "255",
    "-128",
    "1000",
    "65536",
    "2147483647",
    "4294967296",
    "PHP_INT_MAX",
    "PHP_INT_MIN",
    "0x7fffffffffffff00",
];
const FLOATS: &[&str] = &[
    "0.0", "-0.0", "0.5", "1.5", "-2.25", "3.0", "1e3", "1e15", "1e18", "9.3e18", "1e100", "0.1", "NAN", "INF", "1e-7",
];
const STRS: &[&str] = &[
    "''",
    "'a'",
    "'abc'",
    "'0'",
    "'1'",
    "'12'",
    "' 7'",
    "'7 '",
    "'-3'",
    "'1.5'",
    "'1e2'",
    "'abc def'",
    "'x=1,y=2'",
    "'Hello'",
    "\"a\\nb\"",
    "'0x1A'",
    "'é'",
    "'9223372036854775808'",
    "'k'",
    "'A1'",
    "'Zz'",
];
const ARRS: &[&str] = &[
    "[]",
    "[1, 2, 3]",
    "['a' => 1, 'b' => 2]",
    "[3, 1, 2]",
    "[[1], [2, 3]]",
    "['x' => ['y' => 'z']]",
    "[1.5, 'a', null]",
    "[5 => 'f', 2 => 't']",
    "['k' => 'v', 7]",
    "[true, false]",
    "['1' => 1, '01' => 2]",
    "[-5 => 1, 2]",
];

impl Gen {
    /// A random literal of the type.
    pub fn literal(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Int => self.rng.pick(INTS).to_owned(),
            Ty::Float => self.rng.pick(FLOATS).to_owned(),
            Ty::Str => self.rng.pick(STRS).to_owned(),
            Ty::Arr => self.rng.pick(ARRS).to_owned(),
            Ty::Bool => self.rng.pick(&["true", "false"]).to_owned(),
            Ty::Obj => "null".to_owned(),
            Ty::Any => match self.rng.below(6) {
                0 => "null".to_owned(),
                1 => self.literal(Ty::Float),
                2 => self.literal(Ty::Str),
                3 => self.literal(Ty::Arr),
                4 => self.literal(Ty::Bool),
                _ => self.literal(Ty::Int),
            },
        }
    }

    /// A random local variable of the type.
    pub fn local(&mut self, ty: Ty) -> String {
        let (_, names) = LOCALS.iter().find(|(known, _)| *known == ty).unwrap_or(&LOCALS[0]);
        self.rng.pick(names).to_owned()
    }

    /// A random array key.
    pub fn key(&mut self) -> String {
        match self.rng.below(5) {
            0 => self.rng.pick(&["'a'", "'b'", "'x'", "'k'"]).to_owned(),
            1 => self.local(Ty::Int),
            2 => self.local(Ty::Str),
            _ => self.rng.below(4).to_string(),
        }
    }

    /// An expression that probably has this type.
    pub fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if self.rng.chance(4) {
            return self.typed(Ty::Any, depth);
        }
        self.typed(ty, depth)
    }

    fn typed(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return match self.rng.chance(55) || ty == Ty::Obj {
                true => self.local(ty),
                false => self.literal(ty),
            };
        }
        if self.rng.chance(12) {
            return self.common(ty, depth - 1);
        }
        match ty {
            Ty::Int => self.int(depth - 1),
            Ty::Float => self.float(depth - 1),
            Ty::Str => self.string(depth - 1),
            Ty::Arr => self.array(depth - 1),
            Ty::Bool => self.boolean(depth - 1),
            Ty::Obj => self.object(depth - 1),
            Ty::Any => self.any(depth - 1),
        }
    }

    /// Forms that any type can have.
    fn common(&mut self, ty: Ty, depth: usize) -> String {
        match self.rng.below(9) {
            0 => format!("({} ? {} : {})", self.expr(Ty::Bool, depth), self.expr(ty, depth), self.expr(ty, depth)),
            1 => format!("({}[{}] ?? {})", self.local(Ty::Arr), self.key(), self.expr(ty, depth)),
            2 => format!("({} ?: {})", self.expr(ty, depth), self.expr(ty, depth)),
            3 => {
                let subject = self.expr(Ty::Int, depth);
                let (a, b, c) = (self.expr(ty, depth), self.expr(ty, depth), self.expr(ty, depth));
                let default = if self.rng.chance(85) { format!(", default => {c}") } else { String::new() };
                format!("match ({subject}) {{ 0, 1 => {a}, {} => {b}{default} }}", self.literal(Ty::Int))
            }
            4 => format!("({} = {})", self.local(ty), self.expr(ty, depth)),
            5 => self.call(ty, depth),
            6 => {
                let (outer, value) = (self.local(Ty::Any), self.expr(ty, depth));
                format!("(function ($x) use ({outer}) {{ return $x; }})({value})")
            }
            7 => format!("(fn($x) => {})({})", self.expr(ty, depth), self.expr(Ty::Int, depth)),
            _ => format!("({}?->y[{}] ?? {})", self.local(Ty::Obj), self.key(), self.expr(ty, depth)),
        }
    }

    /// A call of a function of the program, or a value if there is none.
    pub fn call(&mut self, ty: Ty, depth: usize) -> String {
        let fitting: Vec<Callable> =
            self.functions.iter().filter(|f| ty == Ty::Any || f.result == ty || f.result == Ty::Any).cloned().collect();
        if fitting.is_empty() || self.scope.method {
            return self.expr(ty, depth);
        }
        let callee = &fitting[self.rng.below(fitting.len())];
        let args = self.args(callee, depth);
        match self.rng.below(8) {
            0 => format!("{}(...)({args})", callee.name),
            1 => format!("\\call_user_func('P{}\\{}', {})", self.namespace(), callee.name, self.expr(Ty::Any, 0)),
            2 => format!("{}(...{})", callee.name, self.local(Ty::Arr)),
            _ => format!("{}({args})", callee.name),
        }
    }

    /// Arguments for a call of `callee`: variables or elements for parameters by reference, expressions for the others.
    pub fn args(&mut self, callee: &Callable, depth: usize) -> String {
        let args: Vec<String> = callee
            .params
            .iter()
            .map(|&(ty, by_ref)| match by_ref {
                true if self.rng.chance(30) => format!("{}[{}]", self.local(Ty::Arr), self.key()),
                true => self.local(ty),
                false => self.expr(ty, depth),
            })
            .collect();
        args.join(", ")
    }

    fn int(&mut self, depth: usize) -> String {
        match self.rng.below(16) {
            0..=5 => {
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", self.expr(Ty::Int, depth), self.expr(Ty::Int, depth))
            }
            6 => format!("({} % {})", self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)),
            7 => format!(
                "({} {} ({} & 63))",
                self.expr(Ty::Int, depth),
                self.rng.pick(&["<<", ">>"]),
                self.expr(Ty::Int, depth)
            ),
            8 => format!("{}({})", self.rng.pick(&["-", "~", "+", "(int)", "(int)"]), self.expr(Ty::Int, depth)),
            9 => format!("strlen({})", self.expr(Ty::Str, depth)),
            10 => format!("count({})", self.expr(Ty::Arr, depth)),
            11 => format!("({} <=> {})", self.expr(Ty::Any, depth), self.expr(Ty::Any, depth)),
            12 => format!("{}{}", self.local(Ty::Int), self.rng.pick(&["++", "--"])),
            13 => format!("{}{}", self.rng.pick(&["++", "--"]), self.local(Ty::Int)),
            14 => format!("ord({})", self.expr(Ty::Str, depth)),
            _ => format!("intdiv({}, {})", self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match self.rng.below(6) {
            0..=2 => {
                let op = self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.expr(Ty::Float, depth), self.expr(Ty::Float, depth))
            }
            3 => format!("({} / {})", self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)),
            4 => format!(
                "{}({})",
                self.rng.pick(&["-", "(float)", "abs", "floor", "round", "ceil"]),
                self.expr(Ty::Float, depth)
            ),
            _ => format!("({} ** {})", self.expr(Ty::Int, depth), self.rng.below(4)),
        }
    }

    fn string(&mut self, depth: usize) -> String {
        let s = self.expr(Ty::Str, depth);
        match self.rng.below(17) {
            0..=2 => format!("small({s} . {})", self.expr(Ty::Any, 0)),
            3 => format!("\"<{{{}}}:{}>\"", self.local(Ty::Str), self.local(Ty::Int)),
            4 => format!("substr({s}, {}, {})", self.rng.below(4), self.expr(Ty::Int, 0)),
            5 => format!("str_repeat({s}, {})", self.rng.below(3)),
            6 => format!(
                "{}({s})",
                self.rng.pick(&["strrev", "strtoupper", "ucfirst", "trim", "strtolower", "lcfirst", "md5"])
            ),
            7 => format!("implode(',', array_map('show', {}))", self.expr(Ty::Arr, depth)),
            8 => format!("str_replace({}, {}, {s})", self.literal(Ty::Str), self.literal(Ty::Str)),
            9 => format!("sprintf('%d|%s|%.2f', {}, {s}, {})", self.expr(Ty::Int, depth), self.expr(Ty::Float, depth)),
            10 => format!("str_pad({s}, {}, '-')", self.rng.below(12)),
            11 => format!("{}[{}]", self.local(Ty::Str), self.rng.below(3)),
            12 => format!("gettype({})", self.expr(Ty::Any, depth)),
            13 => format!("(string){}", self.expr(Ty::Int, depth)),
            14 => format!("json_encode(small({}), JSON_PARTIAL_OUTPUT_ON_ERROR)", self.expr(Ty::Any, depth)),
            15 => format!("E::{}->{}", self.rng.pick(&["A", "B", "D"]), self.rng.pick(&["name", "value", "twice()"])),
            _ => format!("show({})", self.expr(Ty::Any, depth)),
        }
    }

    fn array(&mut self, depth: usize) -> String {
        match self.rng.below(16) {
            0 => format!("[{}, {}]", self.expr(Ty::Any, depth), self.expr(Ty::Any, 0)),
            1 => {
                // PHP refuses an array literal as a constant key when it compiles the file, which would lose all
                // programs of the batch.
                let key = Some(self.expr(Ty::Str, depth)).filter(|key| !key.contains('['));
                let key = key.unwrap_or_else(|| self.local(Ty::Str));
                format!("[{key} => {}, {}]", self.expr(Ty::Any, 0), self.expr(Ty::Int, 0))
            }
            2 => format!("array_map(fn($x) => {}, {})", self.expr(Ty::Any, depth), self.expr(Ty::Arr, depth)),
            3 => format!("array_filter({})", self.expr(Ty::Arr, depth)),
            4 => format!("array_slice({}, {})", self.expr(Ty::Arr, depth), self.rng.below(3)),
            5 => format!(
                "{}({})",
                self.rng.pick(&["array_keys", "array_values", "array_reverse", "small"]),
                self.expr(Ty::Arr, depth)
            ),
            6 => format!("small(array_merge({}, {}))", self.expr(Ty::Arr, depth), self.expr(Ty::Arr, depth)),
            7 => format!("({} + {})", self.expr(Ty::Arr, depth), self.expr(Ty::Arr, depth)),
            8 => format!("explode(',', {})", self.expr(Ty::Str, depth)),
            9 => format!("range({}, {})", self.rng.below(5), self.rng.below(8)),
            10 => format!("[...{}, {}]", self.local(Ty::Arr), self.expr(Ty::Any, depth)),
            11 => format!("str_split({}, 2)", self.expr(Ty::Str, depth)),
            12 => format!("array_fill({}, {}, {})", self.rng.below(3), self.rng.below(4), self.expr(Ty::Any, 0)),
            13 => format!("(array){}", self.expr(Ty::Any, depth)),
            14 => format!("array_unique({}, SORT_REGULAR)", self.expr(Ty::Arr, 0)),
            _ => match self.generators.is_empty() || self.scope.method || self.scope.generator {
                true => format!("['a' => {}]", self.expr(Ty::Any, depth)),
                false => {
                    let callee = self.generators[self.rng.below(self.generators.len())].clone();
                    format!("iterator_to_array({}({}), false)", callee.name, self.args(&callee, depth))
                }
            },
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        match self.rng.below(10) {
            0..=3 => {
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!=", "===", "!=="]);
                let ty = self.any_type();
                format!("({} {op} {})", self.expr(ty, depth), self.expr(ty, depth))
            }
            4 => format!(
                "({} {} {})",
                self.expr(Ty::Bool, depth),
                self.rng.pick(&["&&", "||", "xor"]),
                self.expr(Ty::Bool, depth)
            ),
            5 => format!("!({})", self.expr(Ty::Bool, depth)),
            6 => format!("isset({}[{}])", self.local(Ty::Arr), self.key()),
            7 => format!("empty({}[{}])", self.local(Ty::Arr), self.key()),
            8 => format!("in_array({}, {})", self.expr(Ty::Any, depth), self.expr(Ty::Arr, depth)),
            _ => format!("({} instanceof {})", self.local(Ty::Obj), self.rng.pick(&["C0", "C1", "E", "\\Countable"])),
        }
    }

    fn object(&mut self, depth: usize) -> String {
        // A method that makes objects of its own class could recurse without end; elsewhere all classes may be used.
        if self.scope.method || self.classes == 0 {
            return self.rng.pick(&["$this", "$o0", "clone $this", "E::A"]).to_owned();
        }
        let class = self.rng.below(self.classes);
        match self.rng.below(5) {
            0 | 1 => format!("new C{class}({})", self.expr(Ty::Any, depth)),
            2 => format!("C{class}::make({})", self.expr(Ty::Any, depth)),
            3 => format!("clone {}", self.local(Ty::Obj)),
            _ => format!("(object){}", self.expr(Ty::Arr, depth)),
        }
    }

    fn any(&mut self, depth: usize) -> String {
        let object = self.local(Ty::Obj);
        match self.rng.below(16) {
            0..=3 => {
                let ty = self.any_type();
                self.expr(ty, depth)
            }
            4 => format!("{}[{}]", self.local(Ty::Arr), self.key()),
            5 => format!("{}[{}][{}]", self.local(Ty::Arr), self.key(), self.key()),
            6 => format!("{object}->{}", self.rng.pick(&["x", "y", "n", "q", "t"])),
            7 if !self.scope.method => {
                let method = self.rng.pick(&["m0", "m1", "m2", "m2", "m3", "m4", "m9"]);
                format!("{object}->{method}({})", self.expr(Ty::Int, depth))
            }
            8 if self.classes > 0 => format!("C{}::{}", self.rng.below(self.classes), self.rng.pick(&["K", "$z"])),
            9 => format!("array_sum({})", self.expr(Ty::Arr, depth)),
            10 => format!(
                "{}({}, {})",
                self.rng.pick(&["max", "min"]),
                self.expr(Ty::Any, depth),
                self.expr(Ty::Any, depth)
            ),
            11 => format!(
                "{}({})",
                self.rng.pick(&["end", "reset", "array_pop", "array_shift", "current"]),
                self.local(Ty::Arr)
            ),
            12 => format!("({} ?? {})", self.rng.pick(&["$u0", "$m0", "$m1", "$i9"]), self.expr(Ty::Any, depth)),
            13 => format!("@{}[{}]", self.local(Ty::Any), self.key()),
            14 => format!("strpos({}, {})", self.expr(Ty::Str, depth), self.literal(Ty::Str)),
            _ => self.call(Ty::Any, depth),
        }
    }
}
