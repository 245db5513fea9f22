//! What stands for a character in an encoding that lacks it (`//TRANSLIT`), as the C library that PHP is built with has it in its
//! plain locale.

use std::collections::HashMap;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;

/// Characters with what stands for them, which Unicode's decompositions do not say; a blank is written `␣`.
const TABLE: &str = "\
    ¡! ¢c £GBP ¥JPY ¦| ©(C) «<< ¬! \u{ad}- ®(R) ±+- ´' µu ·. ¸, »>> ¼␣1/4␣ ½␣1/2␣ ¾␣3/4␣ ÆAE ÐD ×x ØO ÞTH ßss \
    æae ðd ÷/ øo þth ĐD đd ĦH ħh ıi ĸq ĿL ŀl ŁL łl ŉ'n ŊN ŋn ŒOE œoe ŦT ŧt ƀb ƁB ƂB ƃb ƇC ƈc ƉD ƊD ƋD ƌd ƐE ƑF \
    ƒf ƓG ƕhv ƖI ƗI ƘK ƙk ƚl ƝN ƞn ƢOI ƣoi ƤP ƥp ƫt ƬT ƭt ƮT ƲV ƳY ƴy ƵZ ƶz ǢAE ǣae ǤG ǥg ǼAE ǽae ǾO ǿo ȡd ȤZ ȥz \
    ȴl ȵn ȶt ȷj ȸdb ȹqp ȺA ȻC ȼc ȽL ȾT ȿs ɀz ɃB ɄU ɆE ɇe ɈJ ɉj ɌR ɍr ɎY ɏy ɓb ɕc ɖd ɗd ɛe ɟj ɠg ɡg ɢG ɦh ɧh ɨi \
    ɪI ɫl ɬl ɭl ɱm ɲn ɳn ɴN ɶOE ɼr ɽr ɾr ʀR ʂs ʈt ʉu ʋv ʏY ʐz ʑz ʙB ʛG ʜH ʝj ʟL ʠq ʣdz ʥdz ʦts ʪls ʫlz ʼ' ˆ^ ˈ' \
    ˋ` ˍ_ ː: ˜~ ˝'' μu ֏AMD ᴀA ᴁAE ᴃB ᴄC ᴅD ᴆD ᴇE ᴊJ ᴋK ᴌL ᴍM ᴏO ᴘP ᴛT ᴜU ᴠV ᴡW ᴢZ ᵫue ᵬb ᵭd ᵮf ᵯm ᵰn ᵱp ᵲr ᵳr \
    ᵴs ᵵt ᵶz ᵺth ᵻI ᵽp ᵾU ᶀb ᶁd ᶂf ᶃg ᶄk ᶅl ᶆm ᶇn ᶈp ᶉr ᶊs ᶌv ᶍx ᶎz ᶏa ᶑd ᶒe ᶓe ᶖi ᶙu ẚa ẜs ẝs ẞSS ỺLL ỻll ỼV ỽv \
    ỾY ỿy \u{200b} ‐- ‑- ‒- –- —-- ―- ‘' ’' ‚, ‛' “\" ”\" „,, ‟\" †+ •o ‵` ‶`` ‷``` ‹< ›> ⁄/ ⁊& \u{2060} \
    \u{2061} \u{2062} \u{2063} ₠CE ₡C= ₢Cr ₣Fr. ₤L. ₧Pts ₩KRW ₪ILS ₫Dong €EUR ₯GRD ₱PHP ₴UAH ₸KZT ₹INR ₺TL ₽RUB \
    ₾GEL ℞Rx ™(TM) ℮e ⅐␣1/7␣ ⅑␣1/9␣ ⅒␣1/10␣ ⅓␣1/3␣ ⅔␣2/3␣ ⅕␣1/5␣ ⅖␣2/5␣ ⅗␣3/5␣ ⅘␣4/5␣ ⅙␣1/6␣ ⅚␣5/6␣ ⅛␣1/8␣ \
    ⅜␣3/8␣ ⅝␣5/8␣ ⅞␣7/8␣ ⅟␣1/␣ ↉␣0/3␣ ←<- →-> ↔<-> ↮!<-> ⇍!<= ⇎!<=> ⇏!=> ⇐<= ⇒=> ⇔<=> −- ∕/ ∖\\ ∗* ∣| ∥|| ∶: ∼~ \
    ≁!~ ≄!~- ≇!~= ≉!~~ ≠!= ≢!== ≤<= ≥>= ≪<< ≫>> ≮!< ≯!> ≰!<= ≱!>= ≴!<~ ≵!>~ ≸!<> ≹!>< ⋘<<< ⋙>>> 〈< 〉> ␀NUL ␁SOH \
    ␂STX ␃ETX ␄EOT ␅ENQ ␆ACK ␇BEL ␈BS ␉HT ␊LF ␋VT ␌FF ␍CR ␎SO ␏SI ␐DLE ␑DC1 ␒DC2 ␓DC3 ␔DC4 ␕NAK ␖SYN ␗ETB ␘CAN \
    ␙EM ␚SUB ␛ESC ␜FS ␝GS ␞RS ␟US ␠SP ␡DEL ␣_ ␤NL ①(1) ②(2) ③(3) ④(4) ⑤(5) ⑥(6) ⑦(7) ⑧(8) ⑨(9) ⑩(10) ⑪(11) ⑫(12) \
    ⑬(13) ⑭(14) ⑮(15) ⑯(16) ⑰(17) ⑱(18) ⑲(19) ⑳(20) Ⓐ(A) Ⓑ(B) Ⓒ(C) Ⓓ(D) Ⓔ(E) Ⓕ(F) Ⓖ(G) Ⓗ(H) Ⓘ(I) Ⓙ(J) Ⓚ(K) Ⓛ(L) \
    Ⓜ(M) Ⓝ(N) Ⓞ(O) Ⓟ(P) Ⓠ(Q) Ⓡ(R) Ⓢ(S) Ⓣ(T) Ⓤ(U) Ⓥ(V) Ⓦ(W) Ⓧ(X) Ⓨ(Y) Ⓩ(Z) ⓐ(a) ⓑ(b) ⓒ(c) ⓓ(d) ⓔ(e) ⓕ(f) ⓖ(g) \
    ⓗ(h) ⓘ(i) ⓙ(j) ⓚ(k) ⓛ(l) ⓜ(m) ⓝ(n) ⓞ(o) ⓟ(p) ⓠ(q) ⓡ(r) ⓢ(s) ⓣ(t) ⓤ(u) ⓥ(v) ⓦ(w) ⓧ(x) ⓨ(y) ⓩ(z) ⓪(0) ─- │| ┌+ \
    ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ╱/ ╲\\ ◦o ☺:) ☻:) ♡<3 ♥<3 ❤<3 ⟋/ ⟍\\ ⟦[| ⟧|] ⟨< ⟩> ⟪<< ⟫>> ⟬(( ⟭)) ⟮( ⟯) ⦀||| ⦃{| \
    ⦄|} ⦅(( ⦆)) ⦇(| ⦈|) ⦉<| ⦊|> ⧣# ⧥# ⧵\\ ⧸/ ⧹\\ ⧼< ⧽> ⧾+ ⧿- 〈< 〉> ゠= ㉑(21) ㉒(22) ㉓(23) ㉔(24) ㉕(25) ㉖(26) ㉗(27) \
    ㉘(28) ㉙(29) ㉚(30) ㉛(31) ㉜(32) ㉝(33) ㉞(34) ㉟(35) ㊱(36) ㊲(37) ㊳(38) ㊴(39) ㊵(40) ㊶(41) ㊷(42) ㊸(43) ㊹(44) ㊺(45) \
    ㊻(46) ㊼(47) ㊽(48) ㊾(49) ㊿(50) ㍸dm^2 ㍹dm^3 ㎂uA ㎌uF ㎍ug ㎕ul ㎛um ㎟mm^2 ㎠cm^2 ㎡m^2 ㎢km^2 ㎣mm^3 ㎤cm^3 ㎥m^3 ㎦km^3 \
    ㎧m/s ㎨m/s^2 ㎮rad/s ㎯rad/s^2 ㎲us ㎶uV ㎼uW ㏆C/kg ㏞V/m ㏟A/m \u{feff} 𜳖A 𜳗B 𜳘C 𜳙D 𜳚E 𜳛F 𜳜G 𜳝H 𜳞I 𜳟J 𜳠K 𜳡L 𜳢M 𜳣N \
    𜳤O 𜳥P 𜳦Q 𜳧R 𜳨S 𜳩T 𜳪U 𜳫V 𜳬W 𜳭X 𜳮Y 𜳯Z 𜳰0 𜳱1 𜳲2 𜳳3 𜳴4 𜳵5 𜳶6 𜳷7 𜳸8 𜳹9 🄫(C) 🄬(R) 🄭(CD) 🄮(WZ) 💓<3 💔</3 💖<3 💗<3 💙<3 \
    💚<3 💛<3 💜<3 🖤<3 😀:-D 😁:-D 😂:'D 😃:-D 😄:-D 😅:-D 😆:-D 😇O:-) 😈>:) 😉;-) 😊:-) 😋:-P 😌:-) 😍:-* 😎B-) 😏;-) 😐:-| 😑:-| \
    😒:-| 😓:'-| 😔:-| 😕:-/ 😖:-S 😗:-* 😘:-* 😙:-* 😚:-* 😛:-P 😜;-P 😝X-P 😞:-( 😟:-( 😠>:-( 😡:-( 😢:'-( 😣X-( 😦:-O 😧:-O 😨:-O \
    😩:-O 😭:\"-( 😮:-O 😯:-O 😰:'-O 😱:-O 😲:-O 😸:-3 😹:'-3 😺:-3 😻:-3 😼;-3 😽:-3 🙁:-( 🙂:-) 🙃(-: 🤍<3 🤎<3 🧡<3 \
";

fn table() -> &'static HashMap<char, String> {
    static ROWS: OnceLock<HashMap<char, String>> = OnceLock::new();
    let row = |row: &str| {
        let mut letters = row.chars();
        Some((letters.next()?, letters.as_str().replace('␣', " ")))
    };
    ROWS.get_or_init(|| TABLE.split_ascii_whitespace().filter_map(row).collect())
}

/// Marks that combine with any letter; without it they are left out.
fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Texts that may stand for a character, the best one first.
pub fn candidates(code: u32) -> Vec<String> {
    let Some(letter) = char::from_u32(code) else { return Vec::new() };
    let one = std::iter::once(letter);
    let own = table().get(&letter).cloned();
    let bare: String = one.clone().nfd().filter(|&part| !is_mark(part)).collect();
    let bare = Some(bare).filter(|bare| !bare.chars().eq(one.clone()));
    [bare, own, Some(one.nfkd().collect())].into_iter().flatten().collect()
}
