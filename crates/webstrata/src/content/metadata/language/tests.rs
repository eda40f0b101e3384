//! Texts in many languages, and declarations that agree or disagree with them.

use super::codes::canonical;
use super::detect::detect;
use super::words::{ARABIC, BENGALI, CYRILLIC, DEVANAGARI, ETHIOPIC, HEBREW, LATIN};
use super::*;
use crate::content::metadata::tests::{metadata, show};

/// A few sentences about rain in each language whose frequent words are tested.
const TEXTS: &[(&str, &str)] = &[
    (
        "en",
        "It rained for three days in the valley, and nobody knew when it would end. The river rose, the bridge was closed, and the children were at home because the school was under water. They said that it had not been like this for years.",
    ),
    (
        "de",
        "Es hat drei Tage im Tal geregnet, und niemand wusste, wann es aufhören würde. Der Fluss stieg, die Brücke war gesperrt, und die Kinder sind zu Hause geblieben, weil die Schule unter Wasser stand. Das ist seit Jahren nicht mehr so gewesen.",
    ),
    (
        "fr",
        "Il a plu pendant trois jours dans la vallée et personne ne savait quand la pluie allait cesser. La rivière est montée, le pont a été fermé et les enfants sont restés à la maison parce que l'école était sous les eaux. Ce n'est pas arrivé depuis des années.",
    ),
    (
        "es",
        "Llovió durante tres días en el valle y nadie sabía cuándo iba a terminar. El río creció, el puente fue cerrado y los niños se quedaron en casa porque la escuela estaba bajo el agua. Es algo que no se veía desde hace más de diez años en esta zona del país.",
    ),
    (
        "pt",
        "Choveu durante três dias no vale e ninguém sabia quando ia acabar. O rio subiu, a ponte foi fechada e as crianças ficaram em casa porque a escola estava debaixo de água. É uma coisa que não se via há mais de dez anos na região, disse o presidente da câmara.",
    ),
    (
        "it",
        "È piovuto per tre giorni nella valle e nessuno sapeva quando sarebbe finita. Il fiume è salito, il ponte è stato chiuso e i bambini sono rimasti a casa perché la scuola era sott'acqua. Non si vedeva una cosa del genere da più di dieci anni, ha detto il sindaco della città.",
    ),
    (
        "nl",
        "Het regende drie dagen in het dal en niemand wist wanneer het zou ophouden. De rivier steeg, de brug werd gesloten en de kinderen bleven thuis, omdat de school onder water stond. Dat is al jaren niet meer voorgekomen, zei de burgemeester van de stad, die zelf ook niet naar het werk kon.",
    ),
    (
        "da",
        "Det regnede i tre dage i dalen, og ingen vidste, hvornår det ville holde op. Floden steg, broen blev lukket, og børnene måtte blive hjemme, fordi skolen stod under vand. Det er ikke sket i mange år, siger borgmesteren, som heller ikke selv kunne komme på arbejde efter den tredje dag.",
    ),
    (
        "nb",
        "Det regnet i tre dager i dalen, og ingen visste når det ville slutte. Elva steg, broen ble stengt, og barna måtte være hjemme fordi skolen sto under vann. Det har ikke skjedd på mange år, sier ordføreren, som heller ikke selv kom seg på jobb etter den tredje dagen med regn.",
    ),
    (
        "sv",
        "Det regnade i tre dagar i dalen och ingen visste när det skulle sluta. Floden steg, bron stängdes och barnen fick stanna hemma eftersom skolan stod under vatten. Det har inte hänt på många år, säger borgmästaren, som inte heller själv kunde ta sig till arbetet efter den tredje dagen.",
    ),
    (
        "is",
        "Það rigndi í þrjá daga í dalnum og enginn vissi hvenær það myndi hætta. Áin óx, brúnni var lokað og börnin voru heima því að skólinn var undir vatni. Þetta hefur ekki gerst í mörg ár, sagði bæjarstjórinn, sem komst ekki heldur til vinnu. Hann sagði að það væri til skoðunar.",
    ),
    (
        "fi",
        "Laaksossa satoi kolme päivää, ja kukaan ei tiennyt, milloin se loppuisi. Joki nousi, silta suljettiin, ja lapset jäivät kotiin, kun koulu oli veden alla. Pormestarin mukaan se on ollut poikkeuksellista, mutta hän ei ole huolissaan. Hän sanoi myös, että tie on nyt auki ja että koulu voi alkaa.",
    ),
    (
        "pl",
        "W dolinie padało przez trzy dni i nikt nie wiedział, kiedy to się skończy. Rzeka się podniosła, most został zamknięty, a dzieci zostały w domu, ponieważ szkoła była pod wodą. To nie zdarzyło się od lat, powiedział burmistrz, który także nie mógł dojechać do pracy. Nie jest to dla nas nic dobrego.",
    ),
    (
        "cs",
        "V údolí pršelo tři dny a nikdo nevěděl, kdy to skončí. Řeka se zvedla, most byl uzavřen a děti zůstaly doma, protože škola byla pod vodou. To se podle starosty nestalo už mnoho let, ale lidé si na to zvykli. Je to také poprvé, co se most zavřel na tak dlouho, jak řekl pro noviny.",
    ),
    (
        "hu",
        "Három napig esett az eső a völgyben, és senki nem tudta, hogy mikor lesz vége. A folyó megáradt, a hidat lezárták, és a gyerekek otthon maradtak, mert az iskola is víz alatt volt. Ez már évek óta nem fordult elő, mondta a polgármester, de azt is hozzátette, hogy nem kell félni, ha van még türelem.",
    ),
    (
        "tr",
        "Vadide üç gün yağmur yağdı ve bunun ne zaman biteceğini hiç kimse bilmiyordu. Nehir yükseldi, köprü kapatıldı ve çocuklar okul su altında olduğu için evde kaldı. Belediye başkanı, bunun çok uzun bir süre sonra ilk kez olduğunu, ancak daha kötü olan bir şey olmadığını söyledi. Bu da iyi bir haber.",
    ),
    (
        "sw",
        "Mvua ilinyesha kwa siku tatu katika bonde na hakuna mtu aliyejua ni lini ingekoma. Mto uliongezeka, daraja lilifungwa na watoto walibaki nyumbani kwa sababu shule ilikuwa chini ya maji. Hii haijatokea kwa miaka mingi, alisema mkuu wa mji, lakini watu hawana hofu kama ilivyokuwa baada ya mvua ya mwaka jana.",
    ),
    (
        "zu",
        "Lina izinsuku ezintathu esigodini kanti akekho obekazi ukuthi lizophela nini. Umfula ugcwele futhi ibhuloho livaliwe ngoba amanzi maningi kakhulu. Imeya ithe abantu kumele bahlale emakhaya uma kungenzeka, kodwa ithe futhi ukuthi izikole zizovulwa ngemuva kwamasonto amabili. Lokhu akukaze kwenzeke njengoba abantu abadala besho. Uthe bazobe belindile lapho futhi kanti nabanye bathi ukuthi imvula ingabuya.",
    ),
    (
        "id",
        "Hujan turun selama tiga hari di lembah itu dan tidak ada yang tahu kapan akan berhenti. Sungai meluap, jembatan ditutup, dan anak-anak tinggal di rumah karena sekolah terendam air. Hal ini tidak pernah terjadi dalam beberapa tahun, kata wali kota yang juga tidak bisa pergi ke kantor untuk bekerja pada hari itu.",
    ),
    (
        "ru",
        "В долине три дня шёл дождь, и никто не знал, когда он закончится. Река поднялась, мост закрыли, а дети остались дома, потому что школа была под водой. Такого не было уже много лет, сказал мэр, который также не смог приехать на работу. Он добавил, что для жителей это не новость, но так долго дождь не шёл.",
    ),
    (
        "uk",
        "У долині три дні йшов дощ, і ніхто не знав, коли він закінчиться. Річка піднялася, міст закрили, а діти залишилися вдома, бо школа була під водою. Такого не було вже багато років, сказав мер, який також не зміг приїхати на роботу. Він додав, що для мешканців це не новина, але про це варто говорити, як і до того.",
    ),
    ("el", "Έβρεχε τρεις μέρες στην κοιλάδα και κανείς δεν ήξερε πότε θα σταματήσει. Το ποτάμι ανέβηκε και η γέφυρα έκλεισε."),
    (
        "he",
        "גשם ירד שלושה ימים בעמק ואיש לא ידע מתי הוא ייפסק. הנהר עלה, הגשר נסגר והילדים נשארו בבית כי בית הספר היה מתחת למים. זה לא קרה שנים, אמר ראש העיר, שגם הוא לא הצליח להגיע אל העבודה של אותו יום. הוא אמר את זה על רקע הגשם עם חיוך",
    ),
    (
        "ar",
        "هطل المطر ثلاثة أيام في الوادي ولم يعرف أحد متى سينتهي. ارتفع النهر وأغلق الجسر وبقي الأطفال في البيت لأن المدرسة كانت تحت الماء. قال رئيس البلدية إن هذا لم يحدث من قبل على مدى سنوات، وإن الناس الذين كانوا في القرية ذهبوا إلى المدينة بعد أن توقف المطر مع نهاية هذا الأسبوع.",
    ),
    (
        "fa",
        "سه روز در دره باران بارید و هیچ کس نمی دانست که کی تمام می شود. رودخانه بالا آمد و پل بسته شد و بچه ها در خانه ماندند، زیرا مدرسه زیر آب بود. شهردار گفت که این اتفاق برای سال ها نیفتاده است و مردم باید با این وضع تا آخر هفته بسازند و از خانه بیرون نروند.",
    ),
    (
        "hi",
        "घाटी में तीन दिन तक बारिश हुई और किसी को नहीं पता था कि यह कब रुकेगी। नदी का पानी बढ़ गया, पुल को बंद कर दिया गया और बच्चे घर पर रहे क्योंकि स्कूल पानी में था। महापौर ने कहा कि यह कई साल से नहीं हुआ है और लोग इस से डरे हुए हैं। यह भी कहा कि एक और दिन बारिश होगी।",
    ),
    (
        "zh",
        "山谷里下了三天雨，谁也不知道什么时候会停。河水上涨，桥被封闭，孩子们留在家里，因为学校在水下。市长说，这种情况多年没有发生过了。",
    ),
    (
        "ja",
        "谷では三日間雨が降り続き、いつ止むのか誰にも分からなかった。川の水位が上がり、橋は閉鎖され、学校が浸水したため子どもたちは家にいた。",
    ),
    (
        "ko",
        "계곡에 사흘 동안 비가 내렸고 언제 그칠지 아무도 몰랐다. 강물이 불어나 다리가 폐쇄되었고 학교가 물에 잠겨 아이들은 집에 있었다.",
    ),
    ("th", "ฝนตกในหุบเขาเป็นเวลาสามวันและไม่มีใครรู้ว่าจะหยุดเมื่อใด แม่น้ำสูงขึ้นและสะพานถูกปิด"),
];

