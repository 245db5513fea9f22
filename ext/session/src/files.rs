//! The module that keeps each session in a file.

use crate::state::Voice;
use phlox_runtime::{PhpResult, PhpStr};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const ID_MAX: usize = 256;
const PATH_MAX: usize = 4096;
const PREFIX: &str = "sess_";

/// The open data of the module.
pub struct Files {
    folder: Vec<u8>,
    depth: usize,
    mode: u32,
    /// The file that is locked, with the session's id.
    file: Option<(PhpStr, File)>,
}

/// May this be the id of a session?
pub fn is_id(id: &[u8]) -> bool {
    (1..=ID_MAX).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b',' | b'-'))
}

impl Files {
    /// Opens the module for the setting `session.save_path`: `[DEPTH;[MODE;]]FOLDER`. `None`, with a warning, if it is
    /// invalid.
    pub fn open(voice: &Voice<'_>, save_path: &[u8]) -> PhpResult<Option<Files>> {
        let temporary = std::env::temp_dir();
        if save_path.is_empty() && !phlox_runtime::basedir::allows(voice.vm, temporary.as_os_str().as_bytes())? {
            return Ok(None);
        }
        let save_path = if save_path.is_empty() { temporary.as_os_str().as_bytes() } else { save_path };
        let parts: Vec<&[u8]> = save_path.splitn(3, |&byte| byte == b';').collect();
        let number = |text: &[u8], radix| {
            let digits = std::str::from_utf8(text).ok()?.trim();
            if digits.is_empty() { Some(0) } else { i64::from_str_radix(digits, radix).ok() }
        };
        let (mut depth, mut mode) = (0, 0o600);
        if parts.len() > 1 {
            match number(parts[0], 10).and_then(|depth| usize::try_from(depth).ok()) {
                Some(given) => depth = given,
                None => {
                    voice.warning("The first parameter in session.save_path is invalid")?;
                    return Ok(None);
                }
            }
        }
        if parts.len() > 2 {
            match number(parts[1], 8).filter(|mode| (0..=0o7777).contains(mode)) {
                Some(given) => mode = given as u32,
                None => {
                    voice.warning("The second parameter in session.save_path is invalid")?;
                    return Ok(None);
                }
            }
        }
        let folder = parts.last().map_or_else(Vec::new, |folder| folder.to_vec());
        Ok(Some(Files { folder, depth, mode, file: None }))
    }

    fn path(&self, id: &[u8]) -> Option<PathBuf> {
        if id.len() <= self.depth || self.folder.len() + 2 * self.depth + id.len() + PREFIX.len() + 2 > PATH_MAX {
            return None;
        }
        let mut path = self.folder.clone();
        path.push(b'/');
        for &byte in &id[..self.depth] {
            path.extend([byte, b'/']);
        }
        path.extend_from_slice(PREFIX.as_bytes());
        path.extend_from_slice(id);
        Some(Path::new(OsStr::from_bytes(&path)).to_path_buf())
    }

    /// Whether a session with this id has a file.
    pub fn exists(&self, id: &[u8]) -> bool {
        is_id(id) && self.path(id).is_some_and(|path| path.exists())
    }

    /// The locked file of a session.
    fn file(&mut self, voice: &Voice<'_>, id: &PhpStr) -> PhpResult<Option<&mut File>> {
        if self.file.as_ref().is_none_or(|(held, _)| held != id) {
            self.file = None;
            if !is_id(id) {
                voice.warning(
                    "Session ID is too long or contains illegal characters. Only the A-Z, a-z, 0-9, \"-\", and \",\" \
                     characters are allowed",
                )?;
                return Ok(None);
            }
            let Some(path) = self.path(id) else {
                voice.warning(&format!(
                    "Failed to create session data file path. Too short session ID, invalid save_path or path \
                     length exceeds {PATH_MAX} characters"
                ))?;
                return Ok(None);
            };
            let opened =
                OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(self.mode).open(&path);
            match opened.and_then(|file| file.lock().map(|()| file)) {
                Ok(file) => self.file = Some((id.clone(), file)),
                Err(error) => {
                    let reason = reason(&error);
                    voice.warning(&format!("open({}, O_RDWR) failed: {reason}", path.display()))?;
                }
            }
        }
        Ok(self.file.as_mut().map(|(_, file)| file))
    }

    /// The contents of the session's file, which is locked from now on; `None`, with a warning, on failure.
    pub fn read(&mut self, voice: &Voice<'_>, id: &PhpStr) -> PhpResult<Option<PhpStr>> {
        let Some(file) = self.file(voice, id)? else { return Ok(None) };
        let mut text = Vec::new();
        match file.rewind().and_then(|()| file.read_to_end(&mut text)) {
            Ok(_) => Ok(Some(PhpStr::new(&text))),
            Err(error) => {
                voice.warning(&format!("Read failed: {}", reason(&error)))?;
                Ok(None)
            }
        }
    }

    /// Replaces the contents of the session's file; false, with a warning, on failure.
    pub fn write(&mut self, voice: &Voice<'_>, id: &PhpStr, text: &[u8]) -> PhpResult<bool> {
        let Some(file) = self.file(voice, id)? else { return Ok(false) };
        let written = file.rewind().and_then(|()| file.write_all(text)).and_then(|()| file.set_len(text.len() as u64));
        match written {
            Ok(()) => Ok(true),
            Err(error) => {
                voice.warning(&format!("Write failed: {}", reason(&error)))?;
                Ok(false)
            }
        }
    }

    /// Sets the file's time as if it was written.
    pub fn touch(&mut self, voice: &Voice<'_>, id: &PhpStr, text: &[u8]) -> PhpResult<bool> {
        let touched = self.path(id).filter(|path| path.exists()).and_then(|path| File::open(path).ok());
        if touched.is_some_and(|file| file.set_modified(SystemTime::now()).is_ok()) {
            return Ok(true);
        }
        self.write(voice, id, text)
    }

    /// Removes the session's file and releases the lock; nothing is removed if no file is open.
    pub fn destroy(&mut self, id: &[u8]) -> bool {
        let Some(path) = self.path(id) else { return false };
        if self.file.take().is_none() {
            return true;
        }
        fs::remove_file(&path).is_ok() || !path.exists()
    }

    /// Removes the files that are older than `lifetime` seconds; gives the count.
    pub fn collect(&self, voice: &Voice<'_>, lifetime: i64) -> PhpResult<i64> {
        if self.depth > 0 {
            return Ok(-1);
        }
        let folder = Path::new(OsStr::from_bytes(&self.folder));
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                let reason = reason(&error);
                voice.raise(
                    phlox_runtime::Level::Notice,
                    &format!("ps_files_cleanup_dir: opendir({}) failed: {reason}", folder.display()),
                )?;
                return Ok(-1);
            }
        };
        let limit = SystemTime::now().checked_sub(Duration::from_secs(lifetime.max(0) as u64));
        let is_old = |entry: &fs::DirEntry| {
            let modified =
                entry.metadata().ok().filter(|data| data.mode() & 0o170_000 == 0o100_000)?.modified().ok()?;
            Some(modified < limit?)
        };
        let old = entries.flatten().filter(|entry| {
            entry.file_name().as_bytes().starts_with(PREFIX.as_bytes())
                && is_old(entry) == Some(true)
                && fs::remove_file(entry.path()).is_ok()
        });
        Ok(old.count() as i64)
    }
}

/// `No such file or directory (2)`
fn reason(error: &io::Error) -> String {
    let code = error.raw_os_error().unwrap_or(0);
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    format!("{text} ({code})")
}
