import { instanceKey } from '../store/keys-of-processes.ts'
import type { Item } from '../store/marshal.ts'
import { ConditionFailed } from '../store/refusals.ts'
import type { Condition, Store, Write } from '../store/table.ts'
import type { Tenant, TenantRef } from '../tenancy.ts'
import type { AdvanceDependencies } from './deps.ts'
import { instanceRow, type Instance } from './instance-row.ts'
import { commandItem, type CommandRow, type TimerRow } from './open-work.ts'

/** An instance that somebody works on. */
export interface Work {
  readonly deps: AdvanceDependencies
  readonly tenant: Tenant
  /** Its row as it was read. */
  readonly item: Item
  /** Who holds its lease, should one be taken. */
  readonly holder: string
}

/** A transaction holds a hundred; what is more follows in a command of its own. */
const maxWrites = 90

/** Writes the instance on condition that nobody else did, its row of open work gone with it. What a transaction does not hold follows as a command. */
export async function commitStep({ deps, tenant, holder }: Work, before: Instance, after: Instance, done: CommandRow | TimerRow | undefined, writes: readonly Write[]): Promise<void> {
  const { store, clock, objects } = deps
  const writeId = clock.uuid()
  const { item, object } = instanceRow(tenant, after, writeId)
  if (object) await objects.putObject(object.key, object.body)
  const own: Write[] = [{ put: item, if: standsAtRev(before.rev, holder, clock.now()) }, ...(done ? [{ remove: done.key }] : [])]
  const [now, later] = writes.length + own.length <= maxWrites ? [writes, []] : [writes.slice(0, maxWrites - 3), writes.slice(maxWrites - 3)]
  const rest: Write[] = chunked(later).map((part, index) => ({
    // Before everything that anybody may ask of the instance.
    put: commandItem(tenant, before.id, { kind: 'rows', writes: part }, { userId: 0 }, { nowMs: index, uuid: clock.uuid(), dueMs: clock.now() }),
  }))
  await store.transact(tenant, [...own, ...now, ...rest], writeId)
}

const rowsPerCommand = 100
function chunked(writes: readonly Write[]): Write[][] {
  const parts: Write[][] = []
  for (let start = 0; start < writes.length; start += rowsPerCommand) parts.push(writes.slice(start, start + rowsPerCommand))
  return parts
}

const standsAtRev = (rev: number, holder: string, nowMs: number): Condition => ({
  expression: 'rev = :rev AND (attribute_not_exists(lease_until) OR lease_holder = :holder OR lease_until < :now)',
  values: { ':rev': rev, ':holder': holder, ':now': nowMs },
})

/** Throws ConditionFailed when somebody else has it, or was faster. */
export async function takeLease({ deps, tenant, holder }: Work, { id, rev }: Pick<Instance, 'id' | 'rev'>): Promise<void> {
  const nowMs = deps.clock.now()
  await deps.store.update(tenant, {
    update: instanceKey(tenant, id),
    change: { expression: 'SET lease_holder = :holder, lease_until = :until', values: { ':until': nowMs + deps.leaseMs } },
    if: standsAtRev(rev, holder, nowMs),
  })
}

export async function releaseLease(store: Store, tenant: TenantRef, id: number, holder: string): Promise<void> {
  try {
    await store.update(tenant, {
      update: instanceKey(tenant, id),
      change: { expression: 'REMOVE lease_holder, lease_until' },
      if: { expression: 'lease_holder = :holder', values: { ':holder': holder } },
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

/** What a step had no room for. A row that meanwhile moved on stays as it is. */
export async function writeRows(store: Pick<Store, 'write'>, tenant: TenantRef, row: CommandRow, writes: readonly Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += 10) {
    await Promise.all(
      writes.slice(start, start + 10).map(async (one) => {
        try {
          await store.write(tenant, one)
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error
        }
      }),
    )
  }
  await removeRow(store, tenant, row)
}

export const removeRow = (store: Pick<Store, 'write'>, tenant: TenantRef, { key }: CommandRow | TimerRow): Promise<void> => store.write(tenant, { remove: key })
