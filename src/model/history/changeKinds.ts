/**
 * What changed in the whole installation, by kind: the types of events listed under each. A test compares them with the
 * registry of stored events.
 */
export const CHANGE_KINDS = ['users', 'jobs', 'shares', 'prompts', 'sequences', 'money'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** `JobsDeleted` is left out: each of its jobs has an event of its own. */
export const TYPES_OF_CHANGE: Readonly<Record<ChangeKind, readonly string[]>> = {
  users: [
    'AccountRegistered',
    'AccountDeleted',
    'AccountAdminGranted',
    'AccountAdminRevoked',
    'AccountDisabled',
    'AccountEnabled',
  ],
  jobs: [
    'JobSubmitted',
    'JobCompleted',
    'JobPartiallyCompleted',
    'JobPartiallySucceeded',
    'JobFailed',
    'JobCancelled',
    'JobDeleted',
  ],
  shares: ['ShareCreated', 'ShareRevoked'],
  prompts: ['PromptSaved', 'PromptReverted'],
  sequences: [
    'SequenceCreated',
    'SequenceEdited',
    'SequenceActivated',
    'SequenceDeactivated',
    'SequenceDeleted',
    'SequenceTemplateAdded',
    'SequenceTemplateChanged',
    'SequenceTemplateRemoved',
  ],
  money: [
    'FundsAdded',
    'CreditsGranted',
    'PaymentRefunded',
    'DisputeOpened',
    'DisputeWon',
    'DisputeLost',
    'SubscriptionStarted',
    'SubscriptionChanged',
    'SubscriptionChangeScheduled',
    'SubscriptionChangeUndone',
    'SubscriptionRenewed',
    'SubscriptionPaymentFailed',
    'SubscriptionCancelScheduled',
    'SubscriptionReactivated',
    'SubscriptionSuspended',
    'SubscriptionResumed',
    'SubscriptionEnded',
  ],
};
