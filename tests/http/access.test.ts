/** Who may call what: every route × every role × own, foreign and unknown ids, from the route table itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS, type AnyRoute } from '../../src/http/route.ts';
import { ROUTES } from '../../src/http/routes/all.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

type Role = 'anonymous' | 'owner' | 'stranger' | 'admin';
const ROLES: readonly Role[] = ['anonymous', 'owner', 'stranger', 'admin'];

/** A fitting value for each parameter of a path or query that names something. A new name must be entered here, or the matrix fails. */
const NAMES: Readonly<Record<string, 'job' | 'plain' | 'made'>> = {
  jobId: 'job',
  fileName: 'plain',
  domain: 'plain',
  sessionId: 'made',
  timestamp: 'plain',
  keyId: 'made',
  endpointId: 'made',
  deliveryId: 'made',
  shareId: 'made',
  // Opens what it was made for, to anybody: told apart in share.test.ts.
  token: 'plain',
  limit: 'plain',
  cursor: 'plain',
  // The other run of a comparison: another's is told apart in runs.test.ts.
  with: 'plain',
  actionId: 'plain',
  format: 'plain',
  category: 'plain',
  impact: 'plain',
  page: 'plain',
  sort: 'plain',
  order: 'plain',
  show: 'plain',
  check: 'plain',
  columns: 'plain',
};
const PLAIN: Readonly<Record<string, string>> = { fileName: 'findings.json', actionId: 'first' };

const addWebhook = async (user: TestUser): Promise<string> =>
  (await user.call('POST', '/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['job.completed'] })).body.data.id;
const sendTest = async (user: TestUser, endpointId: string): Promise<string> =>
  (await user.call('POST', `/api/v1/webhooks/${endpointId}/test`)).body.delivery_id;

/** What a path names that only its maker has: made anew for each call, by whoever calls. */
const MADE: Readonly<Record<string, (user: TestUser, made: Readonly<Record<string, string>>) => Promise<string>>> = {
  shareId: async (user) => (await givenShare(user)).id,
  sessionId: async (user) => (await logInAgain(user)).token.split('.')[0] ?? '',
  endpointId: addWebhook,
  deliveryId: async (user, made) => sendTest(user, made.endpointId ?? ''),
  keyId: async (user) => (await user.call('POST', '/api/v1/api-keys', { name: 'To be revoked', scope: 'read' })).body.data.id,
};

/** They end the account that calls: the one that they are tried with is made for it. */
const ENDING: readonly string[] = ['DELETE /account'];

/** A fitting body for each route that takes one, or what makes one that names what is the caller's. */
const BODIES: Readonly<Record<string, object | ((user: TestUser) => Promise<object>)>> = {
  'DELETE /account': { password: PASSWORD, confirmation: 'DELETE' },
  'POST /actions/parse': async (user) => ({
    folderPath: (await user.call('GET', `/api/v1/jobs/${(await givenAnalysis(app, user.userId)).jobId}`)).body.data.folderPath,
  }),
  'POST /api-keys': { name: 'A program', scope: 'read' },
  'POST /auth/change-email': { email: 'user1@example.com', password: PASSWORD },
  'POST /auth/change-password': { current_password: PASSWORD, password: PASSWORD },
  'PUT /auth/mail-preferences': { job_done: false },
  'POST /process': { url: 'example.com' },
  'POST /process/batch': { urls: ['example.com'] },
  'POST /jobs/{jobId}/regenerate-actions': {},
  'POST /webhooks': { url: 'https://hooks.example.com/', events: ['job.completed'] },
  'POST /webhooks/{endpointId}/secret': { former: 'a_day' },
  'PUT /webhooks/{endpointId}': { active: false },
  'POST /share/create': async (user) => ({ jobId: (await givenAnalysis(app, user.userId)).jobId }),
  'PUT /actions/{actionId}/progress': { status: 'in-progress' },
};

async function givenShare(user: TestUser): Promise<{ id: string }> {
  const { jobId } = await givenAnalysis(app, user.userId);
  return (await user.call('POST', '/share/create', { jobId })).body.data;
}
/** Routes after which the token of the caller is void. */
const ENDS_SESSION: readonly string[] = ['/auth/logout', '/auth/logout-everywhere'];

let app: TestApp;
let users: Readonly<Record<Exclude<Role, 'anonymous'>, TestUser>>;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  users = { admin: await app.signUp(), owner: await app.signUp(), stranger: await app.signUp() };
  expect((await users.admin.call('GET', '/api/v1/auth/profile')).body.profile.is_admin).toBe(true);
});
afterAll(() => app.close());

const namesIn = (route: AnyRoute): string[] => [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
const queryNames = (route: AnyRoute): string[] => Object.keys((route.query as { shape?: object } | undefined)?.shape ?? {});
const key = (route: AnyRoute): string => `${route.method} ${route.path}`;

async function madeFor(role: Role, route: AnyRoute): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  if (role !== 'anonymous') for (const name of namesIn(route)) if (MADE[name]) made[name] = await MADE[name](users[role], made);
  return made;
}

