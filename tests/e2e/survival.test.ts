/** A server that is killed during jobs: they continue, once, and everything is settled. */
import { readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, FINAL, signUp } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { startServer } from '../given/product/processes.ts';

/** A site of linked pages whose answers can be held back. */
function startSlowSite(
  pages: number,
): Promise<{ server: Server; host: string; hold(held: boolean): void; asked(): number }> {
  let held = false;
  let asked = 0;
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt' || request.url?.startsWith('/sitemap')) return void response.writeHead(404).end();
    asked += 1;
    const number = Number(/\/page-(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    const links = Array.from({ length: pages }, (_, index) => `<a href="/page-${index}">Page ${index}</a>`).join(' ');
    const send = (): void => {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<!doctype html><html lang="en"><title>Page number ${number} of the slow site</title><body><h1>Page ${number}</h1><p>Text ${number}.</p>${links}`,
        );
    };
    if (held && number >= 3) waiting.push(send);
    else send();
    return undefined;
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        server,
        host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        hold: (value) => {
          held = value;
          if (!value) for (const send of waiting.splice(0)) send();
        },
        asked: () => asked,
      });
    });
  });
}

describe('a server killed in the middle', () => {
  const data = temporaryData();
  let site: Awaited<ReturnType<typeof startSlowSite>>;
  let server: BuiltServer;
  const env = (): Record<string, string> => ({ AUDIT_ALLOW_HOSTS: site.host, DEMO: 'true' });

  beforeAll(async () => {
    site = await startSlowSite(12);
    server = await startBuiltServer(data.dir, env());
  });
  afterAll(async () => {
    await server?.stop();
    site.server.closeAllConnections();
    site.server.close();
    data.remove();
  });

  it('resumes the job where it was and ends it once', async () => {
    const user = await signUp(server.url);
    site.hold(true);
    const job = await user.submit(`http://${site.host}/`);
    await user.waitForJob(job.id, (now) => now.pages_done > 0);
    await server.kill();
    site.hold(false);
    server = await startBuiltServer(data.dir, env());
    const again = clientOf(server.url, user.token, user.userId);
    const ended = await again.waitForJob(job.id, (now) => FINAL.has(now.status));
    expect(ended.status).toBe('completed');
    expect(ended.stages.every((stage) => stage.state === 'done')).toBe(true);
    expect(await again.file(job.id, 'seo-audit-report.md')).toContain('#');
    const usage = await again.call<{ data: { usage: { used: number } } }>('GET', '/api/v1/subscription/status');
    expect(usage.body.data.usage.used).toBe(1);
  });

  it('keeps a cancelled job cancelled, releases its audit, and takes the next', async () => {
    const user = await signUp(server.url);
    site.hold(true);
    const job = await user.submit(`http://${site.host}/`);
    await user.waitForJob(job.id, (now) => now.pages_done > 0);
    const cancelled = await user.call('POST', `/api/v1/jobs/${job.id}/cancel`);
    expect(cancelled.status).toBe(200);
    site.hold(false);
    expect(await user.job(job.id)).toMatchObject({ status: 'failed', reason_code: 'CANCELLED' });
    const usage = await user.call<{ data: { usage: { used: number } } }>('GET', '/api/v1/subscription/status');
    expect(usage.body.data.usage.used).toBe(0);
    const next = await user.submit(`http://${site.host}/`);
    expect((await user.waitForJob(next.id, (now) => FINAL.has(now.status))).status).toBe('completed');
  });

  it('stops cleanly in the middle of a job and resumes after the start', async () => {
    const user = await signUp(server.url);
    site.hold(true);
    const job = await user.submit(`http://${site.host}/`);
    await user.waitForJob(job.id, (now) => now.pages_done > 0);
    expect(await server.stop()).toBe(0);
    site.hold(false);
    server = await startBuiltServer(data.dir, env());
    const again = clientOf(server.url, user.token, user.userId);
    expect((await again.waitForJob(job.id, (now) => FINAL.has(now.status))).status).toBe('completed');
  });

  it('stops cleanly as soon as it has printed its address', async () => {
    expect(await server.stop()).toBe(0);
    const starting = startServer({ env: { DEMO_PORT: '0', DATA_DIR: data.dir, ...env() } });
    await starting.started;
    expect(await starting.stop()).toBe(0);
    server = await startBuiltServer(data.dir, env());
  });

  it('makes its data readable only for its own user', () => {
    const modes = readdirSync(data.dir).map((name) => [
      name,
      (statSync(join(data.dir, name)).mode & 0o077).toString(8),
    ]);
    expect(modes.length).toBeGreaterThan(2);
    expect(modes.filter(([, mode]) => mode !== '0')).toEqual([]);
  });

  it('explains that the data folder is not a folder', async () => {
    const file = join(data.dir, 'demo-admin-password');
    await expect(startBuiltServer(file)).rejects.toThrow(`DATA_DIR: ${file} cannot be used as a folder`);
  });

  it('refuses a second process on the same data, and says why', async () => {
    await expect(startBuiltServer(data.dir, env())).rejects.toThrow(/another process|in use/i);
  });
});
