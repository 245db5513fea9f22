<?php
$a = 1 +;