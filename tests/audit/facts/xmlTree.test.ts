import { describe, expect, test } from 'vitest';
import { htmlVerdict } from '../../../src/audit/crawl/htmlAnswer.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { parseXml } from '../../../src/audit/facts/parse/xmlTree.ts';
import { FULL } from '../../given/fullForm.ts';

const NS = 'xmlns="http://www.w3.org/1999/xhtml"';

function facts(text: string, contentType = 'application/xhtml+xml') {
  return parsePage({ url: 'https://example.com/', body: new TextEncoder().encode(text), contentType });
}

function page(body: string, head = '', before = ''): string {
  return `<?xml version="1.0"?>${before}<html ${NS}><head><title>Tea</title>${head}</head><body>${body}</body></html>`;
}

describe('a page sent as XML', () => {
  test.each(['application/xhtml+xml', 'application/xhtml+xml; charset=utf-8', 'TEXT/XML', 'application/xml ; x=y'])(
    '%s: elements that close themselves are closed',
    (type) => {
      const head = '<script src="/a.js"/><style/><meta name="viewport" content="width=device-width"/>';
      const read = facts(page('<h1>Green<br/>tea</h1><iframe/><textarea/><a href="/two">Two</a>', head), type);
      expect(read.titles).toEqual([{ text: 'Tea', inHead: true }]);
      expect(read.metas).toEqual([{ name: 'viewport', content: 'width=device-width' }]);
      expect(read.headings.map(({ text }) => text)).toEqual(['Green tea']);
      expect(read.links.map(({ url }) => url)).toEqual(['https://example.com/two']);
      expect(read).toMatchObject({ xmlError: null, quirks: false, limitedQuirks: false, headBrokenBy: null });
    },
  );

  test('the same bytes as HTML are read as HTML', () => {
    const read = facts(page('<h1>Tea</h1><a href="/two">Two</a>', '<script src="/a.js"/>'), 'text/html');
    expect(read.links).toEqual([]);
    expect(read.xmlError).toBeUndefined();
  });

  test('CDATA is text, in a script as well', () => {
    const read = facts(
      page('<p><![CDATA[a <b> & c]]></p>', '<script type="application/ld+json"><![CDATA[{"@type":"Thing"}]]></script>'),
    );
    expect(read.text).toBe('a <b> & c');
    expect(read.structuredData[0]?.types).toEqual(['Thing']);
  });

  test('case matters, and so do namespaces', () => {
    const read = facts(
      page(
        '<A HREF="/x">X</A><a HREF="/y">Y</a><a href="/z">Z</a><svg xmlns="http://www.w3.org/2000/svg"><title>Icon</title></svg><x xmlns="urn:x"><a href="/n">N</a></x>',
      ),
    );
    expect(read.links.map(({ url }) => url)).toEqual(['https://example.com/z']);
    expect(read.titles.map(({ text }) => text)).toEqual(['Tea']);
    const prefixed = `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>Tea</h:title></h:head><h:body><h:h1>Hi</h:h1></h:body></h:html>`;
    expect(facts(prefixed)).toMatchObject({ titles: [{ text: 'Tea' }], headings: [{ text: 'Hi' }] });
    expect(facts('<html><head><title>No page</title></head></html>').titles).toEqual([]);
  });

  test('xml:lang is its language', () => {
    expect(facts(`<html ${NS} xml:lang="de"><body/></html>`).lang).toBe('de');
    expect(facts(`<html ${NS} xml:lang="de" lang="fr"><body/></html>`).lang).toBe('fr');
  });

  test('references: those of XML, and those of HTML where the doctype knows them', () => {
    const doctype =
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
    expect(facts(page('<p>&lt;&#233;&#xe9;&amp;</p>')).text).toBe('<éé&');
    expect(facts(page('<p>caf&eacute; &notthere; &semi;</p>', '', doctype)).text).toBe('café &notthere; ;');
    expect(facts(page('<p>caf&eacute;</p>'))).toMatchObject({
      text: '',
      xmlError: 'line 1: &eacute; is not declared',
    });
    const own = '<!DOCTYPE html [<!ENTITY a "]>aaaa"><!-- ]> --><!ENTITY b "&a;&a;">]>';
    expect(facts(page('<p>&b;</p>', '', own))).toMatchObject({ text: '&b;', xmlError: null, doctype: 'html' });
  });

  test.each([
    ['<p>two<br></p><p>three</p>', '</p> closes <br>'],
    ['<p>a & b</p>', 'an & is not written as &amp;'],
    ['<a href=/x>x</a>', '<a> is not written as in XML'],
    ['<input disabled/>', '<input> is not written as in XML'],
    ['<p title="a<b">x</p>', '<p> is not written as in XML'],
    ['<p class="a" class="b"/>', '<p> has the attribute class twice'],
    ['a < b', '< does not begin a tag'],
    ['<!-- a -- b -->', 'a comment has -- in it or is not closed'],
    [']]>', ']]> stands outside of CDATA'],
    ['<?xml version="1.0"?>', 'the XML declaration is not at the start'],
    ['<!DOCTYPE html>', 'the doctype is misplaced or not written as in XML'],
    ['&#0;', '&#0; is no character'],
  ])('is read up to the first error: %s', (wrong, error) => {
    const read = facts(page(`<h1>Before</h1>\n${wrong}<h2>After</h2>`));
    expect(read.headings.map(({ text }) => text)).toEqual(['Before']);
    expect(read.titles[0]?.text).toBe('Tea');
    expect(read.xmlError).toBe(`line 2: ${error}`);
  });

  test.each([
    ['', 'there is no element'],
    ['<!doctype html><html><p>HTML after all</p></html>', '< does not begin a tag'],
    [`\n${page('')}`, 'the XML declaration is not at the start'],
    [`${page('')}<p>more</p>`, 'there is a second root element'],
    [`${page('')}more`, 'there is text outside of the root element'],
    [page('').replace('</html>', ''), '<html> is not closed'],
    [page('<p>a</p>\u0001'), 'there is a control character'],
  ])('%j as a whole', (text, error) => {
    expect(facts(text).xmlError).toMatch(error);
  });

  test('of application/xml and text/xml, only documents with the root of a page are pages', () => {
    const verdict = (text: string, type: string) =>
      htmlVerdict({ headers: { 'content-type': [type] }, body: new TextEncoder().encode(text) } as never).html;
    for (const type of ['text/xml', 'application/xml; charset=utf-8']) {
      expect(verdict(page(''), type)).toBe(true);
      expect(verdict(page('', '', '<!-- a --><?x y?><!DOCTYPE html>'), type)).toBe(true);
      expect(verdict('<rss version="2.0"><channel/></rss>', type)).toBe(false);
      expect(verdict('<html><body/></html>', type)).toBe(false);
      expect(verdict(`<!-- <html ${NS}> --><urlset/>`, type)).toBe(false);
    }
    expect(verdict(page(''), 'application/rss+xml')).toBe(false);
  });
});

