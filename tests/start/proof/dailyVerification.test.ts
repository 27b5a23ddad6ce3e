/**
 * How the daily log check reads a log step by step, with bounded memory and across restarts. For the faults that it
 * finds, see `plantedFaults.test.ts`.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASURE } from '../../../src/commands/closedStreams.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { type EventStore, START } from '../../../src/eventStore/eventStore.ts';
import { createPace } from '../../../src/eventStore/pacing.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { publicKeyOf, writeCheckpoint } from '../../../src/eventStore/verify/checkpointFile.ts';
import { beginVerification } from '../../../src/eventStore/verify/verification.ts';
import { dailyVerification } from '../../../src/start/proof/dailyVerification.ts';
import { newestCheckpoint } from '../../../src/start/proof/newestCheckpoint.ts';
import type { VerifyStep } from '../../../src/work/sweeps/verifiedLog.ts';
import { product, withAdmin } from '../../given/commands.ts';
import { finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { type LogFolder, logFolder } from '../../given/stores/logFiles.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { still } from '../../given/work/following.ts';
import { dailyLook } from '../../given/work/verifying.ts';

const begun = '2026-04-01T00:00:00.000Z';

async function usedLog() {
  const raw = rawEventStore();
  const made = await withAdmin(product(withStoredEvents(raw, { closes: ERASURE.closes })));
  const { jobId } = await finishedAnalysis({ made });
  return { raw, made, jobId };
}

/** The same ids once more, in streams of their own. */
async function logWithRepeats(repeats: number): Promise<EventStore> {
  const raw = rawEventStore();
  const ids = Array.from({ length: repeats }, () => randomUUID());
  for (const round of ['first', 'again'])
    for (const [at, id] of ids.entries()) {
      const event = {
        id,
        type: 'ApiKeyUsed',
        data: { keyId: `${round}${at}`, usedAt: begun },
        metadata: metadataAt(begun),
      };
      await raw.append(`api-key-use-${round}${at}`, [event], { expected: 'no_stream' });
    }
  return raw;
}

async function idsRepeatedIn(raw: EventStore, mostRemembered: number, turn: number): Promise<readonly string[]> {
  const found: string[] = [];
  const onFault = ({ check, stream }: { check: string; stream: string }) => check === 'ids' && found.push(stream);
  const verification = beginVerification({ store: raw, erasure: ERASURE, sealed: null, mostRemembered, turn, onFault });
  for (const event of (await raw.readAll()).events) await verification.take(event);
  await verification.end(createPace('background'));
  return found;
}

describe('the steps of the daily log check', () => {
  it('count the events that they read, even if erased before a restart', async () => {
    const { raw, made, jobId } = await usedLog();
    const before = (await made.log()).length;
    const { steps } = await dailyLook(raw);
    // Events read by then are gone when read again: they stay counted, and their erasure, which follows later, is not a
    // fault. A log from which events are erased meanwhile therefore counts more events than one full read at the end
    // would.
    const meanwhile = { after: steps - 1, happens: () => deleteJob(made.context(), { jobId }) };
    const look = await dailyLook(raw, { meanwhile, restartAfter: steps - 1 });
    const after = (await made.log()).length;
    expect(after).toBeLessThan(before);
    expect(look.faults).toBe(0);
    expect(look.events).toBeGreaterThan(after);
    await raw.close();
  });

  it('lose nothing when a step fails', async () => {
    const raw = await logWithRepeats(6);
    let reads = 0;
    const failing: EventStore = {
      ...raw,
      readAll: async (how) => {
        reads += 1;
        if (reads === 3) throw new Error('away');
        return raw.readAll(how);
      },
    };
    const step = dailyVerification({ storedLog: failing, page: 4, elapsed: () => 0 });
    const pass = { begun, turn: 0, after: START, checkpoint: null, signal: still };
    await expect(step(pass)).rejects.toThrow('away');
    expect(await step(pass)).toMatchObject({ faults: 6, events: 12, end: true });
    await raw.close();
  });

  it('remember a part of the ids of a long log, and over several passes all of them', async () => {
    const raw = await logWithRepeats(40);
    const all = await idsRepeatedIn(raw, 1_000, 0);
    expect(all).toHaveLength(40);
    const turns = await Promise.all(Array.from({ length: 8 }, (_, turn) => idsRepeatedIn(raw, 10, turn)));
    for (const found of turns) expect(found.length).toBeLessThan(40);
    expect([...new Set(turns.flat())].sort()).toEqual([...all].sort());
    await raw.close();
  });
});

