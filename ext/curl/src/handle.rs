//! The class `CurlHandle`: a transfer, the targets of its bytes, and its callbacks.

use phlox_curl::{Code, Easy, Event, Handler};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::open::stream_of;
use phlox_runtime::class::{CastTo, NativeHooks};
use phlox_runtime::{Call, Edges, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Val, Vm, convert};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The hooks that the classes of handles share; `message` refuses `new`.
pub const fn hooks(message: &'static str) -> NativeHooks {
    NativeHooks {
        no_clone: true,
        no_serialize: true,
        no_dynamic: true,
        no_new: Some(message),
        cast: Some(cast),
        compare: Some(|_, _, _| Ok(None)),
        ..NativeHooks::NONE
    }
}

/// The class `CurlHandle`.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "CurlHandle",
    decl: "final class CurlHandle {}",
    methods: &[],
    hooks: NativeHooks { no_clone: false, ..hooks("Cannot directly construct CurlHandle, use curl_init() instead") },
}];

/// Converts a handle to an integer: the number of its object.
fn cast(_vm: &Vm, object: &PhpObj, to: CastTo) -> PhpResult<Option<Val>> {
    Ok(matches!(to, CastTo::Int).then(|| Val::int(object.handle() as i64)))
}

/// The target of received bytes.
#[derive(Clone)]
pub enum Target {
    Output,
    /// The result of `curl_exec()`.
    Result,
    /// The bytes are dropped.
    Ignored,
    /// The resource of a stream.
    File(Val),
    Callback(Val),
}

/// The source of content that is sent.
#[derive(Clone)]
pub struct Origin {
    /// The resource of the stream that is read.
    pub file: Option<Val>,
    /// The callback that gives the content.
    pub callback: Option<Val>,
}

/// The callbacks of a transfer other than those for bytes.
#[derive(Clone, Default)]
pub struct Callbacks {
    pub progress: Val,
    pub transferred: Val,
    pub matches: Val,
    pub debug: Val,
    pub connected: Val,
    pub host_key: Val,
}

impl Callbacks {
    fn all(&self) -> [&Val; 6] {
        [&self.progress, &self.transferred, &self.matches, &self.debug, &self.connected, &self.host_key]
    }
}

/// PHP's side of a transfer, to which libcurl's events go.
pub struct State {
    pub body: RefCell<Target>,
    pub header: RefCell<Target>,
    pub origin: RefCell<Origin>,
    pub callbacks: RefCell<Callbacks>,
    /// The body so far, if it becomes the result.
    pub received: RefCell<Vec<u8>>,
    /// The header that was sent, if it is kept.
    pub sent_header: RefCell<Option<Vec<u8>>>,
    /// Whether the header that is sent is kept.
    pub keeps_sent_header: Cell<bool>,
    /// Whether messages about the transfer are wanted.
    pub verbose: Cell<bool>,
    /// The stream for messages, instead of the standard error.
    pub messages: RefCell<Option<Val>>,
    /// The value of `CURLOPT_PRIVATE`.
    pub private: RefCell<Option<Val>>,
    /// The fields of the form that is sent.
    pub form: RefCell<Option<PhpArr>>,
    /// The object of the shared data, or null.
    pub share: RefCell<Val>,
    /// The code of the last error.
    pub error: Cell<Code>,
    /// Whether a callback of this transfer is running.
    pub in_callback: Cell<bool>,
    /// The object of the handle while its transfer runs.
    pub running: RefCell<Option<PhpObj>>,
}

impl Default for State {
    fn default() -> State {
        State {
            body: RefCell::new(Target::Output),
            header: RefCell::new(Target::Ignored),
            origin: RefCell::new(Origin { file: None, callback: None }),
            callbacks: RefCell::default(),
            received: RefCell::default(),
            sent_header: RefCell::new(None),
            keeps_sent_header: Cell::new(false),
            verbose: Cell::new(false),
            messages: RefCell::new(None),
            private: RefCell::new(None),
            form: RefCell::new(None),
            share: RefCell::new(Val::NULL),
            error: Cell::new(0),
            in_callback: Cell::new(false),
            running: RefCell::new(None),
        }
    }
}

