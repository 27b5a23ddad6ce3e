/** What the checks say of themselves: enough to act on, each in its own words. */
import { expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';

const sentencesOf = (text: string): readonly string[] =>
  text.match(/.+?[.!?](?=\s|$)/g)?.map((sentence) => sentence.trim().toLowerCase()) ?? [];
const texts = CHECKS.flatMap(({ id, risk, gain, steps }) => [risk, gain, ...steps].map((text) => ({ id, text })));

test('no two checks share a sentence of risk or gain', () => {
  const owners = new Map<string, string[]>();
  for (const { id, risk, gain } of CHECKS)
    for (const sentence of [...sentencesOf(risk), ...sentencesOf(gain)])
      owners.set(sentence, [...(owners.get(sentence) ?? []), id]);
  expect([...owners].filter(([, ids]) => ids.length > 1)).toEqual([]);
});

test('every text is whole sentences', () => {
  expect(texts.filter(({ text }) => !/^[\p{Lu}\p{N}“`.<]/u.test(text) || !/[.!?)`]$/.test(text))).toEqual([]);
  expect(
    CHECKS.filter(
      ({ title }) => /[.!?]$/.test(title) || !/^[\p{Lu}\p{N}/<.]|^(?:robots\.txt|hreflang|noindex)/u.test(title),
    ),
  ).toEqual([]);
});

test('of a page that names no language or encoding, the example does not guess them', () => {
  const exampleOf = (wanted: string) => CHECKS.find(({ id }) => id === wanted)?.example;
  expect(exampleOf('html-lang-missing')?.after).toBe('<html lang="YOUR LANGUAGE CODE">');
  expect(exampleOf('charset-missing')).toBeNull();
});

test('an example leaves open what only the owner knows, and invents nothing', () => {
  const examples = CHECKS.flatMap(({ id, example }) => (example === null ? [] : [{ id, after: example.after }]));
  const invented =
    /example\.(?:com|org|net)|\.\.\.|…|lorem|your-|"price": ?"\d|ratingValue": ?"\d|reviewCount": ?"\d|\+\d[\d -]{6,}/i;
  expect(examples.filter(({ after }) => invented.test(after))).toEqual([]);
});
