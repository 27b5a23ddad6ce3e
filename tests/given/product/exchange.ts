/** A request of a program: `fetch` follows the rules for web pages, which takes twice the time. */
import { request } from 'undici';

export type Exchange = {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
};

/** Redirects are not followed, and a compressed answer is not decompressed. */
export async function exchange(
  url: string,
  { method, headers = {}, body, signal }: Exchange,
): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await request(url, {
    method,
    headers: { 'user-agent': 'node', ...headers },
    body: body ?? null,
    ...(signal ? { signal } : {}),
  });
  const text = await answer.body.text();
  const received = new Headers();
  for (const [name, values = []] of Object.entries(answer.headers))
    for (const value of [values].flat()) received.append(name, value);
  return { status: answer.statusCode, headers: received, text };
}
