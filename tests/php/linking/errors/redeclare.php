<?php
//: exit 255
class Thing {}
if (true) { class Thing {} }
echo "linked\n";
