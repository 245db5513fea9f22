//! A small safe layer over PCRE2's 8-bit library: compiling patterns, asking about them, and matching.
//!
//! SAFETY.md beside this crate's manifest explains the unsafe code. The rules are few: a [`Code`] owns a compiled
//! pattern, a [`Matcher`] owns its match data, and results are copied before the next match.
#![deny(unsafe_op_in_unsafe_fn)]

mod memory;

use pcre2_sys as sys;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// The version of the PCRE2 that is linked, with its date.
pub fn version() -> &'static str {
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    TEXT.get_or_init(|| {
        let mut buffer = [0u8; 64];
        // SAFETY: by PCRE2's manual, the version with its NUL takes fewer than 64 bytes in all releases.
        let length = unsafe { sys::pcre2_config_8(sys::PCRE2_CONFIG_VERSION, buffer.as_mut_ptr().cast::<c_void>()) };
        let length = usize::try_from(length).unwrap_or(0).saturating_sub(1);
        String::from_utf8_lossy(buffer.get(..length).unwrap_or_default()).into_owned()
    })
}

/// Options of [`Code::compile`], to be combined with `|`.
pub mod compile_options {
    /// Case is ignored.
    pub const CASELESS: u32 = super::sys::PCRE2_CASELESS;
    /// `^` and `$` also match at the bounds of lines.
    pub const MULTILINE: u32 = super::sys::PCRE2_MULTILINE;
    /// `.` matches line ends, too.
    pub const DOTALL: u32 = super::sys::PCRE2_DOTALL;
    /// White space and comments in the pattern are ignored.
    pub const EXTENDED: u32 = super::sys::PCRE2_EXTENDED;
    /// The match must begin at the start offset.
    pub const ANCHORED: u32 = super::sys::PCRE2_ANCHORED;
    /// `$` matches at the very end only.
    pub const DOLLAR_ENDONLY: u32 = super::sys::PCRE2_DOLLAR_ENDONLY;
    /// Quantifiers are lazy by default.
    pub const UNGREEDY: u32 = super::sys::PCRE2_UNGREEDY;
    /// Pattern and subject are UTF-8.
    pub const UTF: u32 = super::sys::PCRE2_UTF;
    /// Classes and case follow the properties of Unicode.
    pub const UCP: u32 = super::sys::PCRE2_UCP;
    /// Several groups may have one name.
    pub const DUPNAMES: u32 = super::sys::PCRE2_DUPNAMES;
    /// Parentheses without a name do not capture.
    pub const NO_AUTO_CAPTURE: u32 = super::sys::PCRE2_NO_AUTO_CAPTURE;
}

/// Extra options of [`Code::compile`].
pub mod extra_options {
    /// `\\K` is allowed in a look-around.
    pub const ALLOW_LOOKAROUND_BSK: u32 = super::sys::PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK;
    /// When case is ignored, ASCII letters match only ASCII letters.
    pub const CASELESS_RESTRICT: u32 = super::sys::PCRE2_EXTRA_CASELESS_RESTRICT;
}

/// Options of [`Matcher::run`].
pub mod match_options {
    /// The match must begin at the start offset.
    pub const ANCHORED: u32 = super::sys::PCRE2_ANCHORED;
    /// The match must not be empty at the start offset.
    pub const NOTEMPTY_ATSTART: u32 = super::sys::PCRE2_NOTEMPTY_ATSTART;
    /// The caller knows that the subject is valid UTF-8.
    pub const NO_UTF_CHECK: u32 = super::sys::PCRE2_NO_UTF_CHECK;
}

/// The reason why a pattern does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    /// PCRE2's code of the error.
    pub code: i32,
    /// PCRE2's text for the error.
    pub message: String,
    /// The offset in the pattern at which the error was found.
    pub offset: usize,
}

/// The reason why a match failed, other than that nothing matched.
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
    /// Whether the pattern was compiled to machine code.
    pub jit: bool,
    utf: bool,
    /// The match data of a match that has ended, which the next match uses.
    spare: Cell<Option<NonNull<sys::pcre2_match_data_8>>>,
}

