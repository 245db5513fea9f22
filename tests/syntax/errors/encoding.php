<?php
declare(encoding=FOO);