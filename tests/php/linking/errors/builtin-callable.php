<?php
//: exit 255
class Narrower extends ArrayObject {
    public function uasort(array $callback): true { return true; }
}
