//! Statements over what programs use less often: classes of the prelude with hooks, readonly properties and array access,
//! destructuring, named arguments, callables, `finally` that returns, builtin functions with odd arguments.

use crate::program::{Gen, Ty};

/// Builtin functions and the types of their arguments, which real programs rarely get right each time.
const BUILTINS: &[(&str, &[Ty])] = &[
    ("array_chunk", &[Ty::Arr, Ty::Int]),
    ("array_column", &[Ty::Arr, Ty::Str]),
    ("array_combine", &[Ty::Arr, Ty::Arr]),
    ("array_count_values", &[Ty::Arr]),
    ("array_diff", &[Ty::Arr, Ty::Arr]),
    ("array_diff_key", &[Ty::Arr, Ty::Arr]),
    ("array_fill_keys", &[Ty::Arr, Ty::Any]),
    ("array_flip", &[Ty::Arr]),
    ("array_intersect", &[Ty::Arr, Ty::Arr]),
    ("array_intersect_key", &[Ty::Arr, Ty::Arr]),
    ("array_is_list", &[Ty::Arr]),
    ("array_key_exists", &[Ty::Str, Ty::Arr]),
    ("array_key_last", &[Ty::Arr]),
    ("array_merge_recursive", &[Ty::Arr, Ty::Arr]),
    ("array_pad", &[Ty::Arr, Ty::Bool, Ty::Any]),
    ("array_product", &[Ty::Arr]),
    ("array_replace", &[Ty::Arr, Ty::Arr]),
    ("array_reverse", &[Ty::Arr, Ty::Bool]),
    ("array_search", &[Ty::Any, Ty::Arr]),
    ("array_slice", &[Ty::Arr, Ty::Int, Ty::Int, Ty::Bool]),
    ("array_unique", &[Ty::Arr]),
    ("array_values", &[Ty::Arr]),
    ("base_convert", &[Ty::Str, Ty::Int, Ty::Int]),
    ("bin2hex", &[Ty::Str]),
    ("chunk_split", &[Ty::Str, Ty::Int]),
    ("dechex", &[Ty::Int]),
    ("fdiv", &[Ty::Float, Ty::Float]),
    ("fmod", &[Ty::Float, Ty::Float]),
    ("implode", &[Ty::Str, Ty::Arr]),
    ("in_array", &[Ty::Any, Ty::Arr, Ty::Bool]),
    ("is_callable", &[Ty::Any]),
    ("is_numeric", &[Ty::Any]),
    ("json_decode", &[Ty::Str, Ty::Bool]),
    ("levenshtein", &[Ty::Str, Ty::Str]),
    ("ltrim", &[Ty::Str, Ty::Str]),
    ("max", &[Ty::Arr]),
    ("min", &[Ty::Arr]),
    ("nl2br", &[Ty::Str]),
    ("rtrim", &[Ty::Str, Ty::Str]),
    ("round", &[Ty::Float, Ty::Bool]),
    ("similar_text", &[Ty::Str, Ty::Str]),
    ("str_contains", &[Ty::Str, Ty::Str]),
    ("str_split", &[Ty::Str, Ty::Int]),
    ("str_word_count", &[Ty::Str]),
    ("strcmp", &[Ty::Str, Ty::Str]),
    ("strncasecmp", &[Ty::Str, Ty::Str, Ty::Int]),
    ("strrpos", &[Ty::Str, Ty::Str, Ty::Int]),
    ("strstr", &[Ty::Str, Ty::Str, Ty::Bool]),
    ("strtr", &[Ty::Str, Ty::Arr]),
    ("strval", &[Ty::Any]),
    ("substr_count", &[Ty::Str, Ty::Str]),
    ("substr_replace", &[Ty::Str, Ty::Str, Ty::Int, Ty::Int]),
    ("trim", &[Ty::Str, Ty::Str]),
    ("ucwords", &[Ty::Str]),
    ("unserialize", &[Ty::Str]),
    ("serialize", &[Ty::Arr]),
    ("var_export", &[Ty::Any, Ty::Bool]),
    ("wordwrap", &[Ty::Str, Ty::Int, Ty::Str]),
];

const FORMATS: &[&str] =
    &["%5d|%-6s|%05.1f", "%s %s %s", "%\\'*8s%x%c", "%2$s %1$d %3$e", "%b %o %u", "%+d%%%5.2s%g", "%d"];

