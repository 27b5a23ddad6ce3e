/**
 * `node scripts/run.mjs mcp`: serves an assistant on this machine over stdin and stdout, by the routes of an
 * installation. Only messages of the protocol are written to stdout.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { createAssistantServer } from '../http/mcp/assistantServer.ts';
import { callsOver } from '../http/mcp/callsOver.ts';
import { parseUrl } from '../model/parseUrl.ts';
import { version } from '../start/version.ts';

const EXIT_REFUSED = 1;

const { url } = new Command('mcp')
  .description('Serves an assistant over stdin and stdout. The API key is read from SEO_API_KEY.')
  .requiredOption('--url <address>', 'address of the installation, such as https://seo.example.com')
  .configureOutput({ writeOut: (text) => process.stderr.write(text) })
  .parse()
  .opts<{ readonly url: string }>();

const key = process.env.SEO_API_KEY ?? '';
const address = parseUrl(url);
if (address === null || !/^https?:$/.test(address.protocol)) refuse(`--url is no web address: ${url}`);
else if (key === '') refuse('Set SEO_API_KEY to an API key of your account (Account, then API access).');
else serve(address.href, key);

function refuse(text: string): void {
  console.error(text);
  process.exitCode = EXIT_REFUSED;
}

function serve(installation: string, apiKey: string): void {
  const stateKey = randomBytes(32);
  const at = { url: installation, key: apiKey, agent: `seo-audit-workbench-mcp/${version()}`, newId: randomUUID };
  serveStdio(
    ({ era }) =>
      createAssistantServer({
        version: version(),
        era,
        callsFor: (signal) => callsOver({ ...at, signal }),
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
  console.error(`Serving an assistant from ${installation}`);
}
