import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'

/** The source of what an import of legacy data wrote. */
export const legacySource = 'legacy_import'

/**
 * Whether the people who watch a record are notified of a change: of one of its states, or of a user in its fields. Imports
 * tell nobody: they write thousands of records at once.
 */
export const tellsWatchers = (
  { source }: Pick<Actor, 'source'>,
  { fieldsByName }: Pick<Table, 'fieldsByName'>,
  changed: readonly string[],
): boolean =>
  source !== 'import' &&
  source !== legacySource &&
  changed.some((name) => {
    const field = fieldsByName.get(name)
    return field && typeOfField(field).isWatched
  })