/// The native part of a handle.
pub struct Transfer {
    pub state: Rc<State>,
    pub easy: Rc<Easy>,
}

impl Target {
    fn value(&self) -> Option<&Val> {
        match self {
            Target::File(value) | Target::Callback(value) => Some(value),
            _ => None,
        }
    }
}

impl NativeData for Transfer {
    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        let (state, easy) = crate::easy::duplicated(self)?;
        Some(Rc::new(Transfer { state, easy: Rc::new(easy) }))
    }

    fn trace(&self, edges: &mut Edges) {
        let state = &self.state;
        for target in [&state.body, &state.header] {
            if let Ok(target) = target.try_borrow() {
                target.value().into_iter().for_each(|value| edges.value(value));
            }
        }
        if let Ok(origin) = state.origin.try_borrow() {
            origin.file.iter().chain(&origin.callback).for_each(|value| edges.value(value));
        }
        if let Ok(callbacks) = state.callbacks.try_borrow() {
            callbacks.all().into_iter().for_each(|value| edges.value(value));
        }
        for value in [&state.messages, &state.private] {
            if let Ok(value) = value.try_borrow() {
                value.iter().for_each(|value| edges.value(value));
            }
        }
        if let Ok(share) = state.share.try_borrow() {
            edges.value(&share);
        }
    }

    fn clear(&self) {
        let state = &self.state;
        drop(state.body.replace(Target::Output));
        drop(state.header.replace(Target::Ignored));
        drop(state.origin.replace(Origin { file: None, callback: None }));
        state.callbacks.take();
        state.messages.take();
        state.private.take();
        state.share.replace(Val::NULL);
    }
}

/// The transfer of a handle's object.
pub fn transfer<'a>(call: &Call<'_>, object: &'a PhpObj) -> PhpResult<&'a Transfer> {
    object.native::<Transfer>().ok_or_else(|| call.vm.throw_error(b"CurlHandle is not initialized"))
}

/// An argument that is a handle.
pub fn object(call: &Call<'_>, index: usize) -> PhpResult<PhpObj> {
    call.opt_obj(index).ok_or_else(|| call.type_error(index, "must be of type CurlHandle"))
}

fn stream(value: &Val) -> Option<Rc<Stream>> {
    value.as_res().and_then(stream_of)
}

impl State {
    /// Stops using streams that were closed meanwhile, with warnings if `reports`.
    pub fn check_streams(&self, vm: &Vm, reports: bool) -> PhpResult<()> {
        let gone = |value: Option<&Val>| value.is_some_and(|value| stream(value).is_none());
        let report = |option: &str, instead: &str| {
            if !reports {
                return Ok(());
            }
            let text = format!("{option} resource has gone away, resetting to {instead}");
            phlox_ext_standard_file::stream::open::warn(vm, text.as_bytes())
        };
        if gone(self.messages.borrow().as_ref()) {
            report("CURLOPT_STDERR", "stderr")?;
            self.messages.replace(None);
        }
        if gone(self.origin.borrow().file.as_ref()) {
            report("CURLOPT_INFILE", "default")?;
            let before = self.origin.borrow_mut().file.take();
            drop(before);
        }
        let is_gone = |target: &RefCell<Target>| matches!(&*target.borrow(), Target::File(value) if gone(Some(value)));
        if is_gone(&self.header) {
            report("CURLOPT_WRITEHEADER", "default")?;
            self.header.replace(Target::Ignored);
        }
        if is_gone(&self.body) {
            report("CURLOPT_FILE", "default")?;
            self.body.replace(Target::Output);
        }
        Ok(())
    }

    /// Drops the results of the last transfer.
    pub fn begin(&self) {
        self.received.borrow_mut().clear();
        self.sent_header.replace(None);
        self.error.set(0);
    }

