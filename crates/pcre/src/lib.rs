//! A small safe layer over PCRE2's 8-bit library: compile, look at, match.
//!
//! Besides the value layer the only crate with `unsafe` code, because PCRE2 is a C library. What each call
//! relies on is said beside it; the rules are few: a [`Code`] owns a compiled pattern, a [`Matcher`] owns the
//! match data and limits made for it, and results are copied out before the next match.
#![deny(unsafe_op_in_unsafe_fn)]

mod memory;

use pcre2_sys as sys;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// The version of the library that is linked, with its date.
pub fn version() -> &'static str {
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    TEXT.get_or_init(|| {
        let mut buffer = [0u8; 64];
        // SAFETY: the version and its zero take fewer than 64 bytes in all releases, as the library's manual says.
        let length = unsafe { sys::pcre2_config_8(sys::PCRE2_CONFIG_VERSION, buffer.as_mut_ptr().cast::<c_void>()) };
        let length = usize::try_from(length).unwrap_or(0).saturating_sub(1);
        String::from_utf8_lossy(buffer.get(..length).unwrap_or_default()).into_owned()
    })
}

/// Options of [`Code::compile`], to be combined with `|`.
pub mod compile_options {
    pub const CASELESS: u32 = super::sys::PCRE2_CASELESS;
    pub const MULTILINE: u32 = super::sys::PCRE2_MULTILINE;
    pub const DOTALL: u32 = super::sys::PCRE2_DOTALL;
    pub const EXTENDED: u32 = super::sys::PCRE2_EXTENDED;
    pub const ANCHORED: u32 = super::sys::PCRE2_ANCHORED;
    pub const DOLLAR_ENDONLY: u32 = super::sys::PCRE2_DOLLAR_ENDONLY;
    pub const UNGREEDY: u32 = super::sys::PCRE2_UNGREEDY;
    pub const UTF: u32 = super::sys::PCRE2_UTF;
    pub const UCP: u32 = super::sys::PCRE2_UCP;
    pub const DUPNAMES: u32 = super::sys::PCRE2_DUPNAMES;
    pub const NO_AUTO_CAPTURE: u32 = super::sys::PCRE2_NO_AUTO_CAPTURE;
}

/// Extra options of [`Code::compile`].
pub mod extra_options {
    /// `\\K` may stand in a look-around.
    pub const ALLOW_LOOKAROUND_BSK: u32 = super::sys::PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK;
    /// Without case, ASCII letters match only ASCII letters.
    pub const CASELESS_RESTRICT: u32 = super::sys::PCRE2_EXTRA_CASELESS_RESTRICT;
}

/// Options of [`Matcher::run`].
pub mod match_options {
    pub const ANCHORED: u32 = super::sys::PCRE2_ANCHORED;
    pub const NOTEMPTY_ATSTART: u32 = super::sys::PCRE2_NOTEMPTY_ATSTART;
    /// The subject is known to be valid UTF-8.
    pub const NO_UTF_CHECK: u32 = super::sys::PCRE2_NO_UTF_CHECK;
}

/// Why a pattern does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    pub code: i32,
    pub message: String,
    pub offset: usize,
}

/// Why a match failed other than by not matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchError {
    BacktrackLimit,
    RecursionLimit,
    BadUtf,
    BadUtfOffset,
    JitStack,
    /// `\K` in a look-around put the start of the match behind its end.
    StartBehindEnd,
    Other(i32),
}

/// A compiled pattern.
pub struct Code {
    code: NonNull<sys::pcre2_code_8>,
    /// Compiled to machine code.
    pub jit: bool,
    utf: bool,
    /// The result block of a match that has ended, for the next one.
    spare: Cell<Option<NonNull<sys::pcre2_match_data_8>>>,
}

fn message_of(code: i32) -> String {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer's length is given; PCRE2 ends the text with a zero inside it.
    let length = unsafe { sys::pcre2_get_error_message_8(code, buffer.as_mut_ptr(), buffer.len()) };
    String::from_utf8_lossy(&buffer[..usize::try_from(length).unwrap_or(0)]).into_owned()
}

impl Code {
    pub fn compile(pattern: &[u8], options: u32, extra: u32, use_jit: bool) -> Result<Code, CompileError> {
        let (mut code, mut offset) = (0, 0usize);
        // SAFETY: the pattern is given with its length and only read during the call; the context is ours, may
        // be null (then there are no extra options) and is freed here.
        let compiled = unsafe {
            let context = sys::pcre2_compile_context_create_8(GENERAL.with(|general| *general));
            if !context.is_null() {
                sys::pcre2_set_compile_extra_options_8(context, extra);
            }
            let compiled =
                sys::pcre2_compile_8(pattern.as_ptr(), pattern.len(), options, &mut code, &mut offset, context);
            sys::pcre2_compile_context_free_8(context);
            compiled
        };
        let Some(compiled) = NonNull::new(compiled) else {
            return Err(CompileError { code, message: message_of(code), offset });
        };
        // SAFETY: just compiled; a failure leaves the pattern usable without machine code.
        let jit = use_jit && unsafe { sys::pcre2_jit_compile_8(compiled.as_ptr(), sys::PCRE2_JIT_COMPLETE) } == 0;
        let mut code = Code { code: compiled, jit, utf: false, spare: Cell::new(None) };
        // The pattern itself may ask for UTF.
        code.utf = code.number(sys::PCRE2_INFO_ALLOPTIONS) & compile_options::UTF != 0;
        Ok(code)
    }

