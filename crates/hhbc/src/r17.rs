//! The fate of every instruction of the HHBC specification, revision 17.
//!
//! Revision 17's text ends inside section 14; from there on the names are those of revision 18.

/// The fate of some instructions.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Implemented, under the same name.
    Kept,
    /// Other instructions do their work: which ones, and why.
    Superseded { by: &'static str, why: &'static str },
}

use Fate::{Kept, Superseded};

/// Instructions of a section that share a fate, separated by blanks.
pub type Row = (&'static str, Fate);

const fn by(by: &'static str, why: &'static str) -> Fate {
    Superseded { by, why }
}

/// All instructions, by section of the specification.
pub const SECTIONS: &[(&str, &[Row])] = &[
    ("1. Basic instructions", &[("Nop PopC PopV PopR Dup Box Unbox BoxR UnboxR", Kept)]),
    (
        "2. Literal and constant instructions",
        &[
            (
                "Null True False NullUninit Int Double String Array NewArray NewTuple AddElemC AddElemV AddNewElemC \
                 AddNewElemV Cns CnsU ClsCns ClsCnsD File Dir",
                Kept,
            ),
            ("NewCol ColAddElemC ColAddNewElemC", by("nothing", "PHP has no collection literals")),
            ("CnsE", by("Cns", "an undefined constant throws in PHP 8, so the two would do the same")),
        ],
    ),
    (
        "3. Operator instructions",
        &[(
            "Concat Add Sub Mul Div Mod Xor Not Same NSame Eq Neq Lt Lte Gt Gte BitAnd BitOr BitXor BitNot Shl Shr \
             CastBool CastInt CastDouble CastString CastArray CastObject InstanceOf InstanceOfD Print Clone Exit Fatal",
            Kept,
        )],
    ),
    ("4. Control flow instructions", &[("Jmp JmpZ JmpNZ Switch SSwitch RetC RetV Unwind Throw", Kept)]),
    (
        "5. Get instructions",
        &[
            ("CGetL CGetL2 CGetL3 CGetN CGetG CGetS VGetL VGetN VGetG VGetS AGetC", Kept),
            ("AGetL", by("CGetL, AGetC", "a saving of one dispatch that no PHP construct needs often")),
        ],
    ),
    (
        "6. Isset, empty and type querying instructions",
        &[
            ("IssetC IssetL IssetN IssetG IssetS EmptyL EmptyN EmptyG EmptyS", Kept),
            (
                "IsNullC IsBoolC IsIntC IsDoubleC IsStringC IsArrayC IsObjectC",
                by("IsTypeC", "one instruction with the type as an immediate covers more types"),
            ),
            (
                "IsNullL IsBoolL IsIntL IsDoubleL IsStringL IsArrayL IsObjectL",
                by("IsTypeL", "one instruction with the type as an immediate covers more types"),
            ),
        ],
    ),
    (
        "7. Mutator instructions",
        &[(
            "SetL SetN SetG SetS SetOpL SetOpN SetOpG SetOpS IncDecL IncDecN IncDecG IncDecS BindL BindN BindG BindS \
             UnsetL UnsetN UnsetG",
            Kept,
        )],
    ),
    (
        "8. Call instructions",
        &[
            (
                "FPushFunc FPushFuncD FPushFuncU FPushObjMethod FPushObjMethodD FPushClsMethod FPushClsMethodF \
                 FPushClsMethodD FPushCtor FPushCtorD FPassC FPassCE FPassV FPassR FPassL FPassN FPassG FPassS FCall",
                Kept,
            ),
            (
                "DecodeCufIter FPushCufIter FPushCuf FPushCufF FPushCufSafe CufSafeArray CufSafeReturn",
                by("FPushFunc", "call_user_func and its kin are ordinary functions; callables need no iterator"),
            ),
            ("FPassCW", by("FPassCE", "PHP 8 throws where PHP 5 warned")),
            ("FCallArray", by("FCallUnpack", "spread may follow positional arguments and carry names")),
            ("FCallBuiltin", by("FCall", "a builtin is found when the call is linked, not when it is compiled")),
        ],
    ),
    (
        "9. Member operations",
        &[
            (
                "BaseC BaseR BaseL BaseLW BaseLD BaseLWD BaseNC BaseNL BaseNCW BaseNLW BaseNCD BaseNLD BaseNCWD \
                 BaseNLWD BaseGC BaseGL BaseGCW BaseGLW BaseGCD BaseGLD BaseGCWD BaseGLWD BaseSC BaseSL",
                by("the base of a member vector", "operations are steps of an *M instruction, not instructions"),
            ),
            (
                "ElemC ElemL ElemCW ElemLW ElemCD ElemLD ElemCWD ElemLWD ElemCU ElemLU NewElem PropC PropL PropCW \
                 PropLW PropCD PropLD PropCWD PropLWD PropCU PropLU",
                by("the members of a member vector", "operations are steps of an *M instruction, not instructions"),
            ),
            (
                "CGetElemC CGetElemL VGetElemC VGetElemL IssetElemC IssetElemL EmptyElemC EmptyElemL SetElemC \
                 SetElemL SetOpElemC SetOpElemL IncDecElemC IncDecElemL BindElemC BindElemL UnsetElemC UnsetElemL \
                 VGetNewElem SetNewElem SetOpNewElem IncDecNewElem BindNewElem CGetPropC CGetPropL VGetPropC \
                 VGetPropL IssetPropC IssetPropL EmptyPropC EmptyPropL SetPropC SetPropL SetOpPropC SetOpPropL \
                 IncDecPropC IncDecPropL BindPropC BindPropL UnsetPropC UnsetPropL",
                by(
                    "the last member of an *M instruction",
                    "operations are steps of an *M instruction, not instructions",
                ),
            ),
        ],
    ),
    (
        "10. Member instructions",
        &[
            ("CGetM VGetM FPassM IssetM EmptyM SetM SetOpM IncDecM BindM UnsetM", Kept),
            ("SetWithRefLM SetWithRefRM", by("SetM, BindM", "the compiler knows which of the two is meant")),
        ],
    ),
    (
        "11. Iterator instructions",
        &[
            (
                "IterInit IterInitK MIterInit MIterInitK IterNext IterNextK MIterNext MIterNextK IterFree MIterFree",
                Kept,
            ),
            (
                "WIterInit WIterInitK WIterNext WIterNextK",
                by("IterInit, IterNext", "foreach by value copies elements that are references"),
            ),
            ("CIterFree", by("nothing", "callables need no iterator")),
            ("IterBreak", by("IterFree, Jmp", "the compiler knows which loops a break leaves")),
        ],
    ),
    (
        "12. Include, eval and define instructions",
        &[
            ("Incl InclOnce Req ReqOnce Eval DefFunc DefCls DefCns", Kept),
            ("ReqDoc", by("ReqOnce", "paths are resolved by the include functions")),
            ("DefTypedef", by("nothing", "PHP has no type aliases")),
        ],
    ),
    (
        "13. Miscellaneous instructions",
        &[
            ("This BareThis StaticLoc StaticLocInit Catch VerifyParamType LateBoundCls NativeImpl CreateCl", Kept),
            ("CheckThis", by("This", "the check and the use are one instruction")),
            ("InitThisLoc", by("This, BareThis", "`$this` is never an ordinary variable in PHP 8")),
            ("Self Parent", by("SelfCls, ParentCls", "renamed: the names are Rust keywords or common words")),
            (
                "ClassExists InterfaceExists TraitExists AKExists ArrayIdx",
                by("FCall", "they are functions; an optimiser may still know them"),
            ),
            ("IncStat", by("nothing", "counters belong to the engine, not to the code")),
        ],
    ),
    (
        "14. Continuation creation and execution (revision 18 from ContRaise on)",
        &[
            ("CreateCont Yield YieldK", Kept),
            (
                "ContEnter ContSuspend UnpackCont ContRaise ContCheck ContValid ContStarted ContKey ContCurrent \
                 ContGetReturn",
                by("the methods of Generator", "they are native methods, which suspend and resume frames directly"),
            ),
            (
                "ContAssignDelegate ContEnterDelegate YieldFromDelegate ContUnsetDelegate",
                by("YieldFrom", "one instruction keeps the delegate in the Generator object"),
            ),
        ],
    ),
];
