import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { type GivenSite, words } from '../../../given/audit/page.ts';
import { body, LONG, main } from './html.ts';

const img = (attributes: string): string => main(`<h1>Tea</h1><img ${attributes}>`);
const many = (count: number, attributes = ''): string =>
  main(Array.from({ length: count }, (_, index) => `<img src="/${index}.webp" alt="Tea" ${attributes}>`).join(''));

/** The same image three times, with its response. */
const loaded = (url: string, headers: Readonly<Record<string, string>>): GivenSite => ({
  pages: [main(`<img src="${url}" alt="">`.repeat(3))],
  linkChecks: [{ url, kind: 'image', headers }],
});

export const IMAGES: CaseTable = {
  'image-alt-missing': {
    passes: [
      img('src="/a.png" alt="A teapot"'),
      img('src="/a.png" alt=""'),
      img('src="/a.png" role="presentation"'),
      img('src="/a.png" title="A teapot"'),
      img('src="/a.png" aria-label="A teapot"'),
    ],
    finds: [
      { site: img('src="/a.png"'), tells: 'The image /a.png has no alt text' },
      { site: img('src="/a.png" alt="  "'), tells: 'white space' },
    ],
    skips: [main('<p>Tea</p>'), img('src="/p.gif" width="1" height="1"'), img('src="/p.gif" style="display: none"')],
  },
  'image-alt-poor': {
    passes: [img('src="/a.png" alt="A clay teapot"')],
    finds: [
      { site: img('src="/a.png" alt="IMG_2034.jpg"'), tells: 'is a file name' },
      { site: img('src="/a.png" alt="image 12"'), tells: 'describes nothing' },
      { site: img(`src="/a.png" alt="${'tea '.repeat(40)}"`), tells: '159 characters' },
    ],
    skips: [img('src="/a.png"'), img('src="/a.png" alt=""')],
  },
  'image-no-size': {
    passes: [
      img('src="/a.png" alt="" width="10" height="10"'),
      img('src="/a.png" alt="" style="width: 100px; aspect-ratio: 16/9"'),
      img('src="/a.png" alt="" width="0" height="0"').replace('width="0" height="0"', 'width="0" height="20"'),
      img('src="data:image/svg+xml,%3Csvg/%3E" alt=""'),
    ],
    finds: [
      { site: img('src="/a.png" alt="Pot"') },
      img('src="/a.png" alt="" width="100"'),
      img('src="/a.png" alt="" width="-5" height="10"'),
      img('src="/a.png" alt="" style="width:auto;height:auto"'),
    ],
    skips: [main('<p>Tea</p>')],
  },
  'image-legacy-format': {
    passes: [
      many(5),
      main(`${'<img src="/a.jpg" alt="">'.repeat(2)}`),
      loaded('/a.jpg', { 'content-type': 'image/jpeg', vary: 'Accept' }),
      loaded('/a.jpg', { 'content-type': 'image/webp' }),
      main('<picture><source type="image/avif" srcset="/a.avif"><img src="/a.jpg" alt=""></picture>'.repeat(4)),
    ],
    finds: [
      {
        site: main('<img src="/a.jpg" alt="">'.repeat(3)),
        tells: '3 images are offered as JPEG',
      },
      loaded('/a', { 'content-type': 'image/png' }),
    ],
    skips: [main('<p>Tea</p>')],
  },
  'image-not-lazy': {
    passes: [many(12, 'loading="lazy"')],
    finds: [{ site: many(12), tells: '9 of 12 images' }],
    skips: [many(8)],
  },
  'hero-image-lazy': {
    passes: [
      img('src="/a.png" alt=""'),
      // Nobody sees it before they scroll.
      main(`${LONG}<img src="/hero.jpg" alt="Teapot" loading="lazy">`),
      main('<img src="/logo.png" alt="" width="40" loading="lazy"><img src="/hero.jpg" alt="">'),
      body('<header><img src="/l.png" alt="" loading="lazy"></header><main><img src="/hero.jpg" alt=""></main>'),
    ],
    finds: [
      {
        site: main(
          `<h1>Tea</h1><p>${words(60)}</p><img src="/hero.jpg" alt="Teapot" width="800" height="600" loading="lazy">`,
        ),
        tells: '/hero.jpg',
        code: '<img loading="eager" fetchpriority="high">',
      },
      img('src="/hero.jpg" alt="Teapot" loading="lazy"'),
    ],
    skips: [main('<p>Tea</p>')],
  },
  'image-broken': {
    passes: [
      {
        pages: [img('src="/a.png" alt=""')],
        linkChecks: [{ url: '/a.png', kind: 'image', headers: { 'content-type': 'image/png' } }],
      },
    ],
    finds: [
      {
        site: { pages: [img('src="/a.png" alt=""')], linkChecks: [{ url: '/a.png', kind: 'image', status: 404 }] },
        tells: 'answers with status 404',
      },
      {
        site: {
          pages: [img('src="/a.png" alt=""')],
          linkChecks: [{ url: '/a.png', kind: 'image', headers: { 'content-type': 'text/html' } }],
        },
        tells: 'is text/html, not an image',
      },
    ],
    unchecked: [img('src="/a.png" alt=""')],
  },
};
