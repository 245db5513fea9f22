<?php
// The next key of what builtin functions give and leave behind.
function t($l,$a){ $a[]='new'; echo $l,' ',json_encode($a),"\n"; }
$a=[1,2,3,4,5]; unset($a[4]); t('plain',$a);
t('slice', array_slice($a,0,9));
t('slice2', array_slice($a,0,4));
t('slice3', array_slice($a,0,4,true));
t('slice4', array_slice($a,0));
t('values', array_values($a));
t('merge', array_merge($a));
t('merge2', array_merge($a,[]));
t('merge3', array_merge([],$a));
t('spread', [...$a]);
t('filter', array_filter($a));
t('map', array_map(fn($x)=>$x,$a));
t('map null', array_map(null,$a));
t('pad', array_pad($a,3,0)); t('pad', array_pad($a,4,0)); t('pad', array_pad($a,5,0)); 
t('plus', $a+[]); t('plus', []+$a); t('plus', $a+[9=>1]);
t('keys', array_keys($a)); t('reverse', array_reverse($a)); t('unique', array_unique($a)); t('reverse', array_reverse($a,true));
t('replace', array_replace($a,[])); t('replace', array_replace($a)); t('diff', array_diff($a,[])); t('intersect', array_intersect($a,$a)); t('diffkey', array_diff_key($a,[]));
t('intersectkey', array_intersect_key($a,$a)); t('chunk', array_chunk($a,10,true)[0]); t('fillkeys', array_fill_keys($a,0)); t('flip',array_flip($a)); t('col', array_column([$a],null));
$b=$a; array_pop($b); t('pop',$b); $b=$a; array_shift($b); t('shift',$b); $b=$a; array_splice($b,1,1); t('splice',$b); $b=$a; array_splice($b,4); t('splice',$b);
$b=$a; sort($b); t('sort',$b); $b=$a; asort($b); t('asort',$b); $b=$a; ksort($b); t('ksort',$b); $b=[1]; unset($b[0]); t('x',$b); $b=[1]; unset($b[0]); sort($b); t('sort0',$b); $b=[5=>1]; rsort($b); t('rs',$b); $b=[5=>1]; usort($b,fn($x,$y)=>0); t('us',$b);
$b=[1,2]; unset($b[1]); t('values',array_values($b)); t('slice', array_slice($b,0,1)); t('slice', array_slice($b,0,5)); t('merge',array_merge($b));t('merge',array_merge($b,$b));
$b=[1]; unset($b[0]); t('e values', array_values($b)); t('e slice', array_slice($b,0)); t('e merge', array_merge($b)); t('e rev', array_reverse($b)); t('filter', array_filter($b)); t('map', array_map(fn($x)=>$x,$b)); t('pop',(function($b){array_pop($b); return $b;})($b)); t('shift',(function($b){array_shift($b); return $b;})($b)); t('unique',array_unique($b)); t('diff',array_diff($b,[1])); t('inter', array_intersect_key($b,[])); t('splice',(function($b){array_splice($b,0,0); return $b;})($b)); t('cast',(array)(object)$b); t('walk',(function($b){array_walk($b,fn($x)=>1); return $b;})($b)); t('unser',unserialize(serialize($b)));
$b=['a'=>1,0=>2]; unset($b[0]); t('hash values', array_values($b)); t('hash slice', array_slice($b,0)); t('hash merge', array_merge($b)); t('filter',array_filter($b)); t('map',array_map(fn($x)=>1,$b)); t('change', array_change_key_case($b)); t('spread',[...$b]); t('rand',array_rand($b,1)?[]:$b); t('hash slice', array_slice($b,0,null,true)); t('u',array_unique($b)); t('pop',(function($b){$b[]=7;array_pop($b); return $b;})($b)); t('shift',(function($b){$b[]=7;array_shift($b); return $b;})($b)); t('replace',array_replace($b,[])); t('wr', array_replace_recursive($b,[])); t('mr', array_merge_recursive($b)); t('mr', array_merge_recursive($b,[])); t('udiff',array_udiff($b,[],fn($x,$y)=>1)); t('it',iterator_to_array(new ArrayIterator($b))); t('comp', (function(){ $x=1;$y=2; return compact('x','y');})()); t('unshift',(function($b){array_unshift($b,7); return $b;})($b)); t('plus',$b+[1]); t('min',(function($b){ $c=$b; $c[]=1; return $c;})($b)); t('list', str_split("abc")); t('pad',array_pad($b,1,1)); t('pad',array_pad($b,3,1)); t('arsort',(function($b){arsort($b); return $b;})($b)); t('usort',(function($b){usort($b,fn()=>0); return $b;})($b)); t('multi',(function($b){array_multisort($b); return $b;})($b));
$b=[1,2,3]; $b[-5]=1; t('neg',$b); $b=[-5=>1]; t('neg2',$b); t('neg3', array_slice($b,0,1,true)); t('neg4', array_filter($b)); t('neg5', $b+[]); t('neg6',[]+$b); t('neg7',array_map(fn($x)=>1,$b)); t('neg8',(array)(object)$b); t('neg9', unserialize(serialize($b))); t('ne',array_replace([],$b)); t('ne',array_replace($b,[])); t('ner', array_reverse($b,true)); t('fill',array_fill(-5,2,0)); t('comb', array_combine([-5],[1])); t('fk',array_fill_keys([-5],1)); t('fl',array_flip([-5])); t('co',array_column([[1,-5]],0,1)); t('ar',range(0,1));
