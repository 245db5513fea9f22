<?php
// Addresses need no look-up; names that nobody has stay as they are.
var_dump(gethostbyname('127.0.0.1'), gethostbynamel('10.0.0.1'));
var_dump(gethostbyname('no.such.host.invalid'), gethostbynamel('no.such.host.invalid'));
var_dump(@gethostbyaddr('nonsense'), @gethostbynamel(str_repeat('x', 256)));
