/** An example that somebody publishes as it is, with what only the owner knows left open, is reported. */
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { BLANK_LINE } from '../../../src/audit/facts/text/blanks.ts';
import { type GivenSite, givenSite } from '../../given/audit/page.ts';

const examples = CHECKS.flatMap(({ id, example }) =>
  example !== null && /YOUR [A-Z]/.test(example.after) ? [{ id, text: example.after }] : [],
);

const IN_HEAD = /^\s*<(?:title|meta|link|script|base)\b/i;
const page = (head: string, body: string, lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">${head}</head><body><main>${body}</main></body></html>`;

/** Null for what is no part of a page or a file of the site: settings of a server, headers, entries of sitemaps. */
function published(text: string): GivenSite | null {
  const [html = '', lang] = /^<html lang="([^"]*)">/.exec(text) ?? [];
  if (html !== '') return { pages: [page(text.slice(html.length), '', lang)] };
  if (/^<(?:url|sitemap|\?xml|loc|news:|video:)|rel="preconnect"/.test(text)) return null;
  if (text.startsWith('<')) return { pages: [IN_HEAD.test(text) ? page(text, '') : page('', text)] };
  if (/^(?:User-agent|Sitemap|Disallow|Allow):/im.test(text)) return { pages: [page('', '')], robots: text };
  if (text.startsWith('# ')) return { pages: [page('', '')], llmsTxt: text };
  return null;
}

describe('an example that is published as it is', () => {
  const sites = examples.flatMap(({ id, text }) => {
    const site = published(text);
    return site === null ? [] : [{ id, text, site }];
  });

  test.each(sites)('is reported: $id', ({ site }) => {
    const told = runChecks(givenSite(site)).findings.filter(
      ({ checkId, message, evidence }) =>
        checkId === 'placeholder-text' || BLANK_LINE.test(`${message} ${evidence.value}`),
    );
    expect(told.length).toBeGreaterThan(0);
  });

  test('is tried for most of them', () => {
    expect(sites.length).toBeGreaterThan(examples.length * 0.6);
  });
});

test.each([
  'Your cart is empty',
  'YOUR CART IS EMPTY',
  'ENTER YOUR DETAILS',
  'BUILD YOUR OWN BOX',
  'Your page title matters',
])('a text that begins the same is not: %s', (text) => {
  const { findings } = runChecks(givenSite({ pages: [page(`<title>${text}</title>`, `<h1>${text}</h1><p>${text}`)] }));
  expect(findings.filter(({ checkId }) => checkId === 'placeholder-text')).toEqual([]);
});
