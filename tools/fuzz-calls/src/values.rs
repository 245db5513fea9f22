//! Expressions of values, of a type or of any.

use crate::catalogue::{Catalogue, Parameter};
use crate::recipes;
use phlox_fuzz_programs::Rng;

const INTEGERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2",
    "5",
    "7",
    "10",
    "16",
    "63",
    "64",
    "65",
    "100",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "65535",
    "65536",
    "-65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "PHP_INT_MAX",
    "PHP_INT_MIN",
    "PHP_INT_MAX - 1",
    "PHP_INT_MIN + 1",
    "1 << 40",
    "1 << 62",
];
const FLOATS: &[&str] = &[
    "0.0",
    "-0.0",
    "0.5",
    "1.0",
    "-1.5",
    "3.999",
    "1e10",
    "-1e300",
    "1e308",
    "5e-324",
    "NAN",
    "INF",
    "-INF",
    "9.2233720368547758e18",
    "-9.3e18",
    "1e19",
    "123456789.987654321",
    "0.1 + 0.2",
];
const TEXTS: &[&str] = &[
    "''",
    "'a'",
    "'0'",
    "'1'",
    "'-1'",
    "'12abc'",
    "' 7'",
    "'7 '",
    "'1e3'",
    "'0x1A'",
    "'abc'",
    "'ABC'",
    "'a,b;c d'",
    "\"\\0\"",
    "\"a\\0b\"",
    "\"\\xff\\xfe\"",
    "\"\\xf0\\x9f\\x98\\x80\"",
    "'ä€𝄞'",
    "\"\\xe4\\xb8\"",
    "str_repeat('ab', 300)",
    "str_repeat('x', 70000)",
    "str_repeat(\"\\xc3\\xa9\", 400)",
    "'%s %d %05.2f %1$s %%'",
    "'%99999999999d'",
    "'%x%'",
    "'Y-m-d H:i:s'",
    "'2024-02-30 25:61:61'",
    "'@99999999999999'",
    "'P1Y2M3DT4H5M6S'",
    "'/a(b)?(?<n>c)/u'",
    "'/(/'",
    "'~.*~s'",
    "'<a b=\"c\">d&amp;</a>'",
    "XML",
    "HTML",
    "'{\"a\":[1,{\"b\":null}]}'",
    "'[[[[[[1]]]]]]'",
    "'a:2:{i:0;O:8:\"stdClass\":1:{s:1:\"a\";R:1;}i:1;r:2;}'",
    "'O:11:\"ArrayObject\":0:{}'",
    "'i:9;'",
    "'strlen'",
    "'ArrayObject'",
    "'Plain'",
    "'Plain::st'",
    "'UTF-8'",
    "'php://memory'",
    "'a.txt'",
    "'data:,abc'",
    "\"a=1&b[]=2&b[x]=3\"",
    "\"[s]\\na=1\\nb[]=2\"",
    "\"one\\ntwo\\r\\nthree\"",
    "'1.2.3'",
    "'127.0.0.1'",
    "'::1'",
    "'http://u:p@h:80/p?q#f'",
    "'user@example.com'",
    "'9223372036854775808'",
    "'-9223372036854775809'",
];
const CALLABLES: &[&str] = &[
    "'strlen'",
    "'strtoupper'",
    "'count'",
    "'max'",
    "'array_pop'",
    "'next'",
    "'func_get_args'",
    "'get_defined_vars'",
    "'hook'",
    "'no_such'",
    "'Plain::st'",
    "['Plain', 'st']",
    "[new Plain, 'm']",
    "[new Magic, 'x']",
    "new Magic",
    "hook(...)",
    "fn () => throw new LogicException('callback')",
    "function (...$x) { return $x[0] ?? null; }",
    "function (&...$x) { $x[0] = []; return hook(1); }",
    "fn ($a = 0, $b = 0) => $a <=> $b",
    "fn (...$x) => hook(mt_rand(-1, 1))",
    "function () { yield 1; }",
    "static fn ($x) => (bool) hook($x)",
    "strrev(...)",
    "fn (int $x): string => 'typed'",
];

