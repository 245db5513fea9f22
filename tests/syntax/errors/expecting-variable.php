<?php
function f(int) {}