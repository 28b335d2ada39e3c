import { type CfnCondition, Token } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { Construct } from 'constructs'

export interface BudgetProps {
  /** Dollars a month. */
  readonly amount: string
  /** Who gets the mails. */
  readonly address: string
  readonly isWanted: CfnCondition
}

/**
 * Mails the operator when the account has spent most of a month's amount, and when it is about to spend more. It counts the
 * whole account: by stage it could count only where somebody activated the tags for billing.
 */
export function addBudget(scope: Construct, id: string, { amount, address, isWanted }: BudgetProps): void {
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  })
  const budget = new CfnBudget(scope, id, {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: Token.asNumber(amount), unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  })
  budget.cfnOptions.condition = isWanted
}