#[test]
fn texts_have_their_language() {
    for (code, text) in TEXTS {
        assert_eq!(language_of(text), Some(*code), "{text}");
    }
}

#[test]
fn little_text_has_none() {
    for text in ["", "Rain", "1234 5678 90", "Contact us today for more information", "Ελλάδα", &"x y z ".repeat(100)] {
        assert_eq!(detect(text), None, "{text}");
    }
}

#[test]
fn lists_name_each_word_once() {
    for (code, list) in [LATIN, CYRILLIC, ARABIC, DEVANAGARI, BENGALI, HEBREW, ETHIOPIC].concat() {
        let mut words: Vec<&str> = list.split(' ').collect();
        let number = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), number, "{code}");
        assert!(canonical(code).as_deref() == Some(code), "{code}");
    }
}

#[test]
fn declared_tags_become_bcp_47() {
    let table = [
        ("en", Some("en")),
        ("EN_us", Some("en-US")),
        ("pt-br, en", Some("pt-BR")),
        ("de_DE.UTF-8", Some("de-DE")),
        ("zh-hant-tw", Some("zh-Hant-TW")),
        ("es-419", Some("es-419")),
        ("eng", Some("en")),
        ("English", Some("en")),
        ("iw", Some("he")),
        ("yue", Some("yue")),
        ("en-us-x-private", Some("en-US")),
        ("und", None),
        ("xx", None),
        ("{{lang}}", None),
        ("", None),
        ("-", None),
    ];
    for (declared, expected) in table {
        assert_eq!(canonical(declared).as_deref(), expected, "{declared}");
    }
}

