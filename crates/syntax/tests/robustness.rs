//! Whatever the input, parsing, dumping and printing end without a panic and in linear time.
//!
//! The damaged inputs come from fixed seeds; `PHLOX_FUZZ=1000000` tries that many more.

use phlox_syntax::token::{TokenKind, tokenize};
use phlox_syntax::{ParseOptions, dump, parse, print};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The stack that the parser may count on.
const STACK: usize = 256 << 20;

fn with_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(test).unwrap().join().unwrap();
}

/// Parses; returns the first message.
fn run(source: &[u8], options: &ParseOptions) -> Option<String> {
    let arena = bumpalo::Bump::new();
    let result = parse(&arena, source, options);
    print::print_stmts(result.program.stmts);
    dump::dump(&result.program);
    result.diagnostics.first().map(|diagnostic| String::from_utf8_lossy(&diagnostic.message).into_owned())
}

/// Xorshift: small, fast, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

fn sources(folder: &Path) -> Vec<Vec<u8>> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "php") {
            found.push(std::fs::read(path).unwrap());
        }
    }
    found
}

/// Where the tokens of `source` start and end.
fn tokens(source: &[u8]) -> Vec<(usize, usize)> {
    let tokens = tokenize(source, true);
    tokens
        .iter()
        .filter(|token| token.kind != TokenKind::End)
        .map(|token| (token.start as usize, token.end as usize))
        .collect()
}

/// `source` with a few tokens removed, moved, or taken from `other`, or a few bytes changed.
fn damage(source: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut source = source.to_vec();
    for _ in 0..1 + random.below(3) {
        let places = tokens(&source);
        let donor = tokens(other);
        let (Some(&(start, end)), Some(&(from, to))) =
            (places.get(random.below(places.len())), donor.get(random.below(donor.len())))
        else {
            break;
        };
        match random.below(6) {
            0 => drop(source.drain(start..end)),
            1 => drop(source.splice(start..end, other[from..to].iter().copied())),
            2 => drop(source.splice(start..start, other[from..to].iter().copied())),
            3 => source.truncate(start + random.below(end - start + 1)),
            4 => {
                let text = source[start..end].to_vec();
                source.splice(start..start, text);
            }
            _ => source[start + random.below(end - start)] = random.below(256) as u8,
        }
    }
    source
}

#[test]
fn damaged_sources() {
    with_stack(|| {
        let seeds = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/syntax"));
        let rounds = std::env::var("PHLOX_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for round in 0..rounds {
            let source = damage(&seeds[random.below(seeds.len())], &seeds[random.below(seeds.len())], &mut random);
            let options =
                ParseOptions { start_in_php: round % 16 == 0, short_open_tag: round % 8 != 1, ..Default::default() };
            run(&source, &options);
        }
    });
}

#[test]
fn every_prefix_of_every_source() {
    with_stack(|| {
        for source in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/syntax")) {
            for end in (0..source.len()).step_by(1 + source.len() / 400) {
                run(&source[..end], &ParseOptions::default());
            }
        }
    });
}

/// Text that repeats `unit` `count` times between `before` and `after`.
fn repeated(before: &str, unit: &str, count: usize, after: &str) -> Vec<u8> {
    format!("<?php {before}{}{after}", unit.repeat(count)).into_bytes()
}

#[test]
fn deep_nesting_is_refused() {
    with_stack(|| {
        for (before, open) in NESTING {
            let message = run(&repeated(before, open, 200_000, ""), &ParseOptions::default());
            assert_eq!(message.as_deref(), Some("memory exhausted"), "{open}");
        }
    });
}

/// Ways to nest: what comes before, and what opens another level.
const NESTING: &[(&str, &str)] = &[
    ("$a = ", "("),
    ("$a = ", "["),
    ("$a = ", "[1 => "),
    ("", "{"),
    ("", "if (1) "),
    ("", "while (1):"),
    ("", "$a = "),
    ("", "!"),
    ("", "- "),
    ("", "f("),
    ("", "$a["),
    ("", "$a ?? ("),
    ("", "2 ** "),
    ("", "fn() => "),
    ("", "function () {"),
    ("", "new class {function f() {"),
    ("", "\"{$a["),
    ("", "${"),
    ("", "match(1) { 1 => "),
    ("", "#[A("),
    ("", "list(list("),
    ("foreach ($a as ", "["),
    ("", "(int) "),
    ("", "yield "),
    ("", "throw "),
    ("", "print "),
    ("", "new ("),
    ("", "switch (1) { case 1: "),
    ("", "try {"),
    ("", "static fn() => "),
];

#[test]
fn long_chains_are_fine() {
    with_stack(|| {
        for (before, unit, after) in CHAINS {
            let started = Instant::now();
            let message = run(&repeated(before, unit, 20_000, after), &ParseOptions::default());
            assert_eq!(message, None, "{unit}");
            assert!(started.elapsed() < Duration::from_secs(5), "{unit}");
        }
    });
}

/// Chains: what comes before, the repeated part, and what comes after.
const CHAINS: &[(&str, &str, &str)] = &[
    ("$a", " . $b", ";"),
    ("'a'", " . 'b'", ";"),
    ("1", " + 1", ";"),
    ("$a", " && $b", ";"),
    ("$a", "->b()", ";"),
    ("$a", "[0]", ";"),
    ("$a", "::$b", ";"),
    ("$a", "()", ";"),
    ("if (1) {}", " else if (2) {}", ""),
    ("if (1) {}", " elseif (2) {}", ""),
    ("$a = [", "1,", "];"),
    ("f(", "1,", ");"),
    ("echo 1", ", 2", ";"),
    ("", "f();", ""),
    ("", "{}", ""),
    ("$a = \"", "$b ", "\";"),
    ("$a = \"", "{$b}", "\";"),
    ("$a = <<<X\n", "  $b\n", "  X;"),
    ("class A {", "const B = 1;", "}"),
    ("function f(A", "|A", " $a) {}"),
    ("use A\\{", "B,", "};"),
    ("match(1) {", "1 => 2,", "};"),
    ("switch (1) {", "case 1:", "}"),
    ("", "#[A] ", "fn() => 1;"),
    ("new $a", "->b", ";"),
    ("$a", " ?: $b", ";"),
    ("$a instanceof B", " instanceof B", ";"),
];

#[test]
fn endless_chains_are_refused() {
    with_stack(|| {
        for (before, unit) in
            [("1", " + 1"), ("$a", "->b"), ("new $a", "[0]"), ("$", "$"), ("if (1) {}", " else if (1) {}")]
        {
            let message = run(&repeated(before, unit, 400_000, "a;"), &ParseOptions::default());
            assert_eq!(message.as_deref(), Some("memory exhausted"), "{unit}");
        }
    });
}

#[test]
fn hostile_inputs_take_linear_time() {
    with_stack(|| {
        for unit in [
            "\"", "'", "<<<A\n", "\"$", "/*", "/**", "& /**/", "?><?php ", "`", "\"{$", "<?", "#", "//", "(int", "$a[",
            "\\",
        ] {
            let started = Instant::now();
            run(&repeated("", unit, 50_000, ""), &ParseOptions::default());
            assert!(started.elapsed() < Duration::from_secs(5), "{unit}");
        }
    });
}
