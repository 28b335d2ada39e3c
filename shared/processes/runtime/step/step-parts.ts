import { log } from '../../../kernel/log.ts'
import type { Actor } from '../../../records/service.ts'
import type { NotificationPort } from '../../../scripts/service.ts'
import type { ProcessDependencies } from '../../dependencies.ts'
import type { Instance } from '../../rows/instance-row.ts'
import type { Evaluate } from './step-expressions.ts'
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
export const logUnsent = (instance: Pick<Instance, 'id' | 'code'>) => (problem: string) =>
  log.warn('a notification of a process was not sent', { instance_id: instance.id, code: instance.code, problem })
