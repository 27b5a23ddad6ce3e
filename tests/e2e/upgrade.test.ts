/**
 * An upgrade from the former version: its data folder, and its production stores, in the order that docs/operations.md
 * gives.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ascending } from '../../src/model/order.ts';
import { type ApiClient, clientOf, FINAL, logIn, signUp } from '../given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { formerServer, formerVersionAvailable } from '../given/product/formerVersion.ts';
import { type Installation, startInstallation } from '../given/product/installation.ts';
import { BUILT_SERVER, type RunningServer } from '../given/product/processes.ts';
import { runProgram } from '../given/product/program.ts';
import { available, MONGOD } from '../given/requirements.ts';
import { codeOf } from '../given/secondFactor.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const LIMIT_MS = 240_000;
const PASSWORD = 'a good password';
const PAGE = `<!doctype html><html lang="en"><head><title>A page about tea</title></head><body><h1>Tea</h1><p>Green and black.</p></body></html>`;
const isFinal = ({ status }: { readonly status: string }): boolean => FINAL.has(status);

const bodyOf = async (client: ApiClient, path: string): Promise<unknown> => {
  const { status, body } = await client.call<unknown>('GET', path);
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  return { path, body };
};

/** By use, which the comparison itself is, and by what others do. */
const CHANGING = /^(last_used_at|last_seen_at|position)$/;
/** Fields that answers of the former version do not have. */
const NEW =
  /^(holdReason|score_formula|not_judged|shut|given_back|notJudged|formula|optional|settings|assistant_calls)$/;
/** Counts of action items, which the former version made with what is optional. */
const COUNTS = /^(stats|totalActionsAvailable|actionsShown|action_count)$/;

/**
 * A preview's report is written when it is read: its analysis by the present analyst, and its findings by issue, with
 * those that depend on others below them. What was found stays, line by line. Checks that passed are listed under their
 * present titles.
 */
function whatReportsSay(text: string): string {
  const untitled = text
    .replaceAll(/^- .+ \((?:1 (?:looked at|checked)|whole site)\)$/gm, '- a check (1 checked)')
    .replaceAll(/^- .+(?= \(\d+ (?:looked at|checked)\)$)/gm, '- a check');
  const [head = '', ...rest] = FORMER_WORDS.reduce(inNewWords, untitled).split(/\n## (?=Analysis|Findings|Passed)/);
  const isFinding = (line: string): boolean => /^ {0,2}- /.test(line);
  return [
    head
      .replace(/\d+ issues? (?:that costs? points|to fix)/, 'issues')
      .replace(/^- \*\*(?:At most \d+:\*\* (.+)\.|(.+)\.\*\* Until that’s fixed, .+)$/gm, '- a limit: $1$2')
      .replace(/^Each issue (?:costs|deducts) its weight.*/m, 'how the score is calculated'),
    ...rest
      .filter((part) => !part.startsWith('Analysis'))
      .map((part) => (part.startsWith('Findings') ? part.split('\n').filter(isFinding).toSorted().join('\n') : part)),
  ].join('\n');
}

/** What the former version called hints. */
const FORMER_WORDS = [
  ['\n## Passed checks\n\n- ', '\n## Passed checks\n\nNone of these was found.\n\n- '],
  ['### Hints', '### Optional'],
  ['Worth knowing; they cost no points.', 'Nothing here affects the score.'],
  ['Worth knowing; nothing here costs points.', 'Nothing here affects the score.'],
  ['Hints never lower the score.', 'Optional issues don’t affect the score.'],
  ['## What was looked at', '## Scope and limits'],
  ['Points lost | At most |', 'Points lost | Maximum |'],
  ['| Deduction | Weight | Pages with the issue |', '| Issue | Weight | Pages affected |'],
  ['| Tools and measurement |', '| Tools |'],
  [' looked at)', ' checked)'],
] as const;
const inNewWords = (text: string, [former, now]: readonly [string, string]): string => text.replaceAll(former, now);

/** What its owner sees, less what changes by being looked at, and what is new. */
async function seenBy(client: ApiClient, jobId: string): Promise<unknown> {
  const paths = [
    '/api/v1/jobs',
    `/api/v1/jobs/${jobId}`,
    `/api/v1/jobs/${jobId}/files/seo-audit-report.md`,
    `/api/v1/actions?jobId=${jobId}`,
    '/api/v1/actions/stats',
    '/api/v1/share/list/all',
    '/api/v1/subscription/status',
    '/api/v1/auth/subscription/history',
    '/api/v1/api-keys',
    '/api/v1/webhooks',
  ];
  const seen = [];
  for (const path of paths) seen.push(await bodyOf(client, path));
  return JSON.parse(
    JSON.stringify(seen, (key, value) => {
      if (CHANGING.test(key) || NEW.test(key) || COUNTS.test(key)) return undefined;
      // What is optional moved to the end.
      if (key === 'actions' && Array.isArray(value)) return value.toSorted((a, b) => ascending(a.id, b.id));
      return typeof value === 'string' ? whatReportsSay(value) : value;
    }),
  );
}

/** No projection, follower or worker of either version met an event that it could not take. */
async function expectNothingParked(admin: ApiClient): Promise<void> {
  type Answer = {
    data: { parked: { total: number; records: unknown[] }; work: { kind: string; depth: number; given_up: number }[] };
  };
  const { status, body } = await admin.call<Answer>('GET', '/api/v1/admin/system');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data.parked).toMatchObject({ total: 0, records: [] });
  expect(body.data.work.find(({ kind }) => kind === 'followUp')).toMatchObject({ depth: 0, given_up: 0 });
  expect(body.data.work.filter(({ given_up }) => given_up > 0)).toEqual([]);
}

