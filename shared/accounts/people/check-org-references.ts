import { byName } from '../../kernel/collections/own-members.ts'
import { Invalid, type FieldErrors } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { isLiving } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'

/** What a user refers to: records of the built-in tables `sys_companies` and `sys_org_units`, and roles. */
export interface OrgReferences {
  readonly companyId?: number | null
  readonly orgUnitIds?: readonly number[]
  readonly roles?: readonly string[]
}

/**
 * Throws Invalid naming every company and organisational unit that does not exist in the tenant. Roles are checked too,
 * but only together with these, which costs no further read: the transaction checks roles in any case.
 */
export async function checkOrgReferences(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  { companyId, orgUnitIds = [], roles = [] }: OrgReferences,
): Promise<void> {
  const references = [
    ...(companyId ? [{ field: 'company_id', key: recordKey(tenant, 'sys_companies', companyId) }] : []),
    ...orgUnitIds.map((id, index) => ({ field: `org_unit_ids.${index}`, key: recordKey(tenant, 'sys_org_units', id) })),
  ]
  if (references.length === 0) return
  const wanted = [
    ...references,
    ...roles.map((role, index) => ({ field: `roles.${index}`, key: configKey(tenant, 'ROLE', role) })),
  ]
  const found = await store.getMany(
    tenant,
    wanted.map(({ key }) => key),
  )
  const errors: FieldErrors = byName()
  for (const [index, { field }] of wanted.entries()) {
    if (!isLiving(found[index])) errors[field] = [say('not_selectable', { field })]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}
