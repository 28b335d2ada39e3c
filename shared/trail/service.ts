export { differences } from './difference.ts'
export { trailActions, trailEntries } from './trail-entry.ts'
export { type FieldChange, type TrailRow, documentChanges, readTrailRow, trailEvent } from './trail-event.ts'
