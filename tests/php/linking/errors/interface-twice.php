<?php
//: exit 255
interface One {}
class Thing implements One, One {}
echo "linked\n";
