//! FastCGI over a pair of sockets: what comes of records, also of damaged ones.

use phlox_fpm::FcgiRequest;
use phlox_fpm::protocol::parameters::encode;
use phlox_fpm::protocol::record::{kind, record};
use phlox_fpm::protocol::{Arrival, Connection};
use phlox_runtime::Request;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

const BEGIN: [u8; 8] = [0, 1, 0, 0, 0, 0, 0, 0];
const BEGIN_KEPT: [u8; 8] = [0, 1, 1, 0, 0, 0, 0, 0];

/// The server's side of a connection over which these bytes come, and the client's.
fn connection(bytes: &[u8]) -> (Connection, UnixStream) {
    let (mut client, server) = UnixStream::pair().unwrap();
    client.write_all(bytes).unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    (Connection::new(server.into()), client)
}

fn head(begin: &[u8; 8], pairs: &[(&str, &str)]) -> Vec<u8> {
    let pairs: Vec<u8> = pairs.iter().flat_map(|(name, value)| encode(name.as_bytes(), value.as_bytes())).collect();
    [record(kind::BEGIN_REQUEST, 1, begin), record(kind::PARAMS, 1, &pairs), record(kind::PARAMS, 1, b"")].concat()
}

fn request(mut connection: Connection) -> FcgiRequest {
    match connection.next() {
        Arrival::Request { number, keeps, parameters } => FcgiRequest::new(connection, number, keeps, parameters, None),
        other => panic!("{other:?}"),
    }
}

fn body(request: &FcgiRequest, buffer: usize) -> Vec<u8> {
    let (mut all, mut part) = (Vec::new(), vec![0; buffer]);
    while let Ok(count @ 1..) = request.read(&mut part) {
        all.extend_from_slice(&part[..count]);
    }
    all
}

/// The contents of the records with a kind in an answer.
fn contents(mut answer: &[u8], wanted: u8) -> Vec<u8> {
    let mut out = Vec::new();
    while let [_, kind, _, _, high, low, padding, _, rest @ ..] = answer {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        if *kind == wanted {
            out.extend_from_slice(&rest[..length]);
        }
        answer = &rest[length + usize::from(*padding)..];
    }
    out
}

fn received(mut client: UnixStream) -> Vec<u8> {
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).unwrap();
    answer
}

#[test]
fn a_request_with_a_body_and_an_answer() {
    let long = "v".repeat(300);
    let records = [
        head(&BEGIN, &[("A", "1"), ("LONG", &long), ("A", "2"), ("HTTP_PROXY", "x")]),
        record(kind::STDIN, 1, b"first, "),
        record(kind::STDIN, 1, b"second"),
        record(kind::STDIN, 1, b""),
    ];
    let (connection, client) = connection(&records.concat());
    let request = request(connection);
    assert_eq!(request.parameter(b"A"), Some(b"2".to_vec()));
    assert_eq!(request.parameter(b"LONG"), Some(long.into_bytes()));
    assert_eq!(request.parameter(b"HTTP_PROXY"), std::env::var("HTTP_PROXY").ok().map(String::into_bytes));
    assert_eq!(body(&request, 3), b"first, second");
    let big = vec![b'x'; 200_000];
    request.write(b"answer ").unwrap();
    request.write_error(b"one");
    request.write_error(b"two");
    request.write(&big).unwrap();
    // The client reads while the rest is sent.
    let reader = std::thread::spawn(move || received(client));
    assert!(request.conclude().is_none());
    let answer = reader.join().unwrap();
    assert_eq!(contents(&answer, kind::STDOUT), [&b"answer "[..], &big].concat());
    assert_eq!(contents(&answer, kind::STDERR), b"one; two");
    assert_eq!(contents(&answer, kind::END_REQUEST), [0; 8]);
}

