/** Structured data of single types. */
import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, ld, main, SCHEMA } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const marked = (node: object, inside = LONG): string =>
  head(`<title>Tea shop</title>${ld({ ...SCHEMA, ...node })}`, `<main><h1>Tea</h1>${inside}</main>`);
const cafe = {
  '@type': 'CafeOrCoffeeShop',
  name: 'Tea house',
  address: { '@type': 'PostalAddress', streetAddress: '1 Main St' },
  telephone: '+1-555-0100',
  openingHours: 'Mo-Fr 09:00-17:00',
  geo: { '@type': 'GeoCoordinates', latitude: 1, longitude: 2 },
  url: 'https://example.com/',
};
const event = {
  '@type': 'MusicEvent',
  name: 'Tea night',
  startDate: '2026-06-01T19:00+02:00',
  endDate: '2026-06-01T22:00+02:00',
  eventStatus: 'https://schema.org/EventScheduled',
  image: 'https://example.com/e.jpg',
  offers: { '@type': 'Offer', price: 5 },
  location: { '@type': 'Place', name: 'Hall', address: '1 Main St' },
};
const recipe = {
  '@type': 'Recipe',
  name: 'Iced tea',
  image: 'https://example.com/i.jpg',
  recipeIngredient: ['tea'],
  recipeInstructions: 'Brew.',
  totalTime: 'PT1H30M',
  recipeYield: '2',
  author: { '@type': 'Person', name: 'Anna' },
};
const video = {
  '@type': 'VideoObject',
  name: 'Brewing',
  thumbnailUrl: 'https://example.com/t.jpg',
  uploadDate: '2026-01-10',
};
const frame = '<iframe src="https://www.youtube.com/embed/abc" title="Brewing"></iframe>';
const job = {
  '@type': 'JobPosting',
  title: 'Taster',
  description: 'Taste tea.',
  datePosted: '2026-01-10',
  hiringOrganization: { '@type': 'Organization', name: 'Tea house' },
  jobLocation: { '@type': 'Place', address: 'Town' },
};
const app = {
  '@type': 'MobileApplication',
  name: 'Tea timer',
  offers: { '@type': 'Offer', price: 0 },
  aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, ratingCount: 10 },
};
const rated = (rating: object): object => ({
  '@type': 'Product',
  name: 'Teapot',
  aggregateRating: { '@type': 'AggregateRating', ...rating },
});
const stars = { '@type': 'AggregateRating', ratingValue: 5, reviewCount: 9 };
const review = {
  '@type': 'Review',
  author: { '@type': 'Person', name: 'Anna' },
  reviewRating: { '@type': 'Rating', ratingValue: 5 },
};
const microdata = (type: string, inside: string): string =>
  body(`<main><div itemscope itemtype="https://schema.org/${type}">${inside}</div>${LONG}</main>`);
const rdfa = (type: string): string =>
  main(`<div vocab="https://schema.org/" typeof="${type}"><span property="name">Tea</span></div>`);
const visit = (text: string): string => body(`<main><h1>Tea</h1>${LONG}</main><footer>${text}</footer>`);
const said = (node: object, shown: string): string => marked(node, `<p>${shown}</p>${LONG}`);

