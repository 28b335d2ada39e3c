import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import type { CommandRow, ProcessCommand } from '../rows/command-rows.ts'
import { hasEnded, type Instance, readInstance } from '../rows/instance-row.ts'
import { type ConflictCode, operationItem, type Refusal } from '../rows/operation-row.ts'
import { commitStep, type InstanceWork } from '../steps/commit-step.ts'
import { changeVariables } from './change-variables.ts'
import type { InstanceChange } from './instance-change.ts'
import { endedAlready } from './instance-conflicts.ts'
import { migrateInstance } from './migrate-instance.ts'
import { modifyInstance } from './modify-instance.ts'
import { resumeInstance, suspendInstance } from './suspend-instance.ts'

type OperateCommand = Extract<ProcessCommand, { kind: 'operate' }>

/**
 * Carries out an operation in one transaction with the row that says who did it. What cannot be done leaves the instance
 * as it is, and a row with the reason, for the request that waits for it. What the instance does next is a step of its own.
 */
export async function carryOutOperation(work: InstanceWork, row: CommandRow, command: OperateCommand): Promise<void> {
  const { services, tenant, item } = work
  const { store, clock, objects } = services
  const { id, operation } = command
  const before = await readInstance(item, objects.fetchObject)
  const outcome = { id, action: operation.action, by: row.by }
  try {
    if (hasEnded(before)) throw endedAlready(before)
    // Before what follows from it, as timelines show it.
    const now = clock.now()
    const { after, rows, details } = await changeOf(work, row, before, command)
    await commitStep(work, before, { ...after, rev: before.rev + 1 }, row, [
      // First: rows at the end may follow later, and the request reads it.
      { put: operationItem(tenant, before, { ...outcome, details }, now) },
      ...rows,
    ])
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    await store.transact(
      tenant,
      [{ remove: row.key }, { put: operationItem(tenant, before, { ...outcome, details: {}, refusal }, clock.now()) }],
      clock.uuid(),
    )
  }
}

function changeOf(
  work: InstanceWork,
  row: CommandRow,
  before: Instance,
  { operation }: OperateCommand,
): Promise<InstanceChange> | InstanceChange {
  switch (operation.action) {
    case 'set_variables':
      return changeVariables(work, row, before, operation)
    case 'modify':
      return modifyInstance(work, row, before, operation)
    case 'migrate':
      return migrateInstance(work, row, before, operation)
    case 'suspend':
      return suspendInstance(work, before)
    case 'resume':
      return resumeInstance(work, row, before)
  }
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Invalid) return { errors: error.errors }
  return error instanceof Conflict && conflictCodes.has(error.code)
    ? { code: error.code as ConflictCode, message: error.message }
    : undefined
}

const conflictCodes: ReadonlySet<string> = new Set<ConflictCode>([
  'instance_ended',
  'instance_not_started',
  'instance_not_suspended',
  'instance_suspended',
])
