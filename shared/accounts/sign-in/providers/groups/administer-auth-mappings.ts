import { isDeepStrictEqual } from 'node:util'
import { requireCurrentVersion, type VersionMatch } from '../../../../kernel/failures/concurrent-change.ts'
import { Invalid, NotFound } from '../../../../kernel/failures/faults.ts'
import type { Caller } from '../../../../kernel/principal.ts'
import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { isoTime } from '../../../../kernel/time/clock.ts'
import type { ListQuery } from '../../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../../platform/http/paging/whole-list.ts'
import { putConfigRow, removeConfigRow, timesAt } from '../../../../platform/store/config.ts'
import { idText } from '../../../../platform/store/keys/key.ts'
import { recordKey } from '../../../../platform/store/keys/records.ts'
import { describeTimes } from '../../../../platform/store/rows/object-row.ts'
import { isLiving } from '../../../../platform/store/rows/record-row.ts'
import { allocateIds, moveLiveCount } from '../../../../platform/store/sequence/sequence.ts'
import { retryWithJitter } from '../../../../platform/store/writes/retry-with-jitter.ts'
import { configurationEvent } from '../../../../platform/trail/configuration-event.ts'
import type { AccountDependencies } from '../../../dependencies.ts'
import { refuseRolesAboveKey } from '../../../keys/api-key.ts'
import { roleExists } from '../../../roles/role-membership.ts'
import { namingUnknownRoles } from '../../../roles/role.ts'
import type { AuthMappingAnswer, AuthMappingChanges, NewAuthMapping } from './auth-mapping-schema.ts'
import { type AuthMapping, authMappingOf, authMappingRow, authMappingSequence } from './auth-mapping.ts'

/** Administration of the mappings from groups of identity providers to organisational units and roles. */
export function administerAuthMappings(accounts: AccountDependencies) {
  const { store, config, clock } = accounts

  /** Answers one page of the mappings, newest first. A tenant has few, so all are read. */
  async function list(tenant: TenantRef, query: ListQuery) {
    const all = (await config.listFresh(tenant, 'AUTH_MAPPING')).map(authMappingOf).sort((a, b) => b.id - a.id)
    return pageOfWholeList('auth-mappings', all.map(describe), query)
  }

  /** Throws Invalid naming `org_unit_id` or `roles.<n>` when it does not exist. */
  async function create(caller: Caller, given: NewAuthMapping): Promise<AuthMappingAnswer> {
    const { tenant } = caller
    refuseRolesAboveKey(caller, given.roles ?? [])
    await requireOrgUnit(tenant, given.org_unit_id)
    const id = await allocateIds(store, tenant, authMappingSequence)
    const made: AuthMapping = {
      ...given,
      id,
      roles: [...new Set(given.roles)],
      ...timesAt(undefined, isoTime(clock.now())),
      version: 1,
    }
    await namingUnknownRoles({ config }, tenant, made.roles, () =>
      config.change(tenant, writesOf(caller, undefined, made)),
    )
    return describe(made)
  }

  /** Members that are left out keep their values. Throws NotFound, Invalid, and PreconditionFailed for a stale version. */
  async function change(
    caller: Caller,
    id: number,
    { version, group, org_unit_id, roles }: AuthMappingChanges,
    ifMatch?: VersionMatch,
  ): Promise<AuthMappingAnswer> {
    const { tenant } = caller
    return retryWithJitter(clock, async (retry) => {
      const before = await find(tenant, id)
      requireCurrentVersion('mapping', before, { version, ifMatch })
      const wanted = {
        ...before,
        group: group ?? before.group,
        org_unit_id: org_unit_id ?? before.org_unit_id,
        roles: [...new Set(roles ?? before.roles)],
      }
      if (isDeepStrictEqual(wanted, before)) return describe(before)
      // Another group has the role through the mapping then.
      refuseRolesAboveKey(caller, wanted.roles, wanted.group === before.group ? before.roles : [])
      if (wanted.org_unit_id !== before.org_unit_id) await requireOrgUnit(tenant, wanted.org_unit_id)
      const after: AuthMapping = {
        ...wanted,
        ...timesAt(before, isoTime(clock.now())),
        version: before.version + 1,
      }
      await namingUnknownRoles({ config }, tenant, after.roles, () =>
        config.change(tenant, writesOf(caller, before, after), retry),
      )
      return describe(after)
    })
  }

  /** Who has something by the mapping loses it with the next sign-in. Throws NotFound. */
  async function remove(caller: Caller, id: number, ifMatch?: VersionMatch): Promise<void> {
    const { tenant } = caller
    await retryWithJitter(clock, async (retry) => {
      const before = await find(tenant, id)
      requireCurrentVersion('mapping', before, { ifMatch })
      await config.change(tenant, writesOf(caller, before, undefined), retry)
    })
  }

  async function find(tenant: TenantRef, id: number): Promise<AuthMapping> {
    const row = await config.getFresh(tenant, 'AUTH_MAPPING', idText(id))
    if (!row) throw new NotFound('auth_mapping', { id })
    return authMappingOf(row)
  }

  async function requireOrgUnit(tenant: TenantRef, id: number): Promise<void> {
    if (isLiving(await store.get(tenant, recordKey(tenant, 'sys_org_units', id)))) return
    throw new Invalid({ org_unit_id: ['The selected org_unit_id is invalid.'] })
  }

  function writesOf(caller: Caller, before: AuthMapping | undefined, after: AuthMapping | undefined) {
    const { tenant, userId } = caller
    const audit = { userId, at: after?.updatedAt ?? isoTime(clock.now()) }
    const event = configurationEvent(clock, caller, {
      model: authMappingSequence,
      before,
      after,
      nameOf: ({ group }) => group,
      documentOf: ({ group, org_unit_id, roles }) => ({ group, org_unit_id, roles }),
    })
    if (after) {
      const put = putConfigRow(tenant, 'AUTH_MAPPING', authMappingRow(after), before?.version ?? null, audit)
      // A role that the mapping names already may be gone.
      const roles = after.roles.flatMap((role, index) =>
        before?.roles.includes(role) ? [] : [roleExists(tenant, role, index)],
      )
      return [put, ...roles, event]
    }
    const row = authMappingRow(before as AuthMapping)
    return [
      removeConfigRow(tenant, 'AUTH_MAPPING', row.name, row.version),
      moveLiveCount(tenant, authMappingSequence, -1),
      event,
    ]
  }

  return { list, create, change, remove }
}

const describe = (mapping: AuthMapping): AuthMappingAnswer => ({
  id: mapping.id,
  group: mapping.group,
  org_unit_id: mapping.org_unit_id,
  roles: mapping.roles,
  ...describeTimes(mapping),
  version: mapping.version,
})
