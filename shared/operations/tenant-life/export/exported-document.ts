import { own } from '../../../kernel/collections/own-members.ts'
import { type ObjectKind, objectKinds } from '../../../kernel/object-kinds.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import { isSecretSetting } from '../../../platform/settings/setting-values.ts'
import type { ConfigKind } from '../../../platform/store/keys/configuration.ts'

const secretName = /secret|passw|token|credential|private|api_?key|hash|seal/i

/** A value of a setting with every secret in it masked: a secret is known by its name, at any depth. */
export function withoutSecrets(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value ?? null
  if (secretName.test(name)) return mask
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(name, member))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withoutSecrets(member, inner)]))
}

type Export = (name: string, document: unknown) => unknown

/** What people wrote holds no secrets of the service: `token` and `password` are names of fields, paths and roles there. */
const asItIs: Export = (_, document) => document

/** A setting says whether it is a secret. One that the service does not know any more is judged by its name. */
const setting: Export = (name, document) => {
  const isSecret = isSecretSetting(name)
  if (isSecret === undefined) return withoutSecrets(name, document)
  return isSecret ? document && mask : withoutSecrets('value', document)
}

const exports: Readonly<Record<Exclude<ConfigKind, ObjectKind> | 'plain' | 'sealed', Export>> = {
  plain: asItIs,
  sealed: withoutSecrets,
  SETTING: setting,
  PROCESS: asItIs,
  NOTIFICATION_CODE: asItIs,
}

/** The document of a configuration row as the export of a tenant holds it: secrets and hashes are masked. */
export const exportedDocument = (kind: ConfigKind, name: string, document: unknown): unknown =>
  exports[own(objectKinds, kind) ?? (kind as Exclude<ConfigKind, ObjectKind>)](name, document)
