/** Counts meaningful numbers: with a unit, a currency or a percent sign, and years. One pass. */
const NUMBER = /\d+(?:[.,]\d+)*/g;
const UNIT =
  /^\s?(?:%|‰|€|\$|£|¥|₹|°|percent\b|per cent\b|prozent\b|procent\b|pour ?cent\b|por ?cien?to\b|eur\b|usd\b|gbp\b|chf\b|dollars?\b|euros?\b|million|milliard|billion|mio\b|mrd\b|thousand|tausend|mille\b|mil\b|[kmgt]i?b\b|[kcmµn]?m[²³23]?\b|km\/h\b|mph\b|[kmµ]?g\b|lbs?\b|oz\b|inch|feet\b|ft\b|miles?\b|[cmd]?l\b|litres?\b|liters?\b|tons?\b|tonnes?\b|[kmg]?hz\b|[km]?wh?\b|volts?\b|px\b|dpi\b|ms\b|s\b|sec|min|hours?\b|h\b|days?\b|weeks?\b|months?\b|years?\b|sekunden?\b|stunden?\b|tagen?\b|wochen?\b|monaten?\b|jahren?\b|heures?\b|jours?\b|semaines?\b|mois\b|ans?\b|horas?\b|días?\b|años?\b|giorni\b|anni\b|x\b|times\b|people\b|users?\b|customers?\b)/i;

export function figuresIn(text: string): number {
  let figures = 0;
  NUMBER.lastIndex = 0;
  for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
    const before = text.charCodeAt(match.index - 1);
    const end = match.index + match[0].length;
    if (isCurrency(before) || isYear(match[0]) || UNIT.test(text.slice(end, end + 12))) figures += 1;
  }
  return figures;
}

function isCurrency(code: number): boolean {
  return code === 0x24 || code === 0xa3 || code === 0xa5 || code === 0x20ac || code === 0x20b9;
}

function isYear(number: string): boolean {
  return number.length === 4 && /^(?:1[5-9]|20)\d\d$/.test(number);
}
