<?php
class ReflectionEnumUnitCase extends ReflectionClassConstant {
    public function __construct(object|string $class, string $constant) {}
    #[real_return] public function getEnum(): ReflectionEnum {}
    #[real_return] public function getValue(): UnitEnum {}
}
