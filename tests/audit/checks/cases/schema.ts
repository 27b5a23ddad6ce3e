import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, ld, main, SCHEMA, STUBS } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const marked = (node: unknown): string => head(`<title>Tea shop</title>${ld(node)}`);
const ORG = {
  ...SCHEMA,
  '@type': 'Organization',
  name: 'Tea',
  url: 'https://example.com/',
  logo: 'https://example.com/l.png',
  sameAs: ['https://github.com/tea'],
};
const ARTICLE = {
  ...SCHEMA,
  '@type': 'BlogPosting',
  headline: 'How to brew',
  image: 'https://example.com/a.jpg',
  datePublished: '2026-01-05',
  author: { '@type': 'Person', name: 'Anna' },
};
const PRODUCT = {
  ...SCHEMA,
  '@type': 'Product',
  name: 'Teapot',
  image: 'https://example.com/p.jpg',
  offers: { '@type': 'Offer', price: '49.00', priceCurrency: 'EUR' },
};
const crumb = (position: number, name: string, item?: string) => ({
  '@type': 'ListItem',
  position,
  name,
  ...(item === undefined ? {} : { item }),
});
const TRAIL = {
  ...SCHEMA,
  '@type': 'BreadcrumbList',
  itemListElement: [crumb(1, 'Home', 'https://example.com/'), crumb(2, 'Teas')],
};
const POLICIES = {
  shippingDetails: { '@type': 'OfferShippingDetails', doesNotShip: false },
  hasMerchantReturnPolicy: { '@type': 'MerchantReturnPolicy', applicableCountry: 'DE' },
};
const blog = (html: string) => ({ pages: [page, { url: '/blog/how-to-brew', html }] });
const deep = (html: string) => ({ pages: [page, { url: '/teas/green', html }] });
const GROUP = (...hasVariant: object[]): object => ({
  ...SCHEMA,
  '@type': 'ProductGroup',
  name: 'Teapot',
  variesBy: 'https://schema.org/size',
  hasVariant,
});
const VARIANT = { '@type': 'Product', name: 'Small teapot', image: PRODUCT.image, offers: PRODUCT.offers };
const shop = (inside: string): string =>
  body(`<main><h1>Teapot</h1><p>49,00 €</p><button>Add to cart</button>${inside}${LONG}</main>`);
const question = (name: string, text?: string) => ({
  '@type': 'Question',
  name,
  ...(text === undefined ? {} : { acceptedAnswer: { '@type': 'Answer', text } }),
});

