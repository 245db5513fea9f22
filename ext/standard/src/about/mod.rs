//! `phpinfo` and `phpcredits`, in PHP's form. Where PHP describes itself, Phlox describes itself.

mod credits;
mod page;

use page::Page;
use phlox_ext_standard_file::{sapi, settings, user_filters, wrapper_functions};
use phlox_runtime::version::PHP_VERSION;
use phlox_runtime::{Call, ConstValue, Extension, FnDef, Key, PhpResult, PhpStr, Val, Vm, convert, dump, ob};
use std::cell::RefCell;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("phpinfo(int $flags = INFO_ALL): true", phpinfo),
    FnDef::new("phpcredits(int $flags = CREDITS_ALL): true", phpcredits),
];

const GENERAL: i64 = 1;
const CREDITS: i64 = 2;
const CONFIGURATION: i64 = 4;
const MODULES: i64 = 8;
const ENVIRONMENT: i64 = 16;
const VARIABLES: i64 = 32;
const LICENSE: i64 = 64;
/// All sections.
pub const ALL: i64 = 0xffff_ffff;

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("INFO_GENERAL", ConstValue::Int(GENERAL)),
    ("INFO_CREDITS", ConstValue::Int(CREDITS)),
    ("INFO_CONFIGURATION", ConstValue::Int(CONFIGURATION)),
    ("INFO_MODULES", ConstValue::Int(MODULES)),
    ("INFO_ENVIRONMENT", ConstValue::Int(ENVIRONMENT)),
    ("INFO_VARIABLES", ConstValue::Int(VARIABLES)),
    ("INFO_LICENSE", ConstValue::Int(LICENSE)),
    ("INFO_ALL", ConstValue::Int(ALL)),
    ("CREDITS_GROUP", ConstValue::Int(credits::GROUP)),
    ("CREDITS_GENERAL", ConstValue::Int(credits::GENERAL)),
    ("CREDITS_SAPI", ConstValue::Int(credits::SAPI)),
    ("CREDITS_MODULES", ConstValue::Int(credits::MODULES)),
    ("CREDITS_DOCS", ConstValue::Int(credits::DOCS)),
    ("CREDITS_FULLPAGE", ConstValue::Int(credits::FULL_PAGE)),
    ("CREDITS_QA", ConstValue::Int(credits::QA)),
    ("CREDITS_ALL", ConstValue::Int(ALL)),
];

/// The versions of the C interface that extensions for PHP 8.4 are built against; there is none here, but scripts compare them.
const API: [(&str, &str); 5] = [
    ("PHP API", "20240924"),
    ("PHP Extension", "20240924"),
    ("Zend Extension", "420240924"),
    ("Zend Extension Build", "API420240924,NTS"),
    ("PHP Extension Build", "API20240924,NTS"),
];

fn phpinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = info(call.vm, call.int(0))?;
    ob::write(call.vm, &text);
    Ok(Val::TRUE)
}

fn phpcredits(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut page = Page::new(sapi::request(call.vm).is_cgi.get());
    credits::write(call.vm, &mut page, call.int(0));
    ob::write(call.vm, &page.out);
    Ok(Val::TRUE)
}

/// The sections of `phpinfo` that the flags ask for.
pub fn info(vm: &Vm, flags: i64) -> PhpResult<Vec<u8>> {
    let mut page = Page::new(sapi::request(vm).is_cgi.get());
    page.start("PHP 8.4 - phpinfo()");
    if !page.html {
        page.put("phpinfo()\n");
    }
    if flags & GENERAL != 0 {
        general(vm, &mut page)?;
    }
    if flags & CONFIGURATION != 0 {
        page.rule();
        if page.html {
            page.put("<h1>Configuration</h1>\n");
        } else {
            page.section("Configuration");
        }
        if flags & MODULES == 0 {
            page.section("PHP Core");
            directives(vm, &mut page, "Core");
        }
    }
    if flags & MODULES != 0 {
        for extension in sorted_extensions(vm) {
            module(vm, &mut page, extension);
        }
        page.section("Additional Modules");
        page.table_start();
        page.table_header(&["Module Name"]);
        page.table_end();
    }
    if flags & ENVIRONMENT != 0 {
        environment(vm, &mut page);
    }
    if flags & VARIABLES != 0 {
        variables(vm, &mut page)?;
    }
    if flags & CREDITS != 0 {
        page.rule();
        credits::write(vm, &mut page, ALL & !credits::FULL_PAGE);
    }
    if flags & LICENSE != 0 {
        license(&mut page);
    }
    page.end();
    Ok(page.out)
}

