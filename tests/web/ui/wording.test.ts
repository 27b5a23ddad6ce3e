import { describe, expect, it } from 'vitest';
import { usageTone } from '../../../web/features/account/subscription/tiers.ts';
import { previewOf } from '../../../web/features/actions/SummaryCard.tsx';
import { passwordStrength } from '../../../web/ui/form/passwordStrength.ts';
import { dayOf, exactTime, relativeTime } from '../../../web/ui/text/time.ts';
import {
  count,
  cutMiddle,
  etaText,
  grouped,
  hostWithoutWww,
  stripMarkdown,
  titleCase,
} from '../../../web/ui/text/wording.ts';

describe('wording', () => {
  it('shows a duration estimate as a range', () => {
    expect(etaText({ from: 95, to: 170 })).toBe('about 1–3 min');
    expect(etaText({ from: 120, to: 180 })).toBe('about 2–3 min');
    expect(etaText({ from: 18, to: 42 })).toBe('about 20–40 s');
    expect(etaText({ from: 29, to: 31 })).toBe('about 30 s');
    expect(etaText({ from: 61, to: 118 })).toBe('about 1–2 min');
    expect(etaText({ from: 0, to: 7 })).toBe('a few seconds');
    expect(etaText({ from: 200, to: 90 })).toBe('about 3 min');
  });

  it('shortens long addresses in the middle', () => {
    expect(cutMiddle('https://example.com/a/very/long/path/to/page.html', 30)).toHaveLength(30);
    expect(cutMiddle('https://example.com/a/very/long/path/to/page.html', 30)).toMatch(
      /^https:\/\/example.*….*page\.html$/,
    );
    expect(cutMiddle('short', 30)).toBe('short');
  });

  it('formats hosts, amounts and statuses', () => {
    expect(hostWithoutWww('www.example.com')).toBe('example.com');
    expect(hostWithoutWww('www2.example.com')).toBe('www2.example.com');
    expect(count(1, 'page')).toBe('1 page');
    expect(count(1200, 'analysis', 'analyses')).toBe('1,200 analyses');
    expect(titleCase('executing_actions_parsing')).toBe('Executing Actions Parsing');
  });

  it('formats times relative to now', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    expect(relativeTime('2026-11-20T11:59:30Z', now)).toBe('just now');
    expect(relativeTime('2026-11-20T11:58:00Z', now)).toBe('2 minutes ago');
    expect(relativeTime('2026-11-20T10:00:00Z', now)).toBe('2 hours ago');
    expect(relativeTime('2026-11-19T11:00:00Z', now)).toBe('yesterday');
    expect(relativeTime('nonsense', now)).toBe('');
  });

  it('follows the language’s conventions', () => {
    const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
    for (const [unit, seconds, most] of [
      ['minute', 60, 59],
      ['hour', 3600, 23],
      ['day', 86_400, 6],
      ['week', 604_800, 4],
      ['month', 2_592_000, 12],
      ['year', 31_536_000, 9],
    ] as const)
      for (const sign of [-1, 1])
        for (let number = 1; number <= most; number += 1)
          expect(relativeTime(new Date(sign * number * seconds * 1000).toISOString(), 0)).toBe(
            relative.format(sign * number, unit),
          );
    const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
    // Every hour of the clock, every month, in summer and in winter time.
    for (let at = Date.UTC(2023, 11, 30); at < Date.UTC(2025, 2, 2); at += 7 * 3_600_000 + 61_000) {
      const iso = new Date(at).toISOString();
      expect(exactTime(iso)).toBe(exact.format(at).replaceAll('\u202f', ' '));
      expect(dayOf(iso)).toBe(day.format(at));
    }
    for (const number of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890])
      expect(grouped(number)).toBe(number.toLocaleString('en'));
    expect([exactTime('nonsense'), dayOf('nonsense')]).toEqual(['', '']);
  });

  it('strips the marks of markdown, not its words', () => {
    expect(stripMarkdown('# Title\n\nA **bold** [link](https://x.y) with `code` and robots_txt.\n\n- one\n- two')).toBe(
      'Title A bold link with code and robots_txt. one two',
    );
    expect(stripMarkdown('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('a b 1 2');
    expect(previewOf('word '.repeat(100))).toMatch(/^(?:word )+word…$/);
    expect(previewOf('word '.repeat(100)).length).toBeLessThanOrEqual(201);
    expect(previewOf('short')).toBe('short');
    expect(previewOf(`${'A sentence. '.repeat(12)}${'word '.repeat(30)}`)).toBe('A sentence. '.repeat(12).trim());
    expect(previewOf(`Short. ${'word '.repeat(100)}`)).toMatch(/^Short\. (?:word )+word…$/);
  });

  it('colors usage green below 70 percent, yellow from 70, red from 90', () => {
    expect([0, 69, 70, 89, 90, 120].map((used) => usageTone(used, 100))).toEqual([
      'good',
      'good',
      'attention',
      'attention',
      'bad',
      'bad',
    ]);
    expect(usageTone(0, 0)).toBe('bad');
  });

  it('rates passwords as a hint', () => {
    expect(passwordStrength('abc123')).toBe('weak');
    expect(passwordStrength('aaaaaaaaaaaa')).toBe('weak');
    expect(passwordStrength('password-1234')).toBe('weak');
    expect(passwordStrength('kalimero')).toBe('fair');
    expect(passwordStrength('a longer sentence, with 4 kinds')).toBe('strong');
  });
});
