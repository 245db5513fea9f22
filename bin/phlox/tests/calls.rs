//! Random calls of builtin functions and classes: nothing ends by a signal or a panic, and code that is compiled at once
//! has the same output as the interpreter.
//!
//! `tools/fuzz-calls` runs any number of cases and compares them with real PHP.

use phlox_fuzz_calls::Subject;
use phlox_fuzz_calls::runner::{Engine, Finding, Report, compare};
use std::ops::Range;

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
/// Freed memory is overwritten, so that a use after release is noticed. Both have the same number of variables, which functions may
/// count that read the environment.
const WAYS: [&str; 2] =
    ["PHLOX_STRESS=poison PHLOX_JIT=0 PHLOX_JIT_HOT=2", "PHLOX_STRESS=poison PHLOX_JIT=sync PHLOX_JIT_HOT=2"];
const FUNCTIONS: Range<u64> = 1_000_000..1_002_400;
const CLASSES: Range<u64> = 2_000_000..2_002_400;

fn reports(subject: Subject, seeds: Range<u64>) -> Vec<Report> {
    let engines: Vec<Engine> = WAYS.iter().map(|way| Engine::parse(&format!("{way} {ENGINE} -n"))).collect();
    let folder = std::env::temp_dir().join(format!("phlox-calls-{}-{}", std::process::id(), seeds.start));
    let catalogue = engines[0].catalogue(&folder).expect("the engine lists what it has");
    assert!(catalogue.functions.len() > 1000 && catalogue.classes.len() > 150, "the catalogue is whole");
    let summary = compare(subject, &catalogue, &engines, seeds.clone(), &folder).expect("the engine starts");
    assert!(summary.ended > (seeds.end - seeds.start) * 9 / 10, "only {} cases ended", summary.ended);
    // Functions that exceed their time, as with a pattern of 70,000 letters, do so in PHP, too.
    summary.reports.into_iter().filter(|report| report.finding != Finding::Hang).collect()
}

#[test]
fn functions_take_anything() {
    let reports = reports(Subject::Functions, FUNCTIONS);
    assert!(reports.is_empty(), "{} findings: {reports:#?}", reports.len());
}

#[test]
fn objects_take_anything() {
    let reports = reports(Subject::Classes, CLASSES);
    assert!(reports.is_empty(), "{} findings: {reports:#?}", reports.len());
}

/// PHP 8.4 ends by a signal here: libxml2 frees a name that is the document's.
#[test]
fn pieces_of_xml_that_are_nested_too_deeply_are_refused() {
    let code = r#"$d = new DOMDocument; $d->loadXML('<a/>'); $f = $d->createDocumentFragment();
        foreach ([257, 500] as $depth) { var_dump(@$f->appendXML(str_repeat('<x>', $depth))); }
        $f->appendXML('<y/>'); echo $d->saveXML($f);"#;
    let output = std::process::Command::new(ENGINE).args(["-n", "-r", code]).output().expect("phlox starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "bool(false)\nbool(false)\n<y/>");
}

/// SQLite frees the data of a collation twice if the collation is replaced while it is being replaced.
#[test]
fn collations_that_make_themselves_anew_when_they_go_are_freed_once() {
    let code = r#"class Dying { function __construct(public $last) {} function __destruct() { ($this->last)(); } }
        $p = new Pdo\Sqlite('sqlite::memory:');
        $dying = new Dying(function () use ($p) { echo 'again '; $p->createCollation('c', 'strcmp'); });
        $p->createCollation('c', fn ($a, $b) => $dying ? 0 : 1); unset($dying);
        $p->createCollation('c', 'strcmp'); $p->createCollation('c', 'strcmp');
        echo implode($p->query("select 'b' as x union select 'a' order by x collate c")->fetchAll(PDO::FETCH_COLUMN));"#;
    let output = std::process::Command::new(ENGINE).args(["-n", "-r", code]).output().expect("phlox starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "again ab");
}
