<?php
$a = ;