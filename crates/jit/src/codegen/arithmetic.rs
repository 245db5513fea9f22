//! Operations on unboxed numbers and booleans, in machine code.

use crate::codegen::{Refusal, Translation};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{AbiParam, BlockArg, InstBuilder, Signature, Value, types as clif};
use cranelift_codegen::isa::CallConv;
use phlox_hhir::unit::{Const, Inst, Literal};
use phlox_hhir::{BlockId, Op, ValueId};
use phlox_value::raw::offsets::{STRING_BYTES, STRING_LENGTH};

/// The number of bytes up to which a literal is compared word by word.
const SHORT_TEXT: usize = 16;

impl Translation<'_> {
    pub(crate) fn divide(&mut self, id: BlockId, inst: &Inst, a: Value, b: Value) -> Result<Value, Refusal> {
        let divisor = self.unit.ty(self.unit.src(inst, 1));
        let (lo, hi) = divisor.int_range();
        if lo <= 0 && hi >= 0 {
            let zero = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
            self.leave_if(id, inst, zero, true)?;
        }
        if inst.op == Op::ModO {
            return Ok(self.builder.ins().srem(a, b));
        }
        if lo <= -1 && hi >= -1 {
            // The smallest integer divided by -1 overflows.
            let minus = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
            let both = self.builder.ins().band(minus, least);
            self.leave_if(id, inst, both, true)?;
        }
        let quotient = self.builder.ins().sdiv(a, b);
        let product = self.builder.ins().imul(quotient, b);
        let rest = self.builder.ins().icmp(IntCC::NotEqual, product, a);
        self.leave_if(id, inst, rest, true)?;
        Ok(quotient)
    }

    /// The comparison that tells whether an addition or subtraction has overflowed: its result then lies on the wrong side of an
    /// operand. Gives the condition and whether it is with the first operand; `None` if the sign of the other one is unknown.
    pub(crate) fn wrong_side(&self, inst: &Inst) -> Option<(IntCC, bool)> {
        let &[a, b] = self.unit.srcs(inst) else { return None };
        let sign = |value: ValueId| match self.unit.ty(value).int_range() {
            (0.., _) => Some(true),
            (_, ..=0) => Some(false),
            _ => None,
        };
        let side = |rises: bool| if rises { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
        let adds = inst.op == Op::AddIntO;
        let of_first = sign(b).map(|positive| (side(positive == adds), true));
        of_first.or_else(|| sign(a).filter(|_| adds).map(|positive| (side(positive), false)))
    }

    /// PHP's conversion of a float to an integer: inline for floats in range.
    pub(crate) fn truncate(&mut self, float: Value) -> Value {
        let int = self.builder.ins().fcvt_to_sint_sat(clif::I64, float);
        let (rare, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(rare);
        self.builder.append_block_param(done, clif::I64);
        // Results at either end of the range, which are adjacent modulo 2 to the 64th, may be saturated.
        let around = self.builder.ins().iadd_imm_s(int, i64::MIN);
        let around = self.builder.ins().iadd_imm_s(around, 1);
        let saturated = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, around, 1);
        self.builder.ins().brif(saturated, rare, &[], done, &[BlockArg::Value(int)]);
        self.builder.switch_to_block(rare);
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params.push(AbiParam::new(clif::F64));
        signature.returns.push(AbiParam::new(clif::I64));
        let signature = self.import(signature);
        let helper = self.int(crate::layout::float_to_int as *const () as i64);
        let call = self.builder.ins().call_indirect(signature, helper, &[float]);
        let result = self.builder.inst_results(call)[0];
        self.builder.ins().jump(done, &[BlockArg::Value(result)]);
        self.builder.switch_to_block(done);
        self.builder.block_params(done)[0]
    }

    /// Whether two strings are equal. One and the same string, and for identity strings of different lengths, are decided
    /// without their bytes.
    pub(crate) fn same_text(&mut self, op: Op, a: Value, b: Value) -> Value {
        let done = self.builder.create_block();
        self.builder.append_block_param(done, clif::I8);
        let (other, bytes) = (self.builder.create_block(), self.builder.create_block());
        let [no, yes] = [0, 1].map(|truth| self.builder.ins().iconst(clif::I8, truth));
        let one = self.builder.ins().icmp(IntCC::Equal, a, b);
        self.builder.ins().brif(one, done, &[BlockArg::Value(yes)], other, &[]);
        self.builder.switch_to_block(other);
        if op == Op::SameStr {
            let (first, second) = (self.load(clif::I64, a, STRING_LENGTH), self.load(clif::I64, b, STRING_LENGTH));
            let alike = self.builder.ins().icmp(IntCC::Equal, first, second);
            self.builder.ins().brif(alike, bytes, &[], done, &[BlockArg::Value(no)]);
        } else {
            self.builder.ins().jump(bytes, &[]);
        }
        self.builder.switch_to_block(bytes);
        let function = match op {
            Op::SameStr => crate::layout::same_bytes as *const (),
            _ => self.shape.helpers.equal_texts as *const (),
        };
        let answer = self.call_helper(function, &[a, b], true).unwrap_or(a);
        let answer = self.builder.ins().ireduce(clif::I8, answer);
        self.builder.ins().jump(done, &[BlockArg::Value(answer)]);
        self.builder.switch_to_block(done);
        self.builder.block_params(done)[0]
    }

    /// The short literal that an instruction compares a string with, and that string, if the comparison is one of bytes.
    pub(crate) fn literal_of(&self, inst: &Inst) -> Option<(ValueId, Box<[u8]>)> {
        let &[a, b] = self.unit.srcs(inst) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(literal, other)| {
            let Some(Const::Lit(literal)) = self.unit.as_const(literal) else { return None };
            let Literal::Str { bytes, .. } = &self.unit.literals[literal.at()] else { return None };
            // Numeric strings are compared as numbers by `==`; a string without a digit is not numeric.
            let is_plain = inst.op == Op::SameStr || !bytes.iter().any(u8::is_ascii_digit);
            (is_plain && bytes.len() <= SHORT_TEXT).then(|| (other, bytes.clone()))
        })
    }

    /// Whether a string has these bytes, of which there are at most two words. The word that ends with the string's last byte
    /// starts no earlier than in the string's header, so it can be loaded.
    pub(crate) fn has_bytes(&mut self, text: Value, bytes: &[u8]) -> Value {
        let length = self.load(clif::I64, text, STRING_LENGTH);
        let alike = self.builder.ins().icmp_imm_s(IntCC::Equal, length, bytes.len() as i64);
        if bytes.is_empty() {
            return alike;
        }
        let (compare, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.append_block_param(done, clif::I8);
        self.builder.ins().brif(alike, compare, &[], done, &[BlockArg::Value(alike)]);
        self.builder.switch_to_block(compare);
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0i64, |word, &byte| word << 8 | i64::from(byte));
        let last = self.load(clif::I64, text, STRING_BYTES + bytes.len() - 8);
        let same = match bytes.split_at_checked(8) {
            None => {
                let own = self.builder.ins().ushr_imm_u(last, 8 * (8 - bytes.len() as i64));
                let wanted = self.int(word(bytes));
                self.builder.ins().icmp(IntCC::Equal, own, wanted)
            }
            Some((head, _)) => {
                let first = self.load(clif::I64, text, STRING_BYTES);
                let [head, tail] = [word(head), word(&bytes[bytes.len() - 8..])].map(|word| self.int(word));
                let first = self.builder.ins().bxor(first, head);
                let last = self.builder.ins().bxor(last, tail);
                let different = self.builder.ins().bor(first, last);
                self.builder.ins().icmp_imm_s(IntCC::Equal, different, 0)
            }
        };
        self.builder.ins().jump(done, &[BlockArg::Value(same)]);
        self.builder.switch_to_block(done);
        self.builder.block_params(done)[0]
    }

    /// Translates an operation on unboxed values.
    pub(crate) fn compute(&mut self, op: Op, a: Value, b: Value) -> Result<Value, Refusal> {
        if let Some(condition) = int_condition(op) {
            return Ok(self.builder.ins().icmp(condition, a, b));
        }
        if let Some(condition) = float_condition(op) {
            return Ok(self.builder.ins().fcmp(condition, a, b));
        }
        let ins = self.builder.ins();
        Ok(match op {
            Op::AddInt => ins.iadd(a, b),
            Op::SubInt => ins.isub(a, b),
            Op::MulInt => ins.imul(a, b),
            Op::AndInt => ins.band(a, b),
            Op::OrInt => ins.bor(a, b),
            Op::XorInt => ins.bxor(a, b),
            Op::Shl => ins.ishl(a, b),
            Op::Shr => ins.sshr(a, b),
            Op::Mod => ins.srem(a, b),
            Op::DivInt => ins.sdiv(a, b),
            Op::MinInt => ins.smin(a, b),
            Op::MaxInt => ins.smax(a, b),
            Op::AddDbl => ins.fadd(a, b),
            Op::SubDbl => ins.fsub(a, b),
            Op::MulDbl => ins.fmul(a, b),
            Op::DivDbl => ins.fdiv(a, b),
            Op::NegDbl => ins.fneg(a),
            Op::AbsDbl => ins.fabs(a),
            Op::Sqrt => ins.sqrt(a),
            Op::Floor => ins.floor(a),
            Op::Ceil => ins.ceil(a),
            Op::XorBool => ins.bxor(a, b),
            Op::ConvIntToDbl => ins.fcvt_from_sint(clif::F64, a),
            Op::ConvBoolToInt => ins.uextend(clif::I64, a),
            Op::ConvBoolToDbl => {
                let int = ins.uextend(clif::I64, a);
                self.builder.ins().fcvt_from_sint(clif::F64, int)
            }
            Op::ConvIntToBool => ins.icmp_imm_s(IntCC::NotEqual, a, 0),
            Op::ConvDblToBool => {
                let zero = ins.f64const(0.0);
                self.builder.ins().fcmp(FloatCC::NotEqual, a, zero)
            }
            Op::CmpInt => {
                let less = ins.icmp(IntCC::SignedLessThan, a, b);
                let more = self.builder.ins().icmp(IntCC::SignedGreaterThan, a, b);
                self.order(more, less)
            }
            Op::CmpDbl => {
                // If an operand is NaN, the answer is 1.
                let less = ins.fcmp(FloatCC::LessThan, a, b);
                let equal = self.builder.ins().fcmp(FloatCC::Equal, a, b);
                let known = self.builder.ins().bor(less, equal);
                let more = self.builder.ins().bxor_imm_s(known, 1);
                self.order(more, less)
            }
            _ => return Err(format!("the instruction {}", op.name())),
        })
    }

    fn order(&mut self, more: Value, less: Value) -> Value {
        let more = self.builder.ins().uextend(clif::I64, more);
        let less = self.builder.ins().uextend(clif::I64, less);
        self.builder.ins().isub(more, less)
    }
}

fn int_condition(op: Op) -> Option<IntCC> {
    Some(match op {
        Op::EqInt | Op::EqBool => IntCC::Equal,
        Op::NeqInt | Op::NeqBool => IntCC::NotEqual,
        Op::LtInt => IntCC::SignedLessThan,
        Op::LteInt => IntCC::SignedLessThanOrEqual,
        Op::GtInt => IntCC::SignedGreaterThan,
        Op::GteInt => IntCC::SignedGreaterThanOrEqual,
        Op::CheckRange => IntCC::UnsignedLessThan,
        Op::SameObj | Op::EqStrPtr | Op::EqCls => IntCC::Equal,
        Op::NSameObj => IntCC::NotEqual,
        _ => return None,
    })
}

fn float_condition(op: Op) -> Option<FloatCC> {
    Some(match op {
        Op::EqDbl => FloatCC::Equal,
        Op::NeqDbl => FloatCC::NotEqual,
        Op::LtDbl => FloatCC::LessThan,
        Op::LteDbl => FloatCC::LessThanOrEqual,
        Op::GtDbl => FloatCC::GreaterThan,
        Op::GteDbl => FloatCC::GreaterThanOrEqual,
        _ => return None,
    })
}
