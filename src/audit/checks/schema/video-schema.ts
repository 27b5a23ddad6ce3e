import { contentPage, isComplete, isIndexable } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { describedNodes, faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const videoSchema = pageCheck({
  id: 'video-schema',
  title: 'Video data is missing or incomplete',
  category: 'schema',
  group: 'video',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Video results and key moments.',
  timeToResult: '2-6 weeks',
  risk: 'Search cannot describe the video.',
  steps: ['Add VideoObject.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"VideoObject","name":"...","thumbnailUrl":"https://example.com/t.jpg","uploadDate":"2026-01-10T08:00:00+00:00"}',
  },
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
