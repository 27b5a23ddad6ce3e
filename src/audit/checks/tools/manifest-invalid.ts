import type { Crawl, FileCheck } from '../../crawl/site.ts';
import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { manifestProblems } from '../lookups/manifest.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const manifestInvalid = siteCheck({
  id: 'manifest-invalid',
  title: 'Web manifest is missing or broken',
  category: 'tools',
  group: 'branding',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'People can install the site as an app with your name and icon.',
  timeToResult: 'immediate',
  risk: 'The home page has no web manifest that works, so on a phone’s home screen the site may get a generic name or icon, and some browsers won’t offer to install it as an app.',
  steps: [
    'If nobody needs to install the site, do without a manifest and remove any broken `<link rel="manifest">` from the template.',
    'Otherwise make the file with your CMS’s app plugin or an online manifest generator, or copy the example of this report into a file named `site.webmanifest` and fill in your values. It takes two square PNG icons, 192 and 512 pixels wide. Leave `display` as `standalone`, which opens the site in a window of its own. If you have a manifest that doesn’t load or has errors, replace it.',
    'Upload the file and the icons to the folder of your home page.',
    'Add `<link rel="manifest" href="YOUR MANIFEST ADDRESS">` to the `<head>` of the home page.',
    'Open the home page, look under Manifest in the Application tab in your browser’s developer tools, and make sure the name and the icons appear without errors. If you removed the link, make sure no manifest is found.',
  ],
  // No code is written: its icons do not exist yet.
  example: {
    before: null,
    after:
      '{\n  "name": "YOUR SITE NAME",\n  "start_url": "/",\n  "display": "standalone",\n  "icons": [\n    { "src": "YOUR SMALL ICON ADDRESS", "sizes": "192x192", "type": "image/png" },\n    { "src": "YOUR LARGE ICON ADDRESS", "sizes": "512x512", "type": "image/png" }\n  ]\n}',
  },
  tags: ['branding', 'pwa'],
  source: 'W3C Web Application Manifest (https://www.w3.org/TR/appmanifest/)',
  looksIn: ['manifest link'],
  appliesTo: hasStartPage,
  gathered: (site) => isStartPageComplete(site) && (named(site) === null || fileOf(site) !== null),
  run: (site) => {
    const { start } = siteIndex(site);
    const address = named(site);
    if (start === null || !htmlPage(start)) return [];
    if (address === null)
      return [
        {
          evidence: seen(start, 'link[rel=manifest]', 'missing'),
          message: 'The home page names no web manifest.',
          hint: true,
        },
      ];
    const file = fileOf(site);
    const problem = file === null ? null : problemOf(file);
    return problem === null
      ? []
      : [
          {
            evidence: seen(start, 'link[rel=manifest]', address),
            message: `The web manifest ${address} ${problem}.`,
          },
        ];
  },
});

function named(site: Crawl): string | null {
  return siteIndex(site).start?.facts?.resources.find(({ kind }) => kind === 'manifest')?.url ?? null;
}

function fileOf(site: Crawl): FileCheck | null {
  return siteIndex(site).fileOf('manifest', named(site) ?? '');
}

function problemOf({ outcome, text }: FileCheck): string | null {
  if (outcome.status === null) return 'could not be fetched';
  if (outcome.status !== 200) return `answers with status ${outcome.status}`;
  const problems = manifestProblems(text);
  return problems.length === 0 ? null : problems.join(' and ');
}
