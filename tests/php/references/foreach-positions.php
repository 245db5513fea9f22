<?php
// Where a loop by reference goes on when its body sorts, shifts, cuts or replaces the array.
function show($l,$f){ echo "$l:"; $f(); echo "\n"; }
show('shift end', function(){ $n=0; $a=[1,2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($v===2) { array_shift($a); $a[]=9; } } });
show('shift end hash', function(){ $n=0; $a=['a'=>1,'b'=>2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($v===2) { array_shift($a); $a[]=9; } } });
show('shift end hash int', function(){ $n=0; $a=['a'=>1,5=>2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($v===2) { array_shift($a); $a[]=9; } } });
show('shift mid', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($v===2) { array_shift($a); $a[]=9; } } });
show('shift each', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_shift($a); } });
show('shift each push', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_shift($a); $a[]=$n; } });
show('pop each push', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_pop($a); $a[]=$n; } });
show('pop new', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); $a=['a'=>array_pop($a)]; } });
show('shift new', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); $a=['a'=>array_shift($a),'b'=>1]; } });
show('sort new', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); sort($a); $a=['a'=>1,'b'=>1]; } });
show('rsort', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); rsort($a); } });
show('unset shift', function(){ $n=0; $a=[1,2,3,4]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); unset($a[$k]); array_shift($a); } });
show('unset sort', function(){ $n=0; $a=[4,3,2,1,0]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); unset($a[$k]); sort($a); } });
show('unset usort', function(){ $n=0; $a=[4,3,2,1,0]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); unset($a[$k]); usort($a,fn($x,$y)=>$x<=>$y); } });
show('usort copy', function(){ $n=0; $a=[4,3,2,1,0]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); $b=$a; usort($a,fn($x,$y)=>$x<=>$y); } });
show('sort copy', function(){ $n=0; $a=[4,3,2,1,0]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); $b=$a; sort($a); } });
show('ksort copy', function(){ $n=0; $a=[4=>4,3=>3,2=>2,1=>1]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); $b=$a; ksort($a); } });
show('asort', function(){ $n=0; $a=['x'=>4,'y'=>3,'z'=>2,1]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); asort($a); } });
show('shift hash', function(){ $n=0; $a=['x'=>4,'y'=>3,'z'=>2,1]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_shift($a); $a[]=$n; } });
show('shift hash2', function(){ $n=0; $a=['x'=>4,'y'=>3,'z'=>2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($n==3){ array_shift($a); $a['q'.$n]=$n;} } });
show('shift unset', function(){ $n=0; $a=[1,2,3,4,5]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_shift($a); $a[]=$n+10; } });
show('splice', function(){ $n=0; $a=[1,2,3,4,5]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_splice($a,0,1,[7,8]); } });
show('splice2', function(){ $n=0; $a=[1,2,3,4,5]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_splice($a,2,2); $a[]=$n+10; } });
show('splice end', function(){ $n=0; $a=[1,2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($n==2){array_splice($a,0,1); $a[]=$n+10;} } });
show('unshift', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($n<4) array_unshift($a,$n*10); } });
show('push', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if ($n<4) array_push($a,$n*10); } });
show('walk', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); array_walk($a,function(&$x){$x++;}); } });
show('reset', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); end($a); $a=[5,6]; } });
show('assign', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>5)break; echo " $k=>",json_encode($v); $a=array_values($a); } });
show('assign2', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>5)break; echo " $k=>",json_encode($v); $b=$a; $a=[]; $a=$b; } });
show('assign3', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>5)break; echo " $k=>",json_encode($v); $b=$a; $a[]=1; $c=$a; $a=$b; } });
show('multisort', function(){ $n=0; $a=[3,2,1]; foreach($a as $k=>&$v){ if(++$n>5)break; echo " $k=>",json_encode($v); array_multisort($a); } });
show('nested', function(){ $n=0; $a=[[3,2,1],[5,4]]; foreach($a as $k=>&$v){ foreach($v as $i=>&$w){ if(++$n>9)break 2; echo " $k.$i=>",json_encode($w); sort($v); array_shift($a);} } });
show('prop', function(){ $n=0; $o=new stdClass; $o->a=[3,2,1]; foreach($o->a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); sort($o->a); array_shift($o->a); } });
show('end', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==3){ array_pop($a); $a[]=7; } } });
show('end2', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==3){ unset($a[2]); $a[]=7; } } });
show('end3', function(){ $n=0; $a=['a'=>1,'b'=>2]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ array_pop($a); $a[]=7; } } });
show('end4', function(){ $n=0; $a=[1,2,3]; foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==3){ sort($a); $a[]=7; } } });
show('end5', function(){ $n=0; $a=[1,2,3]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ sort($a); $a[]=7;$a[]=8; $a[]=9; } } });
show('end6', function(){ $n=0; $a=[1,2,3]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ asort($a); $a[]=7;$a[]=8; $a[]=9; } } });
show('end7', function(){ $n=0; $a=[1,2,3]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ array_shift($a); $a[]=7;$a[]=8; $a[]=9; } } });
show('end8', function(){ $n=0; $a=[1,2,3]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ array_splice($a,0,1); $a[]=7;$a[]=8; $a[]=9; } } });
show('end9', function(){ $n=0; $a=[1,2,3]; unset($a[1]); foreach($a as $k=>&$v){ if(++$n>9)break; echo " $k=>",json_encode($v); if($n==2){ array_unshift($a,5); $a[]=7;$a[]=8; $a[]=9; } } });
show('ksort with a hole', function(){ $a=[1.5,'a',null]; unset($a[0]); foreach($a as $k=>&$v){ ksort($a); echo " $k"; } });
show('asort with a hole', function(){ $a=[1.5,'a','b']; unset($a[0]); foreach($a as $k=>&$v){ asort($a); echo " $k"; } });
foreach ([[0, 2, 0, []], [0, 2, 0, ['x', 'y', 'z']], [1, 3, 2, []], [1, 3, 2, ['x', 'y', 'z']], [0, 4, 1, []], [2, 3, 2, ['x']], [1, 2, 3, ['x']]] as [$from, $length, $when, $replacement]) {
    show("splice $from $length at $when", function () use ($from, $length, $when, $replacement) {
        $a = [0, 1, 2, 3, 4];
        foreach ($a as $k => &$v) {
            echo " $k=>$v";
            if ($v === $when) { $when = -1; array_splice($a, $from, $length, $replacement); }
        }
    });
}
