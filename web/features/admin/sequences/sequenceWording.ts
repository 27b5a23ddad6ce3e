import { SEQUENCE_TRIGGERS, type SequencePlaceholder, type SequenceTrigger } from '../../../../src/model/sequences.ts';
import { asFailure } from '../../../api/failure.ts';
import type { EditorVariable } from '../../../ui/form/editorProps.ts';

const TRIGGERS: Readonly<Record<SequenceTrigger, { readonly name: string; readonly who: string }>> = {
  sign_up: { name: 'Sign-up', who: 'when they confirm their email address' },
  first_analysis: { name: 'First finished audit', who: 'when their first audit has finished' },
  inactive_14_days: {
    name: '14 days without activity',
    who: 'once they haven’t logged in, run an audit or worked on a task for 14 days',
  },
  subscription_ended: { name: 'Subscription ended', who: 'when their subscription has ended' },
};

export const TRIGGER_CHOICES = SEQUENCE_TRIGGERS.map((trigger) => [trigger, TRIGGERS[trigger].name] as const);
export const nameOfTrigger = (trigger: SequenceTrigger): string => TRIGGERS[trigger].name;
export const whoIsEnrolled = (trigger: SequenceTrigger): string =>
  `Users who sign up from now on are enrolled ${TRIGGERS[trigger].who}. Accounts that exist already are not, nor is anyone who turned these emails off.`;

const MEANINGS: Readonly<Record<SequencePlaceholder, string>> = {
  user_name: 'The user’s name',
  user_email: 'The user’s email address',
  app_url: 'The address of this app',
  support_email: 'Where users get help',
  company_name: 'COMPANY_NAME in the settings',
  signup_date: 'The day the user signed up',
};

export const PLACEHOLDERS: readonly EditorVariable[] = Object.entries(MEANINGS).map(([name, description]) => ({
  name,
  description,
}));

/** The server's message, or a text for the status. */
export function failureText(error: unknown): string {
  const { message, status } = asFailure(error);
  return message || httpError(status);
}

export const httpError = (status: number): string =>
  status === 0 ? 'Network error. Please try again.' : `HTTP error! status: ${status}`;

/** 'At once', '1 day', '3 days'. */
export const delayText = (days: number): string => (days === 0 ? 'At once' : days === 1 ? '1 day' : `${days} days`);
