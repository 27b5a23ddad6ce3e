/**
 * The addresses that running audits have just read, from the workers to the pages that show them: within a process, or
 * among all processes of an installation, which share only the stores.
 */
import type { Logger } from 'pino';
import * as z from 'zod';
import type { LiveFeed } from '../domain/job/liveFeed.ts';
import { COUNTED, FEED_ROWS, type Feed, NO_COUNTS, OBSERVATIONS } from '../model/liveFeed.ts';
import type { Presence, Seen } from '../readModels/presence.ts';
import type { Config } from './config.ts';
import { sleep } from './sleep.ts';

/** Rows kept in one document: that of the newest ones is written again as more come. */
const PIECE = 20;
/** Enough for all rows, wherever the newest piece begins. */
const PIECES = FEED_ROWS / PIECE + 1;
/** Between two writes of an audit; and how old an answer to those who watch may be. */
const EVERY_MS = 1_000;
/** What was not written for so long is of a worker that was killed, or of an audit that writes its texts since then. */
const KEPT_MS = 60 * 60 * 1_000;
const SWEEP_MS = 10 * 60 * 1_000;

/** For a process that does everything itself. `now`: UTC ISO. */
export function createLiveFeed(now: () => string): LiveFeed & { peek(jobId: string): Feed | null } {
  const feeds = new Map<string, Feed>();
  const peek = (jobId: string): Feed | null => feeds.get(jobId) ?? null;
  return {
    // The time, so that rows of a crawl of the same job by another process are told apart.
    begin: (jobId) => void feeds.set(jobId, { from: Date.parse(now()), rows: [], counts: NO_COUNTS }),
    add(jobId, read) {
      const feed = feeds.get(jobId);
      if (!feed) return;
      const { from, rows, counts } = feed;
      const row = { n: from + counts.all, ...read };
      const seen = Object.fromEntries(row.saw.map((name) => [name, counts[name] + 1]));
      feeds.set(jobId, {
        from,
        rows: [...rows, row].slice(-FEED_ROWS),
        counts: { ...counts, all: counts.all + 1, ...seen },
      });
    },
    end: (jobId) => void feeds.delete(jobId),
    read: async (jobId) => peek(jobId),
    peek,
  };
}

export type SharedFeedDeps = {
  readonly presence: Pick<Presence, 'note' | 'get' | 'remove'>;
  /** UTC ISO. */
  readonly now: () => string;
  /** Resolves after `ms`, or earlier when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
};

/** An audit of this process. */
type Written = {
  readonly ended: AbortController;
  /** Number of the last row that is stored. */
  upTo: number;
  isWriting: boolean;
  /** One write after another, so that the removal comes last. */
  last: Promise<void>;
};

/**
 * For several processes: the rows of an audit in a few small documents beside the claims, of which only that with the
 * newest rows is written, at most once a second.
 */
export function shareFeed({ presence, now, pause, log }: SharedFeedDeps): LiveFeed & { settled(): Promise<void> } {
  const local = createLiveFeed(now);
  const own = new Map<string, Written>();
  /** What those who watch were last told. */
  const copies = new Map<string, { readonly at: number; readonly feed: Promise<Feed | null> }>();

  function then(jobId: string, written: Written, work: () => Promise<unknown>): Promise<void> {
    written.last = written.last.then(work).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error, jobId }, 'what an audit reads was not published'),
    );
    return written.last;
  }

  const removal = (jobId: string) => () => Promise.all(idsOf(jobId).map((id) => presence.remove('feed', id)));

  /** Not what a later crawl of the same job has there by now: `from` is the own one's. */
  const removalUpTo = (jobId: string, from: number) => () =>
    Promise.all(
      idsOf(jobId).map(async (id) => {
        const isLater = pieceIn(await presence.get('feed', id)).some((piece) => piece.from > from);
        if (!isLater) await presence.remove('feed', id);
      }),
    );

  async function write(jobId: string, written: Written): Promise<void> {
    const feed = local.peek(jobId);
    if (!feed) return;
    const fresh = feed.rows.filter(({ n }) => n > written.upTo);
    for (const piece of new Set(fresh.map(({ n }) => pieceOf(n))))
      await presence.note('feed', {
        id: `${jobId}/${piece % PIECES}`,
        at: now(),
        value: JSON.stringify({ ...feed, rows: feed.rows.filter(({ n }) => pieceOf(n) === piece) }),
      });
    written.upTo = feed.rows.at(-1)?.n ?? 0;
  }

  async function writing(jobId: string, written: Written): Promise<void> {
    written.isWriting = true;
    while (!written.ended.signal.aborted && (local.peek(jobId)?.rows.at(-1)?.n ?? 0) > written.upTo) {
      await then(jobId, written, () => write(jobId, written));
      await pause(EVERY_MS, written.ended.signal);
    }
    written.isWriting = false;
  }

  return {
    begin(jobId) {
      local.begin(jobId);
      const before = own.get(jobId);
      before?.ended.abort();
      const last = before?.last ?? Promise.resolve();
      const written = { ended: new AbortController(), upTo: 0, isWriting: false, last };
      own.set(jobId, written);
      void then(jobId, written, removal(jobId));
    },
    add(jobId, read) {
      local.add(jobId, read);
      const written = own.get(jobId);
      if (written && !written.isWriting) void writing(jobId, written);
    },
    end(jobId) {
      const from = local.peek(jobId)?.from ?? 0;
      local.end(jobId);
      const written = own.get(jobId);
      if (!written) return;
      written.ended.abort();
      void then(jobId, written, removalUpTo(jobId, from)).then(() => {
        if (own.get(jobId) === written) own.delete(jobId);
      });
    },
    async read(jobId) {
      const mine = local.peek(jobId);
      if (mine) return mine;
      const at = Date.parse(now());
      for (const [id, copy] of copies) if (at - copy.at >= EVERY_MS) copies.delete(id);
      const known = copies.get(jobId);
      if (known) return known.feed;
      const feed = readFeed(presence, jobId);
      copies.set(jobId, { at, feed });
      return feed;
    },
    settled: async () => void (await Promise.all([...own.values()].map(({ last }) => last))),
  };
}

