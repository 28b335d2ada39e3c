import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import type { Table } from '../../tables/tables/table.ts'
import { checkMacro, type MacroTables } from './check-macro.ts'
import { type Macro, macroAsSeen, mayRun } from './macro.ts'
import type { MacroAnswer, MacroInput } from './schema.ts'

export interface MacroDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** What administrators set of a macro. */
type MacroMembers = Omit<MacroAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem' | 'is_hidden'>

const administered = configuredObject<Macro, MacroMembers, MacroAnswer, MacroInput, MacroDependencies>({
  kind: 'MACRO',
  sequence: 'sys_macros',
  called: { one: 'macro', list: 'macros' },
  members: {
    name: {},
    model: {},
    set: { unset: null },
    transition: { unset: null },
    comment: { unset: null },
    assign: { unset: null },
    next: { unset: false },
  },
  misses: (services, { tenant }, draft) => checkMacro(tablesNow(services, tenant), tenant, draft),
})

export const tablesNow = ({ tables }: Pick<MacroDependencies, 'tables'>, tenant: Tenant): MacroTables => ({
  find: (name) => tables.find(tenant, name),
  names: async () => (await tables.all(tenant)).map(({ name }) => name),
})

/** The macros of a tenant: administrators make them, and everybody sees those that they may run. */
export const macros = {
  ...administered,

  async list(services: MacroDependencies, caller: Caller, query: ListQuery) {
    if (caller.isAdministrator) return administered.list(services, caller, query)
    const all = await administered.all(services, caller.tenant)
    const seen = await Promise.all(
      all.map(async (one) => {
        const table = await tableToRun(services, caller, one)
        return table ? [macroAsSeen(caller, table, administered.describe(one, null))] : []
      }),
    )
    return pageOfWholeList('macros', seen.flat().toReversed(), query, (one) => one)
  },

  async get(services: MacroDependencies, caller: Caller, id: number) {
    const answer = await administered.get(services, caller, id)
    if (caller.isAdministrator) return answer
    const table = await tableToRun(services, caller, await findMacro(services, caller, id))
    return table ? macroAsSeen(caller, table, answer) : answer
  },
}

/** The table of a macro that the viewer may run; undefined for others. Row rules and states decide at the record. */
async function tableToRun({ tables }: MacroDependencies, viewer: Viewer, macro: Macro): Promise<Table | undefined> {
  const table = await tables.find(viewer.tenant, macro.model)
  return table && mayRun(viewer, table, macro) ? table : undefined
}

/** A macro that the viewer may run. Throws NotFound. */
export async function findMacro(services: MacroDependencies, viewer: Viewer, id: number): Promise<Macro> {
  const macro = await administered.find(services, viewer.tenant, id)
  if (!viewer.isAdministrator && !(await tableToRun(services, viewer, macro))) throw new NotFound('macro', { id })
  return macro
}
