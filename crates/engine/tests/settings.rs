//! Settings: each is declared once, beside what it sets, and belongs to one extension; and the end of a request restores them.

use phlox_engine::{CGI_SETTINGS, Options, POOL_SETTINGS, Program, WORKER_EXTENSIONS};
use phlox_runtime::Vm;
use phlox_runtime::ini::IniDef;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// All that extensions list, and the settings of web servers' requests.
fn listed() -> impl Iterator<Item = (&'static str, &'static IniDef)> {
    let of_extensions =
        WORKER_EXTENSIONS.iter().flat_map(|extension| extension.ini.iter().map(|def| (extension.name, *def)));
    of_extensions.chain(CGI_SETTINGS.iter().chain(POOL_SETTINGS).map(|def| ("cgi-fcgi", *def)))
}

/// The names in all declarations of a source: `static NAME: IniBool = IniBool::new("name", ..`.
fn declared_in(source: &str) -> impl Iterator<Item = &str> {
    source.split("static ").skip(1).filter_map(|rest| {
        let (head, value) = rest.split_once('=')?;
        let (_, kind) = head.split_once(':')?;
        let declares = kind.trim_start().starts_with("Ini") && !kind.contains('&');
        declares.then(|| value.split('"').nth(1)).flatten()
    })
}

fn each_source(folder: &Path, visit: &mut dyn FnMut(&str)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            each_source(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("a source");
            let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            visit(&code.join("\n"));
        }
    }
}

#[test]
fn every_setting_is_one_extensions() {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (extension, def) in listed() {
        owners.entry(def.name).or_default().push(extension);
    }
    let shared: Vec<_> = owners.iter().filter(|(_, owners)| owners.len() > 1).collect();
    assert!(shared.is_empty(), "listed more than once: {shared:?}");

    let mut declared = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for group in ["crates", "ext"] {
        for krate in fs::read_dir(root.join(group)).expect("a folder of crates") {
            let sources = krate.expect("readable").path().join("src");
            if sources.is_dir() {
                each_source(&sources, &mut |source| {
                    for name in declared_in(source) {
                        *declared.entry(name.to_owned()).or_insert(0) += 1;
                    }
                });
            }
        }
    }
    let repeated: Vec<_> = declared.iter().filter(|(_, count)| **count > 1).collect();
    assert!(repeated.is_empty(), "declared more than once: {repeated:?}");
    let declared: BTreeSet<&str> = declared.keys().map(String::as_str).collect();
    let listed: BTreeSet<&str> = owners.keys().copied().collect();
    assert_eq!(declared.difference(&listed).collect::<Vec<_>>(), Vec::<&&str>::new(), "declared, but listed by nobody");
    assert_eq!(listed.difference(&declared).collect::<Vec<_>>(), Vec::<&&str>::new(), "listed, but declared nowhere");
}

#[test]
fn the_end_of_a_request_restores_all_settings() {
    let options = Options { ini: vec![("date.timezone".into(), b"Europe/Paris".to_vec())], ..Options::default() };
    let source = b"ini_set('precision', '3'); ini_set('date.timezone', 'Asia/Tokyo'); ini_set('user_agent', 'me');
        ini_set('memory_limit', '1G'); error_reporting(1); ini_set('display_errors', 'stderr');";
    phlox_engine::session(&options, |session| {
        let vm = Vm::current().expect("a session has an engine");
        let values = || -> Vec<_> {
            vm.ini.all().iter().map(|state| (state.def.name, state.value(), state.bits(), state.is_changed())).collect()
        };
        let before = values();
        session.execute(&Program::Code { name: b"code".to_vec(), source: [b"<?php ", &source[..]].concat() });
        assert_eq!(values().iter().filter(|row| row.3).count(), 6);
        vm.ini.restore_all(vm);
        assert_eq!(values(), before);
        assert_eq!(vm.errors.reporting.get(), 30719);
    });
}
