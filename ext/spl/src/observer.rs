//! The interfaces of the observer pattern.

use phlox_runtime::NativeClass;
use phlox_runtime::class::NativeHooks;

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "SplObserver",
        decl: "interface SplObserver { public function update(SplSubject $subject): void; }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "SplSubject",
        decl: "interface SplSubject {
            public function attach(SplObserver $observer): void;
            public function detach(SplObserver $observer): void;
            public function notify(): void;
        }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];
