export { createSnoozes, snoozedIds } from './snoozes.ts'