const CALLABLES: &[&str] = &[
    "strlen(...)",
    "'strtoupper'",
    "'show'",
    "'small'",
    "static fn($x) => [$x]",
    "fn($x, ...$more) => count($more)",
    "new \\Hooked(2)",
    "[new \\Hooked(3), 'plus']",
    "(new \\Hooked(4))->plus(...)",
    "\\Hooked::of(...)",
    "'Hooked::of'",
    "['Hooked', 'of']",
    "['Hooked', 'nothing']",
    "'nothing'",
    "\\named(...)",
];

impl Gen {
    /// A call of a builtin function.
    pub fn builtin(&mut self) -> String {
        let (name, types) = BUILTINS[self.rng.below(BUILTINS.len())];
        let args: Vec<String> = types.iter().map(|&ty| self.expr(ty, 1)).collect();
        // `var_export` would print.
        match name {
            "var_export" => format!("{name}({}, true)", args[0]),
            _ => format!("{name}({})", args.join(", ")),
        }
    }

    /// A random statement of this module.
    pub fn feature(&mut self) -> String {
        match self.rng.below(18) {
            16 | 17 => self.frame(),
            0 => self.hooked(),
            1 => self.fixed(),
            2 => self.destructured(),
            3 => self.named_arguments(),
            4 => self.called_back(),
            5 => self.returned_finally(),
            6 => self.collection(),
            7 => self.shared(),
            8 => {
                let format = self.rng.pick(FORMATS);
                let args: Vec<String> = [Ty::Int, Ty::Str, Ty::Float].iter().map(|&ty| self.expr(ty, 1)).collect();
                format!("out(\\sprintf('{format}', {}));\n", args.join(", "))
            }
            9 => {
                let (text, int, array, key) =
                    (self.local(Ty::Str), self.local(Ty::Int), self.local(Ty::Arr), self.key());
                let plain = self.rng.pick(&["a", "0", "-1", "x1"]);
                let object = self.local(Ty::Obj);
                format!(
                    "{text} = \"{{{array}[{key}]}} {array}[{plain}] {object}->n {{{int}}}\";\n{text} = small({text});\n"
                )
            }
            10 => {
                let object = self.local(Ty::Obj);
                let (member, key) = (self.rng.pick(&["x", "y", "q", "n"]), self.key());
                let inner = self.rng.pick(&["x", "y[0]", "m3()", "m2()?->x", "q->x", "m4(2)?->n"]);
                format!(
                    "out({object}?->{member}?->{inner}, {object}?->y[{key}] ?? 'none', isset({object}?->{member}[{key}]));\n"
                )
            }
            11 => format!("out(small({}), \\gettype({}));\n", self.builtin(), self.builtin()),
            12 => {
                let (array, key) = (self.local(Ty::Arr), self.key());
                format!("{array}[{key}][{}] ??= {};\n{array} = small({array});\n", self.key(), self.expr(Ty::Any, 1))
            }
            13 => {
                let (name, op) =
                    (self.local(Ty::Any), self.rng.pick(&["++", "--", " .= 'z'", " **= 2", " <<= 1", " ??= 3"]));
                format!("{name} = {};\n{name}{op};\nout({name});\n{name} = small({name});\n", self.literal(Ty::Str))
            }
            14 => {
                let array = self.local(Ty::Arr);
                let (from, length) = (self.rng.below(3), self.rng.below(3));
                let value = self.expr(Ty::Any, 1);
                let change = match self.rng.below(6) {
                    0 => format!("out(array_splice({array}, {from}, {length}, {value}));"),
                    1 => format!("array_splice({array}, -{from}, {length});"),
                    2 => format!("array_unshift({array}, small({value}));"),
                    3 => format!("array_push({array}, small({value}), 1);"),
                    4 => format!("array_walk({array}, function (&$x, $k) {{ $x = small([$k, $x]); }});"),
                    _ => format!("uasort({array}, fn($x, $y) => $x <=> $y); uksort({array}, fn($x, $y) => $y <=> $x);"),
                };
                format!("{change}\n{array} = small({array});\n")
            }
            _ => format!("out({});\n", self.builtin()),
        }
    }

