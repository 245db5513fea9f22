<?php
//: exit 255
if (true) { class Exception {} }
echo "linked\n";
