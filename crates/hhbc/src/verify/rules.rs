//! The rules a unit must obey: `R1`..`R13` are the specification's verifiability rules (revision 17 numbering, with
//! the relaxations PHP 8 needs), `X1`.. are the checks that the specification leaves implicit.

macro_rules! rules {
    ($($rule:ident = $number:literal: $text:literal;)*) => {
        /// A verifiability rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule { $(#[doc = $text] $rule,)* }

        impl Rule {
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// The number that errors and documentation use.
            pub fn number(self) -> &'static str {
                match self { $(Rule::$rule => $number,)* }
            }

            /// What the rule demands.
            pub fn text(self) -> &'static str {
                match self { $(Rule::$rule => $text,)* }
            }
        }
    };
}

rules! {
    R1 = "1": "The evaluation stack has the same depth and flavours on every path to an instruction.";
    R2 = "2": "No instruction takes more values than there are, or values of another flavour. A cell or a var may stand for a return value.";
    R3 = "3": "The evaluation stack is empty at the start and end of a catch region and at a catch entry.";
    R4 = "4": "After an instruction that never falls through, an instruction that no forward branch reaches sees an empty stack.";
    R5 = "5": "RetC finds exactly one cell, RetV exactly one var, Unwind and NativeImpl nothing.";
    R6 = "6": "The primary body comes first, then the fault funclets; nothing jumps from one to another.";
    R7 = "7": "Each section ends in an instruction that never falls through; Unwind is for funclets, Ret* for the body.";
    R8 = "8": "Every FPush opens exactly one FPI region and every FCall closes exactly one; FPass only inside.";
    R9 = "9": "No jump leaves, enters or goes backward inside an FPI region; no Ret or Unwind inside one.";
    R10 = "10": "The same calls are pending on every path, and each path passes the arguments in order, all of them.";
    R11 = "11": "Nothing between FPush and FCall consumes what lay below the call; each FPass leaves only its argument.";
    R12 = "12": "An iterator's state is the same on every path; where it is initialised a fault funclet frees it.";
    R13 = "13": "IterInit finds its iterator uninitialised, IterNext and IterFree find it initialised and of their kind.";
    X1 = "X1": "Targets, regions, entries and line rows lie inside the code and in order.";
    X2 = "X2": "Every id lies inside its table and fits its use.";
    X3 = "X3": "max_stack covers the computed need, a pending call counting four.";
    X4 = "X4": "Protected regions nest, inner rows first, each in one section; catch entries are in the same section.";
    X5 = "X5": "CreateCont comes first in a generator, and only there; Yield comes after it.";
    X6 = "X6": "Every catch entry is a Catch, and Catch is reached in no other way.";
    X7 = "X7": "A member vector has members; `W` only where something is written.";
    X8 = "X8": "One DV entry per optional parameter, in ascending order, in the body.";
    X9 = "X9": "A switch has cases, and integers among them ascend.";
    X10 = "X10": "Unreachable code obeys the rules that need no flow.";
    X11 = "X11": "Silence starts and ends in pairs on every path, exceptions included.";
    X12 = "X12": "Types are well-formed.";
    X13 = "X13": "The evaluation of member lists and argument lists is proportional to the code.";
}
