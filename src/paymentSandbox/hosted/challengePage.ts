/** 3-D Secure: stands for the bank's page. */
import type { SandboxContext } from '../books/context.ts';
import { answerChallenge, type Challenged, challengedIntent } from '../payments/challenges.ts';
import { ApiError } from '../server/apiError.ts';
import { fieldOf } from './cardForm.ts';
import { html, money, notFound, pageWith } from './layout.ts';
import type { PageAnswer, PageRequest } from './page.ts';

const nameOf = (intent: Challenged): string => intent.object;

/** The merchant's return URL, with the parameters needed to look the payment up. */
function wayBack(intent: Challenged, returnUrl: string | null | undefined): string | null {
  if (!returnUrl || !URL.canParse(returnUrl) || !/^https?:$/.test(new URL(returnUrl).protocol)) return null;
  const url = new URL(returnUrl);
  url.searchParams.set(nameOf(intent), intent.id);
  url.searchParams.set(`${nameOf(intent)}_client_secret`, intent.client_secret ?? '');
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed');
  return url.href;
}

/** Shows the challenge and processes the answer. Knowing the client secret identifies the payer. */
export function challengePage(context: SandboxContext, id: string, { method, query, form }: PageRequest): PageAnswer {
  let intent: Challenged;
  try {
    intent = challengedIntent(context, id);
  } catch (error) {
    if (error instanceof ApiError) return notFound();
    throw error;
  }
  const given = method === 'POST' ? fieldOf(form, 'token') : fieldOf(query, `${nameOf(intent)}_client_secret`);
  if (given !== intent.client_secret) return notFound();
  if (method === 'POST') {
    const returnUrl = intent.next_action?.redirect_to_url?.return_url;
    const answered = answerChallenge(context, id, fieldOf(form, 'answer') === 'complete' ? 'succeed' : 'fail');
    const back = wayBack(answered, returnUrl);
    if (back !== null) return { location: back };
    return pageWith(
      '3-D Secure',
      html`<p>${answered.status === 'succeeded' ? 'The payment was authenticated.' : 'The payment was not completed.'} You can close this page.</p>`,
    );
  }
  const what =
    intent.object === 'payment_intent'
      ? html`a payment of <strong>${money(intent.amount, intent.currency)}</strong>`
      : html`that this card is saved`;
  return pageWith(
    '3-D Secure',
    html`<p>Your bank asks whether you allow ${what}. In this sandbox, you are the bank.</p>
<form method="post"><input type="hidden" name="token" value="${intent.client_secret ?? ''}"><button name="answer" value="complete">Complete authentication</button><button class="plain" name="answer" value="fail">Fail authentication</button></form>`,
  );
}