    /// An object with property hooks.
    fn hooked(&mut self) -> String {
        let name = self.unique("$n");
        let mut text = format!("{name} = new \\Hooked({});\n", self.expr(Ty::Int, 1));
        for _ in 0..1 + self.rng.below(3) {
            let (op, value) = (self.rng.pick(&["=", "+=", ".=", "??=", "-="]), self.expr(Ty::Int, 1));
            text.push_str(&match self.rng.below(7) {
                0 => format!("{name}->twice {op} {value};\n"),
                1 => format!("{name}->loud {op} {};\n", self.expr(Ty::Str, 1)),
                2 => format!("{name}->twice++;\n"),
                3 => format!("{name}->list[{}] = small({value});\n", self.key()),
                4 => format!("out({name}->sum, isset({name}->twice), {name}->loud ?? 'none');\n"),
                5 => format!("{name}->sum = {value};\n"),
                _ => format!("{name}->inner {op} {value};\n"),
            });
        }
        text + &format!("out({name}, {name}->twice, {name}->loud);\n")
    }

    /// An object with readonly properties.
    fn fixed(&mut self) -> String {
        let name = self.unique("$n");
        let mut text =
            format!("{name} = new \\Fixed({}, new \\Fixed({}));\n", self.expr(Ty::Arr, 1), self.literal(Ty::Arr));
        let value = self.expr(Ty::Any, 1);
        text.push_str(&match self.rng.below(7) {
            0 => format!("{name}->list[{}] = {value};\n", self.key()),
            1 => format!("{name}->next->list = [];\n"),
            2 => format!("{name}->next->free[{}] = small({value});\n", self.key()),
            3 => format!("{name} = {name}->with(small({value}));\n"),
            4 => format!("foreach ({name}->list as &$r) {{ $r = 1; }}\nunset($r);\n"),
            5 => format!("unset({name}->next);\n"),
            _ => format!("{name}->free = &{};\n", self.local(Ty::Any)),
        });
        text + &format!("out({name}, {name}->next?->next?->list);\n")
    }

    fn destructured(&mut self) -> String {
        let (a, i, m, s) = (self.local(Ty::Arr), self.local(Ty::Int), self.local(Ty::Any), self.local(Ty::Str));
        let source = self.expr(Ty::Arr, 1);
        match self.rng.below(7) {
            0 => format!("[, {i}, [{m}]] = {source};\nout({i}, {m});\n"),
            1 => format!("[{} => {m}, {} => [{s}]] = {source};\nout({m}, {s});\n", self.key(), self.key()),
            2 => format!("[{} => &{m}] = {a};\n{m} = 'r';\nout({a});\nunset({m});\n", self.key()),
            3 => format!("[{a}[], {a}[{}]] = {source};\n{a} = small({a});\nout({a});\n", self.key()),
            4 => format!("foreach (small([{source}, {source}]) as [0 => {m}, 'a' => {s}]) {{ out({m}, {s}); }}\n"),
            5 => format!("[{i}, {m}] = [{m}, {i}];\n[{a}[0], {m}] = {m} = small({source});\nout({i}, {m}, {a});\n"),
            _ => format!("list({m}, list(1 => {s})) = {};\nout({m}, {s});\n", self.expr(Ty::Any, 1)),
        }
    }

    fn named_arguments(&mut self) -> String {
        let (x, y, array) = (self.expr(Ty::Int, 1), self.expr(Ty::Str, 1), self.local(Ty::Arr));
        match self.rng.below(7) {
            0 => format!("out(\\named(b: {x}, a: {y}));\n"),
            1 => format!("out(\\named({x}, c: {y}, d: {x}));\n"),
            2 => format!("out(\\named(...{array}));\n"),
            3 => format!("out(\\named({x}, ...{array}, ...[1, 2]));\n"),
            4 => format!("out(\\named(...['b' => {x}], a: {y}));\n"),
            5 => format!("out((new \\Hooked(1))->plus(by: {x}));\n"),
            _ => format!("out(\\named({x}, a: {y}));\n"),
        }
    }

    fn called_back(&mut self) -> String {
        let callable = self.rng.pick(CALLABLES);
        let (array, value) = (self.expr(Ty::Arr, 1), self.expr(Ty::Any, 1));
        let name = self.unique("$n");
        match self.rng.below(6) {
            0 => format!("{name} = {callable};\nout({name}({value}));\n"),
            1 => format!("out(small(array_map({callable}, {array})));\n"),
            2 => format!("out(small(\\call_user_func_array({callable}, {array})));\n"),
            3 => format!("out(small(array_filter({array}, {callable})));\n"),
            4 => format!("out(array_reduce({array}, fn($x, $y) => small([$x, $y]), {value}));\n"),
            _ => format!(
                "{name} = {callable};\nout(is_callable({name}), is_callable({name}) ? \\call_user_func({name}, {value}) : 'none');\n"
            ),
        }
    }

