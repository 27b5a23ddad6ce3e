import { expect, test } from 'vitest';
import type { Check, CheckMeta, Fault } from '../../../src/audit/checks/check.ts';
import { runChecks, runChecksInSlices } from '../../../src/audit/checks/runChecks.ts';
import { weightOf } from '../../../src/audit/memory.ts';
import { givenSite } from '../../given/audit/page.ts';

const META: Omit<CheckMeta, 'id'> = {
  title: 'Something is wrong',
  category: 'technical',
  group: 'test',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'b',
  timeToResult: 't',
  risk: 'w',
  steps: ['f'],
  example: { before: null, after: 'example' },
  tags: [],
  source: 's',
  lighthouse: null,
  hint: false,
};

function pageCheck(id: string, run: (url: string) => readonly Fault[], more: Partial<Check> = {}): Check {
  return { ...META, id, scope: 'page', appliesTo: () => true, run: (page) => run(page.url), ...more } as Check;
}

const fault = (url: string, place = 'body', value = 'x'): Fault => ({ evidence: { url, place, value } });
const site = givenSite({ pages: ['<p>1', { url: '/2', html: '<p>2' }, { url: '/3', status: 404 }] });

test('a check that throws becomes its own error, and the others continue', () => {
  const { findings, outcomes } = runChecks(site, [
    pageCheck('broken', () => {
      throw new Error('a bug');
    }),
    pageCheck('fine', (url) => [fault(url)]),
  ]);
  expect(outcomes.map(({ checkId, state, error }) => [checkId, state, error])).toEqual([
    ['broken', 'error', 'a bug'],
    ['fine', 'failed', null],
  ]);
  expect(findings).toHaveLength(2);
});

test('page checks see pages with facts, answer checks every page', () => {
  const answer = { ...pageCheck('answer', () => []), scope: 'answer' } as Check;
  const { outcomes } = runChecks(site, [answer, pageCheck('page', () => [])]);
  expect(outcomes.map((outcome) => outcome.looked)).toEqual([3, 2]);
});

test('distinguishes passed, failed, not applicable and not checked', () => {
  const { outcomes } = runChecks(site, [
    pageCheck('passes', () => []),
    pageCheck('fails', (url) => (url.endsWith('/2') ? [fault(url)] : [])),
    pageCheck('applies-nowhere', () => [], { appliesTo: () => false }),
    pageCheck('cannot-look', () => [], { gathered: () => false }),
    pageCheck('looks-once', () => [], {
      gathered: (page: { url: string }) => page.url.endsWith('/2'),
    } as Partial<Check>),
  ]);
  expect(outcomes.map(({ state, looked, failed, notChecked }) => [state, looked, failed, notChecked])).toEqual([
    ['passed', 2, 0, 0],
    ['failed', 2, 1, 0],
    ['not_applicable', 0, 0, 0],
    ['not_checked', 0, 0, 2],
    ['passed', 1, 0, 1],
  ]);
});

test('hints do not make a check fail', () => {
  const { findings, outcomes } = runChecks(site, [
    pageCheck('hint', (url) => [{ ...fault(url), hint: true }]),
    pageCheck('all-hints', (url) => [fault(url)], { hint: true }),
  ]);
  expect(outcomes.map((outcome) => [outcome.state, outcome.failed])).toEqual([
    ['passed', 0],
    ['passed', 0],
  ]);
  expect(findings.every((finding) => finding.hint)).toBe(true);
});

test('ids are stable between runs and differ by page, place and repetition', () => {
  const check = pageCheck('many', (url) => [
    fault(url, 'a'),
    fault(url, 'b', 'one'),
    fault(url, 'b', 'two'),
    fault(url, 'b', 'two'),
  ]);
  const [first, second] = [runChecks(site, [check]).findings, runChecks(site, [check]).findings];
  expect(first.map((finding) => finding.id)).toEqual(second.map((finding) => finding.id));
  expect(new Set(first.map((finding) => finding.id)).size).toBe(6);
  expect(first[0]?.id).toMatch(/^[0-9a-f]{16}$/);
});

test('takes the default texts of a finding from its check', () => {
  const [finding] = runChecks(site, [pageCheck('plain', (url) => [fault(url, 'body', 'v'.repeat(1000))])]).findings;
  expect(finding).toMatchObject({ message: META.title, code: null, impact: 'medium', category: 'technical' });
  expect(finding?.evidence.value).toHaveLength(300);
});

