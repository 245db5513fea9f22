#include "prelude.h"
/* lines with a time limit: what was typed by then is kept and comes again */
main(args)
{
    tadsSay('First&gt; ');
    local e = inputLineTimeout(400);
    tadsSay('\n' + fmt(e).htmlify() + '\nAgain&gt; ');
    e = inputLineTimeout(5000);
    tadsSay('\n' + fmt(e).htmlify() + '\nForgotten&gt; ');
    e = inputLineTimeout(400);
    inputLineCancel(true);
    tadsSay('\n' + fmt(e).htmlify() + '\nLast&gt; ');
    e = inputLineTimeout();
    tadsSay(fmt(e).htmlify() + '\n');
}
