import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import {
  formerTable,
  type NamesTables,
  publicTable,
  type RenamedTables,
  storedTable,
} from '../../../kernel/table-names.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config, TenantChange } from '../../../platform/store/config.ts'
import { tenantKey } from '../../../platform/store/keys/auth.ts'
import { changeRenamedTables, readRenamedTables } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isSystemName, reservedTableName } from '../table.ts'

/** What permissions name besides tables: `users.read`. A table of that name shares them. */
const otherPermissions: ReadonlySet<string> = new Set(['users', 'incoming_messages', 'views'])

/**
 * Throws when a table may not be renamed: Invalid for the name, Conflict when another table has it or had it of late.
 * `stored`: of the table; `next`: under which a table of the new name would be stored.
 */
export async function checkTableName(
  config: Pick<Config, 'listFresh'>,
  tenant: Tenant,
  {
    stored,
    next,
    tables,
    nowMs,
  }: {
    readonly stored: string
    readonly next: string
    readonly tables: readonly { readonly name: string }[]
    readonly nowMs: number
  },
): Promise<void> {
  const [was, name] = [publicTable(tenant, stored), publicTable(tenant, next)]
  if (isSystemName(stored)) throw new Invalid({ name: [`The table ${stored} is built in and keeps its name.`] })
  const reserved = reservedTableName(name)
  if (reserved !== undefined) throw new Invalid({ name: [reserved] })
  for (const one of [was, name])
    if (otherPermissions.has(one))
      throw new Invalid({
        name: [`Permissions such as ${one}.read are not about the table ${one} alone, so that it cannot be renamed.`],
      })
  if (tables.some((table) => table.name === next && table.name !== stored)) throw nameTaken(name)
  refuseFormerName(tenant, name, nowMs, stored)
  const granting = (await config.listFresh(tenant, 'ROLE'))
    .filter(({ doc }) => grantsOn(doc, next))
    .map((row) => row.name)
  if (granting.length > 0)
    throw new Invalid({
      name: [
        `There is no table ${name} yet, and roles have permissions or rules for it, which would be for this one: ${granting.slice(0, 5).join(', ')}. Take them away first.`,
      ],
    })
}

const grantsOn = (doc: unknown, table: string): boolean => {
  const {
    permissions = [],
    rules = [],
    fields = {},
  } = doc as {
    readonly permissions?: readonly string[]
    readonly rules?: readonly { readonly table: string }[]
    readonly fields?: object
  }
  return (
    permissions.some((one) => one.startsWith(`${table}.`)) ||
    rules.some((one) => one.table === table) ||
    Object.hasOwn(fields, table)
  )
}

export const nameTaken = (name: string): Conflict => new Conflict('name_taken', `The table ${name} exists already.`)

/** Throws Conflict for a name by which addresses still lead to another table than that stored under `own`. */
export function refuseFormerName(tenant: NamesTables, name: string, nowMs: number, own?: string): void {
  const former = formerTable(tenant, name, nowMs)
  if (former && former.table !== own)
    throw new Conflict(
      'name_taken',
      `The name ${name} leads to the table ${publicTable(tenant, former.table)}, which had it before, until ${former.until}.`,
      { details: { until: former.until } },
    )
}

/** The names of a tenant's tables after a change of them. */
export type ChangeNames = (names: RenamedTables | undefined) => RenamedTables | undefined

/**
 * The change of the tenant's row that changes its names, for a transaction that depends on them: it is refused when they
 * change meanwhile. A tenant without renamed tables costs no read. Answers undefined when one of `names` has come to mean
 * another table since the request began.
 */
export async function changeNames(
  store: Pick<Store, 'get'>,
  tenant: Tenant,
  names: readonly string[],
  change: ChangeNames,
): Promise<{ readonly change: TenantChange; readonly names: RenamedTables | undefined } | undefined> {
  const item = tenant.renamedTables ? ((await store.get(tenant, tenantKey(tenant))) ?? {}) : {}
  const before = readRenamedTables(item)
  if (names.some((name) => storedTable(before, name) !== storedTable(tenant, name))) return undefined
  const after = change(before.renamedTables)
  return { change: changeRenamedTables(item, after), names: after }
}
