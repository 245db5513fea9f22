//! `opcache_get_status`, and the same figures for `phpinfo`.

use crate::log::plain_time;
use crate::settings::{INTERNED_STRINGS_BUFFER, MEMORY_CONSUMPTION, OPTIMIZATION_LEVEL};
use crate::{access, jit};
use phlox_runtime::unit_store::{ENABLE, REVALIDATE_FREQ, Stored, VALIDATE_TIMESTAMPS};
use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Val, Vm};
use std::time::{SystemTime, UNIX_EPOCH};

const MEGABYTE: i64 = 1 << 20;

/// A number of seconds since 1970.
fn seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// A part of a whole in percent; 0 of nothing.
fn percent(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 }
}

/// How much of a configured number of megabytes is used and free. Nothing keeps Phlox from using more than that; then nothing is
/// free.
struct Usage {
    total: i64,
    used: i64,
    free: i64,
}

impl Usage {
    fn of(megabytes: i64, used: usize, wasted: i64) -> Usage {
        let total = megabytes.saturating_mul(MEGABYTE);
        let used = i64::try_from(used).unwrap_or(i64::MAX);
        Usage { total, used, free: total.saturating_sub(used.saturating_add(wasted)).max(0) }
    }
}

/// The figures of a process's store.
struct Figures {
    memory: Usage,
    wasted: i64,
    /// The memory of interned strings, if there is meant to be any, and their number.
    strings: Option<(Usage, i64)>,
    scripts: i64,
    places: i64,
    hits: i64,
    misses: i64,
    blacklist_misses: i64,
    started: i64,
    /// When the last restart was; 0 if there was none.
    restarted: i64,
    restarts: i64,
}

impl Figures {
    fn of(vm: &Vm) -> Figures {
        let (store, units) = (&vm.unit_store, vm.stored_units());
        let kept = units.iter().filter(|row| !row.1.is_discarded()).map(|row| row.1.bytes()).sum();
        let wasted = store.wasted.get() as i64;
        let (strings, bytes) = PhpStr::interned_size();
        let buffer = vm.ini.get(&INTERNED_STRINGS_BUFFER);
        Figures {
            memory: Usage::of(vm.ini.get(&MEMORY_CONSUMPTION), kept, wasted),
            wasted,
            strings: (buffer > 0).then(|| (Usage::of(buffer, bytes, 0), strings as i64)),
            scripts: units.len() as i64,
            places: store.places.get().map_or(0, |places| places as i64),
            hits: store.hits.get() as i64,
            misses: store.misses.get() as i64,
            blacklist_misses: store.blacklist_misses.get() as i64,
            started: store.restarts.started.get().map_or(0, seconds),
            restarted: store.restarts.last.get().map_or(0, seconds),
            restarts: store.restarts.count.get() as i64,
        }
    }

    /// Misses of files that may be kept. A full store keeps none.
    fn plain_misses(&self, is_full: bool) -> i64 {
        if is_full { self.misses } else { self.misses - self.blacklist_misses }
    }

    fn memory_usage(&self) -> PhpArr {
        let mut usage = PhpArr::new();
        usage.set_bytes(b"used_memory", Val::int(self.memory.used));
        usage.set_bytes(b"free_memory", Val::int(self.memory.free));
        usage.set_bytes(b"wasted_memory", Val::int(self.wasted));
        usage.set_bytes(b"current_wasted_percentage", Val::double(percent(self.wasted, self.memory.total)));
        usage
    }

    fn strings_usage(&self) -> Option<PhpArr> {
        let (strings, count) = self.strings.as_ref()?;
        let mut usage = PhpArr::new();
        usage.set_bytes(b"buffer_size", Val::int(strings.total));
        usage.set_bytes(b"used_memory", Val::int(strings.used));
        usage.set_bytes(b"free_memory", Val::int(strings.free));
        usage.set_bytes(b"number_of_strings", Val::int(*count));
        Some(usage)
    }

    fn statistics(&self, is_full: bool) -> PhpArr {
        let requests = self.hits + self.misses;
        let numbers = [
            ("num_cached_scripts", self.scripts),
            ("num_cached_keys", self.scripts),
            ("max_cached_keys", self.places),
            ("hits", self.hits),
            ("start_time", self.started),
            ("last_restart_time", self.restarted),
            ("oom_restarts", 0),
            ("hash_restarts", 0),
            ("manual_restarts", self.restarts),
            ("misses", self.plain_misses(is_full)),
            ("blacklist_misses", self.blacklist_misses),
        ];
        let mut statistics = PhpArr::new();
        for (name, number) in numbers {
            statistics.set_bytes(name.as_bytes(), Val::int(number));
        }
        statistics.set_bytes(b"blacklist_miss_ratio", Val::double(percent(self.blacklist_misses, requests)));
        statistics.set_bytes(b"opcache_hit_rate", Val::double(percent(self.hits, requests)));
        statistics
    }
}

