/** Switching a model to another build, dropping builds, and changing those that share a checkpoint. */
import { type BuildName, ReadModelError } from '../readModels.ts';
import { START } from '../writes.ts';
import type { MongoContext } from './mongoContext.ts';

/**
 * A single write switches. The follow-up, notifying watchers and removing the other builds, is repeated by the next
 * call if this one is interrupted.
 * @throws ReadModelError UNKNOWN_BUILD
 */
export async function serveBuild(context: MongoContext, model: string, name: string): Promise<void> {
  await context.watching.begun();
  const batch = await context.exclusive(async () => {
    const { builds, outbox } = context;
    await builds.refresh();
    const next = builds.find(model, name);
    if (!next) throw new ReadModelError('UNKNOWN_BUILD', `Build ${name} of model ${model} was not prepared.`);
    const before = builds.find(model);
    const own = { _id: next.id, collection: next.collection };
    if (before?.collection !== next.collection) {
      const untold = { after: before?.checkpoint ?? START, upTo: next.checkpoint ?? START };
      await builds.records.updateOne(own, { $set: { served: (before?.record.served ?? 0) + 1, untold } });
      await builds.refresh();
    }
    const { untold } = builds.find(model, name)?.record ?? {};
    // Before the other builds are removed: their readers find out by themselves, their watchers are notified here.
    const switchBatch = untold ? await outbox.appendSwitch({ model, collection: next.collection, ...untold }) : null;
    if (untold) await builds.records.updateOne(own, { $unset: { untold: '' } });
    for (const other of builds.of(model)) if (other.collection !== next.collection) await builds.erase(other);
    await builds.sweep();
    return switchBatch;
  });
  if (batch) await context.watching.publish(Promise.resolve([batch]));
}

/** @throws ReadModelError UNKNOWN_BUILD */
export async function shareCheckpoint({ builds, exclusive }: MongoContext, names: readonly BuildName[]): Promise<void> {
  await exclusive(async () => {
    await builds.refresh();
    const members = names.map(({ model, build: name }) => {
      const build = builds.find(model, name);
      if (!build) throw new ReadModelError('UNKNOWN_BUILD', `Build ${name} of model ${model} was not prepared.`);
      return build;
    });
    if (!builds.sharedBy(members)) await builds.share(members);
  });
}

export async function dropBuild(
  { builds, exclusive, outbox }: MongoContext,
  model: string,
  name: string,
): Promise<void> {
  await exclusive(async () => {
    await builds.refresh();
    const build = builds.find(model, name);
    if (!build) return;
    const served = builds.find(model)?.collection === build.collection;
    await builds.erase(build);
    await builds.refresh();
    if (served)
      await outbox.appendSwitch({ model, collection: builds.find(model)?.collection ?? '', after: START, upTo: START });
  });
}

export async function retainModels(context: MongoContext, names: readonly string[]): Promise<void> {
  await context.builds.refresh();
  const others = context.builds.models().filter((model) => !names.includes(model));
  for (const { model, name } of others.flatMap((other) => context.builds.of(other)))
    await dropBuild(context, model, name);
}
