<?php
class A { 1 }