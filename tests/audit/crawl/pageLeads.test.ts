import { describe, expect, test } from 'vitest';
import { canonicalOf, leadsOf } from '../../../src/audit/crawl/pageLeads.ts';
import { givenPage } from '../../given/audit/page.ts';

type Headers = Readonly<Record<string, string | readonly string[]>>;

const SITE = 'https://example.com';

function read(head: string, headers: Headers = {}): Parameters<typeof canonicalOf> {
  const page = givenPage({
    url: '/dir/page',
    html: `<!doctype html><html><head><title>t</title>${head}</head><body><a href="/linked">l</a></body></html>`,
    headers,
  });
  if (!page.facts) throw new Error('no facts');
  return [page.facts, page.outcome];
}
const leads = (head: string, headers: Headers = {}): string[] =>
  leadsOf(...read(head, headers), 'TestBot').map((url) => url.replace(SITE, ''));
const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;
const refresh = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;

describe('following the links of a page', () => {
  test.each<[string, string, Headers]>([
    ['nothing said', '', {}],
    ['index and follow', meta('robots', 'index, follow'), {}],
    ['noindex alone', meta('robots', 'noindex'), {}],
    ['nofollow for another crawler', meta('otherbot', 'nofollow'), {}],
    ['a word that only contains it', meta('robots', 'donofollowme'), {}],
    ['a description that says so', meta('description', 'nofollow'), {}],
    ['noindex in the header', '', { 'x-robots-tag': 'noindex' }],
    ['nofollow for another crawler in the header', '', { 'x-robots-tag': 'otherbot: nofollow' }],
    ['for another crawler, behind a comma', '', { 'x-robots-tag': 'otherbot: noindex, nofollow' }],
    ['limits with colons', '', { 'x-robots-tag': 'max-snippet:-1, max-image-preview:large' }],
    ['a date with colons', '', { 'x-robots-tag': 'unavailable_after: Wed, 25 Jun 2036 15:00:00 GMT' }],
  ])('%s: yes', (_what, head, headers) => {
    expect(leads(head, headers)).toContain('/linked');
  });

  test.each<[string, string, Headers]>([
    ['nofollow', meta('robots', 'nofollow'), {}],
    ['none', meta('robots', 'none'), {}],
    ['in capitals', meta('ROBOTS', 'NoIndex,NOFOLLOW'), {}],
    ['this crawler alone', meta('TestBot', 'nofollow'), {}],
    ['this crawler, though others may', `${meta('robots', 'follow')}${meta('testbot', 'nofollow')}`, {}],
    ['everyone, though this crawler may', `${meta('robots', 'nofollow')}${meta('testbot', 'follow')}`, {}],
    ['one of several metas', `${meta('robots', 'index')}${meta('robots', 'nofollow')}`, {}],
    ['a header', '', { 'x-robots-tag': 'nofollow' }],
    ['a header for this crawler', '', { 'x-robots-tag': 'testbot: noindex, nofollow' }],
    ['one of several headers', '', { 'x-robots-tag': ['otherbot: noindex', 'none'] }],
    ['a header for one, then for this crawler', '', { 'x-robots-tag': 'otherbot: index, testbot: nofollow' }],
    ['a header behind a date', '', { 'x-robots-tag': 'unavailable_after: Wed, 25 Jun 2036 15:00:00 GMT, nofollow' }],
  ])('%s: no', (_what, head, headers) => {
    expect(leads(head, headers)).not.toContain('/linked');
  });
});

describe('other targets of a page', () => {
  test.each<[string, string, Headers, string[]]>([
    ['canonical', '<link rel="canonical" href="other">', {}, ['/dir/other']],
    ['language versions', '<link rel="alternate" hreflang="de" href="/de">', {}, ['/de']],
    ['base', '<base href="/base/"><link rel="canonical" href="other">', {}, ['/base/other']],
    ['a canonical in the header', '', { link: '</other>; rel="canonical"' }, ['/other']],
    [
      'language versions in the header',
      '',
      { link: '<https://example.com/de>; rel="alternate"; hreflang="de", </fr>; rel=alternate; hreflang=fr' },
      ['/de', '/fr'],
    ],
    ['the next page in the header', '', { link: ['</2>; rel=next', '</style.css>; rel=preload; as=style'] }, ['/2']],
    [
      'commas and brackets inside addresses and quotes',
      '',
      { link: '</a,b>; title="<x>, y"; rel=canonical' },
      ['/a,b'],
    ],
    ['a header that is no list of links', '', { link: 'nonsense <' }, []],
    ['a refresh', refresh('5; url=/next'), {}, ['/next']],
    ['a refresh in quotes', refresh("0;URL='/next'"), {}, ['/next']],
    ['a refresh with blanks everywhere', refresh(' 0 ; url = /next '), {}, ['/next']],
    ['a refresh with a comma', refresh('0,/next'), {}, ['/next']],
    ['a refresh with half a quote', refresh("0; url='/next"), {}, ['/next']],
    ['a refresh relative to the base', `<base href="/base/">${refresh('0; url=next')}`, {}, ['/base/next']],
    ['a refresh without time', refresh(';url=/next'), {}, ['/next']],
    ['a refresh of the page itself', refresh('30'), {}, []],
    ['a refresh to nowhere', refresh('0; url='), {}, []],
    ['a refresh that is none', refresh('soon'), {}, []],
    ['a refresh to no address', refresh('0; url=http://['), {}, []],
    ['a refresh in the header', '', { refresh: '0;url=/next' }, ['/next']],
  ])('%s', (_what, head, headers, expected) => {
    expect(leads(head, headers)).toEqual(['/linked', ...expected]);
  });
});

describe('the canonical address', () => {
  test.each<[string, string, Headers, string | null]>([
    ['none', '', {}, null],
    ['one', '<link rel="canonical" href="/a">', {}, '/a'],
    ['one in the header', '', { link: '</a>; rel=canonical' }, '/a'],
    ['the same twice', '<link rel="canonical" href="/a">', { link: '</a>; rel=canonical' }, '/a'],
    ['two that differ', '<link rel="canonical" href="/a">', { link: '</b>; rel=canonical' }, null],
  ])('%s', (_what, head, headers, expected) => {
    expect(canonicalOf(...read(head, headers))?.replace(SITE, '') ?? null).toBe(expected);
  });
});
