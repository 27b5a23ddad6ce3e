/** Which blocks are menus where a page marks neither them nor its main content. */
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';

const facts = (body: string) =>
  parsePage({
    url: 'https://example.com/teas/green',
    body: new TextEncoder().encode(`<!doctype html><title>Tea</title><body>${body}</body>`),
    contentType: 'text/html; charset=utf-8',
  });
const links = (count: number, between = ' ') =>
  Array.from({ length: count }, (_, nth) => `<a href="/${nth}">Tea ${nth}</a>`).join(between);
const items = (count: number) => `<li>${links(count, '<li>')}`;
const TEXT = '<div><h1>Green</h1><p>Fresh leaves.</p></div>';

describe('a menu that no landmark marks', () => {
  it.each([
    ['plain blocks before the heading', `<div><div>Teas</div><div>${links(200, '</div><div>')}</div></div>${TEXT}`],
    ['a list before the heading', `<ul>${items(5)}</ul>${TEXT}`],
    ['a line of links before the heading', `<p>${links(5, ' | ')}</p>${TEXT}`],
    ['a cell beside the text', `<table><tr><td>${links(5, '<br>')}</td><td>${TEXT}</td></tr></table>`],
    ['several', `<div>${links(6)}</div><ul>${items(6)}</ul>${TEXT}<div class="footer">${links(6)}</div>`],
    ['a sidebar beside the heading', `<h1>Green</h1><p>Fresh leaves.</p><div id="sidebar">${links(9)}</div>`],
    ['a sidebar below the heading', `${TEXT}<div class="docs sidebar"><ul>${items(9)}</ul></div>`],
    [
      'a named menu below a banner with the heading',
      `<div><h1>Green</h1></div><ul id="mainmenu">${items(9)}</ul><p>Fresh leaves.`,
    ],
    [
      'a named menu of a page without a heading',
      `<div class="left-nav">${links(9)}</div><b>Green</b> <p>Fresh leaves.</p>`,
    ],
  ])('is no text of the page: %s', (_, body) => {
    const page = facts(body);
    expect(page.text).toBe('Green Fresh leaves.');
    expect(page.wordCount).toBe(3);
    expect(page.bodyWordCount).toBeGreaterThan(3);
    expect(page.counts.lists).toBe(0);
    expect(page.links.every((link) => link.menu === true && link.area === undefined)).toBe(true);
  });

  it.each([
    ['no link', TEXT],
    ['a list below the heading', `<div><h1>Teas</h1><ul>${items(50)}</ul></div>`],
    ['a list below the heading, whatever its name', `<div><h1>Teas</h1><ul class="nav">${items(50)}</ul></div>`],
    ['a list below the block of the heading', `<div><h1>Teas</h1></div><ul>${items(50)}</ul>`],
    ['a list of a page without a heading', `<div class="list">${links(50)}</div>`],
    [
      'a row of cards',
      `<div>${links(9).replaceAll('Tea', 'The tea that is picked by hand in the gardens of the hills')}</div>${TEXT}`,
    ],
    ['a row of pictures', `<div>${links(9).replaceAll(/Tea \d/g, '<img src="/a.png">')}</div>${TEXT}`],
    ['few links', `<div class="nav">${links(4)}</div>${TEXT}`],
    ['text with links', `<div class="sidebar">Fresh leaves ${links(6, ' and leaves ')}</div>${TEXT}`],
    ['places to link to', `<div class="nav">${links(9).replaceAll('href', 'name')}</div>${TEXT}`],
    ['what has a sidebar', `<div class="with-sidebar">${links(9)}</div>`],
    ['all that holds the heading', `<div class="menu">${links(50)}${TEXT}</div>`],
  ])('is not %s', (_, body) => {
    const page = facts(body);
    expect(page.wordCount).toBe(page.bodyWordCount);
    expect(page.links.filter((link) => link.menu === true)).toEqual([]);
  });

  it('is not looked for where the main content is marked, or marks itself', () => {
    const menu = `<div class="menu">${links(9)}</div>`;
    for (const main of [`<main>${menu}${TEXT}</main>`, `<div role="main">${menu}${TEXT}</div>`]) {
      expect(facts(main).wordCount).toBe(21);
      expect(facts(menu + main).links.filter((link) => link.menu === true)).toEqual([]);
    }
    expect(facts(`<nav>${links(9)}</nav>${TEXT}`).links.map((link) => [link.area, link.menu])).toEqual(
      Array.from({ length: 9 }, () => ['nav', undefined]),
    );
  });
});
