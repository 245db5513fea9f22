//! The state of a program being written, and its outermost parts.

use crate::rng::Rng;

/// What an expression's place suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Int,
    Float,
    Str,
    Arr,
    Bool,
    Obj,
    Any,
}

/// A function that may be called: name and the parameters' types, with those taken by reference.
#[derive(Clone)]
pub struct Callable {
    pub name: String,
    pub params: Vec<(Ty, bool)>,
    pub result: Ty,
}

/// Where a statement stands.
#[derive(Clone, Copy, Default)]
pub struct Scope {
    /// `break` and `continue` have a loop to mean.
    pub loops: u32,
    /// Inside a `finally` block, which nothing may jump out of.
    pub finally: bool,
    /// `$this` can be used.
    pub method: bool,
    /// `yield` makes sense.
    pub generator: bool,
    /// What `return` gives.
    pub result: Option<Ty>,
}

pub struct Gen {
    pub rng: Rng,
    seed: u64,
    pub functions: Vec<Callable>,
    pub generators: Vec<Callable>,
    /// Number of classes, `C0` and so on; each extends one before it or nothing.
    pub classes: usize,
    /// Statements that the current function may still have.
    pub budget: usize,
    /// Number of the next unique name.
    pub counter: usize,
    pub scope: Scope,
}

/// Names of the local variables by type. Every function starts by giving them values.
pub const LOCALS: &[(Ty, &[&str])] = &[
    (Ty::Int, &["$i0", "$i1", "$i2"]),
    (Ty::Float, &["$f0", "$f1"]),
    (Ty::Str, &["$s0", "$s1", "$s2"]),
    (Ty::Arr, &["$a0", "$a1", "$a2"]),
    (Ty::Bool, &["$b0"]),
    (Ty::Obj, &["$o0", "$o1"]),
    (Ty::Any, &["$m0", "$m1"]),
];

impl Gen {
    /// A generator whose program depends on `seed` only.
    pub fn new(seed: u64) -> Gen {
        Gen {
            rng: Rng::new(seed),
            seed,
            functions: Vec::new(),
            generators: Vec::new(),
            classes: 0,
            budget: 0,
            counter: 0,
            scope: Scope::default(),
        }
    }

    /// The seed, which names the program's namespace.
    pub fn namespace(&self) -> u64 {
        self.seed
    }

    /// A name with this prefix that the program has not used yet.
    pub fn unique(&mut self, prefix: &str) -> String {
        self.counter += 1;
        format!("{prefix}{}", self.counter)
    }

    /// Writes the whole program.
    pub fn program(mut self) -> String {
        let seed = self.seed;
        let mut parts = vec![
            "enum E: string { case A = 'a'; case B = 'b'; const D = self::A; \
             function twice() { return $this->value . $this->value; } }\n"
                .to_owned(),
        ];
        for _ in 0..1 + self.rng.below(2) {
            parts.push(self.class());
        }
        for _ in 0..self.rng.below(3) {
            parts.push(self.generator());
        }
        for _ in 0..1 + self.rng.below(3) {
            parts.push(self.function());
        }
        for _ in 0..2 + self.rng.below(3) {
            parts.push(self.small_function());
        }
        for _ in 0..self.rng.below(3) {
            parts.push(self.ending_function());
        }
        let kernels = self.counter + 1;
        let runs = match self.rng.chance(30) {
            true => {
                parts.push(self.kernel());
                format!("runk{kernels}();\n")
            }
            false => String::new(),
        };
        let (bound, runs_bound) = self.bound_functions();
        parts.push(bound);
        let (contexts, runs_contexts) = self.context_functions();
        parts.push(contexts);
        let runs = runs + &runs_bound + &runs_contexts;
        self.scope = Scope { result: Some(Ty::Any), ..Scope::default() };
        self.budget = 8 + self.rng.below(14);
        let body = self.body(&[]);
        format!(
            "namespace P{seed} {{\n\
             echo \"\\n#{seed}\\n\";\n\
             {}function main() {{\n{runs}{body}out({});\n}}\n\
             try {{ main(); }} catch (\\Throwable $e) {{ echo get_class($e), ': ', $e->getMessage(), ' @', $e->getLine(), \"\\n\"; }}\n\
             unset($e);\n}}\n",
            parts.concat(),
            "$i0, $i1, $f0, $s0, $s1, $a0, $a1, $b0, $o0, $m0"
        )
    }

