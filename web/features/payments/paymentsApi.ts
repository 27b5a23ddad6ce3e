/** Buying reports: prices, discounts, starting a payment and its result. */
import type {
  CreateCheckoutSessionRequest,
  CreateCheckoutSessionResponse,
  CustomerInfoResponse,
  CustomerSessionResponse,
  LeavePurchaseRequest,
  PaymentConfigResponse,
  ReportPriceResponse,
  ValidateDiscountResponse,
  VerifyPaymentRequest,
  VerifyPaymentResponse,
} from '../../../src/http/contract/payments.ts';
import { api } from '../../api/api.ts';

export type PaymentConfig = PaymentConfigResponse['data'];
export type ReportPrice = ReportPriceResponse['price'];
export type CustomerInfo = NonNullable<CustomerInfoResponse['customer']>;
export type CheckedCode = Extract<ValidateDiscountResponse, { valid: true }>;
export type CheckoutSession = CreateCheckoutSessionResponse;
export type VerifiedPayment = VerifyPaymentResponse;

/** What an answer about a valid code may leave out. */
const untold = (code: string) => ({ code, percentOff: null, amountOff: null, currency: null });

const paymentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    // Refetched for each dialog: a price may have changed, or another card may have been saved.
    getPaymentConfig: build.query<PaymentConfig, void>({
      query: () => ({ path: '/api/v1/auth/stripe-config' }),
      transformResponse: (response: PaymentConfigResponse) => response.data,
      keepUnusedDataFor: 0,
    }),
    getReportPrice: build.query<ReportPrice, void>({
      query: () => ({ path: '/api/v1/auth/stripe-price-info' }),
      // Agreed is only the amount; without a currency it is in dollars.
      transformResponse: ({ price }: ReportPriceResponse) => ({ ...price, currency: price.currency ?? 'usd' }),
      keepUnusedDataFor: 0,
    }),
    getCustomer: build.query<CustomerInfo | null, void>({
      query: () => ({ path: '/api/v1/auth/customer-info' }),
      transformResponse: (response: CustomerInfoResponse) => response.customer,
      keepUnusedDataFor: 0,
    }),
    /** Client secret with which the card fields read the buyer's saved cards. */
    getCustomerSession: build.query<string | null, void>({
      query: () => ({ path: '/api/v1/auth/customer-session', method: 'POST' }),
      transformResponse: (response: CustomerSessionResponse) => response.clientSecret,
      keepUnusedDataFor: 0,
    }),
    validateDiscount: build.mutation<ValidateDiscountResponse, string>({
      query: (code) => ({ path: '/api/v1/auth/validate-discount', method: 'POST', body: { code } }),
      transformResponse: (answer: ValidateDiscountResponse, _, code) =>
        answer.valid ? { ...untold(code), ...answer } : answer,
    }),
    createCheckout: build.mutation<CheckoutSession, CreateCheckoutSessionRequest>({
      query: (body) => ({ path: '/api/v1/auth/create-checkout-session', method: 'POST', body }),
    }),
    /** The buyer closed the dialog before paying. */
    leavePurchase: build.mutation<unknown, LeavePurchaseRequest>({
      query: (body) => ({ path: '/api/v1/auth/leave-purchase', method: 'POST', body }),
    }),
    verifyPayment: build.mutation<VerifiedPayment, VerifyPaymentRequest>({
      query: (body) => ({ path: '/api/v1/auth/verify-payment-and-add-credits', method: 'POST', body }),
    }),
  }),
});

export const {
  useGetPaymentConfigQuery,
  useGetReportPriceQuery,
  useGetCustomerQuery,
  useGetCustomerSessionQuery,
  useValidateDiscountMutation,
  useCreateCheckoutMutation,
  useLeavePurchaseMutation,
  useVerifyPaymentMutation,
} = paymentsApi;
