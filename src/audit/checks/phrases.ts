/** Words that tell something in several languages. */
import { wordsOf } from '../facts/text/words.ts';

/** Link texts that say nothing about where they lead, by language. */
export const EMPTY_LINK_TEXTS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set([
    'click here',
    'click this',
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
  de: new Set(['klicke hier', 'hier klicken', 'hier', 'mehr', 'siehe', 'dies', 'das', 'weiterlesen']),
  es: new Set(
    'click aquí,click aqui,clicka aquí,clicka aqui,pincha aquí,pincha aqui,aquí,aqui,más,mas,más información,más informacion,mas información,mas informacion,este,enlace,este enlace,empezar'.split(
      ',',
    ),
  ),
  pt: new Set(['clique aqui', 'ir', 'mais', 'mais informação', 'mais informações', 'veja mais']),
  sv: new Set(['här', 'klicka här', 'läs mer', 'mer', 'mer info', 'mer information']),
  ja: new Set(['ここをクリック', 'こちらをクリック', 'リンク', '続きを読む', '続く', '全文表示']),
  ko: new Set(['계속', '링크', '여기', '여기를 클릭', '이동', '자세히', '자세히 보기', '전체 보기', '클릭']),
  ta: new Set('அடுத்த பக்கம்,மறுபக்கம்,முந்தைய பக்கம்,முன்பக்கம்,மேலும் அறிக,மேலும் தகவலுக்கு,மேலும் தரவுகளுக்கு,தயவுசெய்து இங்கே அழுத்தவும்,இங்கே கிளிக் செய்யவும்'.split(',')),
  fa: new Set('اطلاعات بیشتر,اطلاعات,این,اینجا بزنید,اینجا کلیک کنید,اینجا,برو,بیشتر بخوانید,بیشتر بدانید,بیشتر,شروع'.split(',')),
};

/** Titles and headings of error pages. */
export const NOT_FOUND =
  /\b404\b|\bnot found\b|\b(?:page|site) (?:does not|doesn['’]t) exist|\bno longer (?:exists|available)\b|nicht gefunden|existiert nicht|page introuvable|n['’]existe pas|no encontrad[ao]|non trovata|não encontrada|niet gevonden|hittades inte|nie znaleziono|见つかりません|見つかりません|找不到/i;

/** Titles that a tool wrote, not a person. */
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

/** Left over from a template: text that was to be replaced. In running text a page may well speak of template marks, so only filler counts there. */
export const PLACEHOLDER = /\b[Ll]orem [Ii]psum\b|\bTODO:|\[[Ii]nsert [^\]]{1,60}\]|\{\{[^{}]{1,80}\}\}/;

/** Paths and link texts of pages that are short by nature. */
export const SHORT_BY_NATURE =
  /contact|kontakt|contacto|contatti|login|log-in|signin|sign-in|signup|register|anmelden|cart|basket|checkout|warenkorb|panier|legal|imprint|impressum|privacy|datenschutz|terms|agb|cookie|search|suche|tag\/|tags\/|category|categories|kategorie|archive|page\/\d|author\/|sitemap|account|thank|copyright|licen[cs]e/i;

export const CONTACT_PAGE =
  /contact|kontakt|contacto|contatt|about|über|ueber-uns|a-propos|à propos|acerca|chi-siamo|impressum|imprint|legal-notice|mentions-legales|aviso-legal/i;

const STOP_WORDS: ReadonlySet<string> = new Set(
  'the and for are you our all any can how its not now out who why was one with from this that your have will what when where which their into over more than them they been were also each only some such very der die das und für mit von den les des pour avec una con los las por para'.split(
    ' ',
  ),
);

/** Words of three and more letters that carry meaning; of scripts without spaces, every letter. */
export function meaningfulWords(text: string): string[] {
  return wordsOf(text, 100).filter((word) => !STOP_WORDS.has(word) && (word.length >= 3 || /[\u0e00-\u0eff\u3040-\u9fff]/.test(word)));
}

/** Compared as a person would: case, white space and punctuation around do not count. */
export function normalText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();
}
