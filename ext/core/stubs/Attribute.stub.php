<?php
#[Attribute(Attribute::TARGET_CLASS)] final class Attribute {
    const int TARGET_CLASS = 1;
    const int TARGET_FUNCTION = 2;
    const int TARGET_METHOD = 4;
    const int TARGET_PROPERTY = 8;
    const int TARGET_CLASS_CONSTANT = 16;
    const int TARGET_PARAMETER = 32;
    const int TARGET_ALL = 63;
    const int IS_REPEATABLE = 64;
    public int $flags;
    public function __construct(int $flags = Attribute::TARGET_ALL) {}
}
