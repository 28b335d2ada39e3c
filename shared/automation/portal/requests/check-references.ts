import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { RecordData } from '../../../platform/store/rows/record-row.ts'
import { missingReferences } from '../../../records/records/write/check-references.ts'
import { referencedTable, typeOfField } from '../../../tables/field-types/read-field.ts'
import { requireOwnFile } from '../../../tables/files/own-file.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { PortalDependencies } from '../dependencies.ts'

/** Throws Invalid for files that somebody else uploaded: only what is one's own may be sent. `at`: the path of its error. */
export async function requireOwnFiles(
  { files }: PortalDependencies,
  caller: Caller,
  given: readonly { readonly at: string; readonly path: string }[],
): Promise<void> {
  const errors: FieldErrors = byName()
  for (const { at, path } of given) {
    try {
      await requireOwnFile(files, caller, path)
    } catch (error) {
      if (error instanceof NotFound) errors[at] = [say('not_your_file', {})]
      else if (error instanceof Invalid) errors[at] = Object.values(error.problems).flat()
      else throw error
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/**
 * Throws Invalid for references that a form does not offer to the caller: to records that they may not read, and to people
 * whom nobody picks. They are refused as ids that do not exist, before anything else is looked at, so that an answer does not
 * tell which of both it is. What the item presets (`defaults`) stands in the form and may be sent back.
 */
export async function requireShownReferences(
  { records }: Pick<PortalDependencies, 'records'>,
  caller: Caller,
  table: Table,
  data: RecordData,
  defaults: RecordData,
): Promise<void> {
  const { tenant } = caller
  const chosen = Object.entries(data).flatMap(([name, value]) => {
    const field = table.fieldsByName.get(name)
    if (!field || typeof value !== 'number' || value === defaults[name]) return []
    const { refersToPeople } = typeOfField(field)
    const target = referencedTable(field)
    return refersToPeople || target !== undefined ? [{ name, id: value, refersToPeople, target }] : []
  })
  if (chosen.length === 0) return
  const asked = chosen.flatMap(({ refersToPeople, id }) => (refersToPeople ? [id] : []))
  const [[missing = {}], people] = await Promise.all([
    missingReferences(records, tenant, table, [{ data, fields: chosen.map(({ name }) => name), viewer: caller }]),
    asked.length === 0 ? [] : findPeople(records.store, tenant, { ids: asked }, { searchesEmail: false }),
  ])
  const shown = new Set([caller.userId, ...people.map(({ id }) => id)])
  for (const { name, id, refersToPeople, target } of chosen)
    if (refersToPeople ? !shown.has(id) : !mayOnTable(caller, target ?? '', 'read'))
      missing[name] = [say('not_selectable', { field: name })]
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
}
