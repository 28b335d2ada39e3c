import { clock } from '../../../shared/kernel/time/clock.ts'
import { createOrgTree } from '../../../shared/tables/org-units/org-tree.ts'
import { store } from '../platform/store.ts'

/** The tree of organisational units of each tenant. */
export const orgTree = createOrgTree({ store, clock })