test('a message and code made of many long addresses are bounded, too', () => {
  const frames = Array.from({ length: 500 }, (_, index) => `<frame src="/${'x'.repeat(1500)}${index}">`).join('');
  const { findings } = runChecks(
    givenSite({ pages: [`<!doctype html><html lang="en"><title>x</title><frameset>${frames}</frameset>`] }),
  );
  expect(findings.find(({ checkId }) => checkId === 'frames')?.message).toMatch(
    /^The page is a shell of 500 frames: .*…$/,
  );
  const [finding] = runChecks(site, [
    pageCheck('long', (url) => [
      { ...fault(url), snippet: { edits: 'head', operation: 'add', at: 'head', text: 'x'.repeat(20_001) } },
    ]),
  ]).findings;
  expect(finding?.code).toBeNull();
  expect(finding).not.toHaveProperty('edit');
});

test('lists faults of one kind up to a limit, and counts the rest', () => {
  const { findings, outcomes } = runChecks(site, [
    pageCheck('many', (url) => Array.from({ length: 25 }, (_, index) => fault(url, String(index)))),
  ]);
  expect(findings).toHaveLength(20);
  expect(outcomes[0]).toMatchObject({ failed: 2, omitted: 30 });
});

test('an empty crawl gives no error', () => {
  const { outcomes } = runChecks(givenSite({ pages: [] }));
  expect(outcomes.filter((outcome) => outcome.state === 'error')).toEqual([]);
});

test('no check throws for unusual crawls', () => {
  const odd = [
    {
      pages: [{ failure: 'dns' as const }],
      robots: { failure: 'timeout' as const },
      llmsTxt: null,
      favicon: null,
      httpTwin: null,
      wwwTwin: null,
      missingPage: null,
    },
    {
      pages: [
        { html: '' },
        { url: '/\u0000%ZZ?&&=#', html: '<a href="http://[x">y</a><img src=":"><link rel=canonical href="http://">' },
      ],
    },
    {
      pages: [
        {
          html: '<title>{{x}}</title><script type="application/ld+json">[null,1,"x",{"@type":[null]},{"@graph":5}]</script>',
        },
      ],
      robots: '\u0000\uFFFF:::\n$$$',
      sitemaps: [{ locs: ['http://other.example/', 'mailto:x'] }],
    },
    { origin: 'http://[::1]:8080', pages: ['<p>x'] },
  ];
  for (const given of odd)
    expect(runChecks(givenSite(given)).outcomes.filter((outcome) => outcome.state === 'error')).toEqual([]);
});

test('messages show international addresses in Unicode, evidence shows them as they are', () => {
  const url = 'https://example.com/%E3%81%8A%E8%8C%B6/%2F%E2%80%AE%FF';
  const check = pageCheck('plain', () => [
    { evidence: { url, place: 'body', value: url }, message: `The page ${url} is missing.` },
  ]);
  const [finding] = runChecks(givenSite('<p>1'), [check]).findings;
  expect(finding?.message).toBe('The page https://example.com/お茶/%2F%E2%80%AE%FF is missing.');
  expect(finding?.evidence).toMatchObject({ url, value: url });
});

test('findings beyond the memory for them are counted, and each check keeps some', () => {
  const pages = Array.from({ length: 50 }, (_, index) => ({ url: `/${index}-${'x'.repeat(1000)}`, html: '<p>1' }));
  const long = givenSite({ pages });
  const checks = Array.from({ length: 100 }, (_, index) => pageCheck(`check-${index}`, (url) => [fault(url)]));
  const bytes = 2_000_000;
  const { findings, outcomes } = runChecks(long, checks, { page: 10, check: 500, bytes });
  expect(weightOf(findings)).toBeLessThan(bytes);
  expect(findings.length + outcomes.reduce((sum, { omitted }) => sum + omitted, 0)).toBe(5000);
  expect(outcomes[0]).toMatchObject({ state: 'failed', omitted: 0 });
  expect(outcomes.at(-1)).toMatchObject({ state: 'failed', failed: 50 });
  const named = new Set(findings.map(({ checkId }) => checkId));
  expect(named.size).toBe(100);
});

test.each(['appliesTo', 'gathered', 'run', 'complete'])(
  'time that runs out in `%s` leaves a site not checked',
  async (slow) => {
    let now = 0;
    function* endless(): Generator<void, never, void> {
      for (;;) {
        now += 1;
        if (now > 100) throw new Error('it goes on');
        yield;
      }
    }
    const quick = { appliesTo: () => true, gathered: () => true, run: () => [], complete: () => true };
    const check = { ...META, id: 'slow', scope: 'site', ...quick, [slow]: endless } as Check;
    const { outcomes, cutShort } = await runChecksInSlices(site, { now: () => now, endsAt: 10 }, [check]);
    expect(outcomes).toMatchObject([{ state: 'not_checked', notChecked: 1, error: null }]);
    expect(cutShort).toBe(true);
  },
);
