/** Default sequences of a new installation: ready to use, but turned off. */
import type { SequenceTrigger } from '../../model/sequences.ts';

type Seed = {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly trigger: SequenceTrigger;
  readonly templates: readonly {
    readonly name: string;
    readonly subject: string;
    readonly content: string;
    readonly stepNumber: number;
    readonly delayDays: number;
  }[];
};

const START = `Hi {{user_name}},

Welcome to {{company_name}}. Here is how to get your first results:

1. Submit the address of your site. An audit takes a few minutes.
2. Read the summary. It says what is fine and what costs you visitors.
3. Start with the first action item. Each one says what to do and how long it takes.

[Audit your site]({{app_url}}/)

Questions? Just write to {{support_email}}.`;

const PLAN = `Hi {{user_name}},

An audit often finds more than anybody can fix in a week. You don’t have to.

Your action items are sorted by impact, and each one has a time estimate. A good first hour:

- Pick **one high-impact item** and mark it as started.
- Follow the steps, then mark it as completed.
- Let us verify it. We fetch the page again and check that the issue is gone.

[Open your action items]({{app_url}}/dashboard/actions)`;

const AGAIN = `Hi {{user_name}},

Sites change: pages move, links break, titles get lost in a redesign. Running the same audit again shows what you fixed, what is new, and how your score moved.

Once a month is enough for most sites. After a redesign, run one right away.

[Run an audit]({{app_url}}/)

Was something hard to understand? Tell us at {{support_email}}. We read every message.`;

const COME_BACK = `Hi {{user_name}},

It has been a while since your last visit. Your reports and action items are where you left them.

If you have ten minutes, a new audit will tell you what has changed on your site since then.

[See what changed]({{app_url}}/)

Need a hand? Write to {{support_email}}.`;

export const SEEDED_SEQUENCES: readonly Seed[] = [
  {
    key: 'welcome',
    name: 'Welcome',
    description: 'Three emails that help new users get from their first audit to their first fix.',
    trigger: 'sign_up',
    templates: [
      { name: 'Getting started', subject: 'Welcome to {{company_name}}', content: START, stepNumber: 1, delayDays: 0 },
      {
        name: 'First fixes',
        subject: 'Where to start with your action items',
        content: PLAN,
        stepNumber: 2,
        delayDays: 3,
      },
      { name: 'Keep going', subject: 'See how your score moved', content: AGAIN, stepNumber: 3, delayDays: 7 },
    ],
  },
  {
    key: 'come_back',
    name: 'Come back',
    description: 'One email to users who haven’t been around for two weeks.',
    trigger: 'inactive_14_days',
    templates: [
      {
        name: 'We kept your place',
        subject: '{{user_name}}, your reports are still here',
        content: COME_BACK,
        stepNumber: 1,
        delayDays: 0,
      },
    ],
  },
];
