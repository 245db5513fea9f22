<?php
final class ReflectionFiber {
    #[real_return] public function __construct(Fiber $fiber) {}
    #[real_return] public function getFiber(): Fiber {}
    #[real_return] public function getExecutingFile(): ?string {}
    #[real_return] public function getExecutingLine(): ?int {}
    #[real_return] public function getCallable(): callable {}
    #[real_return] public function getTrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT): array {}
}