    fn number(&self, what: u32) -> u32 {
        let mut value = 0u32;
        // SAFETY: the kinds asked for here all give a u32.
        unsafe { sys::pcre2_pattern_info_8(self.code.as_ptr(), what, (&raw mut value).cast()) };
        value
    }

    /// Number of capturing groups.
    pub fn capture_count(&self) -> usize {
        self.number(sys::PCRE2_INFO_CAPTURECOUNT) as usize
    }

    /// Names of groups: number and name.
    pub fn names(&self) -> Vec<(usize, Vec<u8>)> {
        let count = self.number(sys::PCRE2_INFO_NAMECOUNT) as usize;
        let entry = self.number(sys::PCRE2_INFO_NAMEENTRYSIZE) as usize;
        if count == 0 || entry < 3 {
            return Vec::new();
        }
        let mut table: *const u8 = ptr::null();
        // SAFETY: this kind gives a pointer to `count * entry` bytes that live as long as the code.
        let table = unsafe {
            sys::pcre2_pattern_info_8(self.code.as_ptr(), sys::PCRE2_INFO_NAMETABLE, (&raw mut table).cast::<c_void>());
            if table.is_null() {
                return Vec::new();
            }
            std::slice::from_raw_parts(table, count * entry)
        };
        let rows = table.chunks(entry).map(|row| {
            let number = (row[0] as usize) << 8 | row[1] as usize;
            let name = row[2..].iter().copied().take_while(|&byte| byte != 0).collect();
            (number, name)
        });
        rows.collect()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: owned, and matchers borrow the code; the spare block is nobody's.
        unsafe {
            if let Some(data) = self.spare.take() {
                sys::pcre2_match_data_free_8(data.as_ptr());
            }
            sys::pcre2_code_free_8(self.code.as_ptr());
        }
    }
}

/// What a match needs besides the pattern.
pub struct Matcher<'c> {
    code: &'c Code,
    data: NonNull<sys::pcre2_match_data_8>,
    /// Starts and ends of the groups, which the data holds, and how many there are.
    vector: *const usize,
    groups: usize,
    /// Shared by all matches of the thread, like the stack.
    context: NonNull<sys::pcre2_match_context_8>,
    settings: Settings,
}

/// What the shared context is set to.
#[derive(Clone, Copy, PartialEq)]
struct Settings {
    backtrack_limit: u32,
    recursion_limit: u32,
    /// The pattern runs as machine code, on a stack of its own.
    jit: bool,
}

thread_local! {
    /// The allocator of patterns and of what is made from them; null, which means the library's own, when there was no memory.
    static GENERAL: *mut sys::pcre2_general_context_8 = {
        // SAFETY: SAFETY.md 5. It lives as long as the process.
        unsafe {
            sys::pcre2_general_context_create_8(Some(memory::allocate), Some(memory::release), ptr::null_mut())
        }
    };
    /// As [`STACK`]; null when there was no memory for it.
    static CONTEXT: *mut sys::pcre2_match_context_8 = {
        // SAFETY: null is checked where it is used. It lives as long as the process.
        unsafe { sys::pcre2_match_context_create_8(GENERAL.with(|general| *general)) }
    };
    /// The settings that the context has.
    static CURRENT: Cell<Option<Settings>> = const { Cell::new(None) };
    /// Shared by all matches of the thread: no PHP code runs inside a match, so they never nest.
    static STACK: *mut sys::pcre2_jit_stack_8 = {
        // SAFETY: makes a stack from sizes; null is checked where it is used. It lives as long as the process.
        unsafe { sys::pcre2_jit_stack_create_8(JIT_STACK.0, JIT_STACK.1, GENERAL.with(|general| *general)) }
    };
}

/// Machine stack of compiled patterns, as PHP sets it: from 32K to 192K.
const JIT_STACK: (usize, usize) = (32 * 1024, 192 * 1024);

