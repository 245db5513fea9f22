//! The target of a request: a script, a file, or nothing.

use crate::commands::path;

pub enum Found {
    Script(Vec<u8>),
    File(Vec<u8>),
    Missing,
}

pub struct Place {
    pub found: Found,
    /// The part of the request's path that names the script.
    pub script_name: Vec<u8>,
    /// The part of the request's path behind the script.
    pub path_info: Option<Vec<u8>>,
}

const INDEXES: [&[u8]; 2] = [b"index.php", b"index.html"];

fn is_file(file: &[u8]) -> bool {
    path(file).is_file()
}

fn found(file: Vec<u8>) -> Found {
    let extension = file.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    if extension.eq_ignore_ascii_case(b"php") { Found::Script(file) } else { Found::File(file) }
}

/// A path without `.`, `..` and doubled slashes, which does not leave the root.
fn normal(request: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in request.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let mut path: Vec<u8> = parts.iter().flat_map(|part| [b"/", *part].concat()).collect();
    if path.is_empty() || request.ends_with(b"/") {
        path.push(b'/');
    }
    path
}

impl Place {
    /// The file below the root; else the index of the nearest folder above.
    pub fn find(root: &[u8], request: &[u8]) -> Place {
        let wanted = normal(request);
        let mut end = wanted.len();
        loop {
            let prefix = wanted[..end].strip_suffix(b"/").unwrap_or(&wanted[..end]);
            let file = [root, prefix].concat();
            let rest = &wanted[prefix.len()..];
            let info = |rest: &[u8]| (!rest.is_empty() && rest != b"/").then(|| rest.to_vec());
            if is_file(&file) {
                return Place { found: found(file), script_name: prefix.to_vec(), path_info: info(rest) };
            }
            if path(&file).is_dir() {
                for index in INDEXES {
                    let file = [&file[..], b"/", index].concat();
                    if is_file(&file) {
                        let script_name = [prefix, b"/", index].concat();
                        return Place { found: found(file), script_name, path_info: info(rest) };
                    }
                }
            }
            match prefix.iter().rposition(|&byte| byte == b'/') {
                Some(slash) => end = slash,
                None => return Place { found: Found::Missing, script_name: wanted, path_info: None },
            }
        }
    }

    /// The file's path; empty if there is none.
    pub fn path(&self) -> &[u8] {
        match &self.found {
            Found::Script(file) | Found::File(file) => file,
            Found::Missing => b"",
        }
    }
}

/// The media type that a file's name implies.
pub fn media_type(file: &[u8]) -> &'static str {
    const TYPES: [(&str, &str); 34] = [
        ("html", "text/html; charset=UTF-8"),
        ("htm", "text/html; charset=UTF-8"),
        ("js", "application/javascript"),
        ("mjs", "application/javascript"),
        ("css", "text/css; charset=UTF-8"),
        ("txt", "text/plain; charset=UTF-8"),
        ("md", "text/x-markdown; charset=UTF-8"),
        ("csv", "text/csv; charset=UTF-8"),
        ("gif", "image/gif"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("png", "image/png"),
        ("webp", "image/webp"),
        ("avif", "image/avif"),
        ("svg", "image/svg+xml"),
        ("svgz", "image/svg+xml"),
        ("ico", "image/x-icon"),
        ("bmp", "image/bmp"),
        ("pdf", "application/pdf"),
        ("json", "application/json"),
        ("map", "application/json"),
        ("xml", "text/xml; charset=UTF-8"),
        ("xsl", "text/xml; charset=UTF-8"),
        ("xhtml", "application/xhtml+xml; charset=UTF-8"),
        ("zip", "application/zip"),
        ("gz", "application/gzip"),
        ("wasm", "application/wasm"),
        ("ogg", "audio/ogg"),
        ("ogv", "video/ogg"),
        ("mp3", "audio/mpeg"),
        ("mp4", "video/mp4"),
        ("webm", "video/webm"),
        ("woff", "application/font-woff"),
        ("woff2", "font/woff2"),
    ];
    let extension = file.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let row = TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known.as_bytes()));
    row.map_or("application/octet-stream", |(_, kind)| kind)
}
