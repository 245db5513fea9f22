//! What the master and the workers of a pool know of each other, in memory that they share.
//!
//! Each worker has a slot that it alone writes while it lives. Whoever reads a slot looks at its version before and after: it is odd
//! while the slot is written. A worker that is killed while it writes leaves an odd version, so readers do not wait for long.

use crate::config::Pool;
use crate::config::value::Manager;
use phlox_process::shared_words;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// How far a worker is with a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    #[default]
    Creating,
    Accepting,
    ReadingHeaders,
    Information,
    Executing,
    Ending,
    Finished,
}

impl Stage {
    const ALL: [Stage; 7] = [
        Stage::Creating,
        Stage::Accepting,
        Stage::ReadingHeaders,
        Stage::Information,
        Stage::Executing,
        Stage::Ending,
        Stage::Finished,
    ];

    fn of(number: u64) -> Stage {
        usize::try_from(number).ok().and_then(|number| Stage::ALL.get(number)).copied().unwrap_or_default()
    }

    /// The name on status pages.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Creating => "Creating",
            Stage::Accepting => "Idle",
            Stage::ReadingHeaders => "Reading headers",
            Stage::Information => "Getting request information",
            Stage::Executing => "Running",
            Stage::Ending => "Ending",
            Stage::Finished => "Finishing",
        }
    }
}

/// Microseconds of a clock that only goes forward.
pub fn now() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}

/// Seconds since 1970.
pub fn epoch() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Seconds since a moment, in seconds since 1970.
pub fn since(start: u64) -> u64 {
    epoch().saturating_sub(start)
}

/// A text of at most so many bytes, of which the last is for the zero that PHP ends it with.
const URI_BYTES: usize = 128;
const QUERY_BYTES: usize = 512;
const METHOD_BYTES: usize = 16;
const SCRIPT_BYTES: usize = 256;
const USER_BYTES: usize = 32;

/// What is known of a worker. Times are in microseconds of [`now`].
#[derive(Clone, Debug, Default)]
pub struct Worker {
    pub process: u64,
    pub start_epoch: u64,
    pub requests: u64,
    pub stage: Stage,
    /// When the request was accepted, and when in seconds since 1970.
    pub accepted: u64,
    pub accepted_epoch: u64,
    /// How long the last request took.
    pub duration: u64,
    /// When the stage began.
    pub since: u64,
    pub content_length: u64,
    /// Microseconds of processor time that the last request took: its own and the system's for it.
    pub user_time: u64,
    pub system_time: u64,
    /// The most memory that the last request had.
    pub memory: u64,
    pub uri: Vec<u8>,
    pub query: Vec<u8>,
    pub method: Vec<u8>,
    pub script: Vec<u8>,
    pub user: Vec<u8>,
}

impl Worker {
    /// The share of one processor that the last request had, in percent.
    pub fn processor_share(&self, time: u64) -> f64 {
        if self.duration == 0 { 0.0 } else { time as f64 / self.duration as f64 * 100.0 }
    }
}

/// Words of a text: its length, then its bytes.
const fn words(bytes: usize) -> usize {
    1 + bytes.div_ceil(8)
}

const NUMBERS: usize = 12;
/// Words of a slot: whether it is used, its version, its numbers, its texts.
const SLOT: usize =
    2 + NUMBERS + words(URI_BYTES) + words(QUERY_BYTES) + words(METHOD_BYTES) + words(SCRIPT_BYTES) + words(USER_BYTES);

/// Words in front of the slots.
mod word {
    pub const MANAGER: usize = 0;
    pub const START_EPOCH: usize = 1;
    pub const IDLE: usize = 2;
    pub const ACTIVE: usize = 3;
    pub const ACTIVE_MAX: usize = 4;
    pub const REQUESTS: usize = 5;
    pub const CHILDREN_REACHED: usize = 6;
    pub const QUEUE: usize = 7;
    pub const QUEUE_MAX: usize = 8;
    pub const QUEUE_LENGTH: usize = 9;
    pub const SLOW: usize = 10;
    pub const MEMORY_PEAK: usize = 11;
    pub const COUNT: usize = 12;
}

/// The counters of a pool at one moment.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub pool: String,
    pub manager: Manager,
    pub start_epoch: u64,
    pub requests: u64,
    pub queue: u64,
    pub queue_max: u64,
    pub queue_length: u64,
    pub idle: u64,
    pub active: u64,
    pub active_max: u64,
    pub children_reached: u64,
    pub slow: u64,
    pub memory_peak: u64,
}

/// The scoreboard of a pool. Copies are of the same board.
#[derive(Clone)]
pub struct Board {
    pool: String,
    words: &'static [AtomicU64],
}

