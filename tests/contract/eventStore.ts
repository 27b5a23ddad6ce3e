/**
 * The contract of the event store port. An adapter's test calls `describeEventStore`; a case it cannot have is skipped
 * under its name with the reason.
 */
import { describe, it } from 'vitest';
import type { EventStoreFactory, EventStoreHarness, Exceptions } from './eventStoreHarness.ts';
import { lifecycleCases } from './eventStoreLifecycle.ts';
import { readingCases } from './eventStoreReading.ts';
import { subscriptionCases } from './eventStoreSubscriptions.ts';
import { writingCases } from './eventStoreWriting.ts';

/** A case: its id and sentence, and the check. `seed` is passed to the factory. */
export type Case = readonly [
  name: string,
  check: (harness: EventStoreHarness) => Promise<void>,
  seed?: Parameters<EventStoreFactory>[0],
];

/** Progress of processors is not in the event store: the read-model port stores it beside the documents. */
const CHECKPOINTS = 'checkpoints belong to the read-model port: tests/contract/readModels.ts';
const NOT_HERE: readonly (readonly [name: string, reason: string])[] = [
  ['ES41 absent checkpoint = start', CHECKPOINTS],
  ['ES42 checkpoint compare-and-set mismatch is reported, not overwritten', CHECKPOINTS],
  ['ES43 older checkpoint is ignored', CHECKPOINTS],
  ['ES44 checkpoint reset for replay', CHECKPOINTS],
  ['ES45 checkpoints separate per processor, partition and version', CHECKPOINTS],
];

export function describeEventStore(
  name: string,
  factory: EventStoreFactory,
  { exceptions = {} }: { readonly exceptions?: Exceptions } = {},
): void {
  describe(`event store contract: ${name}`, () => {
    for (const [title, reason] of NOT_HERE) it.skip(`${title} (${reason})`, () => undefined);
    describe('writing', () => run(writingCases, factory, exceptions));
    describe('reading', () => run(readingCases, factory, exceptions));
    describe('subscriptions', () => run(subscriptionCases, factory, exceptions));
    describe('deleting and life-cycle', () => run(lifecycleCases, factory, exceptions));
  });
}

function run(cases: readonly Case[], factory: EventStoreFactory, exceptions: Exceptions): void {
  for (const [title, check, seed] of cases) {
    const reason = exceptions[title.split(' ')[0] as string] ?? exceptions[title];
    if (reason !== undefined) {
      it.skip(`${title} (${reason})`, () => undefined);
      continue;
    }
    it(title, async () => {
      const harness = await factory(seed);
      try {
        await check(harness);
      } finally {
        await harness.end();
      }
    });
  }
}
