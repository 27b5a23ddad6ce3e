import { describe, expect, it } from 'vitest';
import { ALL_ACTION_ITEMS, onRequest, PLANS, planOf, savingsPercent } from '../../../src/domain/billing/plans.ts';
import { PREVIEW_ACTIONS } from '../../../src/http/contract/actions.ts';
import { isUpgrade } from '../../../src/model/tiers.ts';

describe('the plans', () => {
  it('are five, in order, each with what it includes', () =>
    expect(
      PLANS.map(({ key, name, order, analysesPerMonth, actionItemsLimit, highlighted, queueRank }) => [
        key,
        name,
        order,
        analysesPerMonth,
        actionItemsLimit,
        highlighted,
        queueRank,
      ]),
    ).toEqual([
      ['free', 'Free', 0, 0, PREVIEW_ACTIONS, false, 0],
      ['tier1', 'Basic', 1, 1, 100, false, 0],
      ['tier2', 'Professional', 2, 3, 100, true, 0],
      ['tier3', 'Business', 3, 10, 100, false, 0],
      ['tier4', 'Power', 4, 50, 100, false, 1],
    ]));
  it('show all action items if paid', () => {
    for (const { key, actionItemsLimit } of PLANS) expect(actionItemsLimit >= ALL_ACTION_ITEMS).toBe(key !== 'free');
  });
  it('have the listed features', () => {
    expect(planOf('free').features).toEqual([]);
    expect(planOf('tier1').features).toEqual(['email_support']);
    expect(planOf('tier2').features).toEqual(['email_support']);
    expect(planOf('tier3').features).toEqual(['phone_and_email_support', 'custom_integrations']);
    expect(planOf('tier4').features).toEqual([
      'premium_support',
      'priority_processing',
      'client_portal',
      'beta_access',
      'api_access',
      'white_label',
    ]);
    expect(PLANS.filter(({ features }) => features.includes('api_access')).map(({ key }) => key)).toEqual(['tier4']);
  });
  it('have what is not built in on request', () => {
    expect(PLANS.map((plan) => onRequest(plan))).toEqual([
      [],
      [],
      [],
      ['phone_and_email_support', 'custom_integrations'],
      ['premium_support', 'client_portal', 'beta_access', 'white_label'],
    ]);
  });
  it('rank by their order', () => {
    expect(isUpgrade('free', 'tier1')).toBe(true);
    expect(isUpgrade('tier2', 'tier4')).toBe(true);
    expect(isUpgrade('tier2', 'tier2')).toBe(false);
    expect(isUpgrade('tier4', 'tier1')).toBe(false);
  });
});

describe('the saving of a plan', () => {
  it('is in whole percent of the same number bought singly, rounded down', () => {
    const report = 5_000;
    expect(savingsPercent('tier1', { monthly: 2_900, report })).toBe(42);
    expect(savingsPercent('tier2', { monthly: 7_900, report })).toBe(47);
    expect(savingsPercent('tier3', { monthly: 19_900, report })).toBe(60);
    expect(savingsPercent('tier4', { monthly: 49_900, report })).toBe(80);
  });
  it('is zero when it is not cheaper', () => {
    expect(savingsPercent('tier1', { monthly: 5_000, report: 5_000 })).toBe(0);
    expect(savingsPercent('tier1', { monthly: 9_000, report: 5_000 })).toBe(0);
    expect(savingsPercent('tier1', { monthly: 0, report: 0 })).toBe(0);
  });
});
