/**
 * Access to every route × every role × own, foreign and unknown ids, taken from the routes themselves: their access,
 * paths, queries and examples.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/all.ts';
import { ACCESS, type AnyRoute } from '../../src/http/routing/route.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { key, namesIn, namesInExample, type RouteCalls, routeCalls } from '../given/product/routeCalls.ts';
import { givenSso } from '../given/sso.ts';

const ROLES = [
  'anonymous',
  'owner',
  'stranger',
  'admin',
  'analyst by the key of an admin',
  'analyst of events by the key of an admin',
] as const;
const SCOPES: Readonly<Partial<Record<string, string>>> = {
  'program by the key of an admin': 'write',
  'analyst by the key of an admin': 'reports:read',
  'analyst of events by the key of an admin': 'events:read',
};
/** Admins whom no admin route lets in, and the answer they get. */
const NO_LONGER_ADMINS = {
  'withdrawn admin': { status: 403, code: 'FORBIDDEN' },
  'disabled admin': { status: 403, code: 'FORBIDDEN' },
  'admin without the required second factor': { status: 403, code: 'MFA_REQUIRED' },
  'admin past the time limit': { status: 401, code: 'ADMIN_SESSION_EXPIRED' },
  'program by the key of an admin': { status: 403, code: 'SESSION_REQUIRED' },
} as const;
type KeptOut = keyof typeof NO_LONGER_ADMINS;
type Role = (typeof ROLES)[number] | KeptOut;
const ADMIN_ROLES: readonly Role[] = [...ROLES, ...(Object.keys(NO_LONGER_ADMINS) as KeptOut[])];
const isKeptOut = (role: Role): role is KeptOut => role in NO_LONGER_ADMINS;
/** Past the idle limit of admin rights, within the hour of an access token. */
const IDLE_MS = 31 * 60_000;

/** That of the test that runs. */
let app: TestApp;
let calls: RouteCalls;
let usual: TestApp;
let requiring: TestApp;
let callsOf: ReadonlyMap<TestApp, RouteCalls>;
function use(chosen: TestApp): void {
  app = chosen;
  calls = callsOf.get(chosen)!;
}
beforeAll(async () => {
  usual = await startTestApp({ config: { freeAnalysesPerMonth: 1000 }, deps: { sso: givenSso } });
  requiring = await startTestApp({ config: { freeAnalysesPerMonth: 1000, adminMfa: true }, deps: { sso: givenSso } });
  // The first account of an installation is its admin.
  await Promise.all([usual.signUp(), requiring.signUp()]);
  callsOf = new Map([usual, requiring].map((each) => [each, routeCalls(each)]));
});
beforeEach(() => use(usual));
afterAll(() => Promise.all([usual.close(), requiring.close()]));

async function signedUp(role: Exclude<Role, 'anonymous'>): Promise<TestUser> {
  const user = await app.signUp();
  const { userId } = user;
  const granted = { type: 'AccountAdminGranted', data: { userId, reason: 'configured' } };
  const revoked = { type: 'AccountAdminRevoked', data: { userId, reason: 'operator', revokedAt: app.deps.now() } };
  const disabled = { type: 'AccountDisabled', data: { userId, disabledAt: app.deps.now() } };
  const since = role === 'withdrawn admin' ? [revoked] : role === 'disabled admin' ? [disabled] : [];
  if (role.includes('admin')) await app.given(`account-${userId}`, granted, ...since);
  if (role === 'admin past the time limit') app.advance(IDLE_MS);
  if (!role.includes('key of an admin')) return user;
  const scope = SCOPES[role];
  const { body } = await user.call('POST', '/api/v1/api-keys', { name: 'Of an admin', scope });
  return { ...user, token: body.key };
}

/**
 * Those whom a route refuses change nothing: the same ones ask them all. Admins are new each time, since their right
 * runs out when the clock is advanced.
 */
const refused = new Map<string, Promise<TestUser>>();
function refusedOnce(role: Exclude<Role, 'anonymous'>): Promise<TestUser> {
  const name = `${role} of ${app === usual ? 'the usual app' : 'the other'}`;
  const known = refused.get(name) ?? signedUp(role);
  refused.set(name, known);
  return known;
}
let usualJob: Promise<{ readonly jobId: string }> | null = null;
/** A job of the owner whom routes refuse. */
async function jobOfTheOwner(): Promise<{ readonly jobId: string }> {
  use(usual);
  usualJob ??= refusedOnce('owner').then(({ userId }) => givenAnalysis(usual, userId));
  return usualJob;
}

const queryNames = (route: AnyRoute): string[] =>
  Object.keys((route.query as { shape?: object } | undefined)?.shape ?? {});

