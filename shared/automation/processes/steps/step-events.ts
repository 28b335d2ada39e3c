import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { tenantWorkId } from '../../../platform/store/keys/processes.ts'
import { triggersOf } from '../../bpmn/engine/graph-of.ts'
import type { Thrown } from '../../bpmn/schema.ts'
import type { CompiledProcess } from '../../bpmn/shapes/compiled-process.ts'
import type { Trigger } from '../../bpmn/shapes/graph.ts'
import { commandItem, type EventCommand, type ProcessCommand, type StepRow } from '../rows/command-rows.ts'
import { correlationKeyOfWait, type EventWait, eventWaitItem, noteWait } from '../rows/event-rows.ts'
import { type Instance, noRecord } from '../rows/instance-row.ts'

/** The rows by which new waits are found, and what notes for senders of messages that they have begun. */
export function eventRows(
  tenant: TenantRef,
  instance: Instance,
  compiled: CompiledProcess,
  waits: readonly EventWait[],
  recordVersion: number,
  nowMs: number,
): StepRow[] {
  const heads = new Map(
    waits.flatMap((wait) => {
      if (wait.on !== 'message') return []
      const key = correlationKeyOfWait(instance, wait)
      const { name = '' } = wait
      return [[JSON.stringify([name, key]), noteWait(tenant, name, key, nowMs)] as const]
    }),
  )
  return [
    ...waits.map((wait): StepRow => ({
      put: eventWaitItem(tenant, instance, wait, {
        ...(wait.on === 'conditional' && {
          condition: conditionOf(triggersOf(compiled, wait.elementId)),
          seenVersion: recordVersion,
        }),
      }),
    })),
    ...heads.values(),
  ]
}

const conditionOf = (triggers: readonly Trigger[]): string =>
  triggers.find((trigger) => trigger.on === 'conditional')?.condition ?? 'false'

/** The commands that follow a step: messages that its waits may have missed, and what it has thrown. */
export function eventCommands(
  tenant: TenantRef,
  instance: Instance,
  { newEvents, thrown }: { readonly newEvents: readonly EventWait[]; readonly thrown: readonly Thrown[] },
  again: EventCommand | undefined,
  { by, hops, clock, rowId }: { by: PrincipalRef; hops: number; clock: Pick<Clock, 'now' | 'uuid'>; rowId: string },
): StepRow[] {
  const messages = newEvents.filter(({ on }) => on === 'message').map(({ executionId }) => executionId)
  const nowMs = clock.now()
  const commands: ProcessCommand[] = messages.length > 0 ? [{ kind: 'take', executionIds: messages }] : []
  const broadcasts: ProcessCommand[] = []
  for (const [index, { on, name, key, variables, elementId, executionId, reached }] of thrown.entries()) {
    const id = `${instance.id}:${executionId}:${index}`
    if (on === 'signal')
      // A called instance sends it itself, before it reports its end.
      (instance.caller ? commands : broadcasts).push({
        kind: 'broadcast',
        signal: {
          id,
          name,
          variables,
          isInternal: true,
          ...(reached && { reached: { instanceId: instance.id, elementIds: reached } }),
        },
        hops: hops + 1,
      })
    else
      commands.push({
        kind: 'send',
        message: { id, name, ...keyOfThrown(instance, key), variables, isInternal: true, elementId },
        hops: hops + 1,
      })
  }
  // Its receiver did not wait any more when it came.
  if (again?.message !== undefined && again.message.expiresAtMs > nowMs) {
    const { expiresAtMs, ...message } = again.message
    const ttlSeconds = Math.ceil((expiresAtMs - nowMs) / 1000)
    commands.push({
      kind: 'send',
      message: {
        ...message,
        id: `${instance.id}:${rowId}`,
        variables: again.variables,
        ...(again.isInternal && { isInternal: true }),
        ttlSeconds,
      },
      hops: again.hops,
    })
  }
  return [
    ...commands.map((command) => ({
      put: commandItem(tenant, instance.id, command, by, { nowMs, uuid: clock.uuid() }),
    })),
    ...broadcasts.map((command) => ({
      put: commandItem(tenant, tenantWorkId, command, by, { nowMs, uuid: clock.uuid(), wakesRunner: true }),
    })),
  ]
}

/** The key of a message that a process sends: by default the id of its record, if it has one. */
const keyOfThrown = ({ recordId }: Pick<Instance, 'recordId'>, key: string | undefined): { readonly key?: string } =>
  key === undefined && recordId === noRecord ? {} : { key: key ?? String(recordId) }
