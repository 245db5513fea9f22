<?php
//: exit 255
readonly class Base {}
class Child extends Base {}
echo "linked\n";
