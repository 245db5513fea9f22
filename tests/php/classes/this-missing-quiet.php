<?php
function t($f) { try { var_dump($f()); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; } }
t(function() { return isset($this); });
class A { public $p = 1; static function s() { return isset($this->p); } static function c() { return $this->p ?? 'x'; } static function d() { return $this ?? 'x'; } static function e() { return empty($this->p); } static function f() { return empty($this); }
 static function g() { return isset($this->a->b); } static function h() { return $this?->p; } static function i() { return isset($this['a']); } static function j() { return isset($this->p, $q); } static function k() { return static function() { return $this->p ?? 1; }; }
 function m() { return isset($this->p) && !empty($this->p) && ($this ?? 0); } }
foreach (['s','c','d','e','f','g','h','i','j'] as $m) t([A::class, $m]);
t(A::k());
t([new A, 'm']);
t(static fn() => $this->x ?? 5);
try { var_dump(isset($this->x)); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(isset($this));
function ff() { return $this->x ?? 3; }
t('ff');
