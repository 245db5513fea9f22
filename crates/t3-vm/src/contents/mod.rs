//! What the machine itself does with the contents of objects of intrinsic classes: operators, undo, garbage collection
//! and saved games need these parts. The methods that programs call are not here.

pub mod bignum;
pub mod buffer;
pub mod bytes;
pub mod comparator;
pub mod date;
pub mod dictionary;
pub mod dynamic;
pub mod file_name;
pub mod grammar;
pub mod iter;
pub mod lookup;
pub mod pattern;
pub mod sequence;
pub mod tads;
pub mod vector;