    /// Parameters with their text.
    fn params(&mut self, by_ref: bool) -> (Vec<(Ty, bool)>, Vec<String>, String) {
        let mut types = Vec::new();
        let mut names = Vec::new();
        let mut texts = Vec::new();
        let count = 1 + self.rng.below(3);
        for index in 0..count {
            let ty = self.any_type();
            let reference = by_ref && self.rng.chance(25);
            let name = format!("$p{index}");
            let declared = match ty {
                _ if reference || self.rng.chance(50) => "",
                Ty::Int => "int ",
                Ty::Float => "int|float ",
                Ty::Str => "?string ",
                Ty::Arr => "array ",
                Ty::Bool => "bool ",
                Ty::Obj | Ty::Any => "mixed ",
            };
            let default = match index > 0 && !reference && self.rng.chance(30) {
                true => format!(" = {}", self.literal(ty)),
                false => String::new(),
            };
            // Required parameters must not follow optional ones, or PHP deprecates the function.
            let all_optional = texts.last().is_none_or(|last: &String| !last.contains('='));
            let default =
                if all_optional || !default.is_empty() { default } else { format!(" = {}", self.literal(ty)) };
            texts.push(format!("{declared}{}{name}{default}", if reference { "&" } else { "" }));
            types.push((ty, reference));
            names.push(name);
        }
        let text = texts.join(", ");
        (types, names, text)
    }

    /// A random type; integers, strings and arrays come more often.
    pub fn any_type(&mut self) -> Ty {
        [Ty::Int, Ty::Int, Ty::Float, Ty::Str, Ty::Str, Ty::Arr, Ty::Arr, Ty::Bool, Ty::Any][self.rng.below(9)]
    }

    fn function(&mut self) -> String {
        let (params, names, text) = self.params(true);
        let result = self.any_type();
        let name = format!("f{}", self.functions.len());
        self.scope = Scope { result: Some(result), ..Scope::default() };
        self.budget = 3 + self.rng.below(8);
        let body = self.body(&names);
        let value = self.expr(result, 2);
        let reference = "";
        self.functions.push(Callable { name: name.clone(), params, result });
        format!("function {reference}{name}({text}) {{\n{body}return small({value});\n}}\n")
    }

    /// A function that is small enough to be inlined, called more often than others.
    fn small_function(&mut self) -> String {
        let name = format!("h{}", self.functions.len());
        let result = self.any_type();
        let (params, text, body) = self.small_body(result, false);
        let callable = Callable { name: name.clone(), params, result };
        self.functions.extend([callable.clone(), callable.clone(), callable]);
        format!("function {name}({text}) {{ {body} }}\n")
    }

    /// Parameters that are named like variables of their types, and few statements about those.
    fn small_body(&mut self, result: Ty, method: bool) -> (Vec<(Ty, bool)>, String, String) {
        let mut params: Vec<(Ty, bool)> = Vec::new();
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        // Overriding methods have the same parameters.
        let types = match method {
            true => vec![Ty::Int, Ty::Str, Ty::Arr],
            false => (0..1 + self.rng.below(3)).map(|_| self.any_type()).collect(),
        };
        for ty in types {
            let name = if method {
                LOCALS.iter().find(|row| row.0 == ty).map_or("$x", |row| row.1[0]).to_owned()
            } else {
                self.local(ty)
            };
            if names.contains(&name) {
                continue;
            }
            let declared = match ty {
                _ if method || self.rng.chance(50) => "",
                Ty::Int => "int ",
                Ty::Float => "float ",
                Ty::Str => "string ",
                Ty::Arr => "array ",
                Ty::Bool => "bool ",
                Ty::Obj | Ty::Any => "",
            };
            texts.push(format!("{declared}{name}{}", if method { " = null" } else { "" }));
            params.push((ty, false));
            names.push(name);
        }
        self.scope = Scope { method: true, result: Some(result), ..Scope::default() };
        let is_known = |text: &str| {
            let mut words = text
                .split('$')
                .skip(1)
                .map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
            words.all(|word| word == "this" || word == "x" || names.iter().any(|name| &name[1..] == word))
        };
        let known = |this: &mut Gen, ty: Ty| {
            let found = (0..12).map(|_| this.expr(ty, 2)).find(|text| is_known(text));
            found.unwrap_or_else(|| names[0].clone())
        };
        let mut body = String::new();
        for &(ty, _) in &params {
            if self.rng.chance(25) {
                let (value, name) = (known(self, ty), names[self.rng.below(names.len())].clone());
                body.push_str(&format!("{name} = {value}; "));
            }
        }
        if self.rng.chance(30) {
            let (condition, value) = (known(self, Ty::Bool), known(self, result));
            body.push_str(&format!("if ({condition}) return small({value}); "));
        }
        let value = known(self, result);
        let value = if self.rng.chance(30) { format!("small({value})") } else { value };
        body.push_str(&format!("return {value};"));
        (params, texts.join(", "), body)
    }

    fn generator(&mut self) -> String {
        let (params, names, text) = self.params(false);
        let name = format!("g{}", self.generators.len());
        self.scope = Scope { generator: true, result: Some(Ty::Any), ..Scope::default() };
        self.budget = 3 + self.rng.below(6);
        let body = self.body(&names);
        let repeated = self.yields();
        let (first, last) = (self.expr(Ty::Any, 1), self.expr(Ty::Any, 1));
        self.generators.push(Callable { name: name.clone(), params, result: Ty::Any });
        format!("function {name}({text}) {{\n{body}{repeated}yield small({first});\nreturn small({last});\n}}\n")
    }

