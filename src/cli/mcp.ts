/**
 * `node scripts/run.mjs mcp`: serves an assistant on this machine over stdin and stdout, by the routes of an
 * installation (`--url`), or by those of a product of its own in this process (`--local`). Only messages of the protocol
 * are written to stdout.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { createAssistantServer } from '../http/mcp/assistantServer.ts';
import type { CallRoute } from '../http/mcp/callRoute.ts';
import { callsOver } from '../http/mcp/callsOver.ts';
import { parseUrl } from '../model/parseUrl.ts';
import { version } from '../start/version.ts';

const EXIT_REFUSED = 1;

type Options = {
  readonly url?: string;
  readonly local?: true;
  readonly dataDir?: string;
  readonly allowHost: readonly string[];
};

/** What answers, and how to end it. */
type Served = {
  readonly what: string;
  readonly callsFor: (signal: AbortSignal) => CallRoute;
  readonly without?: ReadonlySet<string>;
  readonly stop?: () => Promise<void>;
};

const options = new Command('mcp')
  .description(
    'Serves an assistant over stdin and stdout, with the API key in SEO_API_KEY or, with --local, without one.',
  )
  .option('--url <address>', 'address of the installation, such as https://seo.example.com')
  .option('--local', 'audit from this machine, without an installation')
  .option('--data-dir <folder>', 'with --local: where its data is kept (default: .seo-audit-workbench in your home)')
  .option(
    '--allow-host <host:port>',
    'with --local: a host inside your network that may be audited; repeatable',
    listed,
    [],
  )
  .configureOutput({ writeOut: (text) => process.stderr.write(text) })
  .parse()
  .opts<Options>();

function listed(host: string, before: readonly string[]): readonly string[] {
  return [...before, host];
}

try {
  serve(await served(options));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = EXIT_REFUSED;
}

/** @throws Error if it cannot be served, with the reason as its text */
async function served({ url, local, dataDir, allowHost }: Options): Promise<Served> {
  if (local && url === undefined) {
    const { openLocal } = await import('./mcpLocal.ts');
    return openLocal({ dataDir, allowHosts: allowHost });
  }
  if (url === undefined || local) throw new Error('Pass either --url or --local.');
  const key = process.env.SEO_API_KEY ?? '';
  const address = parseUrl(url);
  if (address === null || !/^https?:$/.test(address.protocol)) throw new Error(`--url is no web address: ${url}`);
  if (key === '') throw new Error('Set SEO_API_KEY to an API key of your account (Account, then API access).');
  const at = { url: address.href, key, agent: `seo-audit-workbench-mcp/${version()}`, newId: randomUUID };
  return { what: address.href, callsFor: (signal) => callsOver({ ...at, signal }) };
}

function serve({ what, callsFor, without, stop }: Served): void {
  const stateKey = randomBytes(32);
  serveStdio(
    ({ era }) =>
      createAssistantServer({
        version: version(),
        era,
        callsFor,
        ...(without ? { without } : {}),
        scope: null,
        callerId: 'this process',
        stateKey,
        // One person's own process.
        takeWait: () => () => undefined,
        newId: randomUUID,
        called: () => undefined,
        failed: (error) => console.error(error),
      }),
    { onerror: (error) => console.error(error.message) },
  );
  console.error(`Serving an assistant from ${what}`);
  if (!stop) return;
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(EXIT_REFUSED);
      },
    );
  };
  process.stdin.once('end', end).once('close', end);
  process.once('SIGINT', end).once('SIGTERM', end);
}
