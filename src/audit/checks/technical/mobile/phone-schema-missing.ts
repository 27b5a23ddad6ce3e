import type { PageFacts } from '../../../facts/pageFacts.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { comparedOnPhone, PHONE_CHECK, seenOn, textOnPhone } from '../../lookups/otherAgents.ts';

export const phoneSchemaMissing = pageCheck({
  ...PHONE_CHECK,
  id: 'phone-schema-missing',
  title: 'Phones get less structured data',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Google can use all of your structured data for rich results.',
  risk: 'Phones get less structured data than desktops on this page. Google reads the version for phones, so types that only desktops get can’t lead to rich results.',
  steps: [
    'Search the Elements tab of your browser’s developer tools for `ld+json`, once on the page as usual, and once after reloading it as a phone (device toolbar). What only the first has is left out on phones by your mobile theme, a plugin, or a condition in the template (in WordPress, `wp_is_mobile`).',
    'Turn it on in the settings, or move the structured data out of that condition (leave what else it controls), so that phones and desktops get the same.',
    'Test the page in Google’s Rich Results Test, set to a smartphone, and make sure it lists the types that this report names. It shows only those that Google has a rich result for. To check the others, search the Elements tab once more as a phone.',
  ],
  tags: ['mobile', 'schema'],
  run: (page, site) => {
    const compared = comparedOnPhone(page, site);
    if (compared === null || textOnPhone(compared).isShort) return [];
    const got = typesOf(compared.as.facts);
    const missing = [...typesOf(compared.page.facts)].filter((type) => !got.has(type));
    if (missing.length === 0) return [];
    const named = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ' and others' : '');
    return [
      {
        evidence: seen(page, 'structured data for phones', `no ${named}`),
        message: `Phones get no structured data of the type${missing.length === 1 ? '' : 's'} ${named}, desktops do${seenOn(page, compared)}.`,
      },
    ];
  },
});

const NAMED = 5;

function typesOf({ structuredData }: PageFacts): ReadonlySet<string> {
  return new Set(structuredData.flatMap(({ types }) => types));
}
