//! Run-time errors: their numbers and messages, and how they travel through the machine.

use crate::value::Value;

/// What interrupts the normal course of a computation.
#[derive(Debug)]
pub enum Throw {
    /// A program's exception object on its way to a handler.
    Exception(Value),
    /// An error of the machine that has not become an exception object yet.
    Error(Box<VmError>),
    /// The program restores its image state and starts again.
    Restart,
    /// Execution ends at the machine's own wish: input is exhausted or fuel is used up.
    Halt(Halt),
}

/// Why execution was ended from outside of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The instruction budget is used up.
    Fuel,
    /// More memory than allowed is needed.
    Memory,
    /// Input has ended.
    EndOfInput,
    /// The program's exceptions run into errors when they are made, again and again.
    Exceptions,
}

/// A run-time error with its parameters.
#[derive(Debug, Clone)]
pub struct VmError {
    /// The reference's number for it.
    pub code: u32,
    /// Values that the exception's constructor gets after the number.
    pub parameters: Vec<ErrorParameter>,
}

/// A parameter of a run-time error.
#[derive(Debug, Clone)]
pub enum ErrorParameter {
    /// A number.
    Int(i32),
    /// A text.
    Text(String),
}

/// The result of anything that can fail at run time.
pub type Run<T> = Result<T, Throw>;

impl VmError {
    /// The message, with its parameters put in.
    pub fn message(&self) -> String {
        let template = message(self.code);
        let mut out = String::new();
        let mut parameters = self.parameters.iter();
        let mut rest = template;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            match parameters.next() {
                Some(ErrorParameter::Int(number)) => out.push_str(&number.to_string()),
                Some(ErrorParameter::Text(text)) => out.push_str(text),
                None => {}
            }
            rest = &rest[at + 2..];
        }
        out.push_str(rest);
        out
    }
}

/// An error without parameters.
#[cold]
pub fn error(code: u32) -> Throw {
    Throw::Error(Box::new(VmError { code, parameters: Vec::new() }))
}

/// An error with one text parameter.
#[cold]
pub fn error_text(code: u32, text: &str) -> Throw {
    Throw::Error(Box::new(VmError { code, parameters: vec![ErrorParameter::Text(text.to_owned())] }))
}

/// An error with one number.
#[cold]
pub fn error_int(code: u32, number: i32) -> Throw {
    Throw::Error(Box::new(VmError { code, parameters: vec![ErrorParameter::Int(number)] }))
}

/// An error as a result.
#[cold]
pub fn fail<T>(code: u32) -> Run<T> {
    Err(error(code))
}

macro_rules! errors {
    ($($code:literal $name:ident $text:literal;)*) => {
        $(#[allow(missing_docs)] pub const $name: u32 = $code;)*

        /// The message template of an error.
        pub fn message(code: u32) -> &'static str {
            match code { $($code => $text,)* _ => "error" }
        }
    };
}

