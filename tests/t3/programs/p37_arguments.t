#charset "utf-8"
/* what methods and operators do with arguments of every kind; the numbers of errors are the reference's */
#include <tads.h>
#include <t3.h>
#include <lookup.h>
#include <vector.h>
#include <bignum.h>
#include <strbuf.h>
#include <bytearr.h>
#include <charset.h>
#include <dict.h>
#include <gramprod.h>
#include <strcomp.h>
#include <file.h>
#include <filename.h>
#include <date.h>
#include <dynfunc.h>
#include <reflect.h>
#include <tok.h>
property tp, tm, np;
enum ea, eb;
enum token tokA;
class tcls: object tp = 1 tm(x) { return x; } construct([a]) { } ;
tobj: tcls tp = 'tobjtp' ;
llist: object length() { return 3; } operator [](i) { return i*10; } ;
tfun(x) { return x; }
tfun0() { return 7; }
tfun2(a,b) { return a; }
tfunv([a]) { return a.length(); }
dictionary property noun;
grammar gp(a): noun->noun_ : tcls ;
grammar gp(b): 'x' noun->noun_ : tcls ;
mkList() { local v = new Vector(4); v.append(1); v.append('x'); v.append(nil); return v.toList(); }
mkLt() { local t = new LookupTable(4,4); t['a']=1; t[2]='two'; t[nil]=3; return t; }
mkBa() { local b = new ByteArray(6); for (local i=1;i<=6;++i) b[i]=i*37%256; return b; }
mkSb() { local b = new StringBuffer(); b.append('buffer text'); return b; }
mkDict() { local d = new Dictionary(new StringComparator(4,nil,nil)); d.addWord(tobj,'lantern',&noun); d.addWord(tcls,'apple',&noun); return d; }
mkFile() { local f = File.openTextFile('fzt.txt', FileAccessReadWriteTrunc, 'utf-8'); f.writeFile('line one\nline two\n'); f.setPos(0); return f; }
mkFrame() { local loc = 5; return t3GetStackTrace(1, T3GetStackDesc).frameDesc_; }
mkClos() { local a = 5; local f = {x: a += x}; return f; }
lcg: object s = 1 next(n) { s = (s*1103 + 12345) % 65536; if (s<0) s=-s; return s/7 % n + 1; } ;
values: object
 all = [
 ['nil',{:nil}],['true',{:true}],['0',{:0}],['1',{:1}],['2',{:2}],['-1',{:-1}],['7',{:7}],['-3',{:-3}],['65',{:65}],['100',{:100}],['maxint',{:2147483647}],
 ['\'\'',{:''}],['\'a\'',{:'a'}],['\'Hello World\'',{:'Hello World'}],['\'3\'',{:'3'}],['\'o\'',{:'o'}],['\'%1\'',{:'%1'}],['\'utf-8\'',{:'utf-8'}],['dynstr',{:'dy'+toString(3)}],
 ['[]',{:[]}],['[1,2,3]',{:[1,2,3]}],['[\'a\',\'l\']',{:['a','l']}],['[nil,1]',{:[nil,1]}],['[[2,\'a\'],[1,3]]',{:[[2,'a'],[1,3]]}],['dynlist',{:mkList()}],
 ['vec',{:new Vector(3,[3,1,2])}],['tobj',{:tobj}],['tcls',{:tcls}],['llist',{:llist}],['&tp',{:&tp}],['&length',{:&length}],['ea',{:ea}],['tfun',{:tfun}],['tfun0',{:tfun0}],
 ['{x}',{:{x: x}}],['{}',{:{: 1}}],['{x,y}',{:{x,y: x}}],['{..}',{:{[a]: a.length()}}],['clos',{:mkClos()}],['2.5',{:2.5}],['3.0',{:3.0}],
 ['ba',{:mkBa()}],['sb',{:mkSb()}],['rex',{:new RexPattern('[a-l]')}],
 ['List',{:List}],['Object',{:Object}],['bif',{:&toString}]
 ]
