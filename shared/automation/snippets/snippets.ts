import { roleOf } from '../../accounts/roles/role.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { checkSnippet, type SnippetNames } from './check-snippet.ts'
import type { SnippetAnswer, SnippetInput } from './schema.ts'
import { mayInsert, type Snippet } from './snippet.ts'

export interface SnippetDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'all'>
  /** Names that a configuration document adds. */
  readonly added?: { readonly roles: readonly string[] }
}

/** What finding a snippet reads. */
interface Reading {
  readonly config: Pick<Config, 'get' | 'list'>
  readonly tables: Pick<Tables, 'all'>
}

/** What administrators set of a snippet. */
type SnippetMembers = Omit<SnippetAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

const administered = configuredObject<Snippet, SnippetMembers, SnippetAnswer, SnippetInput, SnippetDependencies>({
  kind: 'SNIPPET',
  sequence: 'sys_snippets',
  called: { one: 'snippet', list: 'snippets' },
  members: { name: {}, body: {}, model: { unset: null }, roles: { unset: null } },
  normalize: (draft) => ({ ...draft, roles: draft.roles?.length ? [...new Set(draft.roles)] : null }),
  misses: (services, { tenant }, draft) => checkSnippet(namesOf(services, tenant), draft),
})

/** What a snippet may name. */
const namesOf = ({ tables, config, added }: SnippetDependencies, tenant: Tenant): SnippetNames => ({
  tables: () => tables.all(tenant),
  roles: async () => [...(await config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name), ...(added?.roles ?? [])],
})

const modelsOf = async ({ tables }: Reading, tenant: Tenant): Promise<readonly string[]> =>
  (await tables.all(tenant)).filter((table) => !table.is_system).map(({ name }) => name)

/** The snippets of a tenant: administrators make them, and everybody sees those that they may insert. */
export const snippets = {
  ...administered,

  async list(services: SnippetDependencies, caller: Caller, query: ListQuery) {
    if (caller.isAdministrator) return administered.list(services, caller, query)
    const models = await modelsOf(services, caller.tenant)
    const seen = (await administered.all(services, caller.tenant)).filter((one) => mayInsert(caller, one, models))
    const page = pageOfWholeList('snippets', seen.toReversed(), query, (one) => administered.describe(one, null))
    return { ...page, items: await Promise.all(page.items.map(({ id }) => administered.get(services, caller, id))) }
  },

  async get(services: SnippetDependencies, caller: Caller, id: number) {
    await findSnippet(services, caller, id)
    return administered.get(services, caller, id)
  },
}

/** A snippet that the caller may insert. Throws NotFound. */
export async function findSnippet(services: Reading, caller: Caller, id: number): Promise<Snippet> {
  const found = await administered.find(services, caller.tenant, id)
  if (!mayInsert(caller, found, await modelsOf(services, caller.tenant))) throw new NotFound('snippet', { id })
  return found
}
