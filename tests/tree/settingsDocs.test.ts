import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { envExample, settings, settingsPage } from '../../scripts/settingsDocs.ts';

describe('documentation of the settings', () => {
  it('explains each', () => {
    expect(settings().length).toBeGreaterThan(15);
    expect(settings().filter((setting) => setting.text.length < 15)).toEqual([]);
  });

  it('is up to date (npm run docs)', () => {
    expect(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage());
    expect(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')).toBe(envExample());
  });
});
