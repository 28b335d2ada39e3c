export { createPresence } from './presence.ts'
