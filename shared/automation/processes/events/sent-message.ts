import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import type { Told } from '../rows/report-rows.ts'

export interface SentMessage {
  readonly name: string
  readonly key: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** Taken once in a day: a repeat answers what became of the first. */
  readonly messageId: string | undefined
  /** How long it waits when nothing waits for it; 0: not at all. */
  readonly ttlSeconds: number
  readonly by: PrincipalRef
  readonly hops: number
  /** Has the runner advance the receivers through the change feed: for functions that do not run processes. */
  readonly wakesRunner: boolean
  /** What its caller hears first. */
  readonly after?: Told
}

export type EventDependencies = Pick<ProcessDependencies, 'store' | 'clock' | 'config'>
