<?php
#[Attribute(Attribute::TARGET_CLASS)] final class AllowDynamicProperties {
    public function __construct() {}
}
