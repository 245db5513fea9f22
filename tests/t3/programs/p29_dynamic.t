#include "prelude.h"
#include <dynfunc.h>
/* the reference gives the same for each source alone; all of them in one run crash it
   (what source compiled by a program may contain: jumps, symbols, patterns, objects in objects) */
class CompilerException: object construct([a]) { args_ = a; } args_ = [] ;
export CompilerException 'DynamicFunc.CompilerException';
Place: object n_ = 5 find(x) { return rexMatch(x, 'aab.'); } ;
property inner, depth;
run(source)
{
    local symbols = new LookupTable();
    symbols['Place'] = Place;
    symbols['n_'] = &n_;
    symbols['find'] = &find;
    symbols['inner'] = &inner;
    symbols['depth'] = &depth;
    tadsSay(source.htmlify() + ' = ');
    try { local f = new DynamicFunc(source, symbols); tadsSay(fmt(f()) + '\n'); }
    catch (CompilerException e) { tadsSay('compile error\n'); }
}
main(args)
{
    local sources = [
        'function() { local i = 0; again: ++i; if (i < 5) goto again; return i; }',
        'function() { for (;;) { for (;;) { goto out; } } out: return 3; }',
        'function() { try { goto a; } finally { Place.n_ = 9; b: if (Place.n_ < 20) { Place.n_++; goto b; } } a: return Place.n_; }',
        'function() { goto nowhere; }',
        'defined(Place)', 'defined(Nothing)', '__objref(Nothing)', '__objref(Nothing, error)', '__objref(Place).n_',
        'Place.find(R\'a+b\')', 'Place.n_ && 7', '(Place.n_ - 20) || nil', 'Place.n_ || nil', '5)', 'function() { return 3; } + 4',
        'self', 'inherited', 'n_', 'method() { return self; }', 'object { inner: object { depth = 3 } }.inner.depth',
        'object { inner: Place { depth() { return n_ + 1; } } }.inner.depth'
    ];
    for (local i = 1 ; i <= sources.length() ; ++i) run(sources[i]);
}