    /// A loop that yields often enough to be compiled: over numbers, or over an earlier generator.
    fn yields(&mut self) -> String {
        let ty = self.any_type();
        let (work, value) = (self.simple(), self.expr(ty, 1));
        let (counter, limit) = (self.unique("$n"), 3 + self.rng.below(9));
        let sent = match self.rng.chance(30) {
            true => format!("{} = ", self.local(Ty::Any)),
            false => String::new(),
        };
        match self.rng.below(4) {
            0 => String::new(),
            1 => format!("for ({counter} = 0; {counter} < {limit}; {counter}++) {{ {sent}yield {counter}; {work} }}\n"),
            2 => format!(
                "for ({counter} = 0; {counter} < {limit}; {counter}++) {{ {work} {sent}yield {} => small({value}); }}\n",
                self.literal(Ty::Int)
            ),
            _ if self.generators.is_empty() => String::new(),
            _ => {
                let callee = self.generators[self.rng.below(self.generators.len())].clone();
                let (args, element) = (self.args(&callee, 1), self.local(Ty::Any));
                format!(
                    "{counter} = 0;\nforeach ({}({args}) as $k => {element}) {{ if ({counter}++ > {limit}) break; {work} {sent}yield $k => small([{value}, {element}]); }}\n",
                    callee.name
                )
            }
        }
    }

    fn class(&mut self) -> String {
        let index = self.classes;
        let parent = match index > 0 && self.rng.chance(60) {
            true => format!(" extends C{}", self.rng.below(index)),
            false => String::new(),
        };
        let mut members = vec![
            format!("const K = {};", self.literal(Ty::Int)),
            "public $x = 1;".to_owned(),
            format!("public $y = {};", self.literal(Ty::Arr)),
            format!("public int $n = {};", self.rng.below(100)),
            "protected ?string $t = null;".to_owned(),
            format!("public static $z = {};", self.literal(Ty::Any)),
            format!("public static array $l = {};", self.literal(Ty::Arr)),
            "public static ?int $i = 0;".to_owned(),
            format!("public array $a = {};", self.literal(Ty::Arr)),
            "function __construct($x = 0) { $this->x = small($x); }".to_owned(),
            "static function make($x = 5) { return new static($x); }".to_owned(),
        ];
        // Overriding methods must have compatible parameters, so all have the same.
        for (method, names) in [("m0", &["$p0", "$p1"][..]), ("m1", &["$p0"])] {
            let text =
                names.iter().map(|name| format!("{name} = {}", self.literal(Ty::Any))).collect::<Vec<_>>().join(", ");
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            let result = self.any_type();
            self.scope = Scope { method: true, result: Some(result), ..Scope::default() };
            self.budget = 2 + self.rng.below(4);
            let body = self.body(&names);
            let value = self.expr(result, 2);
            members.push(format!("function {method}({text}) {{\n{body}return small({value});\n}}"));
        }
        let small = self.small_body(Ty::Any, true);
        members.push(format!("function m2({}) {{ {} }}", small.1, small.2));
        members.push(format!("function m3($v = 1) {{ return $this->{}; }}", self.rng.pick(&["x", "n", "y", "q"])));
        members
            .push(format!("function m4($v = 1) {{ $this->{} = $v; return $this; }}", self.rng.pick(&["x", "n", "t"])));
        for (percent, member) in [
            (30, "function __destruct() { echo 'D', static::class, ' '; }"),
            (30, "function __get($name) { echo \"get $name \"; return $this->t; }"),
            (20, "function __set($name, $value) { echo \"set $name \"; $this->t = show(small($value)); }"),
            (20, "function __isset($name) { echo \"isset $name \"; return $name === 'q'; }"),
            (30, "function __toString(): string { return 'S' . show($this->x); }"),
            (30, "function __call($name, $arguments) { return [$name, small($arguments)]; }"),
            (20, "function __invoke($a = 1) { return [$this->n, small($a)]; }"),
            (20, "function __clone() { echo 'clone '; $this->n++; }"),
        ] {
            if self.rng.chance(percent) {
                members.push(member.to_owned());
            }
        }
        self.classes += 1;
        format!("#[\\AllowDynamicProperties]\nclass C{index}{parent} {{\n{}\n}}\n", members.join("\n"))
    }

    /// A function's statements: first the locals get values.
    fn body(&mut self, params: &[String]) -> String {
        let mut text = String::new();
        let mut params: Vec<&String> = params.iter().collect();
        for &(ty, names) in LOCALS {
            for name in names {
                let value = match params.is_empty() || self.rng.chance(60) {
                    true if ty == Ty::Obj => {
                        format!("new C{}({})", self.rng.below(self.classes + 1), self.rng.below(9))
                    }
                    true => self.literal(ty),
                    false => params.remove(0).clone(),
                };
                // A method may name the class being written, which is declared by the time it runs; code after the last
                // class may not.
                let value = value.replace(
                    &format!("new C{}(", self.classes),
                    if self.scope.method { "new static(" } else { "new C0(" },
                );
                text.push_str(&format!("{name} = {value};\n"));
            }
        }
        // Creating objects can recurse without end only through methods of their own class.
        while self.budget > 0 {
            text.push_str(&self.statement(3));
        }
        text
    }
}
