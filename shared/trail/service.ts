export { differences } from './difference.ts'
export { trailActions, trailEntries } from './trail-entry.ts'
export { documentChanges, eventActor, trailEvent, type EventActor, type FieldChange } from './trail-event.ts'
