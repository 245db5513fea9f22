<?php
(real) $a;