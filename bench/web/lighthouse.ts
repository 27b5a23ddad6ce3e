/**
 * What Lighthouse says of the built app: its default phone on a slow line. Fetched by npx, in the version that is
 * pinned here, since nothing else needs it.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { FLAGS } from '../../tests/given/product/browser.ts';
import { signIn } from '../../tests/given/product/screens.ts';
import { CHROMIUM } from '../../tests/given/requirements.ts';
import { type Figure, median, type Row } from '../measure.ts';
import { startWebInstallation } from './webInstallation.ts';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility'] as const;
const GOAL = 95;

type Report = { readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number }>> };

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Asked a second time when it says that its own recording failed. */
async function lighthouse(url: string, port: number, file: string, tries = 2): Promise<Report> {
  const flags = [
    `--port=${port}`,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    '--disable-storage-reset',
    `--only-categories=${CATEGORIES.join(',')}`,
  ];
  try {
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...flags], {
      timeout: 180_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    if (tries < 2 || !/NO_NAVSTART/.test(String(error))) throw error;
    return lighthouse(url, port, file, tries - 1);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

export const lighthouseScores: Figure = {
  name: 'lighthouse',
  async measure({ dir, rounds, say }) {
    const web = await startWebInstallation(join(dir, 'data'), { jobs: 20, actions: 40 });
    const port = await freePort();
    const options = { executablePath: CHROMIUM, args: [...FLAGS, `--remote-debugging-port=${port}`], viewport: null };
    const context = await chromium.launchPersistentContext(join(dir, 'browser'), options);
    const rows: Row[] = [];
    const judge = async (what: string, path: string): Promise<void> => {
      const reports: Report[] = [];
      for (let round = 0; round < Math.min(rounds, 3); round += 1)
        reports.push(await lighthouse(`${web.url}${path}`, port, join(dir, 'report.json')));
      const [performance, accessibility] = CATEGORIES.map((category) =>
        Math.round(100 * median(reports.map(({ categories }) => categories[category].score))),
      );
      say(`${what}: performance ${performance}, accessibility ${accessibility}`);
      const met = (performance ?? 0) >= GOAL && (accessibility ?? 0) >= GOAL;
      rows.push({
        what: `Lighthouse, ${what}: performance / accessibility`,
        ours: `${performance} / ${accessibility}`,
        limit: '100 / 100',
        ratio: null,
        goal: `≥ ${GOAL}`,
        met,
      });
    };
    try {
      await judge('log-in page', '/login');
      await judge('shared dashboard', web.paths.shared);
      await judge('shared texts', web.paths.sharedTexts);
      await signIn(context, web.url, web.credentials);
      await judge('jobs home', '/');
      await judge('actions dashboard', web.paths.audited);
      return rows;
    } finally {
      await context.close();
      await web.stop();
    }
  },
};
