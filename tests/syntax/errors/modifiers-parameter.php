<?php
function f(static $a) {}