/**
 * The contract of every read-model adapter. An adapter's test calls this with its factory. ES ids are those of the
 * checkpoint rules they cover.
 */
import { afterEach, beforeEach, describe } from 'vitest';
import { describeBuilds } from './readModelsBuilds.ts';
import { describeCommits } from './readModelsCommits.ts';
import type { ReadModelsFactory } from './readModelsHarness.ts';
import { describeQueries } from './readModelsQueries.ts';
import { describeRereading } from './readModelsRereading.ts';
import { describeShared } from './readModelsShared.ts';
import { describeWatching } from './readModelsWatching.ts';

/** `effort`: the share of runs of property tests, for a store behind a network. */
export function describeReadModels(
  name: string,
  factory: ReadModelsFactory,
  { effort = 1 }: { readonly effort?: number } = {},
): void {
  describe(name, () => {
    let current: Awaited<ReturnType<ReadModelsFactory>>;
    beforeEach(async () => {
      current = await factory();
    });
    afterEach(() => current.dispose());
    const readModels = () => current.readModels;
    const reopen = async () => {
      if (!current.reopen) throw new Error('This adapter keeps nothing to open again.');
      return current.reopen();
    };

    describeCommits(readModels, reopen);
    describeQueries(readModels, effort);
    describeBuilds(readModels, reopen, factory);
    describeShared(readModels, reopen);
    describeRereading(readModels);
    describeWatching(readModels, factory, effort);
  });
}