/// Words that names of parameters have, and texts for those.
const BY_NAME: &[(&str, &[&str])] = &[
    (
        "format",
        &[
            "'Y-m-d'",
            "'D, d M y H:i:s.u P e'",
            "'%s-%d'",
            "'%1$s %2$05d'",
            "'C*'",
            "'a5N2x/vb'",
            "'%b %e %Y'",
            "'Nlen/a*data'",
            "'@999999999'",
            "'%y %a %R'",
        ],
    ),
    ("pattern", &["'/a(b)?/'", "'/(?<n>\\w+)/u'", "'/(/'", "'~x*~e'", "'/(a+)+$/'", "'*.txt'", "'/\\d*/'", "'[a'"]),
    (
        "encoding",
        &[
            "'UTF-8'",
            "'ISO-8859-1'",
            "'UTF-16LE'",
            "'SJIS'",
            "'BASE64'",
            "'HTML-ENTITIES'",
            "'nonsense'",
            "'UTF-7'",
            "'EUC-JP'",
            "'7bit'",
        ],
    ),
    ("charset", &["'UTF-8'", "'cp1252'", "'nonsense'", "'BIG5'"]),
    ("algo", &["'md5'", "'sha256'", "'crc32b'", "'xxh128'", "'whirlpool'", "'nonsense'", "'2y'", "'murmur3f'"]),
    ("cipher", &["'aes-128-cbc'", "'aes-256-gcm'", "'chacha20-poly1305'", "'nonsense'", "'aes-128-ccm'"]),
    ("timezone", &["'UTC'", "'Europe/Berlin'", "'+25:00'", "'EST'", "'nonsense'"]),
    (
        "date",
        &[
            "'now'",
            "'2024-02-29'",
            "'last monday of 2020-01'",
            "'+1 month -3 weekdays'",
            "'@-9e9'",
            "'nonsense'",
            "'99999-01-01'",
        ],
    ),
    ("duration", &["'P1D'", "'PT0S'", "'P99999Y'", "'R5/2008-03-01T13:00:00Z/P1Y'", "'P'"]),
    (
        "file",
        &[
            "'a.txt'",
            "'b.csv'",
            "'x.xml'",
            "'d'",
            "'none/x'",
            "'made'",
            "'php://memory'",
            "'hook://x'",
            "'data:,x'",
            "\"a\\0b\"",
            "'z.gz'",
            "'compress.zlib://z.gz'",
            "'php://filter/read=string.rot13/resource=a.txt'",
        ],
    ),
    ("directory", &["'.'", "'d'", "'none'", "'hook://d'", "'made_d'", "'/'"]),
    ("path", &["'a.txt'", "'d/e'", "'.'", "'..'", "'/a/../b'", "'hook://x'", "''"]),
    ("uri", &["'a.txt'", "'x.xml'", "'urn:p'", "'http://example.com/'", "''"]),
    ("mode", &["'r'", "'w+'", "'a'", "'x'", "'rb'", "'q'"]),
    ("namespace", &["'urn:p'", "''", "'http://www.w3.org/1999/xhtml'", "'http://www.w3.org/2000/xmlns/'"]),
    ("qualified", &["'a'", "'p:q'", "'xmlns:z'", "'1'", "'a b'", "':'"]),
    (
        "expression",
        &["'//b'", "'count(//*)'", "'//*['", "'string(/a)'", "'//namespace::*'", "'php:function(\"hook\")'"],
    ),
    ("selector", &["'p'", "'.x > #p'", "':nth-child(2)'", "'['", "'*:not(b)'"]),
    (
        "query",
        &[
            "'select * from t'",
            "'insert into t values (3, 4, 5, 6)'",
            "'select hook(i) from t'",
            "'nonsense'",
            "'select ? + :a'",
            "'drop table t'",
            "''",
            "'select 1; select 2'",
        ],
    ),
    ("class", &["'ArrayObject'", "'Plain'", "'Loose'", "'Suit'", "'no_such'", "'Iterator'", "'Below0'"]),
    (
        "name",
        &[
            "'a'",
            "'b'",
            "'xml:id'",
            "'own'",
            "'st'",
            "'m'",
            "'C'",
            "'strlen'",
            "'upper'",
            "'string.rot13'",
            "'i'",
            "''",
        ],
    ),
    ("separator", &["','", "''", "';'", "'ab'", "\"\\n\""]),
];

