<?php
//: exit 255
final class Base {}
class Child extends Base {}
echo "linked\n";
