<?php
f($a $b);