//! Finds the script of a request and corrects the parameters with its paths, as php-fpm does: servers give `/info.php/more` as the
//! script's path, and Apache's modules put a scheme and a host in front of it.

use super::super::path;
use phlox_fpm::FcgiRequest;

/// The settings that decide how paths are read.
#[derive(Clone, Debug)]
pub struct Rules {
    /// `cgi.fix_pathinfo`
    pub fixes: bool,
    /// `cgi.discard_path`
    pub discards: bool,
    /// `doc_root`
    pub root: Option<Vec<u8>>,
}

/// What Apache's modules put in front of a path, which a host and a port follow.
const PREFIXES: [&[u8]; 2] = [b"proxy:fcgi://", b"proxy:balancer://"];

/// The script, and its path in the address that the client asks for.
#[derive(Debug, Default)]
pub struct Script {
    pub path: Option<Vec<u8>>,
    pub uri: Option<Vec<u8>>,
}

/// The paths of a request while they are read.
struct Paths<'a> {
    request: &'a FcgiRequest,
    script: Vec<u8>,
    filename: Option<Vec<u8>>,
    translated: Option<Vec<u8>>,
    info: Option<Vec<u8>>,
    name: Option<Vec<u8>>,
    root: Option<Vec<u8>>,
    is_apache: bool,
    uri: Option<Vec<u8>>,
}

/// Finds the script of a request.
pub fn find(request: &FcgiRequest, rules: &Rules) -> Script {
    let get = |name| request.own_parameter(name);
    let (filename, translated) = (get("SCRIPT_FILENAME"), get("PATH_TRANSLATED"));
    let Some(script) = filename.clone().or_else(|| translated.clone()) else { return Script::default() };
    let (info, name, root) = (get("PATH_INFO"), get("SCRIPT_NAME"), get("DOCUMENT_ROOT"));
    let mut paths = Paths { request, script, filename, translated, info, name, root, is_apache: false, uri: None };
    paths.correct_iis();
    paths.correct_apache();
    let found = if rules.fixes {
        paths.fix(rules.root.as_deref())
    } else {
        paths.uri = paths.info.clone().or_else(|| paths.name.clone());
        let translated = paths.translated.clone().filter(|_| !rules.discards);
        Some(translated.unwrap_or_else(|| paths.script.clone()))
    };
    let uri = paths.uri;
    let path = found.filter(|path| is_valid(path)).map(|path| match (&rules.root, &uri) {
        // Everything that is asked for is below this folder.
        (Some(root), Some(uri)) if root.starts_with(b"/") => {
            let root = root.strip_suffix(b"/").unwrap_or(root);
            let slash: &[u8] = if uri.starts_with(b"/") { b"" } else { b"/" };
            [root, slash, uri].concat()
        }
        _ => path,
    });
    Script { path, uri }
}

/// Whether no part of the path is `..`.
fn is_valid(path: &[u8]) -> bool {
    !path.split(|&byte| byte == b'/').any(|part| part == b"..")
}

