//! Rows of instructions over values and memory: sections 1 to 7.

macro_rules! value_rows {
    () => {
        crate::table::engine::engine_rows! {
            1 "Checks and asserts" {
                /// Copies S0, which is of type T; takes the edge if it is not.
                CheckType [T] DRefineS(0), [s(GEN | CLS)], B | P, PURE;
                /// Takes the edge if S0 is a string and no null pointer: the answer of a helper that may have none.
                CheckNullptr [] ND, [s(COUNTED_STR | NULLPTR)], B, PURE;
                /// Copies S0, which is known to be of type T.
                AssertType [T] DRefineS(0), [s(GEN | CLS | CTX)], P, PURE;
                /// Takes the edge if the cell that S0 points to is not of type T.
                CheckTypeMem [T] ND, [s(PTR)], B, r(ALL);
                /// What the reference in a local is likely to hold.
                HintLocInner [T, Local] ND, [s(FRAME_PTR)], NF, PURE;
                /// What the reference in a temporary is likely to hold.
                HintStkInner [T, Tmp] ND, [s(FRAME_PTR)], NF, PURE;
                /// What the reference that the member base points to is likely to hold.
                HintMBaseInner [T] ND, [], NF, PURE;
                /// Takes the edge if the local is not of type T.
                CheckLoc [T, Local] ND, [s(FRAME_PTR)], B, r(FRAME);
                /// Takes the edge if the temporary is not of type T.
                CheckStk [T, Tmp] ND, [s(FRAME_PTR)], B, r(STK);
                /// Takes the edge if the cell that the member base points to is not of type T.
                CheckMBase [T] ND, [s(PTR)], B, r(ALL);
                /// The local is known to be of type T.
                AssertLoc [T, Local] ND, [s(FRAME_PTR)], NF, PURE;
                /// The temporary is known to be of type T.
                AssertStk [T, Tmp] ND, [s(FRAME_PTR)], NF, PURE;
                /// The cell that the member base points to is known to be of type T.
                AssertMBase [T] ND, [], NF, PURE;
                /// Takes the edge if S0 is unset.
                CheckInit [] ND, [s(GEN)], B, PURE;
                /// Takes the edge if the cell that S0 points to is unset.
                CheckInitMem [] ND, [s(PTR)], B, r(ALL);
                /// Takes the edge once this has run as often as the client's counter says.
                CheckCold [Site] ND, [], B, rw(VM, VM);
                /// The guards of the entry end here.
                EndGuards [] ND, [], NF, PURE;
                /// Copies S0; takes the edge if it is a null pointer.
                CheckNonNull [] DSubtract(0, NULLPTR), [s(NULLPTR | FUNC | PTR | TCA | CLS | CTX | STR)], B, PURE;
                /// Copies S0, which is known to be no null pointer.
                AssertNonNull [] DSubtract(0, NULLPTR), [s(NULLPTR | FUNC | STR)], P, PURE;
            }

            2 "Arithmetic" {
                /// Integer arithmetic that wraps around: the result is known to fit, or wrapping is wanted.
                AddInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                SubInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                MulInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                /// Integer arithmetic; takes the edge on overflow.
                AddIntO [] D(INT), [s(INT), s(INT)], B, PURE;
                SubIntO [] D(INT), [s(INT), s(INT)], B, PURE;
                MulIntO [] D(INT), [s(INT), s(INT)], B, PURE;
                /// IEEE 754 arithmetic. Division by zero gives an infinity or NaN; PHP's throws, so it needs a check before.
                AddDbl [] D(DBL), [s(DBL), s(DBL)], NF, PURE;
                SubDbl [] D(DBL), [s(DBL), s(DBL)], NF, PURE;
                MulDbl [] D(DBL), [s(DBL), s(DBL)], NF, PURE;
                DivDbl [] D(DBL), [s(DBL), s(DBL)], NF, PURE;
                /// Quotient without remainder; S1 is neither zero nor does it leave a remainder, and the quotient fits.
                DivInt [] D(INT), [s(INT), s(INT)], PINNED, PURE;
                /// Functions of floats.
                Floor [] D(DBL), [s(DBL)], NF, PURE;
                Ceil [] D(DBL), [s(DBL)], NF, PURE;
                AbsDbl [] D(DBL), [s(DBL)], NF, PURE;
                Sqrt [] D(DBL), [s(DBL)], NF, PURE;
                /// Bitwise operations.
                AndInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                OrInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                XorInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                /// Shifts by 0 to 63 bits; to the right, the sign comes in.
                Shl [] D(INT), [s(INT), s(INT)], PINNED, PURE;
                Shr [] D(INT), [s(INT), s(INT)], PINNED, PURE;
                /// Exclusive or; with true, negation.
                XorBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                /// Remainder with the sign of S0; S1 is neither 0 nor -1.
                Mod [] D(INT), [s(INT), s(INT)], PINNED, PURE;
            }

            3 "Type conversions" {
                /// An array of the value.
                ConvBoolToArr [] D(ARR), [s(BOOL)], PRC, HELPER;
                ConvDblToArr [] D(ARR), [s(DBL)], PRC, HELPER;
                ConvIntToArr [] D(ARR), [s(INT)], PRC, HELPER;
                /// PHP's conversion of a value, which is consumed, to an array.
                ConvObjToArr [] D(ARR), [s(OBJ)], ER | PRC | CRC, USER;
                ConvStrToArr [] D(ARR), [s(STR)], PRC | CRC, PURE;
                ConvCellToArr [] D(ARR), [s(CELL)], ER | PRC | CRC, USER;
                /// PHP's conversion to a boolean.
                ConvArrToBool [] D(BOOL), [s(ARR)], NF, r(HDR);
                ConvDblToBool [] D(BOOL), [s(DBL)], NF, r(HDR);
                ConvIntToBool [] D(BOOL), [s(INT)], NF, r(HDR);
                ConvStrToBool [] D(BOOL), [s(STR)], NF, r(HDR);
                /// PHP's conversion to a boolean, which an object's class may decide.
                ConvObjToBool [] D(BOOL), [s(OBJ)], ER, USER;
                ConvCellToBool [] D(BOOL), [s(CELL)], ER, USER;
                /// PHP's conversion to a float.
                ConvArrToDbl [] D(DBL), [s(ARR)], NF, r(HDR);
                ConvBoolToDbl [] D(DBL), [s(BOOL)], NF, PURE;
                ConvIntToDbl [] D(DBL), [s(INT)], NF, PURE;
                ConvResToDbl [] D(DBL), [s(RES)], NF, PURE;
                /// PHP's conversion of a string to a float, without a warning.
                ConvStrToDbl [] D(DBL), [s(STR)], NF, r(HDR);
                /// PHP's conversion to a float, which may warn.
                ConvObjToDbl [] D(DBL), [s(OBJ)], ER, USER;
                ConvCellToDbl [] D(DBL), [s(CELL)], ER, USER;
                /// PHP's conversion to an integer.
                ConvBoolToInt [] D(INT), [s(BOOL)], NF, PURE;
                ConvResToInt [] D(INT), [s(RES)], NF, PURE;
                /// PHP's conversion of a float to an integer: towards zero, modulo 2 to the 64th; infinities and NaN give 0.
                ConvDblToInt [] D(INT), [s(DBL)], NF, PURE;
                /// PHP's conversion of a string to an integer, without a warning.
                ConvStrToInt [] D(INT), [s(STR)], NF, r(HDR);
                /// PHP's conversion to an integer, which may warn.
                ConvObjToInt [] D(INT), [s(OBJ)], ER, USER;
                ConvCellToInt [] D(INT), [s(CELL)], ER, USER;
                /// PHP's conversion to an object.
                ConvCellToObj [] D(OBJ), [s(CELL)], ER | CRC | PRC, USER;
                /// PHP's conversion to a string.
                ConvDblToStr [] D(STR), [s(DBL)], PRC, HELPER;
                ConvIntToStr [] D(STR), [s(INT)], PRC, HELPER;
                /// PHP's conversion to a string, which may run `__toString`.
                ConvObjToStr [] D(STR), [s(OBJ)], PRC | ER, USER;
                ConvResToStr [] D(STR), [s(RES)], PRC | ER, USER;
                ConvCellToStr [] D(STR), [s(CELL)], PRC | ER, USER;
                /// A class as the context of a static call.
                ConvClsToCctx [] D(CCTX), [s(CLS)], NF, PURE;
                /// The first byte of a string, 0 if it is empty.
                OrdStr [] D(INT), [s(STR)], NF, r(HDR);
                /// The byte of S0 at position S1; warns if there is none.
                OrdStrIdx [] D(INT), [s(STR), s(INT)], ER, USER;
                /// The one-byte string of S0 modulo 256.
                ChrInt [] D(STATIC_STR), [s(INT)], NF, PURE;
                /// The integer that string S0 is as an array key; else the string.
                StrictlyIntegerConv [] D(STR | INT), [s(STR)], PRC, r(HDR);
            }

            4 "Boolean predicates" {
                /// Comparison of integers; Cmp gives -1, 0 or 1.
                GtInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                GteInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                LtInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                LteInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                EqInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                NeqInt [] D(BOOL), [s(INT), s(INT)], NF, PURE;
                CmpInt [] D(INT), [s(INT), s(INT)], NF, PURE;
                /// Comparison of floats; with NaN only Neq is true, and Cmp gives 1.
                GtDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                GteDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                LtDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                LteDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                EqDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                NeqDbl [] D(BOOL), [s(DBL), s(DBL)], NF, PURE;
                CmpDbl [] D(INT), [s(DBL), s(DBL)], NF, PURE;
                /// Comparison of strings: numeric ones as numbers, except by Same.
                GtStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                GteStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                LtStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                LteStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                EqStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                NeqStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                SameStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                NSameStr [] D(BOOL), [s(STR), s(STR)], NF, r(HDR);
                CmpStr [] D(INT), [s(STR), s(STR)], NF, r(HDR);
                /// Comparison of a string with an integer.
                GtStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                GteStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                LtStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                LteStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                EqStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                NeqStrInt [] D(BOOL), [s(STR), s(INT)], NF, r(HDR);
                CmpStrInt [] D(INT), [s(STR), s(INT)], NF, r(HDR);
                /// Comparison of booleans.
                GtBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                GteBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                LtBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                LteBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                EqBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                NeqBool [] D(BOOL), [s(BOOL), s(BOOL)], NF, PURE;
                CmpBool [] D(INT), [s(BOOL), s(BOOL)], NF, PURE;
                /// Comparison of objects, which may compare properties.
                GtObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                GteObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                LtObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                LteObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                EqObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                NeqObj [] D(BOOL), [s(OBJ), s(OBJ)], ER, USER;
                CmpObj [] D(INT), [s(OBJ), s(OBJ)], ER, USER;
                /// Whether two objects are the same.
                SameObj [] D(BOOL), [s(OBJ), s(OBJ)], NF, PURE;
                NSameObj [] D(BOOL), [s(OBJ), s(OBJ)], NF, PURE;
                /// Comparison of arrays.
                GtArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                GteArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                LtArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                LteArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                EqArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                NeqArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                SameArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                NSameArr [] D(BOOL), [s(ARR), s(ARR)], ER, USER;
                CmpArr [] D(INT), [s(ARR), s(ARR)], ER, USER;
                /// Comparison of resources by number.
                GtRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                GteRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                LtRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                LteRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                EqRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                NeqRes [] D(BOOL), [s(RES), s(RES)], NF, PURE;
                CmpRes [] D(INT), [s(RES), s(RES)], NF, PURE;
                /// Whether two classes are the same.
                EqCls [] D(BOOL), [s(CLS), s(CLS)], NF, PURE;
                /// Whether two functions are the same.
                EqFunc [] D(BOOL), [s(FUNC), s(FUNC)], NF, PURE;
                /// Whether two strings lie at the same place.
                EqStrPtr [] D(BOOL), [s(STR), s(STR)], NF, PURE;
                /// Whether two arrays lie at the same place.
                EqArrayDataPtr [] D(BOOL), [s(ARR), s(ARR)], NF, PURE;
                /// Whether class S0 is, inherits from or implements S1; a null pointer stands for a class that is not there.
                InstanceOf [] D(BOOL), [s(CLS), s(CLS | NULLPTR)], NF, PURE;
                /// Whether class S0 implements interface S1.
                InstanceOfIface [] D(BOOL), [s(CLS), c(CLS)], NF, PURE;
                /// Whether class S0 is class S1, no interface, or inherits from it.
                ExtendsClass [] D(BOOL), [s(CLS), c(CLS)], NF, PURE;
                /// Whether the class of S0 has `__toString`.
                HasToString [] D(BOOL), [s(OBJ)], NF, PURE;
                /// Whether S0 is, or is not, of type T.
                IsType [T] D(BOOL), [s(GEN)], NF, PURE;
                IsNType [T] D(BOOL), [s(GEN)], NF, PURE;
                /// Whether the cell that S0 points to is, or is not, of type T.
                IsTypeMem [T] D(BOOL), [s(PTR)], NF, r(ALL);
                IsNTypeMem [T] D(BOOL), [s(PTR)], NF, r(ALL);
                /// Whether S0 is a boolean, integer, float or string.
                IsScalarType [] D(BOOL), [s(CELL)], NF, PURE;
            }

            5 "Branches" {
                /// Takes the edge if S0 is false or zero (JmpZero), or if it is neither (JmpNZero).
                JmpZero [] ND, [s(INT | BOOL)], B, PURE;
                JmpNZero [] ND, [s(INT | BOOL)], B, PURE;
                /// Leaves the unit to address S0.
                JmpSSwitchDest [] ND, [s(TCA), s(FRAME_PTR)], T, r(ALL);
                /// Leaves the unit through a table at index S0, which the table has.
                JmpSwitchDest [Site] ND, [s(INT), s(FRAME_PTR)], T, r(ALL);
                /// Takes the edge if the engine wants attention: because of a time limit, the cycle collector, or a signal.
                CheckSurpriseFlags [] ND, [s(FRAME_PTR)], B, rw(VM, VM);
                /// Tells an observer of a return.
                ReturnHook [] ND, [s(FRAME_PTR), s(GEN)], ER, USER;
                /// Tells an observer of a generator's creation.
                SuspendHookCreateCont [] ND, [s(FRAME_PTR), s(OBJ)], ER, USER;
                /// Tells an observer of a yield.
                SuspendHookYield [] ND, [s(FRAME_PTR)], ER, USER;
                /// Control does not get here.
                Unreachable [] ND, [], T, PURE;
                /// The end of a unit in tests: stops without a state.
                EndBlock [] ND, [], T, r(ALL);
                /// Goes to a block, whose parameters become the sources.
                Jmp [] ND, [many(TOP)], B | T, PURE;
                /// S1 if S0 is true or not zero, else S2.
                Select [] DUnion(1, 2), [s(BOOL | INT), s(TOP), s(TOP)], NF, PURE;
            }

            6 "Reference manipulation" {
                /// A new reference that holds S0, or null if S0 is unset.
                Box [] D(BOXED), [s(CELL)], CRC | PRC, HELPER;
                /// S0, or, if a reference lies there, a pointer to the cell inside of it.
                UnboxPtr [] D(PTR), [s(PTR)], NF, r(ALL);
                /// S0, where a cell that is no reference has become one.
                BoxPtr [] D(PTR), [s(PTR)], NF, rw(ALL, FRAME | STK | HEAP);
            }

            7 "Loads" {
                /// The value of a temporary, of type T.
                LdStk [T, Tmp] DParam(GEN), [s(FRAME_PTR)], NF, r(STK);
                /// The value of a local, of type T.
                LdLoc [T, Local] DParam(GEN), [s(FRAME_PTR)], NF, r(FRAME);
                /// The value of a local, if it is of type T; takes the edge if it is not. For the global scope, whose locals
                /// others can change.
                LdLocPseudoMain [T, Local] DParam(GEN), [s(FRAME_PTR)], B, r(FRAME);
                /// The address of a temporary.
                LdStkAddr [Tmp] D(PTR_STK), [s(FRAME_PTR)], NF, PURE;
                /// The address of a local.
                LdLocAddr [Local] D(PTR_FRAME), [s(FRAME_PTR)], NF, PURE;
                /// The address S0 as that of a cell with a static address, which holds a T.
                LdRDSAddr [T] DParamPtr(PTR_STATIC), [s(INT)], NF, PURE;
                /// The value of the cell that S0 points to, of type T.
                LdMem [T] DParam(GEN), [s(PTR)], PINNED, r(ALL);
                /// A field of Generator S0.
                LdContField [T, Offset] DParam(GEN), [s(OBJ)], NF, r(CTXT);
                /// The cell S1 bytes behind S0, of type T.
                LdElem [T] DParam(GEN), [s(PTR), s(INT)], PINNED, r(ELEM);
                /// Takes the edge if what reference S0 holds is not of type T.
                CheckRefInner [T] ND, [s(BOXED)], B, r(REF);
                /// What reference S0 holds, of type T.
                LdRef [T] DParam(CELL), [s(BOXED)], PINNED, r(REF);
                /// `$this` or the class of the static context.
                LdCtx [T] DParam(CTX | NULLPTR), [s(FRAME_PTR)], NF, r(CTXT);
                /// The class of the static context, in a static method.
                LdCctx [] D(CCTX), [s(FRAME_PTR)], NF, r(CTXT);
                /// The closure that runs.
                LdClosure [T] DParam(CTX), [s(FRAME_PTR)], NF, r(CTXT);
                /// Takes the edge if S0 is no object.
                CheckCtxThis [] ND, [s(CTX | NULLPTR)], B, PURE;
                /// The class of an object or context.
                LdClsCtx [] DLoadCls(0), [s(CTX)], NF, PURE;
                /// The class of a context.
                LdClsCctx [] D(CLS), [s(CCTX)], NF, PURE;
                /// The constructor of class S0, which may be called from here.
                LdClsCtor [] D(FUNC), [s(CLS), s(FRAME_PTR)], ER, USER;
                /// A constant; constants stand outside of blocks.
                DefConst [T] DParam(TOP), [], NF, PURE;
                /// Any value of type T, in tests.
                Conjure [T] DParam(TOP), [], NF, r(ALL);
                /// A use of S0, in tests.
                ConjureUse [] ND, [s(TOP)], NF, w(VM);
                /// The class named S0, seen from class S1; it may be loaded.
                LdCls [] D(CLS), [s(STR), c(CLS)], ER, USER;
                /// The class of a name; it may be loaded.
                LdClsCached [Lit] D(CLS), [], ER, USER;
                /// The class of a name; takes the edge if it is not there.
                LdClsCachedSafe [Lit] D(CLS), [], B, r(VM);
                /// The class named S0, or a null pointer.
                LookupClsRDS [] D(CLS | NULLPTR), [s(STR)], NF, r(VM);
                /// The constant of a name; takes the edge if it is not there.
                LdCns [T, Lit] DParam(CELL), [], B, r(STATIC);
                /// The constant of a name; throws if it is not there.
                LookupCnsE [Lit] D(CELL), [], ER | PRC, USER;
                /// The constant of a name, or else of another name.
                LookupCnsU [Lit, Lit] D(CELL), [], ER | PRC, USER;
                /// The address of a class's constant; takes the edge if it has no value yet.
                LdClsCns [Lit, Lit] D(PTR_STATIC), [], B, r(STATIC);
                /// The address of the constant in a slot of class S0.
                LdSubClsCns [Lit, Pos] D(PTR_STATIC), [s(CLS)], PINNED, r(STATIC);
                /// Takes the edge if that slot of S0 has no constant of this name.
                CheckSubClsCns [Lit, Pos] ND, [s(CLS)], B, PURE;
                /// The method of a forwarding static call from its cache; takes the edge if that is empty.
                LdClsMethodFCacheFunc [Lit, Lit] D(FUNC), [], B, r(VM);
                /// The method of a forwarding static call.
                LookupClsMethodFCache [Lit, Lit] D(FUNC | NULLPTR), [c(CLS), s(FRAME_PTR)], ER, USER;
                /// Takes the edge if function S0 is static.
                CheckFuncStatic [] ND, [s(FUNC)], B, PURE;
                /// The context that a forwarding call passes on.
                FwdCtxStaticCall [] D(CCTX), [s(CTX)], NF, PURE;
                /// The method of a static call from its cache; takes the edge if that is empty.
                LdClsMethodCacheFunc [Lit, Lit] D(FUNC), [], B, r(VM);
                /// The class of a static call from its cache.
                LdClsMethodCacheCls [Lit, Lit] D(CCTX), [], NF, r(VM);
                /// The method of a static call.
                LookupClsMethodCache [Lit, Lit] D(FUNC | NULLPTR), [s(FRAME_PTR)], ER, USER;
                /// The method in a slot of class S0.
                LdClsMethod [Pos] D(FUNC), [s(CLS | CCTX)], PINNED, PURE;
                /// Method S1 of class S0.
                LookupClsMethod [] D(FUNC), [s(CLS), s(STR), s(FRAME_PTR)], ER, USER;
                /// The address of the property so many bytes into object S0.
                LdPropAddr [T, Offset] DParamPtr(PTR_PROP), [s(OBJ)], NF, PURE;
                /// The address of the global named S0; takes the edge if there is none.
                LdGblAddr [] D(PTR_STATIC), [s(STR)], B, r(VM);
                /// The address of the global named S0, which is made if there is none.
                LdGblAddrDef [] D(PTR_STATIC), [s(STR)], NF, rw(VM, VM);
                /// The address of static property S1 of class S0, seen from S2.
                LdClsPropAddrOrNull [] D(PTR_STATIC | NULLPTR), [s(CLS), s(STR), c(CLS)], ER, USER;
                LdClsPropAddrOrRaise [] D(PTR_STATIC), [s(CLS), s(STR), c(CLS)], ER, USER;
                /// The method of a name of class S0, through a cache.
                LdObjMethod [Lit, Site] D(FUNC), [s(CLS)], ER, USER;
                /// `__invoke` of class S0; takes the edge if it has none.
                LdObjInvoke [] D(FUNC), [s(CLS)], B, PURE;
                /// The class of object S0.
                LdObjClass [] DLoadCls(0), [s(OBJ)], NF, PURE;
                /// The name of a class.
                LdClsName [] D(STATIC_STR), [s(CLS)], NF, PURE;
                /// The function named S0.
                LdFunc [] D(FUNC), [s(STR)], ER, USER;
                /// The function of a name; throws if there is none.
                LdFuncCached [Lit] D(FUNC), [], ER, USER;
                /// The function of a name, or else of another name.
                LdFuncCachedU [Lit, Lit] D(FUNC), [], ER, USER;
                /// The function of a name; takes the edge if there is none.
                LdFuncCachedSafe [Lit] D(FUNC), [], B, r(VM);
                /// How many arguments the frame got.
                LdARNumParams [] D(INT), [s(FRAME_PTR)], NF, r(CTXT);
                /// How many parameters a function has.
                LdFuncNumParams [] D(INT), [s(FUNC)], NF, PURE;
                /// The length of a string.
                LdStrLen [] D(INT), [s(STR)], NF, r(HDR);
                /// The reference of a static variable that has been initialised.
                LdStaticLoc [Site] D(BOXED), [], PRC, r(STATIC);
            }
        }
    };
}
pub(crate) use value_rows;
