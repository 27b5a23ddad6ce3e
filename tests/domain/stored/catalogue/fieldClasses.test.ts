import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../../src/domain/eventTypes.ts';
import {
  CLASSIFIED,
  type ClassifiedField,
  classifiedFields,
} from '../../../../src/domain/stored/catalogue/fieldClasses.ts';
import { STORED } from '../../../../src/domain/stored/registry.ts';

const fields: readonly (ClassifiedField & { readonly type: string })[] = EVENT_TYPES.flatMap((type) =>
  classifiedFields(type).map((field) => ({ type, ...field })),
);
const named = (some: typeof fields): readonly string[] => some.map(({ type, path }) => `${type}.${path}`);

describe('the classes of personal data', () => {
  it('are given for every field of every type', () => {
    expect(fields.length).toBeGreaterThan(600);
    // A new field: its line in src/domain/stored/catalogue/fieldClasses.ts.
    expect(named(fields.filter((field) => field.class === null))).toEqual([]);
  });

  it('have no unused line', () => {
    const known = new Set(
      fields.flatMap(({ type, path }) => [path, `${type}.${path}`, path.slice(path.lastIndexOf('.') + 1)]),
    );
    expect(CLASSIFIED.filter((name) => !known.has(name))).toEqual([]);
  });

  it('keep no text as it is but the product’s own', () => {
    const kept = fields.filter((field) => field.class === 'own' || (field.class === 'safe' && field.kind === 'text'));
    expect(named(kept).toSorted()).toEqual([
      'CrawlPartRecorded.name',
      'FollowUpSetAside.eventType',
      'JobReportReady.files',
      'JobSummaryWritten.by',
      'PlanGenerated.by',
      'PlanRegenerated.by',
      'ProviderEventReceived.eventType',
      'ReportPartWritten.file',
      'ReworkDone.by',
      'ReworkDone.prompt',
    ]);
    expect(named(fields.filter((field) => field.kind === 'anything' && field.class !== 'secret'))).toEqual([]);
  });

  it('treat secrets as the registry does, and every id that finds something as an id', () => {
    const secrets = EVENT_TYPES.flatMap((type) =>
      (STORED[type].secret as readonly string[]).map((path) => `${type}.${path}`),
    );
    expect(named(fields.filter((field) => field.class === 'secret')).toSorted()).toEqual(secrets.toSorted());
    const found = EVENT_TYPES.flatMap((type) =>
      (STORED[type].ids as readonly string[]).map((path) => `${type}.${path}`),
    );
    const words = fields.filter((field) => found.includes(`${field.type}.${field.path}`) && field.class !== 'id');
    expect(named(words).toSorted()).toEqual([
      'CrawlPartRecorded.name',
      'FollowUpRequeued.follower',
      'FollowUpSetAside.follower',
      'GivenUpWorkDropped.kind',
      'ParkedRetryAsked.model',
      'PromptReverted.key',
      'PromptSaved.key',
      'ReportPartWritten.file',
      'WorkRetryAsked.kind',
    ]);
  });
});
