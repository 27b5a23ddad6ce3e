/** What accounts with an unproven email address may not do where emails are delivered. */
import { afterEach, describe, expect, it } from 'vitest';
import { requireEmailProof } from '../../src/commands/account/requireEmailProof.ts';
import type { HttpConfig } from '../../src/http/deps/deps.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { product } from '../given/commands.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

let app: TestApp;
afterEach(() => app.close());

const DAY = 86_400_000;

/** An unproven account that is not the first one, which is an admin. */
async function unproven(config: Partial<HttpConfig> = {}): Promise<TestUser> {
  app = await startTestApp({ config });
  await app.signUp();
  return app.signUp({ email: 'ann@example.com', confirmed: false });
}

const submit = (user: TestUser, ...urls: string[]) =>
  urls.length === 1
    ? user.call('POST', '/api/v1/process', { url: urls[0] })
    : user.call('POST', '/api/v1/process/batch', { urls });
const share = (user: TestUser, jobId: string) => user.call('POST', '/api/v1/share/create', { jobId });
const profileOf = async (user: TestUser) => (await user.call('GET', '/api/v1/auth/profile')).body.profile;

async function proves(user: TestUser): Promise<void> {
  await app.given(`account-${user.userId}`, {
    type: 'AccountEmailConfirmed',
    data: { userId: user.userId, email: user.email, confirmedAt: app.deps.now() },
  });
}

async function grants(user: TestUser, credits: number): Promise<void> {
  const data = {
    userId: user.userId,
    grantId: 'grant',
    credits,
    reason: 'a trial',
    balance: credits,
    grantedAt: app.deps.now(),
  };
  await app.given(`billing-${user.userId}`, { type: 'CreditsGranted', data });
}

const REFUSED = { status: 403, body: { success: false, code: 'EMAIL_NOT_CONFIRMED' } };

describe('free audits of an unproven account', () => {
  it('are refused after the first, and run once the address is proven', async () => {
    const user = await unproven();
    expect((await submit(user, 'one.example')).status).toBe(202);
    const refused = await submit(user, 'two.example');
    expect(refused).toMatchObject(REFUSED);
    expect(refused.body.error).toBe(
      'Confirm your email address to use more than your first free audit. Open the link we emailed you, or have it sent again.',
    );
    await proves(user);
    expect((await submit(user, 'two.example')).status).toBe(202);
  });

  it('are refused in a batch as a whole, with nothing written', async () => {
    const user = await unproven();
    await app.newEvents();
    expect(await submit(user, 'one.example', 'two.example')).toMatchObject(REFUSED);
    expect(await app.newEvents()).toEqual([]);
    expect((await user.call('GET', '/api/v1/jobs')).body.data.active).toEqual([]);
    // More than there would be with a proof: that is what the answer is about.
    expect(await submit(user, 'one.example', 'two.example', 'three.example', 'four.example')).toMatchObject({
      status: 402,
      body: { code: 'INSUFFICIENT_CREDITS', credits_required: 4, credits_available: 3 },
    });
    expect((await submit(user, 'one.example')).status).toBe(202);
  });

  it('are refused to its API keys too', async () => {
    const user = await unproven();
    const { body } = await user.call('POST', '/api/v1/api-keys', { name: 'Nightly', scope: 'write' });
    const byKey = (url: string) => app.call('POST', '/api/v1/process', { token: body.key, body: { url } });
    expect((await byKey('one.example')).status).toBe(202);
    expect(await byKey('two.example')).toMatchObject(REFUSED);
  });

  it('do not come back with another month, or after the first has succeeded', async () => {
    const user = await unproven();
    await submit(user, 'one.example');
    app.advance(40 * DAY);
    const { body } = await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(
      await app.call('POST', '/api/v1/process', { token: body.token, body: { url: 'two.example' } }),
    ).toMatchObject(REFUSED);
  });

  it('leave what was granted: it runs, and the first free audit after it', async () => {
    const user = await unproven();
    await grants(user, 2);
    expect(await submit(user, 'a.example', 'b.example', 'c.example', 'd.example')).toMatchObject(REFUSED);
    expect((await submit(user, 'a.example', 'b.example')).status).toBe(202);
    expect((await submit(user, 'c.example')).status).toBe(202);
    expect(await submit(user, 'd.example')).toMatchObject(REFUSED);
  });

  it('are returned by a failure like any other, so the first can be tried again', async () => {
    const user = await unproven();
    const { body } = await submit(user, 'one.example');
    await app.given(`billing-${user.userId}`, {
      type: 'AnalysisReleased',
      data: {
        userId: user.userId,
        jobId: body.job.id,
        from: 'free_allowance',
        period: '2026-03',
        reason: 'job_failed',
        releasedAt: app.deps.now(),
      },
    });
    expect((await submit(user, 'two.example')).status).toBe(202);
    expect(await submit(user, 'three.example')).toMatchObject(REFUSED);
  });
});