fn message_of(code: i32) -> String {
    let mut buffer = [0u8; 256];
    // SAFETY: the length is that of the buffer, and PCRE2 ends the text inside of it.
    let length = unsafe { sys::pcre2_get_error_message_8(code, buffer.as_mut_ptr(), buffer.len()) };
    String::from_utf8_lossy(&buffer[..usize::try_from(length).unwrap_or(0)]).into_owned()
}

impl Code {
    /// Compiles a pattern, with machine code if `use_jit` and PCRE2 can make it.
    pub fn compile(pattern: &[u8], options: u32, extra: u32, use_jit: bool) -> Result<Code, CompileError> {
        let (mut code, mut offset) = (0, 0usize);
        // SAFETY: the length is that of the pattern, which is only read during the call; the context is freed here,
        // and may be null, which stands for no extra options.
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
        // SAFETY: the pattern was just compiled; if this fails, it can be used without machine code.
        let jit = use_jit && unsafe { sys::pcre2_jit_compile_8(compiled.as_ptr(), sys::PCRE2_JIT_COMPLETE) } == 0;
        let mut code = Code { code: compiled, jit, utf: false, spare: Cell::new(None) };
        // The pattern itself may switch UTF on.
        code.utf = code.number(sys::PCRE2_INFO_ALLOPTIONS) & compile_options::UTF != 0;
        Ok(code)
    }

    fn number(&self, what: u32) -> u32 {
        let mut value = 0u32;
        // SAFETY: all kinds of information that this crate asks for here are numbers of 32 bits.
        unsafe { sys::pcre2_pattern_info_8(self.code.as_ptr(), what, (&raw mut value).cast()) };
        value
    }

    /// The number of capturing groups.
    pub fn capture_count(&self) -> usize {
        self.number(sys::PCRE2_INFO_CAPTURECOUNT) as usize
    }

    /// The named groups, as pairs of number and name.
    pub fn names(&self) -> Vec<(usize, Vec<u8>)> {
        let count = self.number(sys::PCRE2_INFO_NAMECOUNT) as usize;
        let entry = self.number(sys::PCRE2_INFO_NAMEENTRYSIZE) as usize;
        if count == 0 || entry < 3 {
            return Vec::new();
        }
        let mut table: *const u8 = ptr::null();
        // SAFETY: this kind of information is a pointer to `count * entry` bytes that live as long as the code.
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
        // SAFETY: this value owns the code; no matcher is left, because matchers borrow it; the spare data has no
        // other user.
        unsafe {
            if let Some(data) = self.spare.take() {
                sys::pcre2_match_data_free_8(data.as_ptr());
            }
            sys::pcre2_code_free_8(self.code.as_ptr());
        }
    }
}

/// One or more matches of a pattern.
pub struct Matcher<'c> {
    code: &'c Code,
    data: NonNull<sys::pcre2_match_data_8>,
    /// The starts and ends of the groups, inside of `data`, and their number.
    vector: *const usize,
    groups: usize,
    /// The match context, which all matches of the thread share.
    context: NonNull<sys::pcre2_match_context_8>,
    settings: Settings,
}

/// The settings of the shared match context.
#[derive(Clone, Copy, PartialEq)]
struct Settings {
    backtrack_limit: u32,
    recursion_limit: u32,
    /// Whether the pattern runs as machine code, on a stack of its own.
    jit: bool,
}

thread_local! {
    /// The allocator of patterns and of data made from them. Null if memory was missing, which stands for PCRE2's own
    /// allocator.
    static GENERAL: *mut sys::pcre2_general_context_8 = {
        // SAFETY: SAFETY.md 5. The context lives as long as the process.
        unsafe {
            sys::pcre2_general_context_create_8(Some(memory::allocate), Some(memory::release), ptr::null_mut())
        }
    };
    /// Shared by all matches of the thread: no PHP code runs inside a match, so matches never nest. Null if memory
    /// was missing.
    static CONTEXT: *mut sys::pcre2_match_context_8 = {
        // SAFETY: null is checked where the context is used. It lives as long as the process.
        unsafe { sys::pcre2_match_context_create_8(GENERAL.with(|general| *general)) }
    };
    /// The current settings of the context.
    static CURRENT: Cell<Option<Settings>> = const { Cell::new(None) };
    /// The stack of machine code. All matches of the thread share it, because they never nest.
    static STACK: *mut sys::pcre2_jit_stack_8 = {
        // SAFETY: the function takes sizes; null is checked where the stack is used. It lives as long as the process.
        unsafe { sys::pcre2_jit_stack_create_8(JIT_STACK.0, JIT_STACK.1, GENERAL.with(|general| *general)) }
    };
}

