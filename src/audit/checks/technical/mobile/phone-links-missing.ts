import type { PageFacts } from '../../../facts/pageFacts.ts';
import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { comparedOnPhone, PHONE_CHECK, seenOn, textOnPhone } from '../../lookups/otherAgents.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const phoneLinksMissing = pageCheck({
  ...PHONE_CHECK,
  id: 'phone-links-missing',
  title: 'Phones get less than half of the links',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Google finds the pages that this one links to.',
  risk: 'Phones get less than half of the links that desktops get on this page. Google crawls the version for phones, so the other links don’t count, and the pages behind them are harder to find.',
  steps: [
    'In your browser’s developer tools, switch to a phone in the device toolbar, reload the page, and compare its links with the desktop version.',
    'In your mobile theme or the template, put the missing links into the HTML for phones, for example in a menu that opens on tap.',
    'Better still, send all devices the same HTML, and adapt only the layout with CSS.',
    'Reload the page as a phone, search the Elements tab for the links that this report names, and make sure they’re there.',
  ],
  tags: ['mobile', 'links'],
  run: (page, site) => {
    const compared = comparedOnPhone(page, site);
    if (compared === null || textOnPhone(compared).isShort) return [];
    const [all, got] = [ownLinks(compared.page.facts), ownLinks(compared.as.facts)];
    if (all.size - got.size < LEAST_LINKS || got.size >= all.size / 2) return [];
    const missing = [...all].filter((url) => !got.has(url)).map(pathAndQueryOf);
    return [
      {
        evidence: seen(page, 'links for phones', `${count(got.size)} of ${plural(all.size, 'address', 'addresses')}`),
        message: `Phones get links to ${plural(got.size, 'address', 'addresses')} of the site where desktops get ${count(all.size)}${seenOn(page, compared)}. Missing are ${missing.slice(0, NAMED).join(', ')}${missing.length > NAMED ? ' and others' : ''}.`,
      },
    ];
  },
});

/** Fewer are a box beside the content. */
const LEAST_LINKS = 5;
const NAMED = 3;

/** Addresses alone: how often a page links to one is a matter of layout. */
function ownLinks({ links }: PageFacts): ReadonlySet<string> {
  return new Set(links.flatMap(({ url, internal }) => (url !== null && internal ? [url] : [])));
}
