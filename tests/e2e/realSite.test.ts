/** A real documentation site of hundreds of pages, served on loopback, submitted to the built server as by a user. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, logIn } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, PYTHON_DOCS } from '../given/requirements.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

function serveFolder(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? '/').replace(/[?#].*$/, ''))).replace(
      /^(\.\.[/\\])+/,
      '',
    );
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile())
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>Not found');
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
    return undefined;
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe.skipIf(!available('python3.11-doc, a real documentation site,', PYTHON_DOCS))(
  'a real documentation site',
  () => {
    const data = temporaryData();
    let site: Server;
    let server: BuiltServer;

    beforeAll(async () => {
      site = await serveFolder(PYTHON_DOCS);
      server = await startBuiltServer(data.dir, {
        AUDIT_ALLOW_HOSTS: `127.0.0.1:${(site.address() as AddressInfo).port}`,
        AUDIT_MAX_PAGES: '200',
      });
    });
    afterAll(async () => {
      await server?.stop();
      site?.close();
      data.remove();
    });

    it('gets a correct report', async () => {
      const admin = await logIn(server.url, server.admin);
      const job = await admin.submit(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      const ended = await admin.waitForJob(job.id, (now) => FINAL.has(now.status), 110_000);
      expect(ended).toMatchObject({ status: 'partially_completed', access: 'full' });
      // One of the 200 answers is a page that the package omits.
      expect(ended.pages_done).toBeGreaterThanOrEqual(199);
      expect(ended.reason).toMatch(/200-page limit/);
      const findings = JSON.parse(await admin.file(job.id, 'findings.json')) as {
        findings: { checkId: string; evidence: { url: string } }[];
      };
      const found = new Set(findings.findings.map((finding) => finding.checkId));
      // True findings of these pages: no descriptions on most, no structured data, no robots.txt.
      for (const checkId of ['description-missing', 'schema-missing', 'robots-missing'])
        expect(found).toContain(checkId);
      // False findings: every page has a title, a language, a viewport and a doctype.
      for (const checkId of ['title-missing', 'viewport-missing', 'doctype-missing', 'html-lang-missing'])
        expect(found).not.toContain(checkId);
      expect(findings.findings.every((finding) => finding.evidence.url.startsWith('http://127.0.0.1'))).toBe(true);
      const pages = (await admin.file(job.id, 'pages.csv')).trim().split('\n');
      expect(pages.length).toBeGreaterThanOrEqual(200);
      expect(ended.score).toBeGreaterThan(20);
      expect(ended.score).toBeLessThan(95);
      const actions = await admin.call<{
        actions: { findingIds?: string[]; optional: boolean; evidence: unknown[] }[];
        isFreemiumPreview: boolean;
      }>('GET', `/api/v1/actions?jobId=${job.id}`);
      expect(actions.body.actions.filter(({ optional }) => !optional).length).toBe(ended.action_count);
      expect(actions.body.actions.every((action) => action.evidence.length > 0)).toBe(true);
      expect(actions.body.isFreemiumPreview).toBe(false);
    });
  },
);
