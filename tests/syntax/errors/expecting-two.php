<?php
echo $a
  $b;