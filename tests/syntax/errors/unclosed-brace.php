<?php
function f() {
  if (1) {
