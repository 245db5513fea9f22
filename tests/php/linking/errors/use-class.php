<?php
//: exit 255
class Helper {}
class User { use Helper; }
echo "linked\n";
