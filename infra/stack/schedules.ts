import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Trigger } from '../catalogue/deployed-function.ts'
import type { ServiceFunction } from './service-function.ts'

/** A late event of one that runs every few minutes is dropped: the next run covers its work. */
const frequent = { retryAttempts: 0, maxEventAge: Duration.minutes(1) }
/** A daily run is not missed because of a fault of the moment. */
const daily = { retryAttempts: 2, maxEventAge: Duration.hours(1) }

/** Runs `fn` every n minutes, or once a day at a time in UTC, whenever it was deployed. */
export function runBySchedule(fn: ServiceFunction, trigger: Extract<Trigger, { kind: 'schedule' }>): void {
  const isDaily = 'dailyAt' in trigger
  new Rule(fn, 'Schedule', {
    schedule: isDaily
      ? Schedule.cron({ hour: String(trigger.dailyAt.hour), minute: String(trigger.dailyAt.minute) })
      : Schedule.rate(Duration.minutes(trigger.everyMinutes)),
    targets: [new LambdaFunction(fn, isDaily ? daily : frequent)],
  })
}
