import { ExternalLink } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { CheckoutSession, PaymentConfig } from '../paymentsApi.ts';
import { AddressFields } from './AddressFields.tsx';
import { addressOf, type BillingField, billingProblems } from './billingAddress.ts';
import { type CardFieldsProps, type Confirmed, INCOMPLETE, MISSING } from './cardHandle.ts';
import { FieldsSkeleton } from './FieldsSkeleton.tsx';
import { SavedCardChoice } from './SavedCardChoice.tsx';
import { expiryOf, paySandbox, type SandboxOutcome } from './sandboxPayment.ts';
import { type SavedCard, useSavedCards } from './savedCards.ts';

/** The first one succeeds, the others show what can happen. */
const TEST_CARDS = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0027 6000 3184', 'asks for 3-D Secure'],
] as const;

type CardField = 'number' | 'expires' | 'cvc';
type SandboxCardProps = CardFieldsProps & { config: PaymentConfig };
type Faults = Partial<Record<BillingField | CardField, string>>;

/** The sandbox's card form: looks like a real one but says that it is not. */
export function SandboxCard({ customerSession, ...props }: SandboxCardProps) {
  const saved = useSavedCards(props.config, customerSession);
  return saved ? <CardForm saved={saved} {...props} /> : <FieldsSkeleton />;
}

function CardForm({
  config,
  saved,
  customer,
  save,
  onHandle,
  onSaved,
  disabled,
}: Omit<SandboxCardProps, 'customerSession'> & { saved: readonly SavedCard[] }) {
  const [savedId, setSavedId] = useState(saved[0]?.id ?? null);
  const [card, setCard] = useState({ number: '', expires: '', cvc: '' });
  const [address, setAddress] = useState(() => addressOf(customer));
  const [faults, setFaults] = useState<Faults>({});
  const [challenge, setChallenge] = useState<{ readonly url: string; readonly giveUp: () => void } | null>(null);
  const form = useRef<HTMLFieldSetElement>(null);

  const check = async (): Promise<string | null> => {
    const found: Faults = savedId !== null ? {} : { ...cardFaults(card), ...billingProblems(address) };
    setFaults(found);
    const texts = Object.values(found);
    return texts.includes(MISSING) ? INCOMPLETE : (texts[0] ?? null);
  };
  const confirm = async (session: CheckoutSession, billingEmail: string): Promise<Confirmed> => {
    const wait = new AbortController();
    const onChallenge = (url: string | null): void =>
      setChallenge(url === null ? null : { url, giveUp: () => wait.abort() });
    const chosen = savedId === null ? { ...card, address, save } : { savedId };
    const confirmed = await paySandbox({
      config,
      session,
      card: chosen,
      billingEmail,
      onChallenge,
      signal: wait.signal,
    });
    setFaults(faultsIn(confirmed));
    return confirmed;
  };
  // On every render, as they read the current field values.
  useEffect(() => onHandle({ check, confirm }));
  useEffect(() => () => onHandle(null), [onHandle]);
  // Before it is painted: the form around it must not offer to save a card that is saved.
  useLayoutEffect(() => onSaved(savedId !== null), [savedId, onSaved]);
  useEffect(() => {
    if (!disabled && Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults, disabled]);

  const field = (name: CardField, value: string): void => setCard({ ...card, [name]: value });
  return (
    <div className="space-y-3">
      <Notice tone="attention" title="Payment sandbox: no real card is charged, no money moves.">
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm">
          {TEST_CARDS.map(([number, does]) => (
            <div key={number} className="col-span-2 grid grid-cols-subgrid">
              <dt className="font-mono whitespace-nowrap tabular-nums">{number}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="text-sm">Any future date and any security code work.</p>
      </Notice>
      <fieldset ref={form} disabled={disabled} className="min-w-0 space-y-3">
        <legend className="sr-only">Card and billing address</legend>
        {saved.length > 0 && <SavedCardChoice cards={saved} chosen={savedId} onChoose={setSavedId} />}
        {savedId === null && (
          <>
            <Field
              label="Card number"
              inputMode="numeric"
              autoComplete="cc-number"
              maxLength={24}
              required
              value={card.number}
              error={faults.number}
              quiet
              onChange={(event) => field('number', event.target.value)}
            />
            <div className="grid grid-cols-2 gap-3">
              <Field
                label="Expires (MM/YY)"
                inputMode="numeric"
                autoComplete="cc-exp"
                maxLength={7}
                required
                value={card.expires}
                error={faults.expires}
                quiet
                onChange={(event) => field('expires', event.target.value)}
              />
              <Field
                label="Security code"
                inputMode="numeric"
                autoComplete="cc-csc"
                maxLength={4}
                required
                value={card.cvc}
                error={faults.cvc}
                quiet
                onChange={(event) => field('cvc', event.target.value)}
              />
            </div>
            <AddressFields address={address} problems={faults} onChange={setAddress} />
          </>
        )}
      </fieldset>
      {challenge && <Challenge {...challenge} />}
    </div>
  );
}

/** The bank's page is open in another tab; meanwhile the payment is polled. */
function Challenge({ url, giveUp }: { url: string; giveUp: () => void }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    link.current?.focus({ preventScroll: true });
    link.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Notice tone="info" title="Your bank wants to confirm it’s you">
      <p role="status">Confirm on its page, then come back. The payment continues automatically.</p>
      <p className="flex flex-wrap gap-2 pt-1">
        <a ref={link} href={url} target="_blank" rel="noopener noreferrer" className={buttonClasses('secondary')}>
          Open authentication page
          <ExternalLink aria-hidden="true" size={14} />
        </a>
        <Button variant="quiet" onClick={giveUp}>
          Cancel authentication
        </Button>
      </p>
    </Notice>
  );
}

function faultsIn(confirmed: SandboxOutcome): Faults {
  return confirmed.outcome === 'refused' && confirmed.field ? { [confirmed.field]: confirmed.text } : {};
}

function cardFaults({ number, expires, cvc }: Readonly<Record<CardField, string>>): Faults {
  return {
    ...(number.trim() === '' ? { number: MISSING } : {}),
    ...(expires.trim() === ''
      ? { expires: MISSING }
      : expiryOf(expires)
        ? {}
        : { expires: 'Please enter the date as MM/YY' }),
    ...(cvc.trim() === '' ? { cvc: MISSING } : {}),
  };
}
