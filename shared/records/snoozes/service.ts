export { createSnoozes, exportedSnoozes, snoozedIds } from './snoozes.ts'
