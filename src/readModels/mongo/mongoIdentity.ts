/** Which installation a database of read models belongs to. */
import type { Db } from 'mongodb';
import {
  ACCOUNTS_AT_EACH_END,
  ACCOUNTS_MODEL,
  IDENTITY_MARK,
  type KnownAccount,
  type ReadModelsIdentity,
  UNNAMED,
} from '../identity.ts';
import { createMongoMarks } from './coordination/mongoMarks.ts';
import type { BuildRecord } from './mongoBuild.ts';
import type { DocumentRecord } from './mongoDocuments.ts';
import { asReadModelError, isNamespaceExisting, isNamespaceMissing } from './mongoErrors.ts';
import { holdsDocuments, isOurs, refuseForeign } from './mongoNames.ts';

const ASIDE_PREFIX = 'aside_';

/**
 * The order in which collections move. Without their builds the documents serve nobody, and while documents are left,
 * or the mark, an interrupted move is continued by the next call.
 */
const rankOf = (name: string): number => (name === 'builds' ? 0 : holdsDocuments(name) ? 1 : name === 'marks' ? 3 : 2);

export type MongoIdentity = ReadModelsIdentity & {
  /** Collections of another program, which nothing is done to. */
  others(): Promise<readonly string[]>;
};

/** @throws ReadModelError READ_MODELS_UNAVAILABLE; when it is read, FOREIGN_DATABASE */
export function mongoReadModelsIdentity({ db }: { readonly db: Db }): MongoIdentity {
  const marks = createMongoMarks({ db });

  async function collections(): Promise<readonly string[]> {
    const listed = await db.listCollections({}, { nameOnly: true }).toArray();
    return listed
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(ASIDE_PREFIX) && !name.startsWith('system.'));
  }

  const own = async (): Promise<readonly string[]> => (await collections()).filter(isOurs);

  async function isFilled(): Promise<boolean> {
    for (const name of await own()) {
      if (holdsDocuments(name) && (await db.collection(name).findOne({}, { projection: { _id: 1 } }))) return true;
    }
    return false;
  }

  async function read(): Promise<string | null> {
    await refuseForeign(db);
    return (await marks.read(IDENTITY_MARK)) ?? ((await isFilled()) ? UNNAMED : null);
  }

  return {
    read: () => call(read),
    accounts: () => call(() => accountsIn(db)),
    others: () => call(async () => (await collections()).filter((name) => !isOurs(name))),
    moveAside: (id) =>
      call(async () => {
        // Listed before: nobody begins new read models while these are there, so none of those are in the list.
        const present = await own();
        if ((await read()) !== id) return;
        for (const name of present.toSorted((a, b) => rankOf(a) - rankOf(b)))
          await moveCollection(db, name, `${ASIDE_PREFIX}${id}_${name}`);
      }),
  };
}

async function accountsIn(db: Db): Promise<readonly KnownAccount[]> {
  const [serving] = await db
    .collection<BuildRecord>('builds')
    .find({ model: ACCOUNTS_MODEL })
    .sort({ served: -1 })
    .limit(1)
    .toArray();
  if (!serving || serving.served === 0) return [];
  const documents = db.collection<DocumentRecord>(serving.collection);
  const ends = await Promise.all(
    ([1, -1] as const).map((order) =>
      documents.find({ deleted: 0 }).sort({ 'keys.createdAt': order }).limit(ACCOUNTS_AT_EACH_END).toArray(),
    ),
  );
  return ends.flat().map(({ _id, data }) => ({
    userId: _id,
    createdAt: (JSON.parse(data ?? '{}') as Pick<KnownAccount, 'createdAt'>).createdAt,
  }));
}

/** Another process may be moving it, too: what has moved already stays where it is. */
async function moveCollection(db: Db, name: string, aside: string): Promise<void> {
  try {
    await db.collection(name).rename(aside);
  } catch (error) {
    if (!isNamespaceMissing(error) && !isNamespaceExisting(error)) throw error;
  }
}

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asReadModelError(error);
  }
}
