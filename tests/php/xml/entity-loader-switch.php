<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
var_dump(libxml_disable_entity_loader(), libxml_disable_entity_loader(false), libxml_disable_entity_loader(false));
