import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/eventTypes.ts';
import { EVENT_TYPES_IN_WORDS, eventWords } from '../../../src/model/history/eventWords.ts';

describe('event types in plain words', () => {
  it('has words for every type of the registry, and for no other', () => {
    expect([...EVENT_TYPES_IN_WORDS].sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('differ between types, and are short enough for a row on a phone', () => {
    const words = EVENT_TYPES_IN_WORDS.map(eventWords);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((text) => text.length > 40 || !/^[A-Z][\w ,-]+$/.test(text))).toEqual([]);
  });

  it('leave an unknown type as it is', () => {
    expect(eventWords('ThingHappened')).toBe('ThingHappened');
  });
});
