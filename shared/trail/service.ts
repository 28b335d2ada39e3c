export { differences } from './difference.ts'
export { readTrailSort, trailActions, trailEntries } from './trail-entry.ts'
export { documentChanges, trailEvent, type FieldChange } from './trail-event.ts'
