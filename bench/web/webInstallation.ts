/**
 * The built product with something in it to look at in a browser: an audit and its link, a long history, a plan of 200
 * actions.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { actionItem, givenAnalysis } from '../../tests/given/analysis.ts';
import { FINAL, logIn } from '../../tests/given/product/apiClient.ts';
import { type BuiltServer, startBuiltServer } from '../../tests/given/product/builtServer.ts';
import { jobEvents, newEvent } from '../events.ts';

export type WebInstallation = {
  readonly url: string;
  readonly credentials: BuiltServer['admin'];
  /** Paths of what there is to see. */
  readonly paths: {
    readonly audited: string;
    readonly board: string;
    readonly shared: string;
    readonly sharedTexts: string;
  };
  stop(): Promise<void>;
};

const IMPACTS = ['high', 'medium', 'low'] as const;
const CATEGORIES = ['technical', 'content', 'schema', 'social', 'tools'] as const;

/** On an empty data folder. `jobs` and `actions` say how long the table and the board are. */
export async function startWebInstallation(
  dataDir: string,
  { jobs, actions }: { readonly jobs: number; readonly actions: number },
): Promise<WebInstallation> {
  const first = await startBuiltServer(dataDir);
  const client = await logIn(first.url, first.admin);
  const { id: audited } = await client.submit(first.demoSite);
  await client.waitForJob(audited, ({ status }) => FINAL.has(status));
  const { body } = await client.call<{ data: { shareUrl: string } }>('POST', '/api/v1/share/create', {
    jobId: audited,
    title: 'Tea shop',
    description: '',
    sharedContent: ['actions', 'executive_summary', 'job_metadata'],
    shareMode: 'full',
    expiresIn: null,
  });
  const token = new URL(body.data.shareUrl).pathname.split('/').at(-1) ?? '';
  await first.stop();
  const board = await plant(dataDir, client.userId, { jobs, actions });
  const server = await startBuiltServer(dataDir);
  return {
    url: server.url,
    credentials: first.admin,
    paths: {
      audited: `/dashboard/actions?jobId=${audited}`,
      board: `/dashboard/actions?jobId=${board}`,
      shared: `/shared/${token}`,
      sharedTexts: `/share/${token}`,
    },
    stop: async () => void (await server.stop()),
  };
}

/** Appends a history to the log of a server that has stopped; gives the job whose plan has the actions. */
async function plant(
  dataDir: string,
  userId: string,
  { jobs, actions }: { readonly jobs: number; readonly actions: number },
): Promise<string> {
  const store = openSqliteEventStore({ file: join(dataDir, 'events.db') });
  for (let n = 0; n < jobs; n += 1) {
    const jobId = randomUUID();
    await store.append(`job-${jobId}`, jobEvents(jobId, userId), { expected: 'no_stream' });
  }
  const items = Array.from({ length: actions }, (_, n) =>
    actionItem(`task-${n}`, {
      title: `Task ${n}: describe every picture of the catalogue`,
      impact: IMPACTS[n % 3] ?? 'low',
      category: CATEGORIES[n % 5] ?? 'tools',
      problem: `${n + 1} pictures have no text. **Search engines** and readers of screens cannot tell what they show, and neither can a slow line.`,
      solution: 'Write what is to be seen in one plain sentence. Leave pictures that only decorate without a text.',
    }),
  );
  const given = async (stream: string, ...events: readonly { readonly type: string; readonly data: object }[]) =>
    store.append(
      stream,
      events.map(({ type, data }) => newEvent(type, data)),
      { expected: 'any' },
    );
  const { jobId } = await givenAnalysis({ deps: { now: () => new Date().toISOString() }, given }, userId, {
    host: 'catalogue.example',
    items,
  });
  await store.close();
  return jobId;
}