/// The longest name of a pool that status pages show.
const POOL_NAME_BYTES: usize = 31;

impl Board {
    /// A board for a pool with room for all of its workers. The error is the system's number.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(pool: &Pool) -> Result<Board, i32> {
        let slots = usize::try_from(pool.max_children).unwrap_or(1);
        let words =
            shared_words(slots.checked_mul(SLOT).map_or(usize::MAX, |words| words.saturating_add(word::COUNT)))?;
        let name: Vec<u8> = pool.name.bytes().take(POOL_NAME_BYTES).collect();
        let board = Board { pool: String::from_utf8_lossy(&name).into_owned(), words };
        board.put(word::MANAGER, pool.manager as u64);
        board.put(word::START_EPOCH, epoch());
        Ok(board)
    }

    fn get(&self, at: usize) -> u64 {
        self.words[at].load(Ordering::Relaxed)
    }

    fn put(&self, at: usize, value: u64) {
        self.words[at].store(value, Ordering::Relaxed);
    }

    fn add(&self, at: usize, count: i64) {
        let update = |value: u64| Some(value.saturating_add_signed(count));
        let _ = self.words[at].fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    }

    /// Adds to the numbers of workers that are idle and active, and of requests.
    pub fn count(&self, idle: i64, active: i64, requests: i64) {
        self.add(word::IDLE, idle);
        self.add(word::ACTIVE, active);
        self.add(word::REQUESTS, requests);
        self.words[word::ACTIVE_MAX].fetch_max(self.get(word::ACTIVE), Ordering::Relaxed);
    }

    /// Sets the numbers of workers that are idle and active, and of connections that wait.
    pub fn set_counts(&self, idle: u64, active: u64, queue: u64) {
        self.put(word::IDLE, idle);
        self.put(word::ACTIVE, active);
        self.put(word::QUEUE, queue);
        self.words[word::ACTIVE_MAX].fetch_max(active, Ordering::Relaxed);
        self.words[word::QUEUE_MAX].fetch_max(queue, Ordering::Relaxed);
    }

    /// Sets how many connections may wait.
    pub fn set_queue_length(&self, length: u64) {
        self.put(word::QUEUE_LENGTH, length);
    }

    /// Counts that more workers were needed than there may be.
    pub fn count_children_reached(&self) {
        self.add(word::CHILDREN_REACHED, 1);
    }

    /// Counts a slow request.
    pub fn count_slow(&self) {
        self.add(word::SLOW, 1);
    }

    /// Notes how much memory a request took.
    pub fn note_memory(&self, bytes: u64) {
        self.words[word::MEMORY_PEAK].fetch_max(bytes, Ordering::Relaxed);
    }

    /// The counters now.
    pub fn totals(&self) -> Totals {
        Totals {
            pool: self.pool.clone(),
            manager: Manager::of(self.get(word::MANAGER)),
            start_epoch: self.get(word::START_EPOCH),
            requests: self.get(word::REQUESTS),
            queue: self.get(word::QUEUE),
            queue_max: self.get(word::QUEUE_MAX),
            queue_length: self.get(word::QUEUE_LENGTH),
            idle: self.get(word::IDLE),
            active: self.get(word::ACTIVE),
            active_max: self.get(word::ACTIVE_MAX),
            children_reached: self.get(word::CHILDREN_REACHED),
            slow: self.get(word::SLOW),
            memory_peak: self.get(word::MEMORY_PEAK),
        }
    }

    fn slots(&self) -> impl Iterator<Item = &'static [AtomicU64]> {
        self.words[word::COUNT..].chunks_exact(SLOT)
    }

    fn slot(&self, number: usize) -> &'static [AtomicU64] {
        &self.words[word::COUNT + number * SLOT..][..SLOT]
    }

    /// Takes a slot for a worker that is to be started; `None` if all are used. Only the master does this.
    pub fn allocate(&self) -> Option<usize> {
        let free = self.slots().position(|slot| slot[0].load(Ordering::Relaxed) == 0)?;
        self.slot(free)[0].store(1, Ordering::Relaxed);
        Some(free)
    }

    /// Gives the slot of a worker back that has ended. Only the master does this.
    pub fn free(&self, number: usize) {
        self.slot(number).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// What is known of the worker in a slot.
    pub fn worker(&self, number: usize) -> Worker {
        read(self.slot(number))
    }

    /// What is known of all workers.
    pub fn workers(&self) -> Vec<Worker> {
        self.slots().filter(|slot| slot[0].load(Ordering::Relaxed) != 0).map(read).collect()
    }

    /// Whether the worker in a slot waits for a connection.
    pub fn is_idle(&self, number: usize) -> bool {
        self.slot(number)[2 + STAGE].load(Ordering::Relaxed) == Stage::Accepting as u64
    }

    /// Writes what is known of the worker in a slot. Only the worker itself does this.
    pub fn write(&self, number: usize, worker: &Worker) {
        self.change(number, |slot| write(slot, worker));
    }

    /// Writes the stage of the worker in a slot, and when it began.
    pub fn write_stage(&self, number: usize, worker: &Worker) {
        self.change(number, |slot| {
            slot[2 + STAGE].store(worker.stage as u64, Ordering::Relaxed);
            slot[2 + SINCE].store(worker.since, Ordering::Relaxed);
        });
    }

    /// Makes a slot's version odd while `change` writes to it.
    fn change(&self, number: usize, change: impl FnOnce(&[AtomicU64])) {
        let slot = self.slot(number);
        let version = slot[1].load(Ordering::Relaxed) | 1;
        slot[1].store(version, Ordering::Relaxed);
        std::sync::atomic::fence(Ordering::Release);
        change(slot);
        slot[1].store(version.wrapping_add(1), Ordering::Release);
    }
}