const pieceOf = (n: number): number => Math.floor(n / PIECE);
const idsOf = (jobId: string): string[] => Array.from({ length: PIECES }, (_, piece) => `${jobId}/${piece}`);

async function readFeed(presence: SharedFeedDeps['presence'], jobId: string): Promise<Feed | null> {
  const pieces = (await Promise.all(idsOf(jobId).map((id) => presence.get('feed', id)))).flatMap(pieceIn);
  pieces.sort((a, b) => lastOf(a) - lastOf(b));
  const newest = pieces.at(-1);
  if (!newest) return null;
  const { from, counts } = newest;
  // An earlier crawl's, of a worker that does not know yet that another has its job.
  const rows = pieces.filter((piece) => piece.from === from).flatMap((piece) => piece.rows);
  return { from, counts, rows: rows.slice(-FEED_ROWS) };
}

const lastOf = ({ rows }: Feed): number => rows.at(-1)?.n ?? 0;

const Piece: z.ZodType<Feed> = z.object({
  from: z.number(),
  rows: z.array(
    z.object({
      n: z.number(),
      url: z.string(),
      status: z.number().nullable(),
      ms: z.number().nullable(),
      words: z.number().nullable(),
      saw: z.array(z.enum(OBSERVATIONS)),
      failure: z.string().nullable(),
    }),
  ),
  counts: z.record(z.enum(COUNTED), z.number()),
});

/** Nothing if it is missing, or has the format of another version. */
function pieceIn(seen: Seen | null): Feed[] {
  try {
    const piece = Piece.safeParse(JSON.parse(seen?.value ?? 'null')).data;
    return piece ? [piece] : [];
  } catch {
    return [];
  }
}

/** What the processes of this configuration need: one that has the stores for itself keeps its feeds in memory. */
export function openFeed(
  config: Pick<Config, 'servers'>,
  { presence, now, log }: Omit<SharedFeedDeps, 'pause' | 'presence'> & { readonly presence: Presence },
): { readonly liveFeed: LiveFeed; close(): Promise<void> } {
  if (!config.servers) return { liveFeed: createLiveFeed(now), close: async () => undefined };
  const liveFeed = shareFeed({ presence, now, log, pause: sleep });
  const closing = new AbortController();
  const sweeping = sweep({ presence, now, log }, closing.signal);
  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([sweeping, liveFeed.settled()]);
  };
  return { liveFeed, close };
}

/** Removes what killed workers left, until the signal aborts. Never rejects. */
async function sweep(
  { presence, now, log }: { presence: Pick<Presence, 'forget'>; now: () => string; log: Pick<Logger, 'warn'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await forgetFeeds(presence, now()).catch((error: unknown) =>
      log.warn({ err: error }, 'what killed audits had read was not removed; retrying'),
    );
    await sleep(SWEEP_MS, signal);
  }
}

/** `now`: UTC ISO. */
export const forgetFeeds = (presence: Pick<Presence, 'forget'>, now: string): Promise<void> =>
  presence.forget('feed', new Date(Date.parse(now) - KEPT_MS).toISOString());
