//! Settings in files beside the scripts (`.user.ini`), which are kept for a while.

use super::read_settings;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

type Settings = Vec<(String, Vec<u8>)>;

/// The files that were read.
pub struct UserIni {
    /// `user_ini.filename`
    name: Vec<u8>,
    /// `user_ini.cache_ttl`
    kept: Duration,
    /// The settings for a folder, until when.
    folders: HashMap<Vec<u8>, (Instant, Settings)>,
}

impl UserIni {
    /// Files of this name, which are read again after so long.
    pub fn new(name: &[u8], kept: Duration) -> UserIni {
        UserIni { name: name.to_vec(), kept, folders: HashMap::new() }
    }

    /// The settings for a script: those of the served folder first, then those of the folders between it and the script's; those of the
    /// script's folder only, if it is not within the served one.
    pub fn settings(&mut self, script: &[u8], root: Option<&[u8]>) -> Settings {
        let Some(root) = root.filter(|_| !self.name.is_empty()) else { return Vec::new() };
        let end = script.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let folder = &script[..end];
        let now = Instant::now();
        if let Some((until, settings)) = self.folders.get(folder) {
            if now <= *until {
                return settings.clone();
            }
        }
        let root = root.strip_suffix(b"/").unwrap_or(root);
        let settings = match folder.strip_prefix(root) {
            Some(below) => {
                let slashes = below.iter().enumerate().filter(|(_, byte)| **byte == b'/');
                slashes.flat_map(|(at, _)| self.read(&folder[..root.len() + at])).collect()
            }
            None => self.read(folder),
        };
        self.folders.insert(folder.to_vec(), (now + self.kept, settings.clone()));
        settings
    }

    fn read(&self, folder: &[u8]) -> Settings {
        let file = Path::new(OsStr::from_bytes(folder)).join(OsStr::from_bytes(&self.name));
        // Most folders have no such file.
        std::fs::read(file).map(|text| read_settings(&text).0).unwrap_or_default()
    }
}
