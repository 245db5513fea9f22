<?php
class PDOException extends \RuntimeException {
    protected $code = 0;
    public ?array $errorInfo = NULL;
}
