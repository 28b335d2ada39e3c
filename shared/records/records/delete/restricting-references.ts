import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey, referenceGuardKey } from '../../../platform/store/keys/records.ts'
import { readLivingRecord } from '../../../platform/store/rows/record-row.ts'
import {
  type NotedReference,
  readNotedReference,
  type ReferringVersion,
  refuseReferences,
} from '../../../platform/store/rows/reference-guard-row.ts'
import { readLatest } from '../../../platform/store/rows/tombstone-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Referrer } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { recordAndTombstoneKeys } from '../../history/state-at.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { isSame, type ReferenceSources, referrersWith, type ReferringRecords } from './clear-references.ts'

/** Records that the first look for a restricting reference asks for, and reads. */
const firstLook = 10
/** So long after a reference was noted, it is written and the index tells of it. */
const settledMs = 3_000
/** A delete that waits for that looks so often whether the reference has come, and for so long. */
const lookAgainMs = 500
const maxWaitMs = 10_000

/** Whether an error may name a record of this table that refers through this field. */
type MayName = (table: string, field: string) => boolean

/**
 * Makes sure that no field with `on_delete: restrict` refers to a record. Answers the writes that go with its delete, which
 * fail when such a reference was noted since (`wasReferredTo`); none where no field could refer to it. A reference that was
 * noted a moment ago is waited for. Throws Invalid naming the fields that refer to the record, and Conflict.
 */
export async function requireUnrestricted(
  records: ReferenceSources & Pick<RecordDependencies, 'clock'>,
  tenant: Tenant,
  table: Pick<Table, 'name'>,
  id: number,
  mayName?: MayName,
): Promise<readonly Write[]> {
  const { store, clock } = records
  const referrers = await referrersWith(records, tenant, table, 'restrict')
  if (referrers.length === 0) return []
  for (const startedAt = clock.now(); ; await clock.sleep(lookAgainMs)) {
    const lookedAt = clock.now()
    const [guard, ...referring] = await Promise.all([
      store.get(tenant, referenceGuardKey(tenant, table.name, id)),
      ...referrers.map(async (referrer) => ({
        ...referrer,
        ids: await firstReferring(records, tenant, table, id, referrer),
      })),
    ])
    refuseRestricted(referring, mayName)
    const noted = readNotedReference(guard)
    if (!noted || (await isSettled(noted, lookedAt)))
      return [refuseReferences(tenant, table.name, id, { nowMs: clock.now(), writeId: clock.uuid() }, guard)]
    if (lookedAt - startedAt > maxWaitMs)
      throw new Conflict(
        'record_busy',
        `Records that refer to ${table.name} ${id} are just being written. Try again in a few seconds.`,
      )
  }

  /** Whether the index tells of all references that were noted, or their records themselves do. */
  async function isSettled({ atMs, earlierAtMs = 0, by }: NotedReference, lookedAt: number): Promise<boolean> {
    if (lookedAt >= atMs + settledMs) return true
    return by !== undefined && lookedAt >= earlierAtMs + settledMs && isWritten(by)
  }

  /** Whether a version was written, or something else instead. Throws Invalid when it does refer to the record. */
  async function isWritten({ model, id: by, version }: ReferringVersion): Promise<boolean> {
    const [item, tombstone] = await store.getMany(tenant, recordAndTombstoneKeys(tenant, model, by))
    const own = referrers.filter(({ table: { name } }) => name === model)
    const refers = ({ table: other, field }: Referrer): boolean =>
      !isSame(other, by, table, id) && readLivingRecord(item, other)?.data[field.name] === id
    refuseRestricted(
      own.filter(refers).map((referrer) => ({ ...referrer, ids: [by] })),
      mayName,
    )
    return (readLatest(item, tombstone)?.version ?? 0) >= version
  }
}

/** The column index names the records, and each is read, because it may refer to something else by now. */
async function firstReferring(
  sources: ReferenceSources,
  tenant: Tenant,
  target: Pick<Table, 'name'>,
  id: number,
  { table, field }: Referrer,
): Promise<readonly number[]> {
  for (let limit = firstLook; ; limit *= 4) {
    const ids = await sources.referencesTo(tenant, table, field.name, id, limit)
    const others = ids.filter((one) => !isSame(table, one, target, id))
    const items = await sources.store.getMany(
      tenant,
      others.map((one) => recordKey(tenant, table.name, one)),
    )
    const found = others.find((_, index) => readLivingRecord(items[index], table)?.data[field.name] === id)
    if (found !== undefined) return [found]
    if (ids.length < limit) return []
  }
}

function refuseRestricted(referring: readonly ReferringRecords[], mayName: MayName = () => true): void {
  const errors = Object.fromEntries(
    referring
      .filter(({ ids }) => ids.length > 0)
      .map(({ table, field, ids }) => [
        `${table.name}.${field.name}`,
        [
          mayName(table.name, field.name)
            ? say('used_by', { model: table.name, id: ids[0] as number })
            : say('used_in', { model: table.name }),
        ],
      ]),
  )
  if (Object.keys(errors).length > 0)
    throw new Invalid(errors, { code: 'in_use', message: 'The record is still in use.' })
}
