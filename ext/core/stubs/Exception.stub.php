<?php
class Exception implements Throwable {
    protected $message = "";
    private string $string = "";
    protected $code = 0;
    protected string $file = "";
    protected int $line = 0;
    private array $trace = [];
    private ?Throwable $previous = null;
    #[real_return] private function __clone(): void {}
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null) {}
    public function __wakeup(): void {}
    #[real_return] final public function getMessage(): string {}
    final public function getCode() {}
    #[real_return] final public function getFile(): string {}
    #[real_return] final public function getLine(): int {}
    #[real_return] final public function getTrace(): array {}
    #[real_return] final public function getPrevious(): ?Throwable {}
    #[real_return] final public function getTraceAsString(): string {}
    public function __toString(): string {}
}