describe('sharing by an unproven account', () => {
  it('is refused until the address is proven; another user’s audit stays unknown', async () => {
    const user = await unproven();
    const { jobId } = await givenAnalysis(app, user.userId);
    await app.newEvents();
    const refused = await share(user, jobId);
    expect(refused).toMatchObject(REFUSED);
    expect(refused.body.error).toContain('Confirm your email address to share audits.');
    expect(await app.newEvents()).toEqual([]);
    const { jobId: foreign } = await givenAnalysis(app, (await app.signUp()).userId);
    expect((await share(user, foreign)).status).toBe(404);
    await proves(user);
    expect((await share(user, jobId)).status).toBe(201);
  });

  it('leaves links open that were made before, and lets their owner revoke them', async () => {
    const user = await unproven();
    const { jobId } = await givenAnalysis(app, user.userId);
    await proves(user);
    const { data } = (await share(user, jobId)).body;
    const data2 = { userId: user.userId, requestId: 'again', email: user.email, askedAt: app.deps.now() };
    await app.given(`account-${user.userId}`, { type: 'AccountEmailConfirmationAsked', data: data2 });
    expect(await share(user, jobId)).toMatchObject(REFUSED);
    expect((await app.call('GET', `/api/v1/share/${data.shareUrl.split('/').at(-1)}`)).status).toBe(200);
    expect((await user.call('DELETE', `/api/v1/share/${data.id}`)).status).toBe(200);
  });
});

describe('an unproven account', () => {
  const both = async (user: TestUser) => {
    const { jobId } = await givenAnalysis(app, user.userId);
    return [
      (await submit(user, 'one.example')).status,
      (await submit(user, 'two.example')).status,
      (await share(user, jobId)).status,
    ];
  };

  it.each([
    ['where emails are kept in a folder', { mailIsKept: true }],
    ['where no email is sent', { mail: false }],
    ['where nobody pays', { unlimited: true }],
  ])('may do all that %s', async (_, config) => {
    const user = await unproven(config);
    expect(await both(user)).toEqual([202, 202, 201]);
    expect(await profileOf(user)).not.toHaveProperty('email_required_from');
  });

  it('from before the rule has thirty days, of which its profile tells', async () => {
    const user = await unproven({ proofsSince: '2026-03-10T12:00:01.000Z' });
    expect(await profileOf(user)).toMatchObject({
      email_state: 'unconfirmed',
      email_required_from: '2026-04-09T12:00:01.000Z',
    });
    expect(await both(user)).toEqual([202, 202, 201]);
    app.advance(31 * DAY);
    const { body } = await app.call('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password },
    });
    expect(body.profile.email_required_from).toBe('2026-04-09T12:00:01.000Z');
    expect(
      await app.call('POST', '/api/v1/process', { token: body.token, body: { url: 'three.example' } }),
    ).toMatchObject(REFUSED);
  });

  it('is told in its profile since when, and nothing once it is proven', async () => {
    const user = await unproven();
    expect((await profileOf(user)).email_required_from).toBe('2026-03-10T12:00:00.000Z');
    await proves(user);
    expect(await profileOf(user)).not.toHaveProperty('email_required_from');
  });
});

describe('since when addresses must be proven', () => {
  it('is recorded at the first start with the rule, and stays', async () => {
    const made = product();
    const first = await requireEmailProof(made.context());
    made.pass(60);
    expect([first, await requireEmailProof(made.context())]).toEqual(['2026-03-10T12:00:00.000Z', first]);
    expect(await made.types('rule-')).toEqual(['EmailProofRequired']);
    app = await startTestApp();
  });

  it('is the same for processes that start at once', async () => {
    const made = product();
    const [one, other] = await Promise.all([requireEmailProof(made.context()), requireEmailProof(made.context())]);
    expect(one).toBe(other);
    app = await startTestApp();
  });
});
