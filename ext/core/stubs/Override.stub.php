<?php
#[Attribute(Attribute::TARGET_METHOD)] final class Override {
    public function __construct() {}
}
