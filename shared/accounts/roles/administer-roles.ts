import { isDeepStrictEqual } from 'node:util'
import { Conflict, type FieldErrors, inUse } from '../../kernel/failures/faults.ts'
import type { Warning } from '../../kernel/failures/warning.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { configuredObject } from '../../platform/configured-objects/configured-object.ts'
import { roleUseKey } from '../../platform/store/keys/auth.ts'
import { nameTaken } from '../../platform/store/rows/unique-row.ts'
import { allocateIds, moveLiveCount } from '../../platform/store/sequence/sequence.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { equals, isNew, or } from '../../platform/store/writes/conditions.ts'
import { requireUnused } from '../../tables/tables/administration/require-unused.ts'
import type { Limits } from '../access/check-limits.ts'
import type { AccountDependencies } from '../dependencies.ts'
import type { RoleAnswer, RoleInput } from '../schema.ts'
import { administratorRole, defaultRole, type Role, roleOf, roleRow, roleSequence } from './role.ts'

/** The dependencies of the administration of roles. */
export interface RoleAdministration extends AccountDependencies {
  /** Checks the names in `limits` that `before` does not have; answers messages by path, such as `permissions.0`. */
  readonly checkLimits: (tenant: Tenant, limits: Limits, before: Limits) => Promise<FieldErrors>
  /** Names the permissions on tables that do not exist yet. */
  readonly permissionWarnings: (tenant: Tenant, permissions: readonly string[]) => Promise<readonly Warning[]>
}

type RoleMembers = Omit<RoleAnswer, 'id' | 'created_at' | 'updated_at' | 'version'>

/**
 * The roles. One is not renamed, because users, invitations and transitions refer to its name, and not deleted while a
 * user has it, something of the configuration names it, or new users get it. Of `admin` only `mfa_required` changes.
 */
export const roleObjects = configuredObject<Role, RoleMembers, RoleAnswer, RoleInput, RoleAdministration>({
  kind: 'ROLE',
  sequence: roleSequence,
  called: { one: 'role', list: 'roles' },
  rows: { read: roleOf, make: roleRow, areNamedByName: true },
  members: {
    name: {},
    permissions: { unset: [] },
    rules: { unset: [] },
    mfa_required: { stored: 'mfaRequired', unset: false },
    fields: { unset: {} },
  },
  fixed: { name: 'The name of a role cannot be changed.' },
  isRetried: true,
  takeId: (store, tenant) => allocateIds(store, tenant, roleSequence),
  trailOf: ({ permissions, rules, fields, mfaRequired }) => ({ permissions, rules, fields, mfa_required: mfaRequired }),
  normalize(draft, { before, input }) {
    // What administrators may do is fixed; whether they need a second factor is not.
    if (before?.name === administratorRole && (input.permissions ?? input.rules) !== undefined)
      throw administratorIsBuiltIn()
    return { ...draft, permissions: [...new Set(draft.permissions)].sort() }
  },
  async check({ name }, { services, caller: { tenant }, before, input }) {
    if (!before && (await services.config.getFresh(tenant, 'ROLE', name))) throw nameTaken()
    return limitErrors(services, tenant, input, before)
  },
  async requireUnused({ config }, tenant, { name }) {
    if (name === administratorRole) throw administratorIsBuiltIn()
    if (name === (await defaultRole(config, tenant)))
      throw inUse('New users get this role: name another DEFAULT_ROLE first.')
    await requireUnused(config, tenant, { kind: 'role', name })
  },
  alsoWrite({ caller: { tenant }, before }, after) {
    if (after || !before) return []
    const unused: Step = {
      write: { remove: roleUseKey(tenant, before.name), if: or(isNew, equals('users', 0)) },
      refused: () => inUse('The role is in use: take it from its users first.'),
    }
    return [unused, moveLiveCount(tenant, roleSequence, -1)]
  },
  warningsOf: ({ permissionWarnings }, tenant, { permissions }) => permissionWarnings(tenant, permissions),
})

/** Names that a role has already were checked when they were saved; a table or field may be gone since. */
async function limitErrors(
  { checkLimits }: RoleAdministration,
  tenant: Tenant,
  { permissions, rules, fields }: Limits,
  before: Limits = {},
): Promise<FieldErrors> {
  const given = { ...(permissions && { permissions }), ...(rules && { rules }), ...(fields && { fields }) }
  const isKnown = (Object.keys(given) as (keyof Limits)[]).every((member) =>
    isDeepStrictEqual(given[member], before[member] ?? (member === 'fields' ? {} : [])),
  )
  return isKnown ? {} : checkLimits(tenant, given, before)
}

const administratorIsBuiltIn = (): Conflict =>
  new Conflict('built_in', `The role ${administratorRole} cannot be changed or deleted.`)
