<?php
<<<A
  a
 b
  A;