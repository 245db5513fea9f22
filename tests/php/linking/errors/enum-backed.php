<?php
//: exit 255
enum Suit implements BackedEnum { case Hearts; static function from(int|string $v): static {} static function tryFrom(int|string $v): ?static {} }
echo "linked\n";
