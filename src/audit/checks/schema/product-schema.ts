import { isComplete, isProduct } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { cut, headingOf } from '../lookups/siteCode.ts';
import { describedProduct } from '../schemaOrg/productGroups.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { lacksOf } from '../schemaOrg/schemaNeeds.ts';
import { has, isTypeReadable, textOf } from '../schemaOrg/schemaNodes.ts';

export const productSchema = pageCheck({
  id: 'product-schema',
  title: 'Product markup is missing or incomplete',
  category: 'schema',
  group: 'product',
  impact: 'high',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Price, availability, and ratings can show with the product in search results.',
  timeToResult: '2-6 weeks',
  risk: 'The product’s markup is missing or incomplete, so search results can’t show its price, availability, or rating.',
  steps: [
    'If your shop system or a plugin already writes Product markup, complete it there instead of adding a second block.',
    'If there’s none, switch on Product markup in your shop system or SEO plugin, or install a plugin that writes it.',
    'Only if you edit the product template yourself, add the block shown as the example below there: `name`, `image`, and `offers` with `price`, `priceCurrency`, and `availability` (such as `InStock`). Have the template fill in each product’s own values, from the same data as the page. Don’t type one product’s values into it, because all products would show them.',
    'Add `aggregateRating` or `review` only if the page shows ratings from real customers. Never make up ratings.',
    'Run the page through Google’s Rich Results Test and make sure it detects the product and reports no errors.',
  ],
  // No code is written: price, currency, and availability are read from no page for certain.
  example: schemaExample({
    '@type': 'Product',
    name: 'YOUR PRODUCT NAME',
    image: ['YOUR IMAGE ADDRESS'],
    offers: {
      '@type': 'Offer',
      url: 'YOUR PRODUCT PAGE ADDRESS',
      price: 'YOUR PRICE',
      priceCurrency: 'YOUR CURRENCY CODE',
      availability: 'YOUR AVAILABILITY',
    },
  }),
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
