import type { Clock } from '../../../kernel/time/clock.ts'
import { hashSecret } from '../../sessions/token.ts'

const count = 10
/** 32 letters and digits that are not easily confused. */
const alphabet = 'abcdefghjkmnopqrstuvwxyz23456789'
/** 80 bits: too many for somebody with the hashes to try. */
const length = 16

/** Ten codes such as `k7mq-3fzt-9xwb-e5hd`, each good once instead of a code of the authenticator app. */
export const makeRecoveryCodes = (clock: Pick<Clock, 'bytes'>): string[] =>
  Array.from({ length: count }, () =>
    [...clock.bytes(length)]
      .map((byte, index) => `${index > 0 && index % 4 === 0 ? '-' : ''}${alphabet[byte % alphabet.length]}`)
      .join(''),
  )

/** People type codes with and without hyphens, and in capitals. */
export const hashRecoveryCode = (code: string): string =>
  hashSecret(code.toLowerCase().replaceAll(/[\s-]/g, '')).toString('base64url')
