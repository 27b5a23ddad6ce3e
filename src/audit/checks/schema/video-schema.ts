import { contentPage, isComplete, isIndexable } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { describedNodes, faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const videoSchema = pageCheck({
  id: 'video-schema',
  title: 'Video markup is missing or incomplete',
  category: 'schema',
  group: 'video',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The video can appear in video results with its thumbnail.',
  timeToResult: '2-6 weeks',
  risk: 'The video’s markup is missing or incomplete, so search engines may not learn its title, thumbnail, and date, and it’s less likely to show up among video results.',
  steps: [
    'In your SEO plugin’s settings or in the template, add VideoObject JSON-LD (a script of the type `application/ld+json`) with `name`, `thumbnailUrl`, `uploadDate`, and `contentUrl` or `embedUrl`, or complete it.',
    'Write `uploadDate` like `2030-05-01T19:30-05:00`, where `-05:00` is the time zone.',
    'Open /robots.txt in your browser and make sure the thumbnail’s path doesn’t begin with the path of a `Disallow` line. If it does, add an `Allow` line with the thumbnail’s full path below that line.',
    'If the video is important, give it a page of its own, because Google shows video results only for pages whose main content is the video.',
    'Run the page through Google’s Rich Results Test and make sure it detects the video and reports no errors.',
  ],
  // No code is written: dates and thumbnails of a video are not on the page.
  example: schemaExample({
    '@type': 'VideoObject',
    name: 'YOUR VIDEO TITLE',
    description: 'YOUR VIDEO DESCRIPTION',
    thumbnailUrl: ['YOUR THUMBNAIL ADDRESS'],
    uploadDate: 'YOUR UPLOAD DATE',
    embedUrl: 'YOUR PLAYER ADDRESS',
  }),
  tags: ['schema', 'video'],
  source:
    'Google Search Central: Video structured data (https://developers.google.com/search/docs/appearance/structured-data/video)',
  appliesTo: (page, site) =>
    contentPage(page) &&
    isIndexable(page, site) &&
    (embeddedVideo(page) !== null || namesType(page.facts, 'VideoObject')),
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'VideoObject'),
  run: (page) => {
    if (describedNodes(page, 'VideoObject').length > 0) return faultsOfType(page, 'VideoObject', 'video');
    const video = embeddedVideo(page);
    if (video === null) return [];
    return [
      {
        evidence: seen(page, video.selector, video.url),
        message: `The page shows the video ${video.url}, but does not say in structured data what it is.`,
      },
    ];
  },
});

/** An embedded player of a video service, or a video file played in the page. */
function embeddedVideo({ facts }: HtmlPage): HtmlPage['facts']['resources'][number] | null {
  return (
    facts.resources.find(
      ({ kind, url }) => (kind === 'iframe' && PLAYERS.test(url)) || (kind === 'media' && FILES.test(url)),
    ) ?? null
  );
}

const PLAYERS = /^https?:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed\/|player\.vimeo\.com\/video\/)/;
const FILES = /\.(?:mp4|webm|m4v|mov|m3u8)(?:[?#]|$)/i;
