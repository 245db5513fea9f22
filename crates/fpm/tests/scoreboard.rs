//! The scoreboard, and what is made of it: status pages and lines of the access log.

use phlox_fpm::access_log::Format;
use phlox_fpm::config::Pool;
use phlox_fpm::protocol::{Connection, Parameters};
use phlox_fpm::scoreboard::{Board, Stage, Worker};
use phlox_fpm::{FcgiRequest, Found, status};
use std::os::unix::net::UnixStream;

fn pool() -> Pool {
    let text = |text: &str| Some(text.to_owned());
    Pool {
        max_children: 3,
        status_path: text("/status"),
        ping_path: text("/ping"),
        ping_response: text("pong"),
        ..Pool::named("www")
    }
}

fn board() -> (Board, usize) {
    let board = Board::new(&pool()).unwrap();
    let slot = board.allocate().unwrap();
    let worker = Worker {
        process: 42,
        stage: Stage::Executing,
        duration: 1500,
        user_time: 750,
        uri: b"/a\"<b>/\xff".to_vec(),
        query: "ä=1&b".as_bytes().to_vec(),
        method: b"GET".to_vec(),
        script: vec![b's'; 1000],
        ..Worker::default()
    };
    board.write(slot, &worker);
    board.write_stage(slot, &Worker { stage: Stage::Accepting, ..Worker::default() });
    (board, slot)
}

fn page(uri: &str, query: &str, method: &str) -> Option<phlox_fpm::Page> {
    let mut parameters = Parameters::default();
    parameters.set(b"QUERY_STRING", query.as_bytes());
    parameters.set(b"REQUEST_METHOD", method.as_bytes());
    let (socket, _) = UnixStream::pair().unwrap();
    let request = FcgiRequest::new(Connection::new(socket.into()), 1, false, parameters, None);
    let found = Found { uri: Some(uri.as_bytes().to_vec()), ..Found::default() };
    status::answer(&pool(), &board().0, &request, &found, || ())
}

fn body(query: &str) -> String {
    String::from_utf8_lossy(&page("/status", query, "GET").unwrap().body).into_owned()
}

#[test]
fn slots_are_taken_written_and_given_back() {
    let (board, slot) = board();
    let worker = board.worker(slot);
    assert_eq!((worker.process, worker.stage, worker.duration), (42, Stage::Accepting, 1500));
    assert_eq!(worker.query, "ä=1&b".as_bytes());
    assert_eq!(worker.script.len(), 255, "texts are cut");
    assert!(board.is_idle(slot));
    assert!(board.allocate().is_some() && board.allocate().is_some());
    assert!(board.allocate().is_none());
    board.free(slot);
    assert!(!board.is_idle(slot));
    assert_eq!(board.worker(slot).process, 0);
    assert_eq!(board.allocate(), Some(slot));
}

#[test]
fn counters_do_not_fall_below_zero() {
    let (board, _) = board();
    board.count(1, -1, 0);
    board.count(-1, 1, 1);
    board.count(-1, 1, 1);
    let totals = board.totals();
    assert_eq!((totals.idle, totals.active, totals.active_max, totals.requests), (0, 2, 2, 2));
}

#[test]
fn pages() {
    assert_eq!(page("/ping", "", "GET").unwrap().body, b"pong");
    assert_eq!(page("/ping", "", "HEAD").unwrap().body, b"");
    assert!(page("/other", "", "GET").is_none());
    assert!(body("").starts_with("pool:                 www\nprocess manager:      undefined\n"));
    assert!(!body("").contains("pid"));
    assert!(
        body("full").contains("\n************************\npid:                  42\nstate:                Idle\n")
    );
    assert!(body("full").contains("\nlast request cpu:     50.00\n"));
    assert!(body("json&full").contains(", \"processes\":[{\"pid\":42,\"state\":\"Idle\",\"start time\":0,"));
    assert!(body("json&full").contains("\"request uri\":\"\\/a\\\"<b>\\/?\\u00e4=1&b\""));
    assert!(body("xml&full").contains("<request-uri>?ä=1&amp;b</request-uri>"), "a path that is no UTF-8 is left out");
    assert!(body("html").ends_with("<tr><th>memory peak</th><td>0</td></tr>\n</table>\n</body></html>"));
    assert!(body("openmetrics").ends_with("phpfpm_memory_peak 0\n# EOF\n"));
}

#[test]
fn formats_of_lines() {
    for text in ["%R - %u %t \"%m %r%Q%q\" %s %f", "%{mili}d %{kilo}M %C%% %{REMOTE_ADDR}e %{%Y}T %n %l %p %P", "%"] {
        assert!(Format::read(text).is_some(), "{text}");
    }
    for text in ["%z", "%{hours}d", "%{x}M", "%{x}C", "%e", "%o", "%{a}m", "%{a", "%{a}"] {
        assert!(Format::read(text).is_none(), "{text}");
    }
}
