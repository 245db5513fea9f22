//! The units of files that a process of several requests keeps, as OPcache keeps scripts.
//!
//! A unit is found by the file's path and by the settings of its compilation, and is as the file was when it was compiled: unless
//! `opcache.validate_timestamps` is off, the file is looked at when `opcache.revalidate_freq` seconds have passed since it was
//! looked at last. The extension in `ext/opcache` shows the store to scripts.

mod blacklist;
mod restart;

use crate::files::FileState;
use crate::ini::{IniAccess, IniBool, IniChange, IniQuantity, IniStage};
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use crate::{Level, PhpResult};
pub use blacklist::Blacklist;
pub use restart::Restarts;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Whether units are kept and kept ones are used. A script can only turn that off, for the rest of its request.
pub static ENABLE: IniBool = IniBool::new("opcache.enable", "1", IniAccess::All).on_change(only_disable);
pub static VALIDATE_TIMESTAMPS: IniBool = IniBool::new("opcache.validate_timestamps", "1", IniAccess::All);
pub static REVALIDATE_FREQ: IniQuantity = IniQuantity::new("opcache.revalidate_freq", "2", IniAccess::All);
pub static FILE_UPDATE_PROTECTION: IniQuantity =
    IniQuantity::new("opcache.file_update_protection", "2", IniAccess::All);
/// Larger files are compiled anew in each request; 0 sets no limit.
pub static MAX_FILE_SIZE: IniQuantity = IniQuantity::new("opcache.max_file_size", "0", IniAccess::System);

/// The settings that decide what a source is compiled to, as bits.
pub type Variant = u8;

fn only_disable(change: &IniChange<'_>) -> PhpResult<bool> {
    let refused = change.stage == IniStage::Runtime && change.truth();
    if refused {
        let text = b"Zend OPcache can't be temporary enabled (it may be only disabled till the end of request)";
        change.vm.raise(Level::Warning, text)?;
    }
    Ok(!refused)
}

/// A kept unit. When it is discarded, the rest of the entry stays until the file is compiled again, because OPcache's memory is not
/// freed either, and scripts see the entry.
pub struct Stored {
    unit: RefCell<Option<Rc<LinkedUnit>>>,
    stamp: FileState,
    variant: Variant,
    /// When the file was last looked at.
    checked: Cell<SystemTime>,
    pub hits: Cell<u64>,
    pub last_used: Cell<SystemTime>,
    /// About how many bytes the unit takes; 0 until somebody asks.
    bytes: Cell<usize>,
}

impl Stored {
    /// When the file was last modified, in seconds of Unix time; 0 if the unit is discarded.
    pub fn modified(&self) -> i64 {
        if self.is_discarded() { 0 } else { self.stamp.modified.0 }
    }

    /// When the file was last looked at.
    pub fn checked(&self) -> SystemTime {
        self.checked.get()
    }

    /// Whether the unit is used no more.
    pub fn is_discarded(&self) -> bool {
        self.unit.borrow().is_none()
    }

    /// About how many bytes the unit takes.
    pub fn bytes(&self) -> usize {
        if let Some(unit) = self.unit.borrow().as_ref().filter(|_| self.bytes.get() == 0) {
            self.bytes.set(size(unit));
        }
        self.bytes.get()
    }
}

/// About how many bytes a unit takes.
fn size(unit: &LinkedUnit) -> usize {
    let unit = &unit.unit;
    let strings: usize = unit.strings.iter().map(|string| string.len() + size_of::<usize>()).sum();
    let functions: usize = unit.funcs.iter().map(|func| size_of_val(func) + func.body.size()).sum();
    size_of::<LinkedUnit>() + strings + functions + size_of_val(&unit.classes[..]) + size_of_val(&unit.types[..])
}

/// The kept units of a process.
#[derive(Default)]
pub struct UnitStore {
    units: RefCell<HashMap<Vec<u8>, Rc<Stored>, foldhash::fast::FixedState>>,
    pub hits: Cell<u64>,
    /// Files that had to be compiled, those among them that may not be kept included.
    pub misses: Cell<u64>,
    /// Files that were compiled and not kept, because of the blacklist or of their size.
    pub blacklist_misses: Cell<u64>,
    /// About how many bytes the discarded units had.
    pub wasted: Cell<usize>,
    /// For how many units there is place, if that is limited.
    pub places: Cell<Option<usize>>,
    /// Whether there was no place for a unit.
    pub is_full: Cell<bool>,
    pub blacklist: Blacklist,
    pub restarts: Restarts,
}

fn metadata(path: &[u8]) -> Option<Metadata> {
    std::fs::metadata(Path::new(std::ffi::OsStr::from_bytes(path))).ok()
}

fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

impl Vm {
    /// Whether units are kept and kept units are used in the running request.
    pub fn uses_store(&self) -> bool {
        self.keeps_units.get() && self.ini.get(&ENABLE)
    }

