<?php
class A { public(set) protected(set) $a; }