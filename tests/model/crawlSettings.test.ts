import { describe, expect, it } from 'vitest';
import { isPart, partKey, settingsText } from '../../src/model/crawlSettings.ts';
import { folderOf, isPattern, PATTERN_MAX_LENGTH, patternsIn, settingsOf } from '../../src/model/crawlSettingsRules.ts';

describe('a folder', () => {
  it.each([
    ['/blog/', '/blog/'],
    [' blog ', '/blog/'],
    ['/blog/2026', '/blog/2026/'],
    ['', '/'],
    ['/', '/'],
    ['/café', '/caf%C3%A9/'],
    ['/a/../b', '/b/'],
    ['//other.example/x', '//other.example/x/'],
    ['/wiki/Help:Tea/', '/wiki/Help:Tea/'],
  ])('%j is %j', (text, folder) => {
    expect(folderOf(text)).toBe(folder);
  });

  it.each([
    'https://example.com/blog/',
    '/a b',
    '/a?b=c',
    '/a#b',
    '/a*',
    '\\a',
    `/${'a'.repeat(200)}`,
    `/${'é'.repeat(40)}`,
  ])('is not %j', (text) => {
    expect(folderOf(text)).toBeNull();
  });
});

describe('a pattern', () => {
  it.each(['/', '*', '/blog/*', '*?sort=', '/a$', `/${'*a'.repeat(99)}`])('may be %j', (text) => {
    expect(isPattern(text)).toBe(true);
  });

  it.each([
    '',
    'blog',
    '?sort=',
    'https://example.com/',
    '/a b',
    '/a#b',
    '/\n',
    '/\u0000',
    '/\u202e',
    `/${'a'.repeat(PATTERN_MAX_LENGTH)}`,
  ])('is not %j', (text) => {
    expect(isPattern(text)).toBe(false);
  });

  it('stands on a line of its own, and counts once', () => {
    expect(patternsIn('')).toEqual([]);
    expect(patternsIn(' /a \r\n\n/b\n/a')).toEqual(['/a', '/b']);
  });
});

describe('settings', () => {
  it('are none if nothing is set', () => {
    expect(settingsOf({})).toBeUndefined();
    expect(settingsOf({ folder: '/', include: [], exclude: [], sitemapOnly: false })).toBeUndefined();
    expect(settingsOf({ maxPages: 1, include: ['/a', '/a'] })).toEqual({ maxPages: 1, include: ['/a'] });
  });

  it('name a part of the site, unless they only limit its pages', () => {
    expect([undefined, null, {}, { maxPages: 5 }].map(isPart)).toEqual([false, false, false, false]);
    expect(
      [{ folder: '/a/' }, { include: ['/a'] }, { exclude: ['/a'] }, { sitemapOnly: true } as const].map(isPart),
    ).toEqual([true, true, true, true]);
  });

  it('name the same part in any order, with any limit of pages', () => {
    expect(partKey({ include: ['/a', '/b'], maxPages: 1 })).toBe(partKey({ include: ['/b', '/a'] }));
    expect(partKey({ include: ['/a'] })).not.toBe(partKey({ exclude: ['/a'] }));
  });

  it('are read as a phrase', () => {
    expect(settingsText({ maxPages: 1 })).toBe('1 page');
    expect(settingsText({ folder: '/blog/', maxPages: 1200 })).toBe('/blog/ only, 1,200 pages');
    const patterns = ['/1', '/2', '/3', '/4', '/5'];
    expect(settingsText({ include: ['/a'], exclude: patterns, sitemapOnly: true }, (text) => `<${text}>`)).toBe(
      'only pages like </a>, without </1>, </2>, </3> and 2 more, only what the sitemap lists',
    );
  });
});
