/** A shop to send requests to, break and read: the product, its payment provider, and a site to audit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoSite } from '../../../src/demoSite/demoSite.ts';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { openSqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { sweepMark } from '../../../src/work/runSweeps.ts';
import { freePort } from '../../given/product/freePort.ts';
import { builtProgram, type RunningProcess, type RunningServer, startProcess } from '../../given/product/processes.ts';
import { runProgram } from '../../given/product/program.ts';
import { integrityFaults } from '../verdict.ts';
import { startVictim, tortured } from '../victim.ts';
import { readWorkView, type WorkView } from '../work/workLog.ts';
import { type Provider, providerAt } from './provider.ts';
import { startShutSite } from './shutSite.ts';

/**
 * The state at a moment; null while it cannot be read. `swept`: the hourly sweep has finished since it was made due.
 */
export type Look = { readonly view: WorkView | null; readonly swept: boolean };

export type BillingArena = {
  readonly name: string;
  /** Of the site that jobs audit. */
  readonly site: string;
  /** Of one that shuts out every crawler. */
  readonly shutSite: string;
  readonly provider: Provider;
  /** Address of the API; null while it is down. */
  url(): string | null;
  /** kill -9; `start` follows. Absent: it cannot be killed. */
  readonly kill?: () => Promise<void>;
  /** Starts it again with the hourly sweep due at once. Resolves when it answers. */
  readonly start?: () => Promise<void>;
  /** A clean restart with the sweep due at once; without a process to restart, just the sweep. */
  sweep(): Promise<void>;
  /** Only while there are no requests; may restart the process. */
  look(): Promise<Look>;
  /** Compares the provider's books with the bills; returns the differences. */
  check(): Promise<readonly string[]>;
  /** A clean shutdown; returns its failures and those of the stores. */
  finish(): Promise<readonly string[]>;
  output(): string;
  close(): Promise<void>;
};

export type BillingArenaOptions = {
  readonly seed: number;
  /** Free audits of each account. */
  readonly allowance: number;
  /** The server's entry file. Default: the build. */
  readonly server?: string | undefined;
};

export const SANDBOX_KEY = 'sk_sandbox_of_the_storm';
/** The admin, so that no user of the storm is one: admins pay nothing. */
export const ADMIN = 'admin@example.com';
/** Fifty waiting users send requests at the same time. */
const READY_MS = 180_000;
const SWEEP = sweepMark('missedProviderEvents');
const LONG_AGO = new Date(0).toISOString();

export const webhookAt = (port: number): string => `http://127.0.0.1:${port}/api/v1/stripe/webhook`;

/** The built product as one process on the embedded stores, and the built sandbox as another process. */
export async function openBillingArena({ seed, allowance, server: entry }: BillingArenaOptions): Promise<BillingArena> {
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const booksDir = mkdtempSync(join(tmpdir(), 'seo-workbench-books-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const shutSite = await startShutSite();
  const port = await freePort();
  const sandbox = startSandbox(booksDir, port, seed);
  const { url: sandboxUrl } = await sandbox.started;
  const allowHosts = [new URL(site.url).host, shutSite.host].join();
  const env = {
    PORT: String(port),
    BILLING: 'sandbox',
    PAYMENT_SANDBOX_URL: sandboxUrl,
    PAYMENT_SANDBOX_KEY: SANDBOX_KEY,
    ADMIN_EMAIL: ADMIN,
    AUDIT_MAX_PAGES: '1',
  };
  let server: RunningServer;
  let url: string | null = null;
  let stderr = '';

  async function start(): Promise<void> {
    server = startVictim({ dataDir, allowHosts, server: entry, allowance, env });
    url = await server.ready(READY_MS);
    if (new URL(url).port !== String(port))
      throw new Error(`The product listens on ${url}, where the provider does not look for it.`);
  }
  function gone(): void {
    stderr += server.stderr();
    url = null;
  }
  async function stop(): Promise<readonly string[]> {
    const code = await server.stop();
    gone();
    return code === 0 ? [] : [`the orderly stop ended with ${code}`];
  }
  /** Makes the sweep due, as after an hour. */
  async function makeSweepDue(): Promise<void> {
    const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
    const mark = await readModels.marks.read(SWEEP);
    if (mark !== null) await readModels.marks.write(SWEEP, JSON.stringify({ ...JSON.parse(mark), ranAt: LONG_AGO }));
    await readModels.close();
  }

  await start();
  const troubles: string[] = [];
  return {
    name: 'one process on the embedded stores, the payment sandbox as another',
    site: site.url,
    shutSite: shutSite.url,
    provider: providerAt(sandboxUrl, SANDBOX_KEY),
    url: () => url,
    kill: async () => {
      await server.kill();
      gone();
    },
    start: async () => {
      await makeSweepDue();
      await start();
    },
    sweep: async () => {
      troubles.push(...(await stop()));
      await makeSweepDue();
      await start();
    },
    // Only the process itself can open its files while it runs.
    look: async () => {
      troubles.push(...(await stop()));
      const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
      const readModels = openSqliteReadModels({ file: join(dataDir, 'readModels.db') });
      const view = await readWorkView(store, readModels);
      const mark = await readModels.marks.read(SWEEP);
      await readModels.close();
      await store.close();
      await start();
      return { view, swept: mark !== null && (JSON.parse(mark) as { readonly ranAt?: string }).ranAt !== LONG_AGO };
    },
    check: async () => {
      const { code, output } = await runProgram('billingCheck', [], {
        ...tortured(allowHosts, allowance),
        ...env,
        DATA_DIR: dataDir,
      });
      return code === 0 ? [] : [`billing:check ended with ${code}: ${output}`];
    },
    finish: async () => [...troubles, ...(await stop()), ...integrityFaults(dataDir)],
    output: () => stderr + server.stderr() + sandbox.stderr(),
    close: async () => {
      await server.kill();
      await sandbox.kill();
      await site.close();
      await shutSite.close();
      for (const dir of [dataDir, booksDir]) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function startSandbox(dir: string, port: number, seed: number): RunningProcess {
  return startProcess({
    name: 'the payment sandbox',
    entry: builtProgram('paymentSandbox'),
    args: ['--port', '0', '--data', dir, '--webhook', webhookAt(port), '--seed', String(seed)],
    env: { PAYMENT_SANDBOX_KEY: SANDBOX_KEY },
    started: /Payment sandbox on (http:\S+):/,
  });
}
