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
  risk: 'Your sitemap index lists files that are gone or are indexes themselves. Search engines can’t use them, so they may find pages that are listed only there late or never.',
  steps: [
    'Pick the case that fits for each file that this report names. You change the index in the SEO plugin, CMS, or script that builds it.',
    'If the file is gone, restore it, or remove its `<sitemap>` entry from the index.',
    'If the file is a sitemap index itself, replace its entry with the sitemaps it lists, each as `<sitemap><loc>YOUR SITEMAP ADDRESS</loc></sitemap>`.',
    'To check, open every `<loc>` of the index in your browser: each shows a sitemap that lists pages.',
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
