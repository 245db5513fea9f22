#include "prelude.h"
/* several changes of the same places within a savepoint, and going on after an undo */
V: object v_ = nil t_ = nil ;
main(args)
{
    V.v_ = new Vector(10, [1,2,3]); V.t_ = new LookupTable(); V.t_['a'] = 1;
    savepoint();
    V.v_.append(4); V.v_[1] = 11; V.v_.append(5); V.v_.removeElementAt(2); V.v_[2] = 77; V.v_.setLength(2); V.v_.append(9);
    V.t_['b'] = 2; V.t_.removeElement('a'); V.t_['a'] = 5; V.t_.applyAll({k, x: x * 2});
    T(V.v_); T(V.t_);
    savepoint();
    V.v_[1] = 0; V.v_.append(6); V.v_.append(7); V.v_.sort(); V.t_.removeElement('b'); V.t_.applyAll({k, x: x + 1}); V.t_['c'] = 3;
    T(V.v_); T(V.t_);
    T(undo()); T(V.v_); T(V.t_);
    V.v_.append(100); V.v_[1] = 50; V.v_.removeRange(1, 2);
    T(undo()); T(V.v_); T(V.t_); T(undo());
}
