#charset "utf-8"
/* what the formatter makes of tabs, tags and entities: one text from each of the lists at a time */
#include <tads.h>
main(args)
{
    local l = [
        'a<tab>b', 'abc<tab>d', '<tab align=right>r', 'l<tab align=right>r', 'l<tab align=center>c<tab align=right>r', '<tab align=center>c',
        'abc<tab id=k>d<br>x<tab to=k>y', 'z<tab to=k align=right>12', 'z<tab to=k align=decimal>1.25', 'z<tab to=nope>q', 'a<tab indent=5>b',
        'a<tab multiple=8>b', 'a<tab align=bad>b', 'a<1 x>b', 'a<>b', 'a <!-- c > d', '&figsp;x&fpmsp;y&hairsp;z&thinsp;v&zwnj;t', '&ldq;x&rdq;',
        'a<br height=2>b', 'a<br><br>b', '<pre>a   b\n  c</pre>d', 'a\u2002b\u2003c', '<q>a<q>b</q></q>', '<nolog>n</nolog><log>l</log>',
        '<img src=x alt="pic">', '<font color=red>r</font>', 'm<tab align=right>' + makeString('long text ', 12)
    ];
    for (local i = 1 ; i <= l.length() ; ++i) { tadsSay('\n[' + i + ':'); tadsSay(l[i]); tadsSay(']\n'); }
    for (local i = 1 ; i <= 36 ; ++i) { local v = systemInfo(i); tadsSay(toString(i) + '=' + toString(v) + ' '); }
    tadsSay('\n' + rand('[a-z]{5}-[0-9]{3}(x|y)*') + ' ' + rand('dAz{2,4}"lit"%d') + '\n');
    foreach (local p in ['a|', '|a', '()', '(', 'a||b', '<punct>'])
        foreach (local s in ['', 'a', 'b', '<', '.']) { local x = rexSearch(p, s); tadsSay(p.htmlify() + '~' + s.htmlify() + ' ' + (x ? toString(x[1]) : 'nil') + ', '); }
}
