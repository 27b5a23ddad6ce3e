import type { CaseTable } from '../../../given/audit/checkCases.ts';
import type { GivenSite } from '../../../given/audit/page.ts';
import { body, head, LONG, main, STUBS } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const sends = (headers: Readonly<Record<string, string>>) => ({ pages: [{ html: page, headers }] });
const HSTS = 'strict-transport-security';
const CSP = 'content-security-policy';
const http = { origin: 'http://example.com', pages: [page] };
const loopback = { origin: 'http://127.0.0.1:8080', pages: [page] };

/** A page that answered late, twice. */
const late = (ttfbMs: number, again: number): GivenSite => ({
  pages: [{ html: page, ttfbMs }],
  fileChecks: [{ url: '/', kind: 'slow-page', ttfbMs: again }],
});

function xhtml(body: string): string {
  return `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tea</title></head><body>${body}</body></html>`;
}

export const DELIVERY: CaseTable = {
  'https-missing': {
    passes: [page],
    finds: [{ site: http, tells: 'http://example.com is served without encryption' }],
    skips: [loopback],
  },
  'mixed-content': {
    passes: [
      head(
        '<script src="/a.js"></script>',
        '<a href="http://other.example/">x</a><img src="https://cdn.example.net/a.png" alt="">',
      ),
    ],
    finds: [
      {
        site: body('<img src="http://cdn.example.net/a.png" alt="">'),
        tells: 'loads an image from http://cdn.example.net/a.png',
      },
      {
        site: body('<form action="http://example.com/send"></form><iframe src="http://a.example/"></iframe>'),
        count: 2,
      },
      head('<link rel="stylesheet" href="http://example.com/a.css">'),
    ],
    skips: [http],
  },
  'http-internal-links': {
    passes: [body('<a href="/a">A</a><a href="http://other.example/">B</a>')],
    finds: [{ site: body('<a href="http://example.com/a">Teas</a>') }],
    skips: [http, body('<p>No links</p>')],
  },
  'hsts-missing': {
    passes: [sends({ [HSTS]: 'max-age=63072000; includeSubDomains; preload' }), sends({ [HSTS]: 'max-age=63072000' })],
    finds: [
      { site: { pages: [page] }, tells: 'Strict-Transport-Security is missing' },
      { site: sends({ [HSTS]: 'max-age=3600; includeSubDomains; preload' }), tells: 'max-age is 3,600' },
      { site: sends({ [HSTS]: 'includeSubDomains' }), tells: 'no max-age' },
      {
        site: sends({ [HSTS]: 'max-age=63072000; includeSubDomains; preload; foo' }),
        tells: '"foo" isn’t a directive',
      },
    ],
    skips: [http, { origin: 'https://localhost', pages: [page] }],
  },
  'csp-missing': {
    passes: [
      sends({ [CSP]: "default-src 'self'; object-src 'none'; base-uri 'none'" }),
      head(
        `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-abc' 'unsafe-inline'; object-src 'none'; base-uri 'self'">`,
      ),
    ],
    finds: [
      { site: { pages: [page] }, tells: 'No Content-Security-Policy', hint: true },
      {
        site: sends({ [CSP]: "script-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'" }),
        tells: 'unsafe-inline',
      },
      { site: sends({ [CSP]: "default-src 'self'" }), tells: 'base-uri is not restricted' },
    ],
    skips: [{ pages: [{ status: 500 }] }],
  },
  'frame-protection': {
    passes: [
      sends({ 'x-frame-options': 'sameorigin' }),
      sends({ [CSP]: "default-src 'self'; frame-ancestors 'none'" }),
    ],
    finds: [
      { site: { pages: [page] }, tells: 'any site may show this page' },
      { site: sends({ 'x-frame-options': 'ALLOW-FROM https://a.example' }), tells: 'not a value' },
    ],
  },
  'nosniff-missing': {
    passes: [sends({ 'x-content-type-options': 'nosniff' })],
    finds: [
      { pages: [page] },
      { site: sends({ 'x-content-type-options': 'none' }), tells: '"none" instead of nosniff' },
    ],
  },
  'slow-ttfb': {
    passes: [{ pages: [{ html: page, ttfbMs: 800 }] }, late(2500, 700)],
    finds: [
      { site: late(2500, 1200), tells: 'after 1,200 ms', impact: 'medium' },
      { site: late(1900, 2500), tells: 'after 1,900 ms', impact: 'high' },
    ],
    unchecked: [{ pages: [{ html: page, ttfbMs: 2500 }] }],
  },
  'no-compression': {
    passes: [sends({ 'content-encoding': 'gzip' }), sends({ 'content-encoding': 'br' })],
    finds: [{ site: { pages: [{ html: page, bytes: 30_000 }] }, tells: 'The HTML is sent uncompressed.' }],
    skips: [{ pages: ['<title>Tiny</title>'] }],
  },
  'html-too-large': {
    passes: [{ pages: [{ html: page, bytes: 500_000 }] }],
    finds: [
      { site: { pages: [{ html: page, bytes: 700_000 }] }, tells: '700 KB', impact: 'medium' },
      {
        site: { pages: [{ html: page, bytes: 5_000_000, truncated: true }] },
        tells: 'more than 5,000 KB',
        impact: 'high',
      },
    ],
  },
  'dom-too-big': {
    passes: [page],
    finds: [
      {
        site: body('<p></p>'.repeat(900)),
        tells: 'more than 800 begin to slow it down, and 1,500 on 32 is the limit',
        hint: true,
      },
      {
        site: body('<p></p>'.repeat(1600)),
        tells: '1,605 elements on 2 levels; 1,500 on 32 is the limit',
        hint: false,
      },
      { site: body('<div>'.repeat(40)), tells: '41 levels', hint: false },
    ],
  },
  'render-blocking': {
    passes: [
      head(
        `${'<link rel="stylesheet" href="/a.css">'.repeat(6)}<script src="/a.js" defer></script><link rel="stylesheet" href="/p.css" media="print">`,
      ),
    ],
    finds: [
      {
        site: head(`${'<link rel="stylesheet" href="/a.css">'.repeat(4)}${'<script src="/b.js"></script>'.repeat(3)}`),
        tells: '7 scripts and stylesheets',
      },
    ],
  },
  'too-many-third-parties': {
    passes: [head('<script src="https://a.example/a.js"></script>')],
    finds: [
      {
        site: head(Array.from({ length: 11 }, (_, i) => `<script src="https://h${i}.example/a.js"></script>`).join('')),
        tells: '11 other hosts',
      },
    ],
  },
  'viewport-missing': {
    passes: [
      head('<meta name="viewport" content="width=device-width, initial-scale=1">'),
      head('<meta name="viewport" content="initial-scale=1">'),
    ],
    finds: [
      page,
      {
        site: head('<meta name="viewport" content="user-scalable=yes">'),
        tells: 'sets neither width nor initial-scale',
      },
      head('<meta http-equiv="refresh" content="9; url=/new">'),
    ],
    skips: [...STUBS],
  },
  'viewport-blocks-zoom': {
    passes: [head('<meta name="viewport" content="width=device-width, maximum-scale=5">')],
    finds: [
      head('<meta name="viewport" content="width=device-width, user-scalable=no">'),
      head('<meta name="viewport" content="width=device-width, maximum-scale=1.0">'),
      head('<meta name="viewport" content="width=device-width,user-scalable=0">'),
    ],
    skips: [page],
  },
  'charset-missing': {
    passes: [
      page,
      { pages: [{ html: '<title>Tea</title>' }] },
      { pages: [{ html: '\uFEFF<title>Tea</title>', headers: { 'content-type': 'text/html' } }] },
      {
        pages: [
          {
            html: '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
            headers: { 'content-type': 'text/html' },
          },
        ],
      },
    ],
    finds: [
      {
        site: { pages: [{ html: '<title>Tea</title>', headers: { 'content-type': 'text/html' } }] },
        tells: 'No encoding is declared',
      },
      {
        site: {
          pages: [
            { html: `<!--${' '.repeat(1100)}--><meta charset="utf-8">`, headers: { 'content-type': 'text/html' } },
          ],
        },
        tells: 'only the first 1,024 count',
      },
      { pages: [{ html: '<!-- <meta charset="utf-8"> -->', headers: { 'content-type': 'text/html' } }] },
    ],
  },
  frames: {
    passes: [page, '<!doctype html><title>Tea</title><iframe src="/map"></iframe>'],
    finds: [
      {
        site: '<html><head><title>Tea</title></head><frameset cols="20%,*"><frame src="menu.htm"><frame src="tea.htm"></frameset></html>',
        tells: '2 frames: /menu.htm, /tea.htm',
        count: 1,
      },
    ],
  },
  'doctype-missing': {
    passes: [
      page,
      '<!DOCTYPE html SYSTEM "about:legacy-compat"><title>Tea</title>',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><title>Tea</title>',
    ],
    finds: [
      { site: '<html><title>Tea</title>', tells: 'no doctype' },
      {
        site: '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><title>Tea</title>',
        tells: 'limited quirks',
      },
      { site: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><title>Tea</title>', tells: 'quirks' },
    ],
  },
  'head-broken': {
    passes: [page, '<!doctype html><title>Tea</title><p>No head tags at all</p>'],
    finds: [
      {
        site: '<!doctype html><html><head><img src="/pixel.gif"><title>Tea</title></head><body></body></html>',
        tells: '<img> inside the head',
      },
      {
        site: '<!doctype html><html><head>oops<link rel="canonical" href="https://example.com/"></head><body></body></html>',
        tells: 'the canonical link ends up in the body',
      },
    ],
  },
  'xml-error': {
    passes: [
      { pages: [{ html: xhtml('<p>Tea<br/></p>'), headers: { 'content-type': 'application/xhtml+xml' } }] },
      { pages: [{ html: xhtml('<p>Tea</p>'), headers: { 'content-type': 'text/xml; charset=utf-8' } }] },
    ],
    finds: [
      {
        site: { pages: [{ html: xhtml('\n<p>Tea<br></p>'), headers: { 'content-type': 'application/xhtml+xml' } }] },
        tells: 'sent as application/xhtml+xml, but it is not well-formed, line 2: </p> closes <br>',
        count: 1,
      },
      {
        site: { pages: [{ html: xhtml('<p>Tea & pots</p>'), headers: { 'content-type': 'text/xml' } }] },
        tells: 'an & is not written as &amp;',
      },
    ],
  },
};
