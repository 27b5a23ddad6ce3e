import type { Crawl } from '../../crawl/site.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { isComplete, isProduct } from '../applies.ts';
import { type HtmlPage, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { siteIndex } from '../lookups/siteIndex.ts';
import { describedProduct } from '../schemaOrg/productGroups.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { has, isNode, isTypeReadable, nodesOf, resolved, textOf, valuesOf } from '../schemaOrg/schemaNodes.ts';

/**
 * Looks in the offers of the product, and in all nodes of this page and of the start page: a shop may state both once,
 * for all that it sells.
 */
export const merchantPolicies = pageCheck({
  id: 'merchant-policies',
  title: 'Offer says nothing of shipping or returns',
  category: 'schema',
  group: 'product',
  impact: 'low',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Shipping costs and returns show beside the product.',
  timeToResult: '2-6 weeks',
  risk: 'Google shows shipping and returns in merchant listings if the markup, or Merchant Center, has them.',
  steps: ['Add them to the offers, or once to the organization, unless Merchant Center has them.'],
  example: null,
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
        message: `The offer${name === null ? '' : ` of "${name}"`} has no ${lacks.join(' and no ')}, and neither this page nor the start page has it for all products.`,
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
