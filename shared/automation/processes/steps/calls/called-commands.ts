import type { Tenant } from '../../../../kernel/tenancy.ts'
import { instanceKey } from '../../../../platform/store/keys/processes.ts'
import { exists } from '../../../../platform/store/writes/conditions.ts'
import { catchesError } from '../../../bpmn/process.ts'
import type { Command } from '../../../bpmn/schema.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import type { CalledCommand, CommandRow, ProcessCommand } from '../../rows/command-rows.ts'
import { hasIncident, type Instance, type OpenWait, readInstance, readInstanceHead } from '../../rows/instance-row.ts'
import { commitStep, type InstanceWork, removeUnneeded } from '../commit-step.ts'
import { commandTo } from './call-rows.ts'

type FromCalled = Extract<ProcessCommand, { kind: 'called' | 'called_incident' | 'called_escalation' }>

/** The wait for a called instance; undefined: it is not waited for any more. */
export const waitForCalled = (
  { waits }: Pick<Instance, 'waits'>,
  { executionId, instanceId }: Pick<FromCalled, 'executionId' | 'instanceId'>,
): Extract<OpenWait, { kind: 'call' }> | undefined => {
  const wait = waits.find((one) => one.executionId === executionId)
  return wait?.kind === 'call' && wait.instanceId === instanceId ? wait : undefined
}

/** Tells the caller of an instance that has ended, after its messages and signals; a repeat tells it once. */
export async function reportEnd(
  { services: { store, clock }, tenant, reached }: InstanceWork,
  { key, by }: CommandRow,
  { callerId, report }: Extract<ProcessCommand, { kind: 'report_end' }>,
): Promise<void> {
  const told = commandTo(clock, tenant, callerId, report, by)
  await store.transact(tenant, [{ remove: key, if: exists }, ...told], clock.uuid())
  reached.add(callerId)
}

/**
 * Whether a command may be carried out now. What a called instance says arrives in its order, and its end last: commands are
 * sorted by the clocks of those who wrote them, which differ.
 */
export function isInTurn(head: Pick<Instance, 'waits'>, command: ProcessCommand): boolean {
  if (command.kind !== 'called_escalation' && command.kind !== 'called') return true
  const wait = waitForCalled(head, command)
  if (wait === undefined) return true
  const earlier = command.kind === 'called' ? (command.escalations ?? 0) : (command.n ?? 1) - 1
  return earlier <= (wait.escalations ?? 0)
}

/** The command for the engine of the caller when a called instance has ended, whose row does not change any more. */
export async function commandOfEnd(
  { store, objects }: AdvanceDependencies,
  tenant: Tenant,
  { executionId, instanceId, end, error }: CalledCommand,
): Promise<Command> {
  if (error !== undefined) return { kind: 'error', executionId, ...error }
  const item = await store.get(tenant, instanceKey(tenant, instanceId))
  if (item === undefined)
    return {
      kind: 'fail',
      executionId,
      message: `The called process (instance ${instanceId}) does not exist any more.`,
    }
  if (end === 'completed')
    return { kind: 'called', executionId, variables: (await readInstance(item, objects.fetchObject)).variables }
  const { code } = readInstanceHead(item)
  return { kind: 'fail', executionId, message: `The called process ${code} (instance ${instanceId}) was cancelled.` }
}

/** Notes whether a called instance has an incident, so that its caller shows it. */
export async function noteIncidentOfCalled(
  work: InstanceWork,
  row: CommandRow,
  command: Extract<ProcessCommand, { kind: 'called_incident' }>,
): Promise<void> {
  const { services, item } = work
  const { rev } = command
  const wait = waitForCalled(readInstanceHead(item), command)
  // A report may overtake another one.
  if (wait === undefined || (wait.incidentRev ?? 0) >= rev) return removeUnneeded(work, row)
  const before = await readInstance(item, services.objects.fetchObject)
  const { hasIncident: _, ...plain } = wait
  const noted: OpenWait = { ...plain, incidentRev: rev, ...(command.hasIncident && { hasIncident: true }) }
  const waits = before.waits.map((one) => (one.executionId === wait.executionId ? noted : one))
  const after: Instance = {
    ...before,
    rev: before.rev + 1,
    waits,
    status: hasIncident({ ...before, waits }) ? 'incident' : 'running',
  }
  await commitStep(work, before, after, row, [])
}

/** Whether one of the callers of an instance catches an error that ends it. */
export async function isCaughtByCaller(
  { store, objects, openProcess }: AdvanceDependencies,
  tenant: Tenant,
  { caller: first }: Pick<Instance, 'caller'>,
  code: string,
): Promise<boolean> {
  for (let caller = first; caller !== undefined;) {
    const item = await store.get(tenant, instanceKey(tenant, caller.instanceId))
    if (item === undefined) return false
    const { executionId } = caller
    const above = await readInstance(item, objects.fetchObject)
    // When it is not waited for any more, it is about to be cancelled.
    if (!above.waits.some((wait) => wait.kind === 'call' && wait.executionId === executionId)) return true
    const compiled = await openProcess(tenant, above.templateId, above.templateVersion)
    if (catchesError(compiled, above.state, executionId, code)) return true
    caller = above.caller
  }
  return false
}
