const key = 'last-table'

/** The table that was open last in this browser. */
export const lastTable = (): string | null => localStorage.getItem(key)

export const rememberTable = (model: string): void => localStorage.setItem(key, model)
