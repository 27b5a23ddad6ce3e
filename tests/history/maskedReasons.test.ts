/** Free text does not outlive its account: not where earlier versions wrote it, and nowhere new. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';
import { classifiedFields } from '../../src/domain/stored/catalogue/fieldClasses.ts';
import { STREAM_KINDS } from '../../src/domain/stored/catalogue/streamKinds.ts';
import { REDACTED } from '../../src/domain/stored/redaction.ts';
import { withMaskedReasons } from '../../src/history/maskedReasons.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';

const REASON = 'sorry about your divorce';
let app: TestApp;
let admin: TestUser;
let user: TestUser;
beforeEach(async () => {
  app = await startTestApp();
  admin = await app.signUp();
  user = await app.signUp();
});
afterEach(() => app.close());

const bill = () => `billing-${user.userId}`;
/** As versions before the notes wrote it. */
const grantOfOld = () =>
  app.given(bill(), {
    type: 'CreditsGranted',
    data: { userId: user.userId, grantId: 'g-1', credits: 2, reason: REASON, balance: 2, grantedAt: app.deps.now() },
  });
const leave = async () => {
  const { status } = await admin.call('DELETE', `/api/v1/admin/users/${user.userId}`, { email: user.email });
  expect(status).toBe(200);
};
const shownBy = async (...paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map(async (path) => (await admin.call('GET', path)).text))).join('\n');
const paths = () => [
  `/api/v1/admin/history/streams/${bill()}`,
  `/api/v1/admin/history/streams/${bill()}/export`,
  `/api/v1/admin/history/past/bills/${user.userId}?at=${app.deps.now()}`,
  `/api/v1/admin/users/${user.userId}/history`,
];

describe('a reason in a bill of an earlier version', () => {
  it('is shown while the account is there, and nowhere once it is gone', async () => {
    await grantOfOld();
    expect(await shownBy(...paths())).toContain(REASON);
    const before = await withMaskedReasons(app.store).read(bill());
    expect(JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? String(value) : value))).toContain(REASON);
    await leave();
    expect(await shownBy(...paths())).not.toContain(REASON);
    const read = await withMaskedReasons(app.store).read(bill());
    const all = await withMaskedReasons(app.store).readAll({ filter: { types: ['CreditsGranted'] } });
    for (const { events } of [read, all].map((each) => ('events' in each ? each : { events: [] })))
      expect(events.map(({ data }) => (data as { reason?: string }).reason)).toContain(REDACTED);
  });

  it('is masked in what is read without the parts of events, too', async () => {
    await grantOfOld();
    await leave();
    const page = await withMaskedReasons(app.store).scan?.({ filter: { types: ['CreditsGranted'] } });
    expect(page?.events.map(({ data }) => (data as { reason?: string }).reason)).toEqual([REDACTED]);
  });

  it('stays in the log as it is, which is what copies and proofs read', async () => {
    await grantOfOld();
    await leave();
    const { events } = await app.store.readAll({ filter: { types: ['CreditsGranted'] } });
    expect(events.map(({ data }) => (data as { reason?: string }).reason)).toEqual([REASON]);
  });
});

it('the reason of a grant is deleted with the account', async () => {
  const path = `/api/v1/admin/users/${user.userId}/credits`;
  expect((await admin.call('POST', path, { credits: 1, reason: REASON })).status).toBe(200);
  expect(await shownBy(`/api/v1/admin/users/${user.userId}/history`)).toContain(REASON);
  await app.store.delete(`billing-notes-${user.userId}`);
  expect(await shownBy(...paths())).not.toContain(REASON);
  const { events } = await app.store.readAll();
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(REASON);
});

/** Streams that the deletion of an account leaves as they are. */
const KEPT: readonly string[] = ['billing', 'code', 'stripe', 'admin-look', 'rework', 'mail'];
/** Written by earlier versions only; masked where events are read. */
const FORMER: readonly string[] = ['CreditsGranted.reason'];
/** Fixed sentences of the product. */
const OWN_WORDS: readonly string[] = ['ReworkGivenUp.reason'];

it('no event of a stream that outlives its account has a field for free text', () => {
  const types = STREAM_KINDS.filter(({ kind }) => KEPT.includes(kind)).flatMap(({ types: own }) => Object.keys(own));
  expect(types.length).toBeGreaterThan(30);
  const free = EVENT_TYPES.filter((type) => types.includes(type)).flatMap((type) =>
    classifiedFields(type)
      .filter((field) => field.class === null || field.class === 'text' || field.class === 'personal')
      .map(({ path }) => `${type}.${path}`),
  );
  expect(free.filter((field) => ![...FORMER, ...OWN_WORDS].includes(field))).toEqual([]);
});
