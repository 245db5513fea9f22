<?php
foreach (["<html>", "<p>x", "<div class=a>", "text", " \n<p>", "<!--c--><p>", "</p>", "</div>x", "<?pi?><b>", "<!DOCTYPE foo>", "<!doctype html PUBLIC 'x'>", "", "&amp;", "<!x><i>", "\n\n  <span>", "<p/>", "<!DOCTYPE html></x>"] as $s) { echo json_encode($s),"\n"; set_error_handler(function($n,$m){ echo "   ",trim($m),"\n"; return true; }); Dom\HTMLDocument::createFromString($s); restore_error_handler(); }
libxml_use_internal_errors(true); Dom\HTMLDocument::createFromString("<p>"); var_dump(libxml_get_last_error()); 