fn script(vm: &Vm, path: &[u8], stored: &Stored) -> PhpArr {
    let validates = vm.ini.get(&VALIDATE_TIMESTAMPS);
    let last_used = seconds(stored.last_used.get());
    let mut script = PhpArr::new();
    script.set_bytes(b"full_path", Val::str(path));
    script.set_bytes(b"hits", Val::int(stored.hits.get() as i64));
    script.set_bytes(b"memory_consumption", Val::int(stored.bytes() as i64));
    script.set_bytes(b"last_used", plain_time(last_used).into());
    script.set_bytes(b"last_used_timestamp", Val::int(last_used));
    if validates {
        script.set_bytes(b"timestamp", Val::int(stored.modified()));
    }
    let again = seconds(stored.checked()).saturating_add(vm.ini.get(&REVALIDATE_FREQ));
    script.set_bytes(b"revalidate", Val::int(if validates { again } else { 0 }));
    script
}

/// What was preloaded, if anything was.
fn preloaded(vm: &Vm) -> Option<PhpArr> {
    let names = vm.preloaded_names();
    if names.iter().all(Vec::is_empty) {
        return None;
    }
    let scripts = &names[2];
    let kept = vm.stored_units().into_iter().filter(|(path, _)| scripts.iter().any(|script| script[..] == path[..]));
    let mut statistics = PhpArr::new();
    statistics.set_bytes(b"memory_consumption", Val::int(kept.map(|row| row.1.bytes() as i64).sum()));
    for (key, names) in ["functions", "classes", "scripts"].into_iter().zip(&names) {
        if !names.is_empty() {
            statistics.set_bytes(key.as_bytes(), names.iter().map(Val::from).collect::<PhpArr>().into());
        }
    }
    Some(statistics)
}

pub fn opcache_get_status(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    if !access::is_permitted(vm)? || !access::has_started(vm) {
        return Ok(Val::FALSE);
    }
    let (store, figures) = (&vm.unit_store, Figures::of(vm));
    let is_full = store.is_full.get();
    let mut status = PhpArr::new();
    status.set_bytes(b"opcache_enabled", vm.uses_store().into());
    status.set_bytes(b"cache_full", is_full.into());
    status.set_bytes(b"restart_pending", store.restarts.is_pending.get().into());
    // A restart takes place between two requests.
    status.set_bytes(b"restart_in_progress", Val::FALSE);
    status.set_bytes(b"memory_usage", figures.memory_usage().into());
    if let Some(usage) = figures.strings_usage() {
        status.set_bytes(b"interned_strings_usage", usage.into());
    }
    status.set_bytes(b"opcache_statistics", figures.statistics(is_full).into());
    if let Some(preloaded) = preloaded(vm) {
        status.set_bytes(b"preload_statistics", preloaded.into());
    }
    if call.bool(0) && vm.uses_store() {
        let mut scripts = PhpArr::new();
        for (path, stored) in vm.stored_units() {
            scripts.set_bytes(&path, script(vm, &path, &stored).into());
        }
        status.set_bytes(b"scripts", scripts.into());
    }
    status.set_bytes(b"jit", jit::status().into());
    Ok(status.into())
}

/// A time as `phpinfo` shows it.
fn date(vm: &Vm, timestamp: i64) -> String {
    if timestamp == 0 {
        return "none".into();
    }
    let text = vm.call_value(&"date".into(), vec!["Y-m-d\\TH:i:sO".into(), Val::int(timestamp)]);
    let text = text.ok().and_then(|text| text.as_str().map(|text| String::from_utf8_lossy(text).into_owned()));
    text.unwrap_or_else(|| plain_time(timestamp))
}

/// The rows of `phpinfo` above the settings.
pub fn info(vm: &Vm) -> Vec<(&'static str, String)> {
    let either = |is: bool, yes: &str, no: &str| if is { yes.to_owned() } else { no.to_owned() };
    let has_started = access::has_started(vm);
    let optimizes = has_started && vm.ini.get(&OPTIMIZATION_LEVEL) != 0;
    let mut rows = vec![
        ("Opcode Caching", either(vm.uses_store(), "Up and Running", "Disabled")),
        ("Optimization", either(optimizes, "Enabled", "Disabled")),
        ("SHM Cache", "Enabled".into()),
        ("File Cache", "Disabled".into()),
        ("JIT", "Disabled".into()),
    ];
    if !vm.ini.get(&ENABLE) {
        return rows;
    }
    let figures = Figures::of(vm);
    rows.push(("Startup", "OK".into()));
    rows.push(("Shared memory model", "none".into()));
    let mut number = |name, number: i64| rows.push((name, number.to_string()));
    number("Cache hits", figures.hits);
    number("Cache misses", figures.plain_misses(vm.unit_store.is_full.get()));
    number("Used memory", figures.memory.used);
    number("Free memory", figures.memory.free);
    number("Wasted memory", figures.wasted);
    if let Some((strings, _)) = &figures.strings {
        number("Interned Strings Used memory", strings.used);
        number("Interned Strings Free memory", strings.free);
    }
    number("Cached scripts", figures.scripts);
    number("Cached keys", figures.scripts);
    number("Max keys", figures.places);
    number("OOM restarts", 0);
    number("Hash keys restarts", 0);
    number("Manual restarts", figures.restarts);
    rows.push(("Start time", date(vm, figures.started)));
    rows.push(("Last restart time", date(vm, figures.restarted)));
    rows.push(("Last force restart time", "none".into()));
    rows
}
