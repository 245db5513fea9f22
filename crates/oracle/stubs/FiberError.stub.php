<?php
final class FiberError extends Error {
    public function __construct() {}
}
