import type { Clock } from '../../../kernel/time/clock.ts'

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
