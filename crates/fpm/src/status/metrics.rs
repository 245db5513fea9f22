//! A pool's status for OpenMetrics.

use crate::scoreboard::{Totals, since};

/// The page.
pub fn page(totals: &Totals) -> Vec<u8> {
    let mut out = format!(
        "# HELP phpfpm_up Could pool {} using a {} PM on PHP-FPM be reached?\n# TYPE phpfpm_up gauge\nphpfpm_up 1\n",
        totals.pool, totals.manager
    );
    for (name, kind, help, value) in rows(totals) {
        let help = format!("# HELP phpfpm_{name} {help}\n");
        let kind = format!("# TYPE phpfpm_{name} {kind}\n");
        // One pair of lines is the other way round in PHP.
        let head = if name == "listen_queue_length" { kind + &help } else { help + &kind };
        out.push_str(&format!("{head}phpfpm_{name} {value}\n"));
    }
    (out + "# EOF\n").into_bytes()
}

/// Name, kind, explanation, value.
fn rows(totals: &Totals) -> [(&'static str, &'static str, &'static str, u64); 12] {
    const GAUGE: &str = "gauge";
    const COUNTER: &str = "counter";
    [
        ("start_since", COUNTER, "The number of seconds since FPM has started.", since(totals.start_epoch)),
        ("accepted_connections", COUNTER, "The number of requests accepted by the pool.", totals.requests),
        ("listen_queue", GAUGE, "The number of requests in the queue of pending connections.", totals.queue),
        (
            "max_listen_queue",
            COUNTER,
            "The maximum number of requests in the queue of pending connections since FPM has started.",
            totals.queue_max,
        ),
        ("listen_queue_length", GAUGE, "The size of the socket queue of pending connections.", totals.queue_length),
        ("idle_processes", GAUGE, "The number of idle processes.", totals.idle),
        ("active_processes", GAUGE, "The number of active processes.", totals.active),
        ("total_processes", GAUGE, "The number of idle + active processes.", totals.idle + totals.active),
        (
            "max_active_processes",
            COUNTER,
            "The maximum number of active processes since FPM has started.",
            totals.active_max,
        ),
        (
            "max_children_reached",
            COUNTER,
            "The number of times, the process limit has been reached, when pm tries to start more children (works only \
             for pm 'dynamic' and 'ondemand').",
            totals.children_reached,
        ),
        (
            "slow_requests",
            COUNTER,
            "The number of requests that exceeded your 'request_slowlog_timeout' value.",
            totals.slow,
        ),
        ("memory_peak", GAUGE, "The memory usage peak since FPM has started.", totals.memory_peak),
    ]
}