/// Gives the rows that an extension has above its settings.
pub type Describe = fn(&Vm) -> Vec<(&'static str, String)>;

/// The extensions that have more to say than that they are there.
#[derive(Default)]
struct Descriptions(RefCell<Vec<(&'static str, Describe)>>);

const DESCRIPTIONS: &str = "phpinfo descriptions";

/// Shows rows of an extension's own in the running request.
pub fn describe(vm: &Vm, extension: &'static str, rows: Describe) {
    vm.data::<Descriptions>(DESCRIPTIONS).0.borrow_mut().push((extension, rows));
}

fn description(vm: &Vm, extension: &str) -> Option<Describe> {
    let descriptions = vm.data::<Descriptions>(DESCRIPTIONS);
    let all = descriptions.0.borrow();
    all.iter().find(|row| row.0 == extension).map(|row| row.1)
}

/// What `ReflectionExtension::info` prints.
pub fn extension_info(vm: &Vm, extension: &Extension) -> Vec<u8> {
    let mut page = Page::new(sapi::request(vm).is_cgi.get());
    module(vm, &mut page, extension);
    page.out
}

fn sorted_extensions(vm: &Vm) -> Vec<&'static Extension> {
    let mut extensions: Vec<&'static Extension> = vm.extensions.to_vec();
    extensions.sort_by_key(|extension| extension.name.to_ascii_lowercase());
    extensions
}

fn general(vm: &Vm, page: &mut Page) -> PhpResult<()> {
    if page.html {
        page.table_start();
        page.put(&format!("<tr class=\"h\"><td>\n<h1 class=\"p\">PHP Version {PHP_VERSION}</h1>\n</td></tr>\n"));
        page.table_end();
    } else {
        page.row(&[b"PHP Version", PHP_VERSION.as_bytes()]);
    }
    page.table_start();
    let uname = vm.call_value(&"php_uname".into(), Vec::new())?;
    page.row(&[b"System", &convert::to_str(vm, &uname)?]);
    page.row(&[b"Engine", format!("Phlox {}", env!("CARGO_PKG_VERSION")).as_bytes()]);
    let server = if sapi::request(vm).is_cgi.get() { "CGI/FastCGI" } else { "Command Line Interface" };
    let of = |value: Option<PhpStr>| value.filter(|text| !text.is_empty()).unwrap_or_else(|| "(none)".into());
    let multibyte: &str =
        if vm.extensions.iter().any(|e| e.name == "mbstring") { "provided by mbstring" } else { "disabled" };
    let rows: [(&str, PhpStr); 6] = [
        ("Server API", server.into()),
        ("Virtual Directory Support", "disabled".into()),
        ("Configuration File (php.ini) Path", of(vm.ini.configured(settings::CONFIG_PATH))),
        ("Loaded Configuration File", of(vm.ini.configured(settings::LOADED_FILE))),
        ("Scan this dir for additional .ini files", of(vm.ini.configured(settings::SCAN_PATH))),
        ("Additional .ini files parsed", of(vm.ini.configured(settings::SCANNED_FILES))),
    ];
    for (name, value) in &rows {
        page.row(&[name.as_bytes(), value]);
    }
    let facts = [
        ("PHP Integer Size", "64 bits"),
        ("Debug Build", if cfg!(debug_assertions) { "yes" } else { "no" }),
        ("Thread Safety", "disabled"),
        ("Zend Signal Handling", "disabled"),
        ("Zend Memory Manager", "enabled"),
        ("Zend Multibyte Support", multibyte),
        ("Zend Max Execution Timers", "disabled"),
        ("IPv6 Support", "enabled"),
        ("DTrace Support", "disabled"),
    ];
    for (name, value) in API.iter().chain(&facts) {
        page.row(&[name.as_bytes(), value.as_bytes()]);
    }
    page.names("PHP Streams", &wrapper_functions::names(vm));
    page.names("Stream Socket Transports", &wrapper_functions::TRANSPORTS.map(|name| name.as_bytes().to_vec()));
    page.names("Stream Filters", &user_filters::names(vm));
    page.table_end();
    page.note(&format!(
        "This program is run by Phlox, an engine written in Rust:\nPhlox v{}\n",
        env!("CARGO_PKG_VERSION")
    ));
    Ok(())
}

/// An extension: that it is there, and its settings.
fn module(vm: &Vm, page: &mut Page, extension: &Extension) {
    page.module(extension.name);
    page.table_start();
    if extension.name == "Core" {
        page.row(&[b"PHP Version", PHP_VERSION.as_bytes()]);
    } else if let Some(rows) = description(vm, extension.name) {
        for (name, value) in rows(vm) {
            page.row(&[name.as_bytes(), value.as_bytes()]);
        }
    } else {
        page.row(&[format!("{} support", extension.name).as_bytes(), b"enabled"]);
    }
    page.table_end();
    directives(vm, page, extension.name);
}

fn directives(vm: &Vm, page: &mut Page, extension: &str) {
    let settings = vm.ini.all();
    let mut own = settings.iter().filter(|state| state.extension == extension).peekable();
    if own.peek().is_none() {
        return;
    }
    page.table_start();
    page.table_header(&["Directive", "Local Value", "Master Value"]);
    let on_terminal = matches!(sapi::name(vm), "cli" | "cgi" | "phpdbg");
    for state in own {
        page.directive(state.def, on_terminal, [&state.value(), &state.original()]);
    }
    page.table_end();
}

fn environment(vm: &Vm, page: &mut Page) {
    page.section("Environment");
    page.table_start();
    page.table_header(&["Variable", "Value"]);
    for (name, value) in phlox_ext_standard_file::info::environment(vm).all(vm) {
        page.row(&[&name, &value]);
    }
    page.table_end();
}

fn variables(vm: &Vm, page: &mut Page) -> PhpResult<()> {
    page.section("PHP Variables");
    page.table_start();
    page.table_header(&["Variable", "Value"]);
    for name in ["_REQUEST", "_GET", "_POST", "_FILES", "_COOKIE", "_SERVER", "_ENV"] {
        let Some(values) = vm.globals.find(&PhpStr::from(name)).and_then(|slot| slot.get_deref().into_arr()) else {
            continue;
        };
        for (key, value) in &values {
            let key = match key {
                Key::Int(number) => number.to_string().into_bytes(),
                Key::Str(text) => text.to_vec(),
            };
            let value = value.deref();
            let is_array = value.as_arr().is_some();
            let text = match is_array {
                true => dump::print_r(vm, &value)?,
                false => convert::to_str(vm, &value)?.to_vec(),
            };
            page.variable(name, &key, &text, is_array);
        }
    }
    page.table_end();
    Ok(())
}

fn license(page: &mut Page) {
    const TEXT: &str = "Phlox is free software: it comes under the MIT License, whose text is in the file LICENSE.\n\
                        What its parts are made of has licenses of its own; docs/decisions/dependencies.md names the parts.\n\
                        There is no warranty.\n";
    if page.html {
        page.section("PHP License");
        page.note(TEXT);
    } else {
        page.put("\nPHP License\n");
        page.put(TEXT);
    }
}
