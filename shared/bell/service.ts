export { bellItem, type BellNotification } from './bell-row.ts'
export { administratorBell } from './tell-administrators.ts'
