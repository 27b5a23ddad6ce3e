import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/audit/report/compare.ts';
import { comparisonText } from '../../../src/audit/report/comparisonText.ts';
import { type FindingsDocument, findingsJsonSchema, parseFindings } from '../../../src/audit/report/findingsFormat.ts';
import { findingsDocument, findingsJson } from '../../../src/audit/report/findingsJson.ts';
import type { GivenSite } from '../../given/audit/page.ts';
import { inputOf } from '../../given/audit/reportInput.ts';

const runOf = (given: GivenSite | string): FindingsDocument => findingsDocument(inputOf(given));

const idsOf = (findings: readonly { readonly checkId: string }[]) => [
  ...new Set(findings.map((finding) => finding.checkId)),
];
const untitled = '<html lang="en"><head></head><body><h1>Tea</h1><p>Tea and cups.</p></body></html>';
const titled =
  '<html lang="en"><head><title>A shop for tea and for cups</title></head><body><h1>Tea</h1><p>Tea and cups.</p></body></html>';

describe('comparing two audits', () => {
  it('an audit compared with itself has only remaining findings', () => {
    const run = runOf(untitled);
    const { new: fresh, fixed, remaining, notComparable, score } = compareRuns(run, run);
    expect([fresh, fixed, notComparable]).toEqual([[], [], []]);
    expect(remaining).toHaveLength(run.findings.length);
    expect(score?.change).toBe(0);
  });

  it('finds fixed ones and, in reverse, new ones', () => {
    const [before, after] = [runOf(untitled), runOf(titled)];
    expect(idsOf(compareRuns(before, after).fixed)).toContain('title-missing');
    expect(idsOf(compareRuns(after, before).new)).toContain('title-missing');
    expect(compareRuns(before, after).score?.change).toBeGreaterThan(0);
    expect(comparisonText(compareRuns(before, after))).toMatch(/Score \d+ → \d+ \(\+\d+\)/);
  });

  it('reports nothing as fixed whose page or check was not rechecked', () => {
    const before = runOf(untitled);
    const after = runOf(titled);
    const elsewhere = { ...after, pages: after.pages.map((page) => ({ ...page, url: `${page.url}other` })) };
    const moved = compareRuns(before, elsewhere);
    expect(idsOf(moved.fixed)).not.toContain('title-missing');
    expect(moved.notComparable.find((finding) => finding.checkId === 'title-missing')?.because).toContain(
      'not requested',
    );
    expect(moved.scoreNotComparable).toContain('different pages');
    const outcomes = after.outcomes.map((outcome) =>
      outcome.checkId === 'title-missing' ? { ...outcome, notChecked: 1 } : outcome,
    );
    expect(idsOf(compareRuns(before, { ...after, outcomes }).fixed)).not.toContain('title-missing');
    const silent = { ...after, pages: after.pages.map((page) => ({ ...page, status: null, audited: false })) };
    expect(
      compareRuns(before, silent).notComparable.find((finding) => finding.checkId === 'title-missing')?.because,
    ).toContain('did not answer');
  });

  it('reports a link to another site as fixed only if its target was asked again', () => {
    const page = titled.replace('<p>', '<p><a href="https://elsewhere.example/gone">More about cups</a> ');
    const target = { url: 'https://elsewhere.example/gone', kind: 'external' as const };
    const before = runOf({ pages: [page], linkChecks: [{ ...target, status: 404 }] });
    const [unasked, answered] = [
      runOf({ pages: [page] }),
      runOf({ pages: [page], linkChecks: [{ ...target, status: 200 }] }),
    ];
    expect(idsOf(before.findings)).toContain('broken-external-link');
    expect(idsOf(compareRuns(before, unasked).notComparable)).toContain('broken-external-link');
    expect(idsOf(compareRuns(before, answered).fixed)).toContain('broken-external-link');
  });

  it('findings on pages that the earlier audit did not read are not called new', () => {
    const both = runOf({ pages: [titled, { url: '/cups', html: untitled }] });
    const partly = {
      ...both,
      pages: both.pages.slice(0, 1),
      findings: both.findings.filter(({ evidence }) => !evidence.url.endsWith('/cups')),
    };
    const cut = compareRuns({ ...partly, coverage: { ...partly.coverage, stop: 'page_budget' as const } }, both);
    expect(cut.new).toEqual([]);
    expect(cut.notSeenBefore.find(({ checkId }) => checkId === 'title-missing')?.because).toBe(
      'the page was not read in the earlier audit',
    );
    expect(comparisonText(cut)).toContain(
      `0 new, 0 fixed, ${cut.remaining.length} remaining, ${cut.notSeenBefore.length} not seen before`,
    );
    expect(idsOf(compareRuns(partly, both).new)).toContain('title-missing');
    const refused = {
      ...partly,
      pages: both.pages.map((page) => (page.url.endsWith('/cups') ? { ...page, status: 429, audited: false } : page)),
    };
    expect(compareRuns(refused, both).new).toEqual([]);
  });

  describe('a fault of an address that a page read both times names', () => {
    const gone = 'https://elsewhere.example/gone';
    const linked = titled.replace('<p>', `<p><a href="${gone}">More about cups</a> `);
    const found = runOf({ pages: [linked], linkChecks: [{ url: gone, kind: 'external', status: 404 }] });
    const earlier = (tried: readonly string[] | undefined, coverage: Partial<FindingsDocument['coverage']>) => {
      const { tried: _, ...run } = runOf({ pages: [linked] });
      return { ...run, ...(tried ? { tried: [...tried] } : {}), coverage: { ...run.coverage, ...coverage } };
    };
    const isNew = (before: FindingsDocument): boolean =>
      idsOf(compareRuns(before, found).new).includes('broken-external-link');

    it('is new if the earlier run tried it, or everything', () => {
      expect(isNew(earlier([gone], { untried: ['external'] }))).toBe(true);
      expect(isNew(earlier([], { untried: [] }))).toBe(true);
      expect(isNew(earlier([], { untried: ['image'] }))).toBe(true);
    });

    it('is not new if the earlier run did not try it', () => {
      expect(isNew(earlier([], { untried: ['external'] }))).toBe(false);
      expect(isNew(earlier([], { untried: [], stop: 'page_budget' }))).toBe(false);
      const { notSeenBefore } = compareRuns(earlier(undefined, {}), found);
      expect(notSeenBefore.find(({ checkId }) => checkId === 'broken-external-link')?.because).toBe(
        'the address it leads to was not requested in the earlier audit',
      );
    });
  });

  it('a fault among several pages is not new if the earlier run read only some of them', () => {
    const more = ['/cups', '/pots', '/lids'].map((url) => ({
      url,
      html: titled.replace('Tea and cups.', `Other words: ${url}.`),
    }));
    const both = runOf({ pages: [titled, ...more] });
    const one = runOf({ pages: [titled] });
    const cut = { ...one, coverage: { ...one.coverage, stop: 'page_budget' as const } };
    expect(idsOf(both.findings)).toContain('title-duplicate');
    expect(compareRuns(cut, both).new).toEqual([]);
    expect(idsOf(compareRuns(one, both).new)).toContain('title-duplicate');
  });

  it('two runs are identical only if nothing but chance could have made them so', () => {
    const run = runOf({ pages: [titled, { url: '/cups', html: titled }] });
    const why = (before: FindingsDocument, after: FindingsDocument) => compareRuns(before, after).notIdentical;
    const stopped = { ...run, coverage: { ...run.coverage, stop: 'time_budget' as const } };
    expect(why(run, run)).toBeNull();
    expect(why(stopped, run)).toBe('the earlier audit was stopped by its time limit');
    expect(why(run, stopped)).toBe('this audit was stopped by its time limit');
    const failing = { ...run, pages: run.pages.map((page, at) => (at === 1 ? { ...page, status: 503 } : page)) };
    expect(why(run, failing)).toBe('1 address responded differently');
    expect(why(run, { ...run, pages: run.pages.slice(1) })).toBe('the audits read different pages');
    expect(why(run, { ...run, findings: run.findings.slice(1) })).toBe('1 finding differs');
    expect(comparisonText(compareRuns(run, run))).toMatch(/The two audits are identical: .+\n$/);
    expect(comparisonText(compareRuns(run, stopped))).toContain('not identical: this audit was stopped by its time');
  });

  it('scores of audits with other checks are not comparable', () => {
    const run = runOf(titled);
    const older = { ...run, outcomes: run.outcomes.slice(1) };
    expect(compareRuns(older, run)).toMatchObject({
      score: null,
      scoreNotComparable: 'the audits ran different checks: 1 is part of only one of them',
    });
  });

  it('a fault that has moved on its page remains', () => {
    const before = runOf(untitled);
    const moved = {
      ...before,
      findings: before.findings.map((finding) => ({
        ...finding,
        id: `${finding.id}x`,
        evidence: { ...finding.evidence, place: 'elsewhere' },
      })),
    };
    const { new: fresh, fixed, remaining } = compareRuns(before, moved);
    expect([fresh, fixed]).toEqual([[], []]);
    expect(remaining).toHaveLength(before.findings.length);
  });
});

describe('the format of the findings', () => {
  it('is read as it was written, and has a published schema', () => {
    const run = runOf(untitled);
    expect(parseFindings(JSON.stringify(run))).toEqual(JSON.parse(JSON.stringify(run)));
    expect(findingsJsonSchema()).toMatchObject({
      $schema: expect.stringContaining('json-schema.org'),
      properties: { findings: { type: 'array' } },
    });
  });

  it.each([
    ['', 'not JSON'],
    ['[]', 'not the findings of an audit'],
    ['{"format":"seo-audit-findings","version":1}', 'format version 1'],
    ['{"format":"seo-audit-findings","version":2,"url":7}', 'damaged at url'],
  ])('explains what is wrong with %s', (text, why) => {
    expect(() => parseFindings(text)).toThrow(why);
  });

  it('is what the program writes', () => {
    const input = inputOf(untitled);
    expect(parseFindings(findingsJson(input)).findings).toEqual(JSON.parse(JSON.stringify(input.findings)));
  });
});
