import { renderTemplate } from '../../../shared/notification-templates/service.ts'
import { lazyObjects } from '../lazy-objects.ts'

/** Where contents of messages are read, and how their templates are rendered. */
export const contents = { objects: lazyObjects, render: renderTemplate }
