/** Words and phrases with a meaning to the checks, in several languages. */
import { wordsOf } from '../facts/text/words.ts';

/** Link texts that do not say where they lead, by language. */
export const EMPTY_LINK_TEXTS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set([
    'click here',
    'click this',
    'continue reading',
    'go',
    'here',
    'information',
    'learn more',
    'more',
    'more info',
    'more information',
    'read more',
    'right here',
    'see more',
    'start',
    'this',
  ]),
  de: new Set(
    'klicke hier,klicken sie hier,hier klicken,hier,mehr,mehr erfahren,mehr lesen,mehr dazu,mehr infos,mehr informationen,siehe,dies,das,weiterlesen'.split(
      ',',
    ),
  ),
  fr: new Set(
    "cliquez ici,cliquer ici,clique ici,ici,plus,plus d'infos,plus d'informations,en savoir plus,lire la suite,lire plus,voir plus,la suite".split(
      ',',
    ),
  ),
  it: new Set(
    'clicca qui,qui,leggi di più,leggi tutto,per saperne di più,scopri di più,maggiori informazioni,continua,continua a leggere'.split(
      ',',
    ),
  ),
  nl: new Set('klik hier,hier,lees meer,lees verder,meer,meer info,meer informatie,meer lezen'.split(',')),
  pl: new Set(
    'kliknij tutaj,tutaj,tu,więcej,więcej informacji,czytaj więcej,czytaj dalej,dowiedz się więcej'.split(','),
  ),
  es: new Set(
    'click aquí,click aqui,clicka aquí,clicka aqui,pincha aquí,pincha aqui,aquí,aqui,más,mas,más información,más informacion,mas información,mas informacion,leer más,leer mas,saber más,ver más,seguir leyendo,haz clic aquí,haz clic aqui,haz click aquí,haz click aqui,haga clic aquí,haga clic aqui,haga click aquí,haga click aqui,pulse aquí,pulse aqui,pulsa aquí,pulsa aqui,este,enlace,este enlace,empezar'.split(
      ',',
    ),
  ),
  pt: new Set([
    'clique aqui',
    'ir',
    'leia mais',
    'ler mais',
    'saiba mais',
    'saber mais',
    'mais',
    'mais informação',
    'mais informações',
    'veja mais',
  ]),
  sv: new Set(['här', 'klicka här', 'läs mer', 'mer', 'mer info', 'mer information']),
  ja: new Set(['ここをクリック', 'こちらをクリック', 'リンク', '続きを読む', '続く', '全文表示']),
  ko: new Set(['계속', '링크', '여기', '여기를 클릭', '이동', '자세히', '자세히 보기', '전체 보기', '클릭']),
  ta: new Set(
    'அடுத்த பக்கம்,மறுபக்கம்,முந்தைய பக்கம்,முன்பக்கம்,மேலும் அறிக,மேலும் தகவலுக்கு,மேலும் தரவுகளுக்கு,தயவுசெய்து இங்கே அழுத்தவும்,இங்கே கிளிக் செய்யவும்'.split(
      ',',
    ),
  ),
  fa: new Set(
    'اطلاعات بیشتر,اطلاعات,این,اینجا بزنید,اینجا کلیک کنید,اینجا,برو,بیشتر بخوانید,بیشتر بدانید,بیشتر,شروع'.split(','),
  ),
};

