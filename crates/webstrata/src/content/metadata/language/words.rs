//! Frequent words by language: articles, pronouns, prepositions and conjunctions. They make up a quarter of running text in most
//! languages, regardless of the topic, and few of them are frequent in two languages. `uku*` stands for all words that start with
//! `uku`: languages that attach such words to others have few frequent words.

/// Languages of the Latin script.
pub(super) const LATIN: &[(&str, &str)] = &[
    (
        "en",
        "the of and to in is that for was on with as are by it be at from this have which or not but you they his were has will",
    ),
    (
        "de",
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie wird",
    ),
    (
        "fr",
        "de la le et les des en un du une que est pour qui dans par sur au pas plus avec ce sont il ont cette aux mais nous été",
    ),
    ("es", "de la que el en y a los se del las un por con una su para es al lo como más pero fue este ha sus ya también sobre"),
    ("pt", "de a que o e do da em um para com não uma os no se na por mais as dos como mas ao foi das são pelo está também"),
    ("gl", "de a que o e do da en un para con non unha os no se na por máis as dos como pero ao foi das son polo está tamén unhas"),
    ("ca", "de la i que el en a per els les un amb del una és al més va com no es pel ha aquest són però dels també seva"),
    ("oc", "de la e que lo en a per los las un amb del una es al mai coma dins son mas tanben aquel pas"),
    ("it", "di e il la che in a un è per una del con non sono della si le da dei al più come anche ha nel alla gli delle"),
    ("ro", "de și în a la care cu pe o un din nu să mai este pentru au fost ce se al că sau prin sunt dar fi şi după"),
    ("nl", "de van het een en in is dat op te zijn met voor niet die aan er om ook als bij maar door wordt naar uit hij heeft"),
    ("af", "die van in het en is dat nie wat vir te om op met sy aan ook deur by was hy as word kan hulle maar"),
    ("lb", "an de vun der déi mat op fir net ass en och ginn gouf huet dat dem sinn vum si bei awer dass"),
    ("da", "og i det at er en til på af for med der den ikke som de har et om var sig fra men blev kan også efter hun ved"),
    ("nb", "og i det er på en til som av for at med den de har ikke et om var fra men seg kan også etter ble å skal hun ved"),
    ("nn", "og i det er på ein til som av for at med den dei har ikkje eit om var frå men seg kan også etter vart å skal ho"),
    ("sv", "och i att det som en på är av för med till den har de inte om ett var från men sig så också efter vid kan eller"),
    ("is", "og í að á er sem það til um var við með en ekki hann af fyrir eru því ég frá hefur þau þeir svo eftir sé þá"),
    ("fo", "og í at á er til um við av var ein fyri tað eru ikki men sum hann hevur frá teir eisini hon"),
    ("fi", "ja on ei että oli se hän joka mutta kun ovat myös kuin tai sen mukaan niin jos olla nyt ole voi hänen jo"),
    ("et", "ja on ei et see oli kui ka mis ta aga või oma seda selle nii siis mida kes ning pole üks veel ma"),
    ("hu", "a az és hogy nem is egy ez volt meg csak már de ha mint el azt van még ki lesz vagy kell szerint"),
    ("pl", "w i na z się do nie że to jest o jak po za przez od jego ale są dla był może ze tym co już oraz także"),
    ("cs", "a v se na je že to s z do o ve k i si za jako ale by jsou po pro od byl podle které jeho také však"),
    ("sk", "a v sa na je že to s z do o vo k aj si za ako ale by sú po pre od bol podľa ktoré jeho však"),
    ("sl", "in je v na se za da so pa z ki po tudi od do bi bo pri kot ne ali še bil o ter saj"),
    ("hr", "i je u na se da za su od s o koji kao a ne iz do što bi će koje nije ili po biti samo kako"),
    ("sq", "të e në i dhe për me nga një se është që më ka do nuk u ai si kjo janë por"),
    ("lt", "ir į kad yra iš su tai buvo ne kaip bet o už ar apie nuo jis dėl savo po jau taip"),
    ("lv", "un ir ka no uz ar par tas bija kas to ne arī bet pēc vai lai kā tika viņš gan savu"),
    ("tr", "ve bir bu da de için ile olarak çok olan daha gibi ne kadar en sonra olduğu ancak o var değil ise"),
    ("az", "və bir bu ki də ilə üçün olan da daha o sonra kimi ən isə onun edir olub çox"),
    ("uz", "va bilan uchun ham bu haqida esa bo deb qildi edi bir yil lekin"),
    ("tk", "we bu bilen üçin bir hem boýunça bolup ýyl diýip şeýle"),
    ("vi", "và của là có được cho trong các không một với những người này đã khi để từ đến"),
    (
        "id",
        "yang dan di untuk dengan pada dari ini itu tidak dalam akan adalah ke juga oleh telah sebagai karena ada bahwa bisa saat",
    ),
    (
        "ms",
        "yang dan di untuk dengan pada dari ini itu tidak dalam akan adalah ke juga oleh telah sebagai kerana ada bahawa boleh beliau",
    ),
    ("jv", "ing lan sing iki kang ana karo saka marang kanggo wis ora uga"),
    ("su", "jeung nu di ka ku tina anu dina ieu téh pikeun ogé keur"),
    ("fil", "ang ng sa na mga at ay ni para ito si hindi niya kung ko siya may nang mula kanyang"),
    ("ceb", "ang sa ug nga mga ni alang usa kini siya dili niya ning"),
    ("sw", "ya na wa kwa ni katika za la kuwa cha hiyo huo ambayo alisema baada hii watu hata yake hao lakini kama"),
    (
        "zu",
        "ukuthi futhi uma kanti ngoba kodwa nje uthe lapho njengoba kakhulu lokhu ngemuva kusho kanye yena uku* oku* ngo* nga* nge* kwe* lwe* izi*",
    ),
    (
        "xh",
        "ukuba kwaye xa kodwa ukuze uthi ngokuba kunye apho oku njengoko kakhulu uthe umntu ngenxa kwi uku* oku* ngo* nga* nge* kwe* lwe* izi*",
    ),
    ("st", "ea le ho ka ba ke se hore ha tsa la e mme o sa empa bona ne ena"),
    ("tn", "le go ka ba ke gore mo wa ya e fa tsa a ne mme gongwe bona"),
    ("nso", "le go ka ba ke gore mo wa ya e ge tša a be eupša bona"),
    ("sn", "kuti uye pa kana asi vanhu ari kuita nyaya iyo mu nekuti zvakare kwe"),
    ("so", "waa iyo ee in ka ku oo uu ay soo la si waxa aan leh ayaa waxaa"),
    ("ha", "da a ya na ta ne cikin wannan don kuma shi ba suka wata an ce domin sun yadda kamar"),
    ("yo", "ní àti tí ó pé kí fún ti sí àwọn wọ bí náà"),
    ("ig", "na nke ndị bụ ya maka ọ ahụ n ihe ga dị"),
    ("rw", "mu na ku ko kandi yavuze cyane abantu ubwo ngo muri kuri ari"),
    ("mg", "ny sy dia ho amin izany fa tsy ity olona ireo tamin"),
    ("eu", "eta da ez bat du dira ere dute izan zen egin baina zuen bere behar baino"),
    ("ga", "an na agus ar go is a le do ag ní bhí tá sé i ach atá leis"),
    ("gd", "an agus a na air tha e gu bha do nach ann anns iad"),
    ("cy", "y yn a i o ar ei mae am yr wedi oedd ac gan ond hyn fel bod"),
    ("br", "an e ar da ha eus gant en ur war evit zo ez"),
    ("mt", "il ta li u fil għal minn ma huwa kien dan hija lill tal fuq biex"),
    ("eo", "la de kaj en estas al por kiu ke ne kun estis pri el sed aŭ kiel"),
    ("la", "et in est non ad ut cum qui quod ex sed atque ab esse"),
    ("ht", "nan ak ki yo pou li te se pa yon gen kòm"),
    ("ku", "û li ji bi ku di de bo ev ew jî wê yên xwe"),
];

