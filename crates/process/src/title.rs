//! The title of the process, which tools show in place of its arguments.

use std::sync::OnceLock;

/// Where the arguments of the process lie, and how many bytes they have.
static ARGUMENTS: OnceLock<Option<(usize, usize)>> = OnceLock::new();

/// Shows `title` in place of the process's arguments, as much of it as there is room. The arguments must have been read before: whoever
/// reads them later gets the title.
pub fn set_title(title: &[u8]) {
    let Some((start, length)) = *ARGUMENTS.get_or_init(place) else { return };
    let Some(room) = length.checked_sub(1) else { return };
    let count = title.len().min(room);
    // SAFETY: the system has put the arguments there for this process to write, and the last byte stays the zero that ends them
    // (rule 11 of SAFETY.md).
    unsafe {
        let start = std::ptr::with_exposed_provenance_mut::<u8>(start);
        std::ptr::write_bytes(start, 0, length);
        std::ptr::copy_nonoverlapping(title.as_ptr(), start, count);
    }
}

/// The system tells the place in fields 48 and 49 of the process's status (proc(5)).
fn place() -> Option<(usize, usize)> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may hold anything.
    let fields: Vec<&str> = status.rsplit_once(") ")?.1.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<usize>().ok();
    let (start, end) = (number(48)?, number(49)?);
    (start != 0 && end > start).then_some((start, end - start))
}
