/** The product's name and version, as sent to others. */
import { readFileSync } from 'node:fs';

/**
 * The version in package.json, found above `src/` or, in the build, above `dist/src/`; `here`: this file, as source or
 * in the build.
 */
export function version(here = import.meta.url): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(path, here), 'utf8')) as { version: string }).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return '1.0.0';
}

/**
 * Sent with every request to an audited site. If there is an installation, it names the page that tells a site's owner
 * who visited.
 */
export function userAgent(appUrl?: string): string {
  return `SEOWorkbench/${version()}${appUrl ? ` (+${appUrl}/about-crawler)` : ''}`;
}
