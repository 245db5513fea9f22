<?php
final class ReflectionGenerator {
    public function __construct(Generator $generator) {}
    public function getExecutingLine(): int {}
    public function getExecutingFile(): string {}
    public function getTrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT): array {}
    public function getFunction(): ReflectionFunctionAbstract {}
    public function getThis(): ?object {}
    public function getExecutingGenerator(): Generator {}
    #[real_return] public function isClosed(): bool {}
}
