import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import type { SecretBox } from '../../../shared/platform/secrets/secret-box.ts'

const keyArn = requireEnvironment('SETTINGS_KEY_ARN')
let opening: Promise<SecretBox> | undefined

/** Seals and opens confidential settings. The KMS client is loaded with the first secret. */
export const secrets = (): Promise<SecretBox> =>
  (opening ??= import('../../../shared/platform/secrets/secret-box.ts').then(({ createSecretBox }) =>
    createSecretBox(keyArn),
  ))

/** The same, opened with its first use. */
export const secretBox: SecretBox = {
  seal: async (...given) => (await secrets()).seal(...given),
  open: async (...given) => (await secrets()).open(...given),
}
