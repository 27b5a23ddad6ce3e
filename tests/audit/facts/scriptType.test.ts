import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';

function facts(head: string) {
  const body = new TextEncoder().encode(`<!doctype html><head><title>T</title>${head}</head><p>x`);
  return parsePage({ url: 'https://example.com/', body, contentType: 'text/html; charset=utf-8' });
}

test.each([
  'application/ld+json',
  'application/ld+json; charset=UTF-8',
  'application/ld+json;profile="https://example.com/#compacted"',
  'APPLICATION/LD+JSON',
  '  application/ld+json\n',
  'application/ld+json ; charset=utf-8',
])('structured data of the type %j is read', (type) => {
  const read = facts(`<script type='${type}'>{"@type":"Organization"}</script>`);
  expect(read.structuredData.map(({ types }) => types)).toEqual([['Organization']]);
  expect(read.inlineScripts).toEqual([]);
});

test.each(['application/json', 'application/ld+jsonp', 'text/ld+json', 'application/json; x=application/ld+json'])(
  'that of the type %j is none',
  (type) => {
    expect(facts(`<script type="${type}">{"@type":"Organization"}</script>`).structuredData).toEqual([]);
  },
);

/** As Chromium does. */
describe('scripts run by their type', () => {
  test.each([
    ['', true],
    ['type=""', true],
    ['type="text/javascript"', true],
    ['type=" TEXT/JavaScript "', true],
    ['type="application/x-javascript"', true],
    ['type="text/ecmascript"', true],
    ['type="text/javascript1.5"', true],
    ['type="text/jscript"', true],
    ['type="module"', true],
    ['type="MODULE"', true],
    ['language="JavaScript"', true],
    ['language="vbscript"', false],
    ['type="text/javascript" language="vbscript"', true],
    ['type="text/javascript; charset=utf-8"', false],
    ['type="module; charset=utf-8"', false],
    ['type=" module "', false],
    ['type="javascript"', false],
    ['type="text/plain"', false],
    ['type="text/babel"', false],
    ['type="text/x-notjavascript"', false],
    ['type="importmap"', false],
  ])('%s: %s', (attributes, runs) => {
    const read = facts(`<script ${attributes}>start()</script><script ${attributes} src="/a.js"></script>`);
    expect(read.inlineScripts.length).toBe(runs ? 1 : 0);
    expect(read.resources[0]?.blocking).toBe(runs && !/module/i.test(attributes));
  });
});

test.each([
  ['', true],
  ['text/css', true],
  ['TEXT/CSS; charset=utf-8', true],
  ['text/plain', false],
])('a stylesheet of the type %j is loaded: %s', (type, blocking) => {
  expect(facts(`<link rel="stylesheet" type="${type}" href="/a.css">`).resources[0]).toMatchObject({ blocking });
});

test.each(['application/rss+xml', 'APPLICATION/ATOM+XML; charset=utf-8', ' application/feed+json ;x=y'])(
  'a feed of the type %j is one',
  (type) => {
    expect(facts(`<link rel="alternate" type="${type}" href="/feed">`).resources[0]?.kind).toBe('feed');
  },
);