/** Work grows with the length: characters that are looked at are counted by the length of what is kept. */
describe('H5, H14: hostile XML', () => {
  const size = FULL ? 1_000_000 : 100_000;
  test.each([
    ['deep elements', '<a>'.repeat(size / 3), 'nested too deeply'],
    ['comments that do not end', '<!--'.repeat(size / 4), 'a comment has'],
    ['CDATA in CDATA', '<![CDATA['.repeat(size / 9), ']]> is missing'],
    ['quotes', `<a b="${'\' "'.repeat(size / 3)}`, 'is not written as in XML'],
    ['spaces', `<a${' '.repeat(size)}`, 'is not written as in XML'],
    ['namespaces', `<a ${Array.from({ length: size / 20 }, (_, n) => `xmlns:n${n}="u"`).join(' ')}>`, 'is not closed'],
    ['unknown entities', Array.from({ length: size / 10 }, (_, n) => `&x${n};`).join(''), 'is not declared'],
  ])('%s', (_, text, error) => {
    expect(parseXml(`<r>${text}`).error).toMatch(error);
  });

  test('a doctype that does not end, and entities of the doctype, cost no more than their length', () => {
    expect(parseXml(`<!DOCTYPE r [${'<!--'.repeat(size / 4)}`).error).toMatch('the doctype is not closed');
    const doctype = '<!DOCTYPE r PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">';
    const names = Array.from({ length: size / 10 }, (_, n) => `&x${n};`).join('');
    expect(parseXml(`${doctype}<r>${names}</r>`)).toMatchObject({ error: null });
  });
});