/// Languages of the Cyrillic script.
pub(super) const CYRILLIC: &[(&str, &str)] = &[
    ("ru", "и в не на что с по как это из за от он для к его но так уже о было также она при или чтобы"),
    ("uk", "і в не на що з до як це за від він для та про але у його було також є які під"),
    ("be", "і ў не на што з да як гэта за ад ён для па але яго было таксама пра які"),
    ("bg", "и в на да се за от с не че по са ще това е до като след но както при който"),
    ("mk", "и во на да се за од со не дека е по ќе како но што до тоа кој беше"),
    ("sr", "и у на да се за од са не је су који као што а из до ће није како"),
    ("kk", "және мен бұл үшін да де бір деп болып ол туралы бойынша қазақстан болды"),
    ("ky", "жана менен бул үчүн да бир деп болгон ал кыргыз боюнча эле"),
    ("tg", "ва дар аз ки ба бо ин барои он аст мекунад буд"),
    ("mn", "нь байна энэ болон юм гэж байсан бол тухай монгол"),
    ("tt", "һәм белән бу өчен да бер дип татар булган"),
];

/// Languages of the Arabic script.
pub(super) const ARABIC: &[(&str, &str)] = &[
    ("ar", "في من على أن إلى عن التي الذي مع هذا ما هذه لا كان قال بعد وقد بين"),
    ("fa", "و در به از که این را با است برای آن یک تا خود شد می"),
    ("ur", "کے میں کی اور ہے سے کا کو نے پر یہ بھی کہ ہیں ایک"),
    ("ps", "د په او چې کې سره له ته دی دا یې شوي"),
    ("ckb", "لە و بە کە بۆ ئەم لەگەڵ دا ئەو هەیە"),
    ("sd", "جي ۾ ۽ جو کي ته آهي"),
    ("ug", "ۋە بىلەن بۇ ئۈچۈن بىر دەپ"),
];

/// Languages of the Devanagari script.
pub(super) const DEVANAGARI: &[(&str, &str)] = &[
    ("hi", "के में की है और से का को पर ने कि नहीं एक यह भी हैं"),
    ("mr", "आहे आणि या नाही की ते व हा होते तर मात्र म्हणून यांनी असे"),
    ("ne", "छ र को मा गरेको भएको पनि लागि हो छन् उनले यो गर्न"),
];

/// Languages of the Bengali script.
pub(super) const BENGALI: &[(&str, &str)] =
    &[("bn", "এবং এই করে থেকে জন্য না হয় ও তার এক করা এ বলে"), ("as", "আৰু এই কৰা পৰা তেওঁ কৰি এক বাবে নাই")];

/// Languages of the Hebrew script.
pub(super) const HEBREW: &[(&str, &str)] =
    &[("he", "של את על לא זה הוא עם כי גם אך או אל היא"), ("yi", "און די איז פון דער אין צו האט מיט אז")];

/// Languages of the Ethiopic script.
pub(super) const ETHIOPIC: &[(&str, &str)] = &[("am", "ነው እና ላይ ውስጥ ነበር ግን ጋር ወደ"), ("ti", "ናይ ኣብ እዩ ካብ ከም ነቲ እቲ")];
