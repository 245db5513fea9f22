//! What surrounds the code generator: Cranelift's settings, memory for code, the compiler thread, and dumps of units.

pub mod assembler;
pub mod limits;
pub mod memory;
pub mod perf_map;
pub mod show;
pub mod worker;
