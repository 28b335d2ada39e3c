import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { noteReference } from '../../../platform/store/rows/reference-guard-row.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'

/** A version of a record that is about to be written, and what the one before had. */
export interface NewVersion extends Pick<StoredRecord, 'id' | 'version' | 'data'> {
  readonly before?: RecordData
}

/**
 * Notes the references of new versions that restrict the delete of what they refer to. Answers for each version an error for
 * those whose record was deleted since they were checked. Nothing is done for a table without such fields.
 */
export async function noteRestricting(
  { store, clock }: Pick<RecordDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  { name: model, restrictingFields }: Pick<Table, 'name' | 'restrictingFields'>,
  written: readonly NewVersion[],
): Promise<readonly FieldErrors[]> {
  const errors: FieldErrors[] = written.map(() => ({}))
  const references = [...(restrictingFields ?? [])].flatMap(([name, target]) =>
    written.flatMap(({ data, before }, index) => {
      const id = data[name]
      return typeof id === 'number' && id !== before?.[name] ? [{ index, name, target, id }] : []
    }),
  )
  const ofTarget = Map.groupBy(references, ({ target, id }) => `${target}#${id}`)
  await Promise.all(
    [...ofTarget.values()].map(async (some) => {
      const [{ target, id, index: first }] = some as [(typeof some)[number]]
      const { id: by, version } = written[first] as NewVersion
      const isOne = some.every(({ index }) => index === first)
      const noted = { nowMs: clock.now(), writeId: clock.uuid() }
      const note = noteReference(tenant, target, id, noted, isOne ? { model, id: by, version } : undefined)
      if (await wasApplied(store.write(tenant, note))) return
      for (const { index, name } of some)
        (errors[index] as FieldErrors)[name] = [say('not_selectable', { field: name })]
    }),
  )
  return errors
}

/** The same for one version. Throws Invalid naming the fields. */
export async function requireUndeleted(
  services: Pick<RecordDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  table: Pick<Table, 'name' | 'restrictingFields'>,
  version: NewVersion,
): Promise<void> {
  if (!table.restrictingFields) return
  const [errors = {}] = await noteRestricting(services, tenant, table, [version])
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