describe('every route', () => {
  it('has a rule, is listed once and in order', () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(19);
    for (const route of ROUTES) expect(ACCESS, key(route)).toContain(route.access);
    const keys = ROUTES.map((route) => `${route.path} ${route.method}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual([...keys].sort());
  });

  it('with a body has an example of it', () => {
    for (const { body, example, ...route } of ROUTES) {
      expect([key(route as AnyRoute), example !== undefined]).toEqual([key(route as AnyRoute), body !== undefined]);
      if (body)
        expect([key(route as AnyRoute), body.safeParse(example).error?.issues]).toEqual([
          key(route as AnyRoute),
          undefined,
        ]);
    }
  });

  it('with a job in its path or query admits only its owner, and all its parameters are known', () => {
    for (const route of ROUTES) {
      for (const name of [...namesIn(route), ...queryNames(route)].filter((each) => each.endsWith('Id')))
        expect(calls.makes(name), `${key(route)}: what makes a {${name}}?`).toBe(true);
      for (const name of namesInExample(route))
        expect(calls.makes(name), `${key(route)}: what makes a {${name}} of its example?`).toBe(true);
      const inPath = namesIn(route).includes('jobId');
      const inQuery = queryNames(route).includes('jobId');
      if (inPath)
        expect([key(route), ['owner-of-job', 'admin']]).toEqual([key(route), expect.arrayContaining([route.access])]);
      if (inQuery) expect([key(route), route.access]).toEqual([key(route), 'owner-of-named-job']);
      if (!inPath && !inQuery) expect(route.access.startsWith('owner'), key(route)).toBe(false);
    }
  });

  it('only reads with GET', async () => {
    const owner = await signedUp('owner');
    const { jobId } = await givenAnalysis(app, owner.userId);
    for (const route of ROUTES.filter(({ method }) => method === 'GET')) {
      const prepared = await calls.prepare(owner, route);
      const before = await app.store.head();
      await calls.callAs(owner, route, jobId, prepared);
      // A read may record only that an admin viewed something, or its owner for the first time.
      const { events } = await app.store.readAll({ after: before, limit: 100 });
      expect([
        key(route),
        events.map(({ type }) => type).filter((type) => type !== 'AdminLooked' && type !== 'ReportOpened'),
      ]).toEqual([key(route), []]);
    }
  });
});

for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
  describe(key(route), () => {
    for (const role of route.access === 'admin' ? ADMIN_ROLES : ROLES) {
      const named = route.access.startsWith('owner');
      const analyst = role.startsWith('analyst');
      const allowed = analyst
        ? route.openToAnalysts !== undefined &&
          (SCOPES[role] === 'events:read' || route.openToAnalysts === SCOPES[role])
        : role !== 'anonymous' &&
          (route.access === 'user' || (route.access === 'admin' && role === 'admin') || (named && role === 'owner'));

      it(`${allowed ? 'lets in' : 'keeps out'} ${role}`, async () => {
        const names = named || namesIn(route).includes('jobId');
        const known = names ? await jobOfTheOwner() : null;
        if (role === 'admin without the required second factor') use(requiring);
        const caller =
          role === 'anonymous' ? null : await (allowed || role === 'admin' ? signedUp(role) : refusedOnce(role));
        const job = names && caller && allowed && role === 'owner' ? await givenAnalysis(app, caller.userId) : known;
        const prepared = await calls.prepare(caller, route);
        // What an answer before this one has recorded behind it is written by then.
        await app.newEvents();
        const before = await app.store.head();
        const answer = await calls.callAs(caller, route, job?.jobId ?? null, prepared);
        if (role === 'anonymous') expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
        else if (analyst && !allowed)
          expect(answer).toMatchObject({ status: 403, body: { code: 'API_KEY_REPORTS_ONLY' } });
        else if (isKeptOut(role))
          expect({ status: answer.status, code: answer.body.code }).toEqual(NO_LONGER_ADMINS[role]);
        else if (route.access === 'admin' && !allowed)
          expect(answer).toMatchObject({ status: 403, body: { error: 'Access denied. Admin privileges required.' } });
        else if (!allowed) {
          expect(answer).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
          const unknown = await calls.callAs(caller, route, '00000000-0000-4000-8000-000000000000', prepared);
          expect({ ...unknown.body, requestId: '' }).toEqual({ ...answer.body, requestId: '' });
        } else if (answer.status === 503) {
          // Nothing is sold here: these routes have their own test, with a provider.
          expect([route.refusals?.includes('PAYMENTS_UNAVAILABLE'), answer.body.code]).toEqual([
            true,
            'PAYMENTS_UNAVAILABLE',
          ]);
        } else expect([answer.status, [200, 201, 202, 409].includes(answer.status)]).toEqual([answer.status, true]);
        if (!allowed) {
          expect(await app.store.head()).toBe(before);
          expect(answer.text).not.toContain('example.com');
        }
      });
    }
  });
}

describe('lists', () => {
  it('contain only the caller’s own', async () => {
    const owner = await signedUp('owner');
    const { jobId } = await givenAnalysis(app, owner.userId, { host: 'private.example' });
    const own = await owner.call('GET', '/api/v1/jobs');
    expect(own.text).toContain(jobId);
    for (const role of ['stranger', 'admin'] as const) {
      const other = await signedUp(role);
      for (const path of ['/api/v1/jobs', '/actions', '/actions/stats', '/actions?domain=private.example']) {
        const { text } = await other.call('GET', path);
        expect([role, path, text.includes(jobId) || text.includes('private.example')]).toEqual([role, path, false]);
      }
    }
  });

  it('do not open another user’s list by a page’s cursor', async () => {
    const [owner, stranger] = [await signedUp('owner'), await signedUp('stranger')];
    for (let nth = 0; nth < 3; nth += 1) await givenAnalysis(app, owner.userId, { host: 'private.example', items: [] });
    const { cursor } = (await owner.call('GET', '/api/v1/jobs?limit=1')).body;
    const answer = await stranger.call('GET', `/api/v1/jobs?limit=100&cursor=${encodeURIComponent(cursor)}`);
    expect(answer.text).not.toContain('private.example');
  });
});
