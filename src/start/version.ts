/** What the product calls itself towards others. */
import { readFileSync } from 'node:fs';

/** Of package.json, which stands above `src/` or, for the build, above `dist/src/`; `here`: this file, among the sources or in the build. */
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

/** Sent with every request to an audited site. Where there is an installation it names the page that tells a site's owner who came. */
export function userAgent(appUrl?: string): string {
  return `SEOWorkbench/${version()}${appUrl ? ` (+${appUrl}/about-crawler)` : ''}`;
}
