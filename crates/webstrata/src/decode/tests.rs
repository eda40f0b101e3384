//! Pages in every encoding that still matters, undeclared and wrongly declared, and hostile input.

use super::*;
use encoding_rs::*;
use std::time::{Duration, Instant};

const SIMPLIFIED: &str = "清晨的小镇还笼罩在薄雾里，卖豆浆的老人已经推着车走过石板路。他每天都在桥头停下，\
    和早起遛狗的邻居聊几句天气，再慢慢走向菜市场。孩子们背着书包从巷子里跑出来，围着他的车子要一杯热豆浆。\
    老人说，他做这门生意已经三十多年了，豆子要头天晚上泡好，凌晨三点开始磨，一刻也不能偷懒。\
    如今镇上开了不少新店，可是大家还是习惯喝他的豆浆，说那是小时候的味道。";
const TRADITIONAL: &str = "颱風過後的第二天，海邊的漁村終於恢復了平靜。漁民們忙著修補被吹壞的漁網，\
    婦女們把曬在屋頂的被單收下來重新清洗。村長挨家挨戶詢問損失的情況，並且記錄在一本舊筆記本裡。\
    雖然有幾艘小船被浪打翻，但是沒有人受傷，大家都覺得十分慶幸。\
    傍晚時分，廟前的廣場擺起了長桌，每戶人家都端出一道菜，一邊吃飯一邊商量下個月出海的日子。";
const JAPANESE: &str = "山のふもとにある小さな駅には、一日に四本しか列車が来ない。駅員の田中さんは、朝いちばんの列車が着く前に\
    ホームをほうきで掃き、待合室のストーブに火を入れる。乗る人は少ないけれど、通学する高校生や病院へ行くお年寄りには\
    なくてはならない足である。冬になると雪が線路をうめてしまうこともあるので、村の人たちが交代で雪かきを手伝う。\
    「この駅がなくなったら、さびしくなるね」と、みんなが口をそろえて言う。";
const KOREAN: &str = "언덕 위의 작은 도서관은 오래된 창고를 고쳐서 만든 곳이다. 주말이면 아이들이 모여 앉아 동화책을 읽고, \
    어른들은 창가에서 신문을 넘기며 차를 마신다. 사서로 일하는 할머니는 젊은 시절에 학교 선생님이었는데, \
    지금도 아이들에게 글씨 쓰는 법을 가르쳐 준다. 책이 많지는 않지만 마을 사람들이 한 권씩 가져다 놓은 것이라 \
    저마다 이야기가 담겨 있다. 비가 오는 날에는 지붕을 두드리는 빗소리를 들으며 책을 읽는 재미가 더욱 크다.";
const CZECH: &str = "Starý mlýn stál u řeky už více než tři sta let a každé jaro ho ohrožovala voda. Mlynář vždycky říkal, \
    že řeka dává i bere, a proto je třeba s ní žít v dobrém. Když přišla velká povodeň, sousedé pomáhali odnášet pytle \
    s moukou do vyšších pater. Děti stály na břehu a s úžasem sledovaly, jak kolem plují stromy, ploty a dokonce i celá \
    kůlna. Po několika dnech voda opadla a všichni společně uklízeli bahno.";
const POLISH: &str = "W małym miasteczku pod górami od wielu lat działa piekarnia, w której chleb wypieka się według starych \
    przepisów. Właściciel wstaje przed świtem, żeby rozpalić w piecu i przygotować zakwas. Pierwsi klienci przychodzą już \
    o szóstej, bo później najlepsze bułki są wyprzedane. Turyści często pytają o źródło smaku, lecz piekarz tylko się \
    uśmiecha i mówi, że najważniejsza jest cierpliwość oraz dobra mąka.";
const HUNGARIAN: &str = "A falu szélén álló öreg körtefa alatt minden nyáron összegyűltek a gyerekek. A nagyapa mesélt nekik \
    a régi időkről, amikor még ökrökkel szántottak, és a kútról hordták a vizet. Később közösen szedték le az érett \
    gyümölcsöt, és a nagymama lekvárt főzött belőle. Ősszel, amikor hűvösebbre fordult az idő, a fa körül tüzet raktak, \
    és késő estig énekeltek.";
