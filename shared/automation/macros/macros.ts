import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type AdministrationDependencies, configuredObject } from '../../platform/configured-objects/service.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Tables } from '../../tables/tables/service.ts'
import { checkMacro, type MacroTables } from './check-macro.ts'
import { type Macro, mayRun } from './macro.ts'
import type { MacroAnswer, MacroInput } from './schema.ts'

export interface MacroDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** What administrators set of a macro. */
type MacroMembers = Omit<MacroAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

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
  check: (draft, { services, caller }) => checkMacro(tablesNow(services, caller.tenant), caller.tenant, draft),
  problemOf: async (services, tenant, one) =>
    Object.values(await checkMacro(tablesNow(services, tenant), tenant, one))
      .flat()
      .join(' ') || null,
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
    const may = await Promise.all(all.map((one) => mayRunNow(services, caller, one)))
    const answers = all.filter((_, index) => may[index]).map((one) => administered.describe(one, null))
    return pageOfWholeList('macros', answers.toReversed(), query, (one) => one)
  },

  async get(services: MacroDependencies, caller: Caller, id: number) {
    await findMacro(services, caller, id)
    return administered.get(services, caller, id)
  },
}

async function mayRunNow({ tables }: MacroDependencies, viewer: Viewer, macro: Macro): Promise<boolean> {
  if (viewer.isAdministrator) return true
  const table = await tables.find(viewer.tenant, macro.model)
  return table !== undefined && mayRun(viewer, table, macro)
}

/** A macro that the viewer may run. Throws NotFound. */
export async function findMacro(services: MacroDependencies, viewer: Viewer, id: number): Promise<Macro> {
  const macro = await administered.find(services, viewer.tenant, id)
  if (!(await mayRunNow(services, viewer, macro))) throw new NotFound('macro', { id })
  return macro
}
