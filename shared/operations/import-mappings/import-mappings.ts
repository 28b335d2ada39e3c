import type { VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { Forbidden, Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { maxImportMappings } from '../../kernel/limits/imports.ts'
import type { Rights } from '../../kernel/permissions.ts'
import { type Caller, type Principal, unrestricted } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import { mayShare } from '../../records/views/view.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { checkImportMapping, type MappedTables } from './check-mapping.ts'
import { type ImportMapping, mayImport, maySeeMapping } from './import-mapping.ts'
import type { ImportMappingAnswer, ImportMappingChange, ImportMappingInput } from './schema.ts'

export interface ImportMappingDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
}

/** What people set of a mapping, and who made it. */
type Members = Omit<ImportMappingAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

/** Mappings as a part of the tenant's configuration, whoever changes them. */
export const storedMappings = configuredObject<
  ImportMapping,
  Members,
  ImportMappingAnswer,
  ImportMappingInput,
  ImportMappingDependencies
>({
  kind: 'IMPORT_MAPPING',
  sequence: 'sys_import_mappings',
  called: { one: 'import mapping', list: 'import mappings' },
  members: {
    name: {},
    model: {},
    mapping: {},
    format: { unset: null },
    sheet: { unset: null },
    mode: { unset: null },
    key: { unset: null },
    is_legacy: { stored: 'legacy', unset: false },
    owner: { unset: 0 },
  },
  normalize: (draft, { caller, before }) => ({ ...draft, owner: before?.owner ?? caller.userId }),
  async check(_, { services, caller, before }) {
    if (!before) await requireRoom(services, caller)
    return {}
  },
  misses: (services, by, draft) => checkImportMapping(tablesNow(services, by.tenant), rightsOf(by), draft),
})

/** Who saves a mapping, with the rights that it is checked by; an author of configuration is an administrator. */
const rightsOf = (by: object): Rights => ({ ...unrestricted, ...by })

const tablesNow = ({ tables }: Pick<ImportMappingDependencies, 'tables'>, tenant: Tenant): MappedTables => ({
  find: (name) => tables.find(tenant, name),
  names: async () => (await tables.all(tenant)).map(({ name }) => name),
})

async function requireRoom(services: ImportMappingDependencies, { tenant }: Principal): Promise<void> {
  const { length } = await storedMappings.allFresh(services, tenant)
  if (length >= maxImportMappings)
    throw new Invalid({ name: [`There are ${length} import mappings, and there may be no more. Remove some first.`] })
}

/** Whether a caller may use a mapping. One of a table that is gone is there for administrators, to remove it. */
async function mayUse(
  { tables }: Pick<ImportMappingDependencies, 'tables'>,
  caller: Caller,
  one: ImportMapping,
): Promise<boolean> {
  if (caller.isAdministrator) return true
  if (!mayImport(caller, one.model)) return false
  const table = await tables.find(caller.tenant, one.model)
  return table !== undefined && maySeeMapping(caller, table, one)
}

async function usable(
  services: Pick<ImportMappingDependencies, 'tables' | 'config'>,
  caller: Caller,
): Promise<readonly ImportMapping[]> {
  const all = await storedMappings.all(services, caller.tenant)
  const may = await Promise.all(all.map((one) => mayUse(services, caller, one)))
  return all.filter((_, index) => may[index])
}

function requireImporting(caller: Caller, model: string): void {
  if (!mayImport(caller, model)) throw permissionMissing(model, 'create')
}

async function requireChanging(services: ImportMappingDependencies, caller: Caller, id: number): Promise<void> {
  const before = await storedMappings.require(services, caller.tenant, id)
  if (!(await mayUse(services, caller, before))) throw new NotFound('import_mapping', { id })
  if (before.owner !== caller.userId && !mayShare(caller))
    throw new Forbidden(
      'forbidden',
      'Only its owner, and holders of the permission views.share, change an import mapping. Save one of your own instead.',
    )
}

/** The mappings that a caller may use: those of tables that they import into. */
export const importMappings = {
  ...storedMappings,

  async list(services: ImportMappingDependencies, caller: Caller, query: ListQuery) {
    const newestFirst = (await usable(services, caller)).toReversed()
    const page = pageOfWholeList('import mappings', newestFirst, query, (one) => storedMappings.describe(one, null))
    return { ...page, items: await Promise.all(page.items.map(({ id }) => storedMappings.get(services, caller, id))) }
  },

  async get(services: ImportMappingDependencies, caller: Caller, id: number) {
    if (!(await mayUse(services, caller, await storedMappings.find(services, caller.tenant, id))))
      throw new NotFound('import_mapping', { id })
    return storedMappings.get(services, caller, id)
  },

  async create(services: ImportMappingDependencies, caller: Caller, input: ImportMappingInput) {
    requireImporting(caller, input.model)
    return storedMappings.create(services, caller, input)
  },

  async change(
    services: ImportMappingDependencies,
    caller: Caller,
    id: number,
    { owner: _owner, ...input }: ImportMappingChange,
    ifMatch?: VersionMatch,
  ) {
    await requireChanging(services, caller, id)
    if (input.model !== undefined) requireImporting(caller, input.model)
    return storedMappings.change(services, caller, id, input, ifMatch)
  },

  async remove(services: ImportMappingDependencies, caller: Caller, id: number, ifMatch?: VersionMatch) {
    await requireChanging(services, caller, id)
    return storedMappings.remove(services, caller, id, ifMatch)
  },
}

/** The mapping of a table that a request names, by its name or its id. Throws Invalid naming the nearest. */
export async function findSavedMapping(
  services: Pick<ImportMappingDependencies, 'tables' | 'config'>,
  caller: Caller,
  model: string,
  named: string | number,
): Promise<ImportMapping> {
  const all = await usable(services, caller)
  const text = String(named).trim()
  const found = all.find(({ name }) => name === text) ?? all.find(({ id }) => String(id) === text)
  if (found?.model === model) return found
  const names = all.filter((one) => one.model === model).map(({ name }) => name)
  throw new Invalid({
    saved_mapping: [
      found
        ? `The import mapping ${found.name} is one of ${found.model}, not of ${model}.`
        : `There is no import mapping ${text.slice(0, 100)} of ${model}.${didYouMean(text, names)}`,
    ],
  })
}
