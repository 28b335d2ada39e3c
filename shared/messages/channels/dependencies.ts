import type { AdministrationDependencies } from '../../platform/configured-objects/configured-object.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** What becomes of a mask without a secret to keep: an error, or a channel that gets the secret later. */
export type LackingSecrets = 'refused' | 'later'

export interface ChannelDependencies extends AdministrationDependencies {
  readonly secrets: Pick<SecretBox, 'seal'>
  /** `refused` when left out. */
  readonly lacking?: LackingSecrets
}
