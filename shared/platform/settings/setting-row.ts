import * as z from 'zod'
import type { ConfigRow } from '../store/config.ts'
import type { SettingName } from './setting-values.ts'

/** The value of a setting as its row holds it: a secret is sealed. */
export type StoredValue = string | number | { readonly sealed: string }

/** A setting with a value. */
export interface StoredSetting {
  readonly name: SettingName
  readonly version: number
  readonly value: StoredValue
}

const StoredDocument = z.union([z.string(), z.number(), z.object({ sealed: z.string() })])

export const settingRow = ({ name, version, value }: StoredSetting): ConfigRow => ({ name, version, doc: value })

export const readSettingRow = ({ name, version, doc }: ConfigRow): StoredSetting => ({
  name: name as SettingName,
  version,
  value: StoredDocument.parse(doc),
})
