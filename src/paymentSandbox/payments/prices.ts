/** Products and prices: seeded from a table, or created through the API. */
import Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, type SandboxContext } from '../books/context.ts';
import { invalid } from '../server/apiError.ts';
import { pageOf } from '../server/lists.ts';
import { clearable, ignored, LIST, metadata, text, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';

export type Interval = 'day' | 'month' | 'week' | 'year';

/** Stripe's decimals are strings on the wire and a numeric class of their own in the library's types. */
export const decimalOf = (amount: number): Stripe.Decimal => Stripe.Decimal.from(String(amount));

export function newProduct(
  id: string,
  name: string,
  created: number,
  given: { readonly description?: string | null | undefined; readonly metadata?: Stripe.Metadata } = {},
): Stripe.Product {
  return {
    id,
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: given.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: given.metadata ?? {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
}

export type NewPrice = {
  readonly id: string;
  readonly product: string;
  readonly currency: string;
  readonly unitAmount: number;
  readonly every?: { readonly interval: Interval; readonly count: number } | null;
  readonly lookupKey?: string | null | undefined;
  readonly nickname?: string | null | undefined;
  readonly metadata?: Stripe.Metadata;
};

export function newPrice(
  { id, product, currency, unitAmount, every = null, lookupKey, nickname, metadata: meta = {} }: NewPrice,
  created: number,
): Stripe.Price {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created,
    currency: currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: lookupKey ?? null,
    metadata: meta,
    nickname: nickname ?? null,
    product,
    recurring: every && {
      interval: every.interval,
      interval_count: every.count,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: every ? 'recurring' : 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: decimalOf(unitAmount),
  };
}

/** @throws ApiError */
export function makePrice(
  context: SandboxContext,
  { takesKey = false, ...given }: Omit<NewPrice, 'id'> & { readonly takesKey?: boolean },
): Stripe.Price {
  need(context, 'product', given.product, 'product');
  const [taken] = given.lookupKey ? context.store.each('price', { tag: given.lookupKey }) : [];
  if (taken && takesKey) change(context, 'price', taken, { lookup_key: null }, 'price.updated');
  else if (taken) throw invalid(`A price (\`${taken.id}\`) already uses that lookup key.`, undefined, 'lookup_key');
  const price = newPrice({ ...given, id: context.newId('price') }, context.now);
  context.store.put('price', price);
  context.emit('price.created', price);
  return price;
}

export const RECURRING = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: whole.pipe(z.number().min(1).max(36)).optional(),
  usage_type: ignored,
});

export const PRICES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/products',
    params: z.strictObject({
      id: text.optional(),
      name: text,
      description: text.optional(),
      metadata: metadata.optional(),
      active: ignored,
      tax_code: ignored,
      images: ignored,
      url: ignored,
    }),
    run: (context, { id, name, description, metadata: meta }) => {
      const product = newProduct(id ?? context.newId('prod'), name, context.now, {
        description,
        metadata: mergedMetadata(null, meta),
      });
      context.store.put('product', product);
      context.emit('product.created', product);
      return product;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/products/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'product', id),
  }),
  route({
    method: 'GET',
    path: '/v1/products',
    params: z.strictObject({ ...LIST, active: yesNo.optional(), ids: z.array(text).optional() }),
    run: (context, { active, ids, ...paging }) =>
      pageOf(context, 'product', '/v1/products', paging, {
        fits: (each) => (active === undefined || each.active === active) && (ids?.includes(each.id) ?? true),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/prices',
    params: z.strictObject({
      currency: text,
      unit_amount: whole.pipe(z.number().min(0)),
      product: text.optional(),
      product_data: z.strictObject({ name: text, metadata: metadata.optional() }).optional(),
      recurring: RECURRING.optional(),
      lookup_key: text.optional(),
      transfer_lookup_key: yesNo.optional(),
      nickname: clearable.optional(),
      metadata: metadata.optional(),
      tax_behavior: ignored,
    }),
    run: (
      context,
      {
        currency,
        unit_amount,
        product,
        product_data,
        recurring,
        lookup_key,
        transfer_lookup_key: takesKey = false,
        nickname,
        metadata: meta,
      },
    ) => {
      if (product === undefined && !product_data)
        throw invalid('You must specify either `product` or `product_data` when creating a price.');
      const made =
        product_data &&
        newProduct(context.newId('prod'), product_data.name, context.now, {
          metadata: mergedMetadata(null, product_data.metadata),
        });
      if (made) context.store.put('product', made);
      return makePrice(context, {
        product: product ?? made?.id ?? '',
        currency,
        unitAmount: unit_amount,
        every: recurring ? { interval: recurring.interval, count: recurring.interval_count ?? 1 } : null,
        lookupKey: lookup_key,
        takesKey,
        nickname,
        metadata: mergedMetadata(null, meta),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/prices/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'price', id),
  }),
  route({
    method: 'GET',
    path: '/v1/prices',
    params: z.strictObject({
      ...LIST,
      active: yesNo.optional(),
      product: text.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      type: text.optional(),
      currency: text.optional(),
    }),
    run: (context, { active, product, lookup_keys, type, currency, ...paging }) =>
      pageOf(context, 'price', '/v1/prices', paging, {
        fits: (each) =>
          (active === undefined || each.active === active) &&
          (product === undefined || each.product === product) &&
          (type === undefined || each.type === type) &&
          (currency === undefined || each.currency === currency) &&
          (lookup_keys === undefined || (each.lookup_key !== null && lookup_keys.includes(each.lookup_key))),
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/prices/:id',
    params: z.strictObject({ active: yesNo.optional(), nickname: clearable.optional(), metadata: metadata.optional() }),
    run: (context, { active, nickname, metadata: meta }, id) => {
      const price = need(context, 'price', id);
      const fields = { ...(active === undefined ? {} : { active }), ...(nickname === undefined ? {} : { nickname }) };
      return change(
        context,
        'price',
        price,
        { ...fields, metadata: mergedMetadata(price.metadata, meta) },
        'price.updated',
      );
    },
  }),
];