errors! {
    101 READ_FILE "error reading file";
    102 WRITE_FILE "error writing file";
    103 FILE_NOT_FOUND "file not found";
    104 CREATE_FILE "error creating file";
    106 DELETE_FILE "error deleting file";
    107 PACK_PARSE "data packer format string parsing error at character index %d";
    108 PACK_ARG_MISMATCH "data packer argument type mismatch at format string index %d";
    109 PACK_ARGC_MISMATCH "wrong number of data packer arguments at format string index %d";
    111 RENAME_FILE "error renaming file";
    202 OUT_OF_MEMORY "out of memory";
    205 OUT_OF_PROPIDS "no more property ID's are available";
    329 BAD_STATIC_NEW "invalid object - class does not allow loading";
    333 NO_MAINRESTORE "this program is not capable of restoring a saved state on startup";
    400 NETWORK_SAFETY "this operation is not allowed by the network safety level settings";
    1001 INVALID_SETPROP "property cannot be set for object";
    1201 NOT_SAVED_STATE "file is not a valid saved state file";
    1202 WRONG_SAVED_STATE "saved state is for a different program or a different version of this program";
    1206 SAVED_OBJ_ID_INVALID "invalid object ID in saved state file";
    1207 BAD_SAVED_STATE "saved state file is corrupted (incorrect checksum)";
    1208 BAD_SAVED_META_DATA "invalid intrinsic class data in saved state file";
    2001 NO_STR_CONV "cannot convert value to string";
    2002 CONV_BUF_OVF "string conversion buffer overflow";
    2003 BAD_TYPE_ADD "invalid datatypes for addition operator";
    2004 NUM_VAL_REQD "numeric value required";
    2005 INT_VAL_REQD "integer value required";
    2006 NO_LOG_CONV "cannot convert value to logical (true/nil)";
    2007 BAD_TYPE_SUB "invalid datatypes for subtraction operator";
    2008 DIVIDE_BY_ZERO "division by zero";
    2009 INVALID_COMPARISON "invalid comparison";
    2010 OBJ_VAL_REQD "object value required";
    2011 PROPPTR_VAL_REQD "property pointer required";
    2013 FUNCPTR_VAL_REQD "function pointer required";
    2014 CANNOT_INDEX_TYPE "invalid index operation - this type of value cannot be indexed";
    2015 INDEX_OUT_OF_RANGE "index out of range";
    2016 BAD_METACLASS_INDEX "invalid intrinsic class index";
    2017 BAD_DYNAMIC_NEW "invalid dynamic object creation (intrinsic class does not support NEW)";
    2018 OBJ_VAL_REQD_SC "object value required for base class";
    2019 STRING_VAL_REQD "string value required";
    2020 LIST_VAL_REQD "list value required";
    2022 INVAL_OBJ_TYPE "invalid object type - cannot convert to required object type";
    2023 NUM_OVERFLOW "numeric overflow";
    2024 BAD_TYPE_MUL "invalid datatypes for multiplication operator";
    2025 BAD_TYPE_DIV "invalid datatypes for division operator";
    2026 BAD_TYPE_NEG "invalid datatype for arithmetic negation operator";
    2027 OUT_OF_RANGE "value is out of range";
    2028 STR_TOO_LONG "string is too long";
    2029 LIST_TOO_LONG "list too long";
    2030 TREE_TOO_DEEP_EQ "maximum equality test/hash recursion depth exceeded";
    2031 NO_INT_CONV "cannot convert value to integer";
    2032 BAD_TYPE_MOD "invalid datatype for modulo operator";
    2033 BAD_TYPE_BIT_AND "invalid datatype for bitwise AND operator";
    2034 BAD_TYPE_BIT_OR "invalid datatype for bitwise OR operator";
    2035 BAD_TYPE_XOR "invalid datatype for XOR operator";
    2036 BAD_TYPE_SHL "invalid datatype for left-shift operator '<<'";
    2037 BAD_TYPE_ASHR "invalid datatype for arithmetic right-shift operator '>>'";
    2038 BAD_TYPE_BIT_NOT "invalid datatype for bitwise NOT operator";
    2039 CODEPTR_VAL_REQD "code pointer value required";
    2042 NO_NUM_CONV "cannot convert value to a numeric type";
    2043 BAD_TYPE_LSHR "invalid datatype for logical right-shift operator '>>>'";
    2201 WRONG_NUM_OF_ARGS "wrong number of arguments";
    2202 WRONG_NUM_OF_ARGS_CALLING "argument mismatch calling %s - function definition is incorrect";
    2203 NIL_DEREF "nil object reference";
    2204 MISSING_NAMED_ARG "missing named argument '%s'";
    2205 BAD_TYPE_CALL "invalid type for call";
    2206 NIL_SELF "nil 'self' value is not allowed";
    2270 CANNOT_CREATE_INST "cannot create instance of object - object is not a class";
    2271 ILLEGAL_NEW "cannot create instance - class does not allow dynamic construction";
    2301 INVALID_OPCODE "invalid opcode - possible image file corruption";
    2302 UNHANDLED_EXC "unhandled exception";
    2303 STACK_OVERFLOW "stack overflow";
    2304 BAD_TYPE_BIF "invalid type for intrinsic function argument";
    2305 SAY_IS_NOT_DEFINED "default output function is not defined";
    2306 BAD_VAL_BIF "invalid value for intrinsic function argument";
    2307 BREAKPOINT "breakpoint encountered";
    2308 CALLEXT_NOT_IMPL "external function calls are not implemented in this version";
    2309 INVALID_OPCODE_MOD "invalid opcode modifier - possible image file corruption";
    2315 INTCLS_GENERAL_ERROR "intrinsic class exception: %s";
    2316 STACK_OUT_OF_BOUNDS "stack access is out of bounds";
    2500 BAD_FRAME "invalid frame in debugger local/parameter evaluation";
    2501 BAD_SPEC_EVAL "invalid speculative expression";
    2601 NO_BIGNUM_CONV "cannot convert value to BigNumber";
}
