import { clock } from '../../../shared/kernel/time/clock.ts'
import { createSecretReader } from '../../../shared/platform/secrets/secret-reference.ts'

/** Reads what the operator keeps in Secrets Manager. */
export const readSecret = createSecretReader(clock)
