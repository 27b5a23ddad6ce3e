/** The product in this process as it runs in the background: stores, read models and workers, without its web side. */
import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { type Cause, type CommandContext, contextOf } from '../../src/commands/context.ts';
import type { Actor } from '../../src/domain/stored/metadata.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { loadConfig } from '../../src/start/config.ts';
import { openStores, type Stores } from '../../src/start/openStores.ts';
import { startProjector } from '../../src/start/startProjector.ts';
import { startWorkers, type Workers } from '../../src/start/startWorkers.ts';
import { followUpWith } from '../../tests/given/followUp.ts';
import { quickPasswords } from '../../tests/given/passwords.ts';

export type InstallationOptions = {
  readonly dir: string;
  /** Without: the embedded stores in `dir`. */
  readonly servers?: { readonly eventStoreUrl: string; readonly mongoUrl: string } | undefined;
  /** What may be audited beside the public. */
  readonly allowHosts: string;
};

export type Installation = Stores & {
  readonly workers: Workers;
  context(): CommandContext;
  /** Places of this kind that are taken. */
  running(kind: string): number;
  stop(): Promise<void>;
};

/** `seed` writes into the log before anything follows it. */
export async function startInstallation(
  options: InstallationOptions,
  seed?: (stores: Stores, context: () => CommandContext) => Promise<void>,
): Promise<Installation> {
  const { dir, servers, allowHosts } = options;
  const log = pino({ level: 'error' }, pino.destination(2));
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dir,
    DEMO: 'false',
    AUDIT_ALLOW_HOSTS: allowHosts,
    ...(servers ? { EVENTSTORE_URL: servers.eventStoreUrl, MONGODB_URL: servers.mongoUrl } : {}),
  });
  const now = (): string => new Date().toISOString();
  const stores = await openStores(config, log);
  const contextBy = (actor: Actor, cause: Cause | null): CommandContext =>
    contextOf({ store: stores.store, now, commandId: randomUUID(), actor }, cause);
  const context = (): CommandContext => contextBy({ kind: 'system', id: 'bench' }, null);
  await seed?.(stores, context);
  const projector = startProjector(stores, log);
  await projector.ready;
  const parser = createParserPool({ processes: 1 });
  const workers = startWorkers({
    ...stores,
    config,
    log,
    parse: parser.parse,
    analyst: createRulesAnalyst(),
    renderer: null,
    allowHosts: config.allowHosts,
    followUp: followUpWith(),
    mailer: null,
    payments: null,
    newToken: () => randomBytes(32).toString('base64url'),
    hashCode: quickPasswords.hash,
    appUrl: 'http://localhost',
    context: contextBy,
    now,
    problems: async () => [],
  });
  return {
    ...stores,
    workers,
    context,
    running: (kind) => workers.state().find((state) => state.kind === kind)?.running ?? 0,
    async stop() {
      await workers.stop();
      await projector.stop();
      await parser.close();
      await stores.close();
    },
  };
}
