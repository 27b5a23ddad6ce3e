/** Addresses in readable form. */
import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readableAddress, readableHost, readableText } from '../../src/model/readableAddress.ts';
import { hostWithoutWww } from '../../web/ui/text/wording.ts';

describe('a host', () => {
  it.each([
    'bücher.example',
    '例え.テスト',
    'straße.example',
    'münchen.ümlaut.example',
    'почта.рф',
    'ελληνικά.example',
    'مثال.إختبار',
    '한국어.example',
    'ljubljana-čšž.example',
    'a-ü.example',
    '點看.example:8080',
  ])('%s is shown as it was written', (host) => {
    const [name = '', port] = host.split(':');
    const coded = domainToASCII(name) + (port ? `:${port}` : '');
    expect(coded).toContain('xn--');
    expect(readableHost(coded)).toBe(host);
  });

  it.each([
    ['mixes alphabets that look alike', domainToASCII('pаypal.example')],
    ['is no Punycode', 'xn--99999999999.example'],
    ['breaks off', 'xn--bcher-kv.example'],
    ['only has it within a label', 'not-xn--bcher-kva.example'],
    ['hides a sign', 'xn--a-ecp.example'],
  ])('that %s is not changed', (_, host) => {
    expect(readableHost(host)).toBe(host);
  });

  it('loses www and Punycode at once', () => {
    expect(hostWithoutWww('www.xn--bcher-kva.example')).toBe('bücher.example');
  });
});

describe('a path', () => {
  it.each([
    ['/stra%C3%9Fe?q=%E3%83%91', '/straße?q=パ'],
    ['/a%2Fb%3Fc', '/a%2Fb%3Fc'],
    ['/100%', '/100%'],
    ['/%FF', '/%FF'],
    ['/a%20b%E2%80%AEc%00', '/a%20b%E2%80%AEc%00'],
    ['/tea/%F0%9F%8D%B5', '/tea/🍵'],
    ['/%E2%80%93%C3%BC%E2%81%84', '/%E2%80%93ü%E2%81%84'],
    ['The page /stra%c3%9fe is 100% thin.', 'The page /straße is 100% thin.'],
  ])('%s is shown as %s', (path, text) => {
    expect(readableText(path)).toBe(text);
  });
});

describe('an address', () => {
  it.each([
    [
      'https://xn--bcher-kva.example:8080/stra%C3%9Fe?q=%E3%83%91&u=xn--bcher-kva#%C3%BC',
      'https://bücher.example:8080/straße?q=パ&u=xn--bcher-kva#ü',
    ],
    ['https://shop.example/a%2541%20b%2Fc?d=%26', 'https://shop.example/a%2541%20b%2Fc?d=%26'],
    ['javascript:alert("%C3%BC")', 'javascript:alert("%C3%BC")'],
    ['', ''],
  ])('%s is shown as %s', (url, text) => {
    expect(readableAddress(url)).toBe(text);
    if (url.startsWith('https:')) expect(new URL(text).href).toBe(url);
  });
});
