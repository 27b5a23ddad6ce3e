import { describe, expect, it } from 'vitest';
import { safeLink, webLink } from '../../../web/ui/text/links.ts';

describe('links in untrusted text', () => {
  it.each([
    'http://example.com',
    'https://example.com/a?b#c',
    'HTTPS://EXAMPLE.COM',
    'irc://example.com',
    'ircs://example.com',
    'mailto:a@example.com',
    'xmpp:a@example.com',
    '/path',
    'path/to:page',
    '?query=a:b',
    '#part:1',
    './a',
    '//example.com/a',
  ])('keep %s', (href) => {
    expect(safeLink(href)).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    'ftp://example.com',
    'tel:123',
    '',
  ])('drop %j', (href) => {
    expect(safeLink(href)).toBeUndefined();
  });

  it('of evidence are whole web addresses', () => {
    expect(webLink('https://example.com/')).toBe('https://example.com/');
    expect(webLink('/relative')).toBeUndefined();
    expect(webLink('mailto:a@example.com')).toBeUndefined();
  });
});
