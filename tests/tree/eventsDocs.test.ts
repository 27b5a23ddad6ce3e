import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type EventFacts, eventFacts, eventsPage } from '../../scripts/eventsDocs.ts';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const facts = await eventFacts(root);
const page = eventsPage(facts, fileURLToPath(new URL('../stored/frozen', import.meta.url)));
const of = (type: string): EventFacts | undefined => facts.get(type);

describe('docs/events.md', () => {
  it('is up to date (npm run docs)', () => {
    expect(readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')).toBe(page);
  });

  it('has each type once, with an example and a class for each field', () => {
    expect(EVENT_TYPES.length).toBeGreaterThan(140);
    for (const type of EVENT_TYPES) expect(page.split(`\n### ${type}\n`), type).toHaveLength(2);
    expect(page.split('```json\n')).toHaveLength(EVENT_TYPES.length + 1);
    expect(page).not.toContain('not said yet');
  });

  it('knows who writes and who reads an event', () => {
    expect(of('JobQueued')?.writtenBy).toEqual(['src/domain/job/decide.ts']);
    expect(of('ApiKeyUsed')?.writtenBy).toEqual(['src/commands/apiKeys/noteApiKeyUse.ts']);
    expect(of('MailSent')?.work).toEqual(['closes mail']);
    expect(of('UnlockPaid')?.followers).toContain('unlockedJobs');
    expect(of('JobCompleted')?.readModels).toContain('jobs');
    // Everything written today is found.
    expect(EVENT_TYPES.filter((type) => of(type)?.writtenBy.length === 0)).toEqual([]);
  });

  it('docs/events.md shows no secret', () => {
    expect(page).toContain('"passwordHash": "[redacted]"');
    expect(page).not.toMatch(/\$argon2/);
  });
});
