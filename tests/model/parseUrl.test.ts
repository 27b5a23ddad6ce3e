import { describe, expect, it, vi } from 'vitest';
import { parseUrl } from '../../src/model/parseUrl.ts';

describe('an address that somebody else wrote', () => {
  it.each([
    ['https://example.com/a?b#c', undefined, 'https://example.com/a?b#c'],
    ['/a', 'https://example.com/b', 'https://example.com/a'],
    ['//müller.example', 'https://example.com/', 'https://xn--mller-kva.example/'],
    [`https://example.com/${'ü'.repeat(1_000)}`, undefined, `https://example.com/${'%C3%BC'.repeat(1_000)}`],
    ['https://[', undefined, undefined],
    ['/a', undefined, undefined],
  ])('%s beside %s', (text, base, href) => expect(parseUrl(text, base)?.href).toBe(href));

  it.each([
    'https://',
    'HTTPS:\\\\',
    '//',
    ' \n//',
    'http://user@',
    'http:///',
    'http:',
    'http:/',
    '\x01http://',
    'ht\ntp://',
    'http:/\n/',
    '\t/\t/',
    '///',
    'file://',
    'http:\\/',
    'wss://',
    'ftp:////',
  ])('with an endless host after %j is not parsed at all', (before) => {
    const parse = vi.spyOn(URL, 'parse');
    expect(parseUrl(`${before}${'漢'.repeat(100_000)}/`, 'https://example.com/')).toBeNull();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});