/// Texts for parameters that hold a document or the like.
const DOCUMENTS: &[&str] = &[
    "XML",
    "HTML",
    "'{\"a\":[1,2]}'",
    "'<a><b/></a>'",
    "'<a'",
    "'a:1:{i:0;i:1;}'",
    "gzcompress('text')",
    "gzencode('text')",
    "'O:9:\"Exception\":0:{}'",
    "'<?php echo 1 + $x; /* c */'",
    "\"a,b\\n\\\"c\\\",d\"",
    "str_repeat('<x>', 500)",
];

/// Makes expressions for one case.
pub struct Values<'a> {
    pub catalogue: &'a Catalogue,
    pub rng: Rng,
    /// Variables that hold something already.
    pub variables: Vec<String>,
}

impl<'a> Values<'a> {
    /// A source of values that depends on `seed` only.
    pub fn new(catalogue: &'a Catalogue, seed: u64) -> Values<'a> {
        Values { catalogue, rng: Rng::new(seed), variables: Vec::new() }
    }

    /// A random element of the list.
    pub fn of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.rng.below(list.len())]
    }

    /// A value for a parameter: usually one that it takes.
    pub fn argument(&mut self, parameter: &Parameter, depth: usize) -> String {
        if self.rng.chance(12) && !self.variables.is_empty() {
            return self.variable();
        }
        if self.rng.chance(20) {
            return self.anything(depth);
        }
        if parameter.types.is_empty() {
            return self.untyped(&parameter.name, depth);
        }
        let at = self.rng.below(parameter.types.len());
        let kind = parameter.types[at].clone();
        self.typed(&kind, &parameter.name, depth)
    }

    /// A random variable of the program, or `null` if there is none.
    pub fn variable(&mut self) -> String {
        let at = self.rng.below(self.variables.len());
        self.variables.get(at).cloned().unwrap_or_else(|| "null".to_owned())
    }

    fn untyped(&mut self, name: &str, depth: usize) -> String {
        const STREAMS: [&str; 9] =
            ["stream", "context", "handle", "socket", "process", "brigade", "from", "to", "resource"];
        if STREAMS.iter().any(|word| name.contains(word)) && self.rng.chance(85) {
            return format!("res({})", self.rng.below(12));
        }
        if name.contains("class") && self.rng.chance(60) {
            return self.text(name);
        }
        self.anything(depth)
    }

    /// A value of a type, as it is declared.
    pub fn typed(&mut self, kind: &str, name: &str, depth: usize) -> String {
        match kind {
            "int" => self.integer(name),
            "float" => self.of(FLOATS).to_owned(),
            "string" => self.text(name),
            "bool" => self.of(&["true", "false"]).to_owned(),
            "true" | "false" | "null" => kind.to_owned(),
            "array" | "iterable" => self.array(depth),
            "callable" | "Closure" => self.callable(),
            "mixed" => self.anything(depth),
            "object" | "self" | "static" => self.any_object(depth),
            class => self.object(class, depth),
        }
    }

    fn integer(&mut self, name: &str) -> String {
        if name == "flags" && self.rng.chance(60) {
            return self.rng.below(64).to_string();
        }
        match self.rng.chance(45) {
            true => (self.rng.below(12) as i64 - 2).to_string(),
            false => self.of(INTEGERS).to_owned(),
        }
    }

    /// A string literal that fits a parameter of this name more often than not.
    pub fn text(&mut self, name: &str) -> String {
        let name = name.to_ascii_lowercase();
        if self.rng.chance(70) {
            const HOLD: [&str; 6] = ["data", "json", "source", "xml", "code", "contents"];
            if HOLD.iter().any(|word| name.contains(word)) {
                return self.of(DOCUMENTS).to_owned();
            }
            if let Some((_, texts)) = BY_NAME.iter().find(|(word, _)| name.contains(word)) {
                return self.of(texts).to_owned();
            }
        }
        self.of(TEXTS).to_owned()
    }

    /// A random callable.
    pub fn callable(&mut self) -> String {
        self.of(CALLABLES).to_owned()
    }

    /// A random array; `depth` limits how deep arrays nest.
    pub fn array(&mut self, depth: usize) -> String {
        if depth > 2 || self.rng.chance(35) {
            return format!("arr({})", self.rng.below(10));
        }
        let count = self.of(&["0", "1", "2", "3", "5"]).parse().unwrap_or(2);
        let alike = self.rng.chance(40).then(|| self.of(&["int", "string", "float", "array", "callable"]));
        let keyed = self.rng.chance(35);
        let elements: Vec<String> = (0..count)
            .map(|_| {
                let value = match alike {
                    Some(kind) => self.typed(kind, "", depth + 1),
                    None => self.anything(depth + 1),
                };
                match keyed {
                    true => {
                        let key = self.of(&["'a'", "'b'", "0", "5", "-1", "''", "'options'", "'x.y'", "PHP_INT_MAX"]);
                        format!("{key} => {value}")
                    }
                    false => value,
                }
            })
            .collect();
        format!("[{}]", elements.join(", "))
    }

    /// A value of whatever type.
    pub fn anything(&mut self, depth: usize) -> String {
        match self.rng.below(if depth > 3 { 8 } else { 16 }) {
            0 | 1 => self.integer(""),
            2 => self.of(FLOATS).to_owned(),
            3 | 4 => self.text(""),
            5 => self.of(&["null", "true", "false"]).to_owned(),
            6 => self.callable(),
            7 => format!("res({})", self.rng.below(12)),
            8..=10 => self.array(depth),
            11 if !self.variables.is_empty() => self.variable(),
            12 => self.acting(),
            _ => self.any_object(depth + 1),
        }
    }

    /// An object that acts when it is used.
    pub fn acting(&mut self) -> String {
        self.of(recipes::ACTING).to_owned()
    }

    fn any_object(&mut self, depth: usize) -> String {
        if self.rng.chance(45) || depth > 3 {
            return self.acting();
        }
        let at = self.rng.below(self.catalogue.classes.len());
        let name = self.catalogue.classes.get(at).map(|class| class.name.clone()).unwrap_or_default();
        self.object(&name, depth)
    }

    /// An object of a class, or of one below.
    pub fn object(&mut self, name: &str, depth: usize) -> String {
        let made = recipes::of(name);
        if !made.is_empty() && self.rng.chance(if depth > 2 { 100 } else { 75 }) {
            return self.of(made).to_owned();
        }
        let mut below = self.catalogue.below(name);
        if below.is_empty() || depth > 4 {
            return self.acting();
        }
        let class = match below.iter().position(|class| class.name == name) {
            Some(at) if self.rng.chance(75) => below.swap_remove(at),
            _ => below.swap_remove(self.rng.below(below.len())),
        };
        if class.is_enum {
            let at = self.rng.below(class.cases.len());
            return class.cases.get(at).map_or("null".to_owned(), |case| format!("\\{}::{case}", class.name));
        }
        if let Some(made) = Some(recipes::of(&class.name)).filter(|made| !made.is_empty())
            && self.rng.chance(50)
        {
            return self.of(made).to_owned();
        }
        self.constructed(class, depth)
    }

    fn constructed(&mut self, class: &crate::catalogue::Class, depth: usize) -> String {
        let constructor = class.methods.iter().find(|method| method.name == "__construct");
        let arguments =
            constructor.map_or(String::new(), |method| self.arguments(&method.parameters, depth + 1).join(", "));
        let comma = if arguments.is_empty() { "" } else { ", " };
        match self.rng.below(20) {
            0 => format!("bare('{}')", class.name),
            1 | 2 if class.can_be_extended() => format!("half('{}'{comma}{arguments})", class.name),
            3 | 4 if class.can_be_extended() => {
                let methods: Vec<&str> = class
                    .methods
                    .iter()
                    .filter(|method| !method.is_fixed && !method.is_static && method.name != "__construct")
                    .filter(|method| !method.parameters.iter().any(|parameter| parameter.by_reference))
                    .map(|method| method.name.as_str())
                    .collect();
                if methods.is_empty() {
                    return format!("new \\{}({arguments})", class.name);
                }
                let method = self.of(&methods);
                format!("over('{}', '{method}'{comma}{arguments})", class.name)
            }
            _ => format!("new \\{}({arguments})", class.name),
        }
    }

    /// Values for parameters, as many as there are, sometimes fewer or more.
    pub fn arguments(&mut self, parameters: &[Parameter], depth: usize) -> Vec<String> {
        let mut arguments = Vec::new();
        for parameter in parameters {
            if parameter.optional && self.rng.chance(35) || self.rng.chance(2) {
                break;
            }
            let times = if parameter.variadic { self.rng.below(4) } else { 1 };
            for _ in 0..times {
                arguments.push(self.argument(parameter, depth));
            }
        }
        if self.rng.chance(3) {
            arguments.push(self.anything(depth));
        }
        arguments
    }
}
