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
  gain: 'Keeps the padlock and stops broken images.',
  timeToResult: '1-2 weeks',
  risk: 'Browsers block or upgrade such resources and warn users.',
  steps: ['Change the addresses to https.'],
  example: { before: null, after: '<img src="https://example.com/a.jpg" alt="...">' },
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
