/**
 * The list of given-up work: whatever happens, it has what the log says was given up and not run again, dropped or
 * erased since.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOf } from '../../src/domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { type GivenUpDocument, givenUpWork } from '../../src/projections/givenUpWork.ts';
import { applyBatch, openLane } from '../../src/projector/projectionLane.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { live, steps } from '../given/work/workHistory.ts';

const SEED = 20261124;
const handled = (log: readonly RecordedEvent[]) =>
  log.filter(({ type }) => (givenUpWork.handles as readonly string[]).includes(type));

/** The item that the event gives up, as `kind id`; null: none. */
function givenUpBy(event: RecordedEvent): string | null {
  if (isOf(event, 'JobFailed')) return event.data.code === 'INTERNAL' ? `audit ${event.data.jobId}` : null;
  if (isOf(event, 'MailDropped'))
    return ['given_up', 'too_old'].includes(event.data.reason) ? `mail ${event.data.mailId}` : null;
  if (isOf(event, 'SequenceMailFailed'))
    return ['given_up', 'too_old'].includes(event.data.reason) ? `sequenceMail ${event.data.mailId}` : null;
  if (isOf(event, 'WebhookTried'))
    return !event.data.ok && event.data.nextTryAt === null ? `webhook ${event.data.deliveryId}` : null;
  if (isOf(event, 'ReworkGivenUp')) return event.data.code === 'GIVEN_UP' ? `rework ${event.data.reworkId}` : null;
  if (isOf(event, 'PromptTrialGivenUp'))
    return event.data.code === 'GIVEN_UP' ? `promptTrial ${event.data.jobId}` : null;
  if (isOf(event, 'AccountExportFailed')) return `accountExport ${event.data.userId}`;
  if (isOf(event, 'ProviderEventIgnored'))
    return event.data.reason === 'given_up' ? `providerEvent ${event.data.eventId}` : null;
  if (isOf(event, 'FollowUpDropped'))
    return event.data.reason === 'dropped' ? `followUp ${event.data.followUpId}` : null;
  return null;
}

type Listed = { readonly at: string; readonly jobId: string | null; readonly ownerId: string | null };

/**
 * From the rules of pending work, and what the events say of whose it is: what opens or closes an item takes it from
 * the list.
 */
function plainFold(log: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const listed = new Map<string, Listed>();
  const facts = new Map<string, Pick<Listed, 'jobId' | 'ownerId'>>();
  for (const event of log) {
    const { jobId, userId, adminId } = event.data as Readonly<Record<string, string | undefined>>;
    for (const { kind, opens, closes } of WORK_RULES) {
      const itemId = opens[event.type]?.(event)?.itemId ?? closes[event.type]?.(event);
      if (itemId == null) continue;
      const key = `${kind} ${itemId}`;
      listed.delete(key);
      const known = facts.get(key);
      const isOfJob = kind === 'audit' || kind === 'rework' || kind === 'promptTrial';
      facts.set(key, {
        jobId: (isOfJob ? jobId : undefined) ?? known?.jobId ?? null,
        ownerId: (adminId ?? userId ?? known?.ownerId) || null,
      });
    }
    const key = givenUpBy(event);
    if (key !== null) listed.set(key, { at: event.metadata.at, ...(facts.get(key) ?? { jobId: null, ownerId: null }) });
    if (isOf(event, 'GivenUpWorkDropped')) listed.delete(`${event.data.kind} ${event.data.itemId}`);
    const erased = isOf(event, 'JobDeleted') ? [event.data.jobId] : isOf(event, 'JobsDeleted') ? event.data.jobIds : [];
    const gone = isOf(event, 'AccountDeleted', 'SequenceMailsClosed') ? event.data.userId : null;
    for (const [item, { jobId: of, ownerId }] of listed)
      if ((of !== null && erased.includes(of)) || (gone !== null && ownerId === gone)) listed.delete(item);
  }
  return new Map([...listed].map(([item, { at }]) => [item, at]));
}

async function built(log: readonly RecordedEvent[], size: number): Promise<readonly GivenUpDocument[]> {
  const readModels = memoryReadModels();
  try {
    const lane = await openLane(readModels, givenUpWork, 'v1');
    await readModels.serve(givenUpWork.name, 'v1');
    for (let next = 0; next < log.length; next += size) {
      const events = log.slice(next, next + size);
      await applyBatch(
        readModels,
        [lane],
        { events, upTo: events.at(-1)?.position ?? '' },
        () => '2026-01-01T00:00:00.000Z',
      );
    }
    expect(await readModels.parked()).toEqual([]);
    return Object.values(await documentsOf(readModels, givenUpWork.name)) as unknown as readonly GivenUpDocument[];
  } finally {
    await readModels.close();
  }
}

const listedOf = (documents: readonly GivenUpDocument[]) =>
  new Map(
    documents.flatMap(({ kind, itemId, givenUpAt }) =>
      givenUpAt === null ? [] : [[`${kind} ${itemId}`, givenUpAt] as const],
    ),
  );

describe('given-up work', () => {
  it(`is listed as a plain fold has it, event by event or all at once, and after a rebuild (seed ${SEED})`, async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const { made, log } = await live(todo);
        const taken = handled(log);
        const expected = plainFold(log);
        const stepwise = await built(taken, 1);
        expect(listedOf(stepwise)).toEqual(expected);
        expect(await built(taken, taken.length || 1)).toEqual(stepwise);
        // From what is left of the log once parts of it were erased.
        expect(listedOf(await built(handled(await made.log()), 50))).toEqual(expected);
        for (const key of expected.keys()) kinds.add(key.split(' ')[0] ?? '');
        await made.store.close();
      }),
      { numRuns: 60, seed: SEED },
    );
    expect([...kinds].toSorted()).toEqual(WORK_RULES.map(({ kind }) => kind).toSorted());
  }, 240_000);
});
