/** Pages filled by scripts, well and badly, on loopback. The shells look like those of frameworks. */

import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { startTestSite, type TestPage, type TestSite } from './testSite.ts';

/** An empty root and a script. */
export function shell(script: string, head = ''): TestPage {
  return {
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>${head}</head><body><div id="root"></div><script>${script}</script></body></html>`,
  };
}

export const code = (body: string): TestPage => ({ body, headers: { 'content-type': 'text/javascript' } });
export const json = (value: unknown): TestPage => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

const SENTENCE =
  'Tea is picked by hand in spring, and dried in the shade of the old barn before it is rolled and sorted. ';

/** With its own router: the content of a path comes from the API of the site. */
const APP = `
const root = document.getElementById('root');
async function show(path) {
  const answer = await fetch('/api' + (path === '/' ? '/home' : path) + '.json');
  const page = await answer.json();
  document.title = page.title;
  root.innerHTML = '<main><h1></h1><p></p><nav></nav></main>';
  root.querySelector('h1').textContent = page.title;
  root.querySelector('p').textContent = page.text;
  for (const link of page.links) {
    const anchor = document.createElement('a');
    anchor.href = link;
    anchor.textContent = 'All about ' + link;
    root.querySelector('nav').append(anchor);
  }
}
show(location.pathname);
`;

const page = (title: string, ...links: readonly string[]) => json({ title, text: SENTENCE.repeat(8), links });

export function appPages(): Record<string, TestPage> {
  const home = shell('', '<script type="module" src="/app.js"></script>');
  return {
    '/': home,
    '/teas': home,
    '/cups': home,
    '/app.js': code(APP),
    '/api/home.json': page('Teas and cups from the hills of Uji', '/teas', '/cups'),
    '/api/teas.json': page('All our teas, by the hand that picked them', '/', '/cups'),
    '/api/cups.json': page('Cups for every tea, thrown in our yard', '/'),
    '/robots.txt': { body: 'User-agent: *\nDisallow: /secret/\n', headers: { 'content-type': 'text/plain' } },
  };
}

export function startAppSite(pages: Record<string, TestPage> = appPages()): Promise<TestSite> {
  return startTestSite(pages);
}

/** Counts connections, and never answers. */
export async function startListener(): Promise<{
  readonly port: number;
  readonly knocks: () => number;
  readonly close: () => Promise<void>;
}> {
  const sockets = new Set<Socket>();
  let knocks = 0;
  const server = createTcpServer((socket) => {
    knocks++;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    knocks: () => knocks,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
