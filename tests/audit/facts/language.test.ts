import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isIdentifiable, languageOf } from '../../../src/audit/facts/text/language.ts';
import { STOP_WORDS } from '../../../src/audit/facts/text/stopWords.ts';
import { wordsOf } from '../../../src/audit/facts/text/words.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  en: 'The clay that we use comes from a pit which is not far from the village, and it has to rest for a month.',
  de: 'Der Ton, den wir verwenden, kommt aus einer Grube, die nicht weit vom Dorf liegt, und er muss einen Monat ruhen.',
  fr: "L'argile que nous utilisons vient d'une carrière qui n'est pas loin du village, et elle doit reposer pendant un mois.",
  es: 'La arcilla que usamos viene de una cantera que no está lejos del pueblo, y tiene que reposar durante un mes.',
  it: "L'argilla che usiamo viene da una cava che non è lontana dal paese, e deve riposare per un mese.",
  pt: 'O barro que nós usamos vem de uma pedreira que não é longe da aldeia, e ele tem de repousar durante um mês.',
  nl: 'De klei die wij gebruiken komt uit een groeve die niet ver van het dorp ligt, en hij moet een maand rusten.',
  sv: 'Leran som vi använder kommer från en grop som inte är långt från byn, och den måste vila i en månad.',
  da: 'Leret som vi bruger kommer fra en grav, der ikke er langt fra landsbyen, og det skal hvile i en måned efter det.',
  no: 'Leiren som vi bruker kommer fra en grop som ikke er langt fra landsbyen, og den må hvile i en måned etter det.',
  fi: 'Savi, jota me käytämme, on kuopasta, joka ei ole kaukana kylästä, ja sen on levättävä kuukauden ajan, niin se on hyvä.',
  pl: 'Glina, której używamy, pochodzi z dołu, który nie jest daleko od wsi, i musi ona odpocząć przez miesiąc.',
  cs: 'Hlína, kterou používáme, je z jámy, která není daleko od vesnice, a musí odpočívat po dobu jednoho měsíce.',
  hu: 'Az agyag, amit használunk, egy gödörből van, amely nem messze van a falutól, és egy hónapig kell pihennie.',
  ro: 'Lutul pe care îl folosim este dintr-o groapă care nu este departe de sat, și trebuie să stea o lună.',
  tr: 'Bizim için çok iyi olan bu kil, köye yakın bir ocak ve bir de dere için gibi değil, daha çok bir ay olarak kalır.',
  ru: 'Глина, которую мы берём, из ямы, которая не так далеко от деревни, и она должна лежать ещё месяц.',
  uk: 'Глина, яку ми беремо, з ями, яка не так далеко від села, і вона має лежати ще місяць.',
  bg: 'Глината, която ние ползваме, е от яма, която не е далеч от селото, и тя трябва да почива един месец.',
  ja: '私たちが使う土は、村から遠くない場所で取れたもので、ひと月休ませなければなりません。',
  zh: '我们使用的陶土来自离村子不远的地方，必须放置一个月才能使用。',
  ko: '우리가 쓰는 흙은 마을에서 멀지 않은 곳에서 나며 한 달 동안 쉬어야 합니다.',
  el: 'Ο πηλός που χρησιμοποιούμε έρχεται από ένα λάκκο που δεν είναι μακριά από το χωριό.',
  he: 'החימר שאנחנו משתמשים בו מגיע מבור שאינו רחוק מהכפר והוא צריך לנוח חודש.',
  th: 'ดินที่เราใช้มาจากหลุมที่ไม่ไกลจากหมู่บ้านและต้องพักไว้หนึ่งเดือน',
};

const words = (text: string): string[] => wordsOf(text, 4000);
const long = (code: string): string[] => words(`${SENTENCES[code]} `.repeat(12));

describe('detecting languages by common words and scripts', () => {
  test('every language has its sample', () => {
    expect(Object.keys(STOP_WORDS).filter((code) => SENTENCES[code] === undefined)).toEqual([]);
    expect(Object.keys(SENTENCES).filter((code) => !isIdentifiable(code))).toEqual([]);
  });

  test.each(Object.keys(SENTENCES))('%s', (code) => {
    expect(languageOf(long(code))).toMatchObject({ code });
    expect(languageOf(long(code))?.probability).toBeGreaterThanOrEqual(0.6);
  });

  test('no text is mistaken for another language with certainty', () => {
    const wrong = Object.keys(SENTENCES).filter((code) => {
      const received = languageOf(long(code));
      return received !== null && received.code !== code && received.probability >= 0.9;
    });
    expect(wrong).toEqual([]);
  });

  test('short texts, no language and alternating languages are uncertain', () => {
    expect(languageOf(long('en').slice(0, 99))).toBeNull();
    expect(languageOf(words('kadabra simsala bim '.repeat(80)))).toBeNull();
    expect(languageOf(words('مرحبا بكم في موقعنا '.repeat(80)))).toBeNull();
    expect(languageOf([...long('en'), ...long('de')])?.probability).toBeLessThan(0.9);
  });

  test('any words give a probability or nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 400 }), (texts) => {
        const received = languageOf(texts);
        expect(
          received === null || (isIdentifiable(received.code) && received.probability > 0 && received.probability <= 1),
        ).toBe(true);
      }),
      { seed: 4711 },
    );
  });
});
