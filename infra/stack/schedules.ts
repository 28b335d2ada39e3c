import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Trigger } from '../deployed-function.ts'
import type { ServiceFunction } from './service-function.ts'

/** Runs `fn` every n minutes. A late event is dropped: the next run covers its work. */
export function runEveryMinutes(fn: ServiceFunction, { everyMinutes }: Extract<Trigger, { kind: 'schedule' }>): void {
  new Rule(fn, 'Schedule', {
    schedule: Schedule.rate(Duration.minutes(everyMinutes)),
    targets: [new LambdaFunction(fn, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  })
}
