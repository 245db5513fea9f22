<?php
$a foo;