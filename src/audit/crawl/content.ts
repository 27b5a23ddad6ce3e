/** Reads the page in an answer: parsed, and shown in a browser where its scripts fill it. */
import type { FetchAnswer } from '../../model/fetching.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import type { ParsePage } from '../facts/parse/parsePage.ts';
import { isChallenge } from './challenge.ts';
import { htmlVerdict } from './htmlAnswer.ts';
import type { Content, Rendered } from './site.ts';

/** `url` is the address of the page after redirects. */
export async function readContent(
  url: string,
  answer: FetchAnswer,
  parse: ParsePage,
  render: (facts: PageFacts) => Promise<Rendered>,
): Promise<Content> {
  if (answer.status < 200 || answer.status >= 300) return { page: null, why: null };
  if (isChallenge(answer))
    return { page: null, why: 'The answer asks for proof of being human, in place of the page.' };
  const verdict = htmlVerdict(answer);
  if (!verdict.html) return { page: null, why: verdict.why };
  const facts = await parsed(url, answer, parse);
  return facts ? { page: await render(facts), why: null } : { page: null, why: 'The page could not be parsed.' };
}

async function parsed(url: string, { body, headers }: FetchAnswer, parse: ParsePage): Promise<PageFacts | null> {
  try {
    return await parse({ url, body, contentType: headers['content-type']?.[0] ?? null });
  } catch {
    return null;
  }
}