impl Paths<'_> {
    fn put(&self, name: &str, value: Option<&[u8]>) {
        self.request.set_parameter(name, value);
    }

    /// Keeps what a parameter was, under another name.
    fn keep(&self, name: &str, value: Option<&[u8]>) {
        if value.is_some() {
            self.put(name, value);
        }
    }

    /// IIS puts the script's name in front of the path behind it.
    fn correct_iis(&mut self) {
        let software = self.request.own_parameter("SERVER_SOFTWARE").unwrap_or_default();
        let (Some(info), Some(name)) = (&self.info, &self.name) else { return };
        if let Some(rest) = info.strip_prefix(&name[..]).filter(|_| software.starts_with(b"Microsoft-IIS")) {
            let rest = Some(rest.to_vec()).filter(|rest| !rest.is_empty());
            self.put("ORIG_PATH_INFO", Some(info));
            self.put("PATH_INFO", rest.as_deref());
            self.info = rest;
        }
    }

    fn correct_apache(&mut self) {
        let Some(filename) = self.filename.clone() else { return };
        for prefix in PREFIXES {
            let Some(start) = filename.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix)) else {
                continue;
            };
            let rest = &filename[start.len()..];
            let mut path = match rest.iter().position(|&byte| byte == b'/') {
                Some(slash) => {
                    self.is_apache = true;
                    rest[slash..].to_vec()
                }
                None => filename.clone(),
            };
            if let Some(query) = path.iter().position(|&byte| byte == b'?') {
                path.truncate(query);
            }
            self.put("SCRIPT_FILENAME", Some(&path));
            self.script = path.clone();
            self.filename = Some(path);
            return;
        }
    }

    /// `cgi.fix_pathinfo`; gives the script's path.
    fn fix(&mut self, doc_root: Option<&[u8]>) -> Option<Vec<u8>> {
        if let (None, Some(root)) = (&self.root, doc_root.filter(|root| !root.is_empty())) {
            self.put("DOCUMENT_ROOT", Some(root));
            self.root = Some(root.to_vec());
        }
        let redirect = self.request.own_parameter("REDIRECT_URL");
        let known_name = self.name.clone();
        if let (false, Some(translated), Some(url)) = (self.is_apache, &self.translated, &redirect) {
            // The server names this program as the script.
            if *translated != self.script {
                self.script = translated.clone();
                self.name = Some(url.clone());
            }
        }
        let is_split = !self.script.is_empty() && (self.script.ends_with(b"/") || !path(&self.script).exists());
        if is_split {
            return self.split(known_name);
        }
        if self.filename.as_deref() != Some(&self.script) {
            self.keep("ORIG_SCRIPT_FILENAME", self.filename.as_deref());
            self.put("SCRIPT_FILENAME", Some(&self.script));
        }
        if !self.is_apache && redirect.is_some() {
            for (name, original, value) in [
                ("PATH_INFO", "ORIG_PATH_INFO", &self.info),
                ("PATH_TRANSLATED", "ORIG_PATH_TRANSLATED", &self.translated),
            ] {
                if value.is_some() {
                    self.put(original, value.as_deref());
                    self.put(name, None);
                }
            }
        }
        if self.name != known_name {
            self.keep("ORIG_SCRIPT_NAME", known_name.as_deref());
            self.put("SCRIPT_NAME", self.name.as_deref());
        }
        self.uri = self.name.clone();
        Some(self.script.clone())
    }

    /// The path is longer than the script's: the rest belongs to the request.
    fn split(&mut self, known_name: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let file = self.front_file();
        let found = match &file {
            Some(file) => {
                self.take_info(file, known_name.as_deref());
                let mut script = self.script.clone();
                if self.filename.as_deref() != Some(file) {
                    self.keep("ORIG_SCRIPT_FILENAME", self.filename.as_deref());
                    self.put("SCRIPT_FILENAME", Some(file));
                    script = file.clone();
                }
                self.translate(file);
                Some(script)
            }
            None => {
                self.keep("ORIG_SCRIPT_FILENAME", self.filename.as_deref());
                self.put("SCRIPT_FILENAME", None);
                None
            }
        };
        if self.uri.is_none() {
            if known_name.is_none() || known_name != self.name {
                self.keep("ORIG_SCRIPT_NAME", known_name.as_deref());
                self.put("SCRIPT_NAME", self.name.as_deref());
                self.uri = self.name.clone();
            } else {
                self.uri = known_name;
            }
        }
        found
    }

    /// The longest front part of the path, up to a slash, that is a file.
    fn front_file(&self) -> Option<Vec<u8>> {
        let mut rest = &self.script[..];
        loop {
            let at = rest.iter().rposition(|&byte| byte == b'/');
            rest = &rest[..at.or_else(|| rest.iter().rposition(|&byte| byte == b'\\'))?];
            if path(rest).is_file() {
                return Some(rest.to_vec());
            }
        }
    }

    /// Finds out which part of the request's path follows the script.
    fn take_info(&mut self, file: &[u8], known_name: Option<&[u8]>) {
        let behind = self.script[file.len()..].to_vec();
        let known_info = self.info.clone();
        // The front of the path that the server gave, and what is behind it.
        let (front, info) = match &known_info {
            _ if self.is_apache => {
                if behind.is_empty() || known_info.as_deref() == Some(&behind) {
                    return;
                }
                (known_info.clone().unwrap_or_default(), behind.clone())
            }
            Some(all) if all.len() > behind.len() => {
                let (front, info) = all.split_at(all.len() - behind.len());
                (front.to_vec(), info.to_vec())
            }
            _ => return,
        };
        let mut new_info = info.clone();
        if known_info.is_some() {
            self.put("ORIG_PATH_INFO", known_info.as_deref());
            if known_name == Some(&front) {
                self.uri = known_name.map(<[u8]>::to_vec);
            } else {
                self.keep("ORIG_SCRIPT_NAME", known_name);
                self.put("SCRIPT_NAME", Some(&front));
                self.uri = Some(front);
            }
        } else if let Some(name) = self.name.clone().filter(|_| self.is_apache) {
            // The script's name may have the rest of the path, as it is or decoded.
            let decoded = info.contains(&b'%').then(|| decode(&info));
            let end = |text: &[u8]| name.strip_suffix(text).filter(|front| !front.is_empty()).map(<[u8]>::to_vec);
            if let Some(front) = end(&info).or_else(|| end(decoded.as_deref()?)) {
                self.keep("ORIG_SCRIPT_NAME", known_name);
                self.put("SCRIPT_NAME", Some(&front));
                self.name = Some(front.clone());
                self.uri = Some(front);
            }
            new_info = decoded.unwrap_or(new_info);
        }
        self.put("PATH_INFO", Some(&new_info));
        self.info = Some(new_info);
    }

    /// The request's path as a path below the folder that the server serves.
    fn translate(&self, file: &[u8]) {
        let info = self.info.as_deref().unwrap_or_default();
        let front = match (&self.root, &self.name) {
            (Some(root), _) => root.strip_suffix(b"/").unwrap_or(root),
            (None, Some(name)) if !name.is_empty() && file.windows(name.len()).any(|part| part == name) => {
                &file[..file.len() - name.len()]
            }
            _ => return,
        };
        self.keep("ORIG_PATH_TRANSLATED", self.translated.as_deref());
        self.put("PATH_TRANSLATED", Some(&[front, info].concat()));
    }
}

/// Replaces `%XX`.
fn decode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(code.unwrap_or(byte));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    out
}