const RUSSIAN: &str = "На окраине города стоит старая обсерватория, в которой уже давно никто не наблюдает за звёздами. \
    Сторож Иван Петрович каждый вечер обходит здание, проверяет замки и поливает цветы на подоконнике. Иногда к нему \
    приходят школьники, и он показывает им большой телескоп под куполом. Механизм заржавел, но линзы по-прежнему чистые, \
    и в ясную ночь можно разглядеть кольца Сатурна. Дети потом долго рассказывают об этом дома.";
const UKRAINIAN: &str = "Біля старої криниці щоранку збираються жінки, щоб набрати води та поговорити про новини. Їхні діти \
    бігають навколо, граються з цуценям і ловлять метеликів. Дід Остап приносить свіжий мед із пасіки й пригощає кожного. \
    Він каже, що цього літа бджоли працювали як ніколи, бо гречка цвіла дуже довго. Увечері над селом лунають пісні, \
    і здається, що час тут зупинився.";
const FRENCH: &str = "À la sortie du village, un vieux pêcheur répare ses filets devant une cabane peinte en bleu. Il a passé \
    près de cinquante années en mer et connaît chaque récif de la côte. L’été, des élèves de l’école voisine viennent \
    l’écouter raconter les tempêtes où il a failli périr. « Le plus difficile, dit-il, c’était de rentrer sans rien, \
    après une semaine de peine. » Malgré son âge, il espère naviguer encore une fois jusqu’aux îles.";
const GERMAN: &str = "Über dem Tal hängt dichter Nebel, während die Bäuerin ihre Kühe zum Melken führt. Früher gab es hier \
    zwölf Höfe, heute sind es nur noch zwei. Die jüngeren Leute zogen in die Städte, weil sie dort größere Möglichkeiten \
    sahen. Trotzdem möchte sie nicht tauschen: Die Stille am Morgen, das Läuten der Glocken und der Geruch von frischem \
    Heu gehören für sie zum Glück. Nächstes Jahr übernimmt ihr Enkel die Käserei.";
const GREEK: &str = "Στην άκρη του λιμανιού υπάρχει ένα παλιό καφενείο όπου μαζεύονται κάθε πρωί οι ψαράδες. Πίνουν τον καφέ \
    τους αργά και συζητούν για τον καιρό, τα δίχτυα και τις τιμές της αγοράς. Ο ιδιοκτήτης θυμάται τα χρόνια που τα καΐκια \
    γέμιζαν την προκυμαία και η μυρωδιά του ψαριού έφτανε ως την πλατεία. Σήμερα έμειναν λίγοι, όμως η θάλασσα παραμένει \
    η ίδια και τους περιμένει κάθε αυγή.";
const TURKISH: &str = "Kasabanın ortasındaki çınar ağacının gölgesinde yaşlılar her gün tavla oynar. Çaycı İbrahim, bardakları \
    tepsiye dizip masaların arasında dolaşırken herkese günün şakasını anlatır. Öğleden sonra okuldan çıkan çocuklar \
    çeşmenin başında toplanır, ıslanmaktan hiç çekinmezler. Akşam olunca dükkânlar kapanır, ışıklar söner ve sokaklara \
    derin bir sessizlik çöker. Buradaki hayat yavaş ama güzeldir.";
const HEBREW: &str = "בקצה הרחוב ניצבת חנות ספרים קטנה, ובה אלפי כרכים ישנים שנאספו במשך שנים רבות. בעל החנות מכיר כל ספר \
    ויודע לספר מי היה הקורא הקודם שלו. בימי שישי מגיעים לשם סטודנטים ופנסיונרים, יושבים על כיסאות עץ ומשוחחים על \
    שירה והיסטוריה. לפעמים מישהו מביא עוגה, ואז איש אינו ממהר לצאת. כשיורד הערב נדלקת מנורה אחת בחלון, \
    והאור שלה נראה מרחוק כמו מגדלור קטן.";
const ARABIC: &str = "في طرف المدينة القديمة يقع سوق صغير يبيع فيه الحرفيون أوانيهم النحاسية. يبدأ العمل منذ الصباح الباكر حين \
    يسمع المارة صوت المطارق وهي تضرب المعدن بإيقاع منتظم. يقول الحاج سالم إنه تعلم المهنة من والده عندما كان في العاشرة، \
    وإنه يريد أن يعلمها لأحفاده قبل أن تختفي. ويزور السوق كثير من السياح، فيشربون الشاي ويتفرجون على الزخارف الجميلة.";
