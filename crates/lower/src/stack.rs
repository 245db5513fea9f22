//! The symbolic stack: the operand that each value on the evaluation stack is, and the pending calls.

use crate::live::{Live, LiveInterner};
use crate::opline::{HEADER_CELLS, Operand};
use crate::pending::OpenCall;
use std::ops::{Deref, Range};

/// Values, and pending calls between them. The stack remembers which part has not changed, so that expressions that are thousands
/// of levels deep are not walked again for each opline.
#[derive(Default)]
pub(crate) struct Stack {
    values: Vec<Operand>,
    /// Pending calls, outermost first.
    calls: Vec<OpenCall>,
    /// Values below this position are in their own temporaries.
    settled: usize,
    /// Values and calls below these positions are unchanged since the last [`Stack::live`].
    same_values: usize,
    same_calls: usize,
}

impl Deref for Stack {
    type Target = [Operand];

    fn deref(&self) -> &[Operand] {
        &self.values
    }
}

impl Stack {
    /// The temporary of the value at position `index`.
    pub fn slot(&self, index: usize) -> u32 {
        // Calls are in the order of their depths.
        let below = self.calls.partition_point(|call| call.depth as usize <= index) as u32;
        index as u32 + HEADER_CELLS * below
    }

    /// Removes all values and calls.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.calls.clear();
        self.same_calls = 0;
    }

    // ---- values

    /// Pushes a value.
    pub fn push(&mut self, value: Operand) {
        self.values.push(value);
    }

    /// Pops a value, if there is one.
    pub fn pop(&mut self) -> Option<Operand> {
        let value = self.values.pop();
        self.changed(self.values.len());
        value
    }

    /// Replaces the value at a position.
    pub fn set(&mut self, index: usize, value: Operand) {
        self.values[index] = value;
        self.changed(index);
    }

    /// Inserts a value at a position.
    pub fn insert(&mut self, index: usize, value: Operand) {
        self.values.insert(index, value);
        self.changed(index);
    }

    /// Keeps the lowest `length` values.
    pub fn truncate(&mut self, length: usize) {
        self.values.truncate(length);
        self.changed(length);
    }

    /// Pushes several values.
    pub fn extend(&mut self, values: &[Operand]) {
        self.values.extend_from_slice(values);
    }

    /// Removes the values from position `at` on, and gives them.
    pub fn split_off(&mut self, at: usize) -> Vec<Operand> {
        self.changed(at);
        self.values.split_off(at)
    }

    /// The top `count` values.
    pub fn top(&self, count: usize) -> Vec<Operand> {
        self.values[self.values.len() - count..].to_vec()
    }

    /// Makes the stack have its lowest `below` values and these.
    pub fn restore(&mut self, below: usize, top: &[Operand]) {
        self.truncate(below);
        self.extend(top);
    }

    /// Records that values from position `from` on may have changed.
    fn changed(&mut self, from: usize) {
        self.settled = self.settled.min(from);
        self.same_values = self.same_values.min(from);
    }

    /// Positions whose values may be outside of their own temporaries.
    pub fn unsettled(&self) -> Range<usize> {
        self.settled..self.values.len()
    }

    /// Records that all values from `from` on are in their own temporaries.
    pub fn settled_from(&mut self, from: usize) {
        if from <= self.settled {
            self.settled = self.values.len();
        }
    }

    // ---- calls

    /// Adds a pending call, whose arguments are pushed next.
    pub fn open(&mut self, call: OpenCall) {
        self.calls.push(call);
    }

    /// Makes all values above the innermost pending call its arguments.
    pub fn passed(&mut self) {
        if let Some(call) = self.calls.last_mut() {
            let passed = self.values.len().saturating_sub(call.depth as usize);
            let before = std::mem::replace(&mut call.passed, passed as u32);
            self.same_values = self.same_values.min(call.depth as usize + before as usize);
        }
    }

    /// Removes the innermost pending call, and gives it.
    pub fn close(&mut self) -> Option<OpenCall> {
        let call = self.calls.pop();
        self.same_calls = self.same_calls.min(self.calls.len());
        call
    }

    /// The innermost pending call.
    pub fn call(&self) -> Option<&OpenCall> {
        self.calls.last()
    }

    /// The innermost pending call, to be changed.
    pub fn call_mut(&mut self) -> Option<&mut OpenCall> {
        self.calls.last_mut()
    }

    /// Whether the pending call number `nth` is the one that the instruction at `push` has opened.
    pub fn has_call(&self, nth: usize, push: usize, depth: u32) -> bool {
        self.calls.get(nth).is_some_and(|call| call.push == push && call.depth == depth)
    }

    /// Removes the pending calls from number `nth` on, and the values that were pushed after the first of them was opened.
    pub fn close_from(&mut self, nth: usize) -> Vec<OpenCall> {
        if let Some(first) = self.calls.get(nth) {
            self.truncate(self.values.len().min(first.depth as usize));
            self.same_calls = self.same_calls.min(nth);
        }
        self.calls.drain(nth.min(self.calls.len())..).collect()
    }

    // ---- what is live

    /// The number of the set of all temporaries and pending calls on the stack.
    pub fn live(&mut self, sets: &mut LiveInterner) -> u32 {
        let mut value = self.same_values;
        let mut call = self.calls[..self.same_calls].partition_point(|call| call.depth as usize <= value);
        if let Some(next) = self.calls.get(call) {
            value = value.min(next.depth as usize);
        }
        sets.keep(value + call);
        let is_arg = |call: usize, value: usize| {
            let innermost = call.checked_sub(1).map(|innermost| &self.calls[innermost]);
            innermost.is_some_and(|call| value < (call.depth + call.passed) as usize)
        };
        let element = |call: usize, value: usize| match self.calls.get(call) {
            Some(open) if open.depth as usize <= value || value >= self.values.len() => {
                Some((true, Some(Live::Call(open.header))))
            }
            _ => self.values.get(value).map(|operand| match operand {
                Operand::Tmp(slot) if is_arg(call, value) => (false, Some(Live::Arg(*slot))),
                Operand::Tmp(slot) => (false, Some(Live::Value(*slot))),
                _ => (false, None),
            }),
        };
        while let Some((is_call, live)) = element(call, value) {
            sets.add(live);
            call += usize::from(is_call);
            value += usize::from(!is_call);
        }
        (self.same_values, self.same_calls) = (self.values.len(), self.calls.len());
        sets.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(stack: &mut Stack) {
        let depth = stack.len();
        let header = stack.slot(depth);
        let call = OpenCall { depth: depth as u32, header, ..OpenCall::default() };
        stack.open(call);
    }

    fn push(stack: &mut Stack) {
        let slot = stack.slot(stack.len());
        stack.push(Operand::Tmp(slot));
    }

    #[test]
    fn calls_come_before_the_values_that_they_were_opened_before() {
        let (mut stack, mut sets) = (Stack::default(), LiveInterner::default());
        push(&mut stack);
        open(&mut stack);
        open(&mut stack);
        push(&mut stack);
        let waits = stack.live(&mut sets);
        stack.passed();
        let passed = stack.live(&mut sets);
        stack.set(0, Operand::None);
        let without_first = stack.live(&mut sets);
        stack.pop();
        stack.close();
        push(&mut stack);
        let other = stack.live(&mut sets);
        let [outer, inner] = [Live::Call(1), Live::Call(1 + HEADER_CELLS)];
        let (first, second) = (Live::Value(0), 1 + 2 * HEADER_CELLS);
        assert_eq!(sets.sets.get(waits), [inner, outer, first, Live::Value(second)]);
        assert_eq!(sets.sets.get(passed), [Live::Arg(second), inner, outer, first]);
        assert_eq!(sets.sets.get(without_first), [Live::Arg(second), inner, outer]);
        assert_eq!(sets.sets.get(other), [outer, Live::Value(1 + HEADER_CELLS)]);
    }

    #[test]
    fn deep_calls_have_as_many_sets_as_levels() {
        let (mut stack, mut sets) = (Stack::default(), LiveInterner::default());
        for _ in 0..1000 {
            open(&mut stack);
            stack.live(&mut sets);
            push(&mut stack);
            stack.live(&mut sets);
        }
        let deepest = stack.live(&mut sets);
        for _ in 0..1000 {
            stack.pop();
            stack.live(&mut sets);
            stack.close();
            stack.live(&mut sets);
        }
        assert_eq!(deepest, 2000);
        open(&mut stack);
        push(&mut stack);
        stack.set(0, Operand::Tmp(7));
        assert_eq!(stack.live(&mut sets), 2001, "the next number after those of the levels");
    }
}
