/** The first pages stay small: to add to them, something else may have to load later. */
import { describe, expect, it } from 'vitest';
import { pageScripts } from '../../scripts/pageScripts.ts';

describe('the scripts of the built web app', () => {
  it.each(pageScripts().map((each) => [each.page, each] as const))(
    'stay within the budget of the %s',
    (_, { bytes, limit, files }) => {
      expect(bytes, `${files.join(', ')}: ${bytes} bytes of ${limit}, gzip`).toBeLessThanOrEqual(limit);
      // React and the router alone exceed this: a smaller total means that scripts were missed.
      expect(bytes).toBeGreaterThan(60_000);
    },
  );
});
