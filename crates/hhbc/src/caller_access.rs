//! Builtin functions that access the frame of their caller. Code that keeps a caller's variables or arguments anywhere
//! but in its frame must consult this table before such a call.

/// What a builtin function does with the frame of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerAccess {
    /// Reads variables by name.
    pub reads_variables: bool,
    /// Writes variables by name.
    pub writes_variables: bool,
    /// Reads the arguments that the caller was given.
    pub reads_arguments: bool,
    /// Shows reference counts, which depend on where values are kept.
    pub shows_counts: bool,
    /// Must be named where it is called: PHP says `Cannot call f() dynamically` otherwise.
    pub is_called_by_name: bool,
    /// PHP's compiler keeps a table of variables for functions that call it.
    pub needs_symbol_table: bool,
}

const NOTHING: CallerAccess = CallerAccess {
    reads_variables: false,
    writes_variables: false,
    reads_arguments: false,
    shows_counts: false,
    is_called_by_name: false,
    needs_symbol_table: false,
};
const VARIABLES: CallerAccess =
    CallerAccess { reads_variables: true, is_called_by_name: true, needs_symbol_table: true, ..NOTHING };
const ARGUMENTS: CallerAccess = CallerAccess { reads_arguments: true, is_called_by_name: true, ..NOTHING };
/// Functions that wrote variables of their caller, as `extract` does, before they took the array to write to.
const FORMER: CallerAccess = CallerAccess { needs_symbol_table: true, ..NOTHING };

const TABLE: [(&[u8], CallerAccess); 9] = [
    (b"compact", VARIABLES),
    (b"extract", CallerAccess { writes_variables: true, ..VARIABLES }),
    (b"get_defined_vars", VARIABLES),
    (b"func_get_args", ARGUMENTS),
    (b"func_get_arg", ARGUMENTS),
    (b"func_num_args", ARGUMENTS),
    (b"debug_zval_dump", CallerAccess { shows_counts: true, ..NOTHING }),
    (b"parse_str", FORMER),
    (b"mb_parse_str", FORMER),
];

/// What the builtin function of this name, without a namespace and in any case of letters, does with its caller's frame.
pub fn of(name: &[u8]) -> CallerAccess {
    let row = TABLE.iter().find(|(own, _)| name.eq_ignore_ascii_case(own));
    row.map_or(NOTHING, |(_, access)| *access)
}

/// What the function of a name as written in the source may do with its caller's frame. The namespace is left out, since
/// an unqualified call falls back to the builtin function.
pub fn of_written(name: &[u8]) -> CallerAccess {
    of(name.rsplit(|&byte| byte == b'\\').next().unwrap_or(name))
}

impl CallerAccess {
    /// Whether the caller's frame must be materialised before a call.
    pub fn needs_frame(self) -> bool {
        self.reads_variables || self.writes_variables || self.reads_arguments || self.shows_counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_namespace() {
        assert!(of(b"Extract").writes_variables);
        assert!(!of(b"a\\extract").writes_variables);
        assert!(of_written(b"A\\Extract").writes_variables);
        assert!(!of_written(b"parse_str").needs_frame());
        assert_eq!(of(b"strlen"), NOTHING);
    }
}
