import type { RenderTemplate } from '../../../shared/deliveries/service.ts'
import { lazyObjects } from '../lazy-objects.ts'

const render: RenderTemplate = async ({ subject, body }) => ({ subject, html: body, text: body })

/** Where contents of deliveries are read, and how their templates are rendered. */
export const contents = { objects: lazyObjects, render }
