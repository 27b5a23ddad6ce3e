/** The cases of all checks. */
import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { CANONICAL } from './canonical.ts';
import { CONTENT } from './content.ts';
import { DELIVERY } from './delivery.ts';
import { FILES } from './files.ts';
import { IMAGES } from './images.ts';
import { INDEXABILITY } from './indexability.ts';
import { LANGUAGES } from './languages.ts';
import { LINKS } from './links.ts';
import { OTHER_AGENTS } from './otherAgents.ts';
import { ROBOTS } from './robots.ts';
import { SCHEMA_CASES } from './schema.ts';
import { SOCIAL } from './social.ts';
import { STRUCTURED } from './structured.ts';
import { WRITING } from './writing.ts';

export const CASES: CaseTable = {
  ...INDEXABILITY,
  ...OTHER_AGENTS,
  ...CANONICAL,
  ...ROBOTS,
  ...LANGUAGES,
  ...DELIVERY,
  ...LINKS,
  ...IMAGES,
  ...CONTENT,
  ...SCHEMA_CASES,
  ...SOCIAL,
  ...STRUCTURED,
  ...FILES,
  ...WRITING,
};
