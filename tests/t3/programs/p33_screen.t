#include "prelude.h"
/* what only a screen shows: the status line, styles, pages, single keys */
main(args)
{
    statusMode(1); tadsSay('Hall &amp; <b>stairs</b>'); statusMode(0); statusRight('5/10');
    tadsSay('a <b>bold</b>, an <i>italic</i> and an <u>underlined</u> word, \u00e9\u4e2d\n');
    for (local i = 1 ; i <= 30 ; ++i) tadsSay('line ' + toString(i) + '\n');
    tadsSay('Key&gt; ');
    local k = inputKey();
    tadsSay('\n' + fmt(k).htmlify() + '\n');
    clearScreen();
    tadsSay('Line&gt; ');
    tadsSay(fmt(inputLine()).htmlify() + '\n');
}
