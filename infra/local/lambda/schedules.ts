/**
 * The schedules of a template. The time of the last run is stored, so that a daily run missed while the machine was
 * off is made up for, once, after the start.
 */
import { randomUUID } from 'node:crypto'
import type { Storage } from '../runtime/storage/storage.ts'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { Resource } from '../template/resolve-template.ts'
import { TemplateError } from '../template/resolve-template.ts'
import { resourceType } from '../template/resource-types.ts'
import { parseSchedule } from './schedule-expression.ts'

export interface ScheduleDefinition {
  readonly id: string
  readonly arn: string
  readonly expression: string
  readonly targets: readonly { readonly arn: string; readonly input?: string }[]
  /** Without an input, the target of a rule gets a scheduled event, the target of a schedule an empty object. */
  readonly isRule: boolean
}

export interface SchedulesOptions {
  readonly definitions: readonly ScheduleDefinition[]
  readonly storage: Storage
  readonly region: string
  readonly accountId: string
  readonly timeline: Timeline
  /** Sends an event to a function or queue. Failures are not reported back. */
  readonly send: (targetArn: string, event: unknown) => void
}

/** Reads a rule or schedule resource; undefined when it is disabled. */
export function readSchedule({ id, type, properties, identity }: Resource): ScheduleDefinition | undefined {
  if (properties['State'] === 'DISABLED') return undefined
  const expression = properties['ScheduleExpression']
  if (typeof expression !== 'string')
    throw new TemplateError(`The local cloud runs timed rules only, and ${id} has no ScheduleExpression.`)
  const isRule = type === resourceType.rule
  const given = (isRule ? (properties['Targets'] ?? []) : [properties['Target']]) as { Arn: string; Input?: string }[]
  return {
    id,
    arn: identity.attribute('Arn'),
    expression,
    isRule,
    targets: given.map(({ Arn, Input }) => ({ arn: Arn, input: Input })),
  }
}

/** Returns a function that stops all schedules. */
export function startSchedules({
  definitions,
  storage,
  region,
  accountId,
  timeline,
  send,
}: SchedulesOptions): () => void {
  const { now } = timeline
  const waits = new Map<string, () => void>()

  function start(definition: ScheduleDefinition): void {
    const { next } = parseSchedule(definition.expression)
    const key = `schedule/${definition.id}`
    const stored = storage.get(key)
    let last = Number(stored ?? now())
    if (stored === undefined) saveLastRun()

    /** If this is not written, the next start has one run more or less. */
    function saveLastRun(): void {
      storage.commit([{ type: 'put', key, value: String(last) }]).catch(() => {})
    }

    function wait(): void {
      const due = next(last)
      if (due === undefined) return
      waits.set(definition.id, timeline.at(due, run))
    }

    /** A run that could store nothing would be lost, so it waits for the end of an outage. */
    function run(): void {
      const outage = storage.outage()
      if (outage) return void outage.over.then(run)
      last = now()
      saveLastRun()
      for (const { arn, input } of definition.targets)
        send(arn, input === undefined ? defaultEvent(definition) : JSON.parse(input))
      wait()
    }

    wait()
  }

  const defaultEvent = ({ arn, isRule }: ScheduleDefinition): object =>
    isRule
      ? {
          version: '0',
          id: randomUUID(),
          'detail-type': 'Scheduled Event',
          source: 'aws.events',
          account: accountId,
          time: new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'),
          region,
          resources: [arn],
          detail: {},
        }
      : {}

  definitions.forEach(start)
  return () => waits.forEach((cancel) => cancel())
}