const LITHUANIAN: &str = "Prie ežero kranto stovi senas medinis namas, kuriame gyvena žvejo šeima. Kiekvieną rytą tėvas išplaukia \
    valtimi dar prieš saulėtekį, o vaikai laukia jo grįžtančio ant lieptelio. Močiutė džiovina žoleles ir moko anūkus, \
    kuri arbata padeda nuo peršalimo. Žiemą, kai ežeras užšąla, visi kartu čiuožia ir gręžia eketes. Kaimynai sako, \
    kad tokios ramybės niekur kitur nerasi.";
const LATVIAN: &str = "Meža malā atrodas veca māja, kurā dzīvo mežsargs ar savu ģimeni. Katru rītu viņš apstaigā takas, pārbauda \
    barotavas un pieraksta, kādus dzīvniekus ir redzējis. Bērni palīdz vākt ogas un sēnes, bet vecmāmiņa vāra ievārījumu \
    lielā katlā. Ziemā, kad sniegs klāj visu apkārtni, pie mājas nāk stirnas un zaķi. Vakaros ģimene sēž pie krāsns \
    un stāsta senus stāstus.";
const VIETNAMESE: &str = "Sáng nay trời mưa nhỏ, khu chợ ven sông vẫn đông người mua bán từ rất sớm. Bà cụ bán rau ngồi dưới gốc \
    đa già, vừa nhặt từng lá cải vừa kể chuyện ngày xưa cho đứa cháu gái nghe. Con thuyền gỗ chở đầy trái cây từ phía \
    thượng nguồn cập bến, tiếng gọi nhau rộn rã cả một khúc sông. Đến trưa nắng lên, mặt nước lấp lánh như được dát bạc, \
    và mọi người lại vội vã trở về nhà chuẩn bị bữa cơm.";
const THAI: &str = "ริมแม่น้ำสายเล็กมีร้านก๋วยเตี๋ยวเก่าแก่ที่เปิดมานานกว่าสี่สิบปี ทุกเช้าคุณยายจะตื่นแต่มืดเพื่อเตรียมน้ำซุปและล้างผัก \
    ลูกค้าส่วนใหญ่เป็นคนในหมู่บ้านที่แวะมากินก่อนไปทำงาน บางคนพายเรือมาจากฝั่งตรงข้าม เพราะติดใจในรสชาติที่ไม่เคยเปลี่ยน \
    เมื่อฝนตกหนัก น้ำในคลองจะขึ้นสูงจนเกือบถึงพื้นร้าน แต่คุณยายก็ยังยิ้มและบอกว่าไม่เป็นไร";

/// Language by encoding; Vietnamese is decomposed as its encoding requires.
fn samples() -> Vec<(&'static str, &'static Encoding, String)> {
    let table: [(&'static str, &'static Encoding, &str); 28] = [
        ("zh-CN", GBK, SIMPLIFIED),
        ("zh-CN", GB18030, SIMPLIFIED),
        ("zh-TW", BIG5, TRADITIONAL),
        ("ja", SHIFT_JIS, JAPANESE),
        ("ja", EUC_JP, JAPANESE),
        ("ja", ISO_2022_JP, JAPANESE),
        ("ko", EUC_KR, KOREAN),
        ("cs", WINDOWS_1250, CZECH),
        ("cs", ISO_8859_2, CZECH),
        ("pl", WINDOWS_1250, POLISH),
        ("pl", ISO_8859_2, POLISH),
        ("hu", WINDOWS_1250, HUNGARIAN),
        ("ru", WINDOWS_1251, RUSSIAN),
        ("uk", WINDOWS_1251, UKRAINIAN),
        ("ru", KOI8_R, RUSSIAN),
        ("uk", KOI8_U, UKRAINIAN),
        ("ru", IBM866, RUSSIAN),
        ("ru", ISO_8859_5, RUSSIAN),
        ("fr", WINDOWS_1252, FRENCH),
        ("de", WINDOWS_1252, GERMAN),
        ("el", WINDOWS_1253, GREEK),
        ("tr", WINDOWS_1254, TURKISH),
        ("he", WINDOWS_1255, HEBREW),
        ("ar", WINDOWS_1256, ARABIC),
        ("lt", WINDOWS_1257, LITHUANIAN),
        ("lv", WINDOWS_1257, LATVIAN),
        ("vi", WINDOWS_1258, VIETNAMESE),
        ("th", WINDOWS_874, THAI),
    ];
    let decomposed = |encoding, text: &str| {
        if encoding == WINDOWS_1258 { without_tones(text) } else { text.to_owned() }
    };
    table.into_iter().map(|(language, encoding, text)| (language, encoding, decomposed(encoding, text))).collect()
}