export const SCHEMA_CASES: CaseTable = {
  'schema-missing': {
    passes: [
      marked(ORG),
      body('<div itemscope itemtype="https://schema.org/Product"></div>'),
      body('<div typeof="Product"></div>'),
    ],
    finds: [
      { site: page, impact: 'medium' },
      { site: { pages: [marked(ORG), { url: '/a', html: page }] }, impact: 'low', count: 1 },
    ],
    skips: [...STUBS, head('<meta name="robots" content="noindex">')],
  },
  'jsonld-parse-error': {
    passes: [marked(ORG), marked([ORG, ARTICLE])],
    finds: [
      { site: head(ld('{"@type":"Organization",}')), tells: 'cannot be read' },
      { site: head(ld('')), tells: 'empty' },
      head(ld("{'a':1}")),
    ],
    skips: [page],
  },
  'jsonld-context': {
    passes: [
      marked(ORG),
      marked({ '@context': 'http://schema.org/', '@graph': [{ '@type': 'WebSite' }, { '@id': '#x' }] }),
      marked({ '@context': { '@vocab': 'https://schema.org/' }, '@type': 'Thing' }),
    ],
    finds: [
      { site: marked({ '@type': 'Organization' }), tells: 'has no @context' },
      { site: marked({ ...SCHEMA, name: 'Tea' }), tells: 'without @type' },
      { site: marked({ '@context': 'https://other.example', '@type': 'X' }), tells: 'other.example' },
      { site: marked(['x']), tells: 'isn’t an object' },
    ],
    skips: [page, head(ld('{broken'))],
  },
  'organization-incomplete': {
    passes: [
      marked(ORG),
      marked({ ...SCHEMA, '@graph': [{ ...ORG, '@type': 'LocalBusiness' }] }),
      marked({ ...SCHEMA, '@type': 'WebSite', publisher: ORG }),
      // A portfolio; a brand and a certifier are not who runs the site.
      marked({ ...SCHEMA, '@type': 'Person', name: 'Anna Marlow', url: 'https://example.com/' }),
      marked({
        ...ORG,
        hasCertification: { '@type': 'Certification', issuedBy: { '@type': 'Organization', name: 'Soil Board' } },
      }),
    ],
    unchecked: [head('<div typeof="Organization"></div>')],
    finds: [
      { site: page, tells: 'does not say in structured data who runs the site', impact: 'medium' },
      {
        site: marked({ ...PRODUCT, brand: { '@type': 'Organization', name: 'Kiln Works' } }),
        tells: 'does not say in structured data who runs the site',
      },
      { site: marked({ ...ORG, sameAs: [] }), tells: 'lacks sameAs', impact: 'low' },
      { site: marked({ ...SCHEMA, '@type': 'Organization' }), tells: 'lacks name, url, logo, sameAs', impact: 'high' },
    ],
    skips: [{ pages: [{ status: 500 }] }],
  },
  'website-schema': {
    passes: [marked({ ...SCHEMA, '@type': 'WebSite', name: 'Tea shop', url: 'https://example.com' })],
    finds: [
      { site: page, tells: 'no WebSite node' },
      {
        site: marked({ ...SCHEMA, '@type': 'WebSite', name: 'Tea shop', url: 'https://other.example/' }),
        tells: 'https://other.example/',
      },
    ],
  },
  'article-schema': {
    passes: [blog(marked(ARTICLE))],
    finds: [
      { site: blog(page), tells: 'is not marked up as one', count: 1 },
      {
        site: blog(marked({ ...ARTICLE, image: '', author: undefined })),
        tells: 'lacks image, author',
        impact: 'medium',
      },
      // Google requires nothing of articles.
      { site: blog(marked({ ...ARTICLE, headline: '' })), tells: 'lacks headline', impact: 'medium' },
    ],
    skips: [page, { pages: [page, { url: '/blog/', html: page }] }],
    unchecked: [blog(head(ld('{"@type":"BlogPosting",}')))],
  },
  'product-schema': {
    passes: [
      marked(PRODUCT),
      // Google's markup for variants: each has its own offer.
      marked(GROUP(VARIANT, { url: 'https://example.com/large' })),
      marked({
        ...SCHEMA,
        '@graph': [
          { ...GROUP(), '@id': '#g' },
          { ...VARIANT, isVariantOf: { '@id': '#g' } },
        ],
      }),
      shop(
        '<div itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">Teapot</h2><img itemprop="image" src="/p.jpg" alt=""><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="49.00">49</span><meta itemprop="priceCurrency" content="EUR"></div></div>',
      ),
    ],
    finds: [
      { site: shop(''), tells: 'The page sells "Teapot"', impact: 'high' },
      { site: shop('<button>Add to cart</button>'), tells: 'The page sells "Teapot"' },
      {
        site: marked(GROUP({ ...VARIANT, offers: undefined })),
        tells: 'lacks offers, review or aggregateRating',
        impact: 'high',
      },
      { site: marked(GROUP({ ...VARIANT, image: undefined })), tells: 'lacks image', impact: 'medium' },
      { site: marked({ ...PRODUCT, offers: undefined }), tells: 'offers, review or aggregateRating', impact: 'high' },
      {
        site: marked({ ...PRODUCT, offers: { '@type': 'Offer', price: 49 } }),
        tells: 'offers.priceCurrency',
        impact: 'medium',
      },
    ],
    // A list of products is no product.
    skips: [
      page,
      shop('<button>Add to cart</button><form><input type="submit" value="Buy now"></form>'),
      // Plans, tickets, and cars.
      { pages: [{ url: '/pricing', html: shop('') }] },
      { pages: [{ url: '/concert', html: shop(ld({ ...SCHEMA, '@type': 'MusicEvent', name: 'Tea night' })) }] },
      marked({ ...SCHEMA, '@type': 'Car', name: 'Van' }),
    ],
  },
  'breadcrumb-schema': {
    passes: [deep(marked(TRAIL))],
    finds: [
      { site: deep(page), tells: 'where it stands in the site', count: 1 },
      {
        site: deep(marked({ ...TRAIL, itemListElement: [crumb(1, 'Home', 'https://example.com/')] })),
        tells: 'it needs at least two',
      },
      {
        site: deep(marked({ ...TRAIL, itemListElement: [crumb(0, 'Home', 'https://example.com/'), crumb(1, 'Teas')] })),
        tells: 'positions 0, 1',
      },
      {
        site: deep(marked({ ...TRAIL, itemListElement: [crumb(1, 'Home'), crumb(2, 'Teas')] })),
        tells: 'without an address at position 1',
      },
    ],
    skips: [
      page,
      { pages: [page, { url: '/teas', html: page }] },
      { pages: [page, { url: '/teas/index.html', html: page }] },
    ],
  },
  'faq-schema': {
    passes: [
      head(
        ld({ ...SCHEMA, '@type': 'FAQPage', mainEntity: [question('How hot?', '80 degrees')] }),
        '<main><h2>How hot?</h2><p>80 degrees</p></main>',
      ),
    ],
    finds: [
      {
        site: marked({ ...SCHEMA, '@type': 'FAQPage', mainEntity: [question('How hot?')] }),
        tells: 'no answer to "How hot?"',
      },
      {
        site: marked({ ...SCHEMA, '@type': 'FAQPage', mainEntity: [question('How hot?', '80')] }),
        tells: 'which the page does not show',
      },
      { site: marked({ ...SCHEMA, '@type': 'FAQPage' }), tells: 'holds no question' },
    ],
    skips: [page],
  },
  'schema-deprecated': {
    passes: [marked(ORG)],
    finds: [
      { site: marked({ ...SCHEMA, '@type': 'HowTo', name: 'Brew' }), tells: 'HowTo', hint: true },
      {
        site: marked({ ...SCHEMA, '@type': 'WebSite', potentialAction: { '@type': 'SearchAction' } }),
        tells: 'SearchAction',
      },
    ],
    skips: [page],
  },
  'schema-invalid-values': {
    passes: [
      marked(ARTICLE),
      marked(PRODUCT),
      marked({ '@type': 'Event', startDate: 'next Friday' }),
      marked({
        ...PRODUCT,
        gtin13: '4006381333931',
        gtin: 'none',
        offers: {
          ...PRODUCT.offers,
          priceValidUntil: '2027-01-01',
          availability: 'http://schema.org/PreOrder',
          itemCondition: 'NewCondition',
        },
      }),
    ],
    finds: [
      { site: marked({ ...ARTICLE, datePublished: '5 January 2026' }), tells: 'BlogPosting.datePublished' },
      { site: marked({ ...ORG, logo: '/logo.png' }), tells: 'a whole http or https address' },
      { site: marked({ ...PRODUCT, offers: { '@type': 'Offer', price: '49,00 €', priceCurrency: 'euro' } }), count: 2 },
      { site: marked({ ...ORG, name: '{{ name }}' }), tells: 'template mark' },
      { site: marked({ ...ARTICLE, datePublished: '2031-01-05' }), tells: '"2031-01-05": it is in the future' },
      {
        site: marked({ ...PRODUCT, offers: { ...PRODUCT.offers, priceValidUntil: '2025-12-31' } }),
        tells: 'it is over',
      },
      {
        site: marked({ ...PRODUCT, offers: { ...PRODUCT.offers, availability: 'yes' } }),
        tells: 'such as https://schema.org/InStock',
      },
      { site: marked({ ...PRODUCT, gtin13: '4006381333932' }), tells: 'check digit does not fit' },
      {
        site: marked({ ...ARTICLE, dateModified: '2025-12-31' }),
        tells: 'the datePublished is 2026-01-05, so it was changed before it was published',
        count: 1,
      },
      {
        site: marked({ '@type': 'Event', startDate: '2026-05-02T19:00', endDate: '2026-05-01' }),
        tells: 'so it ends before it starts',
      },
      {
        site: marked({ ...PRODUCT, offers: { ...PRODUCT.offers, validThrough: '2025-12-31' } }),
        tells: 'it is over',
      },
    ],
    skips: [page],
  },
  'merchant-policies': {
    passes: [
      marked({ ...PRODUCT, offers: { ...PRODUCT.offers, ...POLICIES } }),
      // Once for all products: here, or on the start page.
      marked([PRODUCT, { ...ORG, ...POLICIES }]),
      {
        pages: [
          marked({ ...ORG, hasMerchantReturnPolicy: POLICIES.hasMerchantReturnPolicy, hasShippingService: {} }),
          {
            url: '/pot',
            html: marked({ ...PRODUCT, offers: { ...PRODUCT.offers, shippingDetails: POLICIES.shippingDetails } }),
          },
        ],
      },
    ],
    finds: [
      {
        site: marked(PRODUCT),
        tells: 'The offer of "Teapot" has no shippingDetails and no hasMerchantReturnPolicy',
        hint: true,
        count: 1,
      },
    ],
    skips: [page, marked({ ...PRODUCT, offers: undefined }), marked({ ...PRODUCT, offers: { '@type': 'Offer' } })],
    unchecked: [{ pages: [{ url: '/pot', html: marked(PRODUCT), truncated: true }] }],
  },
  'rich-result-incomplete': {
    passes: [
      marked({
        '@type': 'ProfilePage',
        mainEntity: { '@type': 'Person', name: 'Anna', image: 'https://example.com/a.jpg' },
      }),
      marked({ '@type': 'QAPage', mainEntity: { ...question('How?', 'So.'), answerCount: 1 } }),
      // Nobody has answered yet.
      marked({ '@type': 'QAPage', mainEntity: { ...question('How?'), answerCount: 0 } }),
      // One of a list of posts, and the first post of a thread on its later pages.
      marked({ '@type': 'DiscussionForumPosting', headline: 'Tea', url: '/posts/tea' }),
      marked({
        '@type': 'VacationRental',
        name: 'Hut',
        identifier: 'hut-1',
        image: 'https://example.com/h.jpg',
        geo: { '@type': 'GeoCoordinates', latitude: 48.13743, longitude: 11.57549 },
        containsPlace: { '@type': 'Accommodation', occupancy: { '@type': 'QuantitativeValue', value: 4 } },
        address: 'Hill 1',
        aggregateRating: { '@type': 'AggregateRating', ratingValue: 4, ratingCount: 2 },
        checkinTime: '15:00:00',
        checkoutTime: '11:00:00',
      }),
      marked({
        '@type': 'DiscussionForumPosting',
        headline: 'Tea',
        url: 'https://example.com/',
        author: { '@type': 'Person', name: 'Anna' },
        datePublished: '2026-01-05',
        text: 'Tea',
      }),
    ],
    finds: [
      { site: marked({ '@type': 'ProfilePage' }), tells: 'The profile lacks mainEntity.name', count: 1 },
      {
        site: marked({ '@type': 'QAPage', mainEntity: question('How?') }),
        tells: 'lacks mainEntity.answerCount, mainEntity.acceptedAnswer',
      },
      { site: marked({ '@type': 'DiscussionForumPosting', text: 'Tea' }), tells: 'lacks author.name, datePublished' },
      {
        site: marked({
          '@type': 'DiscussionForumPosting',
          url: 'https://example.com/#tea',
          author: { '@type': 'Person', name: 'Anna' },
          datePublished: '2026-01-05',
        }),
        tells: 'lacks text, image, video or sharedContent',
      },
      { site: marked({ '@type': 'Dataset', name: 'Teas' }), tells: 'The data set "Teas" lacks description' },
      {
        site: marked({ '@type': 'VacationRental', name: 'Hut', image: 'https://example.com/h.jpg' }),
        tells: 'lacks identifier, containsPlace.occupancy, latitude or geo, longitude or geo',
      },
      {
        site: marked({ '@type': 'VacationRental', containsPlace: { '@type': 'Accommodation', numberOfBedrooms: 2 } }),
        tells: 'containsPlace.occupancy',
      },
      {
        site: marked({ '@type': 'Dataset', name: 'Teas', description: 'All teas' }),
        tells: 'would be more useful with license, creator',
        hint: true,
      },
    ],
    skips: [page, marked(ORG)],
    unchecked: [body('<div typeof="schema:Dataset" vocab="https://schema.org/">x</div>')],
  },
};
