export { changeSettings, type SettingsDependencies } from './change-settings.ts'
export { describeSettings, listSettings, readSettings, type SettingValues } from './read-settings.ts'
export { type SettingName } from './setting-values.ts'
