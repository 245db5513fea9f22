<?php
class A { abstract final function f(); }