import { afterEach, describe, expect, it } from 'vitest';
import { type FindingsDocument, parseFindings } from '../../src/audit/report/findingsFormat.ts';
import { findingsJson } from '../../src/audit/report/findingsJson.ts';
import type { JobFacts } from '../../src/domain/job/job.ts';
import type { Analyst, AnalystCall, AnalystInput } from '../../src/integrations/analyst/analyst.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { analystInput, subject } from '../../src/workers/evaluation.ts';
import { storedInput } from '../../src/workers/storedInput.ts';
import { type AuditedSite, auditedSite } from '../given/audit/audited.ts';
import { givenSite } from '../given/audit/page.ts';
import { followUpWith } from '../given/followUp.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const page = (head: string, body = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1>${body}</main></body></html>`;
const TITLE = '<title>Green tea from the hills of Uji</title>';

/** Two pages without a title, and a home page that links to them. */
async function given(): Promise<AuditedSite> {
  const made = await auditedSite({
    '/': page(
      '<title>A shop for tea and for cups</title>',
      '<a href="/tea">All our tea</a> <a href="/cup">All our cups</a>',
    ),
    // Canonicals of pages with the same text would contradict each other.
    '/tea': page('', '<p>Leaves from the hills of Uji, picked in May and steamed.</p>'),
    '/cup': page('', '<p>Stoneware from the kilns of Seto, glazed by hand.</p>'),
  });
  closers.push(made.close);
  made.site.requests.length = 0;
  return made;
}

const titleItem = ({ items }: AuditedSite) => items.find((item) => item.checkId === 'title-missing')!;

describe('verifying an item', () => {
  it('reports as fixed what is gone on all its pages, and fetches no others', async () => {
    const made = await given();
    made.site.pages['/tea'] = page(TITLE);
    made.site.pages['/cup'] = page('<title>Cups from the kilns of Seto</title>');
    const { verification, results } = await made.followUp.verify(made.findings, titleItem(made).findingIds);
    expect(verification).toEqual({
      outcome: 'fixed',
      fixed: 2,
      stillThere: 0,
      notChecked: 0,
      stillThereAt: [],
      notCheckedAt: [],
    });
    expect(results.map(({ url, state }) => [new URL(url).pathname, state]).sort()).toEqual([
      ['/cup', 'fixed'],
      ['/tea', 'fixed'],
    ]);
    expect(made.site.requests.sort()).toEqual(['GET /cup', 'GET /robots.txt', 'GET /tea']);
  });

  it('names what the code of the findings changes', async () => {
    const made = await given();
    const item = made.items.find(({ checkId }) => checkId === 'canonical-missing');
    made.site.pages['/tea'] = page('<link rel="canonical" href="/tea">');
    const { verification } = await made.followUp.verify(made.findings, item?.findingIds ?? []);
    expect(verification).toMatchObject({ outcome: 'still_failing', fixed: 1 });
    expect(verification.lookedAt?.toSorted()).toEqual(['the head of /', 'the head of /cup', 'the head of /tea']);
  });

  it('reports what still fails, and where', async () => {
    const made = await given();
    made.site.pages['/tea'] = page(TITLE);
    const { verification } = await made.followUp.verify(made.findings, titleItem(made).findingIds);
    expect(verification).toMatchObject({ outcome: 'still_failing', fixed: 1, stillThere: 1, notChecked: 0 });
    expect(verification.stillThereAt).toEqual([
      { url: `${made.site.origin}/cup`, place: expect.any(String), message: expect.stringMatching(/title/i) },
    ]);
  });

  it('reports why it could not be checked', async () => {
    const made = await given();
    made.site.pages['/tea'] = page(TITLE);
    made.site.pages['/cup'] = { status: 503, body: 'later' };
    const { verification } = await made.followUp.verify(made.findings, titleItem(made).findingIds);
    expect(verification).toMatchObject({ outcome: 'not_checked', fixed: 1, stillThere: 0, notChecked: 1 });
    expect(verification.notCheckedAt).toEqual([
      { url: `${made.site.origin}/cup`, because: 'the page now answers with status 503' },
    ]);
  });

  it('ends in time when the site does not answer: an unchecked finding is not fixed', async () => {
    const made = await given();
    const ended = new AbortController();
    const hanging = followUpWith({
      deadline: () => ended.signal,
      openFetcher: () => {
        const never = (url: string, options?: { readonly signal?: AbortSignal }) =>
          new Promise<never>((resolve) => {
            const answer = {
              ok: false,
              failure: 'aborted',
              message: 'The request was stopped.',
              hops: [],
              requestedUrl: url,
              url,
            };
            options?.signal?.addEventListener('abort', () => resolve(answer as never), { once: true });
            ended.abort();
          });
        return Object.assign(never, { close: async () => undefined });
      },
    });
    const { verification } = await hanging.verify(made.findings, titleItem(made).findingIds);
    expect(verification).toMatchObject({ outcome: 'not_checked', fixed: 0, stillThere: 0, notChecked: 2 });
  });

  it('fetches nothing when the findings know none of the ids', async () => {
    const made = await given();
    const { verification, results } = await made.followUp.verify(made.findings, ['elsewhere']);
    expect([verification.outcome, results, made.site.requests]).toEqual(['not_checked', [], []]);
  });

  it('ends when it is aborted, and then reports nothing about the site', async () => {
    const made = await given();
    const ending = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const waiting = followUpWith({
      openFetcher: () =>
        Object.assign(
          async (url: string, options?: { readonly signal?: AbortSignal }) => {
            seen.push(options?.signal);
            ending.abort(new Error('The worker is stopping.'));
            return { ok: false, failure: 'aborted', message: 'No.', hops: [], requestedUrl: url, url } as const;
          },
          { close: async () => undefined },
        ),
    });
    await expect(waiting.verify(made.findings, titleItem(made).findingIds, { signal: ending.signal })).rejects.toThrow(
      'The worker is stopping.',
    );
    expect(seen[0]?.aborted).toBe(true);
  });

  it('is judged in the turns of its owner', async () => {
    const made = await given();
    const owners: unknown[] = [];
    const noting = followUpWith({
      rejudge: async (_input, _crawl, { owner }) => {
        owners.push(owner);
        return [];
      },
    });
    await noting.verify(made.findings, titleItem(made).findingIds, { owner: 'ann' });
    expect(owners).toEqual(['ann']);
  });

  it('ends when it is aborted while the findings are looked for', async () => {
    const made = await given();
    const ending = new AbortController();
    const stopped = followUpWith({
      rejudge: async (_input, _crawl, { signal }) => {
        ending.abort(new Error('The worker is stopping.'));
        throw signal?.reason ?? new Error('It runs on.');
      },
    });
    await expect(stopped.verify(made.findings, titleItem(made).findingIds, { signal: ending.signal })).rejects.toThrow(
      'The worker is stopping.',
    );
  });
});

