/**
 * The whole HTTP side on real stores in memory, listening on its own port: given streams, when request, then answer and
 * new events.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { compareStored, readScope, scoreComparer } from '../../../src/audit/report/storedRuns.ts';
import { proveEmail } from '../../../src/commands/account/proveEmail.ts';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import type { FollowUp } from '../../../src/commands/plan/followUp.ts';
import { mfaKeys } from '../../../src/commands/secondFactor/mfaKeys.ts';
import { eventsOf } from '../../../src/domain/stored/eventOf.ts';
import { monthOfStream, TALLY_TYPES, type TallyEvent } from '../../../src/domain/tally/events.ts';
import type { AllRead, EventStore, NewEvent, Position } from '../../../src/eventStore/eventStore.ts';
import type { HttpConfig, HttpDeps } from '../../../src/http/deps/deps.ts';
import { createNetworkOf } from '../../../src/http/jobs/submitterNetwork.ts';
import { createMcp } from '../../../src/http/mcp/mcp.ts';
import type { RealtimeLimits } from '../../../src/http/realtime/connection.ts';
import { attachRealtime, type Realtime } from '../../../src/http/realtime/realtime.ts';
import { logOptions } from '../../../src/http/request/log.ts';
import { createRateLimiter, DEFAULT_RATE_LIMITS, type RateLimits } from '../../../src/http/request/rateLimits.ts';
import { type AppOptions, createApp } from '../../../src/http/server/app.ts';
import { createServer, type HttpServer } from '../../../src/http/server/server.ts';
import { createMetrics } from '../../../src/http/usage/metrics.ts';
import { createReportOpenings } from '../../../src/http/usage/reportOpenings.ts';
import { createSecurityLog } from '../../../src/http/usage/securityLog.ts';
import { createShareVisits } from '../../../src/http/usage/shareVisits.ts';
import { createTallies } from '../../../src/http/usage/tallies.ts';
import { createUserPresence } from '../../../src/http/usage/userPresence.ts';
import type { Analyst } from '../../../src/integrations/analyst/analyst.ts';
import { drawPreview } from '../../../src/integrations/previewImage/previewImage.ts';
import { createWebhookUrlCheck } from '../../../src/integrations/webhookUrl.ts';
import type { AnyProjection } from '../../../src/projections/projection.ts';
import { followParkedRetries } from '../../../src/projector/parkedRetries.ts';
import { runProjections } from '../../../src/projector/project.ts';
import type { SqliteReadModels } from '../../../src/readModels/sqlite/sqlite.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { createKeptReports } from '../../../src/reports/keptReports.ts';
import { createReportRuns } from '../../../src/reports/reportRuns.ts';
import { accountContentOf } from '../../../src/start/accountContent.ts';
import { loadConfig } from '../../../src/start/config.ts';
import { httpConfigOf } from '../../../src/start/http/httpConfig.ts';
import { createSiteUrlCheck } from '../../../src/start/http/siteUrl.ts';
import { storedReports } from '../../../src/start/reports/storedReports.ts';
import { sequenceTextsOf } from '../../../src/start/sequenceTexts.ts';
import { sleep } from '../../../src/start/sleep.ts';
import { accountExportKind } from '../../../src/work/kinds/accountExport.ts';
import { promptTrialKind } from '../../../src/work/kinds/promptTrial.ts';
import { reworkKind } from '../../../src/work/kinds/rework.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { followUpWith } from '../followUp.ts';
import { quickPasswords } from '../passwords.ts';
import { memoryEventStore } from '../stores/eventStore.ts';
import { metadataAt } from '../stores/metadata.ts';
import { preparedReadModels } from '../stores/readModels.ts';
import { startRunner } from '../work/work.ts';
import { checkAnswer } from './answers.ts';
import { exchange } from './exchange.ts';
import { projectorGate } from './projectorGate.ts';
import { quietSystem } from './system.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
type Answer = { readonly status: number; readonly headers: Headers; readonly body: any; readonly text: string };

type CallOptions = {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
};

export type TestUser = {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
};

/** `readModels`: with everything that is kept beside them. */
export type TestStores = { readonly store: EventStore; readonly readModels: SqliteReadModels };

export type TestApp = TestStores & {
  /** `http://127.0.0.1:{port}` */
  readonly url: string;
  readonly deps: HttpDeps;
  readonly server: HttpServer;
  readonly realtime: Realtime;
  /** Every log line so far. */
  readonly logLines: readonly string[];
  /** Moves the clock of sessions and jobs. */
  advance(ms: number): void;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Confirmed by default, as if the link in the mail had been opened. */
  signUp(options?: {
    readonly email?: string;
    readonly name?: string;
    readonly confirmed?: boolean;
  }): Promise<TestUser>;
  /** Appends events as the product would have, and waits until the read models have them. */
  given(stream: string, ...events: readonly { readonly type: string; readonly data: object }[]): Promise<Position>;
  /** Events since its last call, without those of keyed requests and tallies. */
  newEvents(): Promise<
    readonly { readonly stream: string; readonly type: string; readonly data: Record<string, unknown> }[]
  >;
  /** Every tally so far, with what is counted but not written yet. */
  tallied(): Promise<readonly TallyEvent[]>;
  readonly projector: {
    /**
     * Once the read models have everything: no later event reaches them. Nobody waits for them meanwhile, since that
     * would be in vain.
     */
    pause(): Promise<void>;
    /** Resolves when the read models have everything again. */
    resume(): Promise<void>;
  };
  close(): Promise<void>;
};

