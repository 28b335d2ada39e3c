import type { Tenant } from '../../../../kernel/tenancy.ts'
import { instanceKey } from '../../../../platform/store/keys/processes.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import type { Command } from '../../engine/schema.ts'
import type { CommandRow } from '../../rows/command-rows.ts'
import { type Instance, openStatusOf, readInstance, readInstanceHead } from '../../rows/instance-row.ts'
import {
  type EndOfCalled,
  type ReportCommand,
  type Said,
  waitForCalled,
  waitsAfterReport,
} from '../../rows/report-rows.ts'
import { commitStep, type InstanceWork, removeUnneeded } from '../step/commit-step.ts'
import { stepInstance } from '../step/step-instance.ts'

/** Carries out what a called instance says, in one step. A caller that does not wait for it any more drops it. */
export async function hearCalled(work: InstanceWork, row: CommandRow, report: ReportCommand): Promise<void> {
  const { services, tenant, item } = work
  const wait = waitForCalled(readInstanceHead(item), report)
  if (wait === undefined || (report.seq !== undefined && report.seq <= (wait.heard ?? 0)))
    return removeUnneeded(work, row)
  const commands = await Promise.all(report.said.map((one) => commandOf(services, tenant, report, one)))
  const given = commands.filter((command) => command !== undefined)
  if (given.length > 0) return stepInstance(work, row, given)
  const before = await readInstance(item, services.objects.fetchObject)
  const waits = waitsAfterReport(before.waits, report)
  const after: Instance = { ...before, rev: before.rev + 1, waits, status: openStatusOf({ ...before, waits }) }
  await commitStep(work, before, after, row, [])
}

/** What the engine of the caller is told; undefined: nothing. */
async function commandOf(
  services: AdvanceDependencies,
  tenant: Tenant,
  { executionId, instanceId }: ReportCommand,
  said: Said,
): Promise<Command | undefined> {
  if (said.what === 'incident') return undefined
  if (said.what === 'escalated')
    return { kind: 'escalation', executionId, ...(said.code !== undefined && { code: said.code }) }
  return commandOfEnd(services, tenant, executionId, instanceId, said)
}

/** The command for the engine when a called instance has ended, whose row does not change any more. */
async function commandOfEnd(
  { store, objects }: AdvanceDependencies,
  tenant: Tenant,
  executionId: string,
  instanceId: number,
  { end, error }: EndOfCalled,
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
