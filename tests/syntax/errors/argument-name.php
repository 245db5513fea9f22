<?php
f(new 1);