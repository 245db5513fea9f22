<?php
//: exit 255
trait A { function __get($name) {} }
enum Suit { use A; case Hearts; }
echo "linked\n";
