import type { Crawl } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { isComplete, isProduct } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { describedProduct } from '../schemaOrg/productGroups.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { has, isNode, isTypeReadable, nodesOf, resolved, textOf, valuesOf } from '../schemaOrg/schemaNodes.ts';

/**
 * Looks in the offers of the product, and in all nodes of this page and of the start page: a shop may state both once,
 * for all that it sells.
 */
export const merchantPolicies = pageCheck({
  id: 'merchant-policies',
  title: 'Product markup lacks shipping or return details',
  category: 'schema',
  group: 'product',
  impact: 'low',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Shoppers can see shipping costs and return terms next to your product in Google.',
  timeToResult: '2-6 weeks',
  risk: 'The product’s markup lacks shipping or return details, so Google can’t learn your shipping costs and return terms from it. That matters only if Merchant Center doesn’t have them either.',
  steps: [
    'If your shipping and return policies are set up in Google Merchant Center, leave this as it is.',
    'If terms differ from product to product, add `shippingDetails` and `hasMerchantReturnPolicy` to each `Offer`, in your shop system or the product template.',
    'If the same terms apply to everything you sell, add `hasShippingService` and `hasMerchantReturnPolicy` once, to the Organization markup of the home page.',
    'Test the changed page in the Schema Markup Validator (validator.schema.org) and make sure it lists both properties and reports no errors.',
  ],
  example: schemaExample({
    '@type': 'Offer',
    shippingDetails: {
      '@type': 'OfferShippingDetails',
      shippingRate: { '@type': 'MonetaryAmount', value: 'YOUR SHIPPING COST', currency: 'YOUR CURRENCY CODE' },
      shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'YOUR COUNTRY CODE' },
    },
    hasMerchantReturnPolicy: {
      '@type': 'MerchantReturnPolicy',
      applicableCountry: 'YOUR COUNTRY CODE',
      returnPolicyCategory: 'YOUR RETURN POLICY CATEGORY',
      merchantReturnDays: 'YOUR NUMBER OF DAYS',
    },
  }),
  tags: ['schema', 'product', 'shop'],
  source:
    'Google Search Central: Product structured data (https://developers.google.com/search/docs/appearance/structured-data/product)',
  hint: true,
  appliesTo: (page) => isProduct(page) && offersOf(page).length > 0,
  gathered: (page, site) =>
    isComplete(page) && isTypeReadable(page.facts, 'Product') && siteIndex(site).start?.facts != null,
  run: (page, site) => {
    const lacking = new Set(offersOf(page).flatMap((offer) => lacksOf(offer, 'Offer', page.facts).recommended));
    const lacks = [...lacking].filter((property) => !isStatedOnce(property, page, site));
    if (lacks.length === 0) return [];
    const product = describedProduct(page);
    const name = product === undefined ? null : textOf(product.node, 'name');
    return [
      {
        evidence: seen(page, `${product?.selector ?? 'html'} Offer`, `missing: ${lacks.join(', ')}`),
        message: `The offer${name === null ? '' : ` of "${name}"`} has no ${lacks.join(' and no ')}, and neither this page nor the home page has it for all products.`,
      },
    ];
  },
});

/** Offers with a price; what is given away or only compared is no listing. */
function offersOf(page: HtmlPage) {
  const product = describedProduct(page);
  if (product === undefined) return [];
  return valuesOf(product.node, 'offers')
    .map((value) => resolved(page.facts, value))
    .filter(isNode)
    .filter((offer) => has(offer, 'price') || has(offer, 'priceSpecification'));
}

const STATED_AS: Readonly<Record<string, readonly string[]>> = {
  shippingDetails: ['shippingDetails', 'hasShippingService'],
  hasMerchantReturnPolicy: ['hasMerchantReturnPolicy'],
};

function isStatedOnce(property: string, page: HtmlPage, site: Crawl): boolean {
  const pages = [page.facts, siteIndex(site).start?.facts ?? null].filter((facts) => facts !== null);
  return pages.some((facts) => statedIn(facts).has(property));
}

const known = new WeakMap<PageFacts, ReadonlySet<string>>();

/** What the page states outside its offers. All product pages ask the start page. */
function statedIn(facts: PageFacts): ReadonlySet<string> {
  let stated = known.get(facts);
  if (stated === undefined) {
    const nodes = nodesOf(facts).filter(({ node }) => !has(node, 'price'));
    stated = new Set(
      Object.entries(STATED_AS)
        .filter(([, names]) => nodes.some(({ node }) => names.some((name) => has(node, name))))
        .map(([property]) => property),
    );
    known.set(facts, stated);
  }
  return stated;
}
