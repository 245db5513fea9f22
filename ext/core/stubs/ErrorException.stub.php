<?php
class ErrorException extends Exception {
    protected int $severity = E_ERROR;
    public function __construct(
        string $message = "",
        int $code = 0,
        int $severity = E_ERROR,
        ?string $filename = null,
        ?int $line = null,
        ?Throwable $previous = null
    ) {}
    #[real_return] final public function getSeverity(): int {}
}
