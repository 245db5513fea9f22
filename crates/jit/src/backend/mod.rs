//! Around the code generator: Cranelift's settings, memory for code, the thread that compiles, what is shown of each unit.

pub mod assembler;
pub mod limits;
pub mod memory;
pub mod perf_map;
pub mod show;
pub mod worker;
