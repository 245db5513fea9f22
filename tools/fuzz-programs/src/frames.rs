//! Code that inspects its frame: builtin functions that read and write their caller's variables, variables by name,
//! evaluated code, globals and static variables, arguments; and functions with every declared result that end in every
//! way.

use crate::program::{Callable, Gen, LOCALS, Ty};

/// Declared results, and the type of what is mostly returned.
const RESULTS: &[(&str, Ty)] = &[
    ("mixed", Ty::Any),
    ("int", Ty::Int),
    ("?int", Ty::Int),
    ("int|null", Ty::Int),
    ("float", Ty::Float),
    ("string", Ty::Str),
    ("?string", Ty::Str),
    ("array", Ty::Arr),
    ("?array", Ty::Arr),
    ("bool", Ty::Bool),
    ("string|int|false", Ty::Str),
    ("?object", Ty::Obj),
    ("iterable|null", Ty::Arr),
    ("E|null", Ty::Any),
];

impl Gen {
    /// The name of a variable, without the dollar.
    fn variable_name(&mut self) -> &'static str {
        let (_, names) = LOCALS[self.rng.below(LOCALS.len())];
        &names[self.rng.below(names.len())][1..]
    }

    /// A statement that looks around in the frame that it is in. Variables that count loops have other names.
    pub fn frame(&mut self) -> String {
        let (first, second) = (self.variable_name(), self.variable_name());
        let (one, two) = (self.expr(Ty::Any, 1), self.expr(Ty::Any, 1));
        let unique = self.unique("v");
        match self.rng.below(12) {
            0 => format!(
                "out(\\extract(['{first}' => {one}, '{second}' => {two}, '{unique}' => 1]), ${unique} ?? 'none');\n"
            ),
            1 => {
                let how =
                    self.rng.pick(&["EXTR_SKIP", "EXTR_IF_EXISTS", "EXTR_PREFIX_ALL, 'p'", "EXTR_PREFIX_SAME, 'q'"]);
                format!(
                    "out(\\extract(['{first}' => {one}, '{unique}' => {two}], {how}), ${unique} ?? 'none', ${second});\n"
                )
            }
            2 => format!(
                "$x{unique} = ['{first}' => {one}]; extract($x{unique}, EXTR_REFS); ${first} = {two}; out($x{unique}); unset($x{unique}, ${first}); ${first} = 1;\n"
            ),
            3 => format!("out(\\compact('{first}', ['{second}', '{unique}']));\n"),
            4 => format!("out(\\count(get_defined_vars()), get_defined_vars()['{first}'] ?? 'none');\n"),
            5 => format!("$n{unique} = '{first}'; $$n{unique} = {one}; out(${first}, $$n{unique} === ${first});\n"),
            6 => format!(
                "$n{unique} = '{first}'; unset($$n{unique}); out(isset(${first}), isset($$n{unique})); ${first} = {two};\n"
            ),
            7 => format!(
                "${unique} = 2; out(eval('${first} = [${unique}, ${second}]; ${unique}++; return ${unique};'), ${first}, ${unique}); ${first} = small(${first});\n"
            ),
            8 => "out(func_get_args(), \\func_num_args());\n".to_owned(),
            9 => format!(
                "parse_str('a[]=1&{unique}=x%20y&b[k]=' . \\strlen(serialize(small({one}))), ${first}); out(${first});\n"
            ),
            10 => format!(
                "global $shared{unique}; $shared{unique}[] = {one}; $GLOBALS['shared{unique}'][] = 2; out($shared{unique}); unset($shared{unique});\n"
            ),
            _ => format!(
                "static $s{unique} = 0; $s{unique}++; \\extract(['s{unique}' => $s{unique} + 1]); out($s{unique});\n"
            ),
        }
    }

    /// A function with a declared result that may end without one, and another that calls it and says what became of that.
    pub fn ending_function(&mut self) -> String {
        let (declared, ty) = RESULTS[self.rng.below(RESULTS.len())];
        let number = self.functions.len();
        let value = match self.rng.below(6) {
            0 => self.literal(Ty::Any),
            1 => "null".to_owned(),
            _ => self.literal(ty),
        };
        let body = match self.rng.below(8) {
            0 => String::new(),
            1 => format!("if ($x) return {value};"),
            2 => format!("if ($x) {{ return {value}; }} else {{ $x = 2; }}"),
            3 => format!("foreach ([1, 2] as $y) {{ if ($x == $y) return {value}; }}"),
            4 => format!("try {{ if ($x) return {value}; }} finally {{ $x = 3; }}"),
            5 => format!("switch ($x) {{ case 1: return {value}; case 2: break; default: $x = 1; }}"),
            6 => format!("while ($x) {{ return {value}; }}"),
            _ => format!("return $x ? {value} : {};", self.literal(ty)),
        };
        let name = format!("h{number}");
        let callable = Callable { name: name.clone(), params: vec![(Ty::Any, false)], result: Ty::Any };
        self.functions.extend([callable.clone(), callable]);
        format!(
            "function e{number}($x): {declared} {{ {body} }}\n\
             function {name}($x) {{ try {{ return small(e{number}($x)); }} catch (\\TypeError $e) {{ return $e->getMessage(); }} }}\n"
        )
    }
}
