/** The first pages stay small: adding to them may mean that something else has to load later. */
import { describe, expect, it } from 'vitest';
import { pageScripts } from '../../scripts/pageScripts.ts';

describe('the scripts of the built web app', () => {
  it.each(pageScripts().map((each) => [each.page, each] as const))('stay within the budget of the %s', (_, { bytes, limit, files }) => {
    expect(bytes, `${files.join(', ')}: ${bytes} bytes of ${limit}, gzip`).toBeLessThanOrEqual(limit);
    // React and the router alone are more than this: less means that scripts were missed.
    expect(bytes).toBeGreaterThan(60_000);
  });
});
