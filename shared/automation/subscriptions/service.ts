export {
  changeSubscription,
  createSubscription,
  removeSubscription,
  type SubscriptionDependencies,
} from './administer-subscriptions.ts'
export { checkRecords } from './check-subscription.ts'
export { type EvaluationDependencies, evaluateChange } from './evaluate/evaluate-change.ts'
export { SubscriptionMessage } from './evaluate/parts.ts'
export { findSubscription, listSubscriptions } from './list-subscriptions.ts'
export { type Subscription, subscriptionOf } from './subscription.ts'
