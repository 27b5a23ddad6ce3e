import { describe, expect, it } from 'vitest';
import { hideSecrets } from '../../../src/audit/report/hideSecrets.ts';

describe('secrets in texts of a site', () => {
  it.each([
    ['a token', 'https://example.com/reset?token=abc123&lang=en', 'https://example.com/reset?token=[hidden]&lang=en'],
    ['a key of a service', '/map?v=3&apikey=AIza-1', '/map?v=3&apikey=[hidden]'],
    ['a key whose name is the last of several words', '/a?X-Amz-Signature=f0f0&x=1', '/a?X-Amz-Signature=[hidden]&x=1'],
    ['an escaped separator', 'href="/a?x=1&amp;session_id=77"', 'href="/a?x=1&amp;session_id=[hidden]"'],
    ['a session in a path', '/shop;jsessionid=1A2B3C?x=1', '/shop;jsessionid=[hidden]?x=1'],
    ['a user and a password', 'https://me:pw@example.com/', 'https://example.com/'],
    ['a web token', 'as eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here', 'as [hidden] here'],
    ['a web token in a line of its own, in JSON', '"a\\neyJhbGciOiJI.eyJzdWIi.c2ln"', '"a\\n[hidden]"'],
    ['a value that is random', '/d?ref=9f8e7d6c5b4a39281706f5e4d3c2b1a0', '/d?ref=[hidden]'],
    ['a nonce of a policy', "script-src 'nonce-r4nd0m' 'self'", "script-src 'nonce-[hidden]' 'self'"],
    ['a long value, to its end', `/a?token=${'x'.repeat(5_000)}&b=1`, '/a?token=[hidden]&b=1'],
  ])('are hidden: %s', (_, text, shown) => {
    expect(hideSecrets(text)).toBe(shown);
  });

  it.each([
    'https://example.com/tea?sort=price&page=2',
    'https://example.com/search?q=green+tea+from+the+mountains+of+japan',
    'https://example.com/tea/@shop/green',
    '/styles.css?v=20261130',
    'Use a key or a token: see the docs.',
  ])('leave other texts as they are: %s', (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  it('leave JSON and Markdown readable', () => {
    const json = JSON.stringify({ a: '/x?token=1"2', b: ['https://u:p@h.example/?key=ab\\n', '](/a?sid=1)'] });
    expect(JSON.parse(hideSecrets(json))).toEqual({
      a: '/x?token=[hidden]"2',
      b: ['https://h.example/?key=[hidden]\\n', '](/a?sid=[hidden])'],
    });
  });
});
