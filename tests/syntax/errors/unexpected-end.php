<?php
function f()