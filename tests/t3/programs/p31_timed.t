#include "prelude.h"
/* lines with a time limit: what was typed by then is kept and comes again */
main(args)
{
    tadsSay('First&gt; ');
    local e = inputLineTimeout(1500);
    tadsSay('\n' + fmt(e).htmlify() + '\nAgain&gt; ');
    e = inputLineTimeout(20000);
    tadsSay('\n' + fmt(e).htmlify() + '\nForgotten&gt; ');
    e = inputLineTimeout(1500);
    inputLineCancel(true);
    tadsSay('\n' + fmt(e).htmlify() + '\nLast&gt; ');
    e = inputLineTimeout();
    tadsSay(fmt(e).htmlify() + '\n');
}
