//! The pages that the process manager answers by itself: a pool's status in all forms, and the answer to a ping.

mod escape;
mod metrics;

use crate::application::{Found, Page};
use crate::config::Pool;
use crate::request::FcgiRequest;
use crate::scoreboard::{Board, Stage, Totals, Worker, now, since};
use phlox_process::format_time;

const NOT_CACHED: [&str; 2] =
    ["Expires: Thu, 01 Jan 1970 00:00:00 GMT", "Cache-Control: no-cache, no-store, must-revalidate, max-age=0"];

/// A value on the page.
enum Value {
    Text(String),
    /// A text that came from a client.
    Foreign(Vec<u8>),
    /// The address of a request: the path and what follows it.
    Address(Vec<u8>, Vec<u8>),
    Number(u64),
    Share(f64),
    /// Seconds since 1970.
    Time(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Html,
    Xml,
    Json,
}

const FORMS: [(&str, Form, &str); 3] = [
    ("html", Form::Html, "Content-Type: text/html"),
    ("xml", Form::Xml, "Content-Type: text/xml"),
    ("json", Form::Json, "Content-Type: application/json"),
];

/// The page that answers a request, if it is for one of the process manager's. Before the page is made, `begin` is called.
pub fn answer(pool: &Pool, board: &Board, request: &FcgiRequest, found: &Found, begin: impl FnOnce()) -> Option<Page> {
    let uri = found.uri.as_deref()?;
    let is_at = |path: &Option<String>| path.as_deref().is_some_and(|path| path.as_bytes() == uri);
    if is_at(&pool.ping_path) || is_at(&pool.status_path) {
        begin();
    }
    let is_head = request.own_parameter("REQUEST_METHOD").is_some_and(|method| method == b"HEAD");
    if let Some(response) = pool.ping_response.as_ref().filter(|_| is_at(&pool.ping_path)) {
        let headers = ["Content-Type: text/plain"].into_iter().chain(NOT_CACHED).collect();
        let body = if is_head { Vec::new() } else { response.clone().into_bytes() };
        return Some(Page { status: 200, headers, body });
    }
    if !is_at(&pool.status_path) {
        return None;
    }
    let mut headers = NOT_CACHED.to_vec();
    if is_head {
        return Some(Page { status: 200, headers, body: Vec::new() });
    }
    let query = request.own_parameter("QUERY_STRING").unwrap_or_default();
    let has =
        |key: &str| query.split(|&b| b == b'&').any(|part| part.split(|&b| b == b'=').next() == Some(key.as_bytes()));
    let totals = board.totals();
    let workers = has("full").then(|| board.workers());
    if let Some((_, form, kind)) = FORMS.iter().find(|(name, ..)| has(name)) {
        headers.push(kind);
        return Some(Page { status: 200, headers, body: page(*form, &totals, workers.as_deref()) });
    }
    if has("openmetrics") {
        headers.push("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8");
        return Some(Page { status: 200, headers, body: metrics::page(&totals) });
    }
    headers.push("Content-Type: text/plain");
    Some(Page { status: 200, headers, body: page(Form::Text, &totals, workers.as_deref()) })
}

/// The rows of a pool: names, and values.
fn rows(totals: &Totals) -> Vec<(&'static str, Value)> {
    use Value::{Number, Text, Time};
    vec![
        ("pool", Text(totals.pool.clone())),
        ("process manager", Text(totals.manager.to_string())),
        ("start time", Time(totals.start_epoch)),
        ("start since", Number(since(totals.start_epoch))),
        ("accepted conn", Number(totals.requests)),
        ("listen queue", Number(totals.queue)),
        ("max listen queue", Number(totals.queue_max)),
        ("listen queue len", Number(totals.queue_length)),
        ("idle processes", Number(totals.idle)),
        ("active processes", Number(totals.active)),
        ("total processes", Number(totals.idle + totals.active)),
        ("max active processes", Number(totals.active_max)),
        ("max children reached", Number(totals.children_reached)),
        ("slow requests", Number(totals.slow)),
        ("memory peak", Number(totals.memory_peak)),
    ]
}

/// How long a worker's request takes or took, in microseconds.
pub fn request_duration(worker: &Worker) -> u64 {
    if worker.stage == Stage::Accepting { worker.duration } else { now().saturating_sub(worker.accepted) }
}

/// The share of one processor, in percent, and the memory of a worker's last request; none while it answers one.
pub fn last_request(worker: &Worker) -> (f64, u64) {
    match worker.stage {
        Stage::Accepting => (worker.processor_share(worker.user_time + worker.system_time), worker.memory),
        _ => (0.0, 0),
    }
}

/// The rows of a worker.
fn worker_rows(worker: &Worker) -> Vec<(&'static str, Value)> {
    use Value::{Address, Foreign, Number, Share, Text, Time};
    let (share, memory) = last_request(worker);
    let or_dash = |text: &[u8]| Foreign(if text.is_empty() { b"-".to_vec() } else { text.to_vec() });
    vec![
        ("pid", Number(worker.process)),
        ("state", Text(worker.stage.name().to_owned())),
        ("start time", Time(worker.start_epoch)),
        ("start since", Number(since(worker.start_epoch))),
        ("requests", Number(worker.requests)),
        ("request duration", Number(request_duration(worker))),
        ("request method", or_dash(&worker.method)),
        ("request uri", Address(worker.uri.clone(), worker.query.clone())),
        ("content length", Number(worker.content_length)),
        ("user", or_dash(&worker.user)),
        ("script", or_dash(&worker.script)),
        ("last request cpu", Share(share)),
        ("last request memory", Number(memory)),
    ]
}

impl Value {
    /// The value in a form.
    fn show(&self, form: Form) -> Vec<u8> {
        let foreign = |text: &[u8]| match form {
            Form::Text => text.to_vec(),
            Form::Html | Form::Xml => escape::markup(text),
            Form::Json => escape::json(text),
        };
        match self {
            Value::Text(text) => text.clone().into_bytes(),
            Value::Foreign(text) => foreign(text),
            Value::Address(path, query) => {
                let mut out = if path.is_empty() { b"-".to_vec() } else { foreign(path) };
                if !query.is_empty() {
                    out.push(b'?');
                    out.extend(foreign(query));
                }
                out
            }
            Value::Number(number) => number.to_string().into_bytes(),
            Value::Share(share) => format!("{share:.2}").into_bytes(),
            Value::Time(seconds) => match form {
                Form::Text | Form::Html => format_time("%d/%b/%Y:%H:%M:%S %z", *seconds as i64).into_bytes(),
                Form::Xml | Form::Json => seconds.to_string().into_bytes(),
            },
        }
    }

