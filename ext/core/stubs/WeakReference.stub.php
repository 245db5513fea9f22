<?php
final class WeakReference {
    public function __construct() {}
    #[real_return] public static function create(object $object): WeakReference {}
    #[real_return] public function get(): ?object {}
}