    /// Flushes the streams that bytes go to.
    pub fn flush(&self, vm: &Vm) -> PhpResult<()> {
        let files: Vec<_> =
            [&self.body, &self.header].iter().filter_map(|t| t.borrow().value().and_then(stream)).collect();
        let messages = self.messages.borrow().as_ref().and_then(stream);
        files.into_iter().chain(messages).try_for_each(|stream| stream.flush(vm, false).map(drop))
    }

    /// Calls a callback. `None`: it threw an exception, which is kept until the transfer returns.
    fn call(&self, vm: &Vm, callback: &Val, mut args: Vec<Val>) -> Option<Val> {
        if vm.has_pending.get() {
            return None;
        }
        let object = self.running.borrow().clone();
        args.insert(0, object.map_or(Val::NULL, Val::from));
        let before = self.in_callback.replace(true);
        let result = vm.call_value(callback, args);
        self.in_callback.set(before);
        match result.and_then(|value| self.check_streams(vm, true).map(|()| value)) {
            Ok(value) => Some(value),
            Err(throw) => {
                vm.set_pending(throw);
                None
            }
        }
    }

    /// Calls a callback whose result is an integer.
    fn ask(&self, vm: &Vm, callback: &Val, args: Vec<Val>, otherwise: i64) -> i64 {
        let answer = self.call(vm, callback, args).map(|value| convert::to_int(vm, &value));
        match answer {
            Some(Ok(number)) => number,
            Some(Err(throw)) => {
                vm.set_pending(throw);
                otherwise
            }
            None => otherwise,
        }
    }

    fn put(&self, vm: &Vm, target: &Target, bytes: &[u8], is_header: bool) -> i64 {
        let all = bytes.len() as i64;
        match target {
            Target::Callback(callback) => self.ask(vm, callback, vec![Val::str(bytes)], all),
            Target::File(file) => match stream(file).map(|stream| stream.write(vm, bytes)) {
                Some(Ok(count)) => count.map_or(0, |count| count as i64),
                Some(Err(throw)) => {
                    vm.set_pending(throw);
                    0
                }
                None => 0,
            },
            Target::Result => {
                self.received.borrow_mut().extend_from_slice(bytes);
                all
            }
            Target::Output if is_header && matches!(&*self.body.borrow(), Target::Result) => {
                self.received.borrow_mut().extend_from_slice(bytes);
                all
            }
            Target::Output => {
                vm.echo(bytes);
                all
            }
            Target::Ignored => all,
        }
    }

    fn fill(&self, vm: &Vm, buffer: &mut [u8]) -> i64 {
        let Origin { file, callback } = self.origin.borrow().clone();
        if let Some(callback) = callback {
            let args = vec![file.unwrap_or(Val::NULL), Val::int(buffer.len() as i64)];
            let Some(answer) = self.call(vm, &callback, args) else { return 0 };
            if let Some(text) = answer.as_str() {
                let count = text.len().min(buffer.len());
                buffer[..count].copy_from_slice(&text[..count]);
                return count as i64;
            }
            return answer.as_int().unwrap_or(0);
        }
        let Some(stream) = file.as_ref().and_then(stream) else { return 0 };
        match stream.read(vm, buffer.len()) {
            Ok(data) => {
                let data = data.unwrap_or_default();
                buffer[..data.len()].copy_from_slice(&data);
                data.len() as i64
            }
            Err(throw) => {
                vm.set_pending(throw);
                0
            }
        }
    }

    /// Calls a callback whose result must be 0 or 1.
    fn choose(&self, vm: &Vm, callback: &Val, args: Vec<Val>, refusal: Refusal) -> i64 {
        let Some(answer) = self.call(vm, callback, args) else { return 1 };
        match answer.as_int() {
            Some(number @ (0 | 1)) => number,
            other => {
                let throw = match (refusal.is_plain_error, other.is_some()) {
                    (true, _) => vm.throw_error(refusal.message),
                    (false, true) => vm.throw_value_error(refusal.message),
                    (false, false) => vm.throw_type_error(refusal.message),
                };
                vm.set_pending(throw);
                refusal.answer
            }
        }
    }

