<?php
class LibXMLError {
    public int $level;
    public int $code;
    public int $column;
    public string $message;
    public string $file;
    public int $line;
}