/// Vietnamese with its tones as combining marks, as windows-1258 encodes them.
fn without_tones(text: &str) -> String {
    const VOWELS: &str = "aàáảãạăằắẳẵặâầấẩẫậeèéẻẽẹêềếểễệiìíỉĩịoòóỏõọôồốổỗộơờớởỡợuùúủũụưừứửữựyỳýỷỹỵ";
    const TONES: [&str; 6] = ["", "\u{300}", "\u{301}", "\u{309}", "\u{303}", "\u{323}"];
    let vowels: Vec<char> = VOWELS.chars().collect();
    let mut out = String::new();
    for c in text.chars() {
        match vowels.iter().position(|&vowel| vowel == c) {
            Some(at) => {
                out.push(vowels[at - at % 6]);
                out.push_str(TONES[at % 6]);
            }
            None => out.push(c),
        }
    }
    out
}

/// An ordinary page around a text, with a `meta` when a label is given.
fn page(label: Option<&str>, text: &str) -> String {
    let meta = label.map_or(String::new(), |label| format!("<meta charset=\"{label}\">"));
    let title: String = text.chars().take(12).collect();
    format!(
        "<!DOCTYPE html>\n<html><head>{meta}<title>{title}</title>\n<style>body {{ margin: 0 }}</style>\
         <script>var page = 'index';</script></head>\n<body><div class=\"nav\"><a href=\"/\">Home</a> | \
         <a href=\"/about.html\">About</a></div>\n<div id=\"main\"><p>{text}</p></div>\n\
         <p>Copyright 2006 Example Inc. All rights reserved.</p></body></html>\n"
    )
}

fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{} cannot write {text}", encoding.name());
    bytes.into_owned()
}

fn plain(bytes: &[u8]) -> Decoded<'_> {
    decode(bytes, &DecodeOptions::default())
}

