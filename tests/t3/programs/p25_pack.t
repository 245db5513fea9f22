#include "prelude.h"
hex(fmt, [args]) { return String.packBytes(fmt, args...).unpackBytes('H*')[1]; }
both(fmt, [args]) { return String.packBytes(fmt, args...).unpackBytes(fmt); }
main(args)
{
    T(hex('cCsSlL', -1, 255, -2, 65534, -3, 4)); T(hex('c s l >', 1, 2, 3)); T(hex('(c s l)>', 1, 2, 3)); T(hex('(s s<)>', 1, 2));
    T(hex('c', 128)); T(hex('c%', 128)); T(hex('S', 65536)); T(hex('S%', 65536)); T(hex('Q', -1)); T(both('q~ q', 5, 6)); T(both('L L~', 7, 8));
    T(hex('a5 A5 a2', 'abc', 'def', 'ghi')); T(hex('a*', 'abc')); T(hex('a0', 'abc')); T(hex('a010', 'abc')); T(hex('w3', 'ab')); T(hex('w3>', 'ab'));
    T(hex('H4 h4 H4', 'abcd', 'abcd', 'ab')); T(hex('u8', 'd\u00e9j\u00e0')); T(both('u8', 'd\u00e9j\u00e0')); T(hex('b3', 'abcd'));
    T(both('C/a S/A', 'abc', 'defg')); T(both('C/a*', 'abc')); T(hex('C/s', 1, 2, 3)); T(both('C/s', [1, 2, 3])); T(both('C/(c a2)', 1, 'ab', 2, 'cd'));
    T(both('C/[c a2]', [1, 'ab', 2, 'cd'])); T(hex('C/[c a2]!', [1, 'ab'], [2, 'cd'])); T(both('C/[c a2]!', [1, 'ab'], [2, 'cd'])); T(both('[cc]2!', [1, 2], [3, 4]));
    T(both('(cc)*', 1, 2, 3, 4)); T(both('(cc)3*', 1, 2, 3, 4)); T(both('c3*', 1, 2)); T(both('[c*]', [1, 2, 3])); T(both('c3', 1, 2, 3));
    T(hex('"ab""c" {0f1e} "x"3')); T(hex('{0f}2 c', 5)); T(hex('c x3 c', 1, 2)); T(hex('c x!4 c', 1, 2)); T(hex('l X2 c', -1, 2)); T(hex('c3 X!2 c', 1, 2, 3, 4));
    T(hex('c @4 c', 1, 2)); T(hex('c (c @3 c)2', 9, 1, 2, 3, 4)); T(hex('c (c @!5 c)', 9, 1, 2)); T(both('c c @?', 1, 2)); T(hex('a:l c', 'x', 1));
    T(hex('k*', 0, 1, 127, 128, 300, 16384, 200000000)); T(both('k*', 0, 1, 127, 128, 300, 16384, 200000000)); T(both('f d f d', 1.5, -2.25, 0.1, 0.1));
    T(hex('c', 1, 2)); T(hex('c c', 1)); T(hex('(c')); T(hex('c)')); T(hex('y', 1)); T(hex('c0', 1)); T('ab'.unpackBytes('l')); T('abcd'.unpackBytes('c X c a2')); T('abcde'.unpackBytes('a2 a* '));
    local ba = new ByteArray(6); T(ba.packBytes(2, 's c', 1, 2)); T(ba); T(ba.packBytes(5, 'l', -1)); T(ba); T(ba.unpackBytes(2, 's c')); T(ByteArray.packBytes('C*', [1, 2, 3]));
}
