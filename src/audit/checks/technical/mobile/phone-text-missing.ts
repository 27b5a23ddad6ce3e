import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { comparedOnPhone, PHONE_CHECK, seenOn, textOnPhone } from '../../lookups/otherAgents.ts';

export const phoneTextMissing = pageCheck({
  ...PHONE_CHECK,
  id: 'phone-text-missing',
  title: 'Phones get less than half of the text',
  impact: 'high',
  difficulty: 'hard',
  minutes: 120,
  gain: 'Lets the page be found for all that it says.',
  risk: 'Google lists what phones get. Text that only desktops get counts as not there.',
  steps: ['Send phones the same content, and let the layout alone adapt to their width.'],
  tags: ['mobile', 'content'],
  run: (page, site) => {
    const compared = comparedOnPhone(page, site);
    if (compared === null) return [];
    const { isShort, of, got } = textOnPhone(compared);
    if (!isShort) return [];
    return [
      {
        evidence: seen(page, 'text for phones', `${count(got)} of ${plural(of, 'word')}`),
        message: `Phones get ${plural(got, 'word')} of text where desktops get ${count(of)}${seenOn(page, compared)}. Google lists what phones get.`,
      },
    ];
  },
});
