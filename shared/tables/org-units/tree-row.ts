import type { TenantRef } from '../../kernel/tenancy.ts'
import { orgTreeKey } from '../../platform/store/keys/records.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { equals, isNew } from '../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../platform/store/writes/refusals.ts'

/** The revision of a tenant's tree; undefined before its first change. */
export const readTreeRevision = (item: Item | undefined): string | undefined => item && String(item.revision)

/** Gives the tree a new revision. `since`: only if it still has this one. */
export const treeChanged = (
  tenant: TenantRef,
  revision: string,
  unchanged?: { readonly since: string | undefined },
): Write => ({
  put: { ...orgTreeKey(tenant), kind: 'org_tree', v: 1, revision },
  ...(unchanged && { if: unchanged.since === undefined ? isNew : equals('revision', unchanged.since) }),
})

/** Whether a transaction was refused because the tree has changed since it was read. */
export const hasTreeChanged = (error: unknown): boolean =>
  error instanceof TransactionRefused &&
  error.reasons.some(({ failed, existing }) => failed && existing?.kind === 'org_tree')
