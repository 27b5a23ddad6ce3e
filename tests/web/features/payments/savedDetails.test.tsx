/** A second purchase in front of the sandbox's form: nothing that is known is typed again. */
import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { AUTH, field, fillCard, openPurchase, payButton, sells } from '../../given/payments.ts';
import { signedInBefore } from '../../given/renderApp.tsx';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  sells(server);
});

const ADDRESS = { line1: '1 Main Street', line2: null, city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' };

describe('name and address', () => {
  it('are filled in once they were used for a purchase', async () => {
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await screen.findByText('Payment complete');
    server.on(`GET ${AUTH}/customer-info`, { success: true, customer: { name: 'Ada Lovelace', email: 'ada@example.com', address: ADDRESS } });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(screen.getByRole('button', { name: /^Buy reports/ }));
    await screen.findByLabelText('Card number');
    const shown = { 'Name on card': 'Ada Lovelace', Address: '1 Main Street', City: 'Springfield', State: 'IL', 'ZIP code': '62701' };
    for (const [label, value] of Object.entries(shown)) expect(field(label)).toHaveValue(value);
  });
});
