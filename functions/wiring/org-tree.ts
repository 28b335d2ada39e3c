import { clock } from '../../shared/kernel/clock.ts'
import { createOrgTree } from '../../shared/tables/org-units/service.ts'
import { store } from './store.ts'

/** The tree of organisational units of each tenant. */
export const orgTree = createOrgTree({ store, clock })