    /// A function whose `finally` may return something else.
    fn returned_finally(&mut self) -> String {
        let (array, x, y) = (self.local(Ty::Arr), self.expr(Ty::Any, 1), self.expr(Ty::Bool, 1));
        let (inner, outer) = (self.simple_change(), self.simple_change());
        let last = self.rng.pick(&[
            "",
            "return 'finally';",
            "if ($k === 1) return [$k];",
            "$i0++;",
            "if ($i0 > 2) return null;",
        ]);
        let name = self.unique("$n");
        format!(
            "{name} = function () use ({array}) {{ $i0 = 1; $s0 = 'a'; $a0 = [1]; $m0 = null;\nforeach (small({array}) as $k => $v) {{ try {{ {inner} if ($v) return small([$k, $v]); if ($k) throw new \\LogicException('in'); }} catch (\\LogicException $e) {{ {outer} return $e->getMessage(); }} finally {{ echo 'F', $k, ' '; {last} }} }}\nreturn 'end'; }};\nout({name}(), {x}, {y});\n"
        )
    }

    /// A change of one of a few variables that any function has.
    fn simple_change(&mut self) -> String {
        self.rng
            .pick(&[
                "$i0++;",
                "$s0 .= 'x';",
                "$a0[] = $i0;",
                "$m0 = $a0[3];",
                "$a0['q']['r'] = $m0;",
                "$i0 = intdiv($i0, $m0 ?? 0);",
                "",
            ])
            .to_owned()
    }

    /// Objects that are used like arrays.
    fn collection(&mut self) -> String {
        let class = self.rng.pick(&[
            "\\ArrayObject",
            "\\ArrayIterator",
            "\\Cell",
            "\\SplFixedArray",
            "\\SplDoublyLinkedList",
            "\\Fields",
        ]);
        let name = self.unique("$n");
        let source = match class {
            "\\ArrayObject" | "\\ArrayIterator" | "\\Fields" => format!("small({})", self.expr(Ty::Arr, 1)),
            "\\SplDoublyLinkedList" => String::new(),
            _ => self.rng.below(4).to_string(),
        };
        let mut text = format!("{name} = new {class}({source});\n");
        for _ in 0..1 + self.rng.below(4) {
            let (key, value) = (self.key(), self.expr(Ty::Any, 1));
            text.push_str(&match self.rng.below(8) {
                0 => format!("{name}[] = small({value});\n"),
                1 => format!("{name}[{key}] = small({value});\n"),
                2 => format!("{name}[{key}][] = small({value});\n"),
                3 => format!("unset({name}[{key}]);\n"),
                4 => format!("out({name}[{key}] ?? 'none', isset({name}[{key}]), empty({name}[{key}]));\n"),
                5 => format!("{name}[{key}] .= 'x';\n"),
                6 => format!("out({name}[{key}]);\n"),
                _ => format!("foreach ({name} as $k => {}) {{ out($k); }}\n", self.local(Ty::Any)),
            });
        }
        text + &format!("foreach ({name} as $k => $v) {{ out($k, $v); }}\n")
    }

    /// References between variables and elements.
    fn shared(&mut self) -> String {
        let (a, m) = (self.local(Ty::Arr), self.local(Ty::Any));
        let (key, value, copy) = (self.key(), self.expr(Ty::Any, 1), self.unique("$n"));
        match self.rng.below(5) {
            0 => format!(
                "{a}[{key}] = &{m};\n{copy} = {a};\n{copy}[{key}] = small({value});\nout({a}, {m});\nunset({m});\n"
            ),
            1 => format!(
                "{copy} = [&{m}, {a}, &{a}[{key}]];\n{copy}[0] = small({value});\n{copy}[2] = 'e';\nout({copy}, {m}, {a});\nunset({copy}, {m});\n"
            ),
            2 => format!("\\change({a}[{key}], small({value}));\nout({a});\n"),
            3 => format!(
                "{copy} = function &() use (&{a}) {{ return {a}[{key}]; }};\n{m} = &{copy}();\n{m} = small({value});\nout({a});\nunset({m});\n"
            ),
            _ => format!(
                "{copy} = 0;\nforeach ({a} as &$r) {{ foreach ({a} as $k => &$q) {{ if ({copy}++ > 9) break 2; $q = small([$k, $r]); }} unset($q); }}\nunset($r);\nout(small({a}));\n{a} = small({a});\n"
            ),
        }
    }
}
