//! What is said of configuration files (`data/config.txt`).

use phlox_fpm::config::file::Reader;
use phlox_fpm::config::{Configuration, Refused};
use phlox_fpm::log;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// Values of the tests are what the text says, without quotes; a comment ends them.
fn read_value(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.split(|&byte| byte == b';').next()?.trim_ascii();
    let text = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    Some(text.to_vec())
}

fn read_and_check(path: &str) -> Result<(), Refused> {
    let mut configuration = Configuration::default();
    Reader::new(&mut configuration, &read_value).file(path)?;
    configuration.check_global(None)?;
    configuration.check_pools(true)?;
    configuration.dump();
    Ok(())
}

/// What is logged about a configuration, in lines. Lines of the dump with defaults are left out.
fn messages(text: &str, defaults: &[String]) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("phlox-fpm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.conf");
    std::fs::write(&path, text).unwrap();
    let heard = Rc::new(RefCell::new(Vec::new()));
    let listener = heard.clone();
    log::set_listener(Some(Box::new(move |message| {
        listener.borrow_mut().push(String::from_utf8_lossy(message).into_owned());
    })));
    let path = path.to_string_lossy().into_owned();
    let result = read_and_check(&path);
    log::set_listener(None);
    let mut lines = heard.take();
    if result.is_err() {
        lines.push("(refused)".to_owned());
    }
    let lines = lines.into_iter().map(|line| line.replace(&path, "FILE"));
    lines.filter(|line| !line.trim().is_empty() && !defaults.contains(line)).collect()
}

#[test]
fn data() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/config.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, cases) = text.split_once("== ").unwrap();
    let mut defaults = Vec::new();
    let mut out = head.to_owned();
    for case in cases.split("\n== ") {
        let (name, rest) = case.split_once('\n').unwrap();
        let configuration = rest.split_once("--\n").map_or(rest.trim_end_matches("--"), |(text, _)| text);
        let lines = messages(configuration, &defaults);
        if name == "defaults" {
            defaults = lines.iter().filter(|line| line.starts_with('\t')).cloned().collect();
        }
        out.push_str(&format!("== {name}\n{configuration}--\n{}\n", lines.join("\n")));
    }
    let out = out.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("PHLOX_BLESS").is_some() {
        std::fs::write(&file, out).unwrap();
        return;
    }
    for (number, (now, before)) in out.lines().zip(text.lines()).enumerate() {
        assert_eq!(now, before, "line {}", number + 1);
    }
    assert_eq!(out, text);
}
