//! Statements.

use crate::program::{Gen, Scope, Ty};

impl Gen {
    fn block(&mut self, depth: usize) -> String {
        let count = 1 + self.rng.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth.saturating_sub(1))).collect();
        format!("{{\n{}}}", statements.concat())
    }

    /// A block that a jump out of leads to the loop around it.
    fn loop_body(&mut self, depth: usize) -> String {
        let outer = self.scope;
        self.scope = Scope { loops: outer.loops + 1, finally: false, ..outer };
        let block = self.block(depth);
        self.scope = outer;
        block
    }

    /// A random statement; `depth` limits how deep statements nest.
    pub fn statement(&mut self, depth: usize) -> String {
        self.budget = self.budget.saturating_sub(1);
        if depth == 0 || self.budget == 0 || self.rng.chance(55) {
            return self.simple();
        }
        if self.rng.chance(25) {
            return self.feature();
        }
        match self.rng.below(15) {
            0 | 1 => {
                let (condition, then) = (self.expr(Ty::Bool, 2), self.block(depth));
                match self.rng.chance(50) {
                    true => format!("if ({condition}) {then} else {}\n", self.block(depth)),
                    false => format!("if ({condition}) {then}\n"),
                }
            }
            2 => {
                let counter = self.unique("$n");
                let body = self.loop_body(depth);
                format!("for ({counter} = 0; {counter} < {}; {counter}++) {body}\n", 1 + self.rng.below(4))
            }
            3 => {
                let counter = self.unique("$n");
                let (condition, body) = (self.expr(Ty::Bool, 1), self.loop_body(depth));
                format!("{counter} = 0;\nwhile ({counter}++ < 3 && {condition}) {body}\n")
            }
            4 => {
                let counter = self.unique("$n");
                let (condition, body) = (self.expr(Ty::Bool, 1), self.loop_body(depth));
                format!("{counter} = 0;\ndo {body} while (++{counter} < 3 && {condition});\n")
            }
            5 | 6 => {
                let (source, body) = (self.expr(Ty::Arr, 2), self.loop_body(depth));
                let (key, value) = (self.local(Ty::Any), self.rng.pick(&["$m0", "$i0", "$s0", "$v", "[$m0, $i0]"]));
                format!("foreach (small({source}) as {key} => {value}) {body}\n")
            }
            7 | 8 => {
                let (array, body) = (self.local(Ty::Arr), self.loop_body(depth));
                let end = if self.rng.chance(70) { "unset($r);\n" } else { "" };
                let change = self.simple().replace("$m0", "$r").replace("$i0", "$r");
                let key = self.unique("$k");
                let limit = self.unique("$n");
                format!(
                    "{limit} = 0;\nforeach ({array} as {key} => &$r) {{ if ({limit}++ > 5) break;\n$r = small([$r, {key}]);\n{change}{body} }}\n{end}"
                )
            }
            9 => self.switch(depth),
            10 | 11 => self.try_statement(depth),
            12 => {
                let name = self.unique("$n");
                let captured = self.local(Ty::Any);
                let reference = self.local(Ty::Int);
                let outer = self.scope;
                self.scope = Scope { result: Some(Ty::Any), method: outer.method, ..Scope::default() };
                let (body, value) = (self.block(1), self.expr(Ty::Any, 1));
                self.scope = outer;
                format!(
                    "{name} = function ($x, $y = 2) use ({captured}, &{reference}) {{ $o0 = $o1 = null; $a0 = [$x]; static $c = 0; $c++;\n{body}\nreturn small([$c, {value}]); }};\nout({name}({}), {name}(2));\n",
                    self.expr(Ty::Any, 1)
                )
            }
            13 if !self.generators.is_empty() && !self.scope.method && !self.scope.generator => {
                self.use_generator(depth)
            }
            _ => {
                let (a, b) = (self.local(Ty::Any), self.local(Ty::Arr));
                format!("{a} = &{b}[{}];\n{}{}", self.key(), self.simple(), self.simple())
            }
        }
    }

    fn use_generator(&mut self, depth: usize) -> String {
        let callee = self.generators[self.rng.below(self.generators.len())].clone();
        let args = self.args(&callee, 1);
        let name = self.unique("$n");
        match self.rng.below(4) {
            3 => {
                let step = match self.rng.chance(50) {
                    true => format!("out({name}->send({}));", self.expr(Ty::Any, 1)),
                    false => format!("{name}->next();"),
                };
                let shown = self.simple();
                format!(
                    "{name} = {}({args});\nfor ($k = 0; {name}->valid() && $k < 12; $k++) {{ out({name}->current()); {shown} {step} }}\n",
                    callee.name
                )
            }
            0 => {
                let body = self.loop_body(depth);
                format!("foreach ({}({args}) as $k => {}) {body}\n", callee.name, self.local(Ty::Any))
            }
            1 => format!(
                "{name} = {}({args});\nout({name}->current());\nout({name}->send({}), {name}->key(), {name}->valid());\nunset({name});\n",
                callee.name,
                self.expr(Ty::Any, 1)
            ),
            _ => format!(
                "{name} = {}({args});\nout({name}->current());\ntry {{ out({name}->throw(new \\LogicException('in'))); }} catch (\\Exception $e) {{ out($e->getMessage()); }}\nif (!{name}->valid()) {{ try {{ out({name}->getReturn()); }} catch (\\Exception $e) {{ out($e->getMessage()); }} }}\n",
                callee.name
            ),
        }
    }

    fn switch(&mut self, depth: usize) -> String {
        let ty = if self.rng.chance(50) { Ty::Int } else { Ty::Str };
        let subject = self.expr(ty, 2);
        let mut cases = String::new();
        // `continue` would mean the switch, which PHP warns about.
        let outer = self.scope;
        self.scope.loops = 0;
        for _ in 0..1 + self.rng.below(4) {
            let end = if self.rng.chance(60) { "break;\n" } else { "" };
            cases.push_str(&format!("case {}:\n{}{end}", self.literal(ty), self.simple()));
        }
        if self.rng.chance(60) {
            cases.push_str(&format!("default:\n{}", self.block(depth)));
        }
        self.scope = outer;
        format!("switch ({subject}) {{\n{cases}}}\n")
    }

    fn try_statement(&mut self, depth: usize) -> String {
        let outer = self.scope;
        let body = self.block(depth);
        let class = self.rng.pick(&["\\Throwable", "\\Error", "\\Exception", "\\TypeError | \\LogicException"]);
        let handler = self.block(depth);
        let catch = match self.rng.chance(75) {
            true => format!(" catch ({class} $e) {{ out(get_class($e), $e->getMessage()); {handler} }}"),
            false => String::new(),
        };
        self.scope.finally = true;
        self.scope.loops = 0;
        let finally = match catch.is_empty() || self.rng.chance(50) {
            true => format!(" finally {}", self.block(depth)),
            false => String::new(),
        };
        self.scope = outer;
        format!("try {body}{catch}{finally}\n")
    }

    /// A static property, or an array in one or in an object, gets something else.
    fn change_property(&mut self) -> String {
        let class = match self.scope.method && self.rng.chance(70) {
            true => self.rng.pick(&["self", "static"]).to_owned(),
            false => format!("C{}", self.rng.below(self.classes)),
        };
        let array = match self.rng.chance(60) {
            true => format!("{class}::$l"),
            false => format!("{}->a", self.local(Ty::Obj)),
        };
        let value = self.expr(Ty::Any, 1);
        match self.rng.below(10) {
            0 => format!("{class}::$z = small({value});\n"),
            1 => format!("{class}::$i{};\n", self.rng.pick(&["++", "--", " += 2", " ??= 7", " = null"])),
            2..=4 => format!("{array}[] = small({value});\nout(count({array}));\n{array} = small({array});\n"),
            5 => format!("{array}[{}] = small({value});\n", self.key()),
            6 => format!("{array}[{}][] = small({value});\n{array} = small({array});\n", self.key()),
            7 => {
                let (op, right) = (self.rng.pick(&["+=", "??=", ".=", "-="]), self.expr(Ty::Int, 1));
                format!("{array}[{}] {op} {right};\n{array} = small({array});\n", self.key())
            }
            8 => format!("unset({array}[{}]);\n", self.key()),
            _ => format!("out({array}[{}] ?? 'none', count({array}));\n", self.key()),
        }
    }

    /// A statement without others inside.
    pub(crate) fn simple(&mut self) -> String {
        let ty = self.any_type();
        match self.rng.below(36) {
            0..=5 => format!("{} = {};\n", self.local(ty), self.expr(ty, 3)),
            6 | 7 => format!("out({});\n", self.expr(ty, 3)),
            8 => {
                let op = self.rng.pick(&["+=", "-=", "*=", "|=", "&=", "%=", "??=", "<<="]);
                let right = if op == "<<=" { "(1 & $i0)".to_owned() } else { self.expr(Ty::Int, 2) };
                format!("{} {op} {right};\n", self.local(Ty::Int))
            }
            9 => {
                let name = self.local(Ty::Str);
                format!("{name} .= small({});\n{name} = small({name});\n", self.expr(Ty::Any, 2))
            }
            10 | 11 => {
                let array = self.local(Ty::Arr);
                format!("{array}[] = small({});\n{array} = small({array});\n", self.expr(Ty::Any, 2))
            }
            12 => format!("{}[{}] = small({});\n", self.local(Ty::Arr), self.key(), self.expr(Ty::Any, 2)),
            13 => format!("{}[{}][{}] = {};\n", self.local(Ty::Arr), self.key(), self.key(), self.expr(Ty::Int, 2)),
            14 => format!(
                "{}[{}] {} {};\n",
                self.local(Ty::Arr),
                self.key(),
                self.rng.pick(&["+=", "*=", "??=", "-="]),
                self.expr(Ty::Int, 1)
            ),
            15 => format!("unset({}[{}]);\n", self.local(Ty::Arr), self.key()),
            16 => format!("unset({});\n", self.local(ty)),
            17 => format!("{} = &{};\n", self.local(Ty::Any), self.local(ty)),
            18 => format!(
                "[{}, {}] = [{}, {}];\n",
                self.local(Ty::Int),
                self.local(Ty::Any),
                self.expr(Ty::Int, 2),
                self.expr(Ty::Any, 1)
            ),
            19 => format!(
                "['a' => {}, 'b' => [{}]] = {};\n",
                self.local(Ty::Any),
                self.local(Ty::Int),
                self.expr(Ty::Arr, 1)
            ),
            20 => format!(
                "{}->{} = small({});\n",
                self.local(Ty::Obj),
                self.rng.pick(&["x", "y", "n", "q", "t"]),
                self.expr(Ty::Any, 2)
            ),
            21 => format!("{}->y[{}] = small({});\n", self.local(Ty::Obj), self.key(), self.expr(Ty::Any, 1)),
            22 => format!("{}->n{};\n", self.local(Ty::Obj), self.rng.pick(&["++", "--", " += 2", " .= 'x'", " *= 2"])),
            23 => format!("{} = {};\n", self.local(Ty::Obj), self.expr(Ty::Obj, 2)),
            24 => format!(
                "{}({});\n",
                self.rng.pick(&["sort", "rsort", "ksort", "array_pop", "array_shift", "asort"]),
                self.local(Ty::Arr)
            ),
            25 => format!("usort({}, fn($x, $y) => show($x) <=> show($y));\n", self.local(Ty::Arr)),
            26 => format!(
                "{}[{}] = {};\n",
                self.local(Ty::Str),
                self.rng.below(4),
                self.rng.pick(&["'Q'", "'zz'", "''", "5"])
            ),
            27 => format!("static $c{} = {};\n", self.unique(""), self.literal(ty)),
            28 | 29 if self.classes > 0 => self.change_property(),
            33 if self.scope.loops > 0 => {
                format!("if ({}) {};\n", self.expr(Ty::Bool, 1), self.rng.pick(&["break", "continue"]))
            }
            30 if self.scope.generator && !self.scope.finally => match self.rng.below(3) {
                0 => format!("out(yield {} => small({}));\n", self.literal(Ty::Int), self.expr(Ty::Any, 1)),
                1 => format!("yield from small({});\n", self.expr(Ty::Arr, 1)),
                _ => format!("{} = yield small({});\n", self.local(Ty::Any), self.expr(Ty::Any, 1)),
            },
            31 if self.rng.chance(40) => {
                let class = self.rng.pick(&["\\Exception", "\\LogicException", "\\TypeError"]);
                format!("if ({}) throw new {class}('t' . {});\n", self.expr(Ty::Bool, 1), self.rng.below(9))
            }
            32 if self.scope.result.is_some() && !self.scope.finally => {
                let result = self.scope.result.unwrap_or(Ty::Any);
                format!("if ({}) return small({});\n", self.expr(Ty::Bool, 1), self.expr(result, 1))
            }
            _ => format!("{};\n", self.expr(ty, 3)),
        }
    }
}
