<?php
//: exit 255
trait A { public $size; }
enum Suit { use A; case Hearts; }
echo "linked\n";