/// Fails with a list of all failing cases, not only the first.
fn expect_all(cases: impl IntoIterator<Item = (String, Vec<u8>, String, Option<&'static str>)>) {
    let mut wrong = Vec::new();
    for (what, bytes, expected, transport) in cases {
        let options = DecodeOptions { transport, forced: None };
        let decoded = decode(&bytes, &options);
        if decoded.text != expected {
            wrong.push(format!("{what}: {} {:?}", decoded.encoding.name(), decoded.evidence));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn undeclared_pages() {
    expect_all(samples().into_iter().map(|(language, encoding, text)| {
        let page = page(None, &text);
        let what = format!("{language} in {}", encoding.name());
        (what, encode(&page, encoding), page, None)
    }));
}

#[test]
fn correctly_declared_pages() {
    for (language, encoding, text) in samples() {
        let page = page(Some(encoding.name()), &text);
        let bytes = encode(&page, encoding);
        let decoded = plain(&bytes);
        assert_eq!(decoded.text, page, "{language} in {}", encoding.name());
        assert!(!decoded.replaced);
        if encoding != ISO_2022_JP {
            assert_eq!((decoded.encoding, decoded.evidence), (encoding, EncodingEvidence::Meta));
        }
    }
}

#[test]
fn wrongly_declared_pages() {
    let labels = ["utf-8", "iso-8859-1", "gb2312", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1251"];
    expect_all(samples().into_iter().flat_map(|(language, encoding, text)| {
        labels.into_iter().flat_map(move |label| {
            let what = format!("{language} in {} as {label}", encoding.name());
            let declared = page(Some(label), &text);
            let bare = page(None, &text);
            [
                (format!("{what} by meta"), encode(&declared, encoding), declared, None),
                (format!("{what} by transport"), encode(&bare, encoding), bare, Some(label)),
            ]
        })
    }));
}

#[test]
fn utf8_under_any_declaration() {
    for (_, encoding, text) in samples() {
        let page = page(Some(encoding.name()), &text);
        let decoded = plain(page.as_bytes());
        assert_eq!((decoded.encoding, decoded.evidence), (UTF_8, EncodingEvidence::Utf8));
        assert_eq!(decoded.declared, Some(encoding));
        assert!(!decoded.is_transcoded() && decoded.text == page);
    }
}

#[test]
fn utf16_with_and_without_mark() {
    for (_, _, text) in samples() {
        let page = page(Some("gbk"), &text);
        for big in [false, true] {
            let unit = |u: u16| {
                if big { u.to_be_bytes() } else { u.to_le_bytes() }
            };
            let bare: Vec<u8> = page.encode_utf16().flat_map(unit).collect();
            let marked: Vec<u8> = [unit(0xFEFF).to_vec(), bare.clone()].concat();
            let expected = if big { UTF_16BE } else { UTF_16LE };
            for (bytes, evidence) in [(bare, EncodingEvidence::Nuls), (marked, EncodingEvidence::Bom)] {
                let decoded = plain(&bytes);
                assert_eq!((decoded.encoding, decoded.evidence), (expected, evidence));
                assert!(decoded.text == page && decoded.start == 0 && decoded.is_transcoded());
            }
        }
    }
}

#[test]
fn marks_and_force() {
    let marked = "\u{FEFF}<meta charset=gbk>é".as_bytes();
    let decoded = plain(marked);
    assert_eq!((decoded.start, decoded.encoding, decoded.evidence), (3, UTF_8, EncodingEvidence::Bom));
    assert!(!decoded.is_transcoded() && decoded.text.as_bytes() == marked);
    // Also when decoding errors force a copy.
    let decoded = plain(b"\xEF\xBB\xBFa\xFFb");
    assert_eq!((decoded.start, &*decoded.text), (3, "\u{FEFF}a\u{FFFD}b"));
    assert!(decoded.replaced);
    let force = |encoding| DecodeOptions { transport: Some("utf-8"), forced: Some(encoding) };
    let decoded = decode("é".as_bytes(), &force(WINDOWS_1252));
    assert_eq!((&*decoded.text, decoded.evidence), ("Ã©", EncodingEvidence::Forced));
    assert_eq!(decoded.declared, Some(UTF_8));
    assert!(!decode("é".as_bytes(), &force(UTF_8)).is_transcoded());
}

#[test]
fn faults_in_utf8() {
    let stray = [page(None, GERMAN).as_bytes(), b"caf\xE9"].concat();
    let decoded = plain(&stray);
    assert_eq!((decoded.encoding, decoded.evidence), (UTF_8, EncodingEvidence::Utf8));
    assert!(decoded.replaced && decoded.text.ends_with("caf\u{FFFD}"));
    // Cut within the last character, as a download limit does.
    let declared = page(Some("utf-8"), FRENCH) + "à";
    let cut = &declared.as_bytes()[..declared.len() - 1];
    assert_eq!((plain(cut).encoding, plain(cut).evidence), (UTF_8, EncodingEvidence::Meta));
    // A single Latin-1 letter is better decoded than replaced, regardless of the declaration.
    let decoded = plain(b"<meta charset=utf-8><p>caf\xE9 au lait");
    assert_eq!((decoded.encoding, decoded.declared), (WINDOWS_1252, Some(UTF_8)));
    assert!(decoded.text.ends_with("café au lait"));
}

#[test]
fn very_short_text_under_a_legacy_declaration() {
    // One Chinese character that is also U+05F2 in UTF-8.
    let decoded = plain(b"<meta charset=gb2312><p>\xD7\xB2");
    assert_eq!((&decoded.text[24..], decoded.evidence), ("撞", EncodingEvidence::Meta));
    // A single copyright sign or name is still UTF-8.
    for text in ["© 2006", "Café", "“quoted”", "中", "שלום"] {
        let page = format!("<meta charset=gb2312><p>{text}");
        assert_eq!(plain(page.as_bytes()).encoding, UTF_8, "{text}");
    }
}

#[test]
fn transport_against_page() {
    let options = |transport| DecodeOptions { transport: Some(transport), forced: None };
    // The statistics agree with the page...
    let korean = page(Some("euc-kr"), KOREAN);
    let bytes = encode(&korean, EUC_KR);
    let decoded = decode(&bytes, &options("text/html; charset=gb2312"));
    assert_eq!((decoded.encoding, decoded.evidence), (EUC_KR, EncodingEvidence::Meta));
    assert_eq!(decoded.declared, Some(EUC_KR));
    // ... or with the transport...
    let decoded = decode(&bytes, &options("euc-kr"));
    assert_eq!((decoded.encoding, decoded.evidence), (EUC_KR, EncodingEvidence::Transport));
    // ... or with neither: the transport's declaration wins if it fits.
    let german = encode(&page(Some("iso-8859-15"), GERMAN), WINDOWS_1252);
    let decoded = decode(&german, &options("windows-1254"));
    assert_eq!((decoded.encoding, decoded.declared), (ISO_8859_15, Some(ISO_8859_15)));
    let french = encode("<meta charset=iso-8859-4>déjà vu", WINDOWS_1252);
    let decoded = decode(&french, &options("windows-1257"));
    assert_eq!((decoded.encoding, decoded.evidence), (WINDOWS_1257, EncodingEvidence::Transport));
}

#[test]
fn symbols_on_english_pages_are_not_letters() {
    for bytes in [&b"Copyright \xA9 2006 Example\xAE"[..], b"From \xA36 to \xA39", b"next \xBB", b"it\x92s"] {
        let decoded = plain(bytes);
        assert_eq!(decoded.encoding, WINDOWS_1252, "{}", decoded.text);
    }
}

#[test]
fn broken_multi_byte_pages() {
    for (language, encoding, text) in samples() {
        if !matches!(language, "zh-CN" | "zh-TW" | "ja" | "ko") || encoding == ISO_2022_JP {
            continue;
        }
        // An incomplete character before a newline, twice.
        let mut bytes = encode(&page(None, &text), encoding);
        bytes.extend_from_slice(b"\n<p>\xC8\n</p>\n<p>\xFF\n");
        let decoded = plain(&bytes);
        assert!(decoded.text.contains(&text), "{language} in {}", encoding.name());
        assert!(decoded.replaced);
    }
    // Four-byte GB18030, which the detector does not know.
    let rare = page(None, &format!("{SIMPLIFIED}䶮㐀𠀀ɐ"));
    let bytes = encode(&rare, GB18030);
    assert_eq!(plain(&bytes).text, rare);
}

#[test]
fn hostile_input_takes_linear_time() {
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [&b""[..], b"\xFF", b"\0", b"<", b"\x1B", b"\xEF\xBB", b"\xFF\xFE", b"\xFE\xFF\xD8", &all] {
        for transport in [None, Some("utf-16"), Some("gb18030"), Some("iso-2022-jp"), Some("?")] {
            let decoded = decode(bytes, &DecodeOptions { transport, forced: None });
            assert!(decoded.text.get(decoded.start..).is_some());
        }
    }
    const SIZE: usize = 10 << 20;
    let alternating = |pattern: &[u8]| pattern.repeat(SIZE / pattern.len());
    for bytes in [
        vec![0xFF; SIZE],
        vec![b'<'; SIZE],
        alternating(b"\xC3a"),
        alternating(b"\xC3\xA9\xFF"),
        alternating(b"<\xE4"),
        alternating(b"<script>\x81"),
        alternating(b"<!--\xA1\xA1"),
        alternating(b"\x1B$B"),
        alternating(b"a\0"),
        alternating(&all),
    ] {
        let started = Instant::now();
        let decoded = plain(&bytes);
        let pattern = bytes.get(..12).unwrap_or_default();
        assert!(decoded.text.len() >= SIZE / 4, "{pattern:?}");
        // Two hundred times the usual time; quadratic time would be hours.
        assert!(started.elapsed() < Duration::from_secs(20), "{pattern:?}");
    }
}

#[test]
fn every_prefix_decodes() {
    for (_, encoding, text) in samples() {
        let bytes = encode(&page(Some("utf-8"), &text), encoding);
        for end in 0..=bytes.len() {
            let decoded = plain(bytes.get(..end).unwrap_or_default());
            assert!(decoded.text.get(decoded.start..).is_some());
        }
    }
}
