<?php
$a->1;