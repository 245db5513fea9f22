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
        decl: include_str!("../stubs/SplSubject.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
];
