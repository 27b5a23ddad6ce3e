/** Exports of events over HTTP, of any log: as a client that reads at its own pace. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type EventStore, type Position, type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import type { ExportedEvent } from '../../../src/reports/events/exportedEvent.ts';
import type { Pseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { memoryEventStore } from '../stores/eventStore.ts';
import { preparedReadModels } from '../stores/readModels.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from './http.ts';

export const EVENTS = '/api/v1/admin/events';

/** What exports are of, in place of the log of the accounts. */
export type OtherLog = Pick<EventStore, 'readAll' | 'head'>;

/** In order of their positions. */
export function logOf(events: readonly RecordedEvent[]): OtherLog {
  return {
    head: async () => events.at(-1)?.position ?? START,
    readAll: async ({ after = START, limit = 1_000, filter = {} } = {}) => {
      const left = events.filter(({ position }) => position > after);
      const page = left.slice(0, limit);
      return {
        events: page.filter(({ type }) => filter.types?.includes(type) ?? true),
        next: page.at(-1)?.position ?? after,
        end: page.length === left.length,
      };
    },
  };
}

/** The app of accounts and keys as always, with its admin; exports are of another log. */
export async function appOver(
  log: OtherLog,
  options: TestAppOptions = {},
): Promise<{ readonly app: TestApp; readonly admin: TestUser }> {
  const stores = { store: memoryEventStore(), readModels: await preparedReadModels() };
  // Whether somebody is the first to sign up follows from the log.
  let exported: OtherLog = stores.store;
  const store: EventStore = {
    ...stores.store,
    head: () => exported.head(),
    readAll: (how) => exported.readAll(how),
  };
  const app = await startTestApp({ ...options, stores, deps: { ...options.deps, store } });
  const admin = await app.signUp();
  exported = log;
  return { app, admin };
}

export type Line = Partial<ExportedEvent> & {
  readonly end?: {
    readonly export: string;
    readonly events: number;
    readonly unreadable: number;
    readonly next: Position;
  };
  readonly progress?: { readonly position: Position };
};

export const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** The rows of all these events, as an admin gets them over HTTP. */
export async function rowsOverHttp(
  events: readonly RecordedEvent[],
  pseudonyms: Pseudonyms,
): Promise<readonly ExportedEvent[]> {
  const { app, admin } = await appOver(logOf(events), { deps: { pseudonyms } });
  const { status, text } = await admin.call('GET', EVENTS);
  await app.close();
  const lines = linesOf(text);
  if (status !== 200 || lines.at(-1)?.end?.events !== events.length) throw new Error(`${status}: ${text.slice(-500)}`);
  return lines.slice(0, -1) as readonly ExportedEvent[];
}

/** An answer of which nothing is taken until `read` is called. */
export type SlowAnswer = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Resolves once the answer is complete or cut off. */
  readonly isOver: Promise<'whole' | 'cut off'>;
  /** The next piece; null when there is none left. */
  read(): Promise<string | null>;
  /** All that is left. */
  rest(): Promise<string>;
  leave(): void;
};

export async function slowly(app: TestApp, path: string, token: string): Promise<SlowAnswer> {
  const asking = request(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` }, agent: false });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  answer.on('error', () => undefined);
  const closed = new Promise<'whole' | 'cut off'>((resolve) =>
    answer.once('close', () => resolve(answer.complete ? 'whole' : 'cut off')),
  );
  async function read(): Promise<string | null> {
    for (;;) {
      const piece = answer.read() as string | null;
      if (piece !== null) return piece;
      if (answer.readableEnded || answer.destroyed) return null;
      await Promise.race([new Promise((resolve) => answer.once('readable', resolve)), closed]);
    }
  }
  return {
    status: answer.statusCode,
    headers: answer.headers,
    isOver: closed,
    read,
    rest: async () => {
      let text = '';
      for (let piece = await read(); piece !== null; piece = await read()) text += piece;
      return text;
    },
    leave: () => void asking.destroy(),
  };
}