;
fmt(v, d)
{
  if (d > 4) return '...';
  switch (dataType(v)) {
  case TypeNil: return 'nil';
  case TypeTrue: return 'true';
  case TypeInt: return toString(v);
  case TypeSString: return '\'' + v.htmlify().findReplace('\n','\\n',ReplaceAll).findReplace('\t','\\t',ReplaceAll).findReplace(' ','_',ReplaceAll) + '\'';
  case TypeList: return '[' + seq(v,d) + ']';
  case TypeProp: return v == &tp ? '&tp' : v == &length ? '&length' : 'prop';
  case TypeEnum: return v==ea ? 'ea':'enum';
  case TypeFuncPtr: return v == tfun ? 'tfun' : 'func';
  case TypeBifPtr: return 'bif';
  case TypeObject:
   if (!IntrinsicClass.isIntrinsicClass(v) && v.ofKind(StringBuffer)) return 'SB' + fmt(toString(v),d);
   if (v == tobj) return 'tobj'; if (v == tcls) return 'tcls'; if (v == llist) return 'llist';
   if (dataType(IntrinsicClass.isIntrinsicClass(v)) == TypeTrue) return v == List ? 'List' : v == Object ? 'Object' : v == Vector ? 'Vector' : v==TadsObject ? 'TadsObject' : v==Collection ? 'Collection' : v==String ? 'String' : v == IntrinsicClass ? 'IntrinsicClass' : 'intcls';
   if (dataTypeXlat(v) != TypeObject) return 'fobj';
   if (v.ofKind(Vector)) return 'V[' + seq(v,d) + ']';
   if (v.ofKind(BigNumber)) return 'big ' + toString(v) + '/' + v.getPrecision();
   if (v.ofKind(ByteArray)) { local s = 'B['; for (local i = 1 ; i <= v.length() && i < 40; ++i) s += (i > 1 ? ',' : '') + toString(v[i], 16); return s + ']' + v.length(); }
   if (v.ofKind(WeakRefLookupTable)) return 'WT';
   if (v.ofKind(LookupTable)) { local s = 'T{'; v.forEachAssoc(function(k, x) { s += ' ' + fmt(k,d+1) + ':' + fmt(x,d+1); }); return s + '}' + fmt(v.getDefaultValue(),d+1); }
   if (v.ofKind(StringBuffer)) return 'SB' + fmt(toString(v),d);
   if (v.ofKind(Date)) return 'Date ' + v.formatDate('%Y-%m-%d %H:%M:%S', 'UTC');
   if (v.ofKind(FileName)) return 'FN ' + v.getName();
   if (v.ofKind(TimeZone)) return 'TZ ' + fmt(v.getNames(),d+1);
   if (v.ofKind(RexPattern)) return 'Rex ' + fmt(v.getPatternString(),d+1);
   if (v.ofKind(CharacterSet)) return 'CS ' + v.getName();
   if (v.ofKind(StringComparator)) return 'Cmp';
   if (v.ofKind(Dictionary)) { local s='Dict{'; v.forEachWord(function(o,w,p){ s += ' ' + w + ':' + fmt(o,d+1); }); return s + '}'; }
   if (v.ofKind(IndexedIterator)) return 'Iter'; if (v.ofKind(Iterator)) return 'IterI';
   if (v.ofKind(File)) return 'File';
   if (v.ofKind(TemporaryFile)) return 'Tmp';
   if (v.ofKind(tcls)) { return 'obj:tcls'; }
   if (v.ofKind(TadsObject)) { return 'obj ' + fmt(v.getSuperclassList(),d+1); }
   return 'obj?';
  default: return 'type' + toString(dataType(v));
  }
}
seq(v,d) { local s = ''; for (local i = 1 ; i <= v.length() && i < 60 ; ++i) s += (i > 1 ? ',' : '') + fmt(v[i],d+1); if (v.length() >= 60) s += '#' + v.length(); return s; }
mut(v) { return dataType(v) == TypeObject && dataTypeXlat(v) == TypeObject && !IntrinsicClass.isIntrinsicClass(v) && (v.ofKind(Vector) || v.ofKind(LookupTable) || v.ofKind(StringBuffer) || v.ofKind(ByteArray) || v.ofKind(Dictionary)); }
show(label, f, r)
{
  local s;
  tadsSay('\n@@' + label + ' =&gt; ');
  try { s = f(); s = fmt(s,0); }
  catch (RuntimeError e) { s = 'ERR ' + toString(e.errno_) + ' ' + e.exceptionMessage.htmlify(); }
  catch (Exception e) { s = 'EXC ' + (e.ofKind(FileException) ? 'file' : e.ofKind(UnknownCharSetException) ? 'ucs' : 'other'); }
  tadsSay(s);
  try { if (mut(r)) tadsSay(' R=' + fmt(r,0)); } catch (RuntimeError e) { tadsSay(' RERR ' + e.errno_); }
}
draw(n, pool) { local r = []; for (local i=1;i<=n;++i) r += [values.all[pool ? pool[lcg.next(pool.length())] : lcg.next(values.all.length())]]; return r; }
lbl(as) { local s=''; foreach (local a in as) s += (s==''?'':',') + a[1]; return s.htmlify(); }
ev(as) { local r=[]; foreach (local a in as) r = r.append((a[2])()); return r; }
class Caller: object call(c, as) { } ;
runArgs(name, mn, mx, callf, seed, full)
{
  local top = mx == 99 ? mn + 2 : mx + 1;
  for (local n = (mn > 0 ? mn - 1 : 0) ; n <= top ; ++n) {
    if (n == 0) callf([]);
    else if (n == 1 && full) { foreach (local v in values.all) callf([v]); }
    else { local c = (n < mn || n > mx) ? 1 : n == 2 ? 12 : 10;
      for (local i = 1 ; i <= c ; ++i) callf(draw(n, nil)); }
  }
}
// typed pools: strings, ints, lists, functions
main(args)
{
  foreach (local grp in ['List','Vector','String','ByteArray','Dictionary','ops']) run(grp, 7); }
