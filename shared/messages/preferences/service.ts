export { type Category } from './categories.ts'
export { changePreferences } from './change-preferences.ts'
export { exportedPreferences, preferencesOf, readChoices } from './preferences-row.ts'
export { readPreferences } from './read-preferences.ts'
