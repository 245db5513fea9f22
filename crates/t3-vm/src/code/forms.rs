//! Arithmetic instructions for the forms of operands that are frequent: a row for each operator.

/// Gives a macro the rows: the operator, its fast path on integers, and its instructions for two slots, a slot and a
/// number, a popped value and a slot, a popped value and a number, and the first two with a slot for the result.
macro_rules! arithmetic {
    ($rows:ident!($($context:tt)*)) => {
        $rows! { ($($context)*)
            Add i32::checked_add: AddSS AddSI AddPS AddPI AddSSTo AddSITo;
            Sub i32::checked_sub: SubSS SubSI SubPS SubPI SubSSTo SubSITo;
            Mul i32::checked_mul: MulSS MulSI MulPS MulPI MulSSTo MulSITo;
            And crate::fast::and_bits: AndSS AndSI AndPS AndPI AndSSTo AndSITo;
            Mod crate::fast::simple_remainder: ModSS ModSI ModPS ModPI ModSSTo ModSITo;
        }
    };
}
pub(crate) use arithmetic;
