export { createTurns } from '../kernel/give-way.ts'
