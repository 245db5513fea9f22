<?php
class ReflectionIntersectionType extends ReflectionType {
    #[real_return] public function getTypes(): array {}
}
