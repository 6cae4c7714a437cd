// A page with a question of every type, and statements, as an author writes it in a language: for tests of how pages look and read.

type Key =
  | ("agreed" | "born" | "moved" | "age" | "sleep" | "bed" | "friend")
  | ("drink" | "several" | "town" | "country" | "fruit" | "often" | "mail" | "day");

interface Author {
  title: string;
  description: string;
  terms: string;
  prompts: Record<Key, string>;
  ends: [low: string, high: string];
  drinks: [string, string, string];
  fruit: [string, string, string];
  often: [string, string, string];
  seen: string;
  picture: string;
}

const AUTHORS = {
  en: {
    title: "About you",
    description: "Thank you for helping. It takes about **three minutes**.",
    terms: "We ask about your days. We keep your answers for three months, and then we delete them.",
    prompts: {
      agreed: "I have read this, and agree",
      born: "When were you born?",
      moved: "When did you move here?",
      age: "How many people live with you?",
      day: "How does your day begin?",
      mail: "Your email address?",
      sleep: "How well do you sleep?",
      bed: "How good is your bed?",
      friend: "Would you recommend us to a friend?",
      drink: "What do you drink in the morning?",
      town: "Where do you live?",
      country: "Where were you at school?",
      several: "What have you had today?",
      fruit: "Which fruit do you like best?",
      often: "How often do you drink these?",
    },
    ends: ["Very badly", "Very well"],
    drinks: ["Tea", "Coffee", "Water"],
    fruit: ["Apples", "Pears", "Cherries"],
    often: ["Never", "Sometimes", "Every day"],
    seen: "Look at this picture.",
    picture: "A grey square",
  },
  de: {
    title: "Über Sie",
    description: "Vielen Dank für Ihre Hilfe. Es dauert etwa **drei Minuten**.",
    terms:
      "Wir fragen nach Ihrem Alltag. Ihre Antworten werden drei Monate lang aufbewahrt und danach entsprechend unserer Datenschutzgrundverordnungsdokumentation gelöscht.",
    prompts: {
      agreed: "Ich habe das gelesen und stimme zu",
      born: "Wann wurden Sie geboren?",
      moved: "Wann sind Sie hierher gezogen?",
      age: "Wie viele Menschen leben in Ihrem Haushalt?",
      day: "Wie beginnt Ihr Tag?",
      mail: "Wie lautet Ihre E-Mail-Adresse?",
      sleep: "Wie gut schlafen Sie?",
      bed: "Wie gut ist Ihr Bett?",
      friend: "Würden Sie uns weiterempfehlen?",
      drink: "Was trinken Sie am Morgen?",
      town: "Wo wohnen Sie?",
      country: "Wo sind Sie zur Schule gegangen?",
      several: "Was haben Sie heute schon getrunken?",
      fruit: "Welches Obst mögen Sie am liebsten?",
      often: "Wie oft trinken Sie das?",
    },
    ends: ["Ausgesprochen schlecht", "Ausgezeichnet"],
    drinks: ["Kräutertee", "Kaffee", "Johannisbeersaftschorle"],
    fruit: ["Äpfel", "Birnen", "Süßkirschen"],
    often: ["Überhaupt nicht", "Gelegentlich", "Jeden Tag"],
    seen: "Sehen Sie sich dieses Bild an.",
    picture: "Ein graues Quadrat",
  },
  ar: {
    title: "معلومات عنك",
    description: "شكرًا على مساعدتك. يستغرق هذا نحو **ثلاث دقائق**.",
    terms: "نسأل عن يومك. نحتفظ بإجاباتك ثلاثة أشهر ثم نحذفها.",
    prompts: {
      agreed: "قرأت هذا وأوافق",
      born: "متى ولدت؟",
      moved: "متى انتقلت إلى هنا؟",
      age: "كم شخصًا يعيش معك؟",
      day: "كيف يبدأ يومك؟",
      mail: "ما عنوان بريدك الإلكتروني؟",
      sleep: "كيف تنام؟",
      bed: "كيف سريرك؟",
      friend: "هل توصي بنا صديقًا؟",
      drink: "ماذا تشرب في الصباح؟",
      town: "أين تسكن؟",
      country: "أين درست؟",
      several: "ماذا شربت اليوم؟",
      fruit: "أي فاكهة تفضل؟",
      often: "كم مرة تشرب هذه؟",
    },
    ends: ["سيئ جدًا", "جيد جدًا"],
    drinks: ["شاي", "قهوة", "ماء"],
    fruit: ["تفاح", "كمثرى", "كرز"],
    often: ["أبدًا", "أحيانًا", "كل يوم"],
    seen: "انظر إلى هذه الصورة.",
    picture: "مربع رمادي",
  },
  ja: {
    title: "あなたについて",
    description: "ご協力ありがとうございます。所要時間は**約3分**です。",
    terms: "毎日の生活についてお尋ねします。回答は3か月間保管した後、削除します。",
    prompts: {
      agreed: "上記を読み、同意します",
      born: "生年月日を教えてください",
      moved: "いつこちらに引っ越しましたか",
      age: "同居している人数を教えてください",
      day: "一日はどのように始まりますか",
      mail: "メールアドレスを教えてください",
      sleep: "よく眠れますか",
      bed: "ベッドの寝心地はいかがですか",
      friend: "友人に薦めたいと思いますか",
      drink: "朝は何を飲みますか",
      town: "お住まいはどちらですか",
      country: "学校に通っていた国はどこですか",
      several: "今日は何を飲みましたか",
      fruit: "どの果物が一番好きですか",
      often: "次の飲み物をどのくらい飲みますか",
    },
    ends: ["まったく眠れない", "とてもよく眠れる"],
    drinks: ["お茶", "コーヒー", "水"],
    fruit: ["りんご", "梨", "さくらんぼ"],
    often: ["まったく飲まない", "ときどき", "毎日"],
    seen: "この画像を見てください。",
    picture: "灰色の四角形",
  },
} satisfies Record<string, Author>;

