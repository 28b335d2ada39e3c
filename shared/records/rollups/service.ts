export { type DerivationDependencies, deriveRecords } from './derive-records.ts'
export { keepRollups } from './keep-rollups.ts'
export { TouchedRollups } from './schema.ts'
export { touchedMessage } from './touched-message.ts'