    fn is_quoted(&self) -> bool {
        matches!(self, Value::Text(_) | Value::Foreign(_) | Value::Address(..))
    }
}

fn page(form: Form, totals: &Totals, workers: Option<&[Worker]>) -> Vec<u8> {
    let mut out = Vec::new();
    let rows = rows(totals);
    match form {
        Form::Text => {
            text_rows(&mut out, &rows);
            for worker in workers.unwrap_or_default() {
                out.extend_from_slice(b"\n************************\n");
                text_rows(&mut out, &worker_rows(worker));
            }
        }
        Form::Html => html(&mut out, &rows, workers),
        Form::Xml => {
            out.extend_from_slice(b"<?xml version=\"1.0\" ?>\n<status>\n");
            xml_rows(&mut out, &rows, "\n");
            if let Some(workers) = workers {
                out.extend_from_slice(b"<processes>\n");
                for worker in workers {
                    out.extend_from_slice(b"<process>");
                    xml_rows(&mut out, &worker_rows(worker), "");
                    out.extend_from_slice(b"</process>\n");
                }
                out.extend_from_slice(b"</processes>\n");
            }
            out.extend_from_slice(b"</status>");
        }
        Form::Json => {
            out.push(b'{');
            json_rows(&mut out, &rows);
            if let Some(workers) = workers {
                out.extend_from_slice(b", \"processes\":[");
                for (number, worker) in workers.iter().enumerate() {
                    out.extend_from_slice(if number == 0 { b"{" } else { b",{" });
                    json_rows(&mut out, &worker_rows(worker));
                    out.push(b'}');
                }
                out.push(b']');
            }
            out.push(b'}');
        }
    }
    out
}

fn text_rows(out: &mut Vec<u8>, rows: &[(&str, Value)]) {
    for (name, value) in rows {
        let name = if *name == "request uri" { "request URI" } else { name };
        out.extend_from_slice(format!("{:<22}", format!("{name}:")).as_bytes());
        out.extend(value.show(Form::Text));
        out.push(b'\n');
    }
}

fn xml_rows(out: &mut Vec<u8>, rows: &[(&str, Value)], end: &str) {
    for (name, value) in rows {
        let name = name.replace(' ', "-");
        out.extend_from_slice(format!("<{name}>").as_bytes());
        out.extend(value.show(Form::Xml));
        out.extend_from_slice(format!("</{name}>{end}").as_bytes());
    }
}

fn json_rows(out: &mut Vec<u8>, rows: &[(&str, Value)]) {
    for (number, (name, value)) in rows.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        let quote = if value.is_quoted() { "\"" } else { "" };
        out.extend_from_slice(format!("{comma}\"{name}\":{quote}").as_bytes());
        out.extend(value.show(Form::Json));
        out.extend_from_slice(quote.as_bytes());
    }
}

const HTML_HEAD: &str = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \
    \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\n\
    <html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\" lang=\"en\">\n\
    <head><title>PHP-FPM Status Page</title></head>\n<body>\n<table>\n";

fn html(out: &mut Vec<u8>, rows: &[(&str, Value)], workers: Option<&[Worker]>) {
    out.extend_from_slice(HTML_HEAD.as_bytes());
    for (name, value) in rows {
        out.extend_from_slice(format!("<tr><th>{name}</th><td>").as_bytes());
        out.extend(value.show(Form::Html));
        out.extend_from_slice(b"</td></tr>\n");
    }
    out.extend_from_slice(b"</table>\n");
    if let Some(workers) = workers {
        out.extend_from_slice(b"<table border=\"1\">\n<tr>");
        for (name, _) in worker_rows(&Worker::default()) {
            out.extend_from_slice(format!("<th>{name}</th>").as_bytes());
        }
        out.extend_from_slice(b"</tr>\n");
        for worker in workers {
            out.extend_from_slice(b"<tr>");
            for (_, value) in worker_rows(worker) {
                out.extend_from_slice(b"<td>");
                out.extend(value.show(Form::Html));
                out.extend_from_slice(b"</td>");
            }
            out.extend_from_slice(b"</tr>\n");
        }
        out.extend_from_slice(b"</table>");
    }
    out.extend_from_slice(b"</body></html>");
}
