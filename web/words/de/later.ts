import type { LaterWords } from '../words.ts'

/** The same in German. */
export const later: LaterWords = Object.assign(
  {},
  ...Object.values(import.meta.glob('./screens/*.ts', { eager: true })),
)
