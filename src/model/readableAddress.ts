/** Human-readable addresses: hosts without Punycode, paths without percent-encoding, unless that could be deceptive. */

/** `xn--bcher-kva.example` becomes `bücher.example`. A label that mixes look-alike alphabets is left unchanged. */
export function readableHost(host: string): string {
  return host.includes('xn--')
    ? host.replaceAll(/(?<=^|\.)xn--([a-z0-9-]+)/g, (label, coded: string) => shownLabel(coded) ?? label)
    : host;
}

/**
 * `/stra%C3%9Fe` becomes `/straße`, anywhere in a text. Only letters, digits, and emoji are decoded: look-alike and
 * invisible characters stay encoded.
 */
export function readableText(text: string): string {
  return text.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (coded) => {
    try {
      return decodeURIComponent(coded).replaceAll(/[^\p{L}\p{M}\p{N}\p{Emoji_Presentation}]+/gu, encodeURIComponent);
    } catch {
      return coded;
    }
  });
}

/** Applies both to a complete web address, which still leads to the same page. */
export function readableAddress(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  return scheme === '' ? url : scheme + readableHost(host) + readableText(rest);
}

function shownLabel(coded: string): string | null {
  const label = fromPunycode(coded);
  if (label === null || !/^[\p{L}\p{M}\p{Nd}-]+$/u.test(label)) return null;
  const mixed = /\p{Script=Latin}/u.test(label) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(label);
  return mixed ? null : label;
}

/** Of a domain name: RFC 1035. */
const LONGEST_LABEL = 63;

/** RFC 3492, section 6.2; null if invalid. */
function fromPunycode(coded: string): string | null {
  if (coded.length > LONGEST_LABEL) return null;
  const plainEnd = coded.lastIndexOf('-');
  const points = [...coded.slice(0, Math.max(plainEnd, 0))].map((sign) => sign.charCodeAt(0));
  let [point, at, bias] = [128, 0, 72];
  for (let next = plainEnd + 1; next < coded.length; ) {
    const before = at;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = Number.parseInt(coded[next++] ?? '', 36);
      if (Number.isNaN(digit)) return null;
      // Letters are 0 to 25, digits 26 to 35: the reverse of base 36.
      const value = digit < 10 ? digit + 26 : digit - 10;
      at += value * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = points.length + 1;
    bias = adapted(at - before, length, before === 0);
    point += Math.floor(at / length);
    at %= length;
    if (point > 0x10ffff) return null;
    points.splice(at++, 0, point);
  }
  return String.fromCodePoint(...points);
}

function adapted(distance: number, length: number, first: boolean): number {
  let delta = Math.floor(distance / (first ? 700 : 2));
  delta += Math.floor(delta / length);
  let bias = 0;
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
  return bias + Math.floor((36 * delta) / (delta + 38));
}