    /// The kept unit of a file, if the file has not changed. `found` is the file's metadata, if it was just looked up.
    pub fn stored_unit(&self, path: &[u8], variant: Variant, found: Option<&Metadata>) -> Option<Rc<LinkedUnit>> {
        if !self.uses_store() {
            return None;
        }
        let store = &self.unit_store;
        let stored = store.units.borrow().get(path).cloned();
        if let Some(stored) = stored.filter(|stored| stored.variant == variant && !stored.is_discarded()) {
            if self.is_current(&stored, path, found) {
                count(&store.hits);
                count(&stored.hits);
                stored.last_used.set(self.started.get());
                return stored.unit.borrow().clone();
            }
            self.discard(&stored);
        }
        count(&store.misses);
        None
    }

    /// Whether the unit of a file is kept and the file has not changed.
    pub fn has_stored_unit(&self, path: &[u8]) -> bool {
        let stored = self.unit_store.units.borrow().get(path).cloned();
        stored.is_some_and(|stored| !stored.is_discarded() && self.is_current(&stored, path, None))
    }

    fn is_current(&self, stored: &Stored, path: &[u8], found: Option<&Metadata>) -> bool {
        let now = self.started.get();
        let interval = Duration::from_secs(u64::try_from(self.ini.get(&REVALIDATE_FREQ)).unwrap_or(0));
        let is_due = stored.checked.get().checked_add(interval).is_none_or(|due| due <= now);
        if !self.ini.get(&VALIDATE_TIMESTAMPS) || !is_due {
            return true;
        }
        let stamp = match found {
            Some(found) => Some(FileState::of(found)),
            None => metadata(path).as_ref().map(FileState::of),
        };
        let same = stamp == Some(stored.stamp);
        if same {
            stored.checked.set(now);
        }
        same
    }

    /// What a file is like before it is read, if what is compiled of it can be kept.
    pub fn file_to_keep(&self, path: &[u8], found: Option<&Metadata>) -> Option<FileToKeep> {
        let store = &self.unit_store;
        if !self.uses_store() || store.restarts.is_pending.get() {
            return None;
        }
        let owned = if found.is_none() { metadata(path) } else { None };
        let metadata = found.or(owned.as_ref())?;
        if store.blacklist.has(path) {
            count(&store.blacklist_misses);
            return None;
        }
        // A file that is just being written may change once more without another time.
        let protected = Duration::from_secs(u64::try_from(self.ini.get(&FILE_UPDATE_PROTECTION)).unwrap_or(0));
        let modified = UNIX_EPOCH + Duration::from_secs(u64::try_from(metadata.mtime()).unwrap_or(0));
        let is_new = protected > Duration::ZERO && modified + protected > self.started.get();
        let is_new = is_new && !self.preloaded.is_running.get();
        if !metadata.is_file() || is_new {
            return None;
        }
        let most = u64::try_from(self.ini.get(&MAX_FILE_SIZE)).unwrap_or(0);
        if most > 0 && metadata.len() > most {
            count(&store.blacklist_misses);
            return None;
        }
        Some(FileToKeep(FileState::of(metadata)))
    }

    /// Keeps the unit that was compiled of a file.
    pub fn store_unit(&self, path: &[u8], variant: Variant, file: &FileToKeep, unit: &Rc<LinkedUnit>) {
        let store = &self.unit_store;
        let mut units = store.units.borrow_mut();
        let places = store.places.get().unwrap_or(usize::MAX);
        if units.len() >= places && !units.contains_key(path) {
            // What discarded units leave is worth less than another unit.
            units.retain(|_, stored| !stored.is_discarded());
            if units.len() >= places {
                store.is_full.set(true);
                return;
            }
        }
        unit.is_kept.set(true);
        unit.runs_again();
        let now = self.started.get();
        let stored = Stored {
            unit: RefCell::new(Some(unit.clone())),
            stamp: file.0,
            variant,
            checked: Cell::new(now),
            hits: Cell::new(0),
            last_used: Cell::new(now),
            bytes: Cell::new(0),
        };
        units.insert(path.to_vec(), Rc::new(stored));
    }

    fn discard(&self, stored: &Stored) {
        let bytes = stored.bytes();
        drop(stored.unit.take());
        self.unit_store.wasted.set(self.unit_store.wasted.get() + bytes);
    }

    /// Discards the unit of a file, unless `only_changed` is set and the file is as it was. False if there is none.
    pub fn forget_unit(&self, path: &[u8], only_changed: bool) -> bool {
        let stored = self.unit_store.units.borrow().get(path).cloned();
        let Some(stored) = stored.filter(|stored| !stored.is_discarded()) else { return false };
        let is_same = metadata(path).as_ref().map(FileState::of) == Some(stored.stamp);
        if !only_changed || !is_same || !self.ini.get(&VALIDATE_TIMESTAMPS) {
            self.discard(&stored);
        }
        true
    }

    /// Forgets all units.
    pub fn forget_units(&self) {
        drop(self.unit_store.units.take());
    }

    /// The kept units with their paths, in the order of the paths, those included that have been discarded.
    pub fn stored_units(&self) -> Vec<(Vec<u8>, Rc<Stored>)> {
        let mut units: Vec<_> =
            self.unit_store.units.borrow().iter().map(|(path, stored)| (path.clone(), stored.clone())).collect();
        units.sort_by(|a, b| a.0.cmp(&b.0));
        units
    }
}

/// The state of a file from before it was read.
pub struct FileToKeep(FileState);
