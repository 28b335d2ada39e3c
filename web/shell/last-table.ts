import { type Keeper, lastChoice, rememberChoice } from '../parts/last-choice.ts'

const what = 'last-table'

/** The table that somebody opened last in this browser. */
export const lastTable = (keeper: Keeper): string | null => lastChoice(keeper, what)

export const rememberTable = (keeper: Keeper, model: string): void => rememberChoice(keeper, what, model)
