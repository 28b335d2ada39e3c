import type { LaterWords } from '../words.ts'

/** The words of screens that are loaded when they are opened: their routes wait for `laterWords`. A file of `screens/` is one area. */
export const later: LaterWords = Object.assign(
  {},
  ...Object.values(import.meta.glob('./screens/*.ts', { eager: true })),
)