/** What titles and headings of error pages say; articles about errors say it, too. */
export const NOT_FOUND =
  /\b404\b|\bnot (?:be )?found\b|\b(?:page|site) (?:does not|doesn['’]t) exist|\bno longer (?:exists|available)\b|nicht gefunden|existiert nicht|page introuvable|n['’]existe pas|no encontrad[ao]|non trovata|não encontrada|niet gevonden|hittades inte|nie znaleziono|见つかりません|見つかりません|找不到/i;

/** What a list says that has no entries, by language: `No products were found matching your selection.` */
export const NOTHING_LISTED: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])no (?:products?|items?|results?|posts?|articles?|entries|listings|matches) (?:were |was |are |is |have been )?(?:found|available|match(?:ed|ing)?)(?! to (?:be|have))(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:there are|we have) (?:currently )?no (?:products|items|results|posts|articles|entries)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:nothing|0 (?:products|items|results)) found(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:this|the) (?:category|collection|list) is (?:currently )?empty(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:es wurden )?(?:leider )?keine (?:passenden )?(?:produkte|artikel|ergebnisse|treffer|beiträge|einträge) (?:gefunden|vorhanden|verfügbar)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])aucun (?:produit|résultat|article) (?:(?:n[’']a été |ne correspond)|trouvé|disponible)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])no se (?:han encontrado|encontraron|encontró) (?:productos?|resultados?|artículos?|ningún producto)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:nessun|non ci sono) (?:prodotto|prodotti|risultato|risultati|articolo|articoli)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])geen (?:producten|resultaten|artikelen) (?:gevonden|beschikbaar)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:nenhum|não foram encontrados) (?:produto|produtos|resultado|resultados|artigo)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])inga (?:produkter|resultat|artiklar) hittades(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:nie znaleziono|brak) (?:produktów|wyników|artykułów)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:товар(?:ы|ов) не найден[оы]|ничего не найдено)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])ürün bulunamadı(?![\p{L}\p{N}])/iu,
  /(?:商品|記事|結果)(?:は|が)(?:見つかりません|ありません)/iu,
  /(?:没有找到|暂无)(?:相关|任何)?(?:商品|产品|结果|文章)/iu,
  /(?:상품|결과|게시물)이 없습니다/iu,
];

/** The words of error pages; a text with any other word is about something. */
const ERROR_PAGE_WORDS: ReadonlySet<string> = new Set(
  (
    'oops whoops uh oh hmm ouch sorry error errors http status code 404 page pages site website web url link address file document ' +
    'resource content product item post article entry category listing the this that a an your you are you’re were is isn’t was wasn’t be been requested looking ' +
    'for we we’re our us could couldn’t can can’t cannot find found not no longer exist exists doesn’t does available unavailable nothing here ' +
    'there it it’s and or has have may might moved removed deleted missing on server anymore unfortunately ' +
    'seite die diese der dieser das dieses den inhalt artikel produkt beitrag angeforderte gesuchte gewünschte wurde konnte leider nicht gefunden ' +
    'werden existiert mehr fehler ups hoppla auf server tut uns leid ' +
    'la le cette votre erreur introuvable demandée recherchée vous n’existe n’existe pas plus désolé trouvée n’a été ' +
    'página pagina não no nao encontrada encontrado error erro errore lo sentimos el esta que buscas busca non trovata esiste ' +
    'niet gevonden deze de fout helaas sidan hittades inte kunde strona nie znaleziono została błąd'
  ).split(' '),
);

/** Whether a text that mentions an error has no other topic. */
export function hasOnlyErrorWords(text: string): boolean {
  if (text.length > 150) return false;
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(text)) return /404|ページ|页|頁/.test(text) || text.length <= 12;
  return wordsIn(text).every((word) => ERROR_PAGE_WORDS.has(word));
}

/** Whether a title or heading is that of an error page: it says so, and nothing else. 404 alone may be a name. */
export function isErrorHeading(text: string): boolean {
  return NOT_FOUND.test(text) && hasOnlyErrorWords(text) && wordsIn(text).some((word) => word !== '404');
}

function wordsIn(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("'", '’')
      .match(/[\p{L}\p{N}’]+/gu) ?? []
  );
}

/** Titles generated by a tool rather than written by a person. */
export const DEFAULT_TITLES: readonly string[] = [
  'home',
  'homepage',
  'home page',
  'untitled',
  'untitled document',
  'untitled page',
  'index',
  'document',
  'new page',
  'page title',
  'title',
  'react app',
  'vite app',
  'vite + react',
  'vite + react + ts',
  'vite + vue',
  'create next app',
  'wordpress',
  'just another wordpress site',
  'welcome',
  'welcome to nginx!',
  'startseite',
  'accueil',
  'inicio',
];

/**
 * Template filler left on the page. Running text may well discuss template syntax, so only placeholder text counts
 * there.
 */
export const PLACEHOLDER = /\b[Ll]orem [Ii]psum\b|\bTODO:|\[[Ii]nsert [^\]]{1,60}\]|\{\{[^{}]{1,80}\}\}/;

/** Paths and link texts of pages that are naturally short. */
export const SHORT_BY_NATURE =
  /contact|kontakt|contacto|contatti|login|log-in|signin|sign-in|signup|register|anmelden|cart|basket|checkout|warenkorb|panier|legal|imprint|impressum|privacy|datenschutz|terms|agb|cookie|search|suche|tag\/|tags\/|category|categories|kategorie|archive|page\/\d|author\/|sitemap|account|thank|copyright|licen[cs]e/i;

/** Pages that say who is behind a site and how to reach them, by address or by the name of a link. */
export const CONTACT_PAGE =
  /contact|kontakt|contatt|contato|kapcsolat|about|über|ueber[ -]uns|[àa][ -]propos|qui sommes|acerca|qui[ée]nes somos|sobre n[oó]s|chi[ -]siamo|impress?um|impresszum|imprint|legal[ -]notice|mentions[ -]l[ée]gales|aviso[ -]legal|aviso[ -]jur[ií]dico|note[ -]legali|colofon|over ons|om os|yhteys|yhteyttä|tietoa meistä|rólunk|o n[aá]s\b|despre noi|[iİ]leti[sş]im|hakk[ıi]m[ıi]zda|liên hệ|hubungi|tentang kami|контакт|о нас|о компании|про нас|зв.?яз|за нас|επικοινων|お問い?合わせ|会社概要|会社情報|運営者|特定商取引|联系我们|联系方式|关于我们|聯絡我們|關於我們|문의|연락처|회사 ?소개|اتصل|تواصل|من نحن|צור קשר|צרו קשר|יצירת קשר|אודות|संपर्क|ติดต่อ/i;

const STOP_WORDS: ReadonlySet<string> = new Set(
  'the and for are you our all any can how its not now out who why was one with from this that your have will what when where which their into over more than them they been were also each only some such very der die das und für mit von den les des pour avec una con los las por para'.split(
    ' ',
  ),
);

/** Words of three or more letters that carry meaning; in unspaced scripts, every letter. */
export function meaningfulWords(text: string): string[] {
  return wordsOf(text, 100).filter(
    (word) => !STOP_WORDS.has(word) && (word.length >= 3 || /[\u0e00-\u0eff\u3040-\u9fff]/.test(word)),
  );
}

/** Normalizes text for comparison as a person would: case, white space and surrounding punctuation do not count. */
export function normalText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
}
