export { differences } from './difference.ts'
export { trailActions, trailEntries } from './trail-entry.ts'
export { type FieldChange, documentChanges, trailEvent } from './trail-event.ts'
