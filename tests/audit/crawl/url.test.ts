import { describe, expect, test } from 'vitest';
import {
  crawlUrl,
  dedupeKey,
  isInternal,
  isSameSite,
  looksLikePage,
  normaliseSubmission,
  urlPattern,
  wwwTwin,
} from '../../../src/audit/crawl/url.ts';

describe('a submitted address', () => {
  test.each([
    ['example.com', 'https://example.com/', 'example.com'],
    ['  example.com  ', 'https://example.com/', 'example.com'],
    ['EXAMPLE.com/Path', 'https://example.com/Path', 'example.com'],
    ['www.example.co.uk', 'https://www.example.co.uk/', 'www.example.co.uk'],
    ['http://example.com', 'http://example.com/', 'example.com'],
    ['HTTP://example.com', 'http://example.com/', 'example.com'],
    ['//example.com/x', 'https://example.com/x', 'example.com'],
    ['example.com:8080/x', 'https://example.com:8080/x', 'example.com:8080'],
    ['https://example.com:443/', 'https://example.com/', 'example.com'],
    ['http://example.com:80/', 'http://example.com/', 'example.com'],
    ['http://example.com:443/', 'http://example.com:443/', 'example.com:443'],
    ['example.com.', 'https://example.com/', 'example.com'],
    ['example.com/a?b=c#d', 'https://example.com/a?b=c', 'example.com'],
    ['example.com#', 'https://example.com/', 'example.com'],
    ['bücher.example', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['例え.テスト', 'https://xn--r8jz45g.xn--zckzah/', 'xn--r8jz45g.xn--zckzah'],
    ['example.com/straße', 'https://example.com/stra%C3%9Fe', 'example.com'],
    ['example.com/a/../b', 'https://example.com/b', 'example.com'],
    ['127.0.0.1:4000', 'https://127.0.0.1:4000/', '127.0.0.1:4000'],
    ['localhost:3000/x', 'https://localhost:3000/x', 'localhost:3000'],
    ['http://[::1]:8080/', 'http://[::1]:8080/', '[::1]:8080'],
    ['http://intranet/', 'http://intranet/', 'intranet'],
  ])('%s is %s', (input, url, host) => {
    expect(normaliseSubmission(input)).toEqual({
      ok: true,
      url,
      host,
      ...(/^\s*https?:/i.test(input) ? {} : { schemeGuessed: true }),
    });
  });

  test.each([
    '',
    '   ',
    'hello',
    'not a url',
    'example .com',
    'exam\nple.com',
    'https://',
    'http:///example.com',
    'http:example.com',
    'https:/example.com',
    'http:\\\\example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:a@example.com',
    'data:text/html,x',
    'user:pass@example.com',
    'https://user@example.com/',
    'https://exa mple.com',
    'http://[::1',
    'https://example.com:99999/',
    'http://7147006462/',
    '.com',
    'example..com',
    '...',
    `example.com/${'x'.repeat(2100)}`,
  ])('%j is refused with a reason', (input) => {
    const result = normaliseSubmission(input);
    expect(result.ok).toBe(false);
    expect(result.ok || result.reason).toMatch(/^[A-Z].+\.$/);
  });

  // Converting a label to ASCII costs the square of its length, and a host name has at most 253 characters.
  test.each([
    ['endless dots', `${'.'.repeat(500_000)}x`],
    ['an endless label', '\u4e00'.repeat(1_900)],
    ['endless credentials', `${'a'.repeat(1_000)}@host.example`],
  ])('a host of %s is not parsed', (_, host) => {
    for (const address of [`https://${host}/`, `//${host}/a`, `https:\\\\${host}`])
      expect(crawlUrl(address, 'https://a.example/')).toBeNull();
    expect(normaliseSubmission(`https://${host}/`)).toMatchObject({ ok: false });
  });

  test('a label or name that the DNS cannot have is not submitted', () => {
    for (const host of [`${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}example`])
      expect(normaliseSubmission(host)).toMatchObject({ ok: false });
    expect(normaliseSubmission(`${'a'.repeat(63)}.example`)).toMatchObject({ ok: true });
  });

  test('an accepted address is accepted again, unchanged', () => {
    for (const input of ['example.com', 'http://bücher.example:8080/ä?ö#ü', 'localhost']) {
      const once = normaliseSubmission(input);
      expect(once.ok && normaliseSubmission(once.url)).toEqual(once.ok && { ok: true, url: once.url, host: once.host });
    }
  });
});

describe('addresses in a crawl', () => {
  test.each([
    ['/a', 'https://a.example/a'],
    ['b', 'https://a.example/dir/b'],
    ['?q', 'https://a.example/dir/page?q'],
    ['#top', 'https://a.example/dir/page'],
    ['//b.example/', 'https://b.example/'],
    ['HTTPS://A.example:443/x#y', 'https://a.example/x'],
    ['mailto:a@a.example', null],
    ['javascript:void(0)', null],
    ['https://me:pw@a.example/', null],
    ['http://[', null],
    ['https://a.example./x', 'https://a.example/x'],
    ['https://a.example.:8443/x', 'https://a.example:8443/x'],
    ['https://BÜCHER.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://bücher。example/', 'https://xn--bcher-kva.example/'],
    ['https://me@a.example/', null],
  ])('%s is %s', (href, expected) => {
    expect(crawlUrl(href, 'https://a.example/dir/page')).toBe(expected);
  });

  test.each([
    ['https://a.example/x?b=2&a=1', 'https://a.example/x?a=1&b=2'],
    ['https://a.example/x?utm_source=n&gclid=1', 'https://a.example/x'],
    ['https://a.example/x?utm_source=n&id=1', 'https://a.example/x?id=1'],
    ['https://a.example/x?', 'https://a.example/x'],
    ['https://a.example/x?PHPSESSID=abc', 'https://a.example/x'],
    ['https://a.example/x;jsessionid=ABC123', 'https://a.example/x'],
    ['https://a.example/x?sid=0123456789abcdef0123', 'https://a.example/x'],
    ['https://a.example/%7euser', 'https://a.example/~user'],
    ['https://a.example/caf%c3%a9', 'https://a.example/caf%C3%A9'],
    ['HTTPS://A.EXAMPLE/x', 'https://a.example/x'],
    ['https://a.example./x', 'https://a.example/x'],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example/x'],
  ])('%s is the same page as %s', (one, other) => {
    expect(dedupeKey(one)).toBe(dedupeKey(other));
  });

  test.each([
    ['https://a.example/x', 'https://a.example/x/'],
    ['https://a.example/x', 'https://a.example/X'],
    ['https://a.example/x', 'http://a.example/x'],
    ['https://a.example/x', 'https://www.a.example/x'],
    ['https://a.example/x?id=1', 'https://a.example/x?id=2'],
    ['https://a.example/x?sid=12', 'https://a.example/x?sid=13'],
    ['https://a.example/a%2Fb', 'https://a.example/a/b'],
    ['https://a.example/x?a=1&a=2', 'https://a.example/x?a=2&a=1'],
  ])('%s may be another page than %s', (one, other) => {
    expect(dedupeKey(one)).not.toBe(dedupeKey(other));
  });

  test.each([
    ['https://a.example/x', 'https://www.a.example', true],
    ['http://www.a.example/x', 'https://a.example', true],
    ['https://www.a.example./x', 'https://a.example', true],
    ['http://a.example.:8080/x', 'http://a.example:8080', true],
    ['https://bücher.example/', 'https://www.xn--bcher-kva.example', true],
    ['https://blog.a.example/', 'https://a.example', false],
    ['http://127.0.0.1:4000/x', 'http://127.0.0.1:4000', true],
    ['http://127.0.0.1:4001/x', 'http://127.0.0.1:4000', false],
    ['mailto:x', 'https://a.example', false],
  ])('%s inside %s: %s', (url, origin, expected) => {
    expect(isInternal(url, origin)).toBe(expected);
  });

  test.each([
    ['https://blog.a.co.uk/', 'https://a.co.uk/', true],
    ['https://a.co.uk/', 'https://b.co.uk/', false],
    ['https://one.github.io/', 'https://two.github.io/', false],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', false],
    ['http://localhost/', 'http://localhost/x', true],
  ])('%s and %s belong together: %s', (a, b, expected) => {
    expect(isSameSite(a, b)).toBe(expected);
  });

  test.each([
    ['https://a.example/', 'https://www.a.example/'],
    ['https://www.a.example/', 'https://a.example/'],
    ['https://a.co.uk/', 'https://www.a.co.uk/'],
    ['https://blog.a.example/', null],
    ['http://127.0.0.1:80/', null],
    ['http://localhost/', null],
  ])('the twin of %s is %s', (url, expected) => {
    expect(wwwTwin(url)).toBe(expected);
  });

  test.each([
    ['https://a.example/page.html', true],
    ['https://a.example/page', true],
    ['https://a.example/index.php?file=x.pdf', true],
    ['https://a.example/v1.2', true],
    ['https://a.example/file.PDF', false],
    ['https://a.example/a.jpg?x', false],
    ['https://a.example/archive.tar.gz', false],
  ])('%s may be a page: %s', (url, expected) => {
    expect(looksLikePage(url)).toBe(expected);
  });

  test.each([
    [['https://a.example/blog/one', 'https://a.example/blog/two-words'], true],
    [['https://a.example/p?id=1', 'https://a.example/p?id=2'], true],
    [['https://a.example/2024/05/a', 'https://a.example/2025/06/b'], true],
    [['https://a.example/the-ten-best-things', 'https://a.example/what-i-did-last-summer'], true],
    [['https://a.example/about', 'https://a.example/contact'], false],
    [['https://a.example/blog/one', 'https://a.example/shop/one'], false],
    [['https://a.example/p?id=1', 'https://a.example/p?page=1'], false],
    [['https://a.example/', 'https://a.example/x'], false],
  ])('%j share a pattern: %s', ([one = '', other = ''], expected) => {
    expect(urlPattern(one) === urlPattern(other)).toBe(expected);
  });
});

test('of more parameters than any real address has, the order is compared as written', () => {
  const address = (names: readonly number[]): string =>
    `https://example.com/?${names.map((name) => `p${name}`).join('&')}`;
  const names = (most: number): number[] => Array.from({ length: most }, (_, name) => name);
  expect(dedupeKey(address(names(100)))).toBe(dedupeKey(address(names(100).reverse())));
  expect(dedupeKey(address(names(101)))).not.toBe(dedupeKey(address(names(101).reverse())));
  expect(dedupeKey(address(names(101)))).toBe(address(names(101)));
});
