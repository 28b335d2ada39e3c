export { changeSettings } from './change-settings.ts'
export { describeSettings, listSettings, readSettings } from './read-settings.ts'
