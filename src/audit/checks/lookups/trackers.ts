/** Analytics and tracking tags visible in the HTML, and consent tools. */
import type { PageFacts } from '../../facts/pageFacts.ts';

const LOADER_FILE = /^https?:\/\/[^/]+\/(?:gtag\/js|gtm\.js)\?[^#]{0,200}?\bid=((?:G|GTM|UA)-[A-Z0-9-]{4,20})/i;
const GTM_SNIPPET = /gtm\.js\?id=[\s\S]{0,400}?['"](GTM-[A-Z0-9]{4,12})['"]/;
const ANY_ID = /['"]((?:G|GTM|UA)-[A-Z0-9]{4,12}(?:-\d{1,4})?)['"]/g;

/** `loads`: loads the tag's script, rather than only using it. */
export type TagUse = { readonly id: string; readonly loads: boolean; readonly selector: string };

export function loadersOf({ resources, inlineScripts }: PageFacts): readonly TagUse[] {
  const files = resources.flatMap(({ kind, url, selector }) => {
    const id = kind === 'script' ? LOADER_FILE.exec(url)?.[1] : undefined;
    return id === undefined ? [] : [{ id: id.toUpperCase(), loads: true, selector }];
  });
  const inline = inlineScripts.flatMap(({ text, selector }) => {
    const loaded = GTM_SNIPPET.exec(text)?.[1];
    return [...new Set([...text.matchAll(ANY_ID)].map((match) => match[1] as string))].map((id) => ({
      id,
      loads: id === loaded,
      selector,
    }));
  });
  return [...files, ...inline];
}

const TRACKERS: readonly (readonly [name: string, file: RegExp, code: RegExp])[] = [
  ['Google Tag Manager', /googletagmanager\.com\/gtm\.js/i, /googletagmanager\.com\/gtm\.js/],
  [
    'Google Analytics',
    /googletagmanager\.com\/gtag\/js|google-analytics\.com\//i,
    /\bgtag\(\s*['"]config['"]|google-analytics\.com\//,
  ],
  ['Meta Pixel', /connect\.facebook\.net\/[^/]{1,20}\/fbevents\.js/i, /\bfbq\(\s*['"]init['"]/],
  ['Hotjar', /static\.hotjar\.com\//i, /static\.hotjar\.com\//],
];

export function trackerOn({
  resources,
  inlineScripts,
}: PageFacts): { readonly name: string; readonly selector: string } | null {
  for (const [name, file, code] of TRACKERS) {
    const found =
      resources.find(({ kind, url }) => kind === 'script' && file.test(url)) ??
      inlineScripts.find(({ text }) => code.test(text));
    if (found !== undefined) return { name, selector: found.selector };
  }
  return null;
}

const CONSENT_FILE =
  /cookiebot|onetrust|cookielaw\.org|optanon|usercentrics|didomi|iubenda|cookieyes|cookie-law-info|termly|complianz|borlabs|klaro|osano|trustarc|consentmanager|cookie-script|cookiefirst|tarteaucitron|axeptio|sourcepoint|sp-prod\.net|quantcast|cookieconsent|cookie-consent|cookiehub|civiccomputing|privacy-center|fundingchoicesmessages/i;
const CONSENT_CODE =
  /\bgtag\(\s*['"]consent['"]\s*,\s*['"]default['"]|__tcfapi|cookieconsent|CookieConsent|Cookiebot|OneTrust|tarteaucitron|klaro|didomi/;

export function hasConsentTool({ resources, inlineScripts }: PageFacts): boolean {
  return (
    resources.some(({ kind, url }) => (kind === 'script' || kind === 'stylesheet') && CONSENT_FILE.test(url)) ||
    inlineScripts.some(({ text }) => CONSENT_CODE.test(text))
  );
}
