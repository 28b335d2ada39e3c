import type { Clock } from '../../kernel/time/clock.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'

export interface ChannelDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly secrets: Pick<SecretBox, 'seal'>
}
