/**
 * Operator commands for work: the lists of pending items, with the state of their attempts, and of given-up ones;
 * retrying; giving up.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type CommandContext, contextOf } from '../commands/context.ts';
import { dropWork } from '../commands/work/dropWork.ts';
import { dropGivenUp, retryGivenUp } from '../commands/work/givenUp.ts';
import { retryWork } from '../commands/work/retryWork.ts';
import { DomainError } from '../domain/decider.ts';
import type { EventStore } from '../eventStore/eventStore.ts';
import { type GivenUpDocument, getGivenUp, listGivenUp } from '../projections/givenUpWork.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { getItem, listPending, WORK_ITEMS } from './items.ts';
import { WORK_RULES } from './rules.ts';

export const MOST_LISTED = 1_000;

const Kind = z.enum(WORK_RULES.map(({ kind }) => kind));
const Named = { kind: Kind, itemId: z.string().min(1).max(200) };

export const WorkRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('list'),
    kind: Kind.optional(),
    limit: z.int().min(1).max(MOST_LISTED),
    cursor: z.string().max(500).optional(),
  }),
  z.strictObject({ action: z.literal('list-given-up'), kind: Kind.optional(), limit: z.int().min(1).max(MOST_LISTED) }),
  /** Of a pending item; if there is none, of one that was given up. */
  z.strictObject({ action: z.literal('retry'), ...Named }),
  z.strictObject({ action: z.literal('drop'), ...Named }),
]);
export type WorkRequest = z.infer<typeof WorkRequest>;

/** One work item with the state of its attempts since it was opened. */
export type WorkRow = {
  readonly kind: string;
  readonly itemId: string;
  /** Whose share it counts towards: usually the user. */
  readonly lane: string;
  /** UTC ISO, like all times here. */
  readonly openedAt: string;
  /** When the next attempt may begin. */
  readonly dueAt: string;
  /** Failed attempts. */
  readonly attempts: number;
  readonly failure: string | null;
  readonly held: boolean;
  readonly vanishings: number;
};

export type WorkAnswer = {
  /** The rows of a list. */
  readonly rows: readonly WorkRow[];
  /** Those of a list of given-up work, newest first. */
  readonly givenUp: readonly GivenUpDocument[];
  /** There are more items than listed. */
  readonly more: boolean;
  /** For a list of one kind: where it continues; null at its end. */
  readonly cursor: string | null;
};

const NOTHING: WorkAnswer = { rows: [], givenUp: [], more: false, cursor: null };

export type OperateDeps = {
  readonly readModels: ReadModels;
  readonly claims: Pick<Claims, 'read'>;
  /** For an operator's command. */
  readonly context: () => CommandContext;
};

/** For a command issued on the installation itself. */
export function operatorContext(store: EventStore): CommandContext {
  return contextOf(
    { store, now: () => new Date().toISOString(), commandId: randomUUID(), actor: { kind: 'system', id: 'operator' } },
    null,
  );
}

/** @throws DomainError NO_SUCH_WORK, WORK_NOT_LISTED, WORK_ALREADY_OVER; or why an item's subject cannot be ended */
export async function operateWork(
  { readModels, claims, context }: OperateDeps,
  request: WorkRequest,
): Promise<WorkAnswer> {
  if ((await readModels.servedPosition(WORK_ITEMS)) === null)
    throw new DomainError(
      'WORK_NOT_LISTED',
      'The list of work was not built yet. Start the server, or run npm run rebuild.',
    );
  if (request.action === 'list') return list({ readModels, claims }, request);
  if (request.action === 'list-given-up') return listUndone(readModels, request);
  const { action, kind, itemId } = request;
  const item = await getItem(readModels, kind, itemId);
  if (item) await (action === 'retry' ? retryWork(context(), { kind, itemId }) : dropWork(context(), item.data));
  else {
    const givenUp = await getGivenUp(readModels, { kind, itemId });
    if (!givenUp) throw new DomainError('NO_SUCH_WORK', `No ${kind} ${itemId} is pending or was given up.`);
    await (action === 'retry' ? retryGivenUp(context(), givenUp) : dropGivenUp(context(), { kind, itemId }));
  }
  return NOTHING;
}

/** The newest of each kind. */
async function listUndone(
  readModels: ReadModels,
  { kind, limit }: Extract<WorkRequest, { readonly action: 'list-given-up' }>,
): Promise<WorkAnswer> {
  const givenUp: GivenUpDocument[] = [];
  for (const each of kind === undefined ? WORK_RULES.map((rule) => rule.kind) : [kind]) {
    if (givenUp.length >= limit) return { ...NOTHING, givenUp, more: true };
    const { documents, cursor } = await listGivenUp(readModels, { kind: each, limit: limit - givenUp.length });
    givenUp.push(...documents.map(({ data }) => data));
    if (cursor !== null) return { ...NOTHING, givenUp, more: true };
  }
  return { ...NOTHING, givenUp };
}

/** The earliest due items of each kind. */
async function list(
  { readModels, claims }: Pick<OperateDeps, 'readModels' | 'claims'>,
  { kind, limit, cursor: from }: Extract<WorkRequest, { readonly action: 'list' }>,
): Promise<WorkAnswer> {
  const rows: WorkRow[] = [];
  for (const each of kind === undefined ? WORK_RULES.map((rule) => rule.kind) : [kind]) {
    if (rows.length >= limit) return { ...NOTHING, rows, more: true };
    const { documents, cursor } = await listPending(readModels, each, limit - rows.length, from);
    const items = documents.map(({ data }) => data);
    const known = await claims.read(
      each,
      items.map(({ itemId }) => itemId),
    );
    const claimOf = new Map(known.map((claim) => [`${claim.itemId} ${claim.opening}`, claim]));
    for (const { itemId, lane, opening, openedAt, dueAt } of items) {
      const {
        attempts = 0,
        failure = null,
        holder = null,
        vanishings = 0,
        notBefore = null,
      } = claimOf.get(`${itemId} ${opening}`) ?? {};
      const next = notBefore !== null && notBefore > dueAt ? notBefore : dueAt;
      rows.push({
        kind: each,
        itemId,
        lane,
        openedAt,
        dueAt: next,
        attempts,
        failure,
        held: holder !== null,
        vanishings: Math.max(0, vanishings),
      });
    }
    if (cursor !== null) return { ...NOTHING, rows, more: true, cursor: kind === undefined ? null : cursor };
  }
  return { ...NOTHING, rows };
}
