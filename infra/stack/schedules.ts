import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Trigger } from '../catalogue/deployed-function.ts'
import type { ServiceFunction } from './service-function.ts'

/** How EventBridge hands an event to Lambda. A late one of those every few minutes is dropped: the next run covers its work. */
const frequent = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
/** Lambda takes a daily event once it can be reached: it would be missed for a day. */
const daily = { retryAttempts: 2, maxEventAge: Duration.hours(1) }

/** Runs `fn` every n minutes, or once a day at a time in UTC, whenever it was deployed. */
export function runBySchedule(fn: ServiceFunction, trigger: Extract<Trigger, { kind: 'schedule' }>): void {
  const isDaily = 'dailyAt' in trigger
  /*
   * What Lambda does with an event it has taken. A run that failed is not repeated, because the next run finds the same work:
   * two more runs of a fault would only be two more faults, beside the run of the next minute. An event that Lambda holds back
   * while functions are throttled expires like a late one. Without this, six hours of them would run at once.
   */
  fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: isDaily ? daily.maxEventAge : frequent.maxEventAge })
  new Rule(fn, 'Schedule', {
    schedule: isDaily
      ? Schedule.cron({ hour: String(trigger.dailyAt.hour), minute: String(trigger.dailyAt.minute) })
      : Schedule.rate(Duration.minutes(trigger.everyMinutes)),
    targets: [new LambdaFunction(fn, isDaily ? daily : frequent)],
  })
}