impl Matcher<'_> {
    /// `None`: out of memory.
    #[inline]
    pub fn new(code: &Code, backtrack_limit: u32, recursion_limit: u32) -> Option<Matcher<'_>> {
        let context = NonNull::new(CONTEXT.with(|context| *context))?;
        let data = match code.spare.take() {
            Some(data) => data,
            // SAFETY: the code is valid; null is checked.
            None => NonNull::new(unsafe {
                sys::pcre2_match_data_create_from_pattern_8(code.code.as_ptr(), ptr::null_mut())
            })?,
        };
        // SAFETY: the data is valid; its vector stays where it is.
        let (vector, groups) = unsafe {
            let count = sys::pcre2_get_ovector_count_8(data.as_ptr());
            (sys::pcre2_get_ovector_pointer_8(data.as_ptr()).cast_const(), count as usize)
        };
        let settings = Settings { backtrack_limit, recursion_limit, jit: code.jit };
        Some(Matcher { code, data, vector, groups, context, settings })
    }

    /// The context as this pattern wants it.
    #[inline]
    fn prepare_context(&self) {
        if CURRENT.get() != Some(self.settings) {
            self.set_context();
        }
    }

    #[cold]
    fn set_context(&self) {
        let stack = if self.settings.jit { STACK.with(|stack| *stack) } else { ptr::null_mut() };
        // SAFETY: the context is the thread's; a null stack stands for the machine's.
        unsafe {
            sys::pcre2_set_match_limit_8(self.context.as_ptr(), self.settings.backtrack_limit);
            sys::pcre2_set_depth_limit_8(self.context.as_ptr(), self.settings.recursion_limit);
            sys::pcre2_jit_stack_assign_8(self.context.as_ptr(), None, stack.cast());
        }
        CURRENT.set(Some(self.settings));
    }

    /// Matches from an offset. Gives how many groups are set (from the whole match on); `None`: no match.
    #[inline]
    pub fn run(&mut self, subject: &[u8], offset: usize, options: u32) -> Result<Option<usize>, MatchError> {
        if offset > subject.len() {
            return Err(MatchError::BadUtfOffset);
        }
        self.prepare_context();
        // What is compiled needs no look at the options, unless they ask for one of the subject or are not for it.
        let straight = self.code.jit
            && options & match_options::ANCHORED == 0
            && (!self.code.utf || options & match_options::NO_UTF_CHECK != 0);
        let run = if straight { sys::pcre2_jit_match_8 } else { sys::pcre2_match_8 };
        // SAFETY: the subject is given with its length and lives during the call; data and context fit the code. For
        // the compiled form the options are among those it takes, and a subject of a UTF pattern was checked.
        let result = unsafe {
            run(
                self.code.code.as_ptr(),
                subject.as_ptr(),
                subject.len(),
                offset,
                options,
                self.data.as_ptr(),
                self.context.as_ptr(),
            )
        };
        match result {
            count if count > 0 => Ok(Some(count as usize)),
            0 => Ok(Some(self.code.capture_count() + 1)),
            sys::PCRE2_ERROR_NOMATCH => Ok(None),
            sys::PCRE2_ERROR_MATCHLIMIT | sys::PCRE2_ERROR_HEAPLIMIT => Err(MatchError::BacktrackLimit),
            sys::PCRE2_ERROR_DEPTHLIMIT => Err(MatchError::RecursionLimit),
            sys::PCRE2_ERROR_BADUTFOFFSET => Err(MatchError::BadUtfOffset),
            sys::PCRE2_ERROR_JIT_STACKLIMIT => Err(MatchError::JitStack),
            code if (sys::PCRE2_ERROR_UTF8_ERR21..=sys::PCRE2_ERROR_UTF8_ERR1).contains(&code) => {
                Err(MatchError::BadUtf)
            }
            code => Err(MatchError::Other(code)),
        }
    }

    /// Start and end of group `index` of the last match; `None`: it did not take part.
    #[inline]
    pub fn group(&self, index: usize) -> Option<(usize, usize)> {
        if index >= self.groups {
            return None;
        }
        // SAFETY: the vector has two numbers for each group.
        let (start, end) = unsafe { (*self.vector.add(2 * index), *self.vector.add(2 * index + 1)) };
        (start != usize::MAX && end != usize::MAX).then_some((start, end))
    }

    /// The name of the last `(*MARK)` passed.
    pub fn mark(&self) -> Option<Vec<u8>> {
        // SAFETY: the mark is a zero-terminated text inside the compiled code.
        unsafe {
            let mark = sys::pcre2_get_mark_8(self.data.as_ptr());
            if mark.is_null() {
                return None;
            }
            Some(std::ffi::CStr::from_ptr(mark.cast()).to_bytes().to_vec())
        }
    }
}

impl Drop for Matcher<'_> {
    fn drop(&mut self) {
        if let Some(data) = self.code.spare.replace(Some(self.data)) {
            // SAFETY: owned, and freed once: two matches of the pattern were under way.
            unsafe { sys::pcre2_match_data_free_8(data.as_ptr()) }
        }
    }
}
