<?php
//: exit 255
trait Helper {}
class User extends Helper {}
echo "linked\n";
