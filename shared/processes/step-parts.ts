import type { Actor } from '../entities/deps.ts'
import { log } from '../log.ts'
import type { NotificationPort } from '../scripts/notification-port.ts'
import type { ProcessDependencies } from './deps.ts'
import type { Evaluate } from './expressions.ts'
import type { Instance } from './instance-row.ts'
import type { StepScope } from './step-scope.ts'

/** What the work of one step is done with. */
export interface StepParts {
  readonly deps: ProcessDependencies
  readonly actor: Actor
  readonly instance: Instance
  readonly scope: StepScope
  readonly evaluate: Evaluate
  /** What the step asks to be sent; stored with it. */
  readonly notifications: () => Promise<NotificationPort>
}

/** What is not sent must not stop the process: it is told to the operator, as for hooks. */
export const tellUnsent = (instance: Pick<Instance, 'id' | 'code'>) => (problem: string) =>
  log.warn('a notification of a process was not sent', { instance_id: instance.id, code: instance.code, problem })
