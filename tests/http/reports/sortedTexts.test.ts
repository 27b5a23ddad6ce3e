import { expect, test } from 'vitest';
import { alphabeticalKeys, sortedTexts } from '../../../src/http/reports/sortedTexts.ts';
import { ascending } from '../../../src/model/order.ts';
import { roundsDuring } from '../../given/loopRounds.ts';

test.each([0, 1, 2, 999, 1_000, 1_001, 5_500])(
  '%i texts are sorted, and equal ones keep their order',
  async (count) => {
    const texts = Array.from({ length: count }, (_, n) => String((n * 7_919) % 300));
    const expected = [...texts.keys()].sort((a, b) => ascending(texts[a] ?? '', texts[b] ?? ''));
    expect([...(await sortedTexts(texts))]).toEqual(expected);
  },
);

test('case and accents make no difference', async () => {
  expect(await alphabeticalKeys([])).toEqual([]);
  expect(await alphabeticalKeys(['Étude', 'ETUDE', 'ｅtude'])).toEqual(['etude', 'etude', 'etude']);
});

test('texts that take a language long to compare let others in between', async () => {
  const letters = ['a', 'ⓐ', 'A', 'ａ'];
  const texts = Array.from({ length: 20_000 }, (_, n) =>
    Array.from({ length: 200 }, (__, at) => letters[(n >> (at % 16)) & 3]).join(''),
  );
  const rounds = await roundsDuring(async () => {
    expect(await sortedTexts(await alphabeticalKeys(texts))).toHaveLength(texts.length);
  });
  expect(rounds).toBeGreaterThan(1);
});
