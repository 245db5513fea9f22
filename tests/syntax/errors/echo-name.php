<?php
class A { const <?= = 1; }