import type Stripe from 'stripe';
import * as z from 'zod';
import { change, mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { invalid } from '../server/apiError.ts';
import { isAt, pageOf } from '../server/lists.ts';
import { address, clearable, ignored, LIST, listOf, metadata, text, time, whole } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { attach, REDISPLAY, usable } from './paymentMethods.ts';

const FIELDS = {
  email: clearable.optional(),
  name: clearable.optional(),
  description: clearable.optional(),
  phone: clearable.optional(),
  address: z.union([z.literal('').transform(() => null), address]).optional(),
  balance: whole.optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable.optional() }).optional(),
  preferred_locales: listOf(text).optional(),
  tax_exempt: ignored,
  shipping: ignored,
};

const fullAddress = (given: { readonly [part: string]: string | null | undefined } | null): Stripe.Address | null =>
  given && {
    city: given.city ?? null,
    country: given.country ?? null,
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    postal_code: given.postal_code ?? null,
    state: given.state ?? null,
  };

function newCustomer(id: string, created: number): Stripe.Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: id
      .slice(-8)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '0'),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

type Fields = z.infer<z.ZodObject<typeof FIELDS>>;

function changesOf(
  before: Stripe.Customer,
  {
    email,
    name,
    description,
    phone,
    address: given,
    balance,
    metadata: meta,
    invoice_settings,
    preferred_locales,
  }: Fields,
): Partial<Stripe.Customer> {
  const changes = Object.fromEntries(
    Object.entries({ email, name, description, phone, balance, preferred_locales }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return {
    ...changes,
    metadata: mergedMetadata(before.metadata, meta),
    ...(given === undefined ? {} : { address: fullAddress(given) }),
    ...(invoice_settings?.default_payment_method === undefined
      ? {}
      : {
          invoice_settings: {
            ...before.invoice_settings,
            default_payment_method: invoice_settings.default_payment_method,
          },
        }),
  };
}

/** @throws ApiError */
export function makeCustomer(context: SandboxContext, fields: Fields): Stripe.Customer {
  const blank = newCustomer(context.newId('cus'), context.now);
  const customer = { ...blank, ...changesOf(blank, fields) };
  context.store.put('customer', customer);
  context.emit('customer.created', customer);
  return customer;
}

export const CUSTOMERS: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/customers',
    params: z.strictObject({ ...FIELDS, payment_method: text.optional() }),
    run: (context, { payment_method, ...fields }) => {
      const customer = makeCustomer(context, fields);
      if (payment_method === undefined) return customer;
      attach(context, usable(context, payment_method), customer.id);
      return need(context, 'customer', customer.id);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/customers',
    params: z.strictObject({ ...LIST, email: text.optional(), created: time.optional() }),
    run: (context, { email, created, ...paging }) =>
      pageOf(context, 'customer', '/v1/customers', paging, {
        fits: (customer) => (email === undefined || customer.email === email) && isAt(customer.created, created),
      }),
  }),
  route({
    method: 'GET',
    path: '/v1/customers/:id',
    params: z.strictObject({}),
    run: (context, _, id) => context.store.get('deleted_customer', id) ?? need(context, 'customer', id),
  }),
  route({
    method: 'DELETE',
    path: '/v1/customers/:id',
    params: z.strictObject({}),
    run: (context, _, id) => {
      const customer = need(context, 'customer', id);
      context.leaves(id);
      for (const method of [...context.store.each('payment_method', { customer: id })])
        context.store.put('payment_method', { ...method, customer: null });
      const deleted = { id, object: 'customer' as const, deleted: true as const };
      context.store.remove('customer', id);
      context.store.put('deleted_customer', deleted);
      context.emit('customer.deleted', customer);
      return deleted;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/customers/:id',
    params: z.strictObject(FIELDS),
    run: (context, fields, id) => {
      const customer = need(context, 'customer', id);
      const wanted = fields.invoice_settings?.default_payment_method;
      if (wanted) {
        const method = need(context, 'payment_method', wanted, 'invoice_settings[default_payment_method]');
        if (method.customer !== id)
          throw invalid(
            `The customer does not have a payment method with the ID ${wanted}. The payment method must be attached to the customer.`,
            undefined,
            'invoice_settings[default_payment_method]',
          );
      }
      return change(context, 'customer', customer, changesOf(customer, fields), 'customer.updated');
    },
  }),
  route({
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    params: z.strictObject({ ...LIST, type: text.optional(), allow_redisplay: REDISPLAY.optional() }),
    run: (context, { type, allow_redisplay, ...paging }, id) => {
      needCustomer(context, id);
      const { limit, starting_after, ending_before } = paging;
      return pageOf(
        context,
        'payment_method',
        `/v1/customers/${id}/payment_methods`,
        { limit, starting_after, ending_before },
        {
          found: { customer: id },
          fits: (method) =>
            (type === undefined || method.type === type) &&
            (allow_redisplay === undefined || method.allow_redisplay === allow_redisplay),
        },
      );
    },
  }),
];
