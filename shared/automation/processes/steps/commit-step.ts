import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { tenantWorkId } from '../../../platform/store/keys/processes.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gzipJson } from '../../../platform/store/values/pack-json.ts'
import { atRevision, isNew } from '../../../platform/store/writes/conditions.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import {
  commandItem,
  type CommandRow,
  type CommandRows,
  type ProcessCommand,
  type StepRow,
  type TimerRow,
} from '../rows/command-rows.ts'
import { instanceRow, isUnchanged, type Instance } from '../rows/instance-row.ts'
import { type Report, reportsToCaller } from './calls/call-rows.ts'

/** The instance that a worker advances. */
export interface InstanceWork {
  readonly services: AdvanceDependencies
  readonly tenant: Tenant
  /** Its row as read. */
  readonly item: Item
  /** Its commands and timers, read after its row. */
  readonly open: CommandRows
  /** Identifies the worker in the lease. */
  readonly holder: string
  /** Takes the instances to which its steps have given a command, which may be advanced at once. */
  readonly reached: Set<number>
  /** When another invocation of the runner continues. */
  readonly endsAt: number
}

/** A transaction holds 100 writes. More rows follow in commands of kind `rows`. */
const maxWrites = 90
/** A transaction holds 4 MB. Beside these rows are those of the instance and eight commands. */
const maxBytesOfRows = 1024 * 1024

/** The write of a row, whether or not it depends on a task. */
export const writeOf = (row: StepRow): Write => ('row' in row ? row.row : row)

/**
 * Writes the instance after a step and removes the command or timer that the step carried out, in one transaction, which also
 * tells its caller what it has to know (docs/decisions/0096). Rows that do not fit follow as commands. Throws TransactionRefused when another worker has written or leased the instance.
 */
export async function commitStep(
  work: InstanceWork,
  before: Instance,
  after: Instance,
  done: CommandRow | TimerRow | undefined,
  rows: readonly StepRow[],
  report: Omit<Report, 'by'> = {},
): Promise<void> {
  const { services, tenant, holder } = work
  const { store, clock, objects } = services
  const writeId = clock.uuid()
  const { item, object } = instanceRow(tenant, withEscalations(after, report), writeId)
  if (object) await objects.putObject(object.key, object.body)
  const own: Write[] = [
    { put: item, if: isUnchanged(before.rev, holder, clock.now()) },
    ...(done ? [{ remove: done.key }] : []),
    ...reportsToCaller(clock, tenant, before, after, {
      ...report,
      hasSent: before.caller !== undefined && (report.hasSent === true || stillSends(work)),
      by: done !== undefined && 'command' in done ? done.by : { userId: 0 },
    }),
  ]
  const fitting = countFitting(rows)
  const [now, later] =
    fitting === rows.length && rows.length + own.length <= maxWrites
      ? [rows, []]
      : [
          rows.slice(0, Math.min(fitting, maxWrites - own.length)),
          rows.slice(Math.min(fitting, maxWrites - own.length)),
        ]
  const deferred: Write[] = (await deferredCommands(work, before, later.map(putOnlyNew))).map((command, index) => ({
    // A key of time 0 sorts before every other command.
    put: commandItem(
      tenant,
      before.id,
      command,
      { userId: 0 },
      { nowMs: index, uuid: clock.uuid(), dueMs: clock.now() },
    ),
  }))
  const writes = [...own, ...now.map(writeOf), ...deferred]
  await store.transact(tenant, writes, writeId)
  const reached = reachedBy(writes)
  if (reached.length <= maxReachedAtOnce) for (const id of reached) work.reached.add(id)
}

/** Whether commands are open that send what the instance has thrown, or write such commands. */
const stillSends = ({ open }: InstanceWork): boolean =>
  open.commands.some(({ isSuspended, command }) => !isSuspended && sends.has(command.kind))
const sends: ReadonlySet<ProcessCommand['kind']> = new Set(['send', 'broadcast', 'rows', 'stored_rows'])

/** The instance with how many escalations its caller was told of. */
const withEscalations = (after: Instance, { escalated = [] }: Omit<Report, 'by'>): Instance =>
  after.caller === undefined || escalated.length === 0
    ? after
    : { ...after, escalations: (after.escalations ?? 0) + escalated.length }

/** More are left to the change feed, which has several workers advance them. */
const maxReachedAtOnce = 5

/** The instances for whose commands the change feed wakes the runner. */
const reachedBy = (writes: readonly Write[]): number[] =>
  writes.flatMap((one) =>
    'put' in one && one.put.feed === 'process' && one.put.instance_id !== tenantWorkId
      ? [Number(one.put.instance_id)]
      : [],
  )

/**
 * Deferred rows may be written twice: the second write must not undo a change since the first, such as a completed
 * task.
 */
const putOnlyNew = (row: StepRow): StepRow => ('put' in row && row.if === undefined ? { ...row, if: isNew } : row)

/** How many of the first rows are written at once. */
function countFitting(rows: readonly StepRow[]): number {
  let bytes = 0
  const tooLarge = rows.findIndex((row) => (bytes += Buffer.byteLength(JSON.stringify(row))) > maxBytesOfRows)
  return tooLarge === -1 ? rows.length : tooLarge
}

const rowsPerCommand = 100
/** An item of the table holds 400 KB. */
const bytesPerCommand = 200 * 1024
/** More commands than this would not fit beside the other rows: then the rows are objects. */
const maxCommandsWithRows = 8
/** Writing so many rows takes a few seconds, so a worker that stops in between loses little. */
const rowsPerObject = 5_000

/** The commands that write these rows later. The rows of a thousand tasks with their candidates are stored as objects. */
async function deferredCommands(
  { services: { clock, objects }, tenant }: InstanceWork,
  { id, rev }: Instance,
  rows: readonly StepRow[],
): Promise<ProcessCommand[]> {
  const chunks = chunk(rows)
  if (chunks.length <= maxCommandsWithRows) return chunks.map((part) => ({ kind: 'rows', rows: part }))
  const commands: ProcessCommand[] = []
  for (let start = 0; start < rows.length; start += rowsPerObject) {
    const object = `processes/${tenant.id}/${id}/${rev}-rows-${clock.uuid()}.json.gz`
    await objects.putObject(object, gzipJson(rows.slice(start, start + rowsPerObject)))
    commands.push({ kind: 'stored_rows', object })
  }
  return commands
}

function chunk(rows: readonly StepRow[]): StepRow[][] {
  const chunks: StepRow[][] = []
  let bytesLeft = 0
  for (const row of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(row))
    const last = chunks.at(-1)
    if (last && last.length < rowsPerCommand && bytes <= bytesLeft) last.push(row)
    else chunks.push([row])
    bytesLeft = (chunks.at(-1) === last ? bytesLeft : bytesPerCommand) - bytes
  }
  return chunks
}

/**
 * Removes a command for which the instance, as it was read, has no use. The command may be younger than that: refused when
 * a step was stored since.
 */
export const removeUnneeded = (
  { services: { store, clock }, tenant, item }: InstanceWork,
  { key }: CommandRow,
): Promise<void> =>
  store.transact(tenant, [{ remove: key }, { check: keyOfItem(item), if: atRevision(Number(item.rev)) }], clock.uuid())

/** Removes a command or timer that needs no step. */
export const removeCommandRow = (
  store: Pick<Store, 'write'>,
  tenant: TenantRef,
  { key }: CommandRow | TimerRow,
): Promise<void> => store.write(tenant, { remove: key })