describe.skipIf(!formerVersionAvailable())('a data folder of the former version', () => {
  const data = temporaryData();
  let site: TestSite;
  let server: BuiltServer;
  const env = (): Record<string, string> => ({
    AUDIT_ALLOW_HOSTS: site.host,
    DEMO: 'true',
    FREE_ANALYSES_PER_MONTH: '10',
    AUDIT_MAX_PAGES: '3',
  });

  beforeAll(async () => {
    site = await startTestSite({ '/': PAGE });
  });
  afterAll(async () => {
    await server?.stop();
    await site?.close();
    data.remove();
  });

  it(
    'keeps accounts, sessions, second factors, audits, tasks, links, keys and money, and goes on with what was under way',
    async () => {
      server = await startBuiltServer(data.dir, env(), formerServer());
      const [owner, other] = [
        await signUp({ url: server.url, isFormer: true }, 'owner@example.com'),
        await signUp({ url: server.url, isFormer: true }, 'other@example.com'),
      ];
      const admin = await logIn({ url: server.url, isFormer: true }, server.admin);
      const job = await admin.submit(`${site.origin}/`);
      await admin.waitForJob(job.id, isFinal);
      const { body: items } = await admin.call<{ actions: { id: string }[] }>('GET', `/api/v1/actions?jobId=${job.id}`);
      const [first] = items.actions;
      const moved = await admin.call('PUT', `/api/v1/actions/${first?.id}/progress?jobId=${job.id}`, {
        status: 'completed',
        notes: 'Done by hand.',
      });
      expect(moved.status).toBe(200);
      const shared = await admin.call<{ data: { shareUrl: string } }>('POST', '/api/v1/share/create', {
        jobId: job.id,
        title: 'Tea',
      });
      expect(shared.status).toBe(201);
      const token = new URL(shared.body.data.shareUrl).pathname.split('/').at(-1);
      const key = await admin.call<{ key: string }>('POST', '/api/v1/api-keys', { name: 'A program', scope: 'read' });
      expect(key.status).toBe(201);
      const enrolment = await other.call<{ data: { secret: string } }>('POST', '/api/v1/auth/mfa/enrol', {
        password: PASSWORD,
      });
      const now = new Date().toISOString();
      expect(
        (await other.call('POST', '/api/v1/auth/mfa/confirm', { code: codeOf(enrolment.body.data.secret, now) }))
          .status,
      ).toBe(200);
      const ownersJob = await owner.submit(`${site.origin}/?owner`);
      await owner.waitForJob(ownersJob.id, isFinal);
      const before = [await seenBy(admin, job.id), await seenBy(owner, ownersJob.id)];
      const underWay = await owner.submit(`${site.origin}/?under-way`);
      const { admin: credentials, url: formerUrl } = server;
      await server.kill();

      server = await startBuiltServer(data.dir, env());
      const [admins, owners] = [
        clientOf(server.url, admin.token, admin.userId),
        clientOf(server.url, owner.token, owner.userId),
      ];
      expect(isFinal(await owners.waitForJob(underWay.id, isFinal))).toBe(true);
      await expectNothingParked(admins);
      // Addresses name the port, which is another one at each start.
      const here = (seen: unknown): unknown => JSON.parse(JSON.stringify(seen).replaceAll(formerUrl, server.url));
      expect(await seenBy(admins, job.id)).toEqual(here(before[0]));
      const ownersBefore = here(before[1]) as { path: string }[];
      const unchanged = ({ path }: { path: string }): boolean => !/\/jobs$|subscription|billing|\/stats$/.test(path);
      expect(((await seenBy(owners, ownersJob.id)) as { path: string }[]).filter(unchanged)).toEqual(
        ownersBefore.filter(unchanged),
      );
      expect((await clientOf(server.url, '', '').call('GET', `/api/v1/share/${token}`)).status).toBe(200);
      expect((await clientOf(server.url, key.body.key, '').call('GET', '/api/v1/jobs')).status).toBe(200);
      expect((await logIn(server.url, { email: 'owner@example.com', password: PASSWORD })).userId).toBe(owner.userId);
      await logIn(server.url, credentials);
      const asked = await owners.call<unknown>('POST', '/api/v1/auth/login', {
        email: 'other@example.com',
        password: PASSWORD,
      });
      expect(JSON.stringify(asked.body)).not.toContain('"token"');
      const again = await owners.submit(`${site.origin}/?again`);
      expect((await owners.waitForJob(again.id, isFinal)).status).toBe('completed');
      expect(await server.stop()).toBe(0);
      const verified = await runProgram('log', ['verify'], { DATA_DIR: data.dir });
      expect(verified.code, verified.output).toBe(0);
    },
    LIMIT_MS,
  );
});