/** So many that their menu is searched. */
const COUNTRIES = "AR AU BR CA CH CN DE EG ES FR GB IN IT JP KE KR MA MX NG PL SA TR US ZA".split(" ");

/** The languages that authors write here. */
export type AuthorLanguage = keyof typeof AUTHORS;

/** All is required, so that an empty page has an error at each question; and a second page. @param image an image that the workspace has */
export function everyType(language: AuthorLanguage, image: { id: string }) {
  const { title, description, terms, prompts, ends, drinks, fruit, often, seen, picture }: Author = AUTHORS[language];
  const asked = (key: Key, type: string, more: object = {}) => ({
    ...{ key, _type: `Screener${type}Question`, prompt: prompts[key], required: true },
    ...more,
  });
  const items = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const options = items(drinks);
  const names = new Intl.DisplayNames(language, { type: "region" });
  const countries = COUNTRIES.map((code) => names.of(code)!);
  return {
    language,
    markup: "MARKDOWN",
    pages: [
      {
        title,
        description,
        questions: [
          asked("agreed", "Consent", { text: terms, version: "1" }),
          asked("born", "Date", { min: "1920-01-31", max: "2020-12-31" }),
          asked("moved", "Date", { precision: "MONTH" }),
          asked("age", "Numeric", { min: 1, max: 40, wholeNumber: true }),
          asked("sleep", "Scale", { from: 1, to: 5, lowLabel: ends[0], highLabel: ends[1] }),
          asked("bed", "Scale", { look: "STARS" }),
          asked("friend", "Scale", { look: "NPS" }),
          { _type: "ScreenerStatement", text: seen, image: { id: image.id, alternativeText: picture } },
          { _type: "ScreenerStatement", text: null },
          asked("drink", "SingleSelect", { options, allowsWriteIn: true }),
          asked("several", "MultiSelect", { options, minChoices: 2 }),
          asked("town", "SingleSelect", { options: items(["1", "2"]), display: "MENU" }),
          asked("country", "SingleSelect", { options: items(countries), display: "MENU", allowsWriteIn: true }),
          asked("fruit", "Ranking", { options: items(fruit), rankAtMost: 2 }),
          asked("often", "Matrix", { rows: options, columns: items(often), requireEachRow: true }),
          asked("mail", "Text", { format: "EMAIL" }),
          asked("day", "Text", { multiline: true, minLength: 5, maxLength: 500 }),
        ],
      },
      { title: "2", questions: [{ _type: "ScreenerTextQuestion", prompt: "2" }] },
    ],
  };
}
