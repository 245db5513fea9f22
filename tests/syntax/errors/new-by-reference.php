<?php
$a = &new A;