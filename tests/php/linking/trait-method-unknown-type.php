<?php
//: exit 255
class Upper { public function make($x): Known {} }
class Known {}
trait Maker { public function make($x): Missing {} }
class Lower extends Upper { use Maker; }
