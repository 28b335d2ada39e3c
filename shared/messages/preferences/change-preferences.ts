import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import { nearestWord } from '../../kernel/text/did-you-mean.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { preferencesKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { atVersion, isNew } from '../../platform/store/writes/conditions.ts'
import { isRefusal } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { type Category, categoryNames } from './categories.ts'
import { lookAgainAtHeld } from './held-notices.ts'
import { type Choices, describePreferences, preferencesItem, readChoices } from './preferences-row.ts'
import type { PreferencesAnswer, PreferencesInput } from './schema.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly clock: Clock
}

/**
 * Changes where and when a user wants to receive notifications; what the input leaves out stays. What waits leaves by the new
 * rule. Throws Invalid for an unknown category, naming the nearest one.
 */
export async function changePreferences(
  { store, clock }: Dependencies,
  { tenant, userId }: Principal,
  { notifications: given = {}, digest, quiet, time_zone: timeZone }: PreferencesInput,
): Promise<PreferencesAnswer> {
  refuseUnknown(Object.keys(given))
  const chosen = {
    ...(digest !== undefined && { digest }),
    ...(quiet !== undefined && { quiet }),
    ...(timeZone !== undefined && { timeZone }),
  }
  const answer = await retryWithJitter(clock, async (again) => {
    const before = readChoices(await store.get(tenant, preferencesKey(tenant, userId)))
    const notifications = merged(before.notifications, given)
    const after: Choices = { ...before, ...chosen, version: before.version + 1, notifications }
    try {
      await store.write(tenant, {
        put: preferencesItem(tenant, userId, after),
        if: before.version === 0 ? isNew : atVersion(before.version),
      })
    } catch (error) {
      if (isRefusal(error)) return again(error)
      throw error
    }
    return describePreferences(after)
  })
  await lookAgainAtHeld({ store, clock }, tenant, userId)
  return answer
}

const isCategory = (name: string): name is Category => (categoryNames as readonly string[]).includes(name)

function refuseUnknown(names: readonly string[]): void {
  const errors: FieldErrors = byName()
  for (const name of names.filter((one) => !isCategory(one))) {
    const meant = nearestWord(name, categoryNames)
    errors[`notifications.${name}`] = [
      `There is no category ${name}. ${meant === undefined ? `There are ${categoryNames.join(', ')}.` : `Did you mean ${meant}?`}`,
    ]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

const merged = (
  before: Choices['notifications'],
  given: NonNullable<PreferencesInput['notifications']>,
): Choices['notifications'] => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(given).map(([name, chosen]) => [name, { ...before[name as Category], ...chosen }]),
  ),
})
