import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

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
