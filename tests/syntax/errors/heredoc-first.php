<?php
<<<A
$a
  A;