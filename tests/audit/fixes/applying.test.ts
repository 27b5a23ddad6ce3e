/** What it means to apply code, and what the proof of it sees. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Edit, Finding } from '../../../src/model/findings.ts';
import { applyFix, applyFixes, type Fix } from '../../given/fixes/applyFix.ts';
import { lossIn } from '../../given/fixes/losses.ts';
import { disproof } from '../../given/fixes/proof.ts';
import { auditBytes, type GivenSite, type SiteAnswer, type SiteBytes } from '../../given/fixes/siteBytes.ts';

const ORIGIN = 'https://tea.test';
const URL_ = `${ORIGIN}/`;

const answer = (body: Uint8Array | string, type = 'text/html; charset=utf-8', status = 200): SiteAnswer => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { status, headers: { 'content-type': [type] }, body: bytes, transferBytes: bytes.length };
};

const served =
  (answers: Readonly<Record<string, SiteAnswer>>): SiteBytes =>
  (url) =>
    answers[url.replace(ORIGIN, '')] ?? answer('<!doctype html><title>Not found</title>', undefined, 404);

const fix = (edit: Partial<Edit>, text: string): Fix => ({
  edits: 'element',
  operation: 'replace',
  at: 'html',
  url: URL_,
  text,
  ...edit,
});

const textAt = (site: SiteBytes, path: string): string => {
  const found = site(ORIGIN + path);
  return 'failure' in found ? '' : new TextDecoder().decode(found.body);
};

const changed = (html: string, ...fixes: readonly Fix[]): string =>
  textAt(applyFixes(served({ '/': answer(html) }), fixes), '/');

describe('applying code', () => {
  test('finds addresses with an ampersand', () => {
    expect(
      changed('<p><a href="/x?a=1&amp;b=2" class="c">q</a>', fix({ at: 'a[href="/x?a=1&b=2"]' }, '<a href="/y">')),
    ).toBe('<p><a href="/y" class="c">q</a>');
  });

  test('writes the tags that a page leaves out, where their attributes are needed', () => {
    expect(changed('<!doctype html>\n<title>Tea</title><p>Tea', fix({}, '<html lang="en">'))).toBe(
      '<!doctype html><html lang="en">\n<title>Tea</title><p>Tea',
    );
    expect(changed('<title>Tea</title><p>Tea', fix({ at: 'body', operation: 'add' }, '<p>Pots'))).toBe(
      '<title>Tea</title><body>\n<p>Pots<p>Tea',
    );
  });

  test('writes in the encoding of the page, or not at all', () => {
    const page = (charset: string, body: Uint8Array) => served({ '/': answer(body, `text/html; charset=${charset}`) });
    const set = fix({ at: 'head > title', edits: 'head' }, '<title>Thé €</title>');
    const western = Buffer.from('<title>x</title><p>caf\xe9', 'latin1');
    const written = applyFix(page('windows-1252', western), set)(URL_);
    expect('failure' in written ? '' : Buffer.from(written.body).toString('latin1')).toBe(
      '<title>Th\xe9 \x80</title><p>caf\xe9',
    );
    const japanese = Uint8Array.from([...Buffer.from('<title>x</title><p>'), 0x82, 0xa0]);
    const kept = applyFix(page('shift_jis', japanese), fix({ at: 'p' }, '<p class="い">'))(URL_);
    expect('failure' in kept ? '' : new TextDecoder('shift_jis').decode(kept.body)).toBe(
      '<title>x</title><p class="い">あ',
    );
    expect(() => applyFix(page('iso-8859-5', western), set)).toThrow('iso-8859-5 cannot write "é"');
    const wide = Buffer.from('\uFEFF<title>x</title>', 'utf16le');
    expect(() => applyFix(page('utf-16le', wide), set)).toThrow('utf-16le');
    expect(changed('\uFEFF<title>x</title>', set).length).toBe('<title>Thé €</title>'.length);
    const marked = applyFix(served({ '/': answer('\uFEFF<title>x</title>') }), set)(URL_);
    expect('failure' in marked ? [] : [...marked.body.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  test.each([
    ['HTTP/1.1 301 Moved Permanently\nLocation: https://tea.test/a;b?c=1', '/old', 'https://tea.test/a;b?c=1'],
    ['location = /old {\n  return 301 https://tea.test/new;\n}', '/old', 'https://tea.test/new'],
    ['RedirectMatch 301 ^/old$ https://tea.test/a;b', '/old', 'https://tea.test/a;b'],
    [
      'RewriteEngine On\nRewriteCond %{QUERY_STRING} ^p=1$\nRewriteRule ^/?old$ https://tea.test/new? [R=301,L]',
      '/old?p=1',
      'https://tea.test/new',
    ],
    [
      'RewriteEngine On\nRewriteCond %{HTTP_HOST} ^www\\.tea\\.test$ [NC]\nRewriteRule ^ https://tea.test%{REQUEST_URI} [R=301,L]',
      '/old?p=$1',
      'https://tea.test/old?p=$1',
    ],
  ])('reads the whole address of a rule: %s', (rule, path, location) => {
    const found = applyFix(served({}), fix({ edits: 'server', at: ORIGIN + path }, rule))(ORIGIN + path);
    expect(found).toMatchObject({ status: 301, headers: { location: [location] } });
  });

  test('adds to a sitemap that is packed', () => {
    const site = served({ '/s.xml.gz': answer(gzipSync('<urlset></urlset>'), 'application/gzip') });
    const added = fix({ edits: 'sitemap', operation: 'add', at: `${ORIGIN}/s.xml.gz` }, '<url/>');
    const found = applyFix(site, added)(`${ORIGIN}/s.xml.gz`);
    expect('failure' in found ? '' : gunzipSync(found.body).toString()).toBe('<urlset><url/>\n</urlset>');
  });

  test('takes several changes of one element, whatever the first does to its name', () => {
    const html = '<!doctype html><body><h1 class="a">Tea</h1><h1>Pots</h1><a rel="nofollow" href="/x">x</a>';
    expect(
      changed(
        html,
        fix({ at: 'body > h1:nth-of-type(1)' }, '<div>'),
        fix({ at: 'body > h1:nth-of-type(2)' }, '<h2>'),
        fix({ at: 'a[href="/x"]', operation: 'remove' }, 'rel="nofollow"'),
        fix({ at: 'a[href="/x"]' }, '<a href="/y">'),
        fix({ at: 'a[href="/x"]' }, '<a href="/y">'),
      ),
    ).toBe('<!doctype html><body><div class="a">Tea</div><h2>Pots</h2><a href="/y">x</a>');
  });

  test('refuses what is not there, and changes that contradict each other', () => {
    expect(() => changed('<p>Tea', fix({ at: '#x' }, '<p>'))).toThrow('There is no #x');
    const title = (text: string) => fix({ edits: 'head', at: 'head > title' }, `<title>${text}</title>`);
    expect(() => changed('<title>x</title>', title('Tea'), title('Pots'))).toThrow(
      'Another fix takes away head > title',
    );
  });

  test('removes lines of robots.txt by their numbers before it adds others', () => {
    const site = served({ '/robots.txt': answer('User-agent: *\nDisallow: /a\nDisallow: /b\n', 'text/plain') });
    const robots = (operation: Edit['operation'], at: string, text: string) =>
      fix({ edits: 'robots.txt', operation, at }, text);
    const both = applyFixes(site, [robots('add', 'end', 'Sitemap: /s'), robots('remove', 'line 2, line 3', '#')]);
    expect(textAt(both, '/robots.txt')).toBe('User-agent: *\n\nSitemap: /s\n');
  });
});

const finding = (edit: Edit, code: string, said: Partial<Finding> = {}): Finding => ({
  id: 'f',
  checkId: 'x',
  category: 'content',
  impact: 'low',
  hint: false,
  message: 'It is wrong.',
  evidence: { url: URL_, place: edit.at, value: '' },
  code,
  edit,
  ...said,
});

const element = (at: string): Edit => ({ edits: 'element', operation: 'replace', at });

describe('what is lost', () => {
  const loss = (html: string, edit: Edit, code: string, value = ''): string | null => {
    const site = served({ '/': answer(html) });
    const one = finding(edit, code, { evidence: { url: URL_, place: edit.at, value } });
    return lossIn(site, applyFix(site, { ...edit, url: URL_, text: code }), [one]);
  };

  test.each<[string, string, Edit, string, string, string | null]>([
    ['nothing by an attribute', '<p><a href="/x">x</a>', element('a'), '<a href="/y">', '', null],
    ['nothing by a tag', '<h1 class="a">Tea</h1>', element('h1'), '<div>', '', null],
    ['a text that is named', '<p><a href="/x">here</a>', element('a'), '<a href="/x">Pots</a>', 'here', null],
    ['a text', '<p><a href="/x">here</a>', element('a'), '<a href="/x">Pots</a>', '', 'here is lost'],
    ['an image', '<a href="/x">here<img src="/i.png"></a>', element('a'), '<a href="/x">P</a>', 'here', '<img>'],
    [
      'one of two descriptions',
      '<head><meta name="description" content="One"><meta name="description" content="Two"></head>',
      { edits: 'head', operation: 'replace', at: 'head meta[name="description" i]' },
      '<meta name="description" content="On">',
      'One',
      'is lost',
    ],
    [
      'an attribute of what is put in place',
      '<head><title data-of="cms">Tea</title></head>',
      { edits: 'head', operation: 'replace', at: 'head > title' },
      '<title>Pots</title>',
      'Tea',
      'data-of="cms" is lost',
    ],
    [
      'a directive',
      '<head><meta name="robots" content="noindex, noarchive"></head>',
      { edits: 'head', operation: 'replace', at: 'head meta[name="robots" i]' },
      '<meta name="robots" content="index, follow">',
      'noindex, noarchive',
      'directive noarchive is lost',
    ],
    [
      'nothing by lifting a directive',
      '<head><meta name="robots" content="noindex, noarchive"></head>',
      { edits: 'head', operation: 'replace', at: 'head meta[name="robots" i]' },
      '<meta name="robots" content="noarchive">',
      'noindex, noarchive',
      null,
    ],
  ])('%s', (_, html, edit, code, value, lost) => {
    const found = loss(html, edit, code, value);
    if (lost === null) expect(found).toBeNull();
    else expect(found).toContain(lost);
  });

  test('lines of a file that was there, and the form of XML', () => {
    const file: Edit = { edits: 'file', operation: 'replace', at: '/llms.txt' };
    const lossOf = (path: string, old: SiteAnswer, edit: Edit, code: string): string | null => {
      const site = served({ [path]: old });
      return lossIn(site, applyFix(site, { ...edit, url: URL_, text: code }), [finding(edit, code)]);
    };
    expect(lossOf('/llms.txt', answer('Our own words', 'text/plain'), file, '# Tea')).toContain('Our own words');
    expect(lossOf('/llms.txt', answer('<html>', 'text/html'), file, '# Tea')).toBeNull();
    const sitemap: Edit = { edits: 'sitemap', operation: 'add', at: `${ORIGIN}/s.xml` };
    const xml = answer('<urlset><url/></urlset>', 'application/xml');
    expect(lossOf('/s.xml', xml, sitemap, '<url><loc>/?a&b</loc></url>')).toContain('Well-formed XML');
    expect(lossOf('/s.xml', xml, sitemap, '<url><loc>/?a&amp;b</loc></url>')).toBeNull();
  });
});

describe('the proof', () => {
  const words = Array.from({ length: 70 }, (_, number) => `leaf${number}`).join(' ');
  const page = (head: string, body: string): SiteAnswer =>
    answer(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea ${body.length} of Nara, Japan</title>${head}</head><body><main>${body}</main></body></html>`,
    );
  const siteOf = (answers: Readonly<Record<string, SiteAnswer>>): GivenSite => ({
    name: 'given',
    start: URL_,
    bytes: served(answers),
  });

  test('finds that two pieces of code for one page contradict each other', async () => {
    const text = `<h1>Green tea</h1><p>${words}</p>`;
    const site = siteOf({
      '/': page(
        '<link rel="canonical" href="https://tea.test/">',
        `<h1>Home</h1><a href="/a">A</a> <a href="/b">B</a>`,
      ),
      '/a': page('<link rel="canonical" href="https://tea.test/a">', text),
      '/b': page('', text),
    });
    const before = await auditBytes(site.start, site.bytes);
    const at = (checkId: string) => before.findings.filter((each) => each.checkId === checkId);
    const [missing] = at('canonical-missing');
    const [duplicate] = at('duplicate-content');
    // Of pages with one text, the owner names the original.
    expect(missing?.code).toBeNull();
    expect(duplicate?.code).toBe('<link rel="canonical" href="https://tea.test/a">');
    const own = { ...missing, code: '<link rel="canonical" href="https://tea.test/b">', edit: duplicate?.edit };
    expect(await disproof(site, before, [duplicate as Finding])).toBeNull();
    expect(await disproof(site, before, [own as Finding, duplicate as Finding])).toContain('canonical-conflict');
  });

  test('does not take a link with another address for another link', async () => {
    const site = siteOf({
      '/': page('', '<h1>Tea</h1><p><a href="/old">click here</a></p>'),
      '/old': { status: 301, headers: { location: ['/new'] }, body: new Uint8Array(), transferBytes: 0 },
      '/new': page('', `<h1>Click here</h1><p>${words}</p>`),
    });
    const before = await auditBytes(site.start, site.bytes);
    const [moved] = before.findings.filter(({ checkId }) => checkId === 'link-to-redirect');
    expect(before.findings.some(({ checkId }) => checkId === 'link-text-generic')).toBe(true);
    expect(moved?.code).toBe('<a href="/new">');
    expect(await disproof(site, before, [moved as Finding])).toBeNull();
  });
});
