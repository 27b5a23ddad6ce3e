import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAppPages } from '../../../src/http/pages/appPage.ts';

describe('the page of an address', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'web-'));
    writeFileSync(join(dir, 'index.html'), '<html><head><title>App</title></head></html>');
    writeFileSync(
      join(dir, 'preloads.json'),
      JSON.stringify({
        '/': ['/assets/home.js'],
        '/login': ['/assets/login.js'],
        '/shared/:token': ['/assets/shared.js'],
      }),
    );
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it.each([
    ['/', ['home.js']],
    ['/login', ['login.js']],
    ['/shared/abc', ['shared.js']],
    ['/shared/', []],
    ['/shared/abc/more', []],
    ['/anything', []],
  ])('%s names its scripts', (path, files) => {
    const { html = '' } = loadAppPages(dir)(path) ?? {};
    expect(
      [...html.matchAll(/<link rel="modulepreload" crossorigin href="\/assets\/([^"]+)" \/>/g)].map(
        (found) => found[1],
      ),
    ).toEqual(files);
    expect(html).toContain('</head>');
  });

  it('has a different tag for each content', () => {
    const pages = loadAppPages(dir);
    expect(pages('/login')?.etag).toMatch(/^"[\w-]{27}"$/);
    expect(pages('/login')?.etag).not.toBe(pages('/')?.etag);
    expect(pages('/one')?.etag).toBe(pages('/two')?.etag);
  });

  it('is empty when the app is not built', () => {
    expect(loadAppPages(null)('/')).toBeNull();
    expect(loadAppPages(join(dir, 'missing'))('/')).toBeNull();
  });
});
