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
  gain: 'The page can be found for everything it says.',
  risk: 'Phones get less than half of the text that desktops get on this page. Google indexes the version for phones, so the rest can’t be found in search.',
  steps: [
    'In your browser’s developer tools, switch to a phone in the device toolbar, reload the page, and note which sections are missing compared with the desktop version.',
    'If a plugin or a mobile theme writes the page for phones, turn on the missing sections in its settings. If it has no such setting, switch it off and use one responsive theme for all devices.',
    'If your own template leaves the sections out (in WordPress, look for `wp_is_mobile`), remove that condition so that phones get the same HTML, and adapt only the layout with CSS. Sections that open on tap are fine.',
    'Reload the page as a phone, search the Elements tab for a sentence that was missing, and make sure it’s there.',
  ],
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