async function callAs(role: Role, route: AnyRoute, jobId: string | null, queried: boolean, given?: Record<string, string>) {
  const made = given ?? (await madeFor(role, route));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (NAMES[name] === 'job' ? (jobId ?? 'x') : (made[name] ?? PLAIN[name] ?? 'x')));
  const query = queried && jobId !== null ? `?jobId=${jobId}` : '';
  const content = BODIES[key(route)];
  const body = typeof content === 'function' ? role !== 'anonymous' && (await content(users[role])) : content;
  const ending = ENDING.includes(key(route));
  const token = role === 'anonymous' ? undefined : ending ? (await app.signUp()).token : users[role].token;
  return app.call(route.method, `/api/v1${path}${query}`, { token, ...(body ? { body } : {}) });
}

describe('every route', () => {
  it('has a rule, is listed once and in order', () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(19);
    for (const route of ROUTES) expect(ACCESS, key(route)).toContain(route.access);
    const keys = ROUTES.map((route) => `${route.path} ${route.method}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual([...keys].sort());
  });

  it('that names a job in its path or query lets only its owner in', () => {
    for (const route of ROUTES) {
      for (const name of [...namesIn(route), ...queryNames(route)]) expect(NAMES[name], `${key(route)}: what does {${name}} name?`).toBeDefined();
      const inPath = namesIn(route).some((name) => NAMES[name] === 'job');
      const inQuery = queryNames(route).some((name) => NAMES[name] === 'job');
      if (inPath) expect([key(route), route.access]).toEqual([key(route), 'owner-of-job']);
      if (inQuery) expect([key(route), route.access]).toEqual([key(route), 'owner-of-named-job']);
      if (!inPath && !inQuery) expect(route.access.startsWith('owner'), key(route)).toBe(false);
    }
  });

  it('only reads with GET', async () => {
    const { jobId } = await givenAnalysis(app, users.owner.userId);
    for (const route of ROUTES.filter(({ method }) => method === 'GET')) {
      const made = await madeFor('owner', route);
      const before = await app.store.head();
      await callAs('owner', route, jobId, queryNames(route).includes('jobId'), made);
      expect([key(route), await app.store.head()]).toEqual([key(route), before]);
    }
  });
});

for (const route of ROUTES.filter(({ access }) => access !== 'public')) {
  describe(key(route), () => {
    for (const role of ROLES) {
      const named = route.access.startsWith('owner');
      const allowed = role !== 'anonymous' && (route.access === 'user' || (route.access === 'admin' && role === 'admin') || (named && role === 'owner'));

      it(`${allowed ? 'lets in' : 'keeps out'} ${role}`, async () => {
        // Logging out must not end the session that the other rows use.
        if (ENDS_SESSION.includes(route.path) && role !== 'anonymous') users = { ...users, [role]: await logInAgain(users[role]) };
        const job = named ? await givenAnalysis(app, users.owner.userId) : null;
        const before = await app.store.head();
        const answer = await callAs(role, route, job?.jobId ?? null, route.access === 'owner-of-named-job');
        if (role === 'anonymous') expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
        else if (route.access === 'admin' && role !== 'admin')
          expect(answer).toMatchObject({ status: 403, body: { error: 'Access denied. Admin privileges required.' } });
        else if (!allowed) {
          expect(answer).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } });
          const unknown = await callAs(role, route, '00000000-0000-4000-8000-000000000000', route.access === 'owner-of-named-job');
          expect({ ...unknown.body, requestId: '' }).toEqual({ ...answer.body, requestId: '' });
        } else expect([answer.status, [200, 201, 202, 409].includes(answer.status)]).toEqual([answer.status, true]);
        if (!allowed) {
          expect(await app.store.head()).toBe(before);
          expect(answer.text).not.toContain('example.com');
        }
        if (ENDS_SESSION.includes(route.path) && role !== 'anonymous') users = { ...users, [role]: await logInAgain(users[role]) };
      });
    }
  });
}

describe('lists', () => {
  it('hold one’s own alone', async () => {
    const { jobId } = await givenAnalysis(app, users.owner.userId, { host: 'private.example' });
    const own = await users.owner.call('GET', '/api/v1/jobs');
    expect(own.text).toContain(jobId);
    for (const role of ['stranger', 'admin'] as const) {
      for (const path of ['/api/v1/jobs', '/actions', '/actions/stats', '/actions?domain=private.example']) {
        const { text } = await users[role].call('GET', path);
        expect([role, path, text.includes(jobId) || text.includes('private.example')]).toEqual([role, path, false]);
      }
    }
  });

  it('a page’s cursor opens nobody else’s list', async () => {
    for (let nth = 0; nth < 3; nth += 1) await givenAnalysis(app, users.owner.userId, { host: 'private.example', items: [] });
    const { cursor } = (await users.owner.call('GET', '/api/v1/jobs?limit=1')).body;
    const answer = await users.stranger.call('GET', `/api/v1/jobs?limit=100&cursor=${encodeURIComponent(cursor)}`);
    expect(answer.text).not.toContain('private.example');
  });
});

async function logInAgain(user: TestUser): Promise<TestUser> {
  const { body } = await app.call('POST', '/api/v1/auth/login', { body: { email: user.email, password: user.password } });
  return { ...user, token: body.token, call: (method, path, content) => app.call(method, path, { token: body.token, body: content }) };
}
