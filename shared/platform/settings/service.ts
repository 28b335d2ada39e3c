export { isSecretSetting, type SettingName } from './setting-values.ts'
export { changeSettings, type SettingsDependencies } from './change-settings.ts'
export { followedTables } from './followed-tables.ts'
export { describeSettings, listSettings, readSettings, storedSettings } from './read-settings.ts'
