<?php
class Reflection {
    public static function getModifierNames(int $modifiers): array {}
}
