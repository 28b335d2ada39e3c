import type { Clock } from '../../kernel/time/clock.ts'
import { readJson } from '../../platform/store/values/json-attribute.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { hashSecret } from './token.ts'

/** What proves a person besides the password: a secret shared with an authenticator app, and ten recovery codes. */
export interface SecondFactor {
  /** Sealed by `shared/platform/secrets`. */
  readonly sealedSecret: string
  /** Hashes of the codes that were not used yet. */
  readonly recoveryHashes: readonly string[]
  /** The 30-second step of the last code that was accepted: no code of this step or before is accepted again. */
  readonly lastStep: number
  /** Until it is confirmed with a code, no sign-in asks for it. */
  readonly isConfirmed: boolean
}

/** The attributes of a person's row. */
export const secondFactorAttributes = (factor: SecondFactor | null): Item =>
  factor === null
    ? {}
    : {
        mfa_secret: factor.sealedSecret,
        mfa_recovery: JSON.stringify(factor.recoveryHashes),
        mfa_last_step: factor.lastStep,
        mfa_confirmed: factor.isConfirmed,
      }

export const readSecondFactor = (item: Item): SecondFactor | null =>
  item.mfa_secret === undefined
    ? null
    : {
        sealedSecret: String(item.mfa_secret),
        recoveryHashes: readJson<string[]>(item, 'mfa_recovery'),
        lastStep: Number(item.mfa_last_step),
        isConfirmed: item.mfa_confirmed === true,
      }

/** RFC 6238 with the parameters that every authenticator app supports. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** RFC 4226 §4 recommends 160 bits. */
const secretBytes = 20
/** How many steps a clock may be off (RFC 6238 §5.2). */
const windowSteps = 1

// Loaded with the first second factor: most sign-ins have none.
const load = () => import('otpauth')

/** A new secret in base32. */
export async function makeTotpSecret(clock: Pick<Clock, 'bytes'>): Promise<string> {
  const { Secret } = await load()
  return new Secret({ buffer: new Uint8Array(clock.bytes(secretBytes)).buffer }).base32
}

/** The address that an authenticator app reads from a QR code. */
export async function otpauthUrl(
  secret: string,
  { issuer, account }: { readonly issuer: string; readonly account: string },
): Promise<string> {
  const { Secret, TOTP } = await load()
  // A colon separates issuer and account.
  const label = issuer.replaceAll(':', ' ')
  return new TOTP({ ...parameters, issuer: label, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/** The 30-second step that a code belongs to, one step off at most; undefined when the code is wrong. */
export async function stepOfCode(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const { Secret, TOTP } = await load()
  const totp = new TOTP({ ...parameters, secret: Secret.fromBase32(secret) })
  const offBy = totp.validate({ token: code, window: windowSteps, timestamp: nowMs })
  return offBy === null ? undefined : Math.floor(nowMs / 1000 / parameters.period) + offBy
}

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