/// A number of a slot: how it is read from a worker, and written to one.
type Number = (fn(&Worker) -> u64, fn(&mut Worker, u64));

macro_rules! number {
    ($field:ident) => {
        (|worker| worker.$field, |worker, value| worker.$field = value)
    };
}

/// The places of the stage, and of when it began, among a slot's numbers.
const STAGE: usize = 3;
const SINCE: usize = 7;

/// The numbers of a slot, in their order.
const FIELDS: [Number; NUMBERS] = [
    number!(process),
    number!(start_epoch),
    number!(requests),
    (|worker| worker.stage as u64, |worker, value| worker.stage = Stage::of(value)),
    number!(accepted),
    number!(accepted_epoch),
    number!(duration),
    number!(since),
    number!(content_length),
    number!(user_time),
    number!(system_time),
    number!(memory),
];

/// A text of a slot: how it is read from a worker, and reached in one; and its bytes.
type Text = (fn(&Worker) -> &[u8], fn(&mut Worker) -> &mut Vec<u8>, usize);

macro_rules! text {
    ($field:ident, $bytes:ident) => {
        (|worker| &worker.$field, |worker| &mut worker.$field, $bytes)
    };
}

/// The texts of a slot, which follow the numbers.
const TEXTS: [Text; 5] = [
    text!(uri, URI_BYTES),
    text!(query, QUERY_BYTES),
    text!(method, METHOD_BYTES),
    text!(script, SCRIPT_BYTES),
    text!(user, USER_BYTES),
];

/// Reads a slot when nobody writes it, if that comes to pass.
fn read(slot: &[AtomicU64]) -> Worker {
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let version = slot[1].load(Ordering::Acquire);
        if version % 2 == 0 {
            let worker = read_once(slot);
            std::sync::atomic::fence(Ordering::Acquire);
            if slot[1].load(Ordering::Relaxed) == version {
                return worker;
            }
        }
        std::thread::yield_now();
    }
    read_once(slot)
}

fn read_once(slot: &[AtomicU64]) -> Worker {
    let mut worker = Worker::default();
    let mut values = slot[2..].iter().map(|word| word.load(Ordering::Relaxed));
    for (_, set) in FIELDS {
        set(&mut worker, values.next().unwrap_or(0));
    }
    for (_, text, bytes) in TEXTS {
        let length = values.next().unwrap_or(0) as usize;
        let text = text(&mut worker);
        *text = values.by_ref().take(words(bytes) - 1).flat_map(u64::to_le_bytes).collect();
        text.truncate(length.min(bytes - 1));
    }
    worker
}

fn write(slot: &[AtomicU64], worker: &Worker) {
    let mut rest = &slot[2..];
    for ((get, _), word) in FIELDS.iter().zip(rest) {
        word.store(get(worker), Ordering::Relaxed);
    }
    rest = &rest[NUMBERS..];
    for (get, _, bytes) in TEXTS {
        let text = get(worker);
        let text = &text[..text.len().min(bytes - 1)];
        rest[0].store(text.len() as u64, Ordering::Relaxed);
        // What stands behind the text's end is not read.
        for (part, word) in text.chunks(8).zip(&rest[1..]) {
            let mut value = [0; 8];
            value[..part.len()].copy_from_slice(part);
            word.store(u64::from_le_bytes(value), Ordering::Relaxed);
        }
        rest = &rest[words(bytes)..];
    }
}
