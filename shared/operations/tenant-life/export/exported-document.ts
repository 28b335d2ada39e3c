import { mask } from '../../../platform/secrets/mask.ts'
import { isSecretSetting } from '../../../platform/settings/service.ts'
import type { ConfigKind } from '../../../platform/store/keys/configuration.ts'
import { withoutSecrets } from './without-secrets.ts'

type Export = (name: string, document: unknown) => unknown

/** What people wrote holds no secrets of the service: `token` and `password` are names of fields, paths and roles there. */
const asItIs: Export = (_, document) => document

/** A setting says whether it is a secret. One that the service does not know any more is judged by its name. */
const setting: Export = (name, document) => {
  const isSecret = isSecretSetting(name)
  if (isSecret === undefined) return withoutSecrets(name, document)
  return isSecret ? document && mask : withoutSecrets('value', document)
}

/** The documents of each kind of configuration as the export of a tenant holds them, without secrets and hashes. */
const exports: Readonly<Record<ConfigKind, Export>> = {
  TABLE: asItIs,
  RELATION: asItIs,
  ROLE: asItIs,
  PROCESS: asItIs,
  AUTH_MAPPING: asItIs,
  NOTIFICATION_TEMPLATE: asItIs,
  NOTIFICATION_CODE: asItIs,
  SUBSCRIPTION: asItIs,
  INCOMING_ACTION: asItIs,
  SETTING: setting,
  CHANNEL: withoutSecrets,
  INBOUND_SOURCE: withoutSecrets,
}

/** The document of a configuration row as the export of a tenant holds it: secrets and hashes are masked. */
export const exportedDocument = (kind: ConfigKind, name: string, document: unknown): unknown =>
  exports[kind](name, document)
