<?php
#[Attribute(Attribute::TARGET_METHOD)] final class ReturnTypeWillChange {
    public function __construct() {}
}
