<?php
// Variables that pages carry along.
ini_set('url_rewriter.tags', 'a=href,area=href,frame=src,form=,x=y');
ini_set('url_rewriter.hosts', 'example.com');
var_dump(output_add_rewrite_var('<n>', '"v" &'));
print_r(ob_list_handlers());
?>
<a href="a.php">1</a><A HREF='b.php?x=1#top'>2</A><a href=c>3</a>
<a href="#mark">4</a><a href="//example.com/p">5</a><a href="//other.org/p">6</a>
<a href="http://example.com">7</a><a href="http://user:word@example.com:81/p?q">8</a><a href="ftp://example.com/">9</a>
<x y="u">10</x><x z="u" y = "v" />
<form action="go.php" method="post"> <form> <form action="http://other.org/"> <form action="http://example.com/">
<b title="a.php">11</b><a
 href="s">12</a><a href="unfinished
<?php
output_add_rewrite_var('second', '2');
?>
<a href="two">13</a>
<?php
ob_flush();
var_dump(output_reset_rewrite_vars());
?>
<a href="none">14</a>
