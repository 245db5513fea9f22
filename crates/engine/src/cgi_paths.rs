//! Finds the script of a request through CGI and corrects the variables with its paths (`cgi.fix_pathinfo`): servers
//! give `/info.php/more` as the script's path.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A script and the variables that change for it; variables with `None` are removed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Paths {
    pub script: Option<Vec<u8>>,
    pub changes: Vec<(&'static str, Option<Vec<u8>>)>,
}

/// The settings that decide how paths are read.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// `cgi.fix_pathinfo`
    pub fixes: bool,
    /// `cgi.discard_path`
    pub discards: bool,
}

fn is_file(path: &[u8]) -> bool {
    Path::new(std::ffi::OsStr::from_bytes(path)).is_file()
}

fn exists(path: &[u8]) -> bool {
    Path::new(std::ffi::OsStr::from_bytes(path)).exists()
}

impl Paths {
    /// The paths of the request whose variables `get` gives.
    pub fn find(get: &dyn Fn(&str) -> Option<Vec<u8>>, rules: Rules) -> Paths {
        let (filename, translated) = (get("SCRIPT_FILENAME"), get("PATH_TRANSLATED"));
        let Some(given) = filename.clone().or_else(|| translated.clone()) else { return Paths::default() };
        if !rules.fixes {
            let script = translated.filter(|_| !rules.discards).unwrap_or(given);
            return Paths { script: Some(script), changes: Vec::new() };
        }
        let redirect = get("REDIRECT_URL");
        let (mut given, mut name) = (given, get("SCRIPT_NAME"));
        // If the server names this program as the script, the translated path is the script's.
        if let (Some(translated), Some(url)) = (&translated, &redirect)
            && *translated != given
        {
            given = translated.clone();
            name = Some(url.clone());
        }
        let mut paths = Paths { script: Some(given.clone()), changes: Vec::new() };
        if given.ends_with(b"/") || (!given.is_empty() && !exists(&given)) {
            paths.split(get, &given, name);
        } else {
            paths.keep(get, &given, name, redirect.is_some());
        }
        paths
    }

    fn set(&mut self, name: &'static str, value: Option<Vec<u8>>) {
        self.changes.push((name, value));
    }

    /// The path is the script's.
    fn keep(&mut self, get: &dyn Fn(&str) -> Option<Vec<u8>>, script: &[u8], name: Option<Vec<u8>>, redirected: bool) {
        let filename = get("SCRIPT_FILENAME");
        if filename.as_deref() != Some(script) {
            if filename.is_some() {
                self.set("ORIG_SCRIPT_FILENAME", filename);
            }
            self.set("SCRIPT_FILENAME", Some(script.to_vec()));
        }
        if redirected {
            for (variable, original) in [("PATH_INFO", "ORIG_PATH_INFO"), ("PATH_TRANSLATED", "ORIG_PATH_TRANSLATED")] {
                if let Some(value) = get(variable) {
                    self.set(original, Some(value));
                    self.set(variable, None);
                }
            }
        }
        let known = get("SCRIPT_NAME");
        if known != name {
            if known.is_some() {
                self.set("ORIG_SCRIPT_NAME", known);
            }
            self.set("SCRIPT_NAME", name);
        }
    }

    /// The path is longer than the script's: the rest belongs to the request.
    fn split(&mut self, get: &dyn Fn(&str) -> Option<Vec<u8>>, given: &[u8], name: Option<Vec<u8>>) {
        let slashes = || given.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let Some(at) = slashes().find(|&at| is_file(&given[..at])) else {
            let filename = get("SCRIPT_FILENAME");
            if filename.is_some() {
                self.set("ORIG_SCRIPT_FILENAME", filename);
            }
            self.set("SCRIPT_FILENAME", None);
            self.script = None;
            return;
        };
        let (script, rest) = given.split_at(at);
        let (info, known_name) = (get("PATH_INFO"), get("SCRIPT_NAME"));
        let mut tail = info.clone();
        // A server that gives the whole URL path as the request's path has put the script's name in front of it.
        if let Some(all) = info.filter(|all| all.len() > rest.len()) {
            let (front, behind) = all.split_at(all.len() - rest.len());
            if known_name.as_deref() != Some(front) {
                if known_name.is_some() {
                    self.set("ORIG_SCRIPT_NAME", known_name);
                }
                self.set("SCRIPT_NAME", Some(front.to_vec()));
            }
            tail = Some(behind.to_vec());
            self.set("ORIG_PATH_INFO", Some(all.clone()));
            self.set("PATH_INFO", tail.clone());
        }
        let filename = get("SCRIPT_FILENAME");
        if filename.as_deref() != Some(script) {
            if filename.is_some() {
                self.set("ORIG_SCRIPT_FILENAME", filename);
            }
            self.set("SCRIPT_FILENAME", Some(script.to_vec()));
        }
        let tail = tail.unwrap_or_default();
        let translated = match (get("DOCUMENT_ROOT"), name) {
            (Some(root), _) => Some([root.strip_suffix(b"/").unwrap_or(&root), &tail[..]].concat()),
            (None, Some(name)) if !name.is_empty() && script.windows(name.len()).any(|part| part == name) => {
                Some([&script[..script.len() - name.len()], &tail[..]].concat())
            }
            _ => None,
        };
        if translated.is_some() {
            if let Some(original) = get("PATH_TRANSLATED") {
                self.set("ORIG_PATH_TRANSLATED", Some(original));
            }
            self.set("PATH_TRANSLATED", translated);
        }
        self.script = Some(script.to_vec());
    }
}
