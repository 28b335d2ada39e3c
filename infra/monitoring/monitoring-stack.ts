import { type CfnCondition, CfnOutput, CrossStackReferences, ReferenceStrength, Stack, Token } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { Construct } from 'constructs'
import type { DataStack } from '../stack/data-stack.ts'
import type { ServiceStack } from '../stack/service-stack.ts'
import { MonitoringParameters } from '../stack/stack-parameters.ts'
import { watchedTable } from '../stack/table-in-use.ts'
import { Alarms, type WatchedResources } from './alarms.ts'
import { addDashboard } from './dashboard.ts'

export interface MonitoringStackProps {
  readonly stage: string
  /** Changes with each deployment. */
  readonly deployedAt: string
  readonly data: Pick<DataStack, 'table'>
  readonly service: Pick<ServiceStack, 'watched'>
}

/**
 * What tells the operator: alarms with their topic, the dashboard and the budget. It follows the service and holds nothing, so
 * it can be deleted and made again at any time.
 */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, { stage, deployedAt, data, service }: MonitoringStackProps) {
    super(scope, id, {
      description: 'Alarms and dashboard of the multi-tenant workflow platform',
      tags: { service: 'entity-workflow', stage },
    })
    // Outputs that are read, not exports: what is watched may change and go, and this stack follows (docs/decisions/0069).
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK)
    const parameters = new MonitoringParameters(this)
    const watched: WatchedResources = {
      ...service.watched,
      table: watchedTable(this, 'WatchedTable', data.table, parameters),
    }
    const alarms = new Alarms(this, 'Alarms', watched, parameters)
    addBudget(this, 'Budget', parameters.budget)
    addDashboard(this, 'Dashboard', watched, alarms, parameters.production)

    new CfnOutput(this, 'AlarmTopic', {
      value: alarms.topic.topicArn,
      description: 'SNS topic that every alarm notifies',
    })
    // Names are read when the stack is updated: without a change of its own, one that was given anew would not arrive.
    new CfnOutput(this, 'NamesReadAt', { value: deployedAt, description: 'When the names of the service were read' })
  }
}

interface BudgetProps {
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
function addBudget(scope: Construct, id: string, { amount, address, isWanted }: BudgetProps): void {
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
