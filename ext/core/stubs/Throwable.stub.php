<?php
interface Throwable extends Stringable {
    #[real_return] public function getMessage(): string;
    public function getCode();
    #[real_return] public function getFile(): string;
    #[real_return] public function getLine(): int;
    #[real_return] public function getTrace(): array;
    #[real_return] public function getPrevious(): ?Throwable;
    #[real_return] public function getTraceAsString(): string;
}
