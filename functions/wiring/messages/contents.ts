import { renderTemplate } from '../../../shared/messages/notification-templates/render-template.ts'
import { lazyObjects } from '../platform/lazy-objects.ts'
import { timeZoneOf } from '../time-zone.ts'
import { followUrl, recordUrl, threadKey } from './record-links.ts'

/** Where contents of messages are read, and how their templates are rendered. */
export const contents = {
  objects: lazyObjects,
  render: renderTemplate,
  timeZone: timeZoneOf,
  threadKey,
  followUrl,
  recordUrl,
}
