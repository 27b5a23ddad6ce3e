/** Ways to reach whoever is behind a page, as its text shows them. Pure; the cost grows with the text. */

const MOST = 50_000;
const SHOWN = 80;

const EMAIL_NAME = /[\w.+-]{1,64}$/;
const EMAIL_HOST = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.[a-z]{2,20}\b/i;
const LONGEST_EMAIL = 400;

/** Seven digits or more, as people group them. */
const NUMBER = /\d(?:[\s()./-]{0,3}\d){6,14}(?!\d)/g;
/** A number that begins like one from abroad, or in parentheses, is one to call. */
const DIALED = /(?:\+|\b00|\(0|\+\d{1,3}\s?\()$/;
/** Before any other: dates, prices and article numbers look the same. */
const LABEL =
  /(?:\b(?:tel|phone|telephone|call|fon|telefon|t[ée]l[ée]phone|tel[ée]fono|telefone|tlf|tfn|puh|gsm|mobile?|mobil|handy|hotline|fax|whatsapp|sms)|тел|телефон|τηλ|電話|电话|전화|هاتف|جوال|טלפון|โทร|फ़ोन|điện thoại|☎|📞)[\s.:)(]{0,4}$/iu;
const BEFORE = 24;

/** The first email address, or number to call; null if there is none. */
export function contactIn(text: string): string | null {
  const read = text.slice(0, MOST);
  return emailIn(read) ?? numberIn(read);
}

function emailIn(text: string): string | null {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = EMAIL_NAME.exec(text.slice(Math.max(0, at - 64), at))?.[0];
    const host = name && EMAIL_HOST.exec(text.slice(at + 1, at + LONGEST_EMAIL))?.[0];
    if (host) return `${name}@${host}`.slice(0, SHOWN);
  }
  return null;
}

function numberIn(text: string): string | null {
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    const before = text.slice(Math.max(0, index - BEFORE), index);
    if (DIALED.test(before) || number.startsWith('00') || LABEL.test(before)) return number.slice(0, SHOWN);
  }
  return null;
}
