import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import { deploymentWide } from '../../../platform/store/store.ts'
import { commit, StaleRead } from '../../../platform/store/writes/commit.ts'
import { countAttempt } from '../../attempts/login-throttle.ts'
import { verifyPassword } from '../../credentials/password.ts'
import {
  hashRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  otpauthUrl,
  type SecondFactor,
} from '../../credentials/second-factor.ts'
import { changedMeanwhile } from '../../people/change-person.ts'
import { changeUser } from '../../people/change-user.ts'
import { findPerson, type Person, putChangedPerson } from '../../people/person.ts'
import { throttledCodes } from './log-in-mfa.ts'
import { acceptCode, type CodeDependencies, sealSecret } from './use-code.ts'

type Own = Pick<Caller, 'tenant' | 'userId' | 'email' | 'impersonatorId'>

/**
 * Makes a secret and recovery codes for the caller, which only this answer shows. Sign-ins ask for a code once one was
 * confirmed. Throws Invalid naming `password`, Conflict when the caller has a second factor, and TooManyRequests.
 */
export async function setUpSecondFactor(
  dependencies: CodeDependencies,
  caller: Own,
  { password, sourceIp }: { readonly password: string; readonly sourceIp: string },
): Promise<{ secret: string; otpauth_url: string; recovery_codes: string[] }> {
  const { clock } = dependencies
  const person = await readOwn(dependencies, caller)
  const attempt = await countAttempt(dependencies, person.email, sourceIp)
  if (!(await verifyPassword(password, person.passwordHash))) {
    await mayFail('store the failed attempt', attempt.failed)
    throw new Invalid({ password: [say('password_wrong', {})] })
  }
  await mayFail('reset the failed attempts', attempt.succeeded)
  if (person.secondFactor?.isConfirmed)
    throw new Conflict('mfa_enabled', 'You have a second factor: remove it with a code first.')
  const secret = await makeTotpSecret(clock)
  const codes = makeRecoveryCodes(clock)
  const secondFactor: SecondFactor = {
    sealedSecret: await sealSecret(dependencies, secret),
    recoveryHashes: codes.map(hashRecoveryCode),
    lastStep: 0,
    isConfirmed: false,
  }
  await commit(
    dependencies.store,
    deploymentWide,
    putChangedPerson(person, { ...person, secondFactor, version: person.version + 1 }),
    clock.uuid(),
  ).catch((error: unknown) => Promise.reject(error instanceof StaleRead ? changedMeanwhile() : error))
  const url = await otpauthUrl(secret, { issuer: caller.tenant.name, account: person.email })
  return { secret, otpauth_url: url, recovery_codes: codes }
}

/**
 * Confirms with a code that the caller's app has the secret. From then on sign-ins ask for codes. Throws Invalid naming
 * `code`, Conflict when there is nothing to confirm, and TooManyRequests.
 */
export async function confirmSecondFactor(
  dependencies: CodeDependencies,
  caller: Own,
  given: { readonly code: string; readonly sourceIp: string },
): Promise<void> {
  const { secondFactor } = await readOwn(dependencies, caller)
  if (secondFactor?.isConfirmed) throw new Conflict('mfa_enabled', 'You have confirmed your second factor already.')
  // A recovery code proves nothing about the app.
  const isOfApp = /^\s*\d{3}\s*\d{3}\s*$/.test(given.code)
  const after = await checkCode(dependencies, caller, secondFactor, { ...given, code: isOfApp ? given.code : '' })
  await change(dependencies, caller, { before: secondFactor, after: { ...after, isConfirmed: true } })
}

/** Removes the caller's second factor. Throws Invalid naming `code`, Conflict when there is none, and TooManyRequests. */
export async function removeSecondFactor(
  dependencies: CodeDependencies,
  caller: Own,
  given: { readonly code: string; readonly sourceIp: string },
): Promise<void> {
  const { secondFactor } = await readOwn(dependencies, caller)
  if (!secondFactor?.isConfirmed) throw notSetUp()
  await checkCode(dependencies, caller, secondFactor, given)
  await change(dependencies, caller, { before: secondFactor, after: null })
}

async function readOwn({ store }: Pick<CodeDependencies, 'store'>, { email }: Own): Promise<Person> {
  const person = email === null ? undefined : await findPerson(store, email)
  if (!person) throw notSetUp()
  return person
}

/** The factor after a code was used, throttled as in a sign-in. */
async function checkCode(
  dependencies: CodeDependencies,
  { email }: Own,
  factor: SecondFactor | null,
  { code, sourceIp }: { readonly code: string; readonly sourceIp: string },
): Promise<SecondFactor> {
  if (!factor) throw notSetUp()
  const attempt = await countAttempt(dependencies, throttledCodes(email ?? ''), sourceIp)
  const after = await acceptCode(dependencies, factor, code)
  if (!after) {
    await mayFail('store the failed attempt', attempt.failed)
    throw new Invalid({ code: [say('code_wrong', {})] })
  }
  await mayFail('reset the failed attempts', attempt.succeeded)
  return after
}

/** Stores a change that was decided on `before`. Of two at once, the second is refused. */
async function change(
  { store, clock }: CodeDependencies,
  caller: Own,
  { before, after }: { readonly before: SecondFactor | null; readonly after: SecondFactor | null },
): Promise<void> {
  const mfa = { before, after }
  await changeUser({ store, clock }, caller.tenant, caller.userId, () => ({ mfa }), { by: caller })
}

const notSetUp = (): Conflict =>
  new Conflict('mfa_not_set_up', 'You have no second factor: start with POST /api/user/mfa.')
