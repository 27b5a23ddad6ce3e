/** Addresses as people read them. */
import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readableHost, readablePath } from '../../src/model/readableAddress.ts';
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
  ])('%s is read as it was written', (host) => {
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
  ])('that %s stays as it is', (_, host) => {
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
  ])('%s is read as %s', (path, text) => {
    expect(readablePath(path)).toBe(text);
  });
});
