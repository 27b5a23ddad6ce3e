/** Pages that ask for proof of being human are told from pages of the site, and from plain refusals. */
import { describe, expect, it } from 'vitest';
import { isChallenge } from '../../../src/audit/crawl/challenge.ts';

type Given = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly html?: string };

const answer = ({ status = 200, headers = {}, html = '' }: Given) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  body: new TextEncoder().encode(html),
});
const page = (title: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><title>${title}</title><script>var x = "words in a script do not count";</script></head><body>${body}</body></html>`;
const ARTICLE = 'How we defend a shop against robots without locking out people who only want to buy tea. '.repeat(8);

describe('a challenge', () => {
  it.each<[string, Given]>([
    ['Cloudflare, by its header', { status: 403, headers: { 'cf-mitigated': 'challenge' } }],
    [
      'Cloudflare, by its page',
      {
        status: 503,
        html: page('Just a moment...', '<noscript>Enable JavaScript</noscript><script>window._cf_chl_opt={}</script>'),
      },
    ],
    [
      'Cloudflare, its block page',
      { status: 403, html: page('Attention Required! | Cloudflare', '<h1>Sorry, you have been blocked</h1>') },
    ],
    ['DataDome', { status: 403, headers: { 'x-datadome': 'protected' } }],
    [
      'DataDome, by its page',
      { status: 403, html: page('shop.example', '<script src="https://ct.captcha-delivery.com/c.js"></script>') },
    ],
    [
      'Imperva, with HTTP 200',
      {
        html: '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body><iframe src="/_Incapsula_Resource?CWUDNSAI=1">Request unsuccessful. Incapsula incident ID: 1-2</iframe></body></html>',
      },
    ],
    [
      'Imperva, its script alone',
      { html: '<html><head><script src="/_Incapsula_Resource?SWJIYLWA=1"></script></head><body></body></html>' },
    ],
    ['Akamai', { html: '<html><body><div id="sec-if-cpt-container"></div></body></html>' }],
    ['HUMAN', { status: 403, html: page('Access to this page has been denied', '<div id="px-captcha"></div>') }],
    ['AWS', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }],
    ['AWS, by its page', { status: 405, html: page('', '<script>window.gokuProps = {};</script>') }],
    ['Sucuri', { html: '<html><script>sucuri_cloudproxy_js="";</script></html>' }],
  ])('of %s is recognized', (_, given) => {
    expect(isChallenge(answer(given))).toBe(true);
  });
});

describe('no challenge', () => {
  it.each<[string, Given]>([
    ['an empty answer', {}],
    ['a page', { html: page('Tea', `<main>${ARTICLE}</main>`) }],
    ['an article about challenges', { html: page('Just a moment: captcha and challenge', `<p>${ARTICLE}</p>`) }],
    [
      'a page that Cloudflare let through',
      { html: page('Tea', `<p>${ARTICLE}</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`) },
    ],
    ['a page that DataDome let through', { headers: { 'x-datadome': 'protected' }, html: page('Tea', '<p>Tea</p>') }],
    ['a missing page of a site with DataDome', { status: 404, headers: { 'x-datadome': 'protected' } }],
    [
      'an app with the tag of HUMAN',
      { html: page('App', '<div id="root"></div><script>window._pxAppId="x"</script>') },
    ],
    [
      'an app behind Imperva',
      { html: page('App', '<div id="root"></div><script src="/_Incapsula_Resource?SWJIYLWA=1"></script>') },
    ],
    ['a plain refusal', { status: 403, html: page('403 Forbidden', '<h1>Forbidden</h1>') }],
    ['a site that is down', { status: 503, html: page('Down for maintenance', '<h1>Back soon</h1>') }],
    ['a text about it', { html: 'User-agent: *\nDisallow: /captcha-delivery.com' }],
    [
      'a large page',
      { html: page('Just a moment...', `<script>window._cf_chl_opt={};${'x'.repeat(20_000)}</script>`) },
    ],
  ])('is %s', (_, given) => {
    expect(isChallenge(answer(given))).toBe(false);
  });
});
