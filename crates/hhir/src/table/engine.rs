//! Rows of instructions over the engine: objects, calls, stores, helpers, generators, iterators; sections 8 to 17.

macro_rules! engine_rows {
    ($($before:tt)*) => {
        crate::table::members::member_rows! {
            $($before)*
            8 "Allocation" {
                /// A new object of class S0.
                AllocObj [] DAllocObj(0), [s(CLS)], PRC | ER, USER;
                /// Registers an object whose destructor is to run at the end.
                RegisterLiveObj [] ND, [s(OBJ)], NF, rw(VM, VM);
                /// Takes the edge if the default properties of the class have not been evaluated.
                CheckInitProps [] ND, [c(CLS)], B, r(VM);
                /// Evaluates the default properties of the class.
                InitProps [] ND, [c(CLS)], ER, USER;
                /// Takes the edge if the static properties of the class have not been evaluated.
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
                /// An empty array with room for so many elements, laid out as a hash table.
                NewMixedArray [Count] DArr(ArrKind::Hash), [], PRC, HELPER;
                /// An empty array with room for so many elements, laid out as array S0.
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
                /// An inlined callee whose frame was never needed ends here.
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
                /// Frees the frame's symbol table or extra arguments; takes the edge if there was a symbol table.
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
                /// Stores S1 into a local of the global scope, where other code can see the store.
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
                /// Ends the unit; the interpreter goes on as the snapshot says.
                ReqBindJmp [] ND, [], B | T, r(ALL);
                /// Ends the unit with a side exit: types were not as expected, so the code may be compiled again.
                ReqRetranslate [] ND, [], B | T, r(ALL);
                /// Ends the unit with a side exit: this place is hot enough for better code.
                ReqRetranslateOpt [Site] ND, [], B | T, r(ALL);
            }

            12 "Reference counts and copies" {
                /// A copy of S0, without a new reference.
                Mov [] DofS(0), [s(TOP)], P, PURE;
                /// Takes a reference of S0, if it is counted.
                IncRef [] ND, [s(GEN | CTX | NULLPTR)], NF, rw(RC, RC);
                /// Releases a reference of S0; a destructor may run. The local is a hint.
                DecRef [Local] ND, [s(GEN | CTX | NULLPTR)], CRC | ER, USER;
                /// Releases a reference of S0 that is known not to be the last one.
                DecRefNZ [] ND, [s(GEN | CTX | NULLPTR)], CRC, rw(RC, RC);
            }

            13 "Miscellaneous" {
                /// The frame that the unit runs in.
                DefFP [] D(FRAME_PTR), [], NF, PURE;
                /// Takes the edge if the frame is of another function.
                FuncGuard [] ND, [s(FRAME_PTR), c(FUNC)], B, r(CTXT);
                /// PHP's `count()`.
                Count [] D(INT), [s(CELL)], ER, USER;
                /// How many elements an array has.
                CountArray [] D(INT), [s(ARR)], NF, r(HDR);
                CountArrayFast [] D(INT), [s(ARR)], NF, r(HDR);
                /// Nothing.
                Nop [] ND, [], NF, PURE;
                /// Nothing; passes may add side exits with this snapshot here.
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
                /// Takes the edge if a static variable has not been initialised.
                CheckStaticLoc [Site] ND, [], B, r(STATIC);
                /// Initialises a static variable.
                InitStaticLoc [Site] ND, [s(CELL)], CRC, w(STATIC);
                /// Evaluates a class's constant.
                InitClsCns [Lit, Lit] D(CELL), [], ER | PRC, USER;
                /// Outputs a string.
                PrintStr [] ND, [s(STR)], ER, USER;
                /// Outputs an integer.
                PrintInt [] ND, [s(INT)], ER, USER;
                /// Outputs a boolean.
                PrintBool [] ND, [s(BOOL)], ER, USER;
                /// S0 and S1 as one string. (The result may be larger than memory allows.)
                ConcatIntStr [] D(STR), [s(INT), s(STR)], ER | PRC, HELPER;
                ConcatStrInt [] D(STR), [s(STR), s(INT)], ER | PRC | CRC, HELPER;
                /// S0 and S1 as one string. S0 is consumed, so that S1 may be appended in place.
                ConcatStrStr [] D(STR), [s(STR), s(STR)], ER | PRC | CRC, HELPER;
                ConcatStr3 [] D(STR), [s(STR), s(STR), s(STR)], ER | PRC | CRC, HELPER;
                ConcatStr4 [] D(STR), [s(STR), s(STR), s(STR), s(STR)], ER | PRC | CRC, HELPER;
                /// Array S0, which is consumed, with S2 at key S1.
                AddElemStrKey [] D(ARR), [s(ARR), s(STR), s(CELL)], ER | PRC | CRC, USER;
                AddElemIntKey [] D(ARR), [s(ARR), s(INT), s(CELL)], ER | PRC | CRC, USER;
                /// Array S0, which is consumed, with S1 appended.
                AddNewElem [] D(ARR), [s(ARR), s(CELL)], ER | PRC | CRC, USER;
                /// S0 + S1, both of which are consumed.
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
                /// The case of a switch over strings, by comparison.
                LdSSwitchDestSlow [Site] D(INT), [s(GEN)], ER, USER;
                /// The interpreter executes one opline; its operands are in memory. It changes no other local than this one;
                /// `-` if it may change any.
                InterpOne [Opline, Local] ND, [s(FRAME_PTR)], ER, rw(ALL, ALL);
                /// The interpreter executes one opline that may jump, and goes on after it.
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
                /// Marks Generator S0 as running; takes the edge if it runs, has ended or, with the flag, has not started.
                ContPreNext [Flag] ND, [s(OBJ)], B, rw(CTXT, CTXT);
                /// Takes the edge if Generator S0 has not started.
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
                /// Starts an iterator over S0, which is consumed; the first value goes to a local. False if there is none.
                IterInit [Iter, Local, Local] D(BOOL), [s(ARR | OBJ), s(FRAME_PTR)], ER | CRC,
                    rw(ALL, HEAP | VM | FRAME | ITER);
                /// Starts an iterator over S0, which is consumed; the first value goes to a local, and its key to the second
                /// local. False if there is none.
                IterInitK [Iter, Local, Local] D(BOOL), [s(ARR | OBJ), s(FRAME_PTR)], ER | CRC,
                    rw(ALL, HEAP | VM | FRAME | ITER);
                /// Starts an iterator over a reference, which makes the values references, too; the first one goes to a local,
                /// and, with K, its key to the second local. False if there is none.
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
        }
    };
}
pub(crate) use engine_rows;
