<?php
//: exit 255
class Thing implements UnitEnum { static function cases(): array { return []; } }
echo "linked\n";
