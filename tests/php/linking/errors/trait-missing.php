<?php
//: exit 255
class Thing { use Missing; }
echo "linked\n";
