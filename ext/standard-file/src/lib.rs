//! Files and streams, output buffering, configuration, processes and information functions: parts of the
//! `standard` extension, which lists the tables here and calls [`startup`].
#![forbid(unsafe_code)]

pub mod base64;
mod calling;
pub mod constants;
pub mod contents;
pub mod context;
pub mod csv;
mod descriptors;
pub mod directory;
pub mod dns;
pub mod filesystem;
pub mod glob;
pub mod handles;
pub mod http;
pub mod http_client;
pub mod info;
pub mod mail;
pub mod network;
pub mod output;
mod page;
pub mod parse_ini;
pub mod path;
pub mod process;
pub mod sapi;
pub mod settings;
pub mod sockets;
pub mod stat;
pub mod stream;
pub mod syslog;
mod system;
pub mod time;
pub mod user_filters;
pub mod wrapper_functions;

use phlox_process::Standard;
use phlox_runtime::{FnDef, PhpStr, Vm};
use std::rc::Rc;
use stream::Stream;
use stream::open;

pub static FUNCTIONS: &[&[FnDef]] = &[
    calling::FUNCTIONS,
    contents::FUNCTIONS,
    context::FUNCTIONS,
    csv::FUNCTIONS,
    directory::FUNCTIONS,
    dns::FUNCTIONS,
    filesystem::FUNCTIONS,
    glob::FUNCTIONS,
    handles::FUNCTIONS,
    http::FUNCTIONS,
    http_client::FUNCTIONS,
    info::FUNCTIONS,
    mail::FUNCTIONS,
    network::FUNCTIONS,
    output::FUNCTIONS,
    page::FUNCTIONS,
    parse_ini::FUNCTIONS,
    path::FUNCTIONS,
    process::FUNCTIONS,
    settings::FUNCTIONS,
    sockets::FUNCTIONS,
    stat::FUNCTIONS,
    syslog::FUNCTIONS,
    system::FUNCTIONS,
    time::FUNCTIONS,
    user_filters::FUNCTIONS,
    wrapper_functions::FUNCTIONS,
];

/// Serves `include` of URLs.
pub fn startup(vm: &Vm) {
    phlox_runtime::files::set_stream_reader(vm, open::read_included);
    let wrappers = open::wrappers(vm);
    wrappers.table.borrow_mut().push((b"http".to_vec(), open::Wrapper::Native(http_client::WRAPPER)));
}

/// Defines `STDIN`, `STDOUT` and `STDERR`, which only programs of the command line have.
pub fn define_standard_streams(vm: &Vm) {
    let constants = [
        (Standard::Input, "STDIN", "r", "php://stdin"),
        (Standard::Output, "STDOUT", "wb", "php://stdout"),
        (Standard::Error, "STDERR", "wb", "php://stderr"),
    ];
    for (which, name, mode, uri) in constants {
        let Some(file) = stream::plain::standard_aside(which) else { continue };
        let source = stream::plain::FileSource {
            joins_output: true,
            standard: Some(which),
            ..stream::plain::FileSource::new(file)
        };
        let mut stream = Stream::new(Box::new(source), mode);
        stream.uri = Some(uri.as_bytes().to_vec());
        stream.wrapper_type = Some("PHP");
        let resource = open::resource(Rc::new(stream));
        vm.constants.borrow_mut().insert(PhpStr::from(name), resource.into());
    }
}
