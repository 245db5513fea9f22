<?php
echo 1 "a string that is much longer than thirty characters";