describe.skipIf(!formerVersionAvailable() || !available('mongod (scripts/fetchMongod.sh)', MONGOD))(
  'an upgrade on the production stores',
  () => {
    let site: TestSite;
    let installation: Installation;

    beforeAll(async () => {
      site = await startTestSite({ '*': PAGE });
      const env = {
        AUDIT_ALLOW_HOSTS: site.host,
        FREE_ANALYSES_PER_MONTH: '100',
        AUDIT_MAX_PAGES: '2',
        MFA_SECRET: 'm'.repeat(40),
      };
      installation = await startInstallation(env, formerServer());
    }, LIMIT_MS);
    afterAll(async () => {
      await installation?.stop();
      await site?.close();
    });

    const stopped = async (servers: readonly RunningServer[]): Promise<void> => {
      await Promise.all(servers.map((server) => server.stop()));
    };
    const urlOf = (server: RunningServer): Promise<string> => server.ready(60_000);

    it(
      'parks nothing where http and workers stop before the projector is replaced',
      async () => {
        const formerUrl = (await installation.http[0].started).url;
        const admin = await signUp({ url: formerUrl, isFormer: true });
        const before = await admin.submit(`${site.origin}/before`);
        await admin.waitForJob(before.id, isFinal);

        // Documents change shape: nothing of the former version may read them.
        await stopped([...installation.http, ...installation.workers]);
        await stopped(installation.projectors);
        await urlOf(installation.startMore('projector', BUILT_SERVER));
        const url = await urlOf(installation.startMore('http', BUILT_SERVER));
        await urlOf(installation.startMore('worker', BUILT_SERVER));

        // Everything that the new version may write in a new shape, on the log of the former one.
        const admins = clientOf(url, admin.token, admin.userId);
        const user = await signUp(url, 'new@example.com');
        await logIn(url, { email: 'new@example.com', password: PASSWORD });
        const job = await user.submit(`${site.origin}/beside`);
        expect((await user.waitForJob(job.id, isFinal)).status).toBe('completed');
        expect((await user.call('POST', '/api/v1/share/create', { jobId: job.id })).status).toBe(201);
        expect(
          (await user.call('POST', '/api/v1/auth/reset-password', { email: 'new@example.com' })).status,
        ).toBeLessThan(300);
        // Sessions record what was shown in them, and a follower ends what is left of them.
        const enrolment = await user.call<{ data: { secret: string } }>('POST', '/api/v1/auth/mfa/enrol', {
          password: PASSWORD,
        });
        const code = codeOf(enrolment.body.data.secret, new Date().toISOString());
        expect((await user.call('POST', '/api/v1/auth/mfa/confirm', { code })).status).toBe(200);
        const removed = await user.call('POST', '/api/v1/auth/mfa/remove', { password: PASSWORD });
        expect(removed.status, JSON.stringify(removed.body)).toBe(200);
        const changed = await user.call('POST', '/api/v1/auth/change-password', {
          current_password: PASSWORD,
          password: `${PASSWORD} now`,
        });
        expect(changed.status, JSON.stringify(changed.body)).toBe(200);
        const moved = await admins.submit(`${site.origin}/admins`);
        await admins.waitForJob(moved.id, isFinal);
        await expectNothingParked(admins);
        expect((await admins.waitForJob(before.id, isFinal)).status).toBe('completed');
      },
      LIMIT_MS,
    );
  },
);
