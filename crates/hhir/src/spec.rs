//! What became of every instruction of the HHIR specification, section by section.

use crate::Op;

/// What became of some instructions.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// In the table, under the same name.
    Kept,
    /// Another instruction does their work: which, and why.
    Superseded { by: Op, why: &'static str },
    /// PHP 8.4 has no use for them: why.
    NotApplicable { why: &'static str },
}

use Fate::Kept;

/// Instructions of a section that share a fate, separated by blanks.
pub type Row = (&'static str, Fate);

const fn by(by: Op, why: &'static str) -> Fate {
    Fate::Superseded { by, why }
}

const fn na(why: &'static str) -> Fate {
    Fate::NotApplicable { why }
}

/// All instructions, by section of the specification.
pub const SECTIONS: &[(&str, &[Row])] = &[
    (
        "1. Checks and Asserts",
        &[
            (
                "CheckType CheckNullptr AssertType CheckTypeMem HintLocInner HintStkInner HintMBaseInner CheckLoc \
                 CheckStk CheckMBase AssertLoc AssertStk AssertMBase CheckInit CheckInitMem CheckCold EndGuards \
                 CheckNonNull AssertNonNull",
                Kept,
            ),
            ("CheckVArray CheckDArray", na("varray and darray are Hack's")),
            (
                "CastStk CastMem",
                by(Op::ConvCellToBool, "the conversions take and give values; nothing converts a stack slot in place"),
            ),
            (
                "CoerceStk CoerceMem CoerceCellToBool CoerceCellToInt CoerceStrToInt CoerceCellToDbl \
                 CoerceStrToDbl",
                by(
                    Op::CallBuiltin,
                    "a builtin function's declaration says how its arguments are converted, and the runtime does it",
                ),
            ),
            ("CheckRefs", by(Op::EqFunc, "whether arguments go by reference is known once the function is")),
        ],
    ),
    (
        "2. Arithmetic",
        &[(
            "AddInt SubInt MulInt AddIntO SubIntO MulIntO AddDbl SubDbl MulDbl DivDbl DivInt Floor Ceil \
                 AbsDbl Sqrt AndInt OrInt XorInt Shl Shr XorBool Mod",
            Kept,
        )],
    ),
    (
        "3. Type conversions",
        &[
            (
                "ConvBoolToArr ConvDblToArr ConvIntToArr ConvObjToArr ConvStrToArr ConvCellToArr ConvArrToBool \
                 ConvDblToBool ConvIntToBool ConvStrToBool ConvObjToBool ConvCellToBool ConvArrToDbl \
                 ConvBoolToDbl ConvIntToDbl ConvObjToDbl ConvStrToDbl ConvResToDbl ConvCellToDbl ConvBoolToInt \
                 ConvDblToInt ConvObjToInt ConvStrToInt ConvResToInt ConvCellToInt ConvCellToObj ConvDblToStr \
                 ConvIntToStr ConvObjToStr ConvResToStr ConvCellToStr ConvClsToCctx OrdStr OrdStrIdx ChrInt \
                 StrictlyIntegerConv",
                Kept,
            ),
            (
                "ConvVecToArr ConvDictToArr ConvKeysetToArr ConvArrToVec ConvDictToVec ConvKeysetToVec \
                 ConvObjToVec ConvArrToDict ConvVecToDict ConvKeysetToDict ConvObjToDict ConvArrToKeyset \
                 ConvVecToKeyset ConvDictToKeyset ConvObjToKeyset",
                na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array"),
            ),
            (
                "ConvArrToNonDVArr ConvArrToVArr ConvVecToVArr ConvDictToVArr ConvKeysetToVArr ConvObjToVArr \
                 ConvArrToDArr ConvVecToDArr ConvDictToDArr ConvKeysetToDArr ConvObjToDArr",
                na("varray and darray are Hack's"),
            ),
        ],
    ),
    (
        "4. Boolean predicates",
        &[
            (
                "GtInt GteInt LtInt LteInt EqInt NeqInt CmpInt GtDbl GteDbl LtDbl LteDbl EqDbl NeqDbl CmpDbl \
                 GtStr GteStr LtStr LteStr EqStr NeqStr SameStr NSameStr CmpStr GtStrInt GteStrInt LtStrInt \
                 LteStrInt EqStrInt NeqStrInt CmpStrInt GtBool GteBool LtBool LteBool EqBool NeqBool CmpBool \
                 GtObj GteObj LtObj LteObj EqObj NeqObj SameObj NSameObj CmpObj GtArr GteArr LtArr LteArr EqArr \
                 NeqArr SameArr NSameArr CmpArr GtRes GteRes LtRes LteRes EqRes NeqRes CmpRes EqCls EqFunc \
                 EqStrPtr EqArrayDataPtr InstanceOf InstanceOfIface ExtendsClass HasToString IsType IsNType \
                 IsTypeMem IsNTypeMem IsScalarType",
                Kept,
            ),
            (
                "GtVec GteVec LtVec LteVec EqVec NeqVec SameVec NSameVec CmpVec EqDict NeqDict SameDict NSameDict \
                 EqKeyset NeqKeyset SameKeyset NSameKeyset",
                na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array"),
            ),
            (
                "ProfileInstanceCheck",
                by(Op::IncProfCounter, "the interpreter's handlers take profiles; compiled code only counts"),
            ),
            (
                "InstanceOfIfaceVtable InstanceOfBitmask NInstanceOfBitmask",
                by(
                    Op::InstanceOfIface,
                    "classes have no tables of interfaces; a guard on the class answers most questions",
                ),
            ),
            (
                "InterfaceSupportsArr InterfaceSupportsVec InterfaceSupportsDict InterfaceSupportsKeyset \
                 InterfaceSupportsStr InterfaceSupportsInt InterfaceSupportsDbl",
                na("no value but an object implements an interface in PHP"),
            ),
            ("IsWaitHandle", na("async functions are Hack's")),
            ("IsCol", na("collections are Hack's")),
            ("IsDVArray", na("varray and darray are Hack's")),
        ],
    ),
    (
        "5. Branches",
        &[
            (
                "JmpZero JmpNZero JmpSSwitchDest JmpSwitchDest CheckSurpriseFlags ReturnHook \
                 SuspendHookCreateCont SuspendHookYield Unreachable EndBlock Jmp Select",
                Kept,
            ),
            (
                "ProfileSwitchDest",
                by(Op::IncProfCounter, "the interpreter's handlers take profiles; compiled code only counts"),
            ),
            ("SuspendHookAwaitEF SuspendHookAwaitEG SuspendHookAwaitR", na("async functions are Hack's")),
            ("DefLabel", by(Op::Jmp, "blocks have parameters, which Jmp passes; they print as the block's head")),
        ],
    ),
    ("6. Reference manipulation", &[("Box UnboxPtr BoxPtr", Kept)]),
    (
        "7. Loads",
        &[
            (
                "LdStk LdLoc LdLocPseudoMain LdStkAddr LdLocAddr LdRDSAddr LdMem LdContField LdElem CheckRefInner \
                 LdRef LdCtx LdCctx LdClosure CheckCtxThis LdClsCtx LdClsCctx LdClsCtor DefConst Conjure \
                 ConjureUse LdCls LdClsCached LdClsCachedSafe LookupClsRDS LdCns LookupCnsE LookupCnsU LdClsCns \
                 LdSubClsCns CheckSubClsCns LdClsMethodFCacheFunc LookupClsMethodFCache CheckFuncStatic \
                 FwdCtxStaticCall LdClsMethodCacheFunc LdClsMethodCacheCls LookupClsMethodCache LdClsMethod \
                 LookupClsMethod LdPropAddr LdGblAddr LdGblAddrDef LdClsPropAddrOrNull LdClsPropAddrOrRaise \
                 LdObjMethod LdObjInvoke LdObjClass LdClsName LdFunc LdFuncCached LdFuncCachedU LdFuncCachedSafe \
                 LdARNumParams LdFuncNumParams LdStrLen LdStaticLoc",
                Kept,
            ),
            ("LdClsRef", na("class references are stack values, as in revision 17 of the bytecode")),
            ("LdVectorBase LdPairBase LdColVec LdColDict", na("collections are Hack's")),
            ("DefCls", by(Op::InterpOne, "declaring a class runs once")),
            ("LdClsInitData", by(Op::InitObjProps, "default properties are copied from the class by one instruction")),
            ("LookupCns", by(Op::LookupCnsE, "an undefined constant throws in PHP 8")),
            ("LdClsCnsVecLen", by(Op::CheckSubClsCns, "the check answers whether the slot is there")),
            (
                "ProfileSubClsCns",
                by(Op::IncProfCounter, "the interpreter's handlers take profiles; compiled code only counts"),
            ),
            (
                "LdIfaceMethod LdFuncVecLen",
                by(
                    Op::InstanceOfIface,
                    "classes have no tables of interfaces; a guard on the class answers most questions",
                ),
            ),
            (
                "LdArrFuncCtx LdArrFPushCuf LdStrFPushCuf",
                by(Op::InterpOne, "a callable of any form is resolved by the runtime"),
            ),
            ("LdARFuncPtr LdARCtx", by(Op::SpillFrame, "what goes into a pending call's header is at hand as values")),
            (
                "LdClosureStaticLoc",
                by(Op::LdStaticLoc, "static variables are addressed by the client's site, a closure's among them"),
            ),
        ],
    ),
    (
        "8. Allocation",
        &[
            (
                "AllocObj RegisterLiveObj CheckInitProps InitProps CheckInitSProps InitSProps DebugBacktrace \
                 InitThrowableFileAndLine NewInstanceRaw InitObjProps ConstructInstance NewArray NewMixedArray \
                 NewLikeArray AllocPackedArray InitPackedLayoutArray InitPackedLayoutArrayLoop NewStructArray \
                 Clone",
                Kept,
            ),
            ("DebugBacktraceFast", by(Op::DebugBacktrace, "one form of backtrace")),
            ("NewDArray AllocVArray NewStructDArray", na("varray and darray are Hack's")),
            (
                "NewDictArray NewKeysetArray AllocVecArray NewStructDict",
                na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array"),
            ),
            ("NewCol NewPair NewColFromArray", na("collections are Hack's")),
        ],
    ),
    (
        "9. Call & Return",
        &[
            (
                "SpillFrame BeginInlining DefInlineFP InlineReturn InlineReturnNoFrame CallArray Call NativeImpl \
                 CallBuiltin RetCtrl LdRetVal DbgTrashRetVal ReleaseVVAndSkip GenericRetDecRefs",
                Kept,
            ),
            ("SyncReturnBC", by(Op::Call, "a call stores its own return place")),
            ("AsyncFuncRet AsyncFuncRetSlow AsyncSwitchFast", na("async functions are Hack's")),
        ],
    ),
    (
        "10. Stores",
        &[
            ("StMem StElem StLoc StLocPseudoMain StLocRange StRef StStk DbgTrashStk DbgTrashFrame DbgTrashMem", Kept),
            ("StClsRef", na("class references are stack values, as in revision 17 of the bytecode")),
        ],
    ),
    ("11. Trace exits", &[("EagerSyncVMRegs ReqBindJmp ReqRetranslate ReqRetranslateOpt", Kept)]),
    ("12. Refcounting and copies", &[("Mov IncRef DecRef DecRefNZ", Kept)]),
    (
        "13. Misc",
        &[
            ("DefFP FuncGuard Count CountArray CountArrayFast Nop ExitPlaceholder", Kept),
            ("DefSP", by(Op::DefFP, "temporaries lie at fixed places of the frame")),
            ("CountVec CountDict CountKeyset", na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array")),
            ("CountCollection", na("collections are Hack's")),
        ],
    ),
    (
        "14. Runtime helpers",
        &[
            (
                "VerifyParamCls VerifyParamCallable VerifyParamFail VerifyParamFailHard VerifyRetCallable \
                 VerifyRetCls VerifyRetFail VerifyRetFailHard RaiseUninitLoc RaiseUndefProp RaiseMissingArg \
                 RaiseError RaiseWarning RaiseNotice RaiseArrayIndexNotice RaiseArrayKeyNotice RaiseMissingThis \
                 FatalMissingThis CheckStaticLoc InitStaticLoc InitClsCns PrintStr PrintInt PrintBool \
                 ConcatIntStr ConcatStrInt ConcatStrStr ConcatStr3 ConcatStr4 AddElemStrKey AddElemIntKey \
                 AddNewElem ArrayAdd AKExistsArr AKExistsObj ArrayIdx MethodExists LdSwitchDblIndex \
                 LdSwitchStrIndex LdSwitchObjIndex LdSSwitchDestFast LdSSwitchDestSlow InterpOne InterpOneCF \
                 OODeclExists SetOpCell GetTime GetTimeNs",
                Kept,
            ),
            ("RaiseHackArrParamNotice RaiseHackArrCompatNotice", na("varray and darray are Hack's")),
            (
                "RaiseVarEnvDynCall",
                na("PHP 8 throws when `extract` and its kin are called dynamically; the runtime does it"),
            ),
            ("RaiseParamRefMismatch", na("annotations of references at call sites are Hack's")),
            (
                "AddNewElemKeyset AddNewElemVec DictAddElemStrKey DictAddElemIntKey AKExistsDict AKExistsKeyset \
                 DictIdx KeysetIdx",
                na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array"),
            ),
            ("GetMemoKey", na("memoized functions are Hack's")),
            ("LdBindAddr", by(Op::ReqBindJmp, "exits are bound when the code is written, not by request")),
            ("KillClsRef", na("class references are stack values, as in revision 17 of the bytecode")),
        ],
    ),
    (
        "15. Generators & Closures",
        &[
            (
                "LdClosureCtx StClosureCtx StClosureArg CreateGen StArResumeAddr ContEnter ContPreNext \
                 ContStartedCheck ContValid ContStarted ContArIncKey ContArIncIdx ContArUpdateIdx LdContActRec \
                 LdContResumeAddr StContArState LdContArValue StContArValue LdContArKey StContArKey",
                Kept,
            ),
            (
                "CreateAGen CreateAFWH CreateAFWHNoVV CreateAGWH CreateAAWH CreateSSWH AFWHPrepareChild \
                 AFWHBlockOn LdWHState LdWHResult LdWHNotDone CountWHNotDone LdAFWHActRec",
                na("async functions are Hack's"),
            ),
        ],
    ),
    (
        "16. Debugging, instrumentation, and profiling",
        &[
            ("IncStat IncProfCounter DbgAssertRefCount DbgTraceCall ZeroErrorLevel RestoreErrorLevel", Kept),
            ("IncStatGrouped", by(Op::IncStat, "one form of counters")),
            ("DbgAssertARFunc", by(Op::FuncGuard, "the verifier knows which function a header is of")),
            ("RBTraceEntry RBTraceMsg", by(Op::DbgTraceCall, "one form of traces")),
        ],
    ),
    (
        "17. Iterators",
        &[
            (
                "IterInit IterInitK MIterInit MIterInitK IterNext IterNextK MIterNext MIterNextK IterFree \
                 MIterFree",
                Kept,
            ),
            (
                "WIterInit WIterInitK WIterNext WIterNextK",
                by(Op::IterInit, "foreach by value copies elements also where they are references"),
            ),
            (
                "DecodeCufIter StCufIterFunc StCufIterCtx StCufIterInvName StCufIterDynamic LdCufIterFunc \
                 LdCufIterCtx LdCufIterInvName LdCufIterDynamic KillCufIter",
                na("iterators that hold a callable are for calls by array, which resolve it each time"),
            ),
        ],
    ),
    (
        "18. Member instruction support",
        &[
            (
                "LdMIStateAddr LdMBase StMBase FinishMemberOp BaseG PropX PropQ PropDX CGetProp CGetPropQ \
                 VGetProp BindProp SetProp UnsetProp SetOpProp IncDecProp EmptyProp IssetProp ElemX \
                 CheckMixedArrayOffset CheckArrayCOW ElemArray ElemArrayW ElemArrayD ElemArrayU ElemMixedArrayK \
                 ElemDX ElemUX ArrayGet MixedArrayGetK StringGet CGetElem VGetElem BindElem ArraySet ArraySetRef \
                 SetElem UnsetElem SetOpElem IncDecElem SetNewElem SetNewElemArray BindNewElem ArrayIsset \
                 StringIsset IssetElem EmptyElem CheckRange ThrowInvalidOperation ThrowArithmeticError \
                 ThrowDivisionByZeroError CheckPackedArrayDataBounds LdPackedArrayDataElemAddr \
                 ReservePackedArrayDataNewElem",
                Kept,
            ),
            (
                "ProfileMixedArrayOffset ProfileArrayKind ProfileType ProfileMethod",
                by(Op::IncProfCounter, "the interpreter's handlers take profiles; compiled code only counts"),
            ),
            (
                "ProfileDictOffset CheckDictOffset ProfileKeysetOffset CheckKeysetOffset ElemVecD ElemVecU \
                 ElemDict ElemDictW ElemDictD ElemDictU ElemDictK ElemKeyset ElemKeysetW ElemKeysetU ElemKeysetK \
                 DictGet DictGetQuiet DictGetK KeysetGet KeysetGetQuiet KeysetGetK VecSet VecSetRef DictSet \
                 DictSetRef SetNewElemVec SetNewElemKeyset DictIsset KeysetIsset DictEmptyElem KeysetEmptyElem \
                 ThrowOutOfBounds ThrowInvalidArrayKey",
                na("vec, dict and keyset are Hack's; PHP 8.4 has one kind of array"),
            ),
            (
                "MapGet MapSet VectorIsset PairIsset MapIsset LdVectorSize VectorDoCow VectorHasImmCopy \
                 ColIsEmpty ColIsNEmpty",
                na("collections are Hack's"),
            ),
            ("MemoGet MemoSet", na("memoized functions are Hack's")),
            ("SetWithRefElem", na("no opline writes so")),
            ("LdVecElem", by(Op::LdPackedElem, "the same for packed arrays")),
        ],
    ),
    (
        "19. Exception/unwinding support",
        &[
            ("BeginCatch EndCatch", Kept),
            (
                "UnwindCheckSideExit",
                by(Op::EndCatch, "helpers report a failure as a status; there is no native unwinding to return to"),
            ),
            ("LdUnwinderValue", by(Op::BeginCatch, "a pending exception is the engine's, not a value of the unit")),
        ],
    ),
    (
        "20. Function prologues",
        &[
            (
                "EnterFrame CheckStackOverflow InitExtraArgs InitCtx CheckSurpriseFlagsEnter \
                 CheckSurpriseAndStack",
                Kept,
            ),
            (
                "CheckARMagicFlag LdARNumArgsAndFlags StARNumArgsAndFlags LdARInvName StARInvName PackMagicArgs",
                by(Op::InterpOne, "a call of `__call` packs its arguments before it enters the callee"),
            ),
            ("LdTVAux", na("the third word of a cell belongs to its container")),
        ],
    ),
];