export type TestAppOptions = {
  readonly config?: Partial<HttpConfig>;
  readonly rateLimits?: Partial<RateLimits>;
  readonly realtime?: Partial<RealtimeLimits>;
  readonly app?: AppOptions;
  /** Default: trace. */
  readonly logLevel?: string;
  readonly deps?: Partial<HttpDeps>;
  readonly sharing?: Partial<HttpDeps['sharing']>;
  readonly drainMs?: number;
  /** The worker's access to the analyst and sites; null: there is no worker. */
  readonly followUp?: FollowUp | null;
  /** The worker's analyst for prompt trials. Default: no model. */
  readonly tryPrompt?: Analyst['tryPrompt'];
  /** Allowed internal hosts, for webhooks. */
  readonly allowHosts?: readonly string[];
  /** Default: in memory. */
  readonly stores?: TestStores;
  /** Default: those of the product. */
  readonly projections?: readonly AnyProjection[];
};

export const PASSWORD = 'a good password';
/** As on a fresh machine. */
const SETTINGS = loadConfig({});
const START_TIME = Date.UTC(2026, 2, 10, 12);

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { store, readModels } = options.stores ?? { store: memoryEventStore(), readModels: await preparedReadModels() };
  const ended = new AbortController();
  const gate = projectorGate(readModels);
  const projecting = runProjections({
    store,
    readModels: gate.inside,
    projections: options.projections ?? READ_MODELS,
    signal: ended.signal,
    now: Date.now,
  });
  const retrying = followParkedRetries({
    projections: projecting,
    store,
    marks: readModels.marks,
    signal: ended.signal,
    sleep,
    log: pino({ level: 'silent' }),
  });
  await projecting.ready;
  let clock = START_TIME;
  const logLines: string[] = [];
  const server = createServer({ drainMs: options.drainMs ?? 2_000 });
  const port = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const reportOpenings = createReportOpenings(pino({ level: 'silent' }));
  const systemContext = () => {
    const commandId = randomUUID();
    return contextOf(
      { store, now: () => new Date(clock).toISOString(), commandId, actor: { kind: 'system', id: 'test' } },
      null,
    );
  };
  const silent = pino({ level: 'silent' });
  const metrics = createMetrics();
  const visits = createShareVisits({ context: systemContext, log: silent, windowMs: 50 });
  const tallies = createTallies({ context: systemContext, log: silent, metrics });
  const log = pino(logOptions(options.logLevel ?? 'trace'), { write: (line: string) => void logLines.push(line) });
  const now = () => new Date(clock).toISOString();
  const deps: HttpDeps = {
    store,
    readModels: gate.outside,
    claims: readModels.claims,
    networkOf: createNetworkOf(readModels.marks),
    now,
    newId: randomUUID,
    newToken: () => randomBytes(32).toString('base64url'),
    passwords: quickPasswords,
    log,
    securityLog: createSecurityLog({ log, now }),
    config: {
      ...httpConfigOf(SETTINGS, { appUrl: url, demoSite: 'http://127.0.0.1:3001/' }),
      version: '1.2.3',
      developmentMode: true,
      supportEmail: 'support@example.com',
      mailIsKept: false,
      reportPrice: { amount: 5_000, currency: 'usd' },
      // A busy machine must not turn answers into pending ones.
      reworkWaitMs: 20_000,
      rateLimits: {
        ...DEFAULT_RATE_LIMITS,
        address: { points: 1e6, seconds: 60 },
        user: { points: 1e6, seconds: 60 },
        signup: { points: 1e6, seconds: 60 },
        ...options.rateLimits,
      },
      ...options.config,
    },
    vetWebhookUrl: createWebhookUrlCheck(options.allowHosts ?? []),
    normalizeUrl: createSiteUrlCheck(options.allowHosts ?? []),
    runs: { compare: compareStored, readScope, scoreComparer },
    reports: storedReports,
    sequenceTexts: sequenceTextsOf({ appUrl: url, supportEmail: 'help@example.com', companyName: 'Example' }),
    reportRuns: createReportRuns({ kept: createKeptReports({ store, now: () => clock }), mostMs: 20_000 }),
    payments: null,
    health: { ready: async () => ({ ok: true, checks: { stores: { ok: true } } }), lag: async () => ({}) },
    metrics,
    mfaKeys: mfaKeys('a secret of the tests for second factors'),
    pseudonyms: createPseudonyms('a secret of the tests for pseudonyms'),
    sharing: { secret: 'a secret of the tests that is long enough', visits, drawPreview, ...options.sharing },
    reportOpenings,
    tallies,
    presence: readModels.presence,
    userPresence: createUserPresence({
      presence: readModels.presence,
      now: () => new Date(clock).toISOString(),
      log: pino({ level: 'silent' }),
    }),
    system: quietSystem(
      { store, readModels, claims: readModels.claims, presence: readModels.presence, marks: readModels.marks },
      () => new Date(clock).toISOString(),
    ),
    mcp: createMcp(() => ({ deps, limiter })),
    ...options.deps,
  };
  const limiter = createRateLimiter(deps.config.rateLimits);
  server.handle(createApp(deps, { stopping: server.stopping, limiter, ...options.app }));
  const realtime = attachRealtime(server.node, deps, options.realtime, limiter);
  const { followUp = followUpWith() } = options;
  const context: ContextOf = (cause) =>
    contextOf({ store, now: deps.now, commandId: randomUUID(), actor: { kind: 'worker', id: 'reworks' } }, cause);
  const analyst = options.tryPrompt ? { tryPrompt: options.tryPrompt } : {};
  const kindsWith = (given: FollowUp) => [
    reworkKind({ context, now: deps.now, followUp: given }, { random: () => 0.5 }),
    promptTrialKind({ context, now: deps.now, analyst }, { random: () => 0.5 }),
    accountExportKind({ context, now: deps.now, contentOf: accountContentOf(deps) }, { random: () => 0.5 }),
  ];
  const worker = followUp && startRunner({ readModels, now: deps.now }, kindsWith(followUp), { holder: 'reworks' });
  let seen: Position = await store.head();
  let users = 0;

  async function call(
    method: string,
    path: string,
    { token, body, headers = {}, raw }: CallOptions = {},
  ): Promise<Answer> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await exchange(`${url}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: sent,
    });
    const json = answer.headers.get('content-type')?.startsWith('application/json') && answer.text !== '';
    const parsed = json ? JSON.parse(answer.text) : undefined;
    if (json) checkAnswer(method, path, answer.status, parsed);
    return { ...answer, body: parsed };
  }

  async function caughtUp(): Promise<void> {
    await readModels.reached(
      READ_MODELS.map(({ name }) => name),
      await store.head(),
      20_000,
    );
  }

  return {
    url,
    store,
    readModels,
    deps,
    server,
    realtime,
    logLines,
    call,
    advance: (ms) => {
      clock += ms;
    },
    signUp: async ({ email = `user${++users}@example.com`, name, confirmed = true } = {}) => {
      const answer = await call('POST', '/api/v1/auth/signup-first', {
        body: { email, password: PASSWORD, ...(name === undefined ? {} : { name }) },
      });
      if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${answer.text}`);
      const { token, session, user_id: userId } = answer.body;
      if (confirmed) {
        await proveEmail(context(null), { userId, email });
        await readModels.reached(['accounts'], await store.head(), 5_000);
      }
      return {
        userId,
        email,
        password: PASSWORD,
        token,
        refreshToken: session.refresh_token,
        call: (method, path, body, headers) => call(method, path, { token, body, ...(headers ? { headers } : {}) }),
      };
    },
    given: async (stream, ...events) => {
      const at = deps.now();
      const envelopes: NewEvent[] = events.map((event) => ({ id: randomUUID(), ...event, metadata: metadataAt(at) }));
      const { position } = await store.append(stream, envelopes, { expected: 'any' });
      await readModels.reached(
        READ_MODELS.map((projection) => projection.name),
        position,
        5_000,
      );
      return position;
    },
    newEvents: async () => {
      await reportOpenings.written();
      const read: AllRead = await store.readAll({ after: seen });
      seen = read.next;
      return read.events
        .filter(({ stream }) => !stream.startsWith('request-') && monthOfStream(stream) === null)
        .map(({ stream, type, data }) => ({ stream, type, data: data as Record<string, unknown> }));
    },
    tallied: async () => {
      await tallies.close();
      const { events } = await store.readAll({ filter: { types: TALLY_TYPES }, limit: 10_000 });
      return eventsOf(events, ...TALLY_TYPES);
    },
    projector: {
      pause: async () => {
        await caughtUp();
        await gate.close();
      },
      resume: () => {
        gate.open();
        return caughtUp();
      },
    },
    close: async () => {
      gate.open();
      await server.stop(() => realtime.close());
      await Promise.all([visits.close(), reportOpenings.written(), tallies.close()]);
      await worker?.stop();
      ended.abort();
      await projecting.done;
      await retrying;
      deps.metrics.close();
      await readModels.close();
      await store.close();
    },
  };
}