describe('the checkpoint of the daily log check', () => {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  const { privateKey: other } = generateKeyPairSync('ed25519');
  let folder: LogFolder;
  beforeEach(() => {
    folder = logFolder();
  });
  afterEach(() => folder.remove());

  const config = () => ({
    CHECKPOINT_DIR: folder.path('.'),
    CHECKPOINT_PUBLIC_KEY: publicKeyOf(key),
    CHECKPOINT_KEY_FILE: undefined,
    DATA_DIR: folder.path('none'),
    servers: null,
  });
  const written = async (store: EventStore, name: string, at: Date, signedBy = key) => {
    await writeCheckpoint({ store, file: folder.path(name), key: signedBy, at: at.toISOString() });
    utimesSync(folder.path(name), at, at);
  };
  const stepsOn = (raw: EventStore, page = 1_000): VerifyStep => {
    let ms = 0;
    return dailyVerification({
      storedLog: raw,
      page,
      elapsed: () => (ms += 1_000),
      proof: (turn) => newestCheckpoint(config(), turn),
    });
  };
  const first = { begun, turn: 0, after: START, checkpoint: null, signal: still };

  it('is the newest in its folder', async () => {
    const { raw, made } = await usedLog();
    expect(await newestCheckpoint({ ...config(), CHECKPOINT_DIR: undefined }, 0)).toBeNull();
    expect(await newestCheckpoint(config(), 0)).toBeNull();
    await written(raw, 'b.checkpoint.gz', new Date('2026-03-01'));
    const before = (await made.log()).length;
    await finishedAnalysis({ made });
    await written(raw, 'a.checkpoint.gz', new Date('2026-03-02'));
    writeFileSync(folder.path('a.checkpoint.gz.1.part'), 'not whole yet');
    const newest = await newestCheckpoint(config(), 0);
    expect(newest && 'sealed' in newest && newest.sealed.count).toBeGreaterThan(before);
    expect(await stepsOn(raw)(first)).toMatchObject({ faults: 0 });
    await raw.delete((await made.log()).at(-1)?.stream ?? '');
    expect(
      (await dailyLook(raw, { sealed: newest && 'sealed' in newest ? newest.sealed : null })).faults,
    ).toBeGreaterThan(0);
    await raw.close();
  });

  it('is read in parts if it is long', async () => {
    const { raw } = await usedLog();
    await written(raw, 'a.checkpoint.gz', new Date());
    const counts = await Promise.all([0, 1, 2, 3].map(async (turn) => newestCheckpoint(config(), turn, 10)));
    const kept = counts.map((proof) => (proof && 'sealed' in proof ? proof.sealed.count : 0));
    const whole = await newestCheckpoint(config(), 0);
    expect(Math.max(...kept)).toBeLessThan(whole && 'sealed' in whole ? whole.sealed.count : 0);
    await raw.close();
  });

  it('counts as one fault if it is invalid, and the pass continues without it', async () => {
    const { raw } = await usedLog();
    await written(raw, 'a.checkpoint.gz', new Date('2026-03-02'), other);
    const step = stepsOn(raw, 10);
    const begin = await step(first);
    expect(begin).toMatchObject({
      faults: 1,
      first: 'The checkpoint a.checkpoint.gz proves nothing: it was signed with another key.',
      end: false,
    });
    expect(await stepsOn(raw)({ ...first, after: begin.position, checkpoint: begin.checkpoint })).toMatchObject({
      faults: 0,
      end: true,
    });
    writeFileSync(folder.path('b.checkpoint.gz'), 'PLANTED');
    const bad = await stepsOn(raw)(first);
    expect(bad).toMatchObject({ faults: 1, first: expect.stringContaining('b.checkpoint.gz cannot be read') });
    expect(bad.first).not.toContain('PLANTED');
    await raw.close();
  });

  it('restarts the pass if it was replaced during a restart', async () => {
    const { raw, made } = await usedLog();
    await written(raw, 'a.checkpoint.gz', new Date('2026-03-01'));
    const begin = await stepsOn(raw, 10)(first);
    await finishedAnalysis({ made });
    rmSync(folder.path('a.checkpoint.gz'));
    await written(raw, 'b.checkpoint.gz', new Date('2026-03-02'));
    expect(await stepsOn(raw)({ ...first, after: begin.position, checkpoint: begin.checkpoint })).toMatchObject({
      isAnew: true,
      events: 0,
      faults: 0,
    });
    await raw.close();
  });
});
