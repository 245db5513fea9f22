//! What is done again and again: as many idle workers as a pool wants, and requests that take long.

use super::children::Occasion;
use super::state::Master;
use crate::config::value::Manager;
use crate::scoreboard::{Stage, Worker, now};
use crate::{debug, notice, slow_log, warning};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use phlox_process::listening_queue;

/// A pool that starts so many workers at once is said to be busy.
const BUSY: i32 = 8;

/// A path that can be shown in a log.
fn purified(path: &[u8]) -> String {
    path.iter().map(|&byte| if (b' '..=0x7f).contains(&byte) { char::from(byte) } else { '.' }).collect()
}

fn request_line(worker: &Worker) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mark = if worker.query.is_empty() { "" } else { "?" };
    format!("{} {}{mark}{}", text(&worker.method), text(&worker.uri), text(&worker.query))
}

impl Master {
    /// Sees to it that each pool has as many idle workers as it wants.
    pub fn keep_idle_workers(&mut self) {
        for number in 0..self.pools.len() {
            self.keep_pool(number);
        }
    }

    fn keep_pool(&mut self, number: usize) {
        let pool = &self.pools[number];
        let config = &self.configuration.pools[pool.number];
        let queue = self.sockets.get(pool.socket).and_then(listening_queue).map_or(0, |(waiting, _)| waiting);
        let idle_children = pool.children.iter().filter(|child| pool.board.is_idle(child.slot));
        let idle = idle_children.clone().count() as i32;
        let running = pool.children.len() as i32;
        let active = running - idle;
        pool.board.set_counts(idle as u64, active as u64, u64::from(queue));
        let oldest = idle_children.min_by_key(|child| child.started).map(|child| child.number);
        let name = &config.name;
        match config.manager {
            Manager::OnDemand => {
                debug!("[pool {name}] currently {active} active children, {idle} spare children");
                let timeout = u64::try_from(config.process_idle_timeout.0).unwrap_or(0);
                let slot = pool.children.iter().find(|child| Some(child.number) == oldest).map(|child| child.slot);
                let is_due = |slot: usize| pool.board.worker(slot).since / 1_000_000 + timeout < now() / 1_000_000;
                if let (Some(child), true) = (oldest, slot.is_some_and(is_due)) {
                    self.kill_idle(number, child);
                }
            }
            Manager::Dynamic => {
                debug!(
                    "[pool {name}] currently {active} active children, {idle} spare children, {running} running \
                     children. Spawning rate {}",
                    pool.spawn_rate
                );
                match oldest.filter(|_| idle > config.max_spare_servers) {
                    Some(child) => {
                        self.kill_idle(number, child);
                        self.pools[number].spawn_rate = 1;
                    }
                    None if idle < config.min_spare_servers => self.add_idle(number, idle),
                    None => self.pools[number].spawn_rate = 1,
                }
            }
            Manager::Static | Manager::Undefined => {}
        }
    }

    /// Starts workers, because too few are idle. Twice as many the next time, if that was not enough.
    fn add_idle(&mut self, number: usize, idle: i32) {
        let pool = &self.pools[number];
        let config = &self.configuration.pools[pool.number];
        let (running, rate, name) = (pool.children.len() as i32, pool.spawn_rate, config.name.clone());
        let most = config.max_spawn_rate;
        let room = config.max_children - running;
        let is_full = room <= 0;
        if !is_full && rate >= BUSY {
            warning!(
                "[pool {name}] seems busy (you may need to increase pm.start_servers, or pm.min/max_spare_servers), \
                 spawning {rate} children, there are {idle} idle, and {running} total children"
            );
        }
        let count = rate.min(config.min_spare_servers - idle).min(room);
        if count <= 0 {
            self.warn_of_children(number, "pm.max_children");
            self.pools[number].spawn_rate = 1;
            return;
        }
        self.pools[number].has_warned = false;
        // What has gone wrong is in the log, and this is tried again.
        let _ = self.make_children(number, Occasion::Need(count));
        debug!("[pool {name}] {count} child(ren) have been created dynamically");
        if rate < most {
            self.pools[number].spawn_rate = rate.saturating_mul(2);
        }
    }

    /// Ends a worker that is idle; one that has not ended since the last time, at once.
    fn kill_idle(&mut self, number: usize, child: u32) {
        let Some(child) = self.pools[number].children.iter_mut().find(|known| known.number == child) else { return };
        let signal = if child.is_superfluous { Signal::SIGKILL } else { Signal::SIGQUIT };
        child.is_superfluous = true;
        // It may have ended by itself.
        let _ = kill(Pid::from_raw(child.process), signal);
    }

    /// A client has connected to a pool that starts workers on demand.
    pub fn on_connection(&mut self, number: usize) {
        let pool = &self.pools[number];
        let config = &self.configuration.pools[pool.number];
        if pool.children.len() as i32 >= config.max_children {
            self.warn_of_children(number, "max_children");
            return;
        }
        if pool.children.iter().any(|child| pool.board.is_idle(child.slot)) {
            return;
        }
        let name = config.name.clone();
        self.pools[number].has_warned = false;
        // What has gone wrong is in the log; the client waits for a worker that ends its request.
        let _ = self.make_children(number, Occasion::Need(1));
        debug!("[pool {name}] got accept without idle child available .... I forked");
    }

    /// Ends requests that take too long, and writes slow ones down.
    pub fn look_for_slow_requests(&mut self) {
        for number in 0..self.pools.len() {
            let config = &self.configuration.pools[self.pools[number].number];
            if config.request_terminate_timeout.0 > 0 || config.request_slowlog_timeout.0 > 0 {
                for place in 0..self.pools[number].children.len() {
                    self.look_at_request(number, place);
                }
            }
        }
    }

    fn look_at_request(&mut self, number: usize, place: usize) {
        let pool = &mut self.pools[number];
        let config = &self.configuration.pools[pool.number];
        let child = &mut pool.children[place];
        let worker = pool.board.worker(child.slot);
        if child.slow_logged != worker.accepted {
            child.slow_logged = 0;
        }
        let is_answering = worker.stage > Stage::Accepting
            && (worker.stage < Stage::Ending || config.request_terminate_timeout_track_finished);
        if !is_answering {
            return;
        }
        let time = now().saturating_sub(worker.accepted);
        let seconds = i32::try_from(time / 1_000_000).unwrap_or(i32::MAX);
        let shown = format!("{seconds}.{:06} sec", time % 1_000_000);
        let (name, process) = (&config.name, child.process);
        let (script, line) = (purified(&worker.script), request_line(&worker));
        let (slow, terminate) = (config.request_slowlog_timeout.0, config.request_terminate_timeout.0);
        if child.slow_logged == 0 && slow > 0 && worker.stage == Stage::Executing && seconds >= slow {
            child.slow_logged = worker.accepted;
            warning!(
                "[pool {name}] child {process}, script '{script}' (request: \"{line}\") executing too slow ({shown}), \
                 logging"
            );
            pool.board.count_slow();
            notice!("about to trace {process}");
            // The worker writes down what its script is about. It may have ended by itself.
            let _ = kill(Pid::from_raw(process), slow_log::SIGNAL);
        } else if terminate > 0 && seconds >= terminate {
            // It may have ended by itself.
            let _ = kill(Pid::from_raw(process), Signal::SIGTERM);
            warning!(
                "[pool {name}] child {process}, script '{script}' (request: \"{line}\") execution timed out ({shown}), \
                 terminating"
            );
        }
    }
}
