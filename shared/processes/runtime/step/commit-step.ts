import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { isNew } from '../../../store/conditions.ts'
import type { Item } from '../../../store/marshal.ts'
import { hasHeld } from '../../../store/refusals.ts'
import type { Store, Write } from '../../../store/table.ts'
import type { AdvanceDependencies } from '../../dependencies.ts'
import { commandItem, type CommandRow, type CommandRows, type StepRow, type TimerRow } from '../../rows/command-rows.ts'
import { instanceRow, type Instance } from '../../rows/instance-row.ts'
import { isUntouched } from '../../rows/instance-row.ts'
import { isPending } from '../../rows/task-row.ts'

/** An instance that somebody works on. */
export interface Work {
  readonly deps: AdvanceDependencies
  readonly tenant: Tenant
  /** Its row as it was read. */
  readonly item: Item
  /** What it has to do, read after its row. */
  readonly open: CommandRows
  /** Who holds its lease, should one be taken. */
  readonly holder: string
}

/** A transaction holds a hundred; what is more follows in a command of its own. */
const maxWrites = 90

const writeOf = (row: StepRow): Write => ('row' in row ? row.row : row)

/** Writes the instance on condition that nobody else did, its row of open work gone with it. What a transaction does not hold follows as a command. */
export async function commitStep(
  { deps, tenant, holder }: Work,
  before: Instance,
  after: Instance,
  done: CommandRow | TimerRow | undefined,
  rows: readonly StepRow[],
): Promise<void> {
  const { store, clock, objects } = deps
  const writeId = clock.uuid()
  const { item, object } = instanceRow(tenant, after, writeId)
  if (object) await objects.putObject(object.key, object.body)
  const own: Write[] = [
    { put: item, if: isUntouched(before.rev, holder, clock.now()) },
    ...(done ? [{ remove: done.key }] : []),
  ]
  const [now, later] =
    rows.length + own.length <= maxWrites ? [rows, []] : [rows.slice(0, maxWrites - 3), rows.slice(maxWrites - 3)]
  const rest: Write[] = chunked(later.map(unlessWritten)).map((part, index) => ({
    // Before everything that anybody may ask of the instance.
    put: commandItem(
      tenant,
      before.id,
      { kind: 'rows', rows: part },
      { userId: 0 },
      { nowMs: index, uuid: clock.uuid(), dueMs: clock.now() },
    ),
  }))
  await store.transact(tenant, [...own, ...now.map(writeOf), ...rest], writeId)
}

/** Later rows may be written twice: one that was written before stays as it became since, such as a task that somebody completed. */
const unlessWritten = (row: StepRow): StepRow => ('put' in row && row.if === undefined ? { ...row, if: isNew } : row)

const rowsPerCommand = 100
/** A row of the table ends at 400 KB. */
const bytesPerCommand = 200 * 1024

function chunked(rows: readonly StepRow[]): StepRow[][] {
  const parts: StepRow[][] = []
  let left = 0
  for (const row of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(row))
    const part = parts.at(-1)
    if (part && part.length < rowsPerCommand && bytes <= left) part.push(row)
    else parts.push([row])
    left = (parts.at(-1) === part ? left : bytesPerCommand) - bytes
  }
  return parts
}

/** What a step had no room for: tasks before what goes with them. A row that meanwhile moved on stays as it is. */
export async function writeRows(
  { store, clock }: Pick<AdvanceDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  row: CommandRow,
  rows: readonly StepRow[],
): Promise<void> {
  await tenAtATime(
    rows.filter((one): one is Write => !('row' in one)),
    (one) => store.write(tenant, one),
  )
  const ofTasks = Map.groupBy(
    rows.filter((one) => 'row' in one),
    ({ whilePending: { pk, sk } }) => `${pk} ${sk}`,
  )
  // A transaction holds a hundred.
  const parts = [...ofTasks.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / 99) }, (_, at) => some.slice(at * 99, at * 99 + 99)),
  )
  await tenAtATime(parts, (some) =>
    store.transact(
      tenant,
      [{ check: (some[0] as (typeof some)[0]).whilePending, if: isPending }, ...some.map(writeOf)],
      clock.uuid(),
    ),
  )
  await removeRow(store, tenant, row)
}

async function tenAtATime<T>(all: readonly T[], write: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += 10) {
    await Promise.all(all.slice(start, start + 10).map((one) => hasHeld(write(one))))
  }
}

export const removeRow = (
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  { key }: CommandRow | TimerRow,
): Promise<void> => store.write(tenant, { remove: key })
