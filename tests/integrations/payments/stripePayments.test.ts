/** The adapter on the `stripe` library, against the payment sandbox. */
import { paymentsContract } from '../../contract/payments.ts';
import { givenPayments } from '../../given/payments.ts';

paymentsContract('stripe', givenPayments);
