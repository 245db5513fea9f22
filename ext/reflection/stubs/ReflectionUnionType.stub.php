<?php
class ReflectionUnionType extends ReflectionType {
    #[real_return] public function getTypes(): array {}
}
