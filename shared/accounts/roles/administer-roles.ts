import { isDeepStrictEqual } from 'node:util'
import { requireCurrentVersion, type VersionMatch } from '../../kernel/failures/concurrent-change.ts'
import { Conflict, type FieldErrors, Invalid, inUse, NotFound } from '../../kernel/failures/faults.ts'
import type { FieldRules, RowRule } from '../../kernel/permissions.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import { putConfigRow, removeConfigRow, timesAt } from '../../platform/store/config.ts'
import { roleUseKey } from '../../platform/store/keys/auth.ts'
import { describeTimes } from '../../platform/store/rows/object-row.ts'
import { moveLiveCount, allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { equals, isNew, or } from '../../platform/store/writes/conditions.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { configurationEvent } from '../../platform/trail/service.ts'
import { requireUnused } from '../../tables/tables/service.ts'
import type { Limits } from '../access/service.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { administratorRole } from './role-names.ts'
import { type Role, defaultRole, roleOf, roleRow, roleSequence } from './role.ts'

/** The dependencies of the administration of roles. */
export interface RoleAdministration extends AccountDependencies {
  /** Checks the names in `limits` that `before` does not have; answers messages by path, such as `permissions.0`. */
  readonly checkLimits: (tenant: Tenant, limits: Limits, before: Limits) => Promise<FieldErrors>
}

interface RoleChanges {
  readonly name?: string
  readonly permissions?: readonly string[]
  readonly rules?: readonly RowRule[]
  readonly mfa_required?: boolean
  readonly fields?: FieldRules
  /** The version that the changes are based on; without one it is not checked. */
  readonly version?: number
}

export const describeRole = (role: Role) => ({
  id: role.id,
  name: role.name,
  permissions: [...role.permissions],
  rules: [...role.rules],
  mfa_required: role.mfaRequired,
  fields: fieldsOf(role.fields),
  ...describeTimes(role),
  version: role.version,
})

/** Field rules as answers and documents hold them. */
export const fieldsOf = (fields: FieldRules) =>
  Object.fromEntries(
    Object.entries(fields).map(([table, { read, write }]) => [
      table,
      { ...(read && { read: [...read] }), ...(write && { write: [...write] }) },
    ]),
  )

/** Answers one page of the roles, newest first. A tenant has few roles, so all are read. */
export async function listRoles({ config }: Pick<AccountDependencies, 'config'>, tenant: TenantRef, query: ListQuery) {
  const roles = (await config.listFresh(tenant, 'ROLE')).map(roleOf).sort((a, b) => b.id - a.id)
  return pageOfWholeList('roles', roles.map(describeRole), query)
}

export async function findRole(
  { config }: Pick<AccountDependencies, 'config'>,
  tenant: TenantRef,
  id: number,
): Promise<Role> {
  const role = (await config.listFresh(tenant, 'ROLE')).map(roleOf).find((one) => one.id === id)
  if (!role) throw new NotFound('role', { id })
  return role
}

/** Creates a role. Throws Conflict when the name is taken, and Invalid naming the errors of its rules. */
export async function createRole(
  accounts: RoleAdministration,
  caller: Principal,
  given: RoleChanges & { readonly name: string },
): Promise<Role> {
  const { store, config, clock } = accounts
  const { tenant, userId } = caller
  if (await config.getFresh(tenant, 'ROLE', given.name)) throw nameTaken()
  await requireValidLimits(accounts, tenant, given)
  const id = await allocateIds(store, tenant, roleSequence)
  const at = isoTime(clock.now())
  const role: Role = {
    id,
    name: given.name,
    permissions: sortedUnique(given.permissions ?? []),
    rules: given.rules ?? [],
    mfaRequired: given.mfa_required ?? false,
    fields: given.fields ?? {},
    ...timesAt(undefined, at),
    version: 1,
  }
  await config.change(
    tenant,
    [putConfigRow(tenant, 'ROLE', roleRow(role), null, { userId, at }), roleEvent(accounts, caller, undefined, role)],
    nameTaken,
  )
  return role
}

/**
 * Changes permissions, rules and fields of a role; members that are left out keep their values. A role cannot be renamed,
 * because users, invitations and transitions refer to its name. Throws NotFound, Invalid, PreconditionFailed for a stale
 * version, and Conflict for `admin`, of which only `mfa_required` changes.
 */
export async function changeRole(
  accounts: RoleAdministration,
  caller: Principal,
  id: number,
  given: RoleChanges,
  ifMatch?: VersionMatch,
): Promise<Role> {
  const { config, clock } = accounts
  const { tenant, userId } = caller
  return retryWithJitter(clock, async (retry) => {
    const before = await findRole(accounts, tenant, id)
    // What administrators may do is fixed; whether they need a second factor is not.
    if (before.name === administratorRole && (given.permissions ?? given.rules) !== undefined)
      throw administratorIsBuiltIn()
    if (given.name !== undefined && given.name !== before.name)
      throw new Invalid({ name: ['The name of a role cannot be changed.'] })
    requireCurrentVersion('role', before, { version: given.version, ifMatch })
    await requireValidLimits(accounts, tenant, given, before)
    const at = isoTime(clock.now())
    const after: Role = {
      ...before,
      permissions: sortedUnique(given.permissions ?? before.permissions),
      rules: given.rules ?? before.rules,
      mfaRequired: given.mfa_required ?? before.mfaRequired,
      fields: given.fields ?? before.fields,
      ...timesAt(before, at),
      version: before.version + 1,
    }
    if (isDeepStrictEqual(documentOf(after), documentOf(before))) return before
    await config.change(
      tenant,
      [
        putConfigRow(tenant, 'ROLE', roleRow(after), before.version, { userId, at }),
        roleEvent(accounts, caller, before, after),
      ],
      retry,
    )
    return after
  })
}

/**
 * Deletes a role. Throws NotFound, Invalid when a user has it, something of the configuration names it or it is the default
 * role, and Conflict for `admin`.
 */
export async function deleteRole(
  accounts: AccountDependencies,
  caller: Principal,
  id: number,
  ifMatch?: VersionMatch,
): Promise<void> {
  const { tenant } = caller
  const { config, clock } = accounts
  await retryWithJitter(clock, async (retry) => {
    const role = await findRole(accounts, tenant, id)
    requireCurrentVersion('role', role, { ifMatch })
    if (role.name === administratorRole) throw administratorIsBuiltIn()
    if (role.name === (await defaultRole(config, tenant)))
      throw inUse('New users get this role: name another DEFAULT_ROLE first.')
    await requireUnused(config, tenant, { kind: 'role', name: role.name })
    const unused: Step = {
      write: { remove: roleUseKey(tenant, role.name), if: or(isNew, equals('users', 0)) },
      refused: () => inUse('The role is in use: take it from its users first.'),
    }
    const writes = [
      removeConfigRow(tenant, 'ROLE', role.name, role.version),
      moveLiveCount(tenant, roleSequence, -1),
      roleEvent(accounts, caller, role, undefined),
    ]
    await config.change(tenant, [unused, ...writes], retry)
  })
}

const roleEvent = (
  { clock }: Pick<AccountDependencies, 'clock'>,
  caller: Principal,
  before: Role | undefined,
  after: Role | undefined,
): Write =>
  configurationEvent(clock, caller, { model: roleSequence, before, after, nameOf: ({ name }) => name, documentOf })

const documentOf = ({ permissions, rules, fields, mfaRequired }: Role) => ({
  permissions,
  rules,
  fields,
  mfa_required: mfaRequired,
})

/** Names that a role has already were checked when they were saved; a table or field may be gone since. */
async function requireValidLimits(
  { checkLimits }: RoleAdministration,
  tenant: Tenant,
  { permissions, rules, fields }: Limits,
  before: Limits = {},
): Promise<void> {
  const given = {
    ...(permissions && { permissions }),
    ...(rules && { rules }),
    ...(fields && { fields }),
  }
  const isKnown = (Object.keys(given) as (keyof Limits)[]).every((member) =>
    isDeepStrictEqual(given[member], before[member] ?? (member === 'fields' ? {} : [])),
  )
  const errors = isKnown ? {} : await checkLimits(tenant, given, before)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

const sortedUnique = (permissions: readonly string[]): string[] => [...new Set(permissions)].sort()

const nameTaken = (): Conflict => new Conflict('name_taken', 'The name has already been taken.')
const administratorIsBuiltIn = (): Conflict =>
  new Conflict('built_in', `The role ${administratorRole} cannot be changed or deleted.`)