describe('the analyst asked again', () => {
  const job = { host: 'example.com', url: 'https://example.com/' } as JobFacts;
  const crawl = givenSite({
    pages: [
      {
        html: '<html><head><meta name="robots" content="noindex"></head><body><h3>x</h3><img src="/a.png"><a href="/gone">here</a><a href="/second">more</a></body></html>',
      },
      {
        url: '/second',
        html: '<html lang="en"><head><title>x</title><title>y</title></head><body><p>few words</p></body></html>',
      },
      { url: '/gone', status: 404 },
    ],
    sitemaps: [{ locs: ['/gone', '/second'] }],
  });
  const findings = async (): Promise<string> =>
    findingsJson(await subject(job, crawl, '2026-03-01T12:00:00.000Z', { now: () => 0 }));

  it('gets the same input from stored findings as from the crawl', async () => {
    const input = await analystInput(job, crawl, { now: () => 0 });
    const stored = storedInput(parseFindings(await findings()));
    const plain = (value: AnalystInput) => ({
      ...value,
      checks: value.checks.map(({ id, looked, failed, of, risk, steps, tags }) => ({
        id,
        looked,
        failed,
        of,
        risk,
        steps,
        tags,
      })),
    });
    expect(plain(stored)).toEqual(JSON.parse(JSON.stringify(plain(input))));
    expect(input.limits?.some(({ checkIds }) => checkIds.length > 0)).toBe(true);
    expect(stored.checks.length).toBeGreaterThan(5);
  });

  it('returns the same items and summary as when the job ran', async () => {
    const rules = createRulesAnalyst();
    const input = await analystInput(job, crawl, { now: () => 0 });
    const { value: items } = await rules.recommend(input);
    const again = followUpWith();
    expect(await again.recommend(await findings())).toEqual({ items, by: 'Built-in analyst' });
    const { value: text } = await rules.summarise(input, items);
    expect(await again.summarise(await findings(), items)).toEqual({
      text: `${text.trim()}\n`,
      by: 'Built-in analyst',
    });
  });

  it('has a time limit, and ends with its signal', async () => {
    const { signal } = new AbortController();
    const calls: (AnalystCall | undefined)[] = [];
    const noted = <T>(call: AnalystCall | undefined, answer: T): T => {
      calls.push(call);
      return answer;
    };
    const rules = createRulesAnalyst();
    const analyst: Analyst = {
      ...rules,
      recommend: (input, call) => noted(call, rules.recommend(input)),
      summarise: (input, actions, call) => noted(call, rules.summarise(input, actions)),
    };
    const again = followUpWith({ analyst });
    await again.recommend(await findings(), signal);
    await again.summarise(await findings(), [], signal);
    expect(calls).toEqual([
      { budgetMs: 60_000, signal },
      { budgetMs: 60_000, signal },
    ]);
    expect(calls.every((call) => call?.signal === signal)).toBe(true);
  });

  it('is not asked about findings of an old format', async () => {
    const old = { ...(JSON.parse(await findings()) as FindingsDocument), version: 1 };
    const tooOld = {
      code: 'ANALYSIS_TOO_OLD',
      message: 'This analysis is too old. Please run a new analysis to generate actions.',
    };
    for (const text of [JSON.stringify(old), 'no JSON']) {
      await expect(followUpWith().recommend(text)).rejects.toMatchObject(tooOld);
      await expect(followUpWith().summarise(text, [])).rejects.toMatchObject(tooOld);
      await expect(followUpWith().verify(text, ['x'])).rejects.toMatchObject(tooOld);
    }
  });
});
