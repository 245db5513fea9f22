<?php
//: exit 255
interface Shape {}
class Square extends Shape {}
echo "linked\n";
