/**
 * `npm run payment-sandbox`: the payment sandbox as a standalone program, to try with other programs or the `stripe`
 * library.
 */
import { Command, InvalidArgumentError } from 'commander';
import { startPaymentSandbox } from '../paymentSandbox/paymentSandbox.ts';
import { seededRandom } from '../paymentSandbox/server/faults.ts';
import { onFreePort } from '../start/listen.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_INPUT = 2;
const PORT = 12_111;

type Options = {
  readonly port: number;
  readonly data: string;
  readonly webhook: readonly string[];
  readonly webhookSecret?: string;
  readonly seed?: number;
};

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return port;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new InvalidArgumentError('It is a whole number.');
  return seed;
}

function urlOf(text: string, before: readonly string[]): readonly string[] {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It is an address that begins with http:// or https://.');
  return [...before, text];
}

async function run({ port, data, webhook, webhookSecret, seed }: Options): Promise<void> {
  // The key can be preset, so that a merchant's configuration can include it beforehand.
  const secretKey = process.env.PAYMENT_SANDBOX_KEY;
  const sandbox = await onFreePort(port, (free) =>
    startPaymentSandbox({
      dataDir: data,
      port: free,
      webhooks: webhook.map((url) => ({ url, ...(webhookSecret ? { secret: webhookSecret } : {}) })),
      log: (line) => console.error(line),
      ...(secretKey ? { secretKey } : {}),
      ...(seed === undefined ? {} : { random: seededRandom(seed) }),
    }),
  );
  console.log(`Payment sandbox on ${sandbox.url}: no money moves.`);
  console.log(`  secret key       ${sandbox.secretKey}`);
  console.log(`  publishable key  ${sandbox.publishableKey}`);
  console.log(`  webhook secret   ${webhookSecret ?? sandbox.webhookSecret}`);
  console.log(`  books            ${data}/payments.db`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
}

const program = new Command('payment-sandbox')
  .description("A server with the payment provider's API, for testing. No money moves.")
  .option('--port <number>', 'the port, or the next free one', portOf, PORT)
  .option('--data <folder>', 'where the books are kept', 'data/payments')
  .option('--webhook <url>', 'where to send events; may be given several times', urlOf, [])
  .option('--webhook-secret <secret>', 'the secret that signs events; default: derived from the secret key')
  .option('--seed <number>', 'seed for fault selection; default: any', seedOf)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_BAD_INPUT))
  .action((options: Options) => run(options));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Error && 'code' in error)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_REFUSED;
}
