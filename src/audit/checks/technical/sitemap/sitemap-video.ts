import { hasSitemap } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { count } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { areListsComplete } from '../../lookups/sitemapPages.ts';

export const sitemapVideo = siteCheck({
  id: 'sitemap-video',
  title: 'Sitemap video entries are incomplete',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Your videos can appear in search with a thumbnail and a title.',
  timeToResult: '2-4 weeks',
  risk: 'Some video entries in your sitemap are incomplete. Google can’t use an entry without a thumbnail, a title, a description, and the URL of the video or its player.',
  steps: [
    'In the SEO or video plugin, CMS, or script that builds the sitemap, add the tags that this report lists as missing.',
    'Each entry needs `<video:thumbnail_loc>`, `<video:title>`, `<video:description>`, and either `<video:content_loc>` or `<video:player_loc>`. If a plugin builds the sitemap, you fill these in in the video’s own settings.',
    'Open the sitemap in your browser and make sure every `<video:video>` entry has these tags.',
  ],
  example: {
    before: null,
    after:
      '<video:video>\n  <video:thumbnail_loc>YOUR THUMBNAIL ADDRESS</video:thumbnail_loc>\n  <video:title>YOUR VIDEO TITLE</video:title>\n  <video:description>YOUR VIDEO DESCRIPTION</video:description>\n  <video:content_loc>YOUR VIDEO ADDRESS</video:content_loc>\n</video:video>',
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
