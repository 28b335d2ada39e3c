import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { unrestricted } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean, listed } from '../../kernel/text/did-you-mean.ts'
import { requireSoundValues } from '../../records/records/write/check-fields.ts'
import type { Table } from '../../tables/tables/table.ts'
import { assigneeField, type Macro, moveOf, stateFields, valuesOf } from './macro.ts'

/** The tables that a macro may name. A configuration document adds those that it makes. */
export interface MacroTables {
  readonly find: (name: string) => Promise<Table | undefined>
  readonly names: () => Promise<readonly string[]>
}

export type CheckedMacro = Pick<Macro, 'model' | 'set' | 'transition' | 'comment' | 'assign'>

/** The errors of a macro against its table, by path. */
export async function checkMacro(tables: MacroTables, tenant: Tenant, macro: CheckedMacro): Promise<FieldErrors> {
  const table = await tables.find(macro.model)
  if (!table) return { model: [`There is no table ${macro.model}.${didYouMean(macro.model, await tables.names())}`] }
  const { set, transition, comment, assign } = macro
  if ([set, transition, comment, assign].every((one) => one === null))
    return { set: ['Say what the macro does: one of set, transition, comment and assign.'] }
  const states = stateFields(table)
  if (transition !== null && !moveOf(table, transition))
    return {
      transition: [
        states.length === 0
          ? `The table ${table.name} has no field of states.`
          : `The table ${table.name} has several fields of states: write one of ${listed(states.map((name) => `${name}.<state>`))}.`,
      ],
    }
  if (assign !== null && assigneeField(table) === undefined)
    return { assign: [`The table ${table.name} does not say which field of a user is meant: name it in set.`] }
  const parts = [
    ['set', { ...macro, transition: null, assign: null }],
    ['transition', { ...macro, set: null, assign: null }],
    ['assign', { ...macro, set: null, transition: null }],
  ] as const
  return Object.assign({}, ...parts.map(([path, part]) => errorsOf(table, tenant, path, part))) as FieldErrors
}

function errorsOf(
  table: Table,
  tenant: Tenant,
  path: 'set' | 'transition' | 'assign',
  part: CheckedMacro,
): FieldErrors {
  try {
    // Whoever runs it is a user: any id will do.
    requireSoundValues(table, valuesOf(table, part, 1), { ...unrestricted, tenant, userId: 1 })
    return {}
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return Object.fromEntries(
      Object.entries(error.problems).map(([name, messages]) => [path === 'set' ? `set.${name}` : path, messages]),
    )
  }
}
