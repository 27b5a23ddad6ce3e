/** What a browser must load before a page of the web app is usable: gzip, from the build. */
import { pageScripts } from '../../scripts/pageScripts.ts';
import { type Figure, kilobytes, type Row } from '../measure.ts';

export const bundles: Figure = {
  name: 'bundles',
  async measure({ say }) {
    return pageScripts().map(({ page, files, bytes, limit }): Row => {
      say(`${page}: ${files.join(', ')}`);
      return {
        what: `JavaScript before the ${page} is usable, gzip`,
        ours: kilobytes(bytes),
        limit: '90 KB (react, router, store)',
        ratio: bytes / 90_000,
        goal: `≤ ${limit / 1000} KB`,
        met: bytes <= limit,
      };
    });
  },
};
