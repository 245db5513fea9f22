//! Preserve-all calls: functions that save all registers themselves, so that a rare call does not cost a loop without other
//! calls its registers.

/// Defines a preserve-all function of two words that calls another function with them.
///
/// The function has Cranelift's calling convention `preserve_all`: arguments as in the system's convention, no result, and all
/// registers are preserved. (Compiled code works on scalars and on vectors of 128 bits, so wider vectors are not saved.)
#[macro_export]
macro_rules! keeps_registers {
    ($(#[$about:meta])* $visibility:vis $name:ident => $called:path) => {
        $(#[$about])*
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        $visibility extern "C" fn $name(first: u64, second: u64) {
            // Nine pushed registers and the return address align the stack for the call.
            core::arch::naked_asm!(
                "push rax", "push rcx", "push rdx", "push rsi", "push rdi", "push r8", "push r9", "push r10", "push r11",
                "sub rsp, 256",
                "movups [rsp], xmm0", "movups [rsp + 16], xmm1", "movups [rsp + 32], xmm2", "movups [rsp + 48], xmm3",
                "movups [rsp + 64], xmm4", "movups [rsp + 80], xmm5", "movups [rsp + 96], xmm6", "movups [rsp + 112], xmm7",
                "movups [rsp + 128], xmm8", "movups [rsp + 144], xmm9", "movups [rsp + 160], xmm10", "movups [rsp + 176], xmm11",
                "movups [rsp + 192], xmm12", "movups [rsp + 208], xmm13", "movups [rsp + 224], xmm14", "movups [rsp + 240], xmm15",
                "call {called}",
                "movups xmm0, [rsp]", "movups xmm1, [rsp + 16]", "movups xmm2, [rsp + 32]", "movups xmm3, [rsp + 48]",
                "movups xmm4, [rsp + 64]", "movups xmm5, [rsp + 80]", "movups xmm6, [rsp + 96]", "movups xmm7, [rsp + 112]",
                "movups xmm8, [rsp + 128]", "movups xmm9, [rsp + 144]", "movups xmm10, [rsp + 160]", "movups xmm11, [rsp + 176]",
                "movups xmm12, [rsp + 192]", "movups xmm13, [rsp + 208]", "movups xmm14, [rsp + 224]", "movups xmm15, [rsp + 240]",
                "add rsp, 256",
                "pop r11", "pop r10", "pop r9", "pop r8", "pop rdi", "pop rsi", "pop rdx", "pop rcx", "pop rax",
                "ret",
                called = sym $called,
            )
        }

        $(#[$about])*
        #[cfg(not(target_arch = "x86_64"))]
        $visibility extern "C" fn $name(_: u64, _: u64) {
            unreachable!("there is no compiled code for this machine")
        }
    };
}

keeps_registers! {
    /// Releases a reference of a counted value: payload and tag.
    pub(crate) release => crate::layout::release
}
