/**
 * Stands in for the provider's script in a real browser. Like the real one, it draws its fields in frames of the provider's address, calls the provider's
 * API, and has the parts of `@stripe/stripe-js` that this app uses. Served inside a function with `known`: the options of each.
 */
/* global known */
const API = 'https://api.stripe.com/v1';
const FRAMES = 'https://js.stripe.com';
const BANK = 'https://hooks.stripe.com';
const OF_CONFIRMATION = ['elements', 'clientSecret', 'confirmParams', 'redirect'];
const OF_PARAMS = ['return_url', 'payment_method_data', 'payment_method', 'shipping', 'mandate_data'];

function only(given, names, of) {
  for (const name of Object.keys(given))
    if (!names.includes(name)) throw new Error(`Stripe knows no option ${name} of ${of}.`);
}

function createElement(type, options, savedCards, onDestroy) {
  only(options, known[type], type);
  const listeners = new Map();
  const frame = document.createElement('iframe');
  const state = { values: {}, complete: false, saved: null };
  const hear = (event) => {
    if (event.origin !== FRAMES || event.source !== frame.contentWindow) return;
    state.values = event.data.values;
    state.complete = event.data.complete;
    state.saved = event.data.saved ?? null;
    const value = { type: 'card', ...(state.saved === null ? {} : { payment_method: { id: state.saved } }) };
    listeners.get(event.data.event)?.({ elementType: type, complete: state.complete, value });
  };
  const element = {
    state,
    frame,
    on: (event, listener) => {
      listeners.set(event, listener);
      return element;
    },
    off: () => element,
    mount: (place) => {
      addEventListener('message', hear);
      frame.title = `Secure ${type} input frame`;
      const { name, address } = options.defaultValues ?? {};
      void savedCards().then((saved) => {
        const known = JSON.stringify({ name, ...address, ...(type === 'payment' ? { saved } : {}) });
        frame.src = `${FRAMES}/endive/elements-inner-${type}.html#${encodeURIComponent(known)}`;
      });
      // Like the real one: otherwise a dark page makes the frame opaque.
      Object.assign(frame.style, {
        colorScheme: 'light only',
        width: '100%',
        height: type === 'payment' ? '190px' : '310px',
        border: '0',
        display: 'block',
      });
      place.append(frame);
    },
    update: (more) => only(more, known[type], type),
    destroy: () => {
      removeEventListener('message', hear);
      frame.remove();
      onDestroy();
    },
    getValue: async () => ({ complete: state.complete, isNewAddress: true, value: state.values }),
  };
  return element;
}

/** `readSaved`: the cards of a customer session. */
function createElements(given, readSaved) {
  only(given, known.elements, 'elements');
  const all = new Map();
  return {
    create: (type, options = {}) => {
      const saved = async () => (given.customerSessionClientSecret ? readSaved(given.customerSessionClientSecret) : []);
      all.set(
        type,
        createElement(type, options, saved, () => all.delete(type)),
      );
      return all.get(type);
    },
    getElement: (type) => all.get(type) ?? null,
    update: async (more) => only(more, known.elements, 'elements'),
    submit: async () => {
      for (const { frame } of all.values()) frame.contentWindow?.postMessage('show what is missing', FRAMES);
      const isWhole = [...all.values()].every(({ state }) => state.complete);
      return isWhole
        ? { selectedPaymentMethod: 'card' }
        : { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
    },
  };
}

const idOf = (clientSecret) => clientSecret.split('_secret')[0];

function createStripe(key) {
  async function ask(path, form, method) {
    const sent = new URLSearchParams({ ...form, key });
    const answer = await (method === 'GET'
      ? fetch(`${API}${path}?${sent}`)
      : fetch(`${API}${path}`, { method, body: sent }));
    return answer.json();
  }
  const retrieve = (clientSecret) =>
    ask(`/payment_intents/${idOf(clientSecret)}`, { client_secret: clientSecret }, 'GET');

  async function readSaved(customer_session_client_secret) {
    const { customer } = await ask('/elements/sessions', { customer_session_client_secret }, 'GET');
    return customer.payment_methods.map(({ id, card }) => ({ id, name: `${card.brand} •••• ${card.last4}` }));
  }

  /** The bank's page covers everything until it is answered. */
  async function handleNextAction({ clientSecret }) {
    const frame = document.createElement('iframe');
    frame.title = 'Secure 3-D Secure frame';
    frame.src = `${BANK}/3d_secure_2/${idOf(clientSecret)}`;
    Object.assign(frame.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      border: '0',
      zIndex: '2147483647',
    });
    const answered = new Promise((resolve) => {
      addEventListener(
        'message',
        (event) => event.origin === BANK && event.source === frame.contentWindow && resolve(),
      );
    });
    document.body.append(frame);
    await answered;
    frame.remove();
    const intent = await retrieve(clientSecret);
    if (intent.status !== 'requires_payment_method') return { paymentIntent: intent };
    return {
      error: { type: 'invalid_request_error', message: intent.last_payment_error?.message, payment_intent: intent },
    };
  }

  async function confirmPayment(asked) {
    only(asked, OF_CONFIRMATION, 'confirmPayment');
    only(asked.confirmParams, OF_PARAMS, 'confirmParams');
    const { elements, clientSecret, confirmParams } = asked;
    const payment = elements.getElement('payment').state;
    const method = 'payment_method_data';
    const { allow_redisplay = 'unspecified' } = confirmParams.payment_method_data;
    const { name, ...address } = elements.getElement('address')?.state.values ?? {};
    const under = (prefix, values) =>
      Object.fromEntries(Object.entries(values).map(([field, value]) => [`${prefix}[${field}]`, value]));
    const newCard = () => ({
      [`${method}[allow_redisplay]`]: allow_redisplay,
      [`${method}[type]`]: 'card',
      ...under(`${method}[card]`, payment.values),
      ...under(`${method}[billing_details]`, { name, ...confirmParams.payment_method_data.billing_details }),
      ...under(`${method}[billing_details][address]`, address),
    });
    const chosen = payment.saved === null ? newCard() : { payment_method: payment.saved };
    const form = { client_secret: clientSecret, return_url: confirmParams.return_url, ...chosen };
    const answer = await ask(`/payment_intents/${idOf(clientSecret)}/confirm`, form, 'POST');
    if (answer.error) return { error: answer.error };
    return answer.next_action === null ? { paymentIntent: answer } : handleNextAction({ clientSecret });
  }

  const isNotAsked = () => {
    throw new Error('This app asks for no such thing.');
  };
  return {
    elements: (given) => createElements(given, readSaved),
    confirmPayment,
    handleNextAction,
    retrievePaymentIntent: async (clientSecret) => ({ paymentIntent: await retrieve(clientSecret) }),
    createToken: isNotAsked,
    createPaymentMethod: isNotAsked,
    confirmCardPayment: isNotAsked,
  };
}

window.Stripe = Object.assign(createStripe, { version: 'endive' });
