/** The product in this process for the one person who started it: embedded stores, one account, no port, no billing. */
import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { emailStreamOf } from '../commands/account/emailStreamOf.ts';
import { signUp } from '../commands/account/signUp.ts';
import { type CommandContext, contextOf } from '../commands/context.ts';
import { loadState } from '../commands/handle.ts';
import { emailDecider } from '../domain/account/email.ts';
import type { HttpDeps } from '../http/deps/deps.ts';
import { createDispatch } from '../http/dispatch/dispatch.ts';
import { type CallRoute, callsWithin } from '../http/mcp/callRoute.ts';
import type { Caller } from '../http/request/caller.ts';
import { logOptions } from '../http/request/log.ts';
import { productGroup } from '../http/routes/productGroup.ts';
import { startApp } from '../start/compose.ts';
import { loadConfig } from '../start/config.ts';

const FOLDER = '.seo-audit-workbench';
const EMAIL = 'local@example.com';
/** There is no address to which a link could lead. */
const WITHOUT: ReadonlySet<string> = new Set(['share_report']);

type Given = { readonly dataDir: string | undefined; readonly allowHosts: readonly string[] };

type Local = {
  readonly what: string;
  readonly without: ReadonlySet<string>;
  readonly callsFor: (signal: AbortSignal) => CallRoute;
  readonly stop: () => Promise<void>;
};

/** @throws ConfigError; StoreUnavailable when another process has the folder open */
export async function openLocal({ dataDir, allowHosts }: Given): Promise<Local> {
  // Its files are readable only by its own user.
  process.umask(0o077);
  const folder = resolve(dataDir ?? join(homedir(), FOLDER));
  const { EVENTSTORE_URL: _, MONGODB_URL: __, SMTP_URL: ___, ROLE: ____, ...env } = process.env;
  const hosts = [...allowHosts, env.AUDIT_ALLOW_HOSTS ?? ''].filter(Boolean).join(',');
  const config = loadConfig({ ...env, DATA_DIR: folder, BILLING: 'off', DEMO: 'false', AUDIT_ALLOW_HOSTS: hosts });
  // Stdout is the assistant's.
  const log = pino(logOptions(config.LOG_LEVEL), pino.destination({ fd: 2, sync: true }));
  const app = await startApp(config, log, { listens: false });
  if (!app.within) throw new Error('Nothing answers in this process.');
  const { deps } = app.within;
  const caller = await localCaller(deps);
  const access = { ...productGroup().access, callerOf: async () => caller };
  const dispatch = createDispatch(app.within, { ...productGroup(), access });
  return {
    what: `${folder}, without a server`,
    without: WITHOUT,
    callsFor: (signal) =>
      callsWithin(dispatch, { requestId: randomUUID(), authorization: '', agent: '', address: '127.0.0.1', signal }),
    stop: app.stop,
  };
}

/** Of the folder's one account, made with its first start. Nobody can log in to it. */
async function localCaller({ store, readModels, passwords, now }: HttpDeps): Promise<Caller> {
  const context: CommandContext = contextOf(
    { store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'local' } },
    null,
  );
  const { state } = await loadState(store, emailDecider, emailStreamOf(EMAIL));
  const userId =
    state.userId ?? (await signedUp(context, await passwords.hash(randomBytes(32).toString('hex'), 'local')));
  await readModels.reached(['accounts'], await store.head(), 10_000);
  return { userId, sessionId: 'local', startedAt: now(), accessExpiresAt: '9999-12-31T23:59:59.999Z' };
}

const signedUp = async (context: CommandContext, passwordHash: string): Promise<string> =>
  (await signUp(context, { email: EMAIL, name: 'You', passwordHash })).userId;
