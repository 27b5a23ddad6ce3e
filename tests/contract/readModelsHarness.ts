/** Shared by the cases of the read-model contract: a model of rooms, positions, and how to read pages and changes. */
import type {
  Change,
  ModelDefinition,
  Page,
  Position,
  Query,
  ReadModels,
  Write,
} from '../../src/readModels/readModels.ts';

export type Room = {
  readonly ownerId: string;
  readonly price: number | null;
  readonly open: boolean;
  readonly name: string;
  readonly place: { readonly city: string };
};

export const ROOMS: ModelDefinition = {
  name: 'rooms',
  version: 1,
  indexes: [
    ['ownerId', 'price'],
    ['ownerId', 'open', 'price'],
    ['place.city'],
    ['price'],
    ['name'],
    ['ownerId', 'position'],
  ],
  tombstoneFields: ['ownerId'],
};

export const HALLS: ModelDefinition = { name: 'halls', version: 1, indexes: [['ownerId']] };

/** The contract's factory: a new empty store, and `reopen` on the same data where the adapter keeps any. */
export type ReadModelsFactory = (options?: {
  readonly watchQueueLimit?: number;
  readonly reads?: readonly ModelDefinition[];
}) => Promise<{
  readonly readModels: ReadModels;
  /** Closes and opens again. Null when the adapter keeps nothing. */
  readonly reopen: (() => Promise<ReadModels>) | null;
  readonly dispose: () => Promise<void>;
}>;

export function at(position: number): Position {
  return String(position).padStart(20, '0');
}

export function room(fields: Partial<Room> = {}): Room {
  return { ownerId: 'ada', price: 10, open: true, name: 'Blue', place: { city: 'Oslo' }, ...fields };
}

export function put(id: string, position: number, fields: Partial<Room> = {}): Write {
  return { id, position: at(position), data: room(fields) };
}

export function remove(id: string, position: number): Write {
  return { id, position: at(position), data: null };
}

/** Commits to the build `v1`; the checkpoint is the last write's position. */
export async function write(
  readModels: ReadModels,
  writes: readonly Write[],
  model = 'rooms',
  build = 'v1',
): Promise<number> {
  const checkpoint =
    writes
      .map((each) => each.position)
      .sort()
      .at(-1) ?? at(0);
  const [result] = await readModels.commit([{ model, build, checkpoint, writes }]);
  return result?.skipped ?? -1;
}

export async function served(readModels: ReadModels, definition: ModelDefinition = ROOMS, build = 'v1'): Promise<void> {
  await readModels.prepare(definition, build);
  await readModels.serve(definition.name, build);
}

/** All pages of a query; `between` runs after each of them. */
export async function allPages(
  readModels: ReadModels,
  query: Query,
  between?: () => Promise<unknown>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Room> = await readModels.find<Room>('rooms', { ...query, ...(cursor === null ? {} : { cursor }) });
    ids.push(...page.documents.map((document) => document.id));
    cursor = page.cursor;
    await between?.();
  } while (cursor !== null);
  return ids;
}

export async function idsOf(readModels: ReadModels, query: Query): Promise<readonly string[]> {
  return (await readModels.find('rooms', query)).documents.map((document) => document.id);
}

export function follow(
  readModels: ReadModels,
  options: Partial<Parameters<ReadModels['watch']>[0]> = {},
): AsyncIterator<Change, undefined> {
  return readModels.watch({ models: ['rooms'], ...options })[Symbol.asyncIterator]() as AsyncIterator<
    Change,
    undefined
  >;
}

/** The next `count` changes, shortened. */
export async function take(changes: AsyncIterator<Change, undefined>, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const next = await changes.next();
    if (next.done) throw new Error(`The watch ended after ${seen.length} changes: ${seen.join(', ')}`);
    seen.push(`${next.value.kind} ${next.value.id}@${Number(next.value.position)}`);
  }
  return seen;
}

export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'no error',
    (error: { code?: string }) => error.code ?? String(error),
  );
}