fn text(code: &str) -> &'static str {
    TEXTS.iter().find(|(known, _)| *known == code).map_or("", |(_, text)| text)
}

#[test]
fn the_text_corrects_a_wrong_declaration() {
    let language = |html: &str| show(&metadata(html).language);
    let page = |lang: &str, head: &str, text: &str| language(&format!("<html lang={lang}><head>{head}</head><body><p>{text}</p>"));
    assert_eq!(page("en", "", text("zu")), "zu (content text)");
    assert_eq!(page("en-US", "", text("sw")), "sw (content text)");
    assert_eq!(page("en-GB", "", text("en")), "en-GB (html lang)");
    assert_eq!(page("en", "<meta property=og:locale content=pt_BR>", text("pt")), "pt-BR (meta og:locale)");
    assert_eq!(page("no", "", text("nb")), "no (html lang)");
    assert_eq!(page("ms", "", text("id")), "ms (html lang)");
    assert_eq!(page("xx", "", text("is")), "is (content text)");
    // A short text cannot override a declaration, but is better than nothing.
    assert_eq!(page("en", "", "Hujan turun di lembah itu."), "en (html lang)");
    assert_eq!(language(&format!("<p>{}", text("ja"))), "ja (content text)");
    // Links, navigation and code are ignored.
    let menu = format!("<nav>{0}</nav><a href=/>{0}</a><pre>{0}</pre>", text("fr"));
    assert_eq!(page("de", "", &menu), "de (html lang)");
}
