import { isComplete, isProduct } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { cut, headingOf } from '../lookups/siteCode.ts';
import { describedProduct } from '../schemaOrg/productGroups.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { has, isTypeReadable, textOf } from '../schemaOrg/schemaNodes.ts';

export const productSchema = pageCheck({
  id: 'product-schema',
  title: 'Product data is missing or incomplete',
  category: 'schema',
  group: 'product',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Price, stock and stars show in results.',
  timeToResult: '2-6 weeks',
  risk: 'Shopping results need these facts.',
  steps: ['Add Product with Offer.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"Product","name":"Oak table","image":"https://example.com/t.jpg","offers":{"@type":"Offer","price":"499.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}',
  },
  tags: ['schema', 'product'],
  source:
    'Google Search Central: Product structured data (https://developers.google.com/search/docs/appearance/structured-data/product)',
  appliesTo: isProduct,
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'Product'),
  run: (page) => {
    const found = describedProduct(page);
    if (found === undefined)
      return [
        {
          evidence: seen(page, 'html', 'no Product'),
          message: `The page sells "${cut(headingOf(page), 80)}", but does not mark it up as a product.`,
        },
      ];
    const { required, recommended } = lacksOf(found.node, 'Product', page.facts);
    const isSold = has(found.node, 'offers') || (page.facts.commerce.price && page.facts.commerce.buyButton);
    const lacks = isSold ? [...required, ...recommended] : required;
    if (lacks.length === 0) return [];
    return [
      {
        evidence: seen(page, found.selector, `missing: ${lacks.join(', ')}`),
        message: `The product "${textOf(found.node, 'name') ?? headingOf(page)}" lacks ${lacks.join(', ')}.`,
        impact: required.length > 0 ? 'high' : 'medium',
      },
    ];
  },
});
