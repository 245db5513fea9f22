//! Variables that are added to the URLs and forms of a page: `output_add_rewrite_var`, and the ids of sessions without
//! cookies.
//!
//! An output buffer named `URL-Rewriter` is started with the first variable and reads the page as it is written.

mod scanner;

use crate::html;
use crate::url;
use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::settings::ARG_SEPARATOR_OUTPUT;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val, Vm, ob};
use scanner::{Page, Scanner};
use std::cell::{Cell, RefCell};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("output_add_rewrite_var(string $name, string $value): bool", output_add_rewrite_var),
    FnDef::new("output_reset_rewrite_vars(): bool", output_reset_rewrite_vars),
];

/// The attributes that are changed, by tag: of the script's variables and of the session's.
pub static TAGS: IniString = IniString::new("url_rewriter.tags", "form=", IniAccess::All);
pub static SESSION_TAGS: IniString =
    IniString::new("session.trans_sid_tags", "a=href,area=href,frame=src,form=", IniAccess::All).on_change(|change| {
        if !change.text().starts_with(b"a=href,area=href,frame=src,form=") {
            change.deprecated("Usage of session.trans_sid_tags INI setting is deprecated")?;
        }
        Ok(true)
    });

/// The hosts whose addresses are changed besides the request's own.
pub static HOSTS: IniString = IniString::new("url_rewriter.hosts", "", IniAccess::All);
pub static SESSION_HOSTS: IniString =
    IniString::new("session.trans_sid_hosts", "", IniAccess::All).on_change(|change| {
        if !change.text().is_empty() {
            change.deprecated("Usage of session.trans_sid_hosts INI setting is deprecated")?;
        }
        Ok(true)
    });

/// Who adds variables. Each owner has its own settings and its own buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Script,
    Session,
}

impl Owner {
    fn settings(self) -> (&'static IniString, &'static IniString) {
        match self {
            Owner::Script => (&TAGS, &HOSTS),
            Owner::Session => (&SESSION_TAGS, &SESSION_HOSTS),
        }
    }

    fn handler(self) -> ob::NativeHandler {
        match self {
            Owner::Script => |vm, page, mode| Ok(Some(rewrite(vm, Owner::Script, &page, mode))),
            Owner::Session => |vm, page, mode| Ok(Some(rewrite(vm, Owner::Session, &page, mode))),
        }
    }
}

/// A variable, as URLs have it and as a field of a form.
struct Variable {
    name: Vec<u8>,
    in_url: Vec<u8>,
    in_form: Vec<u8>,
}

#[derive(Default)]
struct Rewriter {
    /// The buffer was started, once for all of the request.
    started: Cell<bool>,
    variables: RefCell<Vec<Variable>>,
    scanner: RefCell<Scanner>,
}

#[derive(Default)]
struct Rewriters {
    script: Rewriter,
    session: Rewriter,
}

impl Rewriters {
    fn of(&self, owner: Owner) -> &Rewriter {
        match owner {
            Owner::Script => &self.script,
            Owner::Session => &self.session,
        }
    }
}

fn rewriters(vm: &Vm) -> std::rc::Rc<Rewriters> {
    vm.data::<Rewriters>("url rewriters")
}

/// Adds a variable; the first one starts the buffer.
pub fn add(vm: &Vm, owner: Owner, name: &PhpStr, value: &PhpStr) -> PhpResult<()> {
    let rewriters = rewriters(vm);
    let rewriter = rewriters.of(owner);
    let starts = !rewriter.started.replace(true);
    let in_url = [&url::encode(name, true)[..], b"=", &url::encode(value, true)].concat();
    let [shown_name, shown_value] = [name, value].map(|text| html::attribute(vm, text));
    let in_form =
        [b"<input type=\"hidden\" name=\"", &shown_name[..], b"\" value=\"", &shown_value[..], b"\" />"].concat();
    rewriter.variables.borrow_mut().push(Variable { name: name.to_vec(), in_url, in_form });
    if starts {
        ob::start_native(vm, owner.handler(), "URL-Rewriter", 0)?;
    }
    Ok(())
}

/// Removes a variable.
pub fn remove(vm: &Vm, owner: Owner, name: &[u8]) {
    rewriters(vm).of(owner).variables.borrow_mut().retain(|variable| variable.name != name);
}

fn rewrite(vm: &Vm, owner: Owner, page: &[u8], mode: i64) -> Vec<u8> {
    let rewriters = rewriters(vm);
    let rewriter = rewriters.of(owner);
    let mut scanner = rewriter.scanner.borrow_mut();
    let variables = rewriter.variables.borrow();
    if variables.is_empty() {
        return [&scanner.take_rest()[..], page].concat();
    }
    let separator = vm.ini.get(&ARG_SEPARATOR_OUTPUT);
    let in_urls: Vec<&[u8]> = variables.iter().map(|variable| &variable.in_url[..]).collect();
    let in_forms: Vec<&[u8]> = variables.iter().map(|variable| &variable.in_form[..]).collect();
    let (tags, hosts) = owner.settings();
    let settings = Page {
        tags: parse_tags(&vm.ini.get(tags)),
        hosts: parse_hosts(&vm.ini.get(hosts)),
        own_host: own_host(vm),
        in_url: in_urls.join(&separator[..]),
        in_form: in_forms.concat(),
        separator: separator.to_vec(),
    };
    scanner.scan(page, &settings, mode & (ob::FLUSH | ob::FINAL) != 0)
}

/// `tag=attribute,..`; the tags in lower case.
fn parse_tags(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let pair = |item: &[u8]| {
        let equals = item.iter().position(|&byte| byte == b'=')?;
        Some((item[..equals].to_ascii_lowercase(), item[equals + 1..].to_vec()))
    };
    text.split(|&byte| byte == b',').filter_map(pair).collect()
}

fn parse_hosts(text: &[u8]) -> Vec<Vec<u8>> {
    let hosts = text.split(|&byte| byte == b',').filter(|host| !host.is_empty());
    hosts.map(<[u8]>::to_ascii_lowercase).collect()
}

/// The host that the request names, without its port.
fn own_host(vm: &Vm) -> Option<Vec<u8>> {
    let server = vm.globals.find(&PhpStr::new(b"_SERVER"))?.get_deref();
    let host = server.as_arr()?.get_bytes(b"HTTP_HOST")?.deref().into_str()?;
    host.split(|&byte| byte == b':').next().map(<[u8]>::to_vec)
}

fn output_add_rewrite_var(call: &mut Call<'_>) -> PhpResult<Val> {
    add(call.vm, Owner::Script, &call.str(0), &call.str(1))?;
    Ok(Val::TRUE)
}

fn output_reset_rewrite_vars(call: &mut Call<'_>) -> PhpResult<Val> {
    rewriters(call.vm).script.variables.borrow_mut().clear();
    Ok(Val::TRUE)
}
