//! The units of files that a process of several requests keeps, as OPcache keeps scripts.
//!
//! A unit is found by the file's path and by the settings of its compilation, and is as the file was when it was compiled: unless
//! `opcache.validate_timestamps` is off, the file is looked at when `opcache.revalidate_freq` seconds have passed since it was
//! looked at last.

use crate::ini::{IniAccess, IniBool, IniInt, IniQuantity};
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub static VALIDATE_TIMESTAMPS: IniBool = IniBool::new("opcache.validate_timestamps", "1", IniAccess::All);
pub static REVALIDATE_FREQ: IniInt = IniInt::new("opcache.revalidate_freq", "2", IniAccess::All);
pub static FILE_UPDATE_PROTECTION: IniInt = IniInt::new("opcache.file_update_protection", "2", IniAccess::All);
pub static MAX_ACCELERATED_FILES: IniQuantity =
    IniQuantity::new("opcache.max_accelerated_files", "10000", IniAccess::System);

/// The settings that decide what a source is compiled to, as bits.
pub type Variant = u8;

/// What tells whether a file has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    file: u64,
    bytes: u64,
    changed: (i64, i64),
    modified: (i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp {
            device: metadata.dev(),
            file: metadata.ino(),
            bytes: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// A kept unit.
pub struct Stored {
    pub unit: Rc<LinkedUnit>,
    stamp: Stamp,
    variant: Variant,
    /// When the file was last looked at.
    checked: Cell<SystemTime>,
    pub hits: Cell<u64>,
    pub last_used: Cell<SystemTime>,
    pub loaded: SystemTime,
}

impl Stored {
    /// When the file was last modified, in seconds of Unix time.
    pub fn modified(&self) -> i64 {
        self.stamp.modified.0
    }
}

/// The kept units of a process.
#[derive(Default)]
pub struct UnitStore {
    units: RefCell<HashMap<Vec<u8>, Rc<Stored>, foldhash::fast::FixedState>>,
    pub hits: Cell<u64>,
    pub misses: Cell<u64>,
}

fn metadata(path: &[u8]) -> Option<Metadata> {
    std::fs::metadata(Path::new(std::ffi::OsStr::from_bytes(path))).ok()
}

impl Vm {
    /// The kept unit of a file, if the file has not changed. `found` is the file's metadata, if it was just looked up.
    pub fn stored_unit(&self, path: &[u8], variant: Variant, found: Option<&Metadata>) -> Option<Rc<LinkedUnit>> {
        if !self.keeps_units.get() {
            return None;
        }
        let store = &self.unit_store;
        let stored = store.units.borrow().get(path).filter(|stored| stored.variant == variant).cloned();
        let valid = stored.filter(|stored| self.is_current(stored, path, found));
        match valid {
            Some(stored) => {
                store.hits.set(store.hits.get() + 1);
                stored.hits.set(stored.hits.get() + 1);
                stored.last_used.set(self.started.get());
                Some(stored.unit.clone())
            }
            None => {
                store.misses.set(store.misses.get() + 1);
                None
            }
        }
    }

    fn is_current(&self, stored: &Stored, path: &[u8], found: Option<&Metadata>) -> bool {
        let now = self.started.get();
        let interval = Duration::from_secs(u64::try_from(self.ini.get(&REVALIDATE_FREQ)).unwrap_or(0));
        let is_due = stored.checked.get().checked_add(interval).is_none_or(|due| due <= now);
        if !self.ini.get(&VALIDATE_TIMESTAMPS) || !is_due {
            return true;
        }
        let stamp = match found {
            Some(found) => Some(Stamp::of(found)),
            None => metadata(path).as_ref().map(Stamp::of),
        };
        let same = stamp == Some(stored.stamp);
        if same {
            stored.checked.set(now);
        }
        same
    }

    /// What a file is like before it is read, if what is compiled of it can be kept.
    pub fn file_to_keep(&self, path: &[u8], found: Option<&Metadata>) -> Option<FileToKeep> {
        if !self.keeps_units.get() {
            return None;
        }
        let owned = if found.is_none() { metadata(path) } else { None };
        let metadata = found.or(owned.as_ref())?;
        // A file that is just being written may change once more without another time.
        let protected = Duration::from_secs(u64::try_from(self.ini.get(&FILE_UPDATE_PROTECTION)).unwrap_or(0));
        let modified = UNIX_EPOCH + Duration::from_secs(u64::try_from(metadata.mtime()).unwrap_or(0));
        let is_new = protected > Duration::ZERO && modified + protected > self.started.get();
        (metadata.is_file() && !is_new).then(|| FileToKeep(Stamp::of(metadata)))
    }

    /// Keeps the unit that was compiled of a file.
    pub fn store_unit(&self, path: &[u8], variant: Variant, file: &FileToKeep, unit: &Rc<LinkedUnit>) {
        let mut units = self.unit_store.units.borrow_mut();
        let most = usize::try_from(self.ini.get(&MAX_ACCELERATED_FILES)).unwrap_or(0);
        if units.len() >= most && !units.contains_key(path) {
            return;
        }
        unit.is_kept.set(true);
        unit.runs_again();
        let now = self.started.get();
        let stored = Stored {
            unit: unit.clone(),
            stamp: file.0,
            variant,
            checked: Cell::new(now),
            hits: Cell::new(0),
            last_used: Cell::new(now),
            loaded: now,
        };
        units.insert(path.to_vec(), Rc::new(stored));
    }

    /// Forgets the unit of a file, unless `only_changed` is set and the file is as it was. False if there is none.
    pub fn forget_unit(&self, path: &[u8], only_changed: bool) -> bool {
        let mut units = self.unit_store.units.borrow_mut();
        let Some(stored) = units.get(path) else { return false };
        let is_same = metadata(path).as_ref().map(Stamp::of) == Some(stored.stamp);
        if !only_changed || !is_same {
            units.remove(path);
        }
        true
    }

    /// Forgets all units.
    pub fn forget_units(&self) {
        drop(self.unit_store.units.take());
    }

    /// The kept units with their paths, in the order of the paths.
    pub fn stored_units(&self) -> Vec<(Vec<u8>, Rc<Stored>)> {
        let mut units: Vec<_> =
            self.unit_store.units.borrow().iter().map(|(path, stored)| (path.clone(), stored.clone())).collect();
        units.sort_by(|a, b| a.0.cmp(&b.0));
        units
    }
}

/// The state of a file from before it was read.
pub struct FileToKeep(Stamp);
