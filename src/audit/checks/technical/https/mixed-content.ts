import { httpsPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { type LoadedFile, loadedFiles } from '../../lookups/pageLinks.ts';

export const mixedContent = pageCheck({
  id: 'mixed-content',
  title: 'Secure page loads insecure resources',
  category: 'technical',
  group: 'https',
  impact: 'high',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The page loads completely, and everything on it is encrypted.',
  timeToResult: '1-2 weeks',
  risk: 'The page is secure but uses insecure http:// URLs. If it loads files from them, browsers block scripts, stylesheets, and frames, so parts of the page are missing. If it sends forms to them, browsers warn visitors first.',
  steps: [
    'Open each URL that this report lists with https:// instead of http:// at the start.',
    'If it works, change the URL to https:// in the template, the content, or the stylesheet.',
    'If it doesn’t work, upload the file to your own site, or replace the service it comes from.',
    'Open the Console in your browser’s developer tools, reload the page, and make sure no “Mixed Content” messages appear.',
  ],
  // No code is written: whether the other host answers by https is not known.
  example: {
    before: '<img src="http://YOUR DOMAIN/YOUR IMAGE" alt="YOUR IMAGE DESCRIPTION">',
    after: '<img src="https://YOUR DOMAIN/YOUR IMAGE" alt="YOUR IMAGE DESCRIPTION">',
  },
  tags: ['https', 'security'],
  source: 'Lighthouse: is-on-https',
  lighthouse: 'is-on-https',
  appliesTo: httpsPage,
  run: (page) =>
    loadedFiles(page).flatMap(({ url, kind, place }) => {
      if (!url.startsWith('http://') || !LOADED.has(kind)) return [];
      return [
        {
          evidence: seen(page, place, url),
          message: `The secure page ${kind === 'form' ? 'sends a form to' : `loads ${kind === 'image' ? 'an image' : `a ${kind}`} from`} ${url}.`,
        },
      ];
    }),
});

const LOADED: ReadonlySet<LoadedFile['kind']> = new Set([
  'image',
  'script',
  'iframe',
  'frame',
  'media',
  'object',
  'stylesheet',
  'form',
  'font',
  'preload',
]);
