import type { VersionMatch } from '../../../../kernel/failures/concurrent-change.ts'
import type { FieldErrors } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import { configuredObject } from '../../../../platform/configured-objects/configured-object.ts'
import { recordKey } from '../../../../platform/store/keys/records.ts'
import { isLiving } from '../../../../platform/store/rows/record-row.ts'
import { allocateIds, moveLiveCount } from '../../../../platform/store/sequence/sequence.ts'
import type { AccountDependencies } from '../../../dependencies.ts'
import { refuseRolesAboveKey } from '../../../keys/api-key.ts'
import { roleExists } from '../../../roles/role-membership.ts'
import { unknownRoles } from '../../../roles/role.ts'
import type { AuthMappingAnswer, AuthMappingChanges, NewAuthMapping } from './auth-mapping-schema.ts'
import { type AuthMapping, authMappingOf, authMappingSequence } from './auth-mapping.ts'

/** `giver`: whose token gives the roles. */
type MappingDependencies = AccountDependencies & { readonly giver: Pick<Caller, 'tokenKind'> }
type MappingMembers = Pick<AuthMapping, 'group' | 'org_unit_id' | 'roles'>

const administered = configuredObject<
  AuthMapping,
  MappingMembers,
  AuthMappingAnswer,
  NewAuthMapping,
  MappingDependencies
>({
  kind: 'AUTH_MAPPING',
  sequence: authMappingSequence,
  called: { one: 'mapping', list: 'auth-mappings' },
  rows: { read: authMappingOf },
  members: { group: {}, org_unit_id: {}, roles: { unset: [] } },
  isRetried: true,
  takeId: (store, tenant) => allocateIds(store, tenant, authMappingSequence),
  nameOf: ({ group }) => group,
  // A group may be mapped several times.
  holdName: () => [],
  normalize: (draft) => ({ ...draft, roles: [...new Set(draft.roles)] }),
  async check({ group, org_unit_id: unit, roles }, { services, caller: { tenant }, before }): Promise<FieldErrors> {
    // Another group has the role through the mapping then.
    refuseRolesAboveKey(services.giver, roles, group === before?.group ? before.roles : [])
    if (
      unit !== before?.org_unit_id &&
      !isLiving(await services.store.get(tenant, recordKey(tenant, 'sys_org_units', unit)))
    )
      return { org_unit_id: ['The selected org_unit_id is invalid.'] }
    // A role that the mapping names already may be gone.
    const isNew = roles.map((role) => !before?.roles.includes(role))
    const unknown = isNew.includes(true) ? await unknownRoles(services, tenant, roles) : {}
    return isNew.some((one, index) => one && unknown[`roles.${index}`] !== undefined) ? unknown : {}
  },
  alsoWrite({ caller: { tenant }, before }, after) {
    if (!after) return [moveLiveCount(tenant, authMappingSequence, -1)]
    return after.roles.flatMap((role, index) => (before?.roles.includes(role) ? [] : [roleExists(tenant, role, index)]))
  },
})

/** The mappings from groups of identity providers to organisational units and roles. */
export const authMappings = {
  ...administered,

  /** Throws Invalid naming `org_unit_id` or `roles.<n>` when it does not exist. */
  create: (accounts: AccountDependencies, caller: Caller, input: NewAuthMapping) =>
    administered.create({ ...accounts, giver: caller }, caller, input),

  change: (
    accounts: AccountDependencies,
    caller: Caller,
    id: number,
    input: AuthMappingChanges,
    ifMatch?: VersionMatch,
  ) => administered.change({ ...accounts, giver: caller }, caller, id, input, ifMatch),

  /** Who has something by the mapping loses it with the next sign-in. */
  remove: (accounts: AccountDependencies, caller: Caller, id: number, ifMatch?: VersionMatch) =>
    administered.remove({ ...accounts, giver: caller }, caller, id, ifMatch),
}