    fn debug(&self, vm: &Vm, kind: i32, bytes: &[u8]) -> i64 {
        const HEADER_OUT: i32 = 2;
        if kind == HEADER_OUT && (self.keeps_sent_header.get() || !self.callbacks.borrow().debug.is_null()) {
            self.sent_header.replace(Some(bytes.to_vec()));
        }
        let callback = self.callbacks.borrow().debug.clone();
        if !callback.is_null() {
            self.call(vm, &callback, vec![Val::int(kind as i64), Val::str(bytes)]);
            return 0;
        }
        let Some(target) = self.messages.borrow().as_ref().and_then(stream) else { return 0 };
        let mark: &[u8] = match kind {
            0 => b"* ",
            1 => b"< ",
            2 => b"> ",
            _ => return 0,
        };
        if self.verbose.get()
            && let Err(throw) = target.write(vm, &[mark, bytes].concat())
        {
            vm.set_pending(throw);
        }
        0
    }
}

/// The error for an invalid result of a callback, and the answer that counts instead.
struct Refusal {
    message: &'static [u8],
    is_plain_error: bool,
    answer: i64,
}

impl Handler for State {
    fn handle(&self, event: Event<'_>) -> i64 {
        let Some(vm) = Vm::current() else { return 0 };
        let callbacks = self.callbacks.borrow().clone();
        match event {
            Event::Write(bytes) => {
                let target = self.body.borrow().clone();
                self.put(vm, &target, bytes, false)
            }
            Event::Header(bytes) => {
                let target = self.header.borrow().clone();
                self.put(vm, &target, bytes, true)
            }
            Event::Read(buffer) => self.fill(vm, buffer),
            Event::Progress(numbers) if !callbacks.progress.is_null() => {
                let args = numbers.map(|number| Val::int(number as i64)).to_vec();
                (self.ask(vm, &callbacks.progress, args, 0) != 0) as i64
            }
            Event::Transferred(numbers) if !callbacks.transferred.is_null() => {
                let args = numbers.map(Val::int).to_vec();
                (self.ask(vm, &callbacks.transferred, args, 0) != 0) as i64
            }
            Event::Progress(_) | Event::Transferred(_) => 0,
            Event::Debug(kind, bytes) => self.debug(vm, kind, bytes),
            Event::Matches(pattern, name) => {
                const FAILED: i64 = 2;
                if callbacks.matches.is_null() {
                    return FAILED;
                }
                self.ask(vm, &callbacks.matches, vec![Val::str(pattern), Val::str(name)], FAILED)
            }
            Event::Connected { remote, local, remote_port, local_port } => {
                if callbacks.connected.is_null() {
                    return 0;
                }
                let ports = [remote_port, local_port].map(|port| Val::int(port as i64));
                let [remote_port, local_port] = ports;
                let args = vec![Val::str(remote), Val::str(local), remote_port, local_port];
                let message = b"The CURLOPT_PREREQFUNCTION callback must return either CURL_PREREQFUNC_OK or CURL_PREREQFUNC_ABORT";
                self.choose(vm, &callbacks.connected, args, Refusal { message, is_plain_error: false, answer: 0 })
            }
            Event::HostKey(kind, key) => {
                let args = vec![Val::int(kind as i64), Val::str(key), Val::int(key.len() as i64)];
                let message = b"The CURLOPT_SSH_HOSTKEYFUNCTION callback must return either CURLKHMATCH_OK or CURLKHMATCH_MISMATCH";
                self.choose(vm, &callbacks.host_key, args, Refusal { message, is_plain_error: true, answer: 1 })
            }
        }
    }
}

/// Runs a call of libcurl that may call callbacks, and throws what they threw.
pub fn running<T>(vm: &Vm, objects: &[PhpObj], work: impl FnOnce() -> T) -> PhpResult<T> {
    let states: Vec<_> = objects.iter().filter_map(|object| Some((object, object.native::<Transfer>()?))).collect();
    let before: Vec<_> = states.iter().map(|(object, t)| t.state.running.replace(Some((*object).clone()))).collect();
    let result = work();
    for ((_, transfer), before) in states.iter().zip(before) {
        transfer.state.running.replace(before);
    }
    vm.check_pending()?;
    Ok(result)
}
