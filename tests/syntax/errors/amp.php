<?php
function f((A|B)|C $x) {}