export const STRUCTURED: CaseTable = {
  'localbusiness-schema': {
    passes: [
      marked(cafe),
      { pages: [visit('Mon–Fri 9:00–17:00'), { url: '/visit', html: marked(cafe) }] },
      marked({ '@graph': [{ ...cafe, address: { '@id': '#a' } }] }),
      // As the provider of a service it need not be described again.
      {
        pages: [
          marked(cafe),
          {
            url: '/a',
            html: marked({
              '@type': 'Service',
              provider: { '@type': cafe['@type'], name: cafe.name, address: '1 Main St' },
            }),
          },
        ],
      },
    ],
    finds: [
      {
        site: visit('Open Mon–Fri 9:00–17:00'),
        tells: 'opening hours ("Mon–Fri 9:00–17:00")',
        hint: false,
      },
      { site: visit('Mo. bis Fr.: 9 bis 17 Uhr'), tells: 'opening hours' },
      { site: visit('Tea house, Hauptstraße 12, 10115 Berlin'), tells: 'a postal address', hint: true },
      { site: visit('Tea house, 12 Station Road, Leeds LS1 4AB'), tells: 'a postal address', hint: true },
      { site: visit('Tea house, 350 Fifth Avenue, New York, NY 10118'), tells: 'a postal address', hint: true },
      { site: marked({ ...cafe, name: '' }), tells: 'lacks name', impact: 'high' },
      {
        site: {
          pages: [marked({ ...cafe, geo: undefined }), { url: '/a', html: marked({ ...cafe, geo: undefined }) }],
        },
        tells: 'with geo',
        impact: 'low',
        hint: false,
        count: 1,
      },
    ],
    skips: [
      marked({ ...review, itemReviewed: { '@type': 'Restaurant', name: 'Legal Seafood' } }),
      page,
      visit('Version 2.0 of 2024, 12 items, order 10115'),
      visit('Call us on Monday'),
    ],
    unchecked: [
      rdfa('LocalBusiness'),
      head(ld('{"@type":')).replace('</main>', '</main><footer>Mon–Fri 9:00–17:00</footer>'),
    ],
  },
  'event-schema': {
    passes: [
      marked(event),
      marked({ ...event, location: { '@type': 'VirtualLocation', url: 'https://example.com/live' } }),
      // The event at which something was recorded is not announced.
      marked({
        '@graph': [
          event,
          { '@type': 'MusicRecording', name: 'Song', recordedAt: { '@type': 'Event', name: 'Studio' } },
        ],
      }),
      marked({
        '@graph': [
          { ...event, location: { '@id': '#hall' } },
          { '@type': 'Place', '@id': '#hall', address: '1 Main St' },
        ],
      }),
    ],
    finds: [
      { site: marked({ ...event, startDate: undefined }), tells: 'The event "Tea night" lacks startDate', hint: false },
      { site: marked({ ...event, startDate: 'next Friday' }), tells: 'startDate "next Friday"' },
      { site: marked({ ...event, location: { '@type': 'Place', name: 'Hall' } }), tells: 'lacks location.address' },
      {
        site: marked({ ...event, location: { '@type': 'Place', url: 'https://hall.example/' } }),
        tells: 'lacks location.address',
      },
      { site: marked({ ...event, location: { '@type': 'VirtualLocation' } }), tells: 'lacks location.address' },
      {
        site: marked({
          '@graph': [
            { ...event, location: { '@id': '#hall' } },
            { '@type': 'Place', '@id': '#hall', name: 'Hall' },
          ],
        }),
        tells: 'lacks location.address',
      },
      { site: marked({ ...event, offers: undefined, image: '' }), tells: 'with image, offers', hint: true },
      {
        site: marked({ '@graph': [event, { ...event, name: 'Second', startDate: '' }] }),
        tells: '"Second" lacks startDate',
        count: 1,
      },
      {
        site: microdata('Event', '<span itemprop="name">Tea night</span>'),
        tells: 'lacks startDate, location.address',
      },
    ],
    skips: [
      page,
      marked({
        '@type': 'VideoObject',
        name: 'Live',
        publication: { '@type': 'BroadcastEvent', isLiveBroadcast: true },
      }),
    ],
    unchecked: [rdfa('Event')],
  },
  'recipe-schema': {
    passes: [
      marked(recipe),
      marked({ ...recipe, '@type': ['Recipe', 'NewsArticle'] }),
      marked({ ...recipe, totalTime: undefined, cookTime: 'PT1H', prepTime: 'PT30M' }),
    ],
    finds: [
      {
        site: marked({ ...recipe, totalTime: undefined, cookTime: 'PT1H' }),
        tells: 'with totalTime or prepTime',
        hint: true,
      },
      { site: marked({ ...recipe, image: [] }), tells: 'lacks image', hint: false },
      { site: marked({ ...recipe, totalTime: '90 minutes' }), tells: 'totalTime "90 minutes"' },
      { site: marked({ ...recipe, recipeYield: undefined }), tells: 'with recipeYield', hint: true },
    ],
    skips: [page],
    unchecked: [rdfa('Recipe')],
  },
  'video-schema': {
    passes: [
      marked(video, frame + LONG),
      microdata(
        'VideoObject',
        '<meta itemprop="name" content="Brewing"><link itemprop="thumbnailUrl" href="/t.jpg"><meta itemprop="uploadDate" content="2026-01-10">',
      ),
    ],
    finds: [
      {
        site: main(frame + LONG),
        tells: 'https://www.youtube.com/embed/abc',
      },
      {
        site: main(`<h1>Brewing</h1><video src="/brew.mp4"></video>${LONG}`),
      },
      { site: marked({ ...video, uploadDate: undefined }), tells: 'The video "Brewing" lacks uploadDate' },
      { site: marked({ ...video, uploadDate: '10.1.2026' }), tells: 'ISO 8601' },
      {
        site: marked({ ...video, thumbnailUrl: undefined, thumbnail: 'https://example.com/t.jpg' }),
        tells: 'lacks thumbnailUrl',
      },
    ],
    skips: [page, main(`<iframe src="https://maps.example/x"></iframe>${LONG}`)],
    unchecked: [rdfa('VideoObject')],
  },
  'review-schema': {
    passes: [
      marked(rated({ ratingValue: 4.6, reviewCount: 128 })),
      marked(rated({ ratingValue: '92', bestRating: 100, ratingCount: 3 })),
      marked({ '@type': 'Product', name: 'Teapot', review }),
      marked({ '@type': 'Product', name: 'Teapot', review: { ...review, reviewRating: undefined } }),
      // A magazine's review, and a directory's rating, are of others.
      {
        pages: [
          page,
          {
            url: '/a',
            html: marked({
              ...review,
              itemReviewed: { ...cafe, url: undefined },
              publisher: { '@type': 'Organization', name: 'The Tea Times' },
            }),
          },
        ],
      },
      {
        pages: [
          marked({ '@type': 'WebSite', name: 'The Tea Times' }),
          { url: '/a', html: marked({ ...cafe, url: undefined, aggregateRating: stars }) },
        ],
      },
      marked({ ...cafe, url: 'https://other.example/', aggregateRating: stars }),
    ],
    finds: [
      {
        site: marked(rated({ ratingValue: 6, reviewCount: 2 })),
        tells: 'The rating of "Teapot" has the rating 6, outside 1 to 5',
      },
      { site: marked(rated({ reviewCount: 2 })), tells: 'lacks ratingValue' },
      { site: marked(rated({ ratingValue: 5 })), tells: 'lacks ratingCount or reviewCount' },
      { site: marked(rated({ ratingValue: 5, reviewCount: 0 })), tells: 'counts no rating' },
      { site: marked(rated({ ratingValue: 5, reviewCount: -3 })), tells: 'counts -3 ratings' },
      {
        site: marked(rated({ ratingValue: 3, worstRating: 5, bestRating: 1, reviewCount: 3 })),
        tells: 'a worst rating of 5 and a best one of 1',
      },
      { site: marked(rated({ ratingValue: 'great', reviewCount: 2 })), tells: 'isn’t a number' },
      {
        site: marked({ '@type': 'Product', name: 'Teapot', review: { ...review, author: undefined } }),
        tells: 'lacks author',
      },
      {
        site: marked({
          '@type': 'Restaurant',
          name: 'Tea house',
          aggregateRating: { '@type': 'AggregateRating', ratingValue: 5, reviewCount: 9 },
        }),
        tells: 'gives itself',
      },
      {
        site: marked({ ...review, itemReviewed: { '@type': 'Organization', name: 'Tea house' } }),
        tells: 'gives itself',
      },
      {
        site: {
          pages: [
            marked({ '@type': 'WebSite', name: 'Tea House' }),
            { url: '/a', html: marked({ ...cafe, url: undefined, aggregateRating: stars }) },
          ],
        },
        tells: 'gives itself',
      },
      {
        site: {
          pages: [
            page,
            { url: '/a', html: marked({ ...cafe, url: 'https://www.example.com/', aggregateRating: stars }) },
          ],
        },
        tells: 'gives itself',
      },
    ],
    // Google has retired fact checks, and asks other things of them.
    skips: [
      page,
      marked({ '@type': 'ClaimReview', claimReviewed: 'Tea is a vegetable.', url: 'https://example.com/' }),
    ],
    unchecked: [rdfa('Review')],
  },
  'jobposting-schema': {
    passes: [
      marked({ ...job, validThrough: '2026-04-01' }),
      marked({
        ...job,
        jobLocation: undefined,
        jobLocationType: 'TELECOMMUTE',
        applicantLocationRequirements: { '@type': 'Country', name: 'US' },
      }),
    ],
    finds: [
      { site: marked({ ...job, description: '' }), tells: 'The job "Taster" lacks description' },
      { site: marked({ ...job, jobLocation: undefined }), tells: 'lacks jobLocation' },
      {
        site: marked({ ...job, jobLocation: undefined, jobLocationType: 'TELECOMMUTE' }),
        tells: 'applicantLocationRequirements',
      },
      { site: marked({ ...job, jobLocation: { '@type': 'Place', name: 'Hall' } }), tells: 'lacks jobLocation.address' },
      { site: marked({ ...job, validThrough: '2026-02-01' }), tells: 'expired on 2026-02-01', count: 1 },
    ],
    skips: [page],
    unchecked: [rdfa('JobPosting')],
  },
  'software-schema': {
    passes: [marked(app), marked({ ...app, '@type': 'VideoGame' })],
    finds: [
      { site: marked({ ...app, offers: { '@type': 'Offer' } }), tells: 'lacks offers.price' },
      { site: marked({ ...app, offers: undefined }), tells: 'lacks offers.price' },
      { site: marked({ ...app, aggregateRating: undefined }), tells: 'lacks aggregateRating or review' },
    ],
    skips: [page],
    unchecked: [rdfa('SoftwareApplication')],
  },
  'schema-unknown-type': {
    passes: [
      marked({ '@type': 'Product', name: 'x', offers: { '@type': 'Offer', price: 1 }, 'gr:name': 'x', '@id': '#p' }),
      marked({
        '@type': 'WebSite',
        name: 'x',
        potentialAction: { '@type': 'SearchAction', 'query-input': 'required name=q' },
      }),
      head(ld({ '@context': ['https://schema.org', { my: 'https://my.example/' }], '@type': 'Anything', special: 1 })),
      microdata('Product', '<span itemprop="name">x</span>'),
    ],
    finds: [
      {
        site: marked({ '@type': 'product', name: 'x' }),
        tells: 'no type "product"; it is spelled "Product"',
        count: 1,
      },
      {
        site: marked({ '@type': 'Product', Name: 'x' }),
        tells: 'no property "Name" (of Product); it is spelled "name"',
      },
      {
        site: marked({ '@graph': [{ '@type': 'Tealeaf' }, { '@type': 'Tealeaf' }] }),
        tells: 'no type "Tealeaf".',
        count: 1,
      },
      { site: microdata('Product', '<span itemprop="prize">x</span>'), tells: '"prize"' },
    ],
    skips: [page, rdfa('Nonsense')],
    unchecked: [head(ld('{"@type":'))],
  },
  'schema-mismatch': {
    passes: [
      said(
        { '@type': 'Product', name: 'Clay Teapot', offers: { '@type': 'Offer', price: '1299.00' } },
        'Clay teapot: €1,299',
      ),
      said(
        { '@type': 'Product', name: 'Théière d&#39;argile', offers: { '@type': 'Offer', price: 49.9 } },
        'Théière d’argile: 49,90 €',
      ),
      said(
        {
          '@type': 'Product',
          name: 'Pot',
          offers: [
            { '@type': 'Offer', price: '5' },
            { '@type': 'Offer', price: '7' },
          ],
        },
        'Pot from 5 to 6',
      ),
      said(
        { '@type': 'BlogPosting', headline: 'How to brew', author: { '@type': 'Person', name: 'Anna Lind' } },
        'How to brew. By Anna Lind',
      ),
      said({ '@type': 'BlogPosting', headline: '茶の入れ方' }, '茶の入れ方'),
      said(
        { '@type': 'Event', name: 'Tea night', offers: { '@type': 'Offer', price: '0' } },
        'Tea night. Come and pay nothing',
      ),
    ],
    finds: [
      {
        site: said(
          { '@type': 'Product', name: 'Teapot', offers: { '@type': 'Offer', price: '39.00' } },
          'Teapot: 49.00 €',
        ),
        tells: 'offers.price "39.00"',
      },
      {
        site: said({ '@type': 'BlogPosting', headline: 'How to brew coffee' }, 'How to brew tea'),
        tells: 'headline "How to brew coffee"',
      },
      {
        site: said(
          {
            '@graph': [
              { '@type': 'WebSite', name: 'Nowhere' },
              { '@type': 'Article', headline: 'Tea', author: { name: 'Bob Row' } },
            ],
          },
          'Tea',
        ),
        tells: 'author "Bob Row"',
        count: 1,
      },
    ],
    skips: [page, marked({ '@type': 'Organization', name: 'Nowhere' }), marked({ '@type': 'Product' })],
  },
};