#[test]
fn a_connection_is_kept_and_an_unread_body_passed_over() {
    let first = [
        head(&BEGIN_KEPT, &[("N", "1"), ("CONTENT_LENGTH", "4")]),
        record(kind::STDIN, 1, b"left"),
        record(kind::STDIN, 1, b""),
    ];
    let second = [head(&BEGIN_KEPT, &[("N", "2")]), record(kind::STDIN, 1, b"")];
    let (connection, client) = connection(&[first.concat(), second.concat()].concat());
    let one = request(connection);
    let two = request(one.conclude().unwrap());
    assert_eq!(two.parameter(b"N"), Some(b"2".to_vec()));
    assert!(two.finish());
    assert!(!two.finish());
    two.write(b"too late").unwrap();
    two.set_last();
    assert!(two.conclude().is_none());
    let answer = received(client);
    assert_eq!(contents(&answer, kind::END_REQUEST).len(), 16);
    assert_eq!(contents(&answer, kind::STDOUT), b"");
}

#[test]
fn a_question_about_the_server() {
    let names = [encode(b"FCGI_MPXS_CONNS", b""), encode(b"OTHER", b"")].concat();
    let (mut connection, client) = connection(&record(kind::GET_VALUES, 0, &names));
    assert!(matches!(connection.next(), Arrival::Question));
    assert!(matches!(connection.next(), Arrival::End));
    drop(connection);
    assert_eq!(contents(&received(client), kind::GET_VALUES_RESULT), encode(b"FCGI_MPXS_CONNS", b"0"));
}

#[test]
fn what_makes_no_sense_ends_the_connection() {
    let begin = record(kind::BEGIN_REQUEST, 1, &BEGIN);
    let with = |rest: &[u8]| [&begin[..], rest].concat();
    for (name, bytes) in [
        ("nothing", Vec::new()),
        ("half a header", vec![1, 1, 0]),
        ("no version", vec![0; 8]),
        ("no role", record(kind::BEGIN_REQUEST, 1, &[0, 9, 0, 0, 0, 0, 0, 0])),
        ("a short beginning", record(kind::BEGIN_REQUEST, 1, b"abc")),
        ("no beginning", record(kind::PARAMS, 1, &encode(b"A", b"1"))),
        ("an unknown record", record(77, 1, b"")),
        ("no end", begin.clone()),
        ("a length beyond the record", with(&record(kind::PARAMS, 1, b"\x50\x50abc"))),
        ("long lengths", with(&record(kind::PARAMS, 1, &[0xff; 8]))),
        ("half a length", with(&record(kind::PARAMS, 1, &[0x80, 0]))),
        ("half a record", with(&record(kind::PARAMS, 1, &encode(b"A", b"12345678"))[..12])),
    ] {
        let (mut connection, _client) = connection(&bytes);
        assert!(matches!(connection.next(), Arrival::End), "{name}");
    }
}

#[test]
fn a_body_that_ends_early() {
    for rest in [
        Vec::new(),
        record(kind::STDIN, 1, b"abc")[..10].to_vec(),
        record(kind::ABORT_REQUEST, 1, b""),
        record(kind::PARAMS, 1, b"x"),
    ] {
        let records = [head(&BEGIN_KEPT, &[("CONTENT_LENGTH", "100")]), record(kind::STDIN, 1, b"abc"), rest];
        let (connection, _client) = connection(&records.concat());
        let request = request(connection);
        assert!(body(&request, 100).starts_with(b"abc"));
        assert!(request.conclude().is_none(), "the connection is of no use");
    }
}

#[test]
fn damaged_requests_neither_hang_nor_panic() {
    let rounds = 3000;
    let records = [
        head(&BEGIN_KEPT, &[("REQUEST_METHOD", "POST"), ("CONTENT_LENGTH", "5"), ("LONG", &"v".repeat(200))]),
        record(kind::STDIN, 1, b"abcde"),
        record(kind::STDIN, 1, b""),
    ];
    let whole = [records.concat(), record(kind::GET_VALUES, 0, &encode(b"FCGI_MPXS_CONNS", b""))].concat();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..=random(5) {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
        }
        bytes.truncate(random(bytes.len() + 1));
        let (server, client) = connection(&bytes);
        let mut next = Some(server);
        while let Some(mut server) = next.take() {
            match server.next() {
                Arrival::Request { number, keeps, parameters } => {
                    let request = FcgiRequest::new(server, number, keeps, parameters, None);
                    body(&request, 7);
                    let _ = request.write(b"answer");
                    next = request.conclude();
                }
                Arrival::Question => next = Some(server),
                Arrival::End => {}
            }
        }
        drop(client);
    }
}
