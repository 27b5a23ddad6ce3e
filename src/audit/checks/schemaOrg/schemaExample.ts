/** JSON-LD that shows owners of any site what to write. */
import type { Example } from '../../../model/findings.ts';

/** Without the script around it. `YOUR …` stands for what only the owner of a site knows. */
export function schemaExample(node: object): Example {
  return { before: null, after: JSON.stringify({ '@context': 'https://schema.org', ...node }, null, 2) };
}
