import type { Clock } from '../../../kernel/time/clock.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { deploymentWide, type Store } from '../../../platform/store/store.ts'
import { commit, StaleRead, type Step } from '../../../platform/store/writes/commit.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { hashRecoveryCode, type SecondFactor, stepOfCode } from '../../credentials/second-factor.ts'
import { findPerson, putChangedPerson } from '../../people/person.ts'

/** Opens the boxes that secrets of authenticator apps are sealed in. */
export interface CodeDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly secrets: () => Promise<SecretBox>
}

/** People belong to no tenant. */
const everywhere = { id: 0 }
const secretName = 'MFA_SECRET'

export const sealSecret = async ({ secrets }: Pick<CodeDependencies, 'secrets'>, secret: string): Promise<string> =>
  (await secrets()).seal(everywhere, secretName, secret)

/**
 * The factor after a code of the authenticator app, or a recovery code, was used; undefined when the code is wrong or was
 * used before.
 */
export async function acceptCode(
  { clock, secrets }: Pick<CodeDependencies, 'clock' | 'secrets'>,
  factor: SecondFactor,
  code: string,
): Promise<SecondFactor | undefined> {
  const typed = code.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(typed)) {
    const secret = await (await secrets()).open(everywhere, secretName, factor.sealedSecret)
    const step = await stepOfCode(secret, typed, clock.now())
    return step !== undefined && step > factor.lastStep ? { ...factor, lastStep: step } : undefined
  }
  const hash = hashRecoveryCode(typed)
  if (!factor.recoveryHashes.includes(hash)) return undefined
  return { ...factor, recoveryHashes: factor.recoveryHashes.filter((one) => one !== hash) }
}

/**
 * Uses a code of the person with an address, at most once, also by requests at the same time; `also` joins the
 * transaction. False when the person has no second factor, or the code is wrong or was used before.
 */
export async function useCode(
  dependencies: CodeDependencies,
  email: string,
  code: string,
  also: readonly Step[],
): Promise<boolean> {
  const { store, clock } = dependencies
  return retryWithJitter(clock, async (retry) => {
    const before = await findPerson(store, email)
    if (!before?.secondFactor?.isConfirmed) return false
    const secondFactor = await acceptCode(dependencies, before.secondFactor, code)
    if (!secondFactor) return false
    const steps = [...putChangedPerson(before, { ...before, secondFactor, version: before.version + 1 }), ...also]
    try {
      await commit(store, deploymentWide, steps, clock.uuid())
      return true
    } catch (error) {
      return error instanceof StaleRead ? retry(error) : Promise.reject(error as Error)
    }
  })
}
