import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { count } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapVideo = siteCheck({
  id: 'sitemap-video',
  title: 'Video entries of the sitemap are incomplete',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Videos are found with a picture and a title.',
  timeToResult: '2-4 weeks',
  risk: 'Google ignores a video entry without a thumbnail, a title, a description, or the address of the video.',
  steps: ['Give each video what is missing.'],
  example: {
    before: null,
    after:
      '<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>Brewing</video:title><video:description>How to brew</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>',
  },
  tags: ['sitemap', 'video'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: hasSitemap,
  complete: areListsComplete,
  run: function* (site) {
    const faults: Fault[] = [];
    for (const { url, urls } of site.discovery.sitemaps) {
      let [bad, first] = [0, ''];
      const lacks = new Set<string>();
      for (const { loc, videoLacks } of urls) {
        yield;
        if (videoLacks === undefined) continue;
        bad += 1;
        if (first === '') first = loc;
        for (const part of videoLacks) lacks.add(part);
      }
      if (bad === 0) continue;
      const missing = [...lacks].join(', ');
      faults.push({
        evidence: { url, place: 'video:video', value: `missing: ${missing}` },
        message: `${pathOf(url)}: ${count(bad)} ${bad === 1 ? 'entry has a video' : 'entries have videos'} without ${missing}, such as ${first}.`,
      });
    }
    return faults;
  },
});
