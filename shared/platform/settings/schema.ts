import * as z from 'zod'
import { type SettingName, settingNames, settings } from './setting-values.ts'

type SettingSchema = z.ZodType<string | number>
const schemas = Object.fromEntries(settingNames.map((name) => [name, settings[name].schema])) as Record<
  SettingName,
  SettingSchema
>
const ofAll = <T extends z.ZodType>(make: (schema: SettingSchema) => T): Record<SettingName, T> =>
  Object.fromEntries(settingNames.map((name) => [name, make(schemas[name])])) as Record<SettingName, T>

/** Names that are left out keep their values; null removes a value. */
export const SettingsBody = z.strictObject(ofAll((schema) => schema.nullish()))
export type SettingsChanges = z.output<typeof SettingsBody>

/** Every setting by name; null when it has no value. */
export const SettingsAnswer = z.object(ofAll((schema) => z.nullable(schema)))
