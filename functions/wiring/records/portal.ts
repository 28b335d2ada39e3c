import { createPortal } from '../../../shared/automation/portal/service.ts'
import { portalDependencies } from './portal-dependencies.ts'

/** What people without permissions on tables ask for. */
export const portal = createPortal(portalDependencies)
