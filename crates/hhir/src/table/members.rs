//! Rows of member instructions, exceptions, prologues, and of those that the specification lacks: sections 18 to 21.

macro_rules! member_rows {
    ($($before:tt)*) => {
        crate::ops::instructions! {
            $($before)*
            18 "Member instruction support" {
                /// The address of a scratch cell of member operations.
                LdMIStateAddr [Offset] D(PTR_MIS), [], NF, PURE;
                /// The member base.
                LdMBase [T] DParam(PTR), [], NF, r(VM);
                /// Sets the member base.
                StMBase [] ND, [s(PTR)], NF, w(VM);
                /// A member operation ends here.
                FinishMemberOp [] ND, [], NF, PURE;
                /// The global named S0 as a base.
                BaseG [] D(PTR_MEMB), [s(STR)], ER, USER;
                /// Property S1 of S0 on the way to something else.
                PropX [] D(PTR_MEMB), [s(OBJ | PTR), s(CELL), s(PTR_MIS)], ER, USER;
                /// Property S1 of S0 on the way to something else; properties of null are null.
                PropQ [] D(PTR_MEMB), [s(OBJ | PTR), s(STR), s(PTR_MIS)], ER, USER;
                /// Property S1 of S0 on the way to something that is to be written.
                PropDX [] D(PTR_MEMB), [s(OBJ | PTR), s(CELL), s(PTR_MIS)], MPROP | ER, rw(ALL, ALL);
                /// Property S1 of S0.
                CGetProp [] D(CELL), [s(OBJ | PTR), s(CELL)], PRC | ER, USER;
                CGetPropQ [] D(CELL), [s(OBJ | PTR), s(STR)], PRC | ER, USER;
                /// A reference to property S1 of S0.
                VGetProp [] D(BOXED), [s(OBJ | PTR), s(CELL)], MPROP | PRC | ER, rw(ALL, ALL);
                /// Makes property S1 of S0 the reference S2.
                BindProp [] ND, [s(OBJ | PTR), s(CELL), s(BOXED)], MPROP | ER, rw(ALL, ALL);
                /// Sets property S1 of S0 to S2.
                SetProp [] ND, [s(OBJ | PTR), s(CELL), s(CELL)], MPROP | ER, rw(ALL, ALL);
                /// Unsets property S1 of S0.
                UnsetProp [] ND, [s(OBJ | PTR), s(CELL)], ER, USER;
                /// Property S1 of S0 OP= S2.
                SetOpProp [SubOp] D(CELL), [s(OBJ | PTR), s(CELL), s(CELL)], MPROP | PRC | ER, rw(ALL, ALL);
                /// Property S1 of S0 up or down by one.
                IncDecProp [SubOp] D(CELL), [s(OBJ | PTR), s(CELL)], MPROP | PRC | ER, rw(ALL, ALL);
                /// Whether property S1 of S0 is empty, or set.
                EmptyProp [] D(BOOL), [s(OBJ | PTR), s(CELL)], ER, USER;
                IssetProp [] D(BOOL), [s(OBJ | PTR), s(CELL)], ER, USER;
                /// Element S1 of S0 on the way to something else.
                ElemX [] D(PTR_MEMB), [s(PTR), s(CELL), s(PTR_MIS)], ER, USER;
                /// Takes the edge unless hash table S0 has key S1 at a position.
                CheckMixedArrayOffset [Pos] ND, [s(ARR), s(INT | STR)], B, r(HDR | ELEM);
                /// Takes the edge if array or reference S0 has more than one holder.
                CheckArrayCOW [] ND, [s(ARR | BOXED)], B, r(RC);
                /// Element S1 of array S0 on the way to something else; W warns if it is not there.
                ElemArray [] D(PTR_MEMB), [s(ARR), s(INT | STR)], ER, USER;
                ElemArrayW [] D(PTR_MEMB), [s(ARR), s(INT | STR)], ER, USER;
                /// Element S1 of the array that S0 points to, on the way to something that is to be written.
                ElemArrayD [T] D(PTR_ELEM), [s(PTR), s(INT | STR)], MELEM | ER, rw(ALL, ALL);
                /// Element S1 of the array that S0 points to, on the way to something that is to be unset.
                ElemArrayU [T] D(PTR_MEMB), [s(PTR), s(INT | STR)], MELEM | ER, rw(ALL, ALL);
                /// The element of hash table S0 at a position, which CheckMixedArrayOffset has found.
                ElemMixedArrayK [Pos] D(PTR_ELEM), [s(ARR), s(INT | STR)], PINNED, r(HDR);
                /// Element S1 of S0 on the way to something that is to be written, or unset.
                ElemDX [] D(PTR_MEMB), [s(PTR), s(CELL), s(PTR_MIS)], MELEM | ER, rw(ALL, ALL);
                ElemUX [] D(PTR_MEMB), [s(PTR), s(CELL), s(PTR_MIS)], MELEM | ER, rw(ALL, ALL);
                /// Element S1 of array S0; warns if there is none. No reference is taken.
                ArrayGet [] DArrElem(0), [s(ARR), s(INT | STR)], ER, USER;
                /// The element of hash table S0 at a position, which CheckMixedArrayOffset has found. No reference is taken.
                MixedArrayGetK [Pos] DArrElem(0), [s(ARR), s(INT | STR)], PINNED, r(HDR | ELEM);
                /// The byte of S0 at S1 as a string; warns if there is none.
                StringGet [] D(STATIC_STR), [s(STR), s(INT)], ER, USER;
                /// Element S1 of S0.
                CGetElem [] D(CELL), [s(PTR), s(CELL)], PRC | ER, USER;
                /// A reference to element S1 of S0.
                VGetElem [] D(BOXED), [s(PTR), s(CELL)], MELEM | PRC | ER, rw(ALL, ALL);
                /// Makes element S1 of S0 the reference S2.
                BindElem [] ND, [s(PTR), s(CELL), s(BOXED)], MELEM | ER, rw(ALL, ALL);
                /// Array S0, which is consumed, with S2, which is consumed too, at key S1.
                ArraySet [] D(ARR), [s(ARR), s(INT | STR), s(CELL)], PRC | CRC | ER, USER;
                /// Array S0, which is consumed, with S2, which is consumed too, at key S1; reference S3 holds the array and
                /// gets the result.
                ArraySetRef [] ND, [s(ARR), s(INT | STR), s(CELL), s(BOXED)], CRC | ER, USER;
                /// Sets element S1 of S0 to S2; the byte as a string if S0 holds a string.
                SetElem [] D(STR | NULLPTR), [s(PTR), s(CELL), s(CELL)], MELEM | PRC | ER, rw(ALL, ALL);
                /// Unsets element S1 of S0.
                UnsetElem [] ND, [s(PTR), s(CELL)], MELEM | ER, rw(ALL, ALL);
                /// Element S1 of S0 OP= S2.
                SetOpElem [SubOp] D(CELL), [s(PTR), s(CELL), s(CELL)], MELEM | PRC | ER, rw(ALL, ALL);
                /// Element S1 of S0 up or down by one.
                IncDecElem [SubOp] D(CELL), [s(PTR), s(CELL)], MELEM | PRC | ER, rw(ALL, ALL);
                /// Appends S1 to S0.
                SetNewElem [] ND, [s(PTR), s(CELL)], MELEM | ER, rw(ALL, ALL);
                /// Appends S1 to the array that S0 points to.
                SetNewElemArray [] ND, [s(PTR), s(CELL)], MELEM | ER, rw(ALL, ALL);
                /// Appends reference S1 to S0.
                BindNewElem [] ND, [s(PTR), s(BOXED)], MELEM | ER, rw(ALL, ALL);
                /// Whether array S0 has something but null at key S1.
                ArrayIsset [] D(BOOL), [s(ARR), s(INT | STR)], NF, r(HDR | ELEM | REF);
                /// Whether string S0 has a byte at S1.
                StringIsset [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                /// Whether element S1 of S0 is set, or empty.
                IssetElem [] D(BOOL), [s(PTR), s(CELL)], ER, USER;
                EmptyElem [] D(BOOL), [s(PTR), s(CELL)], ER, USER;
                /// Whether 0 <= S0 < S1.
                CheckRange [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                /// Throws an Error.
                ThrowInvalidOperation [] ND, [s(STR)], ER | T, USER;
                /// Throws an ArithmeticError.
                ThrowArithmeticError [] ND, [s(STR)], ER | T, USER;
                /// Throws a DivisionByZeroError.
                ThrowDivisionByZeroError [] ND, [s(STR)], ER | T, USER;
                /// Takes the edge if packed array S0 has no place S1; a place may be a hole.
                CheckPackedArrayDataBounds [] ND, [s(ARR), s(INT)], B, r(HDR);
                /// The address of place S1 of packed array S0, which has it.
                LdPackedArrayDataElemAddr [T] DParamPtr(PTR_ELEM), [s(ARR), s(INT)], NF, r(HDR);
                /// Makes room for one more element in packed array S0, which has just one holder, and gives its place; takes
                /// the edge if there is no room. With flag 1 the array grows then.
                ReservePackedArrayDataNewElem [Flag] D(INT), [s(ARR)], B, rw(HDR, HDR);
            }

            19 "Exceptions" {
                /// A catch block starts here: an exception is pending.
                BeginCatch [] ND, [], NF, PURE;
                /// Hands the pending exception to the interpreter.
                EndCatch [] ND, [s(FRAME_PTR)], B | T, r(ALL);
            }

            20 "Function prologues" {
                /// Links a new frame to its caller.
                EnterFrame [] ND, [s(FRAME_PTR)], NF, w(CTXT);
                /// Throws if the stack is full.
                CheckStackOverflow [] ND, [s(FRAME_PTR)], ER, rw(VM, VM);
                /// Puts arguments that have no parameter aside.
                InitExtraArgs [Count] ND, [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | CTXT);
                /// Gives a new frame its context.
                InitCtx [] ND, [s(FRAME_PTR), s(CTX | NULLPTR)], CRC, w(CTXT);
                /// Serves the engine's wants at a function's entry.
                CheckSurpriseFlagsEnter [Count] ND, [s(FRAME_PTR)], ER, USER;
                /// Both of CheckStackOverflow and CheckSurpriseFlagsEnter in one comparison.
                CheckSurpriseAndStack [Count] ND, [s(FRAME_PTR)], ER, USER;
            }

            21 "Not in the specification" {
                /// Copies array S0; takes the edge if it is not laid out so. A layout stays for as long as the array is the
                /// same: operations that change it make a new value.
                CheckArrKind [Kind] DRefineArr(0), [s(ARR)], B | P, PURE;
                /// Copies array S0; takes the edge if it is not an unboxed list of this kind. Code that does not know unboxed
                /// lists converts an array to cells in place, so the copy is valid until the next call only.
                CheckUnboxed [Kind] DRefineArr(0), [s(ARR)], B | P, r(HDR);
                /// Whether array S0 is laid out so.
                IsArrKind [Kind] D(BOOL), [s(ARR)], NF, PURE;
                /// Takes the edge if string S0 has more than one holder or is static.
                CheckStrCOW [] ND, [s(STR)], B, r(RC);
                /// Takes the edge once an assumption of the client's no longer holds; costs nothing before.
                PatchPoint [Site] ND, [], B, PURE;
                /// Takes the edge if the word at address S0, of an inline cache that was filled by a name, is not S1. What a name
                /// means is settled once in a request, so a word that was S1 stays so as long as the unit runs.
                CheckCacheWord [] ND, [s(INT), s(INT)], B, PURE;
                /// Takes the edge if destructors of what was freed wait for a place where PHP code can run.
                CheckDestructors [] ND, [], B, rw(VM, VM);
                /// The byte of string S0 at position S1, which it has.
                LdStrByte [] D(INT), [s(STR), s(INT)], PINNED, r(HDR);
                /// How many places packed array S0 has, holes included.
                LdPackedSize [] D(INT), [s(ARR)], NF, r(HDR);
                /// The value at place S1 of packed array S0, which has that place; the value is known to be of type T.
                LdPackedElem [T] DParam(GEN), [s(ARR), s(INT)], PINNED, r(ELEM);
                /// The value at place S1 of packed array S0, which has that place; takes the edge if the value is not of type
                /// T.
                CheckPackedElem [T] DParam(GEN), [s(ARR), s(INT)], PINNED | B, r(ELEM);
                /// Stores S2 at place S1 of packed array S0, which has that place and just one holder.
                StPackedElem [] ND, [s(ARR), s(INT), s(CELL)], CRC, w(ELEM);
                /// The first position from S1 on at which hash table S0 has an element; takes the edge if there is none.
                NextTableElem [] D(INT), [s(ARR), s(INT)], B, r(HDR | ELEM);
                /// The first position from S1 on at which packed array S0 has an element; takes the edge if there is none.
                NextListElem [] D(INT), [s(ARR), s(INT)], B, r(HDR | ELEM);
                /// The address of the element at position S1 of hash table S0, which has it.
                LdTableElemAddr [] DParamPtr(PTR_ELEM), [s(ARR), s(INT)], PINNED, r(HDR);
                /// Takes the edge if the key at position S1 of hash table S0, which has it, is not of type T.
                CheckTableKey [T] ND, [s(ARR), s(INT)], PINNED | B, r(HDR | ELEM);
                /// The key at position S1 of hash table S0, known to be of type T. No reference is taken.
                LdTableKey [T] DParam(INT | STR), [s(ARR), s(INT)], PINNED, r(HDR | ELEM);
                /// The value at place S1 of an unboxed list, which has that place.
                LdPackedInt [] D(INT), [s(ARR), s(INT)], PINNED, r(ELEM);
                LdPackedDbl [] D(DBL), [s(ARR), s(INT)], PINNED, r(ELEM);
                LdPackedBool [] D(BOOL), [s(ARR), s(INT)], PINNED, r(ELEM);
                /// Stores S2 at place S1 of an unboxed list, which has that place and just one holder.
                StPackedInt [] ND, [s(ARR), s(INT), s(INT)], NF, w(ELEM);
                StPackedDbl [] ND, [s(ARR), s(INT), s(DBL)], NF, w(ELEM);
                StPackedBool [] ND, [s(ARR), s(INT), s(BOOL)], NF, w(ELEM);
                /// Stores number S1 where S0 points to a number of the same type.
                StMemPayload [] ND, [s(PTR), s(NUM)], NF, w(PROP | REF | STATIC);
                /// Quotient of integers; takes the edge if S1 is zero, something remains or the quotient does not fit.
                DivIntO [] D(INT), [s(INT), s(INT)], B, PURE;
                /// Remainder with the sign of S0; takes the edge if S1 is zero.
                ModO [] D(INT), [s(INT), s(INT)], B, PURE;
                /// PHP's shifts by any number of bits; takes the edge if S1 is negative.
                ShlO [] D(INT), [s(INT), s(INT)], B, PURE;
                ShrO [] D(INT), [s(INT), s(INT)], B, PURE;
                /// Changes the sign.
                NegDbl [] D(DBL), [s(DBL)], NF, PURE;
                /// The smaller, or larger, of two integers.
                MinInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                MaxInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                /// The integer that a float is; takes the edge if it has a fraction or does not fit.
                ConvDblToIntO [] D(INT), [s(DBL)], B, PURE;
                /// S0 OP S1 for any values; the operator is HHBC's.
                BinaryCell [SubOp] D(INIT_CELL), [s(CELL), s(CELL)], ER | PRC, USER;
                /// Comparison of any values.
                CompareCell [SubOp] D(BOOL | INT), [s(CELL), s(CELL)], ER, USER;
                /// OP S0 for any value.
                UnaryCell [SubOp] D(INIT_CELL), [s(CELL)], ER | PRC, USER;
                /// The parameter that a function's compiled code got in a register; the largest number stands for its object or
                /// class.
                LdArg [T, Local] DParam(GEN | CLS), [s(FRAME_PTR)], NF, PURE;
                /// Takes the edge unless there is code at entry S1, room for a callee's frame of so many bytes whose header
                /// would lie at a cell, and nothing that wants attention.
                CheckRoom [Tmp, Count] ND, [s(FRAME_PTR), c(FUNC)], B, r(VM);
                /// Calls the code at entry S2, which is of function S1, with object or class S3 and the arguments behind it in
                /// registers; the caller keeps their references. The callee's header would lie at a cell; a result that is not
                /// of type T goes to the cell before the second number. Takes the edge if the callee took a side exit, or gave
                /// another type. The result's reference is the caller's. The third number has bits for the object and the
                /// arguments that are to be released behind the call, also if the callee took a side exit; the highest bit says
                /// that the callee is a constructor. The bits of the first number above the cell are flags of an implicit
                /// call's frame.
                CallUnit [T, Tmp, Count, Flag] DParam(GEN),
                    [s(FRAME_PTR), c(FUNC), c(FUNC), s(OBJ | CLS | NULLPTR), many(GEN)], ER | PRC, rw(ALL, HEAP | VM);
                /// Calls compiled code like CallUnit, for results of several types: the result goes to the cell before the
                /// second number, to which the instruction gives the address.
                CallUnitMem [Tmp, Count, Flag] D(PTR_STK),
                    [s(FRAME_PTR), c(FUNC), c(FUNC), s(OBJ | CLS | NULLPTR), many(GEN)], ER, rw(ALL, HEAP | VM | STK);
                /// Has the interpreter call function S1 with object or class S2 and the arguments behind it, which are
                /// consumed. The call's header lies at a cell; the result goes to the cell before the second number, to which
                /// the instruction gives the address. Flag 1: a constructor. Takes the edge behind the call if that is
                /// necessary afterwards. An integer S2 is the number of arguments that are in the frame, behind a header that
                /// is there, too.
                CallInterp [Tmp, Count, Flag] D(PTR_STK),
                    [s(FRAME_PTR), c(FUNC), s(OBJ | CLS | NULLPTR | INT), many(GEN)], ER | CRC, rw(ALL, HEAP | VM | STK);
                /// Has the interpreter execute one opline by function S1; its sources are in the frame, and so is its result,
                /// at the cell before the second number, to which the instruction gives the address. Takes the edge behind the
                /// opline if that is necessary afterwards.
                CallOpline [Opline, Tmp, Flag] D(PTR_STK),
                    [s(FRAME_PTR), c(FUNC)], ER, rw(ALL, HEAP | VM | STK | FRAME);
                /// Takes the edge unless the pending call whose header lies at a cell is of a function that takes no
                /// references.
                CheckPending [Tmp] ND, [s(FRAME_PTR)], B, r(STK);
                /// The object at an address, which lives as long as the unit. The numbers are the halves of the address.
                LdConstObj [Count, Count] D(OBJ), [], NF, PURE;
                /// Whether objects of class S0 have a property layout. The numbers are the halves of the layout's identity.
                HasLayout [Count, Count] D(BOOL), [s(CLS)], NF, PURE;
                /// Calls runtime function S0, which runs no PHP code, with number S1 and the values behind it. The result goes
                /// to the cell before the number, or to one outside of the frame, to which the instruction gives the address.
                /// Takes the edge if the function refuses.
                CallHelper [Tmp] D(PTR_STK), [c(FUNC), s(INT), many(GEN)], B, rw(ALL, HEAP | VM | STK);
                /// Calls a runtime function like CallHelper; the first value is consumed unless the function refuses.
                CallHelperTake [Tmp] D(PTR_STK), [c(FUNC), s(INT), many(GEN)], B | CRC, rw(ALL, HEAP | VM | STK);
                /// Calls a runtime function that changes the cell S2, with number S1 and the values behind the cell. Takes the
                /// edge if the function refuses.
                CallHelperMem [] ND, [c(FUNC), s(INT), s(PTR), many(GEN)], B, rw(ALL, HEAP | VM);
                /// The value in the cell S0, known to be of type T, with the reference that the cell has. The cell is dead from
                /// then on. A literal string gets a reference, as by CountStr.
                TakeMem [T] DParam(GEN), [s(PTR)], PRC, r(STK);
                /// String S0 with a reference, as a counted one; literals may be counted, but are never freed.
                CountStr [] D(COUNTED_STR), [s(STR)], PRC, rw(RC, RC);
                /// Releases a reference of S0; destructors of what is freed by that wait for CheckDestructors.
                DecRefFree [] ND, [s(GEN)], CRC, rw(RC, RC);
                /// Releases the reference in the cell that S0 points to, like DecRefFree. The cell is to be overwritten.
                DropMem [] ND, [s(PTR)], NF, rw(ALL, RC);
                /// Takes the edge unless the cell S0 of a property may be written: it holds no reference, and if it is unset,
                /// that is not for a special reason. With flag 1 it must be unset.
                CheckWritable [Flag] ND, [s(PTR)], B, r(ALL);
                /// A new object of class S0, which has no destructor, with its default properties; takes the edge if there is
                /// no memory.
                NewObj [] DAllocObj(0), [c(CLS)], PRC | B, HELPER;
                /// Moves the value in the cell S1 to a local in memory, whose old value is released; or to the reference that
                /// the local is.
                AssignLocMem [Local] ND, [s(FRAME_PTR), s(PTR)], NF, rw(ALL, HEAP | VM | FRAME);
                /// Returns S1 to the calling code, with its reference.
                RetUnit [] ND, [s(FRAME_PTR), s(GEN)], T | CRC, r(ALL);
                /// Returns the value in the cell S1 to the calling code; the cell's reference moves.
                RetMem [] ND, [s(FRAME_PTR), s(PTR)], T, r(ALL);
                /// The body of a generator yields S2 with key S1 to the code that has resumed it; a null pointer stands for the
                /// next integer. The generator goes on as the snapshot says, from the resume point at an address, of which the
                /// numbers are the halves.
                Yield [Count, Count] ND, [s(FRAME_PTR), s(CELL | NULLPTR), s(CELL)], T | CRC | ER, r(ALL);
                /// Resumes the generator of the iterator at a local; the second number is how many cells the frame has. Gives
                /// the address of the yielded value, which has a reference and is dead once the next value is asked for. Flag
                /// 1: the key is wanted, too. Takes the edge before the opline if the generator cannot be resumed by code, and
                /// in its body if the body's code takes a side exit.
                ContNext [Local, Count, Flag] D(PTR_STK), [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | STK);
                /// Calls builtin method S1, which resumes generator S2, with value S3 if that is no null pointer. The call's
                /// header lies at a cell; behind the cell before the second number the stack is free. The result and the edge
                /// are as with ContNext. The caller keeps the value's reference.
                ContSend [Tmp, Count] D(PTR_STK), [s(FRAME_PTR), c(FUNC), s(OBJ), s(CELL | NULLPTR)], ER,
                    rw(ALL, HEAP | VM | STK);
                /// The address of the key that belongs to the value at S0, which ContNext has given.
                LdContKeyAddr [] D(PTR_STK), [s(PTR)], NF, PURE;
                /// Calls compiled code of function S1 with the arguments behind it in registers; they are consumed.
                CallFast [T, Site] DParam(GEN), [s(FRAME_PTR), c(FUNC), many(GEN)], ER | PRC | CRC, rw(ALL, HEAP | VM | STK);
            }
        }
    };
}
pub(crate) use member_rows;
