import type { Crawl, SitemapFile } from '../../../crawl/site.ts';
import { siteCheck } from '../../check.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const sitemapIndexBroken = siteCheck({
  id: 'sitemap-index-broken',
  title: 'Sitemap index lists files that can’t be used',
  category: 'technical',
  group: 'sitemap',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search engines can read every sitemap in your index.',
  timeToResult: '1-4 weeks',
  risk: 'Your sitemap index lists files that search engines can’t use. If a file is gone, pages that are listed only there are found late or never. If it’s an index itself, search engines don’t read the sitemaps it names.',
  steps: [
    'Open each file that this report names in your browser.',
    'If the file is gone and a plugin builds the index, save the plugin’s sitemap settings again and clear your site’s cache, so that it rebuilds the index and its files. If two plugins build sitemaps, switch one of them off.',
    'If the file is gone and a script or a person writes the index, restore the file, or delete its `<sitemap>` entry.',
    'If the file is an index itself, take it out of the index: in the plugin’s list of additional sitemaps, or in the script. Then list the sitemaps it names instead, each as `<sitemap><loc>YOUR SITEMAP ADDRESS</loc></sitemap>`.',
    'Open the index in your browser, open every `<loc>` in it, and make sure each shows a sitemap that lists pages.',
  ],
  example: { before: null, after: '<sitemap><loc>YOUR SITEMAP ADDRESS</loc></sitemap>' },
  tags: ['sitemap'],
  source: 'sitemaps.org protocol (https://www.sitemaps.org/protocol.html)',
  appliesTo: (site) => site.discovery.sitemaps.some(({ kind }) => kind === 'index'),
  // A file that did not answer may be there.
  complete: (site) => childrenOf(site).every(({ outcome }) => outcome.status !== null),
  run: (site) =>
    childrenOf(site).flatMap((file) => {
      const problem = problemOf(file);
      return problem === null
        ? []
        : [
            {
              evidence: { url: file.url, place: 'sitemap loc', value: problem.value },
              message: `The sitemap index names ${pathOf(file.url)}, ${problem.text}.`,
            },
          ];
    }),
});

const childrenOf = ({ discovery }: Crawl): readonly SitemapFile[] =>
  discovery.sitemaps.filter(({ from }) => from === 'index');

function problemOf({
  outcome: { status },
  kind,
}: SitemapFile): { readonly text: string; readonly value: string } | null {
  if (status !== null && status >= 400) return { text: `which answers with status ${status}`, value: `${status}` };
  return kind === 'index' ? { text: 'which is an index itself', value: 'index' } : null;
}