/// The size of the stack of machine code: PHP's, from 32K to 192K.
const JIT_STACK: (usize, usize) = (32 * 1024, 192 * 1024);

impl Matcher<'_> {
    /// A matcher with its limits. `None`: there is no memory.
    #[inline]
    pub fn new(code: &Code, backtrack_limit: u32, recursion_limit: u32) -> Option<Matcher<'_>> {
        let context = NonNull::new(CONTEXT.with(|context| *context))?;
        let data = match code.spare.take() {
            Some(data) => data,
            // SAFETY: `code` is a compiled pattern, and null is checked.
            None => NonNull::new(unsafe {
                sys::pcre2_match_data_create_from_pattern_8(code.code.as_ptr(), ptr::null_mut())
            })?,
        };
        // SAFETY: the data is valid, and its vector does not move.
        let (vector, groups) = unsafe {
            let count = sys::pcre2_get_ovector_count_8(data.as_ptr());
            (sys::pcre2_get_ovector_pointer_8(data.as_ptr()).cast_const(), count as usize)
        };
        let settings = Settings { backtrack_limit, recursion_limit, jit: code.jit };
        Some(Matcher { code, data, vector, groups, context, settings })
    }

    /// Makes the shared context have this matcher's settings.
    #[inline]
    fn prepare_context(&self) {
        if CURRENT.get() != Some(self.settings) {
            self.set_context();
        }
    }

    #[cold]
    fn set_context(&self) {
        let stack = if self.settings.jit { STACK.with(|stack| *stack) } else { ptr::null_mut() };
        // SAFETY: the context belongs to this thread; a null stack stands for the machine's stack.
        unsafe {
            sys::pcre2_set_match_limit_8(self.context.as_ptr(), self.settings.backtrack_limit);
            sys::pcre2_set_depth_limit_8(self.context.as_ptr(), self.settings.recursion_limit);
            sys::pcre2_jit_stack_assign_8(self.context.as_ptr(), None, stack.cast());
        }
        CURRENT.set(Some(self.settings));
    }

    /// Matches from an offset. Gives the number of groups that are set, the whole match included. `None`: nothing
    /// matches.
    #[inline]
    pub fn run(&mut self, subject: &[u8], offset: usize, options: u32) -> Result<Option<usize>, MatchError> {
        if offset > subject.len() {
            return Err(MatchError::BadUtfOffset);
        }
        self.prepare_context();
        // The function for machine code ignores most options. It is used if the options need nothing else and the
        // subject is known to be valid.
        let straight = self.code.jit
            && options & match_options::ANCHORED == 0
            && (!self.code.utf || options & match_options::NO_UTF_CHECK != 0);
        let run = if straight { sys::pcre2_jit_match_8 } else { sys::pcre2_match_8 };
        // SAFETY: the length is that of the subject, which lives through the call; data and context belong to the
        // pattern. Machine code is used only with options that it takes, and with subjects that were checked as UTF-8
        // if the pattern needs it.
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

    /// Start and end of a group in the last match. `None`: the group did not take part.
    #[inline]
    pub fn group(&self, index: usize) -> Option<(usize, usize)> {
        if index >= self.groups {
            return None;
        }
        // SAFETY: the index is below `groups`, and the vector has two numbers for each group.
        let (start, end) = unsafe { (*self.vector.add(2 * index), *self.vector.add(2 * index + 1)) };
        (start != usize::MAX && end != usize::MAX).then_some((start, end))
    }

    /// The name of the last `(*MARK)` that the match passed.
    pub fn mark(&self) -> Option<Vec<u8>> {
        // SAFETY: the mark is null, or a text that ends with NUL inside of the compiled code.
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
            // SAFETY: nothing else uses this data, which is freed once. It exists because two matches of the pattern
            // overlapped.
            unsafe { sys::pcre2_match_data_free_8(data.as_ptr()) }
        }
    }
}
