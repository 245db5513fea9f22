#include "prelude.h"
export mainRestore;
class Room: object n = 0 seen = nil ;
hall: Room name = 'hall' ;
look(what) { tadsSay(what + ': ' + toString(hall.n) + ' ' + toString(hall.seen) + ' ' + toString(hall.extra) + '\n'); }
loop()
{
    for (;;)
    {
        tadsSay('\n>');
        local line = inputLine();
        if (line == nil || line == 'quit') return;
        if (line == 'save') { saveGame('saved.t3v'); tadsSay('saved\n'); }
        else if (line == 'restore') { restoreGame('saved.t3v'); tadsSay('restored\n'); }
        else { hall.n++; hall.seen = line; hall.extra = [line, hall.n]; }
        look(line);
    }
}
mainRestore(args, file) { restoreGame(file); look('main restore'); loop(); }
main(args) { look('main'); loop(); }
property extra, name, n, seen;