run(grp, seed) { local only = nil;
  t3SetSay({x: tadsSay(x)});
  if (grp == 'funcs' || grp == 'create' || grp == 'ops') {
    local l = grp == 'create' ? tables.creators : grp == 'ops' ? tables.ops : tables.funcs;
    if (l == nil) l = tables.funcs.mapAll({x: [x[1], x[2], x[3], x[4]]});
    foreach (local m in l) {
      lcg.s = seed;
      if (only != nil && only != m[1]) continue;
      local fn = m[2], nm = grp + '.' + m[1];
      runArgs(nm, m[3], m[4], function(as) { local ae = nil; try { ae = ev(as); } catch (Exception e) { tadsSay('!!ev'); } 
         show(nm.htmlify() + '(' + lbl(as) + ')', {: fn(ae...)}, ae.length() > 0 ? ae[1] : nil); }, seed, true);
    }
    tadsSay('\n@@end\n');
    return;
  }
  foreach (local c in tables.classes) {
    if (c[1] != grp) continue;
    for (local ri = 1 ; ri <= c[2].length() ; ++ri) {
      local r = c[2][ri];
      foreach (local m in c[3]) {
        lcg.s = seed*31 + ri;
        if (only != nil && only != m[2]) continue;
        local p = m[1];
        runArgs('', m[3], m[4], function(as) { local rv, ae; try { rv = (r[2])(); ae = ev(as); } catch (Exception e) { tadsSay('!!ev'); }
           show(r[1].htmlify() + '.' + m[2] + '(' + lbl(as) + ')', {: rv.(p)(ae...)}, rv); }, seed, true);
      }
    }
  }
  tadsSay('\n@@end\n');
}



tables: object
classes = [
['List',[['[5,3,9,1,3]',{:[5,3,9,1,3]}]],[[&sublist,'sublist',1,2],[&intersect,'intersect',1,1],[&indexOf,'indexOf',1,1],[&join,'join',0,1],[&indexOfMin,'indexOfMin',0,1],[&maxVal,'maxVal',0,1],[&insertAt,'insertAt',2,3],[&removeRange,'removeRange',2,2],[&appendUnique,'appendUnique',1,1],[&splice,'splice',2,3]]],
['Vector',[['vec',{:new Vector(3,[5,3,9,1,3])}]],[[&toList,'toList',0,2],[&fillValue,'fillValue',1,3],[&copyFrom,'copyFrom',4,4],[&removeElement,'removeElement',1,1]]],
['String',[['Hello',{:'Hello World'}]],[[&substr,'substr',1,2],[&compareTo,'compareTo',1,1],[&htmlify,'htmlify',0,1],[&toUnicode,'toUnicode',0,1]]],
['ByteArray',[['ba',{:mkBa()}]],[[&subarray,'subarray',1,2],[&fillValue,'fillValue',1,3],[&readInt,'readInt',2,2]]],
['Dictionary',[['dict',{:mkDict()}]],[[&findWord,'findWord',1,2],[&addWord,'addWord',3,3]]] ]

funcs = [  ]
creators = [  ]
ops = [['minus',new function(a,b){return a-b;},2,2],['and',new function(a,b){return a&b;},2,2],['mod',new function(a,b){return a%b;},2,2],['text',new function(a){return ''+a;},1,1]]
;
