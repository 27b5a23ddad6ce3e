import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/start/version.ts';

const PACKAGE = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

describe('the version', () => {
  it.each(['src/start/version.ts', 'dist/src/start/version.js'])('is that of the package, read from %s', (file) => {
    expect(version(new URL(`../../${file}`, import.meta.url).href)).toBe(PACKAGE.version);
  });
});
