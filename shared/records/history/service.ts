export { describeChanges, usersIn } from './describe-changes.ts'
export { describeRows } from './describe-rows.ts'
export { historyEntry, type HistoryEntry } from './history-entry.ts'
export { historyRow, readChanges } from './history-row.ts'
export { lastState } from './last-state.ts'
export { historyCursors, type HistoryDependencies, readHistory } from './read-history.ts'
export { readTrail } from './read-trail.ts'
export { readHistoryRows } from './read-history-rows.ts'
export {
  recordAndTombstoneKeys,
  type RecordState,
  stateAt,
  type StateDependencies,
  stateItem,
  stateOfVersion,
  statesSince,
} from './state-at.ts'
export { writeHistory } from './write-history.ts'
