import { describe, expect, test } from 'vitest';
import { createAllowList, vetUrl, whyNotPublic } from '../../../src/integrations/fetcher/addressGuard.ts';
import { ssrfCases } from '../../fixtures/ssrfCases.ts';

const nothing = createAllowList([]);

/** The whole guard without a network: the address as written, then every stubbed DNS answer. */
function verdictOf(url: string, dns: readonly string[]): 'allow' | 'deny' {
  return vetUrl(url, nothing).ok && dns.every((address) => whyNotPublic(address) === null) ? 'allow' : 'deny';
}

describe('address guard', () => {
  test.each(ssrfCases)('$verdict $url ($why)', ({ url, dns, verdict }) => {
    expect(verdictOf(url, dns ?? [])).toBe(verdict);
  });

  test('the list has both verdicts', () => {
    expect(ssrfCases.length).toBeGreaterThan(140);
    expect(ssrfCases.filter((each) => each.verdict === 'allow').length).toBeGreaterThan(20);
  });

  test('an invalid URL is distinguished from a refused one', () => {
    expect(vetUrl('http://[', nothing)).toMatchObject({ ok: false, failure: 'bad_url' });
    expect(vetUrl(`https://${'ü'.repeat(1_900)}.example/`, nothing)).toMatchObject({
      ok: false,
      failure: 'bad_url',
      message: 'The address is not a valid URL.',
    });
    expect(vetUrl('http://10.0.0.1/', nothing)).toMatchObject({
      ok: false,
      failure: 'blocked',
      message: 'The host is not on the public internet (private address).',
    });
    expect(vetUrl('ftp://example.com/', nothing)).toMatchObject({ ok: false, failure: 'blocked' });
  });
});

describe('allow list', () => {
  const allow = createAllowList(['127.0.0.1:4000', 'intranet', '[::1]:8080', ' Demo.Internal ', '']);

  test.each([
    'http://127.0.0.1:4000/',
    'http://2130706433:4000/x',
    'http://intranet/',
    'https://intranet:9999/',
    'http://[::1]:8080/',
    'http://demo.internal./',
  ])('lets %s through', (url) => {
    expect(vetUrl(url, allow).ok).toBe(true);
  });

  test.each(['[::1]:4643', '[::1]', '[0:0:0:0:0:0:0:1]:4643', '[2001:DB8::0001]:4643'])(
    'an IPv6 address is the same in URLs and in connections: %s',
    (entry) => {
      const { has } = createAllowList([entry]);
      const written = entry.includes('2001') ? '2001:db8::1' : '::1';
      expect(has(written, '4643')).toBe(true);
      expect(has(`[${written}]`, '4643')).toBe(true);
      expect(has(written, '80')).toBe(entry === '[::1]');
      expect(has('::2', '4643')).toBe(false);
    },
  );

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:4001/',
    'http://127.0.0.2:4000/',
    'http://localhost:4000/',
    'http://x.intranet/',
    'http://intranet.local/',
    'http://[::1]/',
    'http://user@127.0.0.1:4000/',
    'ftp://intranet/',
    'http://127.0.0.1:4000.evil.example:6379/',
  ])('refuses %s', (url) => {
    expect(vetUrl(url, allow).ok).toBe(false);
  });
});
