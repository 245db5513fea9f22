<?php
use A\{B, function};