//! The instruction table: every instruction of HHIR is declared here, once. Names, printer, parser, verifier, effects
//! and `docs/hhir.md` derive from it.
//!
//! A row is `Name [immediates] result, [sources], flags, effects;`. A row without a comment is like the one before.
//! Sources are `S0`, `S1`, ... in comments; "leaves" means that control takes the edge: to a block, or out of the unit
//! with a snapshot.

use crate::ops::Dst::*;
use crate::ops::*;
use crate::types::*;

instructions! {
    1 "Checks and asserts" {
        /// Copies S0, which is of type T; leaves if it is not.
        CheckType [T] DRefineS(0), [s(GEN | CLS)], B | P, PURE;
        /// Leaves if S0 is a string and no null pointer: the answer of a helper that may have none.
        CheckNullptr [] ND, [s(COUNTED_STR | NULLPTR)], B, PURE;
        /// Copies S0, which is known to be of type T.
        AssertType [T] DRefineS(0), [s(GEN | CLS | CTX)], P, PURE;
        /// Leaves if the cell that S0 points to is not of type T.
        CheckTypeMem [T] ND, [s(PTR)], B, r(ALL);
        /// What the reference in a local is likely to hold.
        HintLocInner [T, Local] ND, [s(FRAME_PTR)], NF, PURE;
        /// What the reference in a temporary is likely to hold.
        HintStkInner [T, Tmp] ND, [s(FRAME_PTR)], NF, PURE;
        /// What the reference that the member base points to is likely to hold.
        HintMBaseInner [T] ND, [], NF, PURE;
        /// Leaves if the local is not of type T.
        CheckLoc [T, Local] ND, [s(FRAME_PTR)], B, r(FRAME);
        /// Leaves if the temporary is not of type T.
        CheckStk [T, Tmp] ND, [s(FRAME_PTR)], B, r(STK);
        /// Leaves if the cell that the member base points to is not of type T.
        CheckMBase [T] ND, [s(PTR)], B, r(ALL);
        /// The local is known to be of type T.
        AssertLoc [T, Local] ND, [s(FRAME_PTR)], NF, PURE;
        /// The temporary is known to be of type T.
        AssertStk [T, Tmp] ND, [s(FRAME_PTR)], NF, PURE;
        /// The cell that the member base points to is known to be of type T.
        AssertMBase [T] ND, [], NF, PURE;
        /// Leaves if S0 is unset.
        CheckInit [] ND, [s(GEN)], B, PURE;
        /// Leaves if the cell that S0 points to is unset.
        CheckInitMem [] ND, [s(PTR)], B, r(ALL);
        /// Leaves once this has run as often as the client's counter says.
        CheckCold [Site] ND, [], B, rw(VM, VM);
        /// The guards of the entry end here.
        EndGuards [] ND, [], NF, PURE;
        /// Copies S0; leaves if it is a null pointer.
        CheckNonNull [] DSubtract(0, NULLPTR), [s(NULLPTR | FUNC | PTR | TCA | CLS | CTX | STR)], B, PURE;
        /// Copies S0, which is known to be no null pointer.
        AssertNonNull [] DSubtract(0, NULLPTR), [s(NULLPTR | FUNC | STR)], P, PURE;
    }

    2 "Arithmetic" {
        /// Integer arithmetic that wraps around: the result is known to fit, or wrapping is wanted.
        AddInt [] D(INT), [s(INT), s(INT)], NF, PURE;
        SubInt [] D(INT), [s(INT), s(INT)], NF, PURE;
        MulInt [] D(INT), [s(INT), s(INT)], NF, PURE;
        /// Integer arithmetic; leaves on overflow.
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
        /// PHP's conversion to an array, of a value that is given up.
        ConvObjToArr [] D(ARR), [s(OBJ)], ER | PRC | CRC, USER;
        ConvStrToArr [] D(ARR), [s(STR)], PRC | CRC, PURE;
        ConvCellToArr [] D(ARR), [s(CELL)], ER | PRC | CRC, USER;
        /// PHP's conversion to a truth value.
        ConvArrToBool [] D(BOOL), [s(ARR)], NF, r(HDR);
        ConvDblToBool [] D(BOOL), [s(DBL)], NF, r(HDR);
        ConvIntToBool [] D(BOOL), [s(INT)], NF, r(HDR);
        ConvStrToBool [] D(BOOL), [s(STR)], NF, r(HDR);
        /// The same where an object's class may decide.
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
        /// The same of a float: towards zero, modulo 2 to the 64th; infinities and NaN give 0.
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
        /// Comparison of truth values.
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
        /// Leaves if S0 is false or zero; or if it is not.
        JmpZero [] ND, [s(INT | BOOL)], B, PURE;
        JmpNZero [] ND, [s(INT | BOOL)], B, PURE;
        /// Leaves the unit to address S0.
        JmpSSwitchDest [] ND, [s(TCA), s(FRAME_PTR)], T, r(ALL);
        /// Leaves the unit through a table at index S0, which is in it.
        JmpSwitchDest [Site] ND, [s(INT), s(FRAME_PTR)], T, r(ALL);
        /// Leaves if the engine wants attention: a time limit, the collector of cycles, a signal.
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
        /// A new reference that holds S0; null if that is unset.
        Box [] D(BOXED), [s(CELL)], CRC | PRC, HELPER;
        /// S0, or a pointer into the reference that lies there.
        UnboxPtr [] D(PTR), [s(PTR)], NF, r(ALL);
        /// S0, where a cell that is no reference has become one.
        BoxPtr [] D(PTR), [s(PTR)], NF, rw(ALL, FRAME | STK | HEAP);
    }

    7 "Loads" {
        /// The value of a temporary, of type T.
        LdStk [T, Tmp] DParam(GEN), [s(FRAME_PTR)], NF, r(STK);
        /// The value of a local, of type T.
        LdLoc [T, Local] DParam(GEN), [s(FRAME_PTR)], NF, r(FRAME);
        /// The value of a local, if it is of type T; leaves if it is not. For the global scope, whose locals others
        /// can change.
        LdLocPseudoMain [T, Local] DParam(GEN), [s(FRAME_PTR)], B, r(FRAME);
        /// The address of a temporary.
        LdStkAddr [Tmp] D(PTR_STK), [s(FRAME_PTR)], NF, PURE;
        /// The address of a local.
        LdLocAddr [Local] D(PTR_FRAME), [s(FRAME_PTR)], NF, PURE;
        /// The address of a static cell of the client's.
        LdRDSAddr [T, Site] DParam(PTR), [], NF, PURE;
        /// The value of the cell that S0 points to, of type T.
        LdMem [T] DParam(GEN), [s(PTR)], PINNED, r(ALL);
        /// A field of Generator S0.
        LdContField [T, Offset] DParam(GEN), [s(OBJ)], NF, r(CTXT);
        /// The cell S1 bytes behind S0, of type T.
        LdElem [T] DParam(GEN), [s(PTR), s(INT)], PINNED, r(ELEM);
        /// Leaves if what reference S0 holds is not of type T.
        CheckRefInner [T] ND, [s(BOXED)], B, r(REF);
        /// What reference S0 holds, of type T.
        LdRef [T] DParam(CELL), [s(BOXED)], PINNED, r(REF);
        /// `$this` or the class of the static context.
        LdCtx [T] DParam(CTX | NULLPTR), [s(FRAME_PTR)], NF, r(CTXT);
        /// The class of the static context, in a static method.
        LdCctx [] D(CCTX), [s(FRAME_PTR)], NF, r(CTXT);
        /// The closure that runs.
        LdClosure [T] DParam(CTX), [s(FRAME_PTR)], NF, r(CTXT);
        /// Leaves if S0 is no object.
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
        /// The class of a name; leaves if it is not there.
        LdClsCachedSafe [Lit] D(CLS), [], B, r(VM);
        /// The class named S0, or a null pointer.
        LookupClsRDS [] D(CLS | NULLPTR), [s(STR)], NF, r(VM);
        /// The constant of a name; leaves if it is not there.
        LdCns [T, Lit] DParam(CELL), [], B, r(STATIC);
        /// The constant of a name; throws if it is not there.
        LookupCnsE [Lit] D(CELL), [], ER | PRC, USER;
        /// The constant of a name, or else of another name.
        LookupCnsU [Lit, Lit] D(CELL), [], ER | PRC, USER;
        /// The address of a class's constant; leaves if it has no value yet.
        LdClsCns [Lit, Lit] D(PTR_STATIC), [], B, r(STATIC);
        /// The address of the constant in a slot of class S0.
        LdSubClsCns [Lit, Pos] D(PTR_STATIC), [s(CLS)], PINNED, r(STATIC);
        /// Leaves if that slot of S0 has no constant of this name.
        CheckSubClsCns [Lit, Pos] ND, [s(CLS)], B, PURE;
        /// The method of a forwarding static call from its cache; leaves if that is empty.
        LdClsMethodFCacheFunc [Lit, Lit] D(FUNC), [], B, r(VM);
        /// The method of a forwarding static call.
        LookupClsMethodFCache [Lit, Lit] D(FUNC | NULLPTR), [c(CLS), s(FRAME_PTR)], ER, USER;
        /// Leaves if function S0 is static.
        CheckFuncStatic [] ND, [s(FUNC)], B, PURE;
        /// The context that a forwarding call passes on.
        FwdCtxStaticCall [] D(CCTX), [s(CTX)], NF, PURE;
        /// The method of a static call from its cache; leaves if that is empty.
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
        /// The address of the global named S0; leaves if there is none.
        LdGblAddr [] D(PTR_STATIC), [s(STR)], B, r(VM);
        /// The address of the global named S0, which is made if there is none.
        LdGblAddrDef [] D(PTR_STATIC), [s(STR)], NF, rw(VM, VM);
        /// The address of static property S1 of class S0, seen from S2.
        LdClsPropAddrOrNull [] D(PTR_STATIC | NULLPTR), [s(CLS), s(STR), c(CLS)], ER, USER;
        LdClsPropAddrOrRaise [] D(PTR_STATIC), [s(CLS), s(STR), c(CLS)], ER, USER;
        /// The method of a name of class S0, through a cache.
        LdObjMethod [Lit, Site] D(FUNC), [s(CLS)], ER, USER;
        /// `__invoke` of class S0; leaves if it has none.
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
        /// The function of a name; leaves if there is none.
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

    8 "Allocation" {
        /// A new object of class S0.
        AllocObj [] DAllocObj(0), [s(CLS)], PRC | ER, USER;
        /// Notes an object whose destructor is to run at the end.
        RegisterLiveObj [] ND, [s(OBJ)], NF, rw(VM, VM);
        /// Leaves if the default properties of the class have not been evaluated.
        CheckInitProps [] ND, [c(CLS)], B, r(VM);
        /// Evaluates the default properties of the class.
        InitProps [] ND, [c(CLS)], ER, USER;
        /// Leaves if the static properties of the class have not been evaluated.
        CheckInitSProps [] ND, [c(CLS)], B, r(VM);
        /// Evaluates the static properties of the class.
        InitSProps [] ND, [c(CLS)], ER, USER;
        /// A backtrace.
        DebugBacktrace [] D(ARR), [s(INT)], PRC, r(ALL);
        /// Sets file and line of an exception.
        InitThrowableFileAndLine [] ND, [s(OBJ)], NF, rw(ALL, PROP);
        /// A new object whose properties are not there yet. Its class has no destructor.
        NewInstanceRaw [] DAllocObj(0), [c(CLS)], PRC, HELPER;
        /// Gives a new object its default properties.
        InitObjProps [] ND, [s(OBJ), c(CLS)], NF, rw(STATIC, PROP | RC);
        /// A new object of a builtin class with its own storage.
        ConstructInstance [] DAllocObj(0), [c(CLS)], PRC | ER, USER;
        /// An empty array with room for so many elements.
        NewArray [Count] D(ARR), [], PRC, HELPER;
        /// The same, laid out as a hash table.
        NewMixedArray [Count] DArr(ArrKind::Hash), [], PRC, HELPER;
        /// The same, laid out as array S0.
        NewLikeArray [Count] D(ARR), [s(ARR)], PRC, HELPER;
        /// A packed array of so many elements, which InitPackedLayoutArray fills.
        AllocPackedArray [Count] DArr(ArrKind::Packed), [], PRC, HELPER;
        /// Gives a new array its element at a position.
        InitPackedLayoutArray [Pos] ND, [s(ARR), s(CELL)], CRC, w(ELEM);
        /// Moves temporaries into a new array.
        InitPackedLayoutArrayLoop [Tmp, Count] ND, [s(ARR), s(FRAME_PTR)], NF, rw(STK, ELEM);
        /// An array of known keys, whose values are moved out of temporaries.
        NewStructArray [Tmp, Site] DArr(ArrKind::Hash), [s(FRAME_PTR)], PRC, rw(STK, HDR | RC);
        /// A clone of S0.
        Clone [] DofS(0), [s(OBJ)], PRC | ER, USER;
    }

    9 "Call and return" {
        /// Writes the header of a pending call into the temporaries: S1 is the function, S2 its context.
        SpillFrame [Tmp, Count] ND, [s(FRAME_PTR), s(FUNC | NULLPTR), s(CTX | CLS | NULLPTR)], NF, w(STK);
        /// An inlined callee starts here.
        BeginInlining [Frame] ND, [s(FRAME_PTR)], NF, PURE;
        /// The frame of an inlined callee, which exists in memory only after an exit.
        DefInlineFP [Frame] D(FRAME_PTR), [s(FRAME_PTR)], NF, PURE;
        /// An inlined callee ends here.
        InlineReturn [Frame] ND, [s(FRAME_PTR)], NF, PURE;
        /// The same where the frame was never needed.
        InlineReturnNoFrame [Frame] ND, [], NF, PURE;
        /// Calls a pending call, the last of whose arguments is an array of more.
        CallArray [Tmp, Count] D(GEN), [s(FRAME_PTR)], ER | PRC, rw(ALL, HEAP | VM | STK);
        /// Calls the pending call at a temporary with so many arguments behind it; S1 is the function, if known.
        Call [Tmp, Count] D(GEN), [s(FRAME_PTR), s(FUNC | NULLPTR)], ER | PRC, rw(ALL, HEAP | VM | STK);
        /// Runs the builtin function that the frame is of.
        NativeImpl [] D(GEN), [s(FRAME_PTR)], ER | PRC, USER;
        /// Calls a builtin function directly. Arguments stay the caller's.
        CallBuiltin [T, Builtin] DParam(GEN), [s(FRAME_PTR), many(PTR | GEN | CLS | NULLPTR)], ER | PRC, USER;
        /// Returns S1 to the caller; the frame's variables are gone.
        RetCtrl [] ND, [s(FRAME_PTR), s(GEN)], T | CRC, r(ALL);
        /// What a callee has left as its result.
        LdRetVal [T] DParam(GEN), [s(FRAME_PTR)], NF, r(CTXT);
        /// Poisons the result of a callee.
        DbgTrashRetVal [] ND, [s(FRAME_PTR)], NF, w(CTXT);
        /// Frees the frame's symbol table or extra arguments; leaves if there was a symbol table.
        ReleaseVVAndSkip [] ND, [s(FRAME_PTR)], B, rw(ALL, CTXT | HEAP);
        /// Releases all locals of the frame, the first one first.
        GenericRetDecRefs [] ND, [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME);
    }

    10 "Stores" {
        /// Stores S1 where S0 points to. A store moves a reference and does not release what was there.
        StMem [] ND, [s(PTR), s(GEN)], CRC, w(FRAME | STK | HEAP);
        /// Stores S2 into the cell S1 bytes behind S0.
        StElem [] ND, [s(PTR), s(INT), s(CELL)], CRC, w(ELEM);
        /// Stores S1 into a local.
        StLoc [Local] ND, [s(FRAME_PTR), s(GEN)], CRC, w(FRAME);
        /// The same in the global scope, where the store can be seen.
        StLocPseudoMain [Local] ND, [s(FRAME_PTR), s(GEN)], CRC, rw(VM, FRAME | VM);
        /// Stores S1 into so many locals.
        StLocRange [Local, Count] ND, [s(FRAME_PTR), s(UNCOUNTED)], NF, w(FRAME);
        /// Stores S1 into reference S0.
        StRef [] ND, [s(BOXED), s(CELL)], CRC, w(REF);
        /// Stores S1 into a temporary.
        StStk [Tmp] ND, [s(FRAME_PTR), s(GEN)], CRC, w(STK);
        /// Poisons a temporary.
        DbgTrashStk [Tmp] ND, [s(FRAME_PTR)], NF, w(STK);
        /// Poisons the header of a pending call.
        DbgTrashFrame [Tmp] ND, [s(FRAME_PTR)], NF, w(STK);
        /// Poisons the cell that S0 points to.
        DbgTrashMem [] ND, [s(PTR)], NF, w(HEAP);
    }

    11 "Trace exits" {
        /// Tells the engine which frame runs.
        EagerSyncVMRegs [] ND, [s(FRAME_PTR)], NF, w(VM);
        /// Leaves the unit; the interpreter goes on as the snapshot says.
        ReqBindJmp [] ND, [], B | T, r(ALL);
        /// The same; types were not as expected, so the code may be made again.
        ReqRetranslate [] ND, [], B | T, r(ALL);
        /// The same; this place is hot enough for better code.
        ReqRetranslateOpt [Site] ND, [], B | T, r(ALL);
    }

    12 "Reference counts and copies" {
        /// A copy of S0, which is not counted.
        Mov [] DofS(0), [s(TOP)], P, PURE;
        /// Takes a reference of S0, if it is counted.
        IncRef [] ND, [s(GEN | CTX | NULLPTR)], NF, rw(RC, RC);
        /// Gives up a reference of S0; a destructor may run. The local is a hint.
        DecRef [Local] ND, [s(GEN | CTX | NULLPTR)], CRC | ER, USER;
        /// Gives up a reference of S0 which is known not to be the last one.
        DecRefNZ [] ND, [s(GEN | CTX | NULLPTR)], CRC, rw(RC, RC);
    }

    13 "Miscellaneous" {
        /// The frame that the unit runs in.
        DefFP [] D(FRAME_PTR), [], NF, PURE;
        /// Leaves if the frame is of another function.
        FuncGuard [] ND, [s(FRAME_PTR), c(FUNC)], B, r(CTXT);
        /// PHP's `count()`.
        Count [] D(INT), [s(CELL)], ER, USER;
        /// How many elements an array has.
        CountArray [] D(INT), [s(ARR)], NF, r(HDR);
        CountArrayFast [] D(INT), [s(ARR)], NF, r(HDR);
        /// Nothing.
        Nop [] ND, [], NF, PURE;
        /// Nothing; passes may leave the unit from here with this snapshot.
        ExitPlaceholder [] ND, [], B, PURE;
    }

    14 "Runtime helpers" {
        /// Throws if class S0 of a parameter does not fit class S1.
        VerifyParamCls [Local] ND, [s(CLS), s(CLS | NULLPTR)], ER, USER;
        /// Throws if parameter S0 is not callable.
        VerifyParamCallable [Local] ND, [s(GEN)], ER, USER;
        /// Converts the parameter to its type, or throws.
        VerifyParamFail [Local] ND, [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME);
        /// Throws because a parameter does not fit its type.
        VerifyParamFailHard [Local] ND, [s(FRAME_PTR)], ER | T, USER;
        /// Throws if result S0 is not callable.
        VerifyRetCallable [] ND, [s(GEN)], ER, USER;
        /// Throws if class S0 of the result does not fit class S1.
        VerifyRetCls [] ND, [s(CLS), s(CLS | NULLPTR), s(CELL)], ER, USER;
        /// Converts the result where S0 points to, or throws.
        VerifyRetFail [] ND, [s(PTR)], ER, rw(ALL, HEAP | VM | STK);
        /// Throws because the result does not fit its type.
        VerifyRetFailHard [] ND, [s(PTR)], ER | T, USER;
        /// Warns of an undefined variable.
        RaiseUninitLoc [Local] ND, [s(STR)], ER, USER;
        /// Warns of an undefined property.
        RaiseUndefProp [Lit] ND, [s(OBJ)], ER, USER;
        /// Throws because of missing arguments.
        RaiseMissingArg [Count] ND, [c(FUNC)], ER, USER;
        /// A fatal error.
        RaiseError [] ND, [s(STR)], T | ER, USER;
        /// A warning.
        RaiseWarning [] ND, [s(STR)], ER, USER;
        /// A notice.
        RaiseNotice [] ND, [s(STR)], ER, USER;
        /// Warns of an undefined integer key.
        RaiseArrayIndexNotice [] ND, [s(INT)], ER, USER;
        /// Warns of an undefined string key.
        RaiseArrayKeyNotice [] ND, [s(STR)], ER, USER;
        /// Throws because a method needs an object.
        RaiseMissingThis [] ND, [s(FUNC)], ER, USER;
        FatalMissingThis [] ND, [s(FUNC)], T | ER, USER;
        /// Leaves if a static variable has not been initialised.
        CheckStaticLoc [Site] ND, [], B, r(STATIC);
        /// Initialises a static variable.
        InitStaticLoc [Site] ND, [s(CELL)], CRC, w(STATIC);
        /// Evaluates a class's constant.
        InitClsCns [Lit, Lit] D(CELL), [], ER | PRC, USER;
        /// Outputs a string.
        PrintStr [] ND, [s(STR)], ER, USER;
        /// Outputs an integer.
        PrintInt [] ND, [s(INT)], ER, USER;
        /// Outputs a truth value.
        PrintBool [] ND, [s(BOOL)], ER, USER;
        /// S0 and S1 as one string. (The result may be larger than memory allows.)
        ConcatIntStr [] D(STR), [s(INT), s(STR)], ER | PRC, HELPER;
        ConcatStrInt [] D(STR), [s(STR), s(INT)], ER | PRC | CRC, HELPER;
        /// S0 and S1 as one string. S0 is given up, so that S1 may be appended in place.
        ConcatStrStr [] D(STR), [s(STR), s(STR)], ER | PRC | CRC, HELPER;
        ConcatStr3 [] D(STR), [s(STR), s(STR), s(STR)], ER | PRC | CRC, HELPER;
        ConcatStr4 [] D(STR), [s(STR), s(STR), s(STR), s(STR)], ER | PRC | CRC, HELPER;
        /// Array S0, given up, with S2 at key S1.
        AddElemStrKey [] D(ARR), [s(ARR), s(STR), s(CELL)], ER | PRC | CRC, USER;
        AddElemIntKey [] D(ARR), [s(ARR), s(INT), s(CELL)], ER | PRC | CRC, USER;
        /// Array S0, given up, with S1 appended.
        AddNewElem [] D(ARR), [s(ARR), s(CELL)], ER | PRC | CRC, USER;
        /// S0 + S1, both given up.
        ArrayAdd [] D(ARR), [s(ARR), s(ARR)], ER | PRC | CRC, USER;
        /// `array_key_exists`.
        AKExistsArr [] D(BOOL), [s(ARR), s(INT | STR)], NF, r(HDR | ELEM);
        AKExistsObj [] D(BOOL), [s(OBJ), s(INT | STR)], ER, USER;
        /// The element of S0 at key S1, or S2. No reference is taken.
        ArrayIdx [] D(GEN), [s(ARR), s(INT | STR), s(CELL)], NF, r(HDR | ELEM);
        /// Whether class S0 has a method named S1.
        MethodExists [] D(BOOL), [s(CLS), s(STR)], NF, PURE;
        /// The case of a switch from S1 on with S2 cases.
        LdSwitchDblIndex [] D(INT), [s(DBL), s(INT), s(INT)], NF, PURE;
        LdSwitchStrIndex [] D(INT), [s(STR), s(INT), s(INT)], NF, r(HDR);
        LdSwitchObjIndex [] D(INT), [s(OBJ), s(INT), s(INT)], ER, USER;
        /// The case of a switch over strings, by a table.
        LdSSwitchDestFast [Site] D(INT), [s(GEN)], NF, r(HDR);
        /// The same, by comparison.
        LdSSwitchDestSlow [Site] D(INT), [s(GEN)], ER, USER;
        /// The interpreter does one opline; its operands are in memory. It changes no other local than this one; `-` if
        /// it may change any.
        InterpOne [Opline, Local] ND, [s(FRAME_PTR)], ER, rw(ALL, ALL);
        /// The same for an opline that may go elsewhere: the interpreter goes on after it.
        InterpOneCF [Opline] ND, [s(FRAME_PTR)], B | T, rw(ALL, ALL);
        /// Whether a class, interface, trait or enum exists.
        OODeclExists [SubOp] D(BOOL), [s(STR), s(BOOL)], ER, USER;
        /// The cell that S0 points to OP= S1.
        SetOpCell [SubOp] ND, [s(PTR), s(CELL)], ER, rw(ALL, ALL);
        /// The time in seconds.
        GetTime [] D(DBL), [], NF, rw(VM, VM);
        /// The time of a clock in nanoseconds.
        GetTimeNs [] D(INT), [c(INT)], NF, rw(VM, VM);
    }

    15 "Generators and closures" {
        /// The context that closure S0 keeps.
        LdClosureCtx [T] DParam(CTX | NULLPTR), [s(OBJ)], NF, r(CTXT);
        /// Gives a new closure its context.
        StClosureCtx [] ND, [s(OBJ), s(CTX | NULLPTR)], CRC, w(CTXT);
        /// Gives a new closure a captured variable.
        StClosureArg [Pos] ND, [s(OBJ), s(GEN)], CRC, w(CTXT);
        /// A Generator to which the frame moves; it resumes at an opline.
        CreateGen [Opline] D(OBJ), [s(FRAME_PTR)], PRC, rw(ALL, CTXT | FRAME);
        /// Runs the generator whose frame is S1 to its next yield.
        ContEnter [] D(GEN), [s(FRAME_PTR), s(FRAME_PTR)], ER | PRC, rw(ALL, HEAP | VM | STK | CTXT);
        /// Marks Generator S0 as running; leaves if it runs, has ended or, with the flag, has not started.
        ContPreNext [Flag] ND, [s(OBJ)], B, rw(CTXT, CTXT);
        /// Leaves if Generator S0 has not started.
        ContStartedCheck [] ND, [s(OBJ)], B, r(CTXT);
        /// Whether Generator S0 has more, or has started.
        ContValid [] D(BOOL), [s(OBJ)], NF, r(CTXT);
        ContStarted [] D(BOOL), [s(OBJ)], NF, r(CTXT);
        /// Counts a generator's key up.
        ContArIncKey [] ND, [s(FRAME_PTR)], NF, rw(CTXT, CTXT);
        /// Counts a generator's automatic key up.
        ContArIncIdx [] D(INT), [s(FRAME_PTR)], NF, rw(CTXT, CTXT);
        /// Raises a generator's automatic key to S1.
        ContArUpdateIdx [] ND, [s(FRAME_PTR), s(INT)], NF, rw(CTXT, CTXT);
        /// The frame of Generator S0.
        LdContActRec [] D(FRAME_PTR), [s(OBJ)], NF, r(CTXT);
        /// Where Generator S0 resumes.
        LdContResumeAddr [] D(TCA | NULLPTR), [s(OBJ)], NF, r(CTXT);
        /// Sets the state of a generator.
        StContArState [SubOp] ND, [s(FRAME_PTR)], NF, w(CTXT);
        /// A generator's current value, or key.
        LdContArValue [T] DParam(CELL), [s(FRAME_PTR)], PRC, r(CTXT);
        LdContArKey [T] DParam(CELL), [s(FRAME_PTR)], PRC, r(CTXT);
        /// Sets a generator's current value, or key.
        StContArValue [] ND, [s(FRAME_PTR), s(GEN)], CRC, w(CTXT);
        StContArKey [] ND, [s(FRAME_PTR), s(GEN)], CRC, w(CTXT);
        /// Sets where a generator resumes.
        StArResumeAddr [Opline] ND, [s(FRAME_PTR)], NF, w(CTXT);
    }

    16 "Debugging, instrumentation and profiling" {
        /// Counts something.
        IncStat [Site, Count] ND, [], NF, rw(VM, VM);
        /// Counts a run of this place.
        IncProfCounter [Site] ND, [], NF, rw(VM, VM);
        /// Stops if the reference count of S0 cannot be right.
        DbgAssertRefCount [] ND, [s(GEN | CTX)], NF, rw(RC, VM);
        /// Checks of a debugging build at the entry.
        DbgTraceCall [] ND, [s(FRAME_PTR)], NF, rw(ALL, VM);
        /// `@` starts; the error level before.
        ZeroErrorLevel [] D(INT), [], NF, rw(VM, VM);
        /// `@` ends.
        RestoreErrorLevel [] ND, [s(INT)], NF, rw(VM, VM);
    }

    17 "Iterators" {
        /// Starts an iterator over S0, which is given up; the first value goes to a local. False if there is none.
        IterInit [Iter, Local, Local] D(BOOL), [s(ARR | OBJ), s(FRAME_PTR)], ER | CRC,
            rw(ALL, HEAP | VM | FRAME | ITER);
        /// The same with the key, which goes to the second local.
        IterInitK [Iter, Local, Local] D(BOOL), [s(ARR | OBJ), s(FRAME_PTR)], ER | CRC,
            rw(ALL, HEAP | VM | FRAME | ITER);
        /// The same over a reference; values become references.
        MIterInit [Iter, Local, Local] D(BOOL), [s(BOXED), s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        MIterInitK [Iter, Local, Local] D(BOOL), [s(BOXED), s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        /// The next value, and key; false if there is none.
        IterNext [Iter, Local, Local] D(BOOL), [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        IterNextK [Iter, Local, Local] D(BOOL), [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        MIterNext [Iter, Local, Local] D(BOOL), [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        MIterNextK [Iter, Local, Local] D(BOOL), [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | FRAME | ITER);
        /// Frees an iterator.
        IterFree [Iter] ND, [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | ITER);
        MIterFree [Iter] ND, [s(FRAME_PTR)], ER, rw(ALL, HEAP | VM | ITER);
    }

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
        /// The same where null has null properties.
        PropQ [] D(PTR_MEMB), [s(OBJ | PTR), s(STR), s(PTR_MIS)], ER, USER;
        /// The same where something behind it is to be written.
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
        /// Leaves if hash table S0 has not key S1 at a position.
        CheckMixedArrayOffset [Pos] ND, [s(ARR), s(INT | STR)], B, r(HDR | ELEM);
        /// Leaves if array S0 has more than one holder.
        CheckArrayCOW [] ND, [s(ARR)], B, r(RC);
        /// Element S1 of array S0 on the way to something else; W warns if it is not there.
        ElemArray [] D(PTR_MEMB), [s(ARR), s(INT | STR)], ER, USER;
        ElemArrayW [] D(PTR_MEMB), [s(ARR), s(INT | STR)], ER, USER;
        /// The same where something behind it is to be written.
        ElemArrayD [T] D(PTR_ELEM), [s(PTR), s(INT | STR)], MELEM | ER, rw(ALL, ALL);
        /// The same where something behind it is to be unset.
        ElemArrayU [T] D(PTR_MEMB), [s(PTR), s(INT | STR)], MELEM | ER, rw(ALL, ALL);
        /// The element of hash table S0 at a position, which CheckMixedArrayOffset has found.
        ElemMixedArrayK [Pos] D(PTR_ELEM), [s(ARR), s(INT | STR)], PINNED, r(HDR);
        /// Element S1 of S0 where something behind it is to be written, or unset.
        ElemDX [] D(PTR_MEMB), [s(PTR), s(CELL), s(PTR_MIS)], MELEM | ER, rw(ALL, ALL);
        ElemUX [] D(PTR_MEMB), [s(PTR), s(CELL), s(PTR_MIS)], MELEM | ER, rw(ALL, ALL);
        /// Element S1 of array S0; warns if there is none. No reference is taken.
        ArrayGet [] DArrElem(0), [s(ARR), s(INT | STR)], ER, USER;
        /// The same at a position of a hash table, which CheckMixedArrayOffset has found.
        MixedArrayGetK [Pos] DArrElem(0), [s(ARR), s(INT | STR)], PINNED, r(HDR | ELEM);
        /// The byte of S0 at S1 as a string; warns if there is none.
        StringGet [] D(STATIC_STR), [s(STR), s(INT)], ER, USER;
        /// Element S1 of S0.
        CGetElem [] D(CELL), [s(PTR), s(CELL)], PRC | ER, USER;
        /// A reference to element S1 of S0.
        VGetElem [] D(BOXED), [s(PTR), s(CELL)], MELEM | PRC | ER, rw(ALL, ALL);
        /// Makes element S1 of S0 the reference S2.
        BindElem [] ND, [s(PTR), s(CELL), s(BOXED)], MELEM | ER, rw(ALL, ALL);
        /// Array S0, given up, with S2 at key S1. S2 is given up too.
        ArraySet [] D(ARR), [s(ARR), s(INT | STR), s(CELL)], PRC | CRC | ER, USER;
        /// The same where reference S3 holds the array and gets the result.
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
        /// The same where S0 points to an array.
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
        /// Leaves if packed array S0 has no place S1; there may be a hole.
        CheckPackedArrayDataBounds [] ND, [s(ARR), s(INT)], B, r(HDR);
        /// The address of place S1 of packed array S0, which has it.
        LdPackedArrayDataElemAddr [T] DParamPtr(PTR_ELEM), [s(ARR), s(INT)], NF, r(HDR);
        /// Makes room for one more element in packed array S0, which nobody shares, and gives its place; leaves if
        /// there is none.
        ReservePackedArrayDataNewElem [] D(INT), [s(ARR)], B, rw(HDR, HDR);
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
        /// Copies array S0; leaves if it is not laid out so. A layout stays for as long as the array is the same:
        /// operations that change it make a new value.
        CheckArrKind [Kind] DRefineArr(0), [s(ARR)], B | P, PURE;
        /// Leaves if string S0 has more than one holder or is static.
        CheckStrCOW [] ND, [s(STR)], B, r(RC);
        /// Leaves once an assumption of the client's has been given up; costs nothing before.
        PatchPoint [Site] ND, [], B, PURE;
        /// The byte of string S0 at position S1, which it has.
        LdStrByte [] D(INT), [s(STR), s(INT)], PINNED, r(HDR);
        /// How many places packed array S0 has, holes included.
        LdPackedSize [] D(INT), [s(ARR)], NF, r(HDR);
        /// What is at place S1 of packed array S0, which has it, known to be of type T.
        LdPackedElem [T] DParam(GEN), [s(ARR), s(INT)], PINNED, r(ELEM);
        /// The same; leaves if it is not of type T.
        CheckPackedElem [T] DParam(GEN), [s(ARR), s(INT)], PINNED | B, r(ELEM);
        /// Stores S2 at place S1 of packed array S0, which has it and which nobody shares.
        StPackedElem [] ND, [s(ARR), s(INT), s(CELL)], CRC, w(ELEM);
        /// The number at place S1 of an array of unboxed numbers.
        LdPackedInt [] D(INT), [s(ARR), s(INT)], PINNED, r(ELEM);
        LdPackedDbl [] D(DBL), [s(ARR), s(INT)], PINNED, r(ELEM);
        /// Stores number S2 at place S1 of an array of unboxed numbers.
        StPackedInt [] ND, [s(ARR), s(INT), s(INT)], NF, w(ELEM);
        StPackedDbl [] ND, [s(ARR), s(INT), s(DBL)], NF, w(ELEM);
        /// Stores number S1 where S0 points to a number of the same type.
        StMemPayload [] ND, [s(PTR), s(NUM)], NF, w(PROP | REF | STATIC);
        /// Quotient of integers; leaves if S1 is zero, something remains or the quotient does not fit.
        DivIntO [] D(INT), [s(INT), s(INT)], B, PURE;
        /// Remainder with the sign of S0; leaves if S1 is zero.
        ModO [] D(INT), [s(INT), s(INT)], B, PURE;
        /// PHP's shifts by any number of bits; leaves if S1 is negative.
        ShlO [] D(INT), [s(INT), s(INT)], B, PURE;
        ShrO [] D(INT), [s(INT), s(INT)], B, PURE;
        /// Changes the sign.
        NegDbl [] D(DBL), [s(DBL)], NF, PURE;
        /// The smaller, or larger, of two integers.
        MinInt [] D(INT), [s(INT), s(INT)], NF, PURE;
        MaxInt [] D(INT), [s(INT), s(INT)], NF, PURE;
        /// The integer that a float is; leaves if it has a fraction or does not fit.
        ConvDblToIntO [] D(INT), [s(DBL)], B, PURE;
        /// S0 OP S1 for any values; the operator is HHBC's.
        BinaryCell [SubOp] D(INIT_CELL), [s(CELL), s(CELL)], ER | PRC, USER;
        /// Comparison of any values.
        CompareCell [SubOp] D(BOOL | INT), [s(CELL), s(CELL)], ER, USER;
        /// OP S0 for any value.
        UnaryCell [SubOp] D(INIT_CELL), [s(CELL)], ER | PRC, USER;
        /// What compiled code of a function got in a register for a parameter; its object or class by the largest number.
        LdArg [T, Local] DParam(GEN | CLS), [s(FRAME_PTR)], NF, PURE;
        /// Leaves unless there is code at entry S1, room for a callee's frame of so many bytes whose header would lie at a
        /// cell, and nothing that wants attention.
        CheckRoom [Tmp, Count] ND, [s(FRAME_PTR), c(FUNC)], B, r(VM);
        /// Calls the code at entry S2, which is of function S1, with object or class S3 and the arguments behind it in
        /// registers; they stay the caller's. The frame's header would lie at a cell; the result, if it is not of type
        /// T, goes to the cell before the second number. Leaves if the callee left its code, or gave another type.
        CallUnit [T, Tmp, Count] DParam(GEN),
            [s(FRAME_PTR), c(FUNC), c(FUNC), s(OBJ | CLS | NULLPTR), many(GEN)], ER, rw(ALL, HEAP | VM);
        /// Gives up the reference that the cell S0 points to has; leaves if that might free something or if the collector
        /// of cycles wants to know. The cell is to be overwritten.
        DropShared [] ND, [s(PTR)], B, rw(ALL, RC);
        /// Returns S1 to the code that called; the reference stays with whoever holds it.
        RetUnit [] ND, [s(FRAME_PTR), s(GEN)], T, r(ALL);
        /// Calls compiled code of function S1 with the arguments behind it in registers; they are given up.
        CallFast [T, Site] DParam(GEN), [s(FRAME_PTR), c(FUNC), many(GEN)], ER | PRC | CRC, rw(ALL, HEAP | VM | STK);
    }
}

/// See [`Op::consumes`].
pub(crate) fn consumed(op: Op) -> u32 {
    const ALL_SOURCES: u32 = u32::MAX;
    match op {
        Op::ConcatStrInt | Op::ConcatStrStr | Op::ConcatStr3 | Op::ConcatStr4 => 0b1,
        Op::AddElemStrKey | Op::AddElemIntKey | Op::ArraySet | Op::ArraySetRef => 0b101,
        Op::InitPackedLayoutArray | Op::StMem | Op::StRef | Op::StLoc | Op::StLocPseudoMain | Op::StStk => 0b10,
        Op::StClosureCtx | Op::StClosureArg | Op::StContArValue | Op::StContArKey | Op::InitCtx => 0b10,
        Op::RetCtrl => 0b10,
        Op::StElem | Op::StPackedElem => 0b100,
        Op::IterInit | Op::IterInitK => 0b1,
        Op::CallFast => ALL_SOURCES << 2,
        _ if op.has(CRC) => ALL_SOURCES,
        _ => 0,
    }
}
