export { configurationEvent } from './configuration-event.ts'
export { differences } from './difference.ts'
export { maskEvents } from './mask-events.ts'
export { trailActions, trailEntries } from './trail-entry.ts'
export {
  type FieldChange,
  type MergeChange,
  type TrailRow,
  documentChanges,
  readTrailRow,
  trailEvent,
} from './trail-event.ts